"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from pathlib import Path

from answer_metrics.page.report import Cell, Span, numbered
from answer_metrics.page.space import Scored, Space

ZERO = " (relevance 0)"


def outcomes(scored: Scored) -> list[str]:
    """Return the outcome of each query: how much of its relevant ground truth was retrieved.

    A query without relevant ground truth scores 0.
    """
    hits = scored.result["first_hits"]
    grades = scored.inputs.get("relevance", [()] * len(hits))
    needed = [row if len(row) == len(ranks) else [1] * len(ranks) for row, ranks in zip(grades, hits, strict=True)]
    retrieved = [
        [rank is not None for rank, grade in zip(ranks, row, strict=True) if grade]
        for ranks, row in zip(hits, needed, strict=True)
    ]
    return ["all found" if row and all(row) else "some found" if any(row) else "none found" for row in retrieved]


def explain(scored: Scored, row: int) -> tuple[list[Span], dict[str, Cell]]:
    """Show at which rank each ground truth is first found."""
    ranks = scored.result["first_hits"][row]
    truths = scored.result.get("ground_truth_sentences", scored.inputs["references"])[row]
    relevance = scored.inputs.get("relevance", [[]] * (row + 1))[row]
    same = len(relevance) == len(ranks)  # a ground truth may have several sentences
    grades = [f" (relevance {grade:g})" for grade in relevance] if same else [""] * len(ranks)
    parts = [
        f"G{number}{grade}: {f'rank {rank}' if rank else 'not needed' if grade == ZERO else 'not found'}"
        for number, (grade, rank) in enumerate(zip(grades, ranks, strict=True), 1)
    ]
    why = [
        ("text", f"average precision {scored.result['individual_map'][row]:.3f}"),
        *([("soft", ", ".join(parts))] if parts else []),
    ]
    finders: dict[int, list[int]] = {}
    for truth, rank in enumerate(ranks):
        if rank:
            finders.setdefault(rank - 1, []).append(truth)
    found_at = {truth: [rank - 1] for truth, rank in enumerate(ranks) if rank}
    retrieved = scored.inputs["predictions"][row]
    return why, {"predictions": numbered(retrieved, finders, "RG"), "references": numbered(truths, found_at, "GR")}


SPACE = Space(
    script=Path(__file__).parent / "ranked_retrieval.py",
    title="Ranked retrieval",
    scores=("map", "mrr"),
    outcomes={"all found": "hit", "some found": "near", "none found": "miss"},
    classify=outcomes,
    explain=explain,
    sentence="queries retrieved all of their ground truth",
    counted=("hit",),
    common=("matching_strategy", "k"),
    headings={"predictions": "Retrieved, best first", "references": "Ground truth"},
)

if __name__ == "__main__":
    SPACE.launch()
