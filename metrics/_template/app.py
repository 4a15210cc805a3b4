"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from pathlib import Path

from space_ui.form import Form
from space_ui.form import Scored
from space_ui.report import Explanation
from space_ui.report import explain_matches


def explain(scored: Scored) -> Explanation:
    """Explain how each answer was compared."""
    scores = scored.result["individual_scores"]
    labels = ["full" if score == 1 else "partial" if score else "none" for score in scores]
    return explain_matches(scored.texts, labels, scores, list, {"full": "hit", "partial": "near", "none": "miss"})


FORM = Form(
    script=Path(__file__).parent / "new_metric.py",
    title="New metric",
    scores=("score",),
    explain=explain,
    facts=("From 0 to 1, higher is better", "No model, no key", "Several references per answer"),
    common=("case_sensitive",),
)

if __name__ == "__main__":
    from space_ui.page import build
    from space_ui.page import launch

    launch(build(FORM))
