"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from pathlib import Path

from answer_metrics.page.report import Cell, Span, compare_texts
from answer_metrics.page.space import Scored, Space


def outcomes(scored: Scored) -> list[str]:
    """Return the outcome of each row, from its score."""
    scores = scored.result["individual_scores"]
    return ["full" if score == 1 else "partial" if score else "miss" for score in scores]


def explain(scored: Scored, row: int) -> tuple[list[Span], dict[str, Cell]]:
    """Show how the answer was compared."""
    return compare_texts(scored.inputs["predictions"][row], scored.references(row), list), {}


SPACE = Space(
    script=Path(__file__).parent / "new_metric.py",
    title="New metric",
    scores=("score",),
    outcomes={"full": "hit", "partial": "near", "miss": "miss"},
    classify=outcomes,
    explain=explain,
    common=("case_sensitive",),
)

if __name__ == "__main__":
    SPACE.launch()
