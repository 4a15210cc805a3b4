"""Time `precision_recall_f1` side by side with continuous-eval, and with Google's rouge-score in the same loops.

The peers get an environment of their own under .venvs/. They need seconds for one query, so they score the first few of
the queries only, and medians per query are compared. Two sizes show that the cost grows with the number of queries, and
with nothing else.
"""

import json
import random
import statistics
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Any
from typing import NamedTuple

import evaluate

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / ".venvs" / "retrieval-peers"
PACKAGES = ("continuous-eval==0.3.14.post2", "rouge-score==0.1.2")

CHUNKS = 10
GROUND_TRUTHS = 5
TOKENS = 560
TOKENS_PER_SENTENCE = 22
VOCABULARY = 5000

Query = tuple[list[str], list[str]]


class Row(NamedTuple):
    """One comparison: seconds per query on both sides, at two sizes."""

    strategy: str
    peer: str
    sizes: tuple[int, int]
    ours: tuple[float, float]
    peer_sizes: tuple[int, int]
    theirs: tuple[float, float]
    same_decisions: str


def make_queries(count: int, seed: int = 0) -> list[Query]:
    """Make queries of random words, common ones as frequent as in natural text; some ground truths were retrieved."""
    rng = random.Random(seed)  # noqa: S311  # texts need no secrecy
    words = [f"w{rank}" for rank in range(1, VOCABULARY + 1)]
    weights = [1 / rank for rank in range(1, VOCABULARY + 1)]

    def chunk() -> str:
        drawn = rng.choices(words, weights, k=TOKENS)
        starts = range(0, TOKENS, TOKENS_PER_SENTENCE)
        return " ".join(" ".join(drawn[i : i + TOKENS_PER_SENTENCE]).capitalize() + "." for i in starts)

    def altered(text: str) -> str:
        return " ".join(
            rng.choice(words) if rng.random() < rng.choice([0.1, 0.2]) else word for word in text.split(" ")
        )

    queries = []
    for _ in range(count):
        truths = [chunk() for _ in range(GROUND_TRUTHS)]
        retrieved = [chunk() for _ in range(CHUNKS - 3)] + [altered(text) for text in truths[:3]]
        queries.append((retrieved, truths))
    return queries


def prepare_peers() -> None:
    """Install the peers once."""
    if not (PEERS / ".ready").exists():
        venv.create(PEERS, with_pip=True)
        subprocess.run([PEERS / "bin" / "pip", "install", "-q", *PACKAGES], check=True)  # noqa: S603  # what stands above
        (PEERS / ".ready").touch()


def run_peer(peer: str, queries: list[Query], *, by_sentence: bool) -> Any:
    """Score queries with a peer; return its seconds and its scores."""
    task = json.dumps({"peer": peer, "by_sentence": by_sentence, "queries": queries})
    done = subprocess.run(  # noqa: S603  # a script of this directory
        [PEERS / "bin" / "python", Path(__file__).with_name("retrieval_peers.py")],
        input=task, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def sentences(chunk: str) -> list[str]:
    """Split the sample's texts as the peers do, so that decisions can be compared."""
    return [sentence.rstrip(".") + "." for sentence in chunk.split(". ")]


def score(metric: Any, queries: list[Query], **options: Any) -> Any:
    """Compute the metric of all queries."""
    retrieved, ground_truths = [list(side) for side in zip(*queries, strict=True)]
    return metric.compute(predictions=retrieved, references=ground_truths, **options)


def seconds(metric: Any, count: int) -> float:
    """Time five computations and return the median; each has texts of its own, since nupunkt remembers what it saw."""
    times = []
    for seed in range(1, 6):
        queries = make_queries(count, seed)
        started = time.perf_counter()
        score(metric, queries)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def compare(strategy: str, peer: str, *, sizes: tuple[int, int], peer_sizes: tuple[int, int]) -> Row:
    """Time both sides at two sizes, one after the other."""
    by_sentence = "SENTENCE" in strategy
    metric = evaluate.load(str(ROOT / "metrics" / "precision_recall_f1"), matching_strategy=strategy)
    queries = make_queries(max(peer_sizes))
    score(metric, queries)  # what is read from disk once
    ours, theirs = [], []
    scored: Any = None
    for size, peer_size in zip(sizes, peer_sizes, strict=True):
        ours.append(seconds(metric, size) / size)
        scored = run_peer(peer, queries[:peer_size], by_sentence=by_sentence)
        theirs.append(statistics.median(scored["seconds"]))
    result = score(metric, queries, return_details=True, sentence_splitter=sentences if by_sentence else None)
    own = zip(*(result[f"individual_{name}"] for name in ("precision", "recall", "f1")), strict=True)
    same = sum(list(mine) == other for mine, other in zip(own, scored["scores"], strict=True))
    return Row(
        strategy, peer, sizes, (ours[0], ours[1]), peer_sizes, (theirs[0], theirs[1]), f"{same} of {len(queries)}"
    )


def main() -> None:
    """Print one line per comparison."""
    prepare_peers()
    print("| strategy | peer | queries | ours, median per query | peer, the same | ratio | queries with equal scores |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for strategy, peer, peer_sizes in (
        ("ROUGE_CHUNK_MATCH", "continuous-eval", (3, 6)),
        ("ROUGE_CHUNK_MATCH", "rouge-score", (5, 10)),
        ("ROUGE_SENTENCE_MATCH", "continuous-eval", (3, 6)),
        ("ROUGE_SENTENCE_MATCH", "rouge-score", (3, 6)),
    ):
        row = compare(strategy, peer, sizes=(100, 200), peer_sizes=peer_sizes)
        for index in range(2):
            ours, theirs = row.ours[index], row.theirs[index]
            print(
                f"| {strategy} | {peer} | {row.sizes[index]} (peer {row.peer_sizes[index]}) | {ours * 1e3:.3g} ms "
                f"| {theirs * 1e3:.4g} ms | {theirs / ours:.0f}x | {row.same_decisions} |"
            )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
