"""Measure the model of `answer_metrics/matching/assertion.py` on pairs it was not fitted to, or fit it again.

    python -m benchmarks.assertion
    python -m benchmarks.assertion path/to/evouna-nq.json

`assertion_pairs.parquet` has pairs of answers that language models wrote for this: the `wrong` one names the right
candidate without giving it, the `right` one gives it. Most are templates, with {r} for the candidate and {d}, {e} and
{f} for others; "prose" has answers to real questions. The splits "train" and "train prose" fit the weights, and "case"
has kinds that must hold. "validation" decided between variants of the model, and "test" was written afterward; each is
by other writers, who had not seen the code.

Fitting needs scikit-learn and natural answers (see `benchmarks/agreement.py`). Right answers to half of the questions
are examples of assertions, so that the model rejects few of them; how many of the other half it rejects is printed.
"""

import random
import re
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import evaluate
import numpy as np
import pyarrow.parquet as pq

from answer_metrics.matching import assertion, assertion_weights
from answer_metrics.matching.recall import recall
from answer_metrics.matching.words import Text
from benchmarks.agreement import read_answers

PAIRS = Path(__file__).with_name("assertion_pairs.parquet")
POOLS = [
    "Johnny Depp; Universal Pictures; Robert Duvall; Lana Del Rey; Marie Curie; Hanno the Great; Thomas Hardy; Apple",
    "Paris; Oslo; Air Canada Centre; Rock Island; Woodward; New Zealand; Lake Victoria; Constantinople",
    "The Emotions; Six Degrees of Separation; Carolina Panthers; Sacramento Kings; Jurassic Park; Treaty of Ghent",
    "cadmium; wildfires; estrogen; the vascular cambium; a breaded chicken patty; alternation of generations; seven",
    "July 14, 2017; 8 September 2010; 1912; February 15, 1985; 1939; May 2001; 2007; 31 March 1909",
    "12; 45; 300; 7; 2.5; 1,200; 86; 19",
]
"""What fills the templates: people, places, works, common words, dates, numbers."""
FILLS, MIXED, STRENGTH = 4, 0.15, 0.25
"""How many times each template is filled, how often with candidates of different kinds, and scikit-learn's C."""
LEAST_KINDS = 4
"""A word or feature counts if it is in templates of so many kinds, or in so many natural answers."""
EMPHASIS = {
    "train": 1.0,
    "train prose": 2.0,
    "case": 30.0,
    "natural": 8.0,
    "natural without question": 25.0,
}


class Example(NamedTuple):
    """An answer, where its candidate is, and whether it asserts it."""

    source: str
    kind: str
    is_right: bool
    text: str
    hits: list[tuple[int, int]]
    asked: frozenset[str]
    own: frozenset[str]
    question: str = ""
    references: Sequence[str] = ()

    def symbols(self) -> list[str]:
        """Return the answer as the model reads it."""
        return assertion.read_symbols(self.text, self.hits, self.asked, self.own)


def written(*splits: str) -> Iterator[tuple[dict[str, Any], bool, str]]:
    """Yield the row, the side and the text of each answer or template."""
    for row in pq.read_table(PAIRS).to_pylist():
        for side in ("wrong", "right"):
            if row["split"] in splits and row[side]:
                yield row, side == "right", row[side]


def examples(*splits: str) -> Iterator[Example]:
    """Yield the answers to questions as they are, and the templates, each filled a few times."""
    rng = random.Random(3)
    for row, is_right, template in written(*splits):
        source, kind = row["split"], row["kind"]
        if row["question"]:
            yield from_answer(source, kind, is_right, template, row["question"], row["references"])
            continue
        for fill in range(FILLS):
            pools = rng.choices(POOLS, [3, 2, 2, 2, 1, 1], k=4)
            if rng.random() > MIXED:
                pools = pools[:1] * 4
            names: dict[str, str] = {}
            for role, pool in zip("rdef", pools, strict=True):
                names[role] = rng.choice([name for name in pool.split("; ") if name not in names.values()])
            text, hits = "", []
            for part in re.split(r"\{([rdef])\}", template if fill else template.removesuffix(".")):
                if part == "r":
                    hits += [(len(text) + word.start(), len(text) + word.end()) for word in _words(names["r"])]
                text += names.get(part, part)
            own = frozenset(word.group().lower() for word in _words(names["r"]))
            yield Example(source, kind, is_right, text, hits, frozenset(), own, references=[names["r"]])


def _words(text: str) -> Iterator[re.Match[str]]:
    return re.finditer(r"[^\W_]+(?:['\u2019][^\W_]+)*", text)


def from_answer(source: str, kind: str, is_right: bool, text: str, question: str, references: Sequence[str]) -> Example:
    """Return an answer, with its candidate where the model would look at it."""
    own = Text(" ".join(references), english=True).words
    asked, words = (Text(each, english=True).words for each in (question, text))
    decisions = (recall(reference, text, question=question) for reference in references)
    decision = next((each for each in decisions if each.right and each.evidence), None)
    is_talk = decision is not None and assertion.may_be_talk(text, words, asked, own)
    hits = list(decision.evidence) if decision and is_talk else []
    return Example(source, kind, is_right, text, hits, asked, own, question, references)


def natural(path: Path, *, is_fitted: bool) -> Iterator[Example]:
    """Yield the right answers to half of the questions, with and without their questions."""
    for answer in read_answers(path):
        if answer.right and sha256(answer.question.encode()).digest()[0] % 2 != is_fitted:
            for source, question in (("natural", answer.question), ("natural without question", "")):
                yield from_answer(source, answer.text, True, answer.text, question, answer.references)


def is_judged(row: Example) -> bool:
    """Return whether the model looks at an answer."""
    return bool(row.hits) and not assertion.is_about_subject(row.symbols())


def choose_words() -> frozenset[str]:
    """Return the beginnings of the words that are in templates of enough kinds, without names."""
    kinds, common = defaultdict(set), set()
    for row, _, template in written("train", "case"):
        for match in _words(re.sub(r"\{[rdef]\}", " ", template)):
            word = match.group().lower().replace("\u2019", "'")
            beginning = "not" if word.endswith("n't") else word[: assertion.PREFIX]
            kinds[beginning].add(row["kind"])
            if match.group().islower():
                common.add(beginning)
    return frozenset(beginning for beginning in common if len(kinds[beginning]) >= LEAST_KINDS)


def fit(rows: list[Example]) -> dict[str, float]:
    """Fit a logistic regression with few weights, by L1 regularization."""
    from sklearn.feature_extraction import DictVectorizer  # type: ignore[import-not-found]
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-not-found]

    values = [assertion.features(row.symbols()) for row in rows]
    kinds = defaultdict(set)
    for features, row in zip(values, rows, strict=True):
        for name in features:
            kinds[name].add(row.kind)
    values = [{name: features[name] for name in features if len(kinds[name]) >= LEAST_KINDS} for features in values]
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform(values)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    model = LogisticRegression(C=STRENGTH, l1_ratio=1.0, solver="liblinear", fit_intercept=False, max_iter=800)
    emphasis = [EMPHASIS[row.source] for row in rows]
    model.fit(matrix, [row.is_right for row in rows], sample_weight=emphasis)
    weights = zip(vectorizer.get_feature_names_out(), map(float, model.coef_[0]), strict=True)
    return {name: round(weight, 1) for name, weight in weights if round(weight, 1)}


def write(known: Iterable[str], weights: dict[str, float]) -> None:
    """Write the module of the weights: each feature with its weight in tenths."""
    by_region = defaultdict(list)
    for name, weight in sorted(weights.items()):
        region, colon, symbol = name.partition(":") if ":" in name else ("", "", name)
        by_region[region + colon].append(f"{symbol}{round(10 * weight):+d}".replace("\n", "\\n").replace(" ", "_"))
    lines = ['"""The weights of `assertion.py`, in tenths, by region; written by `benchmarks/assertion.py`."""', ""]
    lines += ["KNOWN = frozenset(", *_wrapped('r"""', sorted(known), '""".split()'), ")", "REGIONS = {"]
    for region, symbols in by_region.items():
        lines += _wrapped(f'"{region}": r"""', symbols, '""",')
    Path(assertion_weights.__file__).write_text("\n".join([*lines, "}", ""]), encoding="utf-8")


def _wrapped(opening: str, words: list[str], closing: str) -> list[str]:
    """Return a string of words as lines of code."""
    text = f"{opening}{' '.join(words)}{closing}"
    lines = textwrap.wrap(text, 114, break_long_words=False, break_on_hyphens=False)
    return [f"    {line}" for line in lines]


def shares(decisions: Iterable[tuple[Example, bool]]) -> str:
    """Return the mean share over kinds that is accepted of wrong and of right examples."""
    accepted: dict[tuple[bool, str], list[bool]] = defaultdict(list)
    for row, decision in decisions:
        accepted[row.is_right, row.kind].append(decision)
    means = [np.mean([np.mean(of) for (side, _), of in accepted.items() if side == right]) for right in (False, True)]
    return " | ".join(f"{mean:.1%}" for mean in means)


def table() -> Iterator[str]:
    """Write which share of the answers of each split is accepted, as a mean over kinds, in Markdown."""
    yield from ("| split | kinds | accepted by | wrong | right |", "| --- | --- | --- | --- | --- |")
    metric = evaluate.load("./metrics/accuracy")
    for split in ("case", "validation", "validation prose", "test", "test prose"):
        rows = [*examples(split)]
        columns: dict[str, Any] = {
            "predictions": [row.text for row in rows],
            "references": [[*row.references] for row in rows],
            "questions": [row.question for row in rows],
        }
        matchers = {f"`{preset}`": metric.compute(**columns, preset=preset) for preset in ("free_form", "strict")}
        decisions = {name: [score > 0 for score in of["individual_scores"]] for name, of in matchers.items()}
        if not columns["questions"][0]:
            decisions["the model alone"] = [assertion.score(row.symbols()) > assertion.LEAST_SCORE for row in rows]
        for name, of_rows in decisions.items():
            kinds = len({row.kind for row in rows})
            yield f"| {split} | {kinds:,} | {name} | {shares(zip(rows, of_rows, strict=True))} |"


def main(arguments: list[str]) -> int:
    """Print the tables, after fitting the weights if there are natural answers."""
    if arguments:
        path = Path(arguments[0])
        known = choose_words()
        vars(assertion)["KNOWN"] = known  # symbols depend on the words, and the features on the symbols
        rows = [*examples("train", "train prose", "case"), *natural(path, is_fitted=True)]
        rows = [row for row in rows if is_judged(row)]
        assertion.WEIGHTS = weights = fit(rows)
        write(known, weights)
        others = [*natural(path, is_fitted=False)]
        judged = [row.symbols() for row in others if is_judged(row)]
        rejected = sum(assertion.score(symbols) <= assertion.LEAST_SCORE for symbols in judged)
        print(f"{len(rows):,} examples, {len(known):,} words, {len(weights):,} weights; of {len(others):,} right")
        print(f"natural answers to other questions, {len(judged):,} are judged and {rejected:,} rejected\n")
    print(*table(), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
