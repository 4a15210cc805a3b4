# Vendored: edit metrics/_shared/space_ui/theme.py and run `make vendor`.
"""The look of what Gradio draws itself; the values of the colours stand in style.css."""

from typing import Any

import gradio as gr
from gradio.themes.utils.fonts import LocalFont


def theme() -> Any:
    """Give the look of what Gradio draws itself; the fonts are those that Gradio brings along."""
    look = gr.themes.Base(
        # Not 600: Gradio 6.31 ships files of that weight that lack most letters.
        font=[LocalFont("IBM Plex Sans", (400, 700)), "ui-sans-serif", "system-ui", "sans-serif"],
        font_mono=[LocalFont("IBM Plex Mono", (400, 700)), "ui-monospace", "monospace"],
        radius_size=gr.themes.sizes.radius_sm,
        text_size=gr.themes.sizes.text_md,
    )
    names = {
        "body_background_fill": "paper",
        "body_text_color": "ink",
        "body_text_color_subdued": "soft",
        "background_fill_primary": "surface",
        "background_fill_secondary": "paper",
        "block_background_fill": "surface",
        "block_border_color": "line",
        "block_label_text_color": "ink",
        "block_title_text_color": "ink",
        "block_info_text_color": "soft",
        "border_color_primary": "line",
        "border_color_accent": "accent",
        "color_accent": "accent",
        "color_accent_soft": "tint",
        "input_background_fill": "surface",
        "input_border_color": "edge",
        "input_border_color_focus": "accent",
        "input_placeholder_color": "soft",
        "button_primary_background_fill": "ink",
        "button_primary_background_fill_hover": "accent",
        "button_primary_text_color": "surface",
        "button_primary_text_color_hover": "surface",
        "button_primary_border_color": "ink",
        "checkbox_background_color": "surface",
        "checkbox_background_color_selected": "accent",
        "checkbox_border_color": "edge",
        "checkbox_border_color_selected": "accent",
        "checkbox_label_background_fill": "surface",
        "checkbox_label_background_fill_selected": "tint",
        "checkbox_label_border_color": "line",
        "checkbox_label_text_color": "ink",
        "checkbox_label_text_color_selected": "ink",
        "slider_color": "accent",
        "link_text_color": "accent",
        "link_text_color_hover": "ink",
        "link_text_color_visited": "accent",
        "link_text_color_active": "accent",
    }
    # The values stand in style.css, where they change with the colour scheme.
    known = set(vars(look)) | set(look.set.__code__.co_varnames)
    pairs = {name: f"var(--{value}-colour)" for name, value in names.items()}
    dark = {f"{name}_dark": value for name, value in pairs.items() if f"{name}_dark" in known}
    return look.set(**pairs, **dark)
