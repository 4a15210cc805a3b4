"""Kinds of options: the values that each accepts and the errors for all others."""

import enum
import functools
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated
from typing import Any

import numpy as np
import pytest

from metrics._shared._options import Choice
from metrics._shared._options import Flag
from metrics._shared._options import Function
from metrics._shared._options import Integer
from metrics._shared._options import Number
from metrics._shared._options import ScoringOptions
from metrics._shared._options import did_you_mean
from metrics._shared._options import option_kinds
from metrics._shared._options import qualified_name
from metrics._shared._options import without_effect


class Color(str, enum.Enum):  # noqa: UP042  # the common form before StrEnum
    RED = "red"


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        (Flag(), True, True),
        (Flag(), np.True_, True),
        (Flag(), np.False_, False),
        (Choice("red", "blue"), "red", "red"),
        (Choice("red", "blue"), Color.RED, "red"),
        (Choice("red", "blue"), np.str_("blue"), "blue"),
        (Number(0, 1), 0, 0.0),
        (Number(0, 1), 1, 1.0),
        (Number(0, 1), 0.5, 0.5),
        (Number(0, 1), np.float32(0.5), 0.5),
        (Number(0, 1), np.float64(0.1), 0.1),
        (Number(0, 1), np.int64(1), 1.0),
        (Number(0, 1), Fraction(1, 3), 1 / 3),
        (Number(0), 1e300, 1e300),
        (Number(0, 1, exclusive=True), 5e-324, 5e-324),
        (Integer(0), 0, 0),
        (Integer(0), 2**200, 2**200),
        (Integer(1, 20), np.int32(20), 20),
        (Function(), None, None),
        (Function(), len, len),
        (Function(), str, str),
        (Function("squad"), "squad", "squad"),
    ],
)
def test_valid_value_becomes_plain_python(option: Any, value: Any, expected: Any) -> None:
    result = option.check("x", value)
    assert result == expected
    assert type(result) is type(expected)


def test_negative_zero_becomes_zero() -> None:
    """Equal thresholds must have equal signatures."""
    assert math.copysign(1.0, Number(0, 1).check("x", -0.0)) == 1.0


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (Flag(), 1, "x must be True or False, got 1 (int)"),
        (Flag(), "yes", "x must be True or False, got 'yes' (str)"),
        (Flag(), None, "x must be True or False, got None (NoneType)"),
        (Flag(), np.array([True]), "x must be True or False"),
        (Choice("red", "blue"), "green", 'x must be one of "red", "blue", got \'green\' (str)'),
        (Choice("red", "blue"), "RED", "x must be one of"),
        (Choice("red", "blue"), None, "x must be one of"),
        (Choice("red", "blue"), ["red"], "x must be one of"),
        (Choice("red", "blue"), np.array(["red", "blue"]), "x must be one of"),
        (Number(0, 1), 1.0000001, "x must be a number between 0 and 1, got 1.0000001 (float)"),
        (Number(0, 1), -5e-324, "x must be a number between 0 and 1"),
        (Number(0, 1), math.nan, "x must be a number between 0 and 1, got nan (float)"),
        (Number(0, 1), np.float64("nan"), "x must be a number between 0 and 1"),
        (Number(0, 1), math.inf, "x must be a number between 0 and 1"),
        (Number(0, 1), True, "x must be a number between 0 and 1, got True (bool)"),
        (Number(0, 1), np.True_, "x must be a number between 0 and 1"),
        (Number(0, 1), "0.5", "x must be a number between 0 and 1, got '0.5' (str)"),
        (Number(0, 1), None, "x must be a number between 0 and 1, got None (NoneType)"),
        (Number(0, 1), 1j, "x must be a number between 0 and 1"),
        (Number(0, 1), Decimal("0.5"), "x must be a number between 0 and 1"),
        (Number(0, 1), np.array([0.5]), "x must be a number between 0 and 1"),
        (Number(0, 1), 10**400, "x must be a number between 0 and 1"),
        (Number(0), 10**400, "x must be a number of at least 0"),
        (Number(0), -1, "x must be a number of at least 0, got -1 (int)"),
        (Number(0, exclusive=True), 0, "x must be a finite number above 0, got 0 (int)"),
        (Number(0, exclusive=True), math.inf, "x must be a finite number above 0, got inf (float)"),
        (Number(0, 1, exclusive=True), 0, "x must be a number strictly between 0 and 1, got 0 (int)"),
        (Number(0, 1, exclusive=True), 1.0, "x must be a number strictly between 0 and 1"),
        (Number(0, 1, exclusive=True), Fraction(1, 10**400), "x must be a number strictly between 0 and 1"),
        (Number(0, 1, exclusive=True), 1 - Fraction(1, 10**40), "x must be a number strictly between 0 and 1"),
        (Integer(0), -1, "x must be an integer of at least 0, got -1 (int)"),
        (Integer(0), 1.0, "x must be an integer of at least 0, got 1.0 (float)"),
        (Integer(0), True, "x must be an integer"),
        (Integer(0), None, "x must be an integer"),
        (Integer(1, 20), 21, "x must be an integer between 1 and 20, got 21 (int)"),
        (Function(), "squad", "x must be a callable or None, got 'squad' (str)"),
        (Function("squad"), "squat", "x must be \"squad\", a callable or None, got 'squat' (str)"),
        (Function("squad"), 3, 'x must be "squad", a callable or None, got 3 (int)'),
    ],
)
def test_invalid_value_is_rejected_with_what_was_expected(option: Any, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r"^x must be ") as caught:
        option.check("x", value)
    assert message in str(caught.value)


def test_long_values_are_shortened_in_messages() -> None:
    """Up to 80 characters, enough for a URL or a model name, are shown in full."""
    name = "x" * (80 - len("''"))
    for option in (Choice("red", "blue"), Number(0, 1), Function()):
        with pytest.raises(ValueError, match=rf" got '{name}' \(str\)$"):
            option.check("x", name)
        with pytest.raises(ValueError, match=r" got '(x*)\.\.\.(x*)' \(str\)$") as caught:
            option.check("x", name + "x")
        assert len(str(caught.value).partition(" got ")[2]) == 80 + len(" (str)")


def last_word(text: str) -> str:
    return text.rsplit(maxsplit=1)[-1]


def wrap(function: Any) -> Any:
    @functools.wraps(function)
    def inner(text: str) -> str:
        result: str = function(text)
        return result

    return inner


class Extractor:
    def __call__(self, text: str) -> str:
        return text

    def method(self, text: str) -> str:
        return text

    @staticmethod
    def static(text: str) -> str:
        return text


def test_top_level_function_is_named_by_module_and_qualified_name() -> None:
    assert qualified_name(last_word) == f"{__name__}.last_word"
    assert qualified_name(Extractor.static) == f"{__name__}.Extractor.static"
    assert qualified_name(str.lower) == "builtins.str.lower"


def test_callable_without_a_unique_name_cannot_be_signed() -> None:
    def local(text: str) -> str:
        return text

    def make_truncate(length: int) -> Any:
        def truncate(text: str, length: int = length) -> str:
            return text[:length]

        return truncate

    for function in (
        lambda text: text,
        local,
        make_truncate(3),  # its name does not show the length
        wrap(last_word),
        functools.partial(last_word),
        Extractor(),
        Extractor().method,
    ):
        with pytest.raises(ValueError, match=r"cannot be signed.*return_signature"):
            qualified_name(function)


@dataclass(frozen=True, kw_only=True)
class Options(ScoringOptions):
    fuzzy: Annotated[bool, Flag(help="Be lenient.")] = False
    threshold: Annotated[float, Number(0, 1, help="How lenient.", requires=("fuzzy", True))] = 0.8
    mode: Annotated[str, Choice("a", "b", "c")] = "a"
    depth: Annotated[int, Integer(1, requires=("mode", "b", "c"))] = 1
    return_details: bool = True


def test_overridden_default_keeps_the_kind_of_the_base_class() -> None:
    kinds = option_kinds(Options)
    assert list(kinds)[:4] == ["fuzzy", "threshold", "mode", "depth"]
    assert list(kinds)[4:] == list(option_kinds(ScoringOptions))
    assert isinstance(kinds["return_details"], Flag)
    assert kinds["threshold"].help == "How lenient."


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        ({}, []),
        ({"threshold": 0.9}, ["threshold has no effect without fuzzy=True"]),
        ({"threshold": 0.9, "fuzzy": True}, []),
        ({"depth": 2}, ["depth has no effect without mode='b' or mode='c'"]),
        ({"depth": 2, "mode": "c"}, []),
        ({"confidence_level": 0.9}, ["confidence_level has no effect without return_confidence=True"]),
    ],
)
def test_option_without_effect_is_reported_with_its_requirement(given: dict[str, Any], messages: list[str]) -> None:
    assert without_effect(option_kinds(Options), given, Options(**given)) == messages


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("fuzzy_treshold", ["fuzzy_threshold", "fuzzy_match"], "; did you mean 'fuzzy_threshold'?"),
        ("Return_Details", ["return_details"], "; did you mean 'return_details'?"),
        ("details", ["return_confidence"], ""),
    ],
)
def test_misspelled_option_gets_a_suggestion(name: str, known: list[str], hint: str) -> None:
    assert did_you_mean(name, known) == hint


class Strategy(enum.Enum):
    RED = 1
    BLUE = "blue"


def test_enum_member_is_accepted_by_value_or_name() -> None:
    assert Choice("RED", "blue").check("x", Strategy.RED) == "RED"
    assert Choice("RED", "blue").check("x", Strategy.BLUE) == "blue"
    with pytest.raises(ValueError, match=r"got <Strategy\.RED: 1>"):
        Choice("green").check("x", Strategy.RED)
