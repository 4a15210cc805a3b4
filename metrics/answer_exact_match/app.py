"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from functools import partial
from pathlib import Path

from space_ui.form import Form
from space_ui.form import Scored
from space_ui.report import Explanation
from space_ui.report import explain_matches


def explain(scored: Scored) -> Explanation:
    """Explain how each answer was compared."""
    scores = scored.result["individual_scores"]
    labels = ["exact" if score else "none" for score in scores]
    normalize = partial(scored.script.normalize_answers, normalizer=scored.options.normalizer)
    return explain_matches(scored.texts, labels, scores, normalize, {"exact": "hit", "none": "miss"})


FORM = Form(
    script=Path(__file__).parent / "answer_exact_match.py",
    title="Answer exact match",
    scores=("score",),
    explain=explain,
    facts=("From 0 to 1, higher is better", "Character by character", "Several references per answer"),
    common=("normalizer",),
)

if __name__ == "__main__":
    from space_ui.page import build
    from space_ui.page import launch

    launch(build(FORM))
