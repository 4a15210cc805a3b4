"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rapidfuzz.distance import LCSseq

from space_ui.form import Form
from space_ui.form import Scored
from space_ui.form import Told
from space_ui.report import Example
from space_ui.report import Outcome
from space_ui.report import parts
from space_ui.report import sentence
from space_ui.rows import InputError

COMPARED = 400  # pairs of texts in a row: beyond that nobody reads how near each came, and it would take long
PAIRS = 1_000_000  # of sentences that a call may compare: all of them may match, and then each is in the answer
LABELS: dict[str, Outcome] = {"perfect": "hit", "partly": "near", "nothing": "miss"}


def explain(scored: Scored) -> Told:
    """Show which retrieved component matches which of the ground truth, and how near the others came."""
    result, options = scored.result, scored.script.Options(**scored.options)
    rouge = options.threshold is not None
    tokenize = options.matcher().tokenize if rouge else None
    retrieved = result.get("retrieved_sentences", scored.inputs["predictions"])
    truths = result.get("ground_truth_sentences", scored.inputs["references"])
    examples = []
    for place, (ours, theirs, pairs) in enumerate(zip(retrieved, truths, result["matched_pairs"], strict=True)):
        f1 = result["individual_f1"][place]
        label = "perfect" if f1 == 1 else "partly" if f1 else "nothing"
        of_ours: dict[int, list[int]] = {}
        of_theirs: dict[int, list[int]] = {}
        for one, other in pairs:
            of_ours.setdefault(one, []).append(other)
            of_theirs.setdefault(other, []).append(one)
        why = (
            f"precision {result['individual_precision'][place]:.3f} · recall {result['individual_recall'][place]:.3f}"
            f" · F1 {f1:.3f}"
        )
        missed = [other for other in range(len(theirs)) if other not in of_theirs]
        if rouge and ours and missed and len(ours) * len(missed) <= COMPARED:
            best = [f"G{other + 1} {nearest(ours, theirs[other], tokenize):.3f}" for other in missed]
            why += f" · best ROUGE-L recall of what was not found: {', '.join(best)}"
        drawn = parts(ours, of_ours, "R", "G"), parts(theirs, of_theirs, "G", "R")
        examples.append(Example(LABELS[label], label, scored.texts[place], why, drawn))
    found = sum(recall == 1 for recall in result["individual_recall"])
    told = sentence(found, len(examples), "queries have all of their ground truth retrieved")
    return Told(examples, told, LABELS, result["individual_f1"], "F1 of the queries")


def nearest(retrieved: list[str], truth: str, tokenize: Any) -> float:
    """Give the highest ROUGE-L recall of a ground truth."""
    wanted = list(tokenize(truth))
    lengths = (LCSseq.similarity(list(tokenize(text)), wanted) for text in retrieved)
    return float(max(lengths)) / len(wanted) if wanted else 0.0


class Retrieval(Form):
    """A form that counts the sentences, too: one chunk may hold thousands."""

    def score(
        self, inputs: Mapping[str, Any], options: Mapping[str, Any], key: str
    ) -> tuple[dict[str, Any], list[str]]:
        """Compute, unless there are too many sentences.

        Raises:
            ValueError: For bad input.
        """
        every = self.metric.resolve_options(options)
        if every.by_sentence:
            script = sys.modules[type(self.metric).__module__]
            split = every.splitter()
            checked = self.metric.check_inputs(inputs)
            columns = [script.sentences_of(name, column, split) for name, column in checked.items()]
            pairs = sum(len(ours) * len(theirs) for ours, theirs in zip(*columns, strict=True))
            if pairs > PAIRS:
                raise InputError(f"{pairs:,} pairs of sentences; this Space compares {PAIRS:,} a call")
        return super().score(inputs, options, key)


FORM = Retrieval(
    script=Path(__file__).parent / "precision_recall_f1.py",
    title="Precision, recall and F1 of retrieval",
    scores=("f1", "precision", "recall"),
    explain=explain,
    facts=("From 0 to 1, higher is better", "Chunks or sentences", "Exact, or by ROUGE-L"),
    common=("matching_strategy", "rouge_chunk_match_threshold", "rouge_sentence_match_threshold", "average"),
    needs={
        "rouge_chunk_match_threshold": ("matching_strategy", ("ROUGE_CHUNK_MATCH",)),
        "rouge_sentence_match_threshold": ("matching_strategy", ("ROUGE_SENTENCE_MATCH",)),
    },
    labels={"predictions": "Retrieved", "references": "Ground truth"},
    aliases={
        "predictions": ("retrieved_contexts", "retrieved_context", "retrieved", "chunks", "contexts", "passages"),
        "references": ("ground_truth_contexts", "ground_truth_context", "reference_contexts", "relevant"),
    },
)

if __name__ == "__main__":
    from space_ui.page import build
    from space_ui.page import launch

    launch(build(FORM))
