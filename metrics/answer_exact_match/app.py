"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from functools import partial
from pathlib import Path

from answer_metrics.page.report import Cell, Span, compare_texts, marked_differences
from answer_metrics.page.space import Scored, Space


def explain(scored: Scored, row: int) -> tuple[list[Span], dict[str, Cell]]:
    """Show how the answer was compared."""
    normalize = partial(scored.script.normalize_answers, normalizer=scored.options.normalizer)
    texts = scored.prediction(row), scored.references(row)
    cells = {} if scored.result["individual_scores"][row] else marked_differences(*texts, normalize)
    return compare_texts(*texts, normalize), cells


SPACE = Space(
    script=Path(__file__).parent / "answer_exact_match.py",
    title="Answer exact match",
    scores=("score",),
    outcomes={"exact": "hit", "miss": "miss"},
    classify=lambda scored: ["exact" if score else "miss" for score in scored.result["individual_scores"]],
    explain=explain,
    common=("normalizer",),
)

if __name__ == "__main__":
    SPACE.launch()
