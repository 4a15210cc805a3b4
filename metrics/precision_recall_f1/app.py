"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from pathlib import Path

from answer_metrics.page.report import Cell, Span, numbered
from answer_metrics.page.space import Scored, Space

MAX_EXPLAINED = 400  # pairs of texts per row whose closest matches are computed


def outcomes(scored: Scored) -> list[str]:
    """Return the outcome of each query, from its F1."""
    return ["perfect" if f1 == 1 else "partial" if f1 else "nothing" for f1 in scored.result["individual_f1"]]


def explain(scored: Scored, row: int) -> tuple[list[Span], dict[str, Cell]]:
    """Show which retrieved text matches which ground truth, and the closest one of each that was missed."""
    result, options = scored.result, scored.options
    retrieved = result.get("retrieved_sentences", scored.inputs["predictions"])[row]
    truths = result.get("ground_truth_sentences", scored.inputs["references"])[row]
    of_retrieved: dict[int, list[int]] = {}
    of_truth: dict[int, list[int]] = {}
    for place, truth in result["matched_pairs"][row]:
        of_retrieved.setdefault(place, []).append(truth)
        of_truth.setdefault(truth, []).append(place)
    precision, recall, f1 = (result[f"individual_{name}"][row] for name in ("precision", "recall", "f1"))
    why: list[Span] = [("text", f"precision {precision:.3f} · recall {recall:.3f} · F1 {f1:.3f}")]
    missed = [truth for truth in range(len(truths)) if truth not in of_truth]
    if options.threshold is not None and retrieved and missed and len(retrieved) * len(missed) <= MAX_EXPLAINED:
        tokenize = options.matcher().tokenize
        best_recall = SPACE.function("best_recall")
        shares = [f"G{truth + 1} {best_recall(retrieved, truths[truth], tokenize):.3f}" for truth in missed]
        why.append(("soft", f"closest retrieved (needs > {options.threshold:g}): {', '.join(shares)}"))
    return why, {"predictions": numbered(retrieved, of_retrieved, "RG"), "references": numbered(truths, of_truth, "GR")}


SPACE = Space(
    script=Path(__file__).parent / "precision_recall_f1.py",
    title="Precision, recall and F1 of retrieval",
    scores=("f1", "precision", "recall"),
    outcomes={"perfect": "hit", "partial": "near", "nothing": "miss"},
    classify=outcomes,
    explain=explain,
    sentence="queries retrieved all of their ground truth and nothing else",
    counted=("hit",),
    common=("matching_strategy", "rouge_chunk_match_threshold", "rouge_sentence_match_threshold", "average"),
    headings={"predictions": "Retrieved", "references": "Ground truth"},
)

if __name__ == "__main__":
    SPACE.launch()
