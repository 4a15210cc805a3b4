"""Equality of normalized columns on Arrow buffers, against normalizing both sides."""

import itertools
import random
import sys
import unicodedata
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrics._shared import _equality
from metrics._shared._equality import character_sums, equal_pairs
from metrics._shared._normalization import normalize_column
from tests import oracles

RULES = [
    {"case_sensitive": case_sensitive, "normalize_text": normalize_text}
    for case_sensitive in (False, True)
    for normalize_text in (True, False)
]
every_rules = pytest.mark.parametrize("rules", RULES, ids=[" ".join(k for k in r if r[k]) or "fold" for r in RULES])
# All assigned characters, and some unassigned ones.
CHARACTERS = [
    chr(code)
    for code in range(sys.maxunicode + 1)
    if unicodedata.category(chr(code)) not in {"Cn", "Co", "Cs"} or (code % 997 == 0 and not 0xD800 <= code < 0xE000)
]

texts = st.text(oracles.ODD_CHARACTERS, max_size=8) | st.text(st.characters(codec="utf-8"), max_size=8)
CHANGES = [
    str.upper,
    str.lower,
    str.swapcase,
    str.strip,
    lambda text: f"“{text}”!",
    lambda text: f" 'c{text},. ",
    lambda text: text.replace(" ", "\u2003 "),
    lambda text: text.replace(" ", "  "),
]
pairs = st.lists(
    st.tuples(texts, texts) | st.builds(lambda text, change: (text, change(text)), texts, st.sampled_from(CHANGES)),
    max_size=8,
)


def sums_of(strings: list[str], rules: dict[str, bool]) -> np.ndarray[Any, Any]:
    return character_sums(pa.array(strings, pa.large_string()), **rules)


@given(pairs, st.sampled_from(RULES))
@example([("??", "!!"), ("?", "？"), ("a\0", "A\0"), ("", ""), ("", " ")], RULES[0])
@example([("a", "A"), ("b\0", "b\0!"), ("c", "c.")], RULES[0])
@example([("5", "-5"), ("c++", "C"), (" a", "a "), ("", "x"), ("1,000", "1000")], RULES[0])
@example([("ad", "bc"), ("aad", "abc")], RULES[0])
def test_equal_pairs_have_equal_normal_forms(given_pairs: list[tuple[str, str]], rules: dict[str, bool]) -> None:
    first, second = [one for one, _ in given_pairs], [other for _, other in given_pairs]
    expected = oracles.equal_pairs(first, second, **rules)
    assert equal_pairs(first, second, **rules).tolist() == expected
    assert equal_pairs(pa.array(first, pa.string()), pa.array(second, pa.string()), **rules).tolist() == expected
    assert equal_pairs(first, second, exact=True).tolist() == [one == other for one, other in given_pairs]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_equality, "_BATCH_ROWS", 3)
        patch.setattr(_equality, "_BLOCK_BYTES", 2)
        assert equal_pairs(first, second, **rules).tolist() == expected


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), max_size=6), st.sampled_from(RULES))
def test_one_equal_reference_among_several_is_enough(rows: list[Any], rules: dict[str, bool]) -> None:
    rows = [(one, [*several, one.upper()] if len(several) > 1 else several) for one, several in rows]
    first, second = [one for one, _ in rows], [several for _, several in rows]
    expected = [any(oracles.equal_pairs([one] * len(several), several, **rules)) for one, several in rows]
    assert equal_pairs(first, second, **rules).tolist() == expected
    arrow = equal_pairs(pa.array(first, pa.string()), pa.array(second, pa.list_(pa.string())), **rules)
    assert arrow.tolist() == expected
    assert equal_pairs(first, second, exact=True).tolist() == [one in several for one, several in rows]


@every_rules
def test_normalization_preserves_sums(rules: dict[str, bool]) -> None:
    choose = random.Random(0)  # noqa: S311  # test data
    alphabets = [oracles.ASCII, oracles.ODD_CHARACTERS, CHARACTERS]
    strings = ["".join(choose.choices(choose.choice(alphabets), k=choose.randint(0, 9))) for _ in range(10_000)]
    strings += CHARACTERS[::3] + [f"1{character}{character}2" for character in CHARACTERS[::15]]
    wrong = np.flatnonzero(sums_of(strings, rules) != sums_of(normalize_column(strings, **rules), rules))
    assert [ascii(strings[index]) for index in wrong] == []


@every_rules
def test_differences_at_the_ends_are_decided_as_by_normalization(rules: dict[str, bool]) -> None:
    """Signs, points and plus signs at the ends may be kept."""
    choose = random.Random(2)  # noqa: S311  # test data

    def vary(text: str) -> str:
        ends = ("".join(choose.choices("\"' .!,-+", k=choose.randint(0, 2))) for _ in range(2))
        return str(getattr(text.join(ends), choose.choice(["upper", "lower", "title"]))())

    cores = ["".join(choose.choices(oracles.ASCII + "+#-.,509", k=choose.randint(0, 5))) for _ in range(5_000)]
    first, second = ([vary(core) for core in cores] for _ in range(2))
    assert equal_pairs(first, second, **rules).tolist() == oracles.equal_pairs(first, second, **rules)


def test_arrow_types_may_differ() -> None:
    predictions, references = ["Paris", "é!", "", "東京。"], ["paris", "É", "?", "京"]
    for first, second in itertools.permutations([pa.string(), pa.large_string(), pa.string_view()], 2):
        found = equal_pairs(pa.array(predictions, first), pa.array(references, second))
        assert found.tolist() == [True, True, False, False], (first, second)
