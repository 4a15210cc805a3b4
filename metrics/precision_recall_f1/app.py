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

COMPARED = 400  # pairs of texts in a row: beyond that nobody reads how near each came, and it would take long
PAIRS = 1_000_000  # of sentences that a call may compare: all of them may match, and then each is in the answer
LABELS: dict[str, Outcome] = {"perfect": "hit", "partial": "near", "nothing": "miss"}


def explain(scored: Scored) -> Explanation:
    """Show which retrieved component matches which of the ground truth, and how near the others came."""
    result, options = scored.result, scored.options
    tokenize = None if options.threshold is None else options.matcher().tokenize
    retrieved = result.get("retrieved_sentences", scored.inputs["predictions"])
    truths = result.get("ground_truth_sentences", scored.inputs["references"])
    examples = []
    for index, (ours, theirs, pairs) in enumerate(zip(retrieved, truths, result["matched_pairs"], strict=True)):
        f1 = result["individual_f1"][index]
        label = "perfect" if f1 == 1 else "partial" if f1 else "nothing"
        of_ours: dict[int, list[int]] = {}
        of_theirs: dict[int, list[int]] = {}
        for one, other in pairs:
            of_ours.setdefault(one, []).append(other)
            of_theirs.setdefault(other, []).append(one)
        precision, recall = result["individual_precision"][index], result["individual_recall"][index]
        why: list[Span] = [("text", f"precision {precision:.3f} · recall {recall:.3f} · F1 {f1:.3f}")]
        missed = [other for other in range(len(theirs)) if other not in of_theirs]
        if tokenize and ours and missed and len(ours) * len(missed) <= COMPARED:
            best = [f"G{other + 1} {nearest(ours, theirs[other], tokenize):.3f}" for other in missed]
            why.append(("soft", f"closest retrieved (needs > {options.threshold:g}): {', '.join(best)}"))
        parts = match_parts(ours, of_ours, "R", "G"), match_parts(theirs, of_theirs, "G", "R")
        examples.append(Example(LABELS[label], label, scored.texts[index], why, f1, parts))
    found = sum(recall == 1 for recall in result["individual_recall"])
    told = sentence(found, len(examples), "queries have all of their ground truth retrieved")
    return Explanation(examples, told, LABELS, result["individual_f1"], "F1 of the queries")


def nearest(retrieved: list[str], truth: str, tokenize: Any) -> float:
    """Return the highest ROUGE-L recall of a ground truth."""
    wanted = list(tokenize(truth))
    lengths = (LCSseq.similarity(list(tokenize(text)), wanted) for text in retrieved)
    return float(max(lengths)) / len(wanted) if wanted else 0.0


class Retrieval(Form):
    """A form that counts the sentences, too: one chunk may hold thousands."""

    def score(
        self, inputs: Mapping[str, Any], options: Mapping[str, Any], key: str = ""
    ) -> tuple[dict[str, Any], list[str]]:
        """Compute, unless there are too many sentences.

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
            if pairs > PAIRS:
                raise InputError(f"{pairs:,} pairs of sentences; the limit of this Space is {PAIRS:,} per call")
        return super().score(inputs, options, key)


def cost(rows: Sequence[Sequence[str]], options: Mapping[str, Any]) -> float:
    """Estimate the seconds of ROUGE-L: each retrieved chunk is compared with each of the ground truth."""
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
