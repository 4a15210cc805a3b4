"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

import sys
from collections.abc import Mapping
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rapidfuzz.distance import LCSseq

from space_ui.form import Form
from space_ui.form import Scored
from space_ui.report import Example
from space_ui.report import Explanation
from space_ui.report import Outcome
from space_ui.report import Span
from space_ui.report import match_parts
from space_ui.report import sentence
from space_ui.rows import InputError

MAX_EXPLAINED = 400  # pairs of texts per row; with more, the closest matches take too long to compute and read
MAX_PAIRS = 1_000_000  # pairs of sentences per call; each pair that matches is part of the response
LABELS: dict[str, Outcome] = {"perfect": "hit", "partial": "near", "nothing": "miss"}


def explain(scored: Scored) -> Explanation:
    """Show which retrieved component matches which ground truth, and the closest match of each missed ground truth."""
    result, options = scored.result, scored.options
    tokenize = None if options.threshold is None else options.matcher().tokenize
    retrieved = result.get("retrieved_sentences", scored.inputs["predictions"])
    truths = result.get("ground_truth_sentences", scored.inputs["references"])
    examples = []
    for index, (ours, theirs, pairs) in enumerate(zip(retrieved, truths, result["matched_pairs"], strict=True)):
        f1 = result["individual_f1"][index]
        label = "perfect" if f1 == 1 else "partial" if f1 else "nothing"
        matches_by_retrieved: dict[int, list[int]] = {}
        matches_by_truth: dict[int, list[int]] = {}
        for i, j in pairs:
            matches_by_retrieved.setdefault(i, []).append(j)
            matches_by_truth.setdefault(j, []).append(i)
        precision, recall = result["individual_precision"][index], result["individual_recall"][index]
        why: list[Span] = [("text", f"precision {precision:.3f} · recall {recall:.3f} · F1 {f1:.3f}")]
        missed = [j for j in range(len(theirs)) if j not in matches_by_truth]
        if tokenize and ours and missed and len(ours) * len(missed) <= MAX_EXPLAINED:
            best = [f"G{j + 1} {nearest(ours, theirs[j], tokenize):.3f}" for j in missed]
            why.append(("soft", f"closest retrieved (needs > {options.threshold:g}): {', '.join(best)}"))
        parts = match_parts(ours, matches_by_retrieved, "R", "G"), match_parts(theirs, matches_by_truth, "G", "R")
        examples.append(Example(LABELS[label], label, scored.texts[index], why, f1, parts))
    found = sum(recall == 1 for recall in result["individual_recall"])
    summary = sentence(found, len(examples), "queries have all of their ground truth retrieved")
    return Explanation(examples, summary, LABELS, result["individual_f1"], "F1 of the queries")


def nearest(retrieved: list[str], truth: str, tokenize: Any) -> float:
    """Return the highest ROUGE-L recall of a ground truth."""
    tokens = list(tokenize(truth))
    lengths = (LCSseq.similarity(list(tokenize(text)), tokens) for text in retrieved)
    return float(max(lengths)) / len(tokens) if tokens else 0.0


class Retrieval(Form):
    """A form that also limits the number of sentences: one chunk may contain thousands."""

    def score(
        self, inputs: Mapping[str, Any], options: Mapping[str, Any], key: str = ""
    ) -> tuple[dict[str, Any], list[str]]:
        """Compute the result unless there are too many sentences.

        Raises:
            ValueError: For bad input.
        """
        with self.helper("_user_warnings").capture_warnings():
            resolved = self.metric.resolve_options(options)
        if resolved.by_sentence:
            script = sys.modules[type(self.metric).__module__]
            split = resolved.splitter()
            checked = self.metric.check_inputs(inputs)
            columns = [script.sentences_of(name, checked[name], split) for name in ("predictions", "references")]
            pairs = sum(len(ours) * len(theirs) for ours, theirs in zip(*columns, strict=True))
            if pairs > MAX_PAIRS:
                raise InputError(f"{pairs:,} pairs of sentences; the limit of this Space is {MAX_PAIRS:,} per call")
        return super().score(inputs, options, key)


def cost(rows: Sequence[Sequence[str]], options: Mapping[str, Any]) -> float:
    """Estimate the seconds of ROUGE-L: each retrieved chunk is compared with each ground truth."""
    del options
    return sum(4e-11 * len(row[0]) * len(row[1]) + 2e-6 * (len(row[0]) + len(row[1])) for row in rows)


FORM = Retrieval(
    script=Path(__file__).parent / "precision_recall_f1.py",
    title="Precision, recall and F1 of retrieval",
    scores=("f1", "precision", "recall"),
    explain=explain,
    facts=("From 0 to 1, higher is better", "Chunks or sentences", "Exact, or by ROUGE-L"),
    common=("matching_strategy", "rouge_chunk_match_threshold", "rouge_sentence_match_threshold", "average"),
    labels={"predictions": "Retrieved", "references": "Ground truth"},
    aliases={
        "predictions": ("retrieved_contexts", "retrieved_context", "retrieved", "chunks", "contexts", "passages"),
        "references": ("ground_truth_contexts", "ground_truth_context", "reference_contexts", "relevant"),
    },
    cost=cost,
)

if __name__ == "__main__":
    from space_ui.page import build
    from space_ui.page import launch

    launch(build(FORM))
