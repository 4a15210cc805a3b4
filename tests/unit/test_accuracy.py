"""Accuracy: golden cases with reasons, ties decided in whole numbers, and plain loops as oracle."""

import math
import statistics
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from metrics.accuracy._answer_matching import Matching
from metrics.accuracy._answer_matching import match_answers
from metrics.accuracy._contains import contains_phrase
from metrics.accuracy._similarity import Scorer
from metrics.accuracy._similarity import pairwise_similarities
from tests import oracles

Load = Callable[[str], Any]
SCALARS = {"return_details": False, "return_confidence": False}
SCORERS: tuple[Scorer, ...] = get_args(Scorer)


@pytest.fixture
def accuracy(metric: Load) -> Any:
    return metric("accuracy")


# ---- what the seed documents


def test_first_example(accuracy: Any) -> None:
    result = accuracy.compute(predictions=["Paris", "London", "Tokyo"], references=["Paris", "London", "Berlin"])
    assert list(result) == [
        "accuracy",
        "exact_accuracy",
        "correct",
        "total",
        "mean_score",
        "std_score",
        "accuracy_confidence_interval",
        "individual_scores",
        "match_types",
    ]
    assert f"{result['accuracy']:.2%}" == "66.67%"
    assert (result["correct"], result["total"]) == (2, 3)
    assert result["accuracy"] == result["exact_accuracy"] == result["mean_score"] == 2 / 3
    assert result["std_score"] == pytest.approx(math.sqrt(2) / 3)
    assert result["accuracy_confidence_interval"] == pytest.approx((0.2077, 0.9385), abs=5e-5)
    assert result["individual_scores"] == [1.0, 1.0, 0.0]
    assert result["match_types"] == ["exact", "exact", "none"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 1.0),
        ({"normalize_text": True, "case_sensitive": True}, 0.5),
        ({"normalize_text": False, "case_sensitive": False}, 0.5),
        ({"normalize_text": False, "case_sensitive": True}, 0.5),
    ],
)
def test_four_modes(accuracy: Any, options: dict[str, bool], expected: float) -> None:
    result = accuracy.compute(predictions=["Paris!", "London"], references=["paris", "London"], **options)
    assert result["accuracy"] == expected


def test_modes_are_four(accuracy: Any) -> None:
    """One pair for each mode that only this mode and looser ones accept."""
    pairs = {"a": "a", "A": "a", "a!": "a", "A!": "a", " a ": "a"}
    types = {}
    for normalize_text in (True, False):
        for case_sensitive in (True, False):
            types[normalize_text, case_sensitive] = accuracy.compute(
                predictions=list(pairs),
                references=list(pairs.values()),
                normalize_text=normalize_text,
                case_sensitive=case_sensitive,
            )["individual_scores"]
    assert types == {
        (True, False): [1.0, 1.0, 1.0, 1.0, 1.0],
        (True, True): [1.0, 0.0, 1.0, 0.0, 1.0],
        (False, False): [1.0, 1.0, 0.0, 0.0, 1.0],
        (False, True): [1.0, 0.0, 0.0, 0.0, 1.0],
    }


@pytest.mark.parametrize(("scorer", "share"), [("token_set_ratio", 0.5), ("ratio", 0.0)])
@pytest.mark.parametrize("threshold", [0.8, 0.7])
def test_fuzzy_example(accuracy: Any, scorer: str, share: float, threshold: float) -> None:
    """The seed prints 50 %, the figure of token_set_ratio; a subset of words is no typo, so ratio is the default."""
    result = accuracy.compute(
        predictions=["The capital of France is Paris", "Who wrote 1984?"],
        references=["Paris, France", "George Orwell wrote 'Nineteen Eighty-Four'"],
        fuzzy_match=True,
        fuzzy_threshold=threshold,
        fuzzy_scorer=scorer,
    )
    assert result["fuzzy_accuracy"] == result["accuracy"] == share
    assert result["exact_accuracy"] == 0.0
    assert result["match_types"] == ["fuzzy" if share else "none", "none"]
    assert result["individual_scores"] == [threshold if share else 0.0, 0.0]


def test_first_version(accuracy: Any) -> None:
    """Case-sensitive and raw; its recipe for any case is the option."""
    predictions, references = ["Paris", "london", "Tokyo.", "Rome"], ["Paris", "London", "Tokyo", "Rome"]
    correct = sum(one == other for one, other in zip(predictions, references, strict=True))
    result = accuracy.compute(
        predictions=predictions, references=references, case_sensitive=True, normalize_text=False, **SCALARS
    )
    assert {key: result[key] for key in ("accuracy", "correct", "total")} == {
        "accuracy": correct / 4,
        "correct": correct,
        "total": 4,
    }
    lowered = [text.lower() for text in predictions], [text.lower() for text in references]
    correct = sum(one == other for one, other in zip(*lowered, strict=True))
    result = accuracy.compute(predictions=predictions, references=references, normalize_text=False)
    assert result["correct"] == correct == 3


def test_partial_matching_is_stricter_than_a_substring(accuracy: Any) -> None:
    predictions = ["It is Paris.", "The Parisian life", "in 1999", "LONDON, of course"]
    references = ["paris", "Paris", "99", "London"]
    result = accuracy.compute(predictions=predictions, references=references, match="contains")
    assert all(
        reference.lower() in prediction.lower() for prediction, reference in zip(predictions, references, strict=True)
    )
    assert result["match_types"] == ["contains", "none", "none", "contains"]
    assert result["individual_scores"] == [1.0, 0.0, 0.0, 1.0]
    assert (result["accuracy"], result["exact_accuracy"], result["correct"]) == (0.5, 0.5, 2)


# ---- keys


def test_keys_with_fuzzy_matching(accuracy: Any) -> None:
    data = {"predictions": ["Paris", "Lodnon", "x"], "references": ["Paris", "London", "Berlin"]}
    result = accuracy.compute(**data, fuzzy_match=True, return_signature=True)
    assert list(result) == [
        "accuracy",
        "exact_accuracy",
        "correct",
        "fuzzy_accuracy",
        "correct_fuzzy",
        "total",
        "mean_score",
        "std_score",
        "accuracy_confidence_interval",
        "individual_scores",
        "match_types",
        "similarities",
        "signature",
    ]
    assert (result["correct"], result["correct_fuzzy"], result["total"]) == (1, 2, 3)
    assert (result["accuracy"], result["fuzzy_accuracy"], result["exact_accuracy"]) == (2 / 3, 2 / 3, 1 / 3)
    assert result["individual_scores"] == [1.0, 0.8, 0.0]
    assert result["mean_score"] == pytest.approx(0.6)
    assert result["std_score"] == pytest.approx(statistics.pstdev([1.0, 0.8, 0.0]))
    assert result["similarities"] == [1.0, 10 / 12, 0.0]
    # The interval is that of the reported accuracy: 2 of 3.
    assert result["accuracy_confidence_interval"] == pytest.approx((0.2077, 0.9385), abs=5e-5)


def test_no_examples(accuracy: Any) -> None:
    with pytest.warns(UserWarning, match="accuracy got no examples"):
        result = accuracy.compute(predictions=[], references=[], fuzzy_match=True)
    assert result == {
        "accuracy": 0.0,
        "exact_accuracy": 0.0,
        "correct": 0,
        "fuzzy_accuracy": 0.0,
        "correct_fuzzy": 0,
        "total": 0,
        "mean_score": 0.0,
        "std_score": 0.0,
        "accuracy_confidence_interval": (0.0, 1.0),
        "individual_scores": [],
        "match_types": [],
        "similarities": [],
    }


def test_empty_answers(accuracy: Any) -> None:
    """Nothing equals nothing only."""
    result = accuracy.compute(
        predictions=["", "", " ", "a"], references=["", "a", "", ""], fuzzy_match=True, match="contains"
    )
    assert result["match_types"] == ["exact", "none", "exact", "none"]
    assert result["similarities"] == [1.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "bootstrap"])
@pytest.mark.parametrize("level", [0.5, 0.99])
def test_interval_options(accuracy: Any, method: str, level: float) -> None:
    data = {"predictions": ["a"] * 10, "references": ["a"] * 7 + ["b"] * 3}
    low, high = accuracy.compute(**data, confidence_method=method, confidence_level=level)[
        "accuracy_confidence_interval"
    ]
    assert low < 0.7 < high
    assert (high - low < 0.3) == (level == 0.5)


def test_bootstrap_seed_counts(accuracy: Any) -> None:
    data = {"predictions": ["a"] * 1000, "references": ["a"] * 700 + ["b"] * 300, "confidence_method": "bootstrap"}
    intervals = {accuracy.compute(**data, bootstrap_seed=seed)["accuracy_confidence_interval"] for seed in range(5)}
    assert len(intervals) > 1


# ---- several references


@pytest.mark.parametrize("position", [0, 1, 2])
def test_any_reference_counts(accuracy: Any, position: int) -> None:
    references = ["Rome", "Madrid"]
    for right, kind in (("Paris", "exact"), ("Pariss", "fuzzy"), ("Berlin", "none")):
        several = [*references[:position], right, *references[position:]]
        result = accuracy.compute(predictions=["paris"], references=[several], fuzzy_match=True)
        assert result["match_types"] == [kind]
        assert result["similarities"] == [max(float(oracles.ratio("paris", text.lower())) for text in several)]
    several = [*references[:position], "Paris", *references[position:]]
    assert accuracy.compute(predictions=["in paris"], references=[several], match="contains")["correct"] == 1


def test_one_reference_in_a_list_is_the_same(accuracy: Any) -> None:
    predictions, references = ["Paris!", "x", "Lodnon", "in Rome"], ["paris", "y", "London", "Rome"]
    options = {"fuzzy_match": True, "match": "contains"}
    assert accuracy.compute(predictions=predictions, references=references, **options) == accuracy.compute(
        predictions=predictions, references=[[text] for text in references], **options
    )


# ---- contains


@pytest.mark.parametrize(
    ("reference", "prediction", "expected", "reason"),
    [
        ("paris", "it is paris", True, "a whole word at the end"),
        ("paris", "paris it is", True, "at the start"),
        ("paris", "paris", True, "all of it"),
        ("new york", "in new york city", True, "a phrase"),
        ("paris", "parisian", False, "a longer word"),
        ("paris", "comparison", False, "inside of a word"),
        ("paris", "a parisian in paris", True, "the second place is a whole word"),
        ("", "anything", False, "nothing stands nowhere"),
        ("5", "3.5", False, "a part of a number"),
        ("3", "3.5", False, "the part before the point"),
        ("5", "-5", False, "the sign is part of the number"),
        ("5", ".5", False, "and so is the point"),
        ("-5", "about -5 degrees", True, "with its sign"),
        ("3.5", "it is 3.5", True, "all of the number"),
        ("25", "125", False, "the end of a longer number"),
        ("12", "125", False, "its start"),
        ("10:30", "at 10:30 sharp", True, "a mark inside"),
        ("c", "c++", False, "another language"),
        ("c", "c#", False, "another language"),
        ("c++", "i use c++ daily", True, "kept marks of its own"),
        ("c+", "c++", False, "a part of its marks"),
        ("5", "5 km", True, "a number and its unit"),
        ("5", "5km", False, "a letter directly after it"),
        ("cafe", "cafe\u0301s", False, "an accent belongs to its letter"),
        ("+", "a + b", True, "a mark by itself, where texts are not normalized"),
        ("+", "a+b", False, "the mark of a word"),
        ("👍", "i say 👍", True, "a symbol"),
        ("∞", "the limit is ∞.", True, "before a mark that goes"),
        ("", "paris", False, "an empty reference stands nowhere"),
        ("東京", "首都は東京です", True, "Japanese has no spaces"),
        ("京", "東京", True, "so any part may be a word"),
        ("京", "x京abc", True, "also between letters of other scripts"),
        ("京", "c+京京", True, "at the second place no mark of another word stands before it"),
        ("北京", "中国的首都是北京。", True, "Chinese neither"),
        ("5", "5年", True, "a number before an ideograph"),
        ("5", "15年", False, "but not a part of a number"),
        ("กรุงเทพ", "เมืองหลวงคือกรุงเทพมหานคร", True, "nor Thai"),
        ("กา", "กาแฟ", True, "so any part may be a word"),
        ("ก", "กิน", False, "but a vowel sign belongs to its letter"),
        ("서울", "수도는 서울 이다", True, "Korean has spaces"),
        ("서울", "서울은 수도", False, "a particle makes it another word: listed as a limitation"),
        ("paris", "在paris開會", True, "Latin letters between ideographs"),
    ],
)
def test_phrase_is_contained(reference: str, prediction: str, *, expected: bool, reason: str) -> None:
    assert contains_phrase(reference, prediction) == expected, reason


@pytest.mark.parametrize("normalize_text", [True, False])
@pytest.mark.parametrize(
    ("prediction", "reference", "kind"),
    [
        ("The answer is: Paris!", "Paris", "contains"),
        ("(Paris)", "Paris", None),  # exact once normalized
        ("Parisian", "Paris", "none"),
        ("pi is 3.14.", "3.14", "contains"),
        ("pi is 3.14", "14", "none"),
        ("pi is 3.14", "3", "none"),
        ("I like C++", "C", "none"),
        ("I like C++.", "C++", "contains"),
        ("C++, C# and C", "C#", "contains"),
        ("down to -5 degrees", "5", "none"),
        ("the sum (-5)", "-5", "contains"),
        ("答えは東京です", "東京", "contains"),
    ],
)
def test_contains(accuracy: Any, prediction: str, reference: str, kind: str | None, *, normalize_text: bool) -> None:
    result = accuracy.compute(
        predictions=[prediction], references=[reference], match="contains", normalize_text=normalize_text
    )
    assert result["match_types"] == [kind or ("exact" if normalize_text else "contains")]


@pytest.mark.parametrize("unit", ["a", "a ", "ab", "1.", "-5", "京", "a+"])
def test_contains_takes_linear_time(unit: str) -> None:
    """A search that begins anew at every place would take minutes; this takes a fraction of a second."""
    text = unit * 20_000
    start = time.process_time()
    assert not contains_phrase(unit.strip() * 50 + "z", text)
    contains_phrase(unit * 50, text)
    assert not contains_phrase("+", "c" + "+" * 20_000)  # a single name, all of whose marks stay
    assert time.process_time() - start < 5


def test_contains_with_fuzzy_matching(accuracy: Any) -> None:
    result = accuracy.compute(
        predictions=["in Paris", "Pariss", "Paris", "Oslo"],
        references=["Paris"] * 4,
        match="contains",
        fuzzy_match=True,
    )
    assert result["match_types"] == ["contains", "fuzzy", "exact", "none"]
    assert result["individual_scores"] == [1.0, 0.8, 1.0, 0.0]
    assert (result["correct"], result["correct_fuzzy"]) == (2, 3)


# ---- fuzzy

THRESHOLDS = [0.1, 0.15, 0.3, 1 / 3, 0.35, 0.55, 0.6, 0.65, 2 / 3, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.96, 0.99, 1.0]


def fraction(threshold: float) -> Fraction:
    """Give the number that a person means by a threshold: 0.8 is 8/10, 0.3333333333333333 is 1/3."""
    return Fraction(threshold).limit_denominator(1000)


@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("scorer", ["ratio", "token_sort_ratio"])
def test_ties_are_decided_in_whole_numbers(scorer: Scorer, threshold: float) -> None:
    """All lengths up to 150 and the numbers of common letters around the threshold."""
    exact = fraction(threshold)
    for length in range(2, 151):
        short = length // 2
        border = math.floor(exact * length / 2)
        for common in range(max(0, border - 1), min(short, border + 2) + 1):
            one = "a" * common + "b" * (short - common)
            other = "a" * common + "c" * (length - short - common)
            found = match_answers([one], [other], rules=Matching(scorer=scorer, fuzzy_threshold=threshold))
            (kind,), (value,) = found.types, found.similarities
            assert value == 2 * common / length or kind == "exact"
            expected = "exact" if one == other else "fuzzy" if Fraction(2 * common, length) >= exact else "none"
            assert kind == expected, (common, length)


@pytest.mark.parametrize("threshold", THRESHOLDS[:-1])
def test_ties_of_the_partial_ratio(threshold: float) -> None:
    """The best part of the second text is its run of a's."""
    for common in range(1, 60):
        for rest in range(1, 60):
            one, other = "a" * common + "b" * rest, "a" * common + "c" * rest
            rules = Matching(scorer="partial_ratio", fuzzy_threshold=threshold)
            (kind,) = match_answers([one], [other], rules=rules).types
            expected = Fraction(2 * common, 2 * common + rest) >= fraction(threshold)
            assert kind == ("fuzzy" if expected else "none"), (common, rest)


words = st.text("ab c", max_size=12)


@given(words, words)
def test_ratio_is_that_of_the_textbook(one: str, other: str) -> None:
    assert pairwise_similarities([one], [other]) == [float(oracles.ratio(one, other))]


@pytest.mark.parametrize("scorer", SCORERS)
@given(st.one_of(words, st.text(max_size=12)), st.one_of(words, st.text(max_size=12)))
def test_scorers_are_those_of_rapidfuzz(scorer: Scorer, one: str, other: str) -> None:
    (value,) = pairwise_similarities([one], [other], scorer)
    assert value == pytest.approx(getattr(fuzz, scorer)(one, other) / 100, abs=1e-12)
    assert 0.0 <= value <= 1.0
    assert type(value) is float


@pytest.mark.parametrize(
    ("scorer", "one", "other", "expected"),
    [
        ("ratio", "shakespear", "shakespeare", 20 / 21),
        ("partial_ratio", "paris", "the city of paris", 1.0),
        ("token_sort_ratio", "york new", "new york", 1.0),
        ("token_set_ratio", "paris", "not paris", 1.0),
        ("WRatio", "york new", "new york", 0.95),
    ],
)
def test_scorers_differ(accuracy: Any, scorer: str, one: str, other: str, expected: float) -> None:
    result = accuracy.compute(predictions=[one], references=[other], fuzzy_match=True, fuzzy_scorer=scorer)
    assert result["similarities"] == [pytest.approx(expected)]
    assert result["match_types"] == ["fuzzy"]


def test_thresholds_at_the_ends(accuracy: Any) -> None:
    data = {"predictions": ["a", "b"], "references": ["a", "c"], "fuzzy_match": True}
    assert accuracy.compute(**data, fuzzy_threshold=0)["match_types"] == ["exact", "fuzzy"]
    assert accuracy.compute(**data, fuzzy_threshold=0)["individual_scores"] == [1.0, 0.0]
    assert accuracy.compute(**data, fuzzy_threshold=1)["match_types"] == ["exact", "none"]


# ---- a function of the user's


def last_line(text: str) -> str:
    return text.splitlines()[-1].strip() if text else ""


def test_normalizer_replaces_the_rules(accuracy: Any) -> None:
    data = {"predictions": ["So:\n Paris ", "paris", "Paris!"], "references": [["Paris", "x"], ["Paris"], ["Paris"]]}
    result = accuracy.compute(**data, normalizer=last_line)
    assert result["match_types"] == ["exact", "none", "none"]
    # The other options of normalization have nothing to say then.
    assert accuracy.compute(**data, normalizer=last_line, case_sensitive=False, normalize_text=True) == result
    assert accuracy.compute(**data, normalizer=str.lower)["match_types"] == ["none", "exact", "none"]


def test_normalizer_that_fails(accuracy: Any) -> None:
    with pytest.raises(ValueError, match="normalizer returned None for 'a', not a string"):
        accuracy.compute(predictions=["a"], references=["a"], normalizer=lambda _: None)
    with pytest.raises(ZeroDivisionError):
        accuracy.compute(predictions=["a"], references=["a"], normalizer=lambda _: 1 / 0)
    assert accuracy.compute(predictions=["a"], references=["a"])["correct"] == 1


# ---- signature

CHANGES_SCORES: list[dict[str, Any]] = [
    {},
    {"case_sensitive": True},
    {"normalize_text": False},
    {"normalize_text": False, "case_sensitive": True},
    {"fuzzy_match": True},
    {"fuzzy_match": True, "fuzzy_threshold": 0.7},
    {"fuzzy_match": True, "fuzzy_threshold": 0.7000000001},
    {"fuzzy_match": True, "fuzzy_scorer": "WRatio"},
    {"match": "contains"},
    {"match": "contains", "fuzzy_match": True},
    {"normalizer": last_line},
    {"normalizer": str.lower},
]


def signature(accuracy: Any, **options: Any) -> str:
    signed: str = accuracy.compute(predictions=["a"], references=["a"], return_signature=True, **options)["signature"]
    return signed


def test_signatures_tell_what_can_differ(accuracy: Any) -> None:
    signatures = [signature(accuracy, **options) for options in CHANGES_SCORES]
    assert all(one != other for one, other in combinations(signatures, 2))
    assert signatures[0] == f"accuracy|case:no|norm:v1|fuzzy:no|version:{accuracy.version}"
    assert signatures[3] == f"accuracy|case:yes|norm:no|fuzzy:no|version:{accuracy.version}"


@pytest.mark.parametrize(
    "options",
    [
        {"return_details": False},
        {"return_confidence": False},
        {"confidence_level": 0.5},
        {"confidence_method": "bootstrap"},
        {"bootstrap_seed": 5},
        {"fuzzy_threshold": 0.5},
        {"fuzzy_scorer": "WRatio"},
    ],
)
def test_signatures_do_not_tell_what_cannot(accuracy: Any, options: dict[str, Any]) -> None:
    """Threshold and scorer count with fuzzy matching only."""
    assert signature(accuracy, **options) == signature(accuracy)


def test_a_lambda_is_refused_before_anything_is_scored(accuracy: Any) -> None:
    with pytest.raises(ValueError, match=r"^accuracy: <function .*<lambda>.* cannot be signed"):
        signature(accuracy, normalizer=lambda _: 1 / 0)


# ---- everything at once, in plain loops


def plain_form(text: str, options: dict[str, Any]) -> str:
    if options["normalize_text"]:
        return oracles.normalize(text, case_sensitive=options["case_sensitive"])
    return text.strip() if options["case_sensitive"] else text.strip().casefold()


def plain_accuracy(predictions: list[str], references: list[list[str]], options: dict[str, Any]) -> dict[str, Any]:
    threshold = options["fuzzy_threshold"]
    types, scores, similarities = [], [], []
    for prediction, several in zip(predictions, references, strict=True):
        form = plain_form(prediction, options)
        forms = [plain_form(reference, options) for reference in several]
        best = max(oracles.ratio(form, other) for other in forms)
        similarities.append(float(best))
        if form in forms:
            types.append("exact")
            scores.append(1.0)
        elif options["fuzzy_match"] and best >= Fraction(repr(threshold)):
            types.append("fuzzy")
            scores.append(threshold)
        else:
            types.append("none")
            scores.append(0.0)
    exact, fuzzy, total = types.count("exact"), types.count("fuzzy"), len(types)
    result = {
        "accuracy": (exact + fuzzy) / total,
        "exact_accuracy": exact / total,
        "correct": exact,
        "total": total,
        "mean_score": pytest.approx(sum(scores) / total),
        "std_score": pytest.approx(statistics.pstdev(scores)),
        "individual_scores": scores,
        "match_types": types,
    }
    if options["fuzzy_match"]:
        result |= {"fuzzy_accuracy": (exact + fuzzy) / total, "correct_fuzzy": exact + fuzzy}
        result["similarities"] = similarities
    return result


answers = st.text("aAb.- 5é\u0301", max_size=6)


@given(
    rows=st.lists(st.tuples(answers, st.lists(answers, min_size=1, max_size=3)), min_size=1, max_size=8),
    options=st.fixed_dictionaries(
        {
            "case_sensitive": st.booleans(),
            "normalize_text": st.booleans(),
            "fuzzy_match": st.booleans(),
            "fuzzy_threshold": st.sampled_from([0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0]),
        }
    ),
)
def test_equals_plain_loops(metric: Load, rows: list[tuple[str, list[str]]], options: dict[str, Any]) -> None:
    predictions, references = [row[0] for row in rows], [row[1] for row in rows]
    accuracy = metric("accuracy")
    result = accuracy.compute(predictions=predictions, references=references, return_confidence=False, **options)
    assert result == plain_accuracy(predictions, references, options)
    if all(len(several) == 1 for several in references):
        singles = [several[0] for several in references]
        assert result == accuracy.compute(
            predictions=predictions, references=singles, return_confidence=False, **options
        )


def test_mean_is_rounded_once(accuracy: Any) -> None:
    """Ten times 0.1 is 1, which adding up one by one misses."""
    data = {"predictions": ["ab"] * 10, "references": ["ac"] * 10, "fuzzy_match": True, "fuzzy_threshold": 0.1}
    result = accuracy.compute(**data)
    assert result["match_types"] == ["fuzzy"] * 10
    assert (result["mean_score"], result["std_score"]) == (0.1, 0.0)


def test_what_is_not_asked_for_is_not_done() -> None:
    found = match_answers(["in Paris", "Pariss", "Paris!"], ["paris"] * 3)
    assert (found.types, found.similarities) == (["none", "none", "exact"], [])


def test_the_threshold_is_the_documented_one_where_none_is_given() -> None:
    assert match_answers(["Shakespear", "abcd"], ["Shakespeare", "wxyz"], rules=Matching(scorer="ratio")).types == [
        "fuzzy",
        "none",
    ]


def test_rows_that_were_scored_with_fuzzy_matching_are_aggregated_with_it(accuracy: Any) -> None:
    """Without it, a fuzzy match would count as none."""
    rows = accuracy.score_batch({"predictions": ["Shakespear"], "references": ["Shakespeare"]}, fuzzy_match=True)
    with pytest.raises(ValueError, match="scored with fuzzy_match=True; pass the same option to aggregate"):
        accuracy.aggregate(rows)
    assert accuracy.aggregate(rows, fuzzy_match=True)["accuracy"] == 1.0
