"""Accuracy through `evaluate.load`: documented results, modes, presets, choices, errors, stored rows, signatures."""

import math
import re
import statistics
import warnings
from typing import Any

import evaluate
import pyarrow as pa
import pytest
from datasets import Dataset

from answer_metrics import load
from tests.conftest import ROOT

KEYS = ["accuracy", "exact_accuracy", "correct", "total", "mean_score", "std_score", "accuracy_confidence_interval"]
FUZZY = {"fuzzy_match": True}


def last_line(text: str) -> str:
    return text.splitlines()[-1].strip() if text else ""


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


CASES: list[tuple[dict[str, Any], list[str], list[Any], str]] = [
    # Each mode accepts only its own differences; the second is the first version of Benchwise's accuracy.
    ({}, ["a", "A", "a!", "A!", " a "], ["a"] * 5, "exact exact exact exact exact"),
    ({"normalize_text": False, "case_sensitive": True}, ["a", "A", "a!", " a "], ["a"] * 4, "exact none none exact"),
    # A subset of words is not a typo: Benchwise documents 50% for such rows, which token_set_ratio gives.
    (FUZZY, ["The capital of France is Paris"], ["Paris, France"], "none"),
    # An empty answer equals only an empty reference, and an empty reference is contained in nothing.
    ({**FUZZY, "match": "contains"}, ["", "", " ", "a"], ["", "a", "", ""], "exact none exact none"),
    # Several references: any of them, at any place.
    (FUZZY, ["paris"] * 3, [["Paris", "x"], ["x", "Paris"], ["Pariss", "x"]], "exact exact fuzzy"),
    # Marks are borders of words, but not part of numbers and names.
    ({"match": "contains"}, ["PARIS, of", "Parisian", "99 in 1999"], ["Paris", "Paris", "9"], "contains none none"),
    ({"match": "recall"}, ["It was Wilhelm Röntgen.", "Leo Röntgen"], ["Wilhelm Conrad Röntgen"] * 2, "recall none"),
    # Each reference is compared by value, or as text if one side is not a single number.
    ({"numbers": "value"}, ["3.00", "3", "fifty"], [["3"], ["3"], ["50", "Fifty"]], "value exact exact"),
    # What nothing is extracted from is wrong, even if it equals the reference.
    ({"extract": "boxed"}, ["so \\boxed{3}", "3", "\\boxed{3}!"], ["3"] * 3, "exact unextracted exact"),
    # A function, or named rules, in place of the built-in normalization.
    ({"normalizer": last_line}, ["So:\n Paris ", "paris", "Paris!"], ["Paris"] * 3, "exact none none"),
]


@pytest.mark.filterwarnings("ignore:.*empty although:UserWarning")
@pytest.mark.parametrize(("options", "predictions", "references", "types"), CASES)
def test_answers_match(accuracy: Any, options: Any, predictions: list[str], references: Any, types: str) -> None:
    result = accuracy.compute(predictions=predictions, references=references, **options)
    assert result["match_types"] == types.split()
    right = [kind not in {"none", "unextracted", "fuzzy"} for kind in types.split()]
    assert (result["correct"], result["total"]) == (sum(right), len(right))
    assert result["accuracy"] == (sum(right) + types.split().count("fuzzy")) / len(right)


def test_details_say_what_was_found(accuracy: Any) -> None:
    predictions, references = ["It was Wilhelm Röntgen.", "so \\boxed{3}"], ["Wilhelm Conrad Röntgen", "3"]
    result = accuracy.compute(predictions=predictions, references=references, match="recall")
    assert result["recalls"] == [2 / 3, 1.0]
    result = accuracy.compute(predictions=predictions, references=references, extract="boxed", **FUZZY)
    assert result["extracted"] == [None, "3"]
    assert (result["similarities"], result["unextracted"]) == ([0.0, 1.0], 1)


STEPS = '"boxed", "answer_line", "choice", "last_number", "whole", "auto", '


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"normalizer": lambda _: None}, "normalizer returned None for predictions[0], 'a', not a string"),
        ({"extract": {"b": 5}.get}, "extract returned 5 (int) for predictions[1], 'b', not a string or None"),
        ({"extract": {"a": "a"}.__getitem__}, "extract failed on predictions[1], 'b': KeyError: 'b'"),
        ({"extract": "boxes"}, f"extract must be {STEPS}or a r"),
        ({"extract": "boxes"}, "with exactly one group; 'boxes' has 0; did you mean 'boxed'?"),
        ({"extract": "(a"}, "extract is not a valid regular expression: missing ), unterminated subpattern at"),
        (
            {"extract": 5},
            f"{STEPS}a regular expression with one group, a callable, a list of these or None, got 5 (int)",
        ),
        ({"extract": []}, "a list of these or None, got []"),
        ({"extract": ["boxed", "(a"]}, "extract[1] is not a valid regular expression"),
        ({"fuzzy_scorer": "ratios", **FUZZY}, "got 'ratios' (str); did you mean 'ratio'?"),
        ({"match": "recal"}, 'match must be one of "equal", "contains", "recall", got \'recal\' (str); did you mean'),
        ({"abstention": "de"}, "a regular expression, a function from text to bool, or None, got 'de'"),
        ({"abstention": "eng"}, "got 'eng'; did you mean 'en'?"),
        ({"preset": "freeform"}, "got 'freeform' (str); did you mean 'free_form'"),
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
        ("5.0", {"numbers": "value"}, "scored with numbers='value'"),
        ("the great Shakespeare", {"match": "recall"}, "scored with match='recall'"),
        ("I do not know.", {"abstention": "en"}, "scored with abstention;"),
        ("the bard", {"equivalent": lambda *_: True}, "scored with equivalent;"),
        ("a", {"extract": "boxed"}, "the rows were scored with extract; pass the same option to aggregate"),
    ],
)
def test_rows_of_other_options_are_rejected(accuracy: Any, prediction: str, scored_with: Any, message: str) -> None:
    batch = {"predictions": [prediction], "references": [["Shakespeare", "5"]]}
    rows = accuracy.score_batch(batch, **scored_with)
    for stored in (rows, accuracy.score_batch(pa.table(batch), **scored_with)):
        with pytest.raises(ValueError, match=message):
            accuracy.aggregate(stored)
    with pytest.raises(ValueError, match=message):
        accuracy.compare({"a": rows, "b": rows})
    assert accuracy.aggregate(rows, **scored_with)["total"] == 1
    if scored_with == FUZZY:
        with pytest.raises(ValueError, match=r"fuzzy_threshold=0\.8, and are aggregated with 0\.9; give both the same"):
            accuracy.aggregate(rows, **FUZZY, fuzzy_threshold=0.9)
    with pytest.raises(ValueError, match=r"match_types must be one of exact, .*, none, got 'right'"):
        accuracy.aggregate({**rows, "accuracy_match_types": ["right"]}, **scored_with)


CHANGES_SCORES: list[tuple[dict[str, Any], str]] = [
    ({}, "accuracy|case:no|norm:v1|fuzzy:no|version:0.3.0"),
    ({"case_sensitive": True}, "case:yes|norm:v1|fuzzy:no"),
    (FUZZY, "fuzzy:ratio>=0.8|rapidfuzz:"),
    ({"match": "recall"}, "match:recall|recall:en-v"),
    ({"match": "recall", "language": "none"}, "|recall:none-v"),
    ({"match": "recall", "hedged": "right"}, "|hedged:right|"),
    ({"numbers": "value", "numeric_tolerance": 0.1}, "numbers:value-v3+-0.1"),
    ({"numbers": "value", "decimal": ","}, "decimal:,"),
    ({"extract": re.compile("(a)$", re.IGNORECASE | re.MULTILINE)}, "extract:(?im)(a)$"),
    ({"extract": re.compile("(a)", re.ASCII | re.DOTALL | re.VERBOSE)}, "extract:(?asx)(a)"),
    ({"beside": "neutral"}, "|beside:neutral|"),
    ({"abstention": re.compile("no idea", re.VERBOSE)}, "|abstention:(?x)no idea|"),
    ({"abstention": "no idea|100%"}, "|abstention:no idea%7C100%25|"),  # fields and their parts stay apart
    ({"normalizer": last_line}, "last_line"),
]


@pytest.mark.parametrize(("options", "part"), CHANGES_SCORES)
def test_signature_says_what_can_change_a_score(accuracy: Any, options: dict[str, Any], part: str) -> None:
    assert part in accuracy.signature(accuracy.resolve_options(options))


CITIES = ["Lyon", "Paris"]
ROWS: dict[str, list[Any]] = {
    "predictions": ["(B)", "It is Lyon.", "<think>A</think>B"],
    "references": ["Paris", "B", "B"],
    "choices": [CITIES] * 3,
}


def resolved(metric: Any, *names: str, **options: Any) -> list[Any]:
    chosen = metric.resolve_options(options)
    return [getattr(chosen, name) for name in names]


def test_options_come_from_call_preset_loading_preset_at_loading_and_defaults() -> None:
    path = str(ROOT / "metrics" / "accuracy")
    loaded = evaluate.load(path, preset="number", numeric_tolerance=0.1, match="contains")
    names = ("extract", "numbers", "numeric_tolerance", "match")
    number = ("boxed", "answer_line", "last_number")
    assert resolved(loaded, *names) == [number, "value", 0.1, "contains"]
    # The preset of a call comes before all that was given at loading, and replaces the preset there.
    assert resolved(loaded, *names, preset="free_form") == ["auto", "value", 0.1, "recall"]
    values = resolved(loaded, *names, preset="multiple_choice", numeric_tolerance=0.0)
    assert values == ["choice", "text", 0.0, "contains"]
    assert resolved(loaded, *names, extract=None, numbers="text", numeric_tolerance=0.0)[:2] == [None, "text"]
    assert resolved(loaded, "extract", preset=None) == [None]


def test_choices_are_a_column_like_others(accuracy: Any) -> None:
    expected = accuracy.compute(**ROWS, preset="multiple_choice")
    assert (expected["accuracy"], expected["extracted"]) == (2 / 3, ["B", "A", "B"])
    for column in range(3):
        accuracy.add_batch(**{name: values[column : column + 1] for name, values in ROWS.items()})
    assert accuracy.compute(preset="multiple_choice") == expected
    table = accuracy.score_batch(pa.table(ROWS), extract="choice")
    assert accuracy.aggregate(table, preset="multiple_choice") == expected
    mapped = Dataset.from_dict(ROWS).map(accuracy.score_batch, batched=True, fn_kwargs={"preset": "multiple_choice"})
    assert accuracy.aggregate(mapped, preset="multiple_choice") == expected


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ([CITIES], "accuracy: got 3 predictions, 3 references, 1 choices"),
        (["Lyon", "Paris", "Rome"], r"accuracy: choices\[0\] is 'Lyon' \(str\), not a list of strings"),
        ([CITIES, [], CITIES], r"accuracy: choices\[1\] has 0 options, not 1 to 26: A to Z"),
        ([CITIES, ["a", None], CITIES], r"accuracy: choices\[1\]\[1\] is None"),
    ],
)
def test_bad_choices_are_named(accuracy: Any, choices: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        accuracy.compute(**{**ROWS, "choices": choices}, preset="multiple_choice")


CUT_OFF, UNKNOWN = "ended mid-reasoning and", "no reference among the choices"
TWICE = "1 row of choices has an option twice; its text means the first letter"
NOTHING = f"extract found nothing in any prediction; the first ends in '{'x ' * 37}the e\\n'"


@pytest.mark.parametrize(
    ("options", "predictions", "references", "choices", "warned"),
    [
        ({"extract": "boxed"}, ["x " * 60 + "the e\n", "b"], ["a", "b"], None, [NOTHING]),
        ({"extract": "boxed"}, ["b"], ["b"], None, []),
        ({"extract": "boxed"}, ["b", r"\boxed{b}"], ["b", "b"], None, []),
        (
            {"extract": "choice"}, ["A", "B", "<think>A"], [["Rome"], ["Rome", "Paris"], ["A"]],
            [CITIES, CITIES, ["x"] * 2],
            [TWICE, f"1 prediction {CUT_OFF} was scored wrong", f"1 row of references has {UNKNOWN}"],
        ),
        ({"extract": "auto"}, ["A", "B"], ["Rome", "Oslo"], [CITIES] * 2, [f"2 rows of references have {UNKNOWN}"]),
        ({"extract": "choice"}, ["A"] * 3, ["A", "E", "CE"], [CITIES] * 3, [f"2 rows of references have {UNKNOWN}"]),
        ({"match": "recall"}, ["<think>"] * 2, ["a", "b"], None, [f"2 predictions {CUT_OFF} were scored wrong"]),
    ],
)  # fmt: skip
def test_each_warning_is_given_once(
    accuracy: Any, options: Any, predictions: Any, references: Any, choices: Any, warned: list[str]
) -> None:
    columns = {"predictions": predictions, "references": references} | ({"choices": choices} if choices else {})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        accuracy.compute(**columns, **options)
    assert [str(warning.message) for warning in caught] == [f"accuracy: {text}" for text in warned]


def test_cut_off_thinking_is_wrong_whatever_the_reference(accuracy: Any) -> None:
    predictions = ["<think>Paris", "<think>Lyon?</think>\nParis", "Paris"]
    for options in ({}, {"match": "recall"}, {"fuzzy_match": True}, {"preset": "free_form"}):
        with pytest.warns(UserWarning, match="1 prediction ended mid-reasoning and was scored wrong"):
            result = accuracy.compute(predictions=predictions, references=[[""], ["Paris"], ["Paris"]], **options)
        assert result["match_types"] == ["truncated", "exact", "exact"]
        assert result["truncated"] == 1
    kept = accuracy.compute(predictions=predictions, references=["Paris"] * 3, reasoning="keep")
    assert kept["match_types"] == ["none", "none", "exact"]
    assert "truncated" not in kept


def test_preset_of_a_call_replaces_options_of_loading_but_not_the_other_way_round() -> None:
    loaded = load("accuracy", match="contains")
    matches = [loaded.resolve_options(options).match for options in ({}, {"preset": "free_form"})]
    assert matches == ["contains", "recall"]
    loaded = load("accuracy", preset="free_form", match="contains")
    matches = [loaded.resolve_options(options).match for options in ({}, {"match": "equal"})]
    assert matches == ["contains", "equal"]


def test_clusters_that_a_batch_passes_on_may_be_named(accuracy: Any) -> None:
    columns = {
        "predictions": ["a", "b", "c", "d"],
        "references": ["a", "b", "x", "x"],
        "clusters": ["p", "p", "q", "q"],
    }
    scored = accuracy.score_batch(columns)
    result = accuracy.aggregate(scored, clusters="clusters")
    assert result == accuracy.aggregate(scored) == accuracy.aggregate({**columns, **scored}, clusters="clusters")
    assert result["clusters"] == 2
    kept = accuracy.score_batch({**columns, "documents": [*"rstt"]}, keep=["documents"])
    assert accuracy.aggregate(kept, clusters="documents") == accuracy.compute(**{**columns, "clusters": [*"rstt"]})


def test_a_question_may_ask_for_a_bound(accuracy: Any) -> None:
    columns = {"predictions": ["Answer: at most 5 of 7"] * 2, "references": ["5"] * 2}
    questions = ["At most how many?", "How many are there?"]
    result = accuracy.compute(**columns, questions=questions, preset="number")
    assert (result["extracted"], result["individual_scores"]) == (["5", "7"], [1, 0])


@pytest.mark.parametrize(
    ("answer", "score"), [("<= 95.2", 1), ("<= 105", 1), ("<= 105.1", 0), ("<= 94.9", 0), ("< 95.2", 0)]
)
def test_the_tolerance_of_bounds_is_relative_to_the_reference(accuracy: Any, answer: str, score: int) -> None:
    options = {"preset": "math", "equivalent": None, "numbers": "value", "numeric_tolerance": 0.05}
    assert accuracy.compute(predictions=[answer], references=["<= 100"], **options)["correct"] == score


def test_declining_is_counted_apart(accuracy: Any) -> None:
    predictions = ["I don't know.", "Paris", "Lyon", r"I cannot say for sure. \boxed{Paris}", "I don't know."]
    references = ["Paris", "Paris", "Paris", "Paris", "It cannot be determined."]
    result = accuracy.compute(predictions=predictions, references=references, preset="free_form", abstention="en")
    assert result["match_types"] == ["abstained", "exact", "none", "exact", "equivalent"]
    assert (result["attempted"], result["accuracy_given_attempted"]) == (0.8, 0.75)
    low, high = result["accuracy_given_attempted_confidence_interval"]
    assert low < 0.75 < high
    # As stored: what is cut off or hedged was attempted, and a reference that declines made a row right.
    more = {"predictions": [*predictions, "<think>Paris", "Paris or Lyon"], "references": [*references, *["Paris"] * 2]}
    with pytest.warns(UserWarning, match="1 prediction ended mid-reasoning"):
        rows = accuracy.score_batch(more, preset="free_form", abstention="en")
    stored = accuracy.aggregate(rows, preset="free_form", abstention="en")
    assert (stored["attempted"], stored["accuracy_given_attempted"]) == (6 / 7, 0.5)
    for abstention in (r"(?i)don't know", lambda text: "know" in text):
        again = accuracy.compute(predictions=predictions[:2], references=references[:2], abstention=abstention)
        assert again["match_types"] == ["abstained", "exact"]
    with pytest.raises(ValueError, match=r"abstention failed on predictions\[1\], 'Lyon': KeyError"):  # not the first
        accuracy.compute(predictions=predictions[1:3] * 2, references=["Paris"] * 4, abstention={}.__getitem__)
    with pytest.raises(ValueError, match=r"abstention failed on references\[2\], 'Oslo': KeyError"):
        answers = {"predictions": ["Rome", "Bern", "?"], "references": ["Rome", "Bern", "Oslo"]}
        accuracy.compute(**answers, abstention={"?": True}.__getitem__)


def test_aggregate_reads_rows_of_version_0_1_0(accuracy: Any) -> None:
    rows = {
        "accuracy_individual_scores": [1.0, 0.0, 1.0],
        "accuracy_match_types": ["exact", "unextracted", "value"],
        "accuracy_extracted": ['"5"', "null", '"6.0"'],
    }
    result = accuracy.aggregate(rows, extract="boxed", numbers="value")
    assert (result["correct"], result["unextracted"], result["extracted"]) == (2, 1, ["5", None, "6.0"])
