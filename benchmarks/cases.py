"""What is measured: the table `CASES`, each with our side, its peers, sizes and targets.

Imported in the environment of every side, so at the top only the standard library and this package; a side imports its
dependencies in its function.
"""

import asyncio
import atexit
import math
import pickle
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import fmean
from typing import Any, Literal

from benchmarks import peers
from benchmarks.inputs import (
    ROOT,
    Columns,
    Query,
    Ranking,
    answers,
    long_answers,
    queries,
    rankings,
    triplets,
)

Inputs = Any
Run = Callable[[], Any]
Prepare = Callable[[Any], Run]
Carrier = Literal["lists", "arrow", "datasets", "pandas", "polars"]
MIB = 2**20
BATCH = 10_000
DELAY = 0.15
"""Latency of the judge in seconds, as of a fast provider."""
IN_FLIGHT = 64


@dataclass(frozen=True)
class Side:
    """One of the programs to compare."""

    name: str
    prepare: Prepare | None = None
    """Takes the inputs, does everything that is not measured, and returns the function to measure, whose result is
    plain Python values."""
    bound: Callable[[int], float] | None = None
    """Instead of `prepare`: the number of seconds, or bytes, for a size."""
    needs: tuple[str, ...] = ()
    """The requirements of a separate environment; empty for `.venv`."""
    target: float | Mapping[int, float] | None = None
    """For a peer: the least ratio of its time (or memory) to ours, at every size or by size."""
    at_most: int | None = None
    """For a slow peer: the largest size to measure; beyond it, its time is scaled, with a footnote."""

    def target_at(self, size: int) -> float | None:
        """Return the target at a size."""
        return self.target.get(size) if isinstance(self.target, Mapping) else self.target


@dataclass(frozen=True)
class Case:
    """One line of the table for each size and peer."""

    subject: str
    """The heading of its table."""
    what: str
    ours: Side
    peers: tuple[Side, ...]
    inputs: Callable[[int], Inputs] = answers
    unit: str = "pairs"
    """The unit of the sizes: pairs, queries, judgments."""
    sizes: tuple[int, ...] = (100_000, 1_000_000)
    smoke: int = 500
    """The tiny size of `python -m benchmarks.run --smoke`."""
    measure: Literal["time", "memory", "extra memory"] = "time"
    """Time of a run; peak memory of a process with one run, with or without what it had before."""
    runs: int = 5
    """Number of timed runs per side, after a warm-up."""
    compare: Callable[[Inputs, Any, Any], str] | None = None
    """Takes the inputs, our result and a peer's. Returns an explanation of the differences, "" if there are none;
    raises `Disagreement` for unexpected ones."""


class Disagreement(Exception):  # a good name without "Error"
    """Two sides have different results for no known reason."""


# ---- comparison of results


def agree(_inputs: Inputs, ours: Any, theirs: Any) -> str:
    """Compare two results that must be equal, but for rounding if they are floats."""
    floats = isinstance(ours, float) or (isinstance(ours, list) and ours and isinstance(ours[0], float))
    pairs = zip(*([side] if isinstance(side, float) else side for side in (ours, theirs)), strict=True)
    if not (all(math.isclose(one, other, rel_tol=1e-9) for one, other in pairs) if floats else ours == theirs):
        raise Disagreement(f"ours {str(ours)[:200]}, theirs {str(theirs)[:200]}")
    return ""


def agree_at_least(inputs: Columns, ours: float, theirs: float) -> str:
    """Check that equal texts match with normalization too, and report additional matches."""
    if ours < sum(map(str.__eq__, inputs["predictions"], inputs["references"])) / len(inputs["references"]):
        raise Disagreement(f"ours {ours} is less than the share of equal pairs")
    return "" if ours == theirs else f"Accuracy is {ours:.2f}, the peer's {theirs:.3f}: it does not normalize."


def agree_on_plain_texts(inputs: Columns, ours: list[str], theirs: Any) -> str:
    """Compare match types; they may differ if the texts contain numbers or non-ASCII characters."""
    theirs = theirs if isinstance(theirs, list) else theirs.to_pylist()  # our scoring step returns Arrow
    pairs = list(zip(inputs["predictions"], inputs["references"], strict=True))
    different = [index for index in range(len(pairs)) if ours[index] != theirs[index]]
    for index in different:
        if all(map(_is_plain, pairs[index])):
            raise Disagreement(f"{pairs[index]!r}: ours {ours[index]}, theirs {theirs[index]}")
    share = len(different) / len(pairs)
    return f"{share:.1%} of the match types differ, all by our rules for numbers and Unicode." if different else ""


def _is_plain(text: str) -> bool:
    """Return whether our rules for numbers, names such as C++ and non-ASCII characters do not affect a text."""
    text = text.strip()
    return text.isascii() and not any(
        unicodedata.category(mark)[0] in "PS" and after.isdigit() for mark, after in pairwise(text)
    )


def agree_in_the_mean(inputs: Columns, ours: list[int], theirs: list[int] | float) -> str:
    """Compare individual scores; HF gives the mean only."""
    return agree(inputs, sum(ours) / len(ours) if isinstance(theirs, float) else ours, theirs)


def agree_but_for_matching(_inputs: list[Query], ours: Any, theirs: Any) -> str:
    """Count differing queries: continuous-eval compares words with case and punctuation, and by >= instead of >."""
    different = sum(one != other for one, other in zip(ours, theirs, strict=True))
    why = "their words keep case and punctuation"
    return f"{different} of {len(ours)} queries are scored differently: {why}." if different else ""


# ---- our sides


def load(name: str) -> Any:
    """Load a metric of this checkout."""
    import evaluate

    return evaluate.load(str(ROOT / "metrics" / name))


def as_columns(inputs: Columns, carrier: Carrier) -> dict[str, Any]:
    """Turn lists into the columns of a library."""
    if carrier == "lists":
        return dict(inputs)
    if carrier == "polars":
        import polars as pl

        return {name: pl.Series(column) for name, column in inputs.items()}
    import pyarrow as pa

    if carrier == "arrow":
        return {name: pa.array(column) for name, column in inputs.items()}
    if carrier == "datasets":
        import datasets

        rows = datasets.Dataset.from_dict(dict(inputs))
        return {name: rows[name] for name in inputs}
    import pandas as pd

    return {name: pd.Series(column, dtype=pd.ArrowDtype(pa.string())) for name, column in inputs.items()}


def computed(name: str, key: str | None, carrier: Carrier = "lists", **options: Any) -> Prepare:
    """Return `compute` of a metric on columns of a library; `key`: what is compared."""

    def prepare(inputs: Columns) -> Run:
        metric, columns = load(name), as_columns(inputs, carrier)
        return lambda: metric.compute(**columns, **options)[key] if key else metric.compute(**columns, **options)

    return prepare


def scoring_alone(inputs: Columns) -> Run:
    """The first step of `accuracy` alone, on checked columns."""
    metric = load("accuracy")
    options = metric.resolve_options({})
    checked = metric.check_inputs(inputs, as_arrow=metric.takes_arrow(options))
    return lambda: metric.score(checked, options)["match_types"]


def looped(*, as_lists: bool) -> Prepare:
    """Score record batches, as a Parquet file gives them, or turned to lists, as pandas and JSON do; and aggregate."""

    def prepare(inputs: Columns) -> Run:
        import pyarrow as pa

        metric = load("accuracy")
        batches = pa.table(dict(inputs)).to_batches(BATCH)

        def run() -> Any:
            given = (batch.to_pydict() if as_lists else batch for batch in batches)
            return metric.aggregate(map(metric.score_batch, given), return_details=False)

        return run

    return prepare


def on_ray(inputs: Columns) -> Run:
    """Score with Ray Data, and aggregate what comes back."""
    metric, read = load("accuracy"), peers.ray_dataset(inputs)

    def run() -> float:
        scored = read().map_batches(metric.score_batch, batch_size=BATCH, batch_format="pyarrow")
        shards = scored.iter_batches(batch_size=BATCH, batch_format="pyarrow")
        return float(metric.aggregate(shards, return_details=False)["total"])

    return run


def retrieval(strategy: str) -> Side:
    """Compute precision, recall and F1 of each query."""

    def prepare(inputs: list[Query]) -> Run:
        metric = load("precision_recall_f1")
        columns = {
            name: [list(query[side]) for query in inputs] for side, name in enumerate(("predictions", "references"))
        }

        def run() -> list[list[float]]:
            result = metric.compute(**columns, matching_strategy=strategy, return_details=True)
            keys = ("individual_precision", "individual_recall", "individual_f1")
            return [list(scores) for scores in zip(*(result[key] for key in keys), strict=True)]

        return run

    return Side("precision_recall_f1", prepare)


def ranked(inputs: list[Ranking]) -> Run:
    """All that `compute` returns by default."""
    metric = load("ranked_retrieval")
    columns = {
        "predictions": [retrieved for retrieved, _ in inputs],
        "references": [list(truths) for _, truths in inputs],
        "relevance": [list(truths.values()) for _, truths in inputs],
    }

    def run() -> list[float]:
        result = metric.compute(**columns, matching_strategy="ID", k=[1, 5, 10])
        return [result[name] for name in peers.RANKED_SCORES]

    return run


def start_judge(delay: float = DELAY) -> str:
    """Start a judge in a separate process that is killed at exit; return its base URL."""
    command = [sys.executable, "-m", "tests.judge_server", "--delay", str(delay)]
    judge = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)  # our own command
    atexit.register(judge.kill)
    if judge.stdout is None:
        raise RuntimeError("the judge has no output")
    return f"http://127.0.0.1:{int(judge.stdout.readline())}/v1"


def empty_folder() -> str:
    """Create a directory for judgments that is removed when this process ends."""
    folder = tempfile.mkdtemp(prefix="l3score-bench-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def judged(in_flight: int) -> Prepare:
    """Judge with the defaults: prices, and a new store on disk in every run."""

    def prepare(inputs: Columns) -> Run:
        metric, url = load("l3score"), start_judge()

        def run() -> float:
            options = {"base_url": url, "judge_cache_dir": empty_folder(), "max_concurrency": in_flight}
            return round(float(metric.compute(**inputs, **options)["L3Score"]), 9)

        return run

    return prepare


def asked_in_a_loop(inputs: Columns) -> Run:
    """Ask the same judge in a bare loop over `AsyncOpenAI`: no retries, pace, budget or store."""
    import openai

    from answer_metrics.judge.logprobs import make_prompt, score_top_tokens

    url, texts = start_judge(), (inputs[name] for name in ("questions", "references", "predictions"))
    prompts = list(map(make_prompt("card").fill, *texts))

    async def judge() -> float:
        in_flight = asyncio.Semaphore(IN_FLIGHT)

        async def ask(client: Any, prompt: str) -> float:
            messages, fields = [{"role": "user", "content": prompt}], {"temperature": 0, "max_tokens": 1}
            async with in_flight:
                reply = await client.chat.completions.create(
                    model="gpt-4o-mini", messages=messages, logprobs=True, top_logprobs=5, **fields
                )
            (place,) = reply.choices[0].logprobs.content
            return score_top_tokens([(candidate.token, candidate.logprob) for candidate in place.top_logprobs]).score

        async with openai.AsyncOpenAI(api_key="none", base_url=url) as client:
            return round(fmean(await asyncio.gather(*(ask(client, prompt) for prompt in prompts))), 9)

    return lambda: asyncio.run(judge())


def fill_store(inputs: Columns, options: dict[str, Any]) -> None:
    """Judge the first example, and store its judgment for all of them: judging 100,000 takes minutes."""
    from answer_metrics.judge.judges import make_judge
    from answer_metrics.judge.judging import make_examples
    from metrics.l3score.l3score import L3Score

    metric = L3Score()
    metric.compute(**{name: column[:1] for name, column in inputs.items()}, **options)
    resolved = metric.resolve_options(options)
    store = make_judge(resolved).store
    first, *others = (prompt for example in make_examples(inputs, resolved) for prompt in example)
    judgment = store.get([first])[first]
    for prompt in others:
        store.put(prompt, judgment)
    store.close()


def stored_judgments(inputs: Columns) -> Run:
    """Judge what is stored, and was stored by a separate process so that memory is that of the run alone."""
    options = {"base_url": start_judge(delay=0.0), "judge_cache_dir": empty_folder()}
    code = "import pickle, sys; from benchmarks.cases import fill_store; fill_store(*pickle.load(sys.stdin.buffer))"
    given = pickle.dumps((inputs, options))
    subprocess.run([sys.executable, "-c", code], input=given, check=True, cwd=ROOT)  # our own command
    metric = load("l3score")
    return lambda: metric.compute(**inputs, **options)["Cost"]  # 0: all of them are found


def started(code: str) -> Prepare:
    """Run a program in a new process."""
    return lambda _inputs: lambda: subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout


# ---- the table

RAY = ("ray==2.60.0", "evaluate==0.4.6", "datasets==5.2.0", "rapidfuzz==3.14.6", "numpy==2.4.6")
CONTINUOUS_EVAL = ("continuous-eval==0.3.14.post2",)
FIRST_RESULT = f"""
import evaluate
metric = evaluate.load({str(ROOT / "metrics" / "accuracy")!r})
print(metric.compute(predictions=["Paris!"], references=["paris"])["accuracy"])
"""
HF = "HF exact_match (reimplemented)"


def retrieval_case(strategy: str, target: float, rouge_target: float | None = None) -> Case:
    """Compare `precision_recall_f1` with continuous-eval, and with Google's scorer in the same loops."""
    loops = Side("the same loops with rouge-score", peers.rouge_score(strategy), at_most=2, target=rouge_target)
    peer = Side("continuous-eval", peers.continuous_eval(strategy), needs=CONTINUOUS_EVAL, at_most=1, target=target)
    return Case(
        subject="Retrieval",
        what=f"`precision_recall_f1`, {strategy}",
        unit="queries",
        sizes=(200,),
        smoke=1,
        inputs=queries,  # 10 chunks x 5 ground truths of 560 tokens
        ours=retrieval(strategy),
        peers=(peer, loops),
        compare=agree if strategy == "ROUGE_CHUNK_MATCH" else agree_but_for_matching,
    )


def columns_case(carrier: Carrier, what: str) -> Case:
    """Compare `accuracy` on columns of a library with HF `exact_match` on lists."""
    return Case(
        subject="Answers",
        what=f"`accuracy`, {what}",
        sizes=(1_000_000,),
        ours=Side("accuracy", computed("accuracy", "accuracy", carrier)),
        peers=(Side(f"{HF}, lists", peers.hf_exact_match, target=12),),
        runs=3,
        compare=agree_at_least,
    )


judging_case = partial(Case, "Judging", unit="judgments", smoke=8, inputs=triplets)


def in_flight_case(number: int) -> Case:
    """Compare more judgments in flight with the usual number: they must not be slower."""
    return judging_case(
        f"`l3score`, calls of 150 ms, {number} in flight",
        sizes=(1500,),
        ours=Side(f"{number} in flight", judged(number)),
        peers=(Side(f"{IN_FLIGHT} in flight", judged(IN_FLIGHT), target=1),),
        compare=agree,
    )


CASES: dict[str, Case] = {
    "accuracy_lists": Case(
        "Answers",
        "`accuracy`, lists",
        ours=Side("accuracy", computed("accuracy", "accuracy")),
        peers=(Side(HF, peers.hf_exact_match, target={100_000: 6, 1_000_000: 8}),),
        compare=agree_at_least,
    ),
    "accuracy_arrow": columns_case("arrow", "Arrow arrays"),
    "accuracy_datasets": columns_case("datasets", "columns of `datasets`"),
    "accuracy_pandas": columns_case("pandas", "pandas, backed by Arrow"),
    "accuracy_polars": columns_case("polars", "polars"),
    "accuracy_interval": Case(
        "Answers",
        "`accuracy` with its interval",
        sizes=(10_000, 100_000),
        ours=Side("accuracy", computed("accuracy", "match_types")),
        peers=(
            Side("Benchwise (reimplemented)", peers.benchwise_types(), target=40),
            Side("the scoring step of `accuracy` alone", scoring_alone, target=0.5),
        ),
        compare=agree_on_plain_texts,
    ),
    "accuracy_fuzzy": Case(
        "Answers",
        "`accuracy`, `fuzzy_match=True`, with its interval",
        sizes=(10_000, 100_000),
        ours=Side("accuracy", computed("accuracy", "match_types", fuzzy_match=True)),
        peers=(
            Side(
                "Benchwise (reimplemented)",
                peers.benchwise_types(fuzzy_match=True),
                needs=("numpy==2.4.6", "thefuzz==0.22.1"),
                target=35,
            ),
        ),
        compare=agree_on_plain_texts,
    ),
    "accuracy_recall": Case(
        "Answers",
        '`accuracy`, `match="recall"`, answers of 20 to 60 words, two references',
        sizes=(1_000, 10_000),
        inputs=long_answers,
        ours=Side("accuracy", computed("accuracy", "correct", match="recall")),
        peers=(Side("a loop of SQuAD's F1", peers.squad_loop, target=1 / 3),),
    ),
    "answer_exact_match": Case(
        "Answers",
        "`answer_exact_match`, lists",
        sizes=(1_000_000,),
        ours=Side("answer_exact_match", computed("answer_exact_match", "individual_scores")),
        peers=(
            Side(HF, peers.hf_exact_match),
            Side("Haystack, which checks no inputs", peers.haystack, needs=("haystack-ai==3.4.0",)),
        ),
        compare=agree_in_the_mean,
    ),
    "token_f1": Case(
        "Answers",
        "`token_f1`, lists",
        sizes=(100_000,),
        ours=Side("token_f1", computed("token_f1", "f1")),
        peers=(Side("a loop of SQuAD's F1", peers.squad_loop),),
        compare=agree,
    ),
    "score_batch": Case(
        "Batches",
        f"`score_batch` of Arrow batches of {BATCH:,}, and `aggregate`",
        unit="rows",
        sizes=(1_000_000,),
        ours=Side("Arrow in and out", looped(as_lists=False)),
        peers=(Side("the same, lists in and out", looped(as_lists=True)),),
        compare=agree,
    ),
    "score_batch_ray": Case(
        "Batches",
        f"Ray Data's `map_batches(score_batch)` and `aggregate`, 2 cores, batches of {BATCH:,}",
        unit="rows",
        sizes=(1_000_000,),
        ours=Side("accuracy", on_ray, needs=RAY),
        peers=(Side("a function that returns the batch", peers.ray_identity, needs=RAY, target=0.4),),
    ),
    "retrieval_chunks": retrieval_case("ROUGE_CHUNK_MATCH", 1000, 500),
    "retrieval_sentences": retrieval_case("ROUGE_SENTENCE_MATCH", 200),
    "ranked_retrieval": Case(
        "Retrieval",
        "`ranked_retrieval`, 100 ids x 5 ground truths",
        unit="queries",
        sizes=(10_000,),
        smoke=5,
        inputs=rankings,
        ours=Side("ranked_retrieval", ranked),
        peers=(Side("ranx", peers.ranx, needs=("ranx==0.3.21",)),),
        compare=agree,
    ),
    "l3score_judging": judging_case(
        f"`l3score`, calls of 150 ms, {IN_FLIGHT} in flight",
        sizes=(1000,),
        ours=Side("l3score", judged(IN_FLIGHT)),
        peers=(
            Side("the least possible time", bound=lambda size: math.ceil(size / IN_FLIGHT) * DELAY, target=1 / 1.4),
            Side("200 a second", bound=lambda size: size / 200, target=1),
            Side("a loop over `AsyncOpenAI`", asked_in_a_loop, target=0.95),
        ),
        compare=agree,
    ),
    "l3score_256": in_flight_case(256),
    "l3score_1000": in_flight_case(1000),
    "l3score_stored": judging_case(
        "`l3score`, all judgments stored",
        sizes=(10_000, 100_000),
        smoke=50,
        ours=Side("l3score", stored_judgments),
        peers=(Side("30,000 a second", bound=lambda size: size / 30_000, target=1),),
    ),
    "accuracy_start": Case(
        "Start and memory",
        "`accuracy`, start of Python to first result",
        unit="pair",
        sizes=(1,),
        smoke=1,
        ours=Side("accuracy", started(FIRST_RESULT)),
        peers=(Side("`import evaluate` alone", started("import evaluate"), target=1 / 1.15),),
        runs=10,
    ),
    "accuracy_memory": Case(
        "Start and memory",
        "`accuracy`, peak of the process, lists included",
        sizes=(1_000_000,),
        ours=Side("accuracy", computed("accuracy", "accuracy")),
        peers=(Side(HF, peers.hf_exact_match, target=1),),
        measure="memory",
        compare=agree_at_least,
    ),
    "accuracy_extra_memory": Case(
        "Start and memory",
        "`accuracy`, peak above the input, Arrow arrays, no details",
        sizes=(1_000_000,),
        ours=Side("accuracy", computed("accuracy", "accuracy", "arrow", return_details=False)),
        peers=(Side("64 MiB", bound=lambda _size: 64 * MIB, target=1),),
        measure="extra memory",
    ),
    "l3score_stored_memory": Case(
        "Start and memory",
        "`l3score`, all judgments stored, peak of the process",
        unit="judgments",
        sizes=(100_000,),
        smoke=50,
        inputs=triplets,
        ours=Side("l3score", stored_judgments),
        peers=(Side("300 MiB", bound=lambda _size: 300 * MIB, target=1),),
        measure="memory",
    ),
}
