"""What the metrics are compared with: other libraries, and plain loops as people write them.

Each function takes the inputs, does everything that is not measured (imports, loading), and returns the function to
measure. They run in environments of their own, so at the top this file imports only the standard library.
"""

import re
import string
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.inputs import RETRIEVED, Columns, Query, Ranking, split_sentences

Run = Callable[[], Any]

_BENCHWISE_RESAMPLES = 1000
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = set(string.punctuation)
_ROUGE_THRESHOLDS = {"ROUGE_CHUNK_MATCH": 0.7, "ROUGE_SENTENCE_MATCH": 0.8}
RANKED_SCORES = (
    "map",
    "mrr",
    *(f"{name}@{k}" for name in ("ndcg", "hit_rate", "recall", "precision") for k in (1, 5, 10)),
)


# ---- accuracy of answers


def benchwise(inputs: Columns, *, fuzzy_match: bool = False) -> dict[str, Any]:
    """Compute Benchwise's `accuracy`, reimplemented from its published algorithm, since no package index has it.

    It normalizes and compares pair by pair in a loop, calls thefuzz for unequal pairs, and draws 1000 resamples with
    numpy. Most of its cost is that every resample converts the list of scores to an array again.
    """
    import numpy as np

    if fuzzy_match:
        from thefuzz import fuzz
    scores, types = [], []
    for prediction, reference in zip(inputs["predictions"], inputs["references"], strict=True):
        first, second = _benchwise_form(prediction), _benchwise_form(reference)
        if first == second:
            scores.append(1.0)
            types.append("exact")
        elif fuzzy_match and fuzz.ratio(first, second) / 100 >= 0.8:  # its default
            scores.append(0.8)
            types.append("fuzzy")
        else:
            scores.append(0.0)
            types.append("none")
    np.random.seed(0)  # it draws from the legacy generator
    means = [np.mean(np.random.choice(scores, size=len(scores))) for _ in range(_BENCHWISE_RESAMPLES)]
    return {
        "accuracy": (len(types) - types.count("none")) / len(types),
        "mean_score": float(np.mean(scores)),
        "std_score": float(np.std(scores)),
        "match_types": types,
        "confidence_interval": (float(np.percentile(means, 2.5)), float(np.percentile(means, 97.5))),
    }


def _benchwise_form(text: str) -> str:
    words = " ".join(text.lower().split())
    return words.translate(str.maketrans("", "", string.punctuation)).strip()


def benchwise_types(**options: Any) -> Callable[[Columns], Run]:
    """Match types by Benchwise's algorithm."""
    return lambda inputs: lambda: benchwise(inputs, **options)["match_types"]


def hf_exact_match(inputs: Columns) -> Run:
    """HF `exact_match`, reimplemented with its default options, for use without the Hub.

    evaluate encodes, writes and reads the columns. Both become numpy arrays of fixed-width strings, of which copies are
    to be normalized; by default they are not. Equal copies count, unless normalizing has emptied what was different.
    """
    import datasets
    import evaluate
    import numpy as np

    class ExactMatch(evaluate.Metric):
        def _info(self) -> evaluate.MetricInfo:
            columns = {name: datasets.Value("string", id="sequence") for name in ("predictions", "references")}
            features = datasets.Features(columns)
            return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

        def _compute(self, predictions: list[str], references: list[str]) -> dict[str, Any]:
            given, right = np.asarray(predictions), np.asarray(references)
            normalized, others = given.copy(), right.copy()
            emptied = (normalized == "") & (given != right)
            return {"exact_match": np.mean((normalized == others) & ~emptied)}

    metric = ExactMatch()
    return lambda: float(metric.compute(**inputs)["exact_match"])


def squad_loop(inputs: dict[str, Any]) -> Run:
    """The loop of SQuAD's evaluation script, without exact match: the best F1 of one or several references."""

    def tokens(text: str) -> list[str]:
        return _ARTICLES.sub(" ", "".join(mark for mark in text.lower() if mark not in _PUNCTUATION)).split()

    def f1(prediction: str, reference: str) -> float:
        found, wanted = tokens(prediction), tokens(reference)
        common = sum((Counter(found) & Counter(wanted)).values())
        return 2 * common / (len(found) + len(wanted)) if common else 0.0

    several = [[texts] if isinstance(texts, str) else texts for texts in inputs["references"]]

    def run() -> float:
        pairs = zip(inputs["predictions"], several, strict=True)
        return sum(max(f1(text, reference) for reference in references) for text, references in pairs) / len(several)

    return run


def haystack(inputs: Columns) -> Run:
    """All that Haystack's component returns."""
    from haystack.components.evaluators import AnswerExactMatchEvaluator

    evaluator = AnswerExactMatchEvaluator()
    columns = {"ground_truth_answers": inputs["references"], "predicted_answers": inputs["predictions"]}
    return lambda: evaluator.run(**columns)["individual_scores"]


# ---- Ray Data


def ray_dataset(inputs: Columns) -> Run:
    """Write Parquet files, start Ray, and return what reads them."""
    import os

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import pyarrow as pa
    import pyarrow.parquet as pq
    import ray
    from ray.data import DataContext

    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", object_store_memory=500_000_000)
    DataContext.get_current().enable_progress_bars = False
    directory = Path(tempfile.mkdtemp())
    table = pa.table(dict(inputs))
    step = -(-len(table) // 4)
    for file in range(4):
        pq.write_table(table.slice(file * step, step), directory / f"{file}.parquet")
    return lambda: ray.data.read_parquet(str(directory))


def ray_identity(inputs: Columns) -> Run:
    """Send the batches to the workers and back, and count the rows."""
    read = ray_dataset(inputs)

    def run() -> float:
        same = read().map_batches(lambda batch: batch, batch_size=10_000, batch_format="pyarrow")
        return float(sum(len(batch) for batch in same.iter_batches(batch_size=10_000, batch_format="pyarrow")))

    return run


# ---- retrieval


def ranx(inputs: list[Ranking]) -> Run:
    """The complete path from Python lists: build both tables, evaluate; numba compiles before the clock starts."""
    import ranx

    def run(queries: list[Ranking] = inputs) -> list[float]:
        truths = {f"q{index}": relevance for index, (_, relevance) in enumerate(queries)}
        ranked = {
            f"q{index}": {item: float(RETRIEVED - rank) for rank, item in enumerate(retrieved)}
            for index, (retrieved, _) in enumerate(queries)
        }
        scores: Any = ranx.evaluate(ranx.Qrels(truths), ranx.Run(ranked), list(RANKED_SCORES))
        return [float(scores[name]) for name in RANKED_SCORES]

    run(inputs[:2])
    return run


def continuous_eval(strategy: str) -> Callable[[list[Query]], Run]:
    """continuous-eval's metric, with its sentence splitter replaced since it downloads its rules at import."""

    def prepare(inputs: list[Query]) -> Run:
        import os

        os.environ["CONTINUOUS_EVAL_DO_NOT_TRACK"] = "true"
        from continuous_eval.metrics import retrieval
        from continuous_eval.metrics.retrieval import precision_recall_f1 as module

        module.sent_tokenize = split_sentences
        strategies: Any = {
            "ROUGE_CHUNK_MATCH": retrieval.RougeChunkMatch,
            "ROUGE_SENTENCE_MATCH": retrieval.RougeSentenceMatch,
        }
        metric = retrieval.PrecisionRecallF1(strategies[strategy]())
        return lambda: [list(metric.compute(*query).values()) for query in inputs]

    return prepare


def rouge_score(strategy: str) -> Callable[[list[Query]], Run]:
    """Google's scorer in the loops of continuous-eval."""

    def prepare(inputs: list[Query]) -> Run:
        from rouge_score.rouge_scorer import RougeScorer

        scorer = RougeScorer(["rougeL"])
        threshold = _ROUGE_THRESHOLDS[strategy]

        def score(retrieved: list[str], truths: list[str]) -> list[float]:
            if strategy == "ROUGE_SENTENCE_MATCH":
                retrieved = [sentence for chunk in retrieved for sentence in split_sentences(chunk)]
                truths = [sentence for chunk in truths for sentence in split_sentences(chunk)]
            distinct = set(truths)
            relevant = 0
            found: set[str] = set()
            for text in retrieved:
                hits = {truth for truth in distinct if scorer.score(truth, text)["rougeL"].recall > threshold}
                relevant += bool(hits)
                found |= hits
            precision, recall = relevant / len(retrieved), len(found) / len(distinct)
            both = precision + recall
            return [precision, recall, 2 * precision * recall / both if both else 0.0]

        return lambda: [score(*query) for query in inputs]

    return prepare
