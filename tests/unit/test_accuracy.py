"""Accuracy through `evaluate.load`: documented results, one table of modes, errors, stored rows, signatures."""

import math
import re
import statistics
from typing import Any

import pyarrow as pa
import pytest

SCALARS = {"return_details": False, "return_confidence": False}
KEYS = ["accuracy", "exact_accuracy", "correct", "total", "mean_score", "std_score", "accuracy_confidence_interval"]
FUZZY = {"fuzzy_match": True}


def last_line(text: str) -> str:
    return text.splitlines()[-1].strip() if text else ""


# ---- documented results


def test_default_result_has_the_documented_keys_and_values(accuracy: Any) -> None:
    result = accuracy.compute(predictions=["Paris", "London", "Tokyo"], references=["Paris", "London", "Berlin"])
    assert list(result) == [*KEYS, "individual_scores", "match_types"]
    assert (result["correct"], result["total"]) == (2, 3)
    assert result["accuracy"] == result["exact_accuracy"] == result["mean_score"] == 2 / 3
    assert result["std_score"] == pytest.approx(math.sqrt(2) / 3)
    assert result["accuracy_confidence_interval"] == pytest.approx((0.2077, 0.9385), abs=5e-5)  # Wilson, 2 of 3
    assert result["individual_scores"] == [1.0, 1.0, 0.0]
    assert result["match_types"] == ["exact", "exact", "none"]


def test_fuzzy_matching_adds_its_keys(accuracy: Any) -> None:
    data = {"predictions": ["Paris", "Lodnon", "x"], "references": ["Paris", "London", "Berlin"]}
    result = accuracy.compute(**data, **FUZZY, return_signature=True)
    details = ["individual_scores", "match_types", "similarities", "signature"]
    assert list(result) == [*KEYS[:3], "fuzzy_accuracy", "correct_fuzzy", *KEYS[3:], *details]
    assert (result["correct"], result["correct_fuzzy"], result["total"]) == (1, 2, 3)
    assert (result["accuracy"], result["fuzzy_accuracy"], result["exact_accuracy"]) == (2 / 3, 2 / 3, 1 / 3)
    assert result["individual_scores"] == [1.0, 0.8, 0.0]
    assert result["mean_score"] == pytest.approx(0.6)
    assert result["std_score"] == pytest.approx(statistics.pstdev([1.0, 0.8, 0.0]))
    assert result["similarities"] == [1.0, 10 / 12, 0.0]
    # The interval is that of the reported accuracy: 2 of 3.
    assert result["accuracy_confidence_interval"] == pytest.approx((0.2077, 0.9385), abs=5e-5)


# ---- which answers match

CAPITALS = (
    ["The capital of France is Paris", "Who wrote 1984?"],
    ["Paris, France", "George Orwell wrote 'Nineteen Eighty-Four'"],
)
MODES = ["a", "A", "a!", "A!", " a "], ["a"] * 5
CASES: list[tuple[dict[str, Any], list[str], list[Any], str]] = [
    # Each mode accepts only its own differences.
    ({}, *MODES, "exact exact exact exact exact"),
    ({"case_sensitive": True}, *MODES, "exact none exact none exact"),
    ({"normalize_text": False}, *MODES, "exact exact none none exact"),
    # Plain equality: the first version of Benchwise's accuracy.
    ({"normalize_text": False, "case_sensitive": True}, *MODES, "exact none none none exact"),
    # Benchwise documents 50%, which token_set_ratio gives; a subset of words is not a typo, so the default is ratio.
    (FUZZY, *CAPITALS, "none none"),
    ({**FUZZY, "fuzzy_scorer": "token_set_ratio"}, *CAPITALS, "fuzzy none"),
    # An empty answer equals only an empty reference, and an empty reference is contained in nothing.
    ({**FUZZY, "match": "contains"}, ["", "", " ", "a"], ["", "a", "", ""], "exact none exact none"),
    ({**FUZZY, "fuzzy_threshold": 1}, ["a", "b"], ["a", "c"], "exact none"),
    # Several references: any of them, at any place.
    (FUZZY, ["paris"] * 3, [["Paris", "x"], ["x", "Paris"], ["Pariss", "x"]], "exact exact fuzzy"),
    ({"match": "contains"}, ["in paris"] * 2, [["Rome", "Paris"], ["Rome", "Oslo"]], "contains none"),
    # A match of one kind does not become another.
    ({**FUZZY, "match": "contains"}, ["in Paris", "Pariss", "Paris"], ["Paris"] * 3, "contains fuzzy exact"),
    # Stricter than a substring.
    (
        {"match": "contains"},
        ["PARIS, of course", "Parisian", "in 1999"],
        ["Paris", "Paris", "99"],
        "contains none none",
    ),
    # Without normalization, marks are still borders of words, but not part of numbers and names.
    (
        {"match": "contains", "normalize_text": False},
        ["(Paris)", "Parisian", "pi is 3.14", "I like C++", "down to -5", "答えは東京です"],
        ["Paris", "Paris", "14", "C", "5", "東京"],
        "contains none none none none contains",
    ),
    ({"match": "contains", "normalizer": "squad"}, ["in the Paris", "Parisian"], ["a Paris"] * 2, "contains none"),
    (
        {"match": "recall"},
        ["It was Wilhelm Röntgen.", "Michelle Obama", "röntgen, wilhelm conrad"],
        ["Wilhelm Conrad Röntgen", "Barack Obama", "Wilhelm Conrad Röntgen"],
        "recall none recall",
    ),
    ({"match": "recall", "recall_threshold": 0.9}, ["Wilhelm Röntgen"], ["Wilhelm Conrad Röntgen"], "none"),
    # Each reference is compared by value, or as text if one side is not a single number.
    ({"numbers": "value"}, ["3.00", "3", "fifty"], [["3"], ["3"], ["50", "Fifty"]], "value exact exact"),
    ({"numbers": "value", "normalizer": last_line}, ["So:\n3.0"], ["3"], "value"),
    ({"numbers": "value"}, ["50%", "50%", "½"], [["50"], ["50", "50 percent"], ["0.5"]], "none value value"),
    ({"numbers": "value", "numeric_tolerance": 0.01}, ["101", "102"], ["100", "100"], "value none"),
    # Numbers that are compared by value are not similar; as text they would be.
    ({"numbers": "value", **FUZZY}, ["12345"] * 2, [["12346"], ["12346", "one 12345"]], "none none"),
    # What nothing is extracted from is wrong, even if it equals the reference.
    ({"extract": "boxed"}, ["so \\boxed{3}", "3", "\\boxed{3}!"], ["3"] * 3, "exact unextracted exact"),
    ({"extract": "boxed", "numbers": "value"}, ["\\boxed{3.0}", "3"], [["3", "three"], ["3"]], "value unextracted"),
    ({"extract": r"is (\w+)", **FUZZY}, ["it is Pariss", "Paris"], ["Paris"] * 2, "fuzzy unextracted"),
    # A function, or named rules, in place of the built-in normalization.
    ({"normalizer": last_line}, ["So:\n Paris ", "paris", "Paris!"], ["Paris"] * 3, "exact none none"),
    ({"normalizer": "squad"}, ["the Paris!", "paris"], ["Paris", "a paris"], "exact exact"),
]


@pytest.mark.filterwarnings("ignore:.*empty although:UserWarning")
@pytest.mark.parametrize(("options", "predictions", "references", "types"), CASES)
def test_answers_match(
    accuracy: Any, options: dict[str, Any], predictions: list[str], references: list[Any], types: str
) -> None:
    result = accuracy.compute(predictions=predictions, references=references, **options)
    assert result["match_types"] == types.split()
    right = [kind not in {"none", "unextracted", "fuzzy"} for kind in types.split()]
    assert (result["correct"], result["total"]) == (sum(right), len(right))
    assert result["accuracy"] == (sum(right) + types.split().count("fuzzy")) / len(right)
    # The same from Arrow, row by row, in two shards, and with every single reference in a list.
    data = {"predictions": predictions, "references": references}
    assert accuracy.compute(**{name: pa.array(column) for name, column in data.items()}, **options) == result
    half = len(predictions) // 2
    shards = [{name: column[rows] for name, column in data.items()} for rows in (slice(half), slice(half, None))]
    assert accuracy.aggregate([accuracy.score_batch(shard, **options) for shard in shards], **options) == result
    if isinstance(references[0], str):
        lists = [[reference] for reference in references]
        assert accuracy.compute(predictions=predictions, references=lists, **options) == result


def test_details_say_what_was_found(accuracy: Any) -> None:
    predictions, references = ["It was Wilhelm Röntgen.", "so \\boxed{3}"], ["Wilhelm Conrad Röntgen", "3"]
    result = accuracy.compute(predictions=predictions, references=references, match="recall")
    assert result["recalls"] == [2 / 3, 1.0]
    result = accuracy.compute(predictions=predictions, references=references, extract="boxed", **FUZZY)
    assert result["extracted"] == [None, "3"]
    assert (result["similarities"], result["unextracted"]) == ([0.0, 1.0], 1)


def test_words_of_the_question_do_not_count(accuracy: Any) -> None:
    data = {"predictions": ["a historic bridge"], "references": ["bow bridge"]}
    assert accuracy.compute(**data, match="recall", **SCALARS)["correct"] == 1
    assert accuracy.compute(**data, questions=["What bridge is it?"], match="recall", **SCALARS)["correct"] == 0


# ---- errors and warnings


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"normalizer": lambda _: None}, "normalizer returned None for 'a', not a string"),
        ({"extract": {"b": 5}.get}, "must return a str or None, got int for the text at index 1"),
        ({"extract": {"a": "a"}.__getitem__}, "extract failed on predictions[1], 'b': KeyError: 'b'"),
        (
            {"extract": "boxes"},
            'extract must be "boxed", "answer_line", "choice", "last_number", "whole", "auto", or a r',
        ),
        ({"extract": "boxes"}, "with exactly one group; 'boxes' has 0; did you mean 'boxed'?"),
        ({"extract": "(a)(b)"}, "or a regular expression with exactly one group; '(a)(b)' has 2"),
        ({"extract": "(a"}, "extract is not a valid regular expression: missing ), unterminated subpattern at"),
        ({"extract": 5}, 'extract must be "boxed", "answer_line", "choice", "last_number", "whole", "auto", a reg'),
        ({"extract": 5}, "a regular expression with one group, a callable, a list of these or None, got 5 (int)"),
        ({"extract": re.compile(b"(a)")}, "a callable, a list of these or None, got re.compile(b'(a)') (Pattern)"),
        ({"fuzzy_scorer": "ratios", **FUZZY}, "got 'ratios' (str); did you mean 'ratio'?"),
        ({"match": "recal"}, 'match must be one of "equal", "contains", "recall", got \'recal\' (str); did you mean'),
        ({"extract": lambda text: text, "return_signature": True}, "cannot be signed"),
    ],
)
def test_bad_option_is_named(accuracy: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=r"^accuracy: ") as caught:
        accuracy.compute(predictions=["a", "b"], references=["a", "b"], **options)
    assert message in str(caught.value)
    if "Error: " in message:
        assert isinstance(caught.value.__cause__, LookupError)
    assert accuracy.compute(predictions=["a"], references=["a"])["correct"] == 1


@pytest.mark.parametrize(
    ("prediction", "scored_with", "message"),
    [
        ("Shakespear", FUZZY, "the rows were scored with fuzzy_match=True; pass the same option to aggregate"),
        ("a Shakespeare", {"match": "contains"}, "scored with match='contains'"),
        ("a Shakespeare", {"match": "recall"}, "scored with match='recall'"),
        ("5.0", {"numbers": "value"}, "scored with numbers='value'"),
        ("a", {"extract": "boxed"}, "the rows were scored with extract; pass the same option to aggregate"),
    ],
)
def test_rows_of_other_options_are_rejected(
    accuracy: Any, prediction: str, scored_with: dict[str, Any], message: str
) -> None:
    batch = {"predictions": [prediction], "references": [["Shakespeare", "5"]]}
    rows = accuracy.score_batch(batch, **scored_with)
    for stored in (rows, accuracy.score_batch(pa.table(batch), **scored_with)):
        with pytest.raises(ValueError, match=message):
            accuracy.aggregate(stored)
        with pytest.raises(ValueError, match=message):
            accuracy.compare({"a": stored, "b": stored})
    assert accuracy.aggregate(rows, **scored_with)["total"] == 1


def test_rows_scored_with_another_threshold_are_rejected(accuracy: Any) -> None:
    rows = accuracy.score_batch({"predictions": ["Shakespear"], "references": ["Shakespeare"]}, **FUZZY)
    message = "scored with fuzzy_threshold=0.8, and are aggregated with 0.7; give both the same options"
    with pytest.raises(ValueError, match=message):
        accuracy.aggregate(rows, **FUZZY, fuzzy_threshold=0.7)
    with pytest.raises(ValueError, match=r"match_types must be one of exact, .*, none, got 'right'"):
        accuracy.aggregate({**rows, "accuracy_match_types": ["right"]}, **FUZZY)


# ---- signatures

CHANGES_SCORES: list[tuple[dict[str, Any], str]] = [
    ({}, "accuracy|case:no|norm:v1|fuzzy:no|version:0.2.0"),
    ({"case_sensitive": True}, "case:yes|norm:v1|fuzzy:no"),
    (FUZZY, "fuzzy:ratio>=0.8|rapidfuzz:"),
    ({"match": "contains"}, "match:contains"),
    ({"match": "recall"}, "match:recall|recall:en-v"),
    ({"numbers": "value", "numeric_tolerance": 0.1}, "numbers:value-v2+-0.1"),
    ({"extract": "boxed"}, "extract:boxed-v2"),
    ({"extract": r"x=(\d|\d%)"}, r"extract:x=(\d%7C\d%25)"),
    ({"extract": re.compile("(a)$", re.IGNORECASE | re.MULTILINE)}, "extract:(?im)(a)$"),
    ({"normalizer": "squad"}, "accuracy|norm:squad|"),
    ({"normalizer": last_line}, "last_line"),
]


@pytest.mark.parametrize(("options", "part"), CHANGES_SCORES)
def test_signature_says_what_can_change_a_score(accuracy: Any, options: dict[str, Any], part: str) -> None:
    assert part in accuracy.signature(accuracy.resolve_options(options))
