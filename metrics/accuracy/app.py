"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from functools import partial
from pathlib import Path

from space_ui.form import Form
from space_ui.form import Scored
from space_ui.form import Told
from space_ui.form import tell_matches
from space_ui.rows import Limits


def explain(scored: Scored) -> Told:
    """Say how each answer was compared."""
    kept = {name: scored.options[name] for name in ("case_sensitive", "normalize_text", "normalizer")}
    labels = {"exact": "hit"}
    if scored.options["match"] != "equal":
        labels[scored.options["match"]] = "hit"
    if scored.options["numbers"] == "value":
        labels["value"] = "hit"
    if scored.options["fuzzy_match"]:
        labels["fuzzy"] = "near"
    if scored.options["extract"] is not None:
        labels["unextracted"] = "miss"
    forms = partial(scored.script.normalized, **kept)
    return tell_matches(scored, scored.result["match_types"], forms, {**labels, "none": "miss"})


FORM = Form(
    script=Path(__file__).parent / "accuracy.py",
    title="Accuracy",
    scores=("accuracy",),
    explain=explain,
    facts=("From 0 to 1, higher is better", "No model, no key", "Several references per answer"),
    # partial_ratio takes a seventh of a second for two texts of 2,000 characters, and time grows with their product.
    limits=Limits(characters=400_000, cell=2_000),
    common=("match", "extract", "numbers", "fuzzy_match", "fuzzy_threshold", "fuzzy_scorer"),
    needs={
        "fuzzy_threshold": ("fuzzy_match", (True,)),
        "fuzzy_scorer": ("fuzzy_match", (True,)),
        "recall_threshold": ("match", ("recall",)),
        "language": ("match", ("recall",)),
        "numeric_tolerance": ("numbers", ("value",)),
    },
)

if __name__ == "__main__":
    from space_ui.page import build
    from space_ui.page import launch

    launch(build(FORM))
