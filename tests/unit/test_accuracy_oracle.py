"""Accuracy compared with plain loops, similarities with exact fractions and with RapidFuzz; phrases in answers."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, get_args

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from answer_metrics.matching import pipeline
from answer_metrics.matching.pipeline import Matching, Scorer, contains_phrase, match_answers, pairwise_similarities
from answer_metrics.text import reference
from tests import oracles

THRESHOLDS = [0.1, 0.15, 0.3, 1 / 3, 0.35, 0.55, 0.6, 0.65, 2 / 3, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.96, 0.99, 1.0]


def plain_form(text: str, options: dict[str, Any]) -> str:
    if options["normalize_text"]:
        return reference.normalize(text, case_sensitive=options["case_sensitive"])
    return text.strip() if options["case_sensitive"] else text.strip().casefold()


def plain_accuracy(predictions: list[str], references: list[list[str]], options: dict[str, Any]) -> dict[str, Any]:
    threshold = options["fuzzy_threshold"]
    types, similarities = [], []
    for prediction, several in zip(predictions, references, strict=True):
        form = plain_form(prediction, options)
        forms = [plain_form(reference, options) for reference in several]
        best = max(oracles.ratio(form, other) for other in forms)
        similar = options["fuzzy_match"] and best >= Fraction(repr(threshold))
        types.append("exact" if form in forms else "fuzzy" if similar else "none")
        similarities.append(float(best))
    scores = [{"exact": 1.0, "fuzzy": threshold, "none": 0.0}[kind] for kind in types]
    details = {"match_types": types, "individual_scores": scores}
    return {**details, "similarities": similarities} if options["fuzzy_match"] else details


FUZZY = {"case_sensitive": False, "normalize_text": True, "fuzzy_match": True, "fuzzy_threshold": 0.8}
answers = st.text("aAb.- 5é\u0301", max_size=6)


@pytest.mark.filterwarnings("ignore:.*empty although:UserWarning")
@given(
    rows=st.lists(st.tuples(answers, st.lists(answers, min_size=1, max_size=3)), min_size=1, max_size=8),
    options=st.fixed_dictionaries(
        dict.fromkeys(("case_sensitive", "normalize_text", "fuzzy_match"), st.booleans())
        | {"fuzzy_threshold": st.sampled_from([0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0])}
    ),
    copies=st.sampled_from([1, 1, 1, 1, 400]),  # long columns are compared on Arrow buffers
)
@example(rows=[("a", ["A", "b"]), ("b", ["a", "B."]), ("ab", ["a", "abb"])], options=FUZZY, copies=400)
@example(rows=[("a", ["A"]), ("b", ["a"]), ("ab", ["abb"])], options=FUZZY, copies=400)
def test_accuracy_equals_plain_loops(
    metric: Callable[[str], Any], rows: list[tuple[str, list[str]]], options: dict[str, Any], copies: int
) -> None:
    predictions, references = [row[0] for row in rows], [row[1] for row in rows]
    expected = plain_accuracy(predictions, references, options)
    variants: list[list[Any]] = [references]
    if all(len(several) == 1 for several in references):
        variants.append([several[0] for several in references])
    for variant in variants:
        result = metric("accuracy").compute(predictions=predictions * copies, references=variant * copies, **options)
        assert {name: result[name] for name in expected} == {name: column * copies for name, column in expected.items()}


def match(pairs: list[tuple[str, str]], scorer: Scorer, threshold: float) -> tuple[list[str], list[float]]:
    rules = Matching(fuzzy_match=True, fuzzy_scorer=scorer, fuzzy_threshold=threshold)
    matches = match_answers([first for first, _ in pairs], [second for _, second in pairs], rules=rules)
    return matches.types, matches.similarities.tolist()


def meant(threshold: float) -> Fraction:
    """Return the number that a user means by a threshold: 0.8 is 8/10, 0.3333333333333333 is 1/3."""
    return Fraction(threshold).limit_denominator(1000)


@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("scorer", ["ratio", "token_sort_ratio"])
def test_ratio_equal_to_the_threshold_is_a_match(scorer: Scorer, threshold: float) -> None:
    """All lengths up to 100, with numbers of common letters around the threshold; RapidFuzz's own cutoff loses ties."""
    cases, pairs = [], []
    for length in range(2, 101):
        short = length // 2
        border = math.floor(meant(threshold) * length / 2)
        for common in range(max(0, border - 1), min(short, border + 2) + 1):
            cases.append((common, length))
            pairs.append(("a" * common + "b" * (short - common), "a" * common + "c" * (length - short - common)))
    for case, pair, kind, value in zip(cases, pairs, *match(pairs, scorer, threshold), strict=True):
        share = Fraction(2 * case[0], case[1])
        assert value == float(share) or kind == "exact"
        assert kind == ("exact" if pair[0] == pair[1] else "fuzzy" if share >= meant(threshold) else "none"), case


@pytest.mark.parametrize("threshold", THRESHOLDS[:-1:2])
def test_partial_ratio_equal_to_the_threshold_is_a_match(threshold: float) -> None:
    """The best-matching part of the second text is its run of a's."""
    cases = list(itertools.product(range(1, 40), repeat=2))
    pairs = [("a" * common + "b" * rest, "a" * common + "c" * rest) for common, rest in cases]
    for (common, rest), kind in zip(cases, match(pairs, "partial_ratio", threshold)[0], strict=True):
        expected = Fraction(2 * common, 2 * common + rest) >= meant(threshold)
        assert kind == ("fuzzy" if expected else "none"), (common, rest)


words = st.text("ab c", max_size=12)


@pytest.mark.parametrize("scorer", get_args(Scorer))
@given(st.one_of(words, st.text(max_size=12)), st.one_of(words, st.text(max_size=12)))
def test_scorers_equal_rapidfuzz(scorer: Scorer, first: str, second: str) -> None:
    (value,) = pairwise_similarities([first], [second], scorer)
    assert value == pytest.approx(getattr(fuzz, scorer)(first, second) / 100, abs=1e-12)
    assert 0.0 <= value <= 1.0


@pytest.mark.parametrize(
    "options",
    [
        {"fuzzy_match": True},
        {"match": "recall", "extract": "auto", "numbers": "value"},
        {"match": "contains", "normalizer": str.lower, "abstention": "en"},
    ],
)
def test_blocks_of_rows_change_nothing(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    predictions = ["Paris", "in Paris.", "Pariss", "3.00", "Answer: 3", "I don't know", "Rome", "$3"]
    references = [["paris"], ["Paris", "x"], ["Paris"], ["3"], ["3"], ["y"], ["Oslo"], ["€3"]]
    columns: list[Any] = [(predictions, references), (pa.array(predictions), pa.array(references))]
    for texts, several in columns if options == {"fuzzy_match": True} else columns[:1]:
        whole = match_answers(texts, several, rules=Matching(**options))
        monkeypatch.setattr(pipeline, "_BLOCK_ROWS", 3)
        parts = match_answers(texts, several, rules=Matching(**options))
        monkeypatch.undo()
        assert (parts.types, parts.extracted) == (whole.types, whole.extracted)
        assert parts.similarities.tolist() == whole.similarities.tolist()
        assert parts.recalls.tolist() == whole.recalls.tolist()


@given(st.text("ab ", max_size=12), st.text("ab ", max_size=60))
def test_search_equals_testing_every_position(reference: str, prediction: str) -> None:
    expected = bool(reference) and any(
        prediction.startswith(reference, start)
        and (start == 0 or prediction[start - 1] == " ")
        and prediction[start + len(reference) : start + len(reference) + 1] in {"", " "}
        for start in range(len(prediction))
    )
    assert contains_phrase(reference, prediction) is expected


# A letter directly after it; a mark by itself, where texts are not normalized; an empty reference. In scripts without
# spaces any part may be a word, also where an earlier place is none; but a vowel sign belongs to its letter.
PHRASES = [
    ("5", "5km", False), ("+", "a + b", True), ("", "paris", False), ("京", "東京", True), ("京", "x京abc", True),
    ("京", "c+京京", True), ("5", "5年", True), ("ก", "กิน", False),
    ("京都京京都京都都", "c+京都京京都京都都 " * 9 + "c+京都京京都京都京京都京都都", True),
]  # fmt: skip


def test_text_contains_its_own_phrases() -> None:
    assert [(*pair, contains_phrase(*pair)) for *pair, _ in PHRASES] == PHRASES
