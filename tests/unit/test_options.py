"""Options: the values that each declaration accepts, the errors for all others, and functions of the user's."""

import enum
import functools
import linecache
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from answer_metrics.core.options import (
    Option,
    Options,
    check_python,
    check_version,
    declared,
    option,
    qualified_name,
    without_effect,
)


class Color(str, enum.Enum):  # noqa: UP042  # the common form before StrEnum
    RED = "red"


class Strategy(enum.Enum):
    RED = 1
    BLUE = "blue"


class Swapped(enum.Enum):
    red = "blue"


FLAG = Option("x", bool, default=False)
CHOICE = Option("x", Literal["red", "blue"], default="red")
SHARE = Option("x", float, default=0.5, low=0, high=1)
POSITIVE = Option("x", float, default=0.5, low=0, exclusive=True)
FROM_0 = Option("x", float, default=0.5, low=0)
LEVEL = Option("x", float, default=0.5, low=0, high=1, exclusive=True)
COUNT = Option("x", int, default=0, low=0)
UP_TO_20 = Option("x", int, default=1, low=1, high=20)
RANKS = Option("x", tuple[int, ...], default=(1,), low=1)
FUNCTION = Option("x", Callable[[str], str] | None, default=None)
NORMALIZER = Option("x", Literal["squad"] | Callable[[str], str] | None, default=None)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (FLAG, np.True_, True),
        (CHOICE, Color.RED, "red"),
        (CHOICE, Swapped.red, "blue"),
        (Option("x", Literal["RED"], default="RED"), Strategy.RED, "RED"),
        (RANKS, [1, np.int64(5)], (1, 5)),
        (SHARE, -0.0, 0.0),  # equal thresholds must have equal signatures
        (SHARE, Fraction(1, 3), 1 / 3),
        (LEVEL, 5e-324, 5e-324),
        (FUNCTION, str, str),
    ],
)
def test_valid_value_becomes_plain_python(kind: Any, value: Any, expected: Any) -> None:
    result = kind.check(value)
    assert (repr(result), type(result)) == (repr(expected), type(expected))


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (FLAG, 1, "x must be True or False, got 1 (int)"),
        (CHOICE, "green", 'x must be one of "red", "blue", got \'green\' (str)'),
        (Option("x", Literal["EXACT", "ID"], "ID"), "exakt", "got 'exakt' (str); did you mean 'EXACT'?"),
        (SHARE, 1.0000001, "x must be a number between 0 and 1, got 1.0000001 (float)"),
        (SHARE, "0.5", "x must be a number between 0 and 1, got '0.5' (str)"),
        (SHARE, 10**400, "x must be a number between 0 and 1"),
        (FROM_0, -1, "x must be a number of at least 0, got -1 (int)"),
        (POSITIVE, 0, "x must be a finite number above 0, got 0 (int)"),
        (LEVEL, 1 - Fraction(1, 10**40), "x must be a number strictly between 0 and 1"),
        (COUNT, -1, "x must be an integer of at least 0, got -1 (int)"),
        (UP_TO_20, 21, "x must be an integer between 1 and 20, got 21 (int)"),
        (RANKS, 5, "x must be a list of distinct integers of at least 1, got 5 (int); give [5]"),
        (RANKS, [], "x must be a list of distinct integers of at least 1, got [] (list)"),
        (RANKS, [1, 5, 1], "x must be a list of distinct integers of at least 1, got [1, 5, 1] (list)"),
        (FUNCTION, "squad", "x must be a callable or None, got 'squad' (str)"),
        (NORMALIZER, "squat", "x must be \"squad\", a callable or None, got 'squat' (str)"),
    ],
)
def test_invalid_value_is_rejected_with_what_was_expected(kind: Any, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r"^x must be ") as caught:
        kind.check(value)
    assert message in str(caught.value)


def last_word(text: str) -> str:
    return text.rsplit(maxsplit=1)[-1]


def wrap(function: Any) -> Any:
    @functools.wraps(function)
    def inner(text: str) -> Any:
        return function(text)

    return inner


def make_truncate(length: int) -> Any:
    def truncate(text: str, length: int = length) -> str:
        return text[:length]

    return truncate


def test_only_plain_functions_can_be_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By module, name and a hash of their source. The name of a nested one does not show what it closes over."""
    assert re.fullmatch(rf"{__name__}\.last_word@[0-9a-f]{{8}}", qualified_name(last_word))
    typed: dict[str, Any] = {"__name__": "__main__"}
    exec("def clean(text):\n    return text", typed)  # as in an interpreter, which keeps no source
    # Python 3.13 keeps the code of `python -c` under the same name.
    exec(compile("def strip(text):\n    return text", "<other>", "exec"), typed)
    monkeypatch.setitem(linecache.cache, "<other>", (9, None, ["import re\n"], "<other>"))
    partial = functools.partial(last_word)
    for unnamed in (
        typed["clean"],
        typed["strip"],
        lambda text: text,
        make_truncate(3),
        wrap(last_word),
        partial,
        FLAG.check,
        "".join,
        str.lower,
    ):
        message = r"cannot be signed: a signature identifies a callable by its name and its source, .*return_signature"
        with pytest.raises(ValueError, match=message):
            qualified_name(unnamed)


def test_functions_of_one_name_with_different_code_are_signed_differently(tmp_path: Path) -> None:
    path, signed = tmp_path / "answers.py", set()
    for code in ("text.lower()", "text.upper()"):
        path.write_text(f"def clean(text):\n    return {code}\n", encoding="utf-8")
        linecache.checkcache()
        module: dict[str, Any] = {"__name__": "answers"}
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module)  # as an import
        signed |= {qualified_name(module["clean"]) for _ in range(2)}
    assert len(signed) == 2


@dataclass(frozen=True, kw_only=True)
class FuzzyOptions(Options):
    fuzzy: bool = option(False, "Be lenient.")  # as in a metric
    threshold: float = option(0.8, "How lenient.", low=0, high=1, needs=("fuzzy", True))
    mode: Literal["a", "b", "c"] = option("a", "Which.")
    depth: int = option(1, "How deep.", low=1, needs=("mode", "b", "c"))
    confidence_level: float = 0.9
    return_details: bool = True


def test_option_without_effect_is_reported_with_its_requirement() -> None:
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({"threshold": 0.9}, ["threshold has no effect without fuzzy=True"]),
        ({"threshold": 0.9, "fuzzy": True}, []),
        ({"depth": 2}, ["depth has no effect without mode='b' or mode='c'"]),
        ({"depth": 2, "mode": "c"}, []),
    ]
    for options, messages in cases:
        assert without_effect(declared(FuzzyOptions), FuzzyOptions(**options), options) == messages


def test_libraries_and_python_that_are_too_old_are_named() -> None:
    for installed, minimum in (("3.9.0", "3.9"), ("3.10.1", "3.9"), ("4.0rc1", "3.9")):
        check_version("rapidfuzz", installed, minimum)
    with pytest.raises(ImportError, match=r'rapidfuzz 3.9 or newer, found 3.8.9: pip install "rapidfuzz>=3.9"'):
        check_version("rapidfuzz", "3.8.9", "3.9")
    check_python((3, 11, 0))
    with pytest.raises(ImportError, match=r"this metric needs Python 3.11 or newer, this is Python 3.10.4"):
        check_python((3, 10, 4))
