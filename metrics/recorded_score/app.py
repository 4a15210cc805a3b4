"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from pathlib import Path

from answer_metrics.page.report import Cell, Span
from answer_metrics.page.space import Scored, Space


def outcomes(scored: Scored) -> list[str]:
    """Return the outcome of each row: the best score, the worst, or one between them."""
    scale = scored.options.range()
    worst, best = (scale.low, scale.high) if scale.higher_is_better else (scale.high, scale.low)
    ends = {worst: "worst", best: "best"} if scored.options.threshold is None else {0.0: "worst", 1.0: "best"}
    return [ends.get(score, "between") for score in scored.result["individual_scores"]]


def explain(scored: Scored, row: int) -> tuple[list[Span], dict[str, Cell]]:
    """Show the number that a verdict stands for."""
    return [("text", "counts as"), ("code", f"{scored.result['individual_scores'][row]:g}")], {}


SPACE = Space(
    script=Path(__file__).parent / "recorded_score.py",
    title="Recorded score",
    scores=("score",),
    outcomes={"best": "hit", "between": "near", "worst": "miss"},
    classify=outcomes,
    explain=explain,
    sentence="examples score above the worst",
    headings={"scores": "Score"},
    common=("scale", "threshold"),
    words={
        "scale": (
            "What scores mean",
            "The worst and the best score, as in 1, 5, or the score of each word, as in A=1, B=0.",
            {"": "0 to 1, or right and wrong"},
        ),
        "threshold": ("Passing score", "Scores of at least this count as 1, others as 0.", {}),
    },
)

if __name__ == "__main__":
    SPACE.launch()
