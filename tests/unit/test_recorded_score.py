"""recorded_score: every spelling of a verdict has its number, and what could mean two things is an error."""

import random
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

MEANINGS: dict[float, list[Any]] = {
    1.0: [1, 1.0, True, "1", "1.0", "1e0", "true", "TRUE", "Correct", " correct ", "PASS", "passed", "C", "+1", "1."],
    0.5: [0.5, "0.5", ".5", "P", "+.5", "5E-1"],
    0.0: [0, 0.0, -0.0, "-0", False, "0", "false", "Incorrect", "FAIL", "Failed", "I", "N"],
}


@pytest.fixture
def recorded(metric: Callable[[str], Any]) -> Any:
    return metric("recorded_score")


def test_every_spelling_has_its_number_in_any_mix(recorded: Any) -> None:
    spellings = [(spelling, score) for score, values in MEANINGS.items() for spelling in values]
    for seed in range(20):
        rows = random.Random(seed).sample(spellings, len(spellings))
        scores = [score for _, score in rows]
        result = recorded.compute(scores=[spelling for spelling, _ in rows])
        assert list(map(repr, result["individual_scores"])) == list(map(repr, scores))  # no -0.0
        assert result["score"] == pytest.approx(sum(scores) / len(scores))
        for spelling, _ in rows:
            recorded.add(scores=spelling)
        assert recorded.compute() == result
    for spelling, score in spellings:
        if spelling not in {"C", "P"}:
            assert recorded.compute(scores=[spelling])["score"] == score


def test_columns_of_one_type_stay_columns(recorded: Any) -> None:
    for array in (pa.array([1, 0]), pa.array([True, False]), pa.array(["true", "0"]).dictionary_encode()):
        scored = recorded.score_batch(pa.table({"scores": array}))
        assert recorded.aggregate(scored, return_details=False)["score"] == 0.5


@pytest.mark.parametrize(
    ("scores", "scale", "expected"),
    [
        ([1, 5, 3], (1, 5), [1.0, 5.0, 3.0]),
        (["1", "5"], [5, 1], [1.0, 5.0]),
        (["A", "B", "A"], {"A": 1, "B": 0}, [1.0, 0.0, 1.0]),
        (["C", "C"], {"A": 1, "B": 0, "C": 0}, [0.0, 0.0]),
        ([1, "2", 2.0, True], {"1": 0, "2": 1, "true": 0.5}, [0.0, 1.0, 1.0, 0.5]),
        (["great", "poor"], ["great=10", "poor=-10"], [10.0, -10.0]),
        (["0.5"], [{"0.5": 1}], [1.0]),
        ([" a b ", "c"], [" a b = 2", "c =1e1"], [2.0, 10.0]),
        (["30"], ("0", "100"), [30.0]),
        (["100%", "12.5 %", "0.5", "pass"], None, [1.0, 0.125, 0.5, 1.0]),
    ],
)
def test_scale_says_what_scores_mean(recorded: Any, scores: list[Any], scale: Any, expected: list[float]) -> None:
    assert recorded.compute(scores=scores, scale=scale)["individual_scores"] == expected


AMBIGUOUS = "pass the score of each word"


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (["C", "C"], {}, r"scores\[0\] is 'C', which means correct in Inspect.*; " + AMBIGUOUS),
        (["1", "P"], {}, r"scores\[1\] is 'P', which means partially correct in Inspect.*; " + AMBIGUOUS),
        (["A", "B", "C"], {}, r"scores\[0\] is 'A', whose score is not known; " + AMBIGUOUS),
        (["C", "I", "c"], {}, r"scores\[2\] is 'c', whose"),
        (["correct", "NOT_ATTEMPTED"], {}, r"scores\[1\] is 'NOT_ATTEMPTED', whose"),
        ([1, 4], {}, r"scores\[1\] is 4, not between 0 and 1; pass the worst and the best score, as in scale=\(1, 5\)"),
        ([5, 0], {"scale": (1, 5)}, r"scores\[1\] is 0, not between 1 and 5$"),
        (["5", "true"], {"scale": (1, 5)}, r"scores\[1\] is 'true', whose"),
        (["A", "D"], {"scale": {"A": 1, "B": 0}}, r"scores\[1\] is 'D', but scale has 'A', 'B' only"),
        (["", "1"], {}, r"scores\[0\] is '', whose"),
        (["1_0"], {"scale": (0, 100)}, r"scores\[0\] is '1_0', whose"),
        (["nan"], {}, r"scores\[0\] is 'nan', whose"),
        ([1, 10**400], {}, r"scores\[1\] is 1000.*\.\.\. \(int\), not a finite number"),
        ([None], {}, r"scores\[0\] is None, not a finite number, a bool or a string; leave"),
        ([[9.0, 8.0]], {}, r"scores\[0\] is .*; pass one of its values \(command line: .*'scores=FIELD\[0\]'\)"),
        ([{"a": 1}], {}, r"scores\[0\] is .*; pass one of its values \(command line: --columns 'scores=FIELD\.KEY'\)"),
    ],
)
def test_what_is_not_known_is_an_error(recorded: Any, scores: list[Any], options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^recorded_score: {message}"):
        recorded.compute(scores=scores, **options)


@pytest.mark.parametrize(
    "scale", [(1,), (1, 1), (1, 2, 3), {}, {"A": "x"}, {"A": float("inf")}, "1, 5", 5, ["A=1", "B"], (0, 10**400)]
)
def test_bad_scales(recorded: Any, scale: Any) -> None:
    with pytest.raises(ValueError, match=r"^recorded_score: scale must be a pair of numbers"):
        recorded.compute(scores=[1], scale=scale)


def test_threshold_makes_shares_in_either_direction(recorded: Any) -> None:
    for scale, passed in (((1, 5), [0.0, 0.0, 1.0, 1.0, 1.0]), ((5, 1), [1.0, 1.0, 1.0, 0.0, 0.0])):
        result = recorded.compute(scores=[1, 2, 3, 4, 5], scale=scale, threshold=3, return_confidence=True)
        assert result["individual_scores"] == passed
        assert result["score"] == 0.6
        assert result["score_confidence_interval"] == pytest.approx((0.2307, 0.8824), abs=1e-4)  # Wilson's


def test_answers_instead_of_scores_are_an_error(recorded: Any) -> None:
    with pytest.raises(ValueError, match="recorded_score: scores is missing"):
        recorded.compute(predictions=[1, 0], references=[1, 1])


def test_options_decide_the_signature(recorded: Any) -> None:
    options = [
        {},
        *({"scale": scale} for scale in ((0, 1), (1, 0), {"A": 1, "B": 0})),
        {"threshold": 0.5},
        {"threshold": 0},
    ]
    assert len({recorded.signature(recorded.resolve_options(chosen)) for chosen in options}) == len(options)
