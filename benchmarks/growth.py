"""How time grows in steps of ten, measured by `python -m benchmarks.growth`: a factor of 10 per step is linear.

CPU time is the minimum of several runs. The target is a factor of at most 15 from a tenth of the size; quadratic time
would be 100. Factors below 10 reflect the fixed cost of a call. Only ROUGE-L and fuzzy matching are not linear in the
length of a pair of texts: m and n words (or characters) take m n / 64 steps, and more with partial_ratio and WRatio.
"""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.cases import Carrier, computed, load, ranked, stored_judgments
from benchmarks.inputs import ROOT, answers, rankings, triplets
from benchmarks.report import show_seconds, table, where
from benchmarks.run import machine

RUNS, LONGEST = 5, 4.0
"""Maximum number of runs of a function, and seconds of one after which no further run starts."""
TARGET = 15.0
STEPS = 3


# Texts that made parts of accuracy quadratic, or could: boxes that do not close, names and marks that repeat.
_TO_EXTRACT = ("**5** ", "\\boxed{", "{", "}", "the answer is ", "*", "1,", "1", "-", "(A", "#", " ", "\\", "is A")
_TO_FIND = ("a", "a ", "1.", "-5", "京", "a+", "+", "²")
_TO_GRADE = ("one hundred and ", "1-", "$x$ ", "a, ", "- a\n", "$$ ", "answer: ", "[answer] ", "finish[a ", "\\boxed{")
_TO_RECALL = (
    *("a ", "Ab ", "1 ", "May 5 2019 ", "not ", "IV ", "x-", "東", "a\u0301", '"', "(a ", "5 km ", "one "),
    *("20s 30s 40s ", "Ab of Xyz of ", "Ab Xyz ", "(5) Ab ", '"Zed" ', "of ", "6 miles ", "- "),
)


@dataclass(frozen=True)
class Growth:
    """One line of the table: what grows, the smallest size, and the function to run."""

    what: str
    smallest: int
    prepare: Callable[[int], Callable[[], Any]]


def _rows(name: str, carrier: Carrier = "lists", **options: Any) -> Callable[[int], Callable[[], Any]]:
    return lambda size: computed(name, None, carrier, **options)(answers(size))


def _references(size: int) -> Callable[[], Any]:
    metric = load("accuracy")
    pairs = answers(size)
    return lambda: metric.compute(predictions=["x"] * 10, references=[pairs["references"]] * 10)


def _long_texts(unit: str, reference: str = "", **options: Any) -> Callable[[int], Callable[[], Any]]:
    metric = load("accuracy")

    def prepare(size: int) -> Callable[[], Any]:
        text = unit * (size // len(unit))
        return lambda: metric.compute(predictions=[text], references=[reference or "a" + text[:-1]], **options)

    return prepare


def _hard_texts(units: Sequence[str], **options: Any) -> Callable[[int], Callable[[], Any]]:
    """Match texts of repeated pieces with the same ones in another order: few agree."""
    metric = load("accuracy")

    def prepare(size: int) -> Callable[[], Any]:
        texts = [(unit * size)[:size] for unit in units]
        references = [f"b{text[: size // 2]}z" for text in texts[1:] + texts[:1]]
        pairs = {"predictions": texts * 2, "references": references + [f"{text}z" for text in texts]}
        return lambda: metric.compute(**pairs, **options)

    return prepare


def _chunks(strategy: str) -> Callable[[int], Callable[[], Any]]:
    return lambda size: _retrieve([f"{text}. It is so." for text in answers(size)["references"]], strategy)


def _sentences(unit: str) -> Callable[[int], Callable[[], Any]]:
    return lambda size: _retrieve([unit * (size // len(unit))], "EXACT_SENTENCE_MATCH")


def _retrieve(chunks: list[str], strategy: str) -> Callable[[], Any]:
    metric = load("precision_recall_f1")
    return lambda: metric.compute(predictions=[chunks], references=[chunks[:2]], matching_strategy=strategy)


def lines() -> list[Growth]:
    """Return the lines of the table."""
    return [
        Growth("accuracy, rows of lists", 10_000, _rows("accuracy")),
        Growth("accuracy, rows of Arrow columns", 10_000, _rows("accuracy", "arrow")),
        Growth("accuracy, rows, fuzzy_match", 1_000, _rows("accuracy", fuzzy_match=True)),
        Growth('accuracy, rows, match="contains"', 1_000, _rows("accuracy", match="contains")),
        Growth('accuracy, rows, match="recall"', 1_000, _rows("accuracy", match="recall")),
        Growth("accuracy, references per row", 100, _references),
        Growth("accuracy, characters of words", 10_000, _long_texts("The answer, of 1994, is 1,000.5 km. ")),
        Growth("accuracy, characters of numbers and marks", 10_000, _long_texts("1,000-.5a+²\xa8…\u0301#\uff0c")),
        Growth("accuracy, characters of combining marks", 10_000, _long_texts("\u0327\u0301")),
        Growth('accuracy, characters, match="contains"', 10_000, _long_texts("a b ", match="contains")),
        Growth('accuracy, characters, match="recall"', 10_000, _long_texts("one word, ", "two words", match="recall")),
        *(
            Growth(
                f'accuracy, characters of hard texts, extract="{name}"', 1_000, _hard_texts(_TO_EXTRACT, extract=name)
            )
            for name in ("boxed", "answer_line", "last_number", "choice")
        ),
        *(
            Growth(f"accuracy, characters of hard texts, {option}", 1_000, _hard_texts(_TO_GRADE, **option))
            for option in ({"preset": "free_form"}, {"preset": "number"}, {"abstention": "any"})
        ),
        Growth('accuracy, characters of hard texts, match="contains"', 1_000, _hard_texts(_TO_FIND, match="contains")),
        Growth('accuracy, characters of hard texts, match="recall"', 1_000, _hard_texts(_TO_RECALL, match="recall")),
        Growth("answer_exact_match, rows", 10_000, _rows("answer_exact_match")),
        Growth("token_f1, rows", 1_000, _rows("token_f1")),
        Growth("ranked_retrieval, queries of ids", 100, lambda size: ranked(rankings(size))),
        Growth("l3score, stored judgments", 1_000, lambda size: stored_judgments(triplets(size))),
        Growth("precision_recall_f1, chunks, ROUGE", 100, _chunks("ROUGE_CHUNK_MATCH")),
        Growth("precision_recall_f1, chunks, exact sentences", 100, _chunks("EXACT_SENTENCE_MATCH")),
        Growth("sentences, characters of ordinary text", 10_000, _sentences("It rains here, he said. ")),
        Growth("sentences, characters of unbalanced quotes", 10_000, _sentences("„a » ")),
    ]


def measure(line: Growth) -> list[float]:
    """Return the minimum CPU seconds at each size, after a warm-up run."""
    line.prepare(line.smallest)()
    return minimum_seconds([line.prepare(line.smallest * 10**step) for step in range(STEPS)])


def minimum_seconds(runs: Sequence[Callable[[], Any]]) -> list[float]:
    """Return the minimum CPU seconds of each function; they alternate, as machines change their speed."""
    seconds: list[list[float]] = [[] for _ in runs]
    gc.collect()
    gc.freeze()  # keeps the garbage collector from scanning all imported modules in every run
    while len(seconds[0]) < RUNS and max(map(sum, seconds)) < LONGEST:
        for run, taken in zip(runs, seconds, strict=True):
            start = time.process_time()
            run()
            taken.append(time.process_time() - start)
    return list(map(min, seconds))


def main() -> None:
    """Measure, and write the table."""
    from evaluate.utils.logging import disable_progress_bar

    disable_progress_bar()
    rows, met = [], 0
    for line in lines():
        seconds = measure(line)
        factor = seconds[-1] / seconds[-2]
        met += factor <= TARGET
        rows.append([line.what, f"{line.smallest * 10 ** (STEPS - 1):,}", show_seconds(seconds[-1]), f"{factor:.3g}"])
        print(*rows[-1], sep="; ", flush=True)
    headings = ["what grows", "size", "CPU time", "factor"]
    result = f"{met} of {len(rows)} lines meet the target. {where(machine())}"
    parts = ["# Growth", "", (__doc__ or "").strip(), "", result, "", *table(headings, rows), ""]
    (ROOT / "benchmarks" / "results" / "growth.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
