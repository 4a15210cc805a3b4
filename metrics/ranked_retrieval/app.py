"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from pathlib import Path

from space_ui.form import Form
from space_ui.form import Scored
from space_ui.report import Example
from space_ui.report import Explanation
from space_ui.report import Outcome
from space_ui.report import match_parts
from space_ui.report import sentence

LABELS: dict[str, Outcome] = {"all found": "hit", "some found": "near", "none found": "miss"}


def explain(scored: Scored) -> Explanation:
    """Explain at which rank each ground truth is first found."""
    examples = []
    relevance = scored.inputs.get("relevance")
    truths = scored.result.get("ground_truth_sentences", scored.inputs["references"])
    for index, (ranks, average) in enumerate(
        zip(scored.result["first_hits"], scored.result["individual_map"], strict=True)
    ):
        found = sum(rank is not None for rank in ranks)
        label = "none found" if not found else "all found" if found == len(ranks) else "some found"
        grades = [f" (relevance {grade:g})" for grade in relevance[index]] if relevance else []
        if len(grades) != len(ranks):  # a ground truth may have several sentences
            grades = [""] * len(ranks)
        shown = ", ".join(
            f"G{number}{grade}: {f'rank {rank}' if rank else 'not found'}"
            for number, (rank, grade) in enumerate(zip(ranks, grades, strict=True), start=1)
        )
        why = [("text", f"average precision {average:.3f}"), ("soft", shown)]
        retrieved, _, *others = scored.texts[index]
        finders: dict[int, list[int]] = {}
        for truth, rank in enumerate(ranks):
            if rank:
                finders.setdefault(rank - 1, []).append(truth)
        found_at = {truth: [rank - 1] for truth, rank in enumerate(ranks) if rank}
        parts = match_parts(retrieved, finders, "R", "G"), match_parts(truths[index], found_at, "G", "R"), *others
        examples.append(Example(LABELS[label], label, scored.texts[index], why, average, parts))
    hits = sum(example.outcome == "hit" for example in examples)
    summary = sentence(hits, len(examples), "queries have all of their ground truth retrieved")
    return Explanation(examples, summary, LABELS, scored.result["individual_map"], "Average precision of the queries")


FORM = Form(
    script=Path(__file__).parent / "ranked_retrieval.py",
    title="Ranked retrieval",
    scores=("map", "mrr"),
    explain=explain,
    facts=("From 0 to 1, higher is better", "Chunks, sentences or ids", "MAP, MRR, nDCG"),
    common=("matching_strategy",),
    labels={"predictions": "Retrieved, best first", "references": "Ground truth", "relevance": "Relevance"},
    aliases={
        "predictions": ("retrieved_contexts", "retrieved_context", "retrieved", "chunks", "contexts", "passages"),
        "references": ("ground_truth_contexts", "ground_truth_context", "reference_contexts", "relevant"),
        "relevance": ("relevances", "grades", "relevance_grades", "relevance_scores", "gains", "qrels"),
    },
)

if __name__ == "__main__":
    from space_ui.page import build
    from space_ui.page import launch

    launch(build(FORM))
