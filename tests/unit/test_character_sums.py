"""Normalized equality on Arrow buffers, compared with a reference implementation over all code points."""

import random
import sys
import unicodedata
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared import _character_sums
from metrics._shared import _normalized_forms
from metrics._shared._character_sums import character_sums
from metrics._shared._character_sums import equal_pairs
from metrics._shared._normalization import normalize_column
from metrics._shared._normalized_forms import Rules
from tests import oracles
from tests.growth import growth
from tests.unit.test_normalization_oracle import ASCII
from tests.unit.test_normalization_oracle import BEYOND

RULES: list[Rules] = [
    {"case_sensitive": case_sensitive, "normalize_text": normalize_text}
    for case_sensitive in (False, True)
    for normalize_text in (True, False)
]
every_rules = pytest.mark.parametrize("rules", RULES, ids=[" ".join(k for k in r if r[k]) or "fold" for r in RULES])  # type: ignore[literal-required]
# All assigned characters, and some unassigned ones.
CODES = [
    chr(code)
    for code in range(sys.maxunicode + 1)
    if unicodedata.category(chr(code)) not in {"Cn", "Co", "Cs"} or (code % 997 == 0 and not 0xD800 <= code < 0xE000)
]

texts = st.text(ASCII + BEYOND, max_size=8) | st.text(st.characters(codec="utf-8"), max_size=8)
changes = st.sampled_from(
    [
        str.upper,
        str.lower,
        str.swapcase,
        str.strip,
        lambda text: f"“{text}”!",
        lambda text: text.replace(" ", "\u2003 "),
    ]
)
pairs = st.lists(
    st.one_of(st.tuples(texts, texts), st.builds(lambda text, change: (text, change(text)), texts, changes)), max_size=8
)


def sums_of(strings: list[str], rules: Rules) -> np.ndarray[Any, Any]:
    return character_sums(pa.array(strings, pa.large_string()), rules)


@given(pairs, st.sampled_from(RULES))
@example([("??", "!!"), ("?", "？"), ("a\0", "A\0"), ("", ""), ("", " ")], RULES[0])
@example([("a", "A"), ("b\0", "b\0!"), ("c", "c.")], RULES[0])
@example([("5", "-5"), ("c++", "C"), (" a", "a "), ("", "x"), ("1,000", "1000")], RULES[0])
@example([("ad", "bc"), ("aad", "abc")], RULES[0])
def test_equal_pairs_equal_the_reference_implementation(given_pairs: list[tuple[str, str]], rules: Rules) -> None:
    first, second = [one for one, _ in given_pairs], [other for _, other in given_pairs]
    found = equal_pairs(pa.array(first, pa.string()), pa.array(second, pa.string()), rules)
    assert found.tolist() == oracles.equal_pairs(first, second, **rules)


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), max_size=6), st.sampled_from(RULES))
def test_one_equal_reference_among_several_is_enough(rows: list[tuple[str, list[str]]], rules: Rules) -> None:
    first, second = [one for one, _ in rows], [several for _, several in rows]
    found = equal_pairs(pa.array(first, pa.string()), pa.array(second, pa.list_(pa.string())), rules)
    expected = [
        any(oracles.equal_pairs([one] * len(several), several, **rules))
        for one, several in zip(first, second, strict=True)
    ]
    assert found.tolist() == expected


@every_rules
@pytest.mark.parametrize("context", ["{}", "a{}5", "1{0}{0}2"])
def test_normalization_preserves_the_sum_of_every_character(context: str, rules: Rules) -> None:
    strings = [context.format(character) for character in CODES[:: 1 if context == "{}" else 5]]
    forms = normalize_column(strings, **rules)
    wrong = np.flatnonzero(sums_of(strings, rules) != sums_of(forms, rules))
    assert [ascii(strings[index]) for index in wrong] == []


@every_rules
def test_normalization_preserves_the_sum_of_random_texts(rules: Rules) -> None:
    choose = random.Random(0)  # noqa: S311  # test data
    alphabets = [ASCII, ASCII + BEYOND, CODES]
    strings = ["".join(choose.choices(choose.choice(alphabets), k=choose.randint(0, 9))) for _ in range(20_000)]
    assert (sums_of(strings, rules) == sums_of(normalize_column(strings, **rules), rules)).all()


def test_different_words_have_different_sums() -> None:
    """Otherwise the sums would rule out nothing."""
    words = [f"{a}{b}{c}" for a in "abcdefghijklmnopqrstuvwxyz" for b in "aeiou" for c in "qßяn京"]
    by_letters = {"".join(sorted(word)).casefold() for word in words}
    assert len(set(sums_of(words, RULES[0]).tolist())) == len(by_letters)


@every_rules
def test_texts_differing_only_in_case_and_outer_punctuation_have_equal_forms(rules: Rules) -> None:
    choose = random.Random(2)  # noqa: S311  # test data

    def vary(text: str) -> str:
        ends = ("".join(choose.choices("\"' .!,-+", k=choose.randint(0, 2))) for _ in range(2))
        return str(getattr(text.join(ends), choose.choice(["upper", "lower", "title"]))())

    cores = ["".join(choose.choices(ASCII + "+#-.,509", k=choose.randint(0, 5))) for _ in range(10_000)]
    first, second = ([vary(core) for core in cores] for _ in range(2))
    left, right = (pa.array(side, pa.large_string()) for side in (first, second))
    found = _normalized_forms.equal_inside(left, right, rules) & (character_sums(left, rules) != 0)
    wrong = np.flatnonzero(found > np.array(oracles.equal_pairs(first, second, **rules)))
    assert [(first[index], second[index]) for index in wrong] == []
    assert found.sum() > 100


def forms_of(strings: list[str], *, case_sensitive: bool) -> list[str | None]:
    """The normal forms of strings by their code points; None if context matters or the form is empty."""
    rules: Rules = {"case_sensitive": case_sensitive, "normalize_text": True}
    forms = _normalized_forms._code_point_forms(pa.array(strings, pa.large_string()), rules).to_pylist()
    return [form.decode("utf-32-le").removesuffix("\0") or None for form in forms]


@pytest.mark.parametrize("case_sensitive", [False, True])
@pytest.mark.parametrize("context", ["{}", "a{}a", "{}5", "3{}5", "a{} b", "-{}5", "1,{}000", "e{}\u4e00"])
def test_code_point_forms_of_characters_equal_normalization(context: str, *, case_sensitive: bool) -> None:
    strings = [context.format(character) for character in CODES if character != "\0"][:: 1 if context == "a{}a" else 9]
    expected = normalize_column(strings, case_sensitive=case_sensitive)
    found = forms_of(strings, case_sensitive=case_sensitive)
    wrong = [ascii(s) for s, f, e in zip(strings, found, expected, strict=True) if f is not None and f != e]
    assert wrong == []
    if context == "e{}\u4e00":
        assert found.count(None) < len(found) / 4  # most need no Python string


@given(st.lists(texts, max_size=8), st.booleans())
def test_code_point_forms_of_texts_equal_normalization(
    strings: list[str],
    case_sensitive: bool,  # noqa: FBT001
) -> None:
    found = forms_of(strings, case_sensitive=case_sensitive)
    for form, expected in zip(found, normalize_column(strings, case_sensitive=case_sensitive), strict=True):
        assert form in {None, expected}


@pytest.mark.parametrize("case_sensitive", [False, True])
def test_code_point_forms_of_random_texts_equal_normalization(*, case_sensitive: bool) -> None:
    choose = random.Random(1)  # noqa: S311  # test data
    alphabet = (ASCII + BEYOND).replace("\0", "")
    strings = ["".join(choose.choices(alphabet, k=choose.randint(1, 6))) for _ in range(30_000)]
    found = forms_of(strings, case_sensitive=case_sensitive)
    expected = normalize_column(strings, case_sensitive=case_sensitive)
    wrong = [ascii(s) for s, f, e in zip(strings, found, expected, strict=True) if f is not None and f != e]
    assert wrong == []


FORMS: dict[str, Any] = {
    "string": lambda values: pa.array(values, pa.string()),
    "large_string": lambda values: pa.array(values, pa.large_string()),
    "string_view": lambda values: pa.array(values, pa.string_view()),
    "dictionary": lambda values: pa.array(values, pa.string()).dictionary_encode(),
    "slice": lambda values: pa.array(["é", "x", *values, "y"]).slice(2, len(values)),
    "chunked": lambda values: pa.chunked_array([values[:1], [], values[1:3], values[3:]], pa.string()),
    "no chunks": lambda values: pa.chunked_array([pa.array(values, pa.string())]),
}


@pytest.mark.parametrize("second", FORMS)
@pytest.mark.parametrize("first", FORMS)
def test_every_arrow_type_gives_equal_results(first: str, second: str) -> None:
    predictions = ["Paris", "é!", "", "東京。", "a  b", "x"]
    references = ["paris.", "É", "?", "東京", "A b", "y"]
    found = equal_pairs(FORMS[first](predictions), FORMS[second](references), RULES[0])
    assert found.tolist() == [True, True, False, True, True, False]


@pytest.mark.parametrize(
    "array",
    [
        pa.array([["x"], ["b", "A."], ["c"]]),
        pa.array([["x"], ["b", "A."], ["c"]], pa.large_list(pa.large_string())),
        pa.array([["q"], ["x"], ["b", "A."], ["c"], ["z"]]).slice(1, 3),
        pa.chunked_array([[["x"]], [["b", "A."], ["c"]]]),
        pa.array([["x", "x"], ["b", "A."], ["c", "c"]], pa.list_(pa.string(), 2)),
        pa.array([["x"], ["b", "A."], ["c"]], pa.list_(pa.dictionary(pa.int32(), pa.string()))),
    ],
    ids=["list", "large_list", "slice", "chunked", "fixed_size_list", "dictionary"],
)
def test_every_list_type_gives_equal_results(array: Any) -> None:
    assert equal_pairs(pa.array(["y", "a", "C"]), array, RULES[0]).tolist() == [False, True, True]


@given(pairs)
def test_block_size_does_not_change_results(given_pairs: list[tuple[str, str]]) -> None:
    first, second = (pa.array([pair[side] for pair in given_pairs], pa.string()) for side in (0, 1))
    whole = equal_pairs(first, second, RULES[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_character_sums, "_BATCH_ROWS", 3)
        patch.setattr(_character_sums, "_BLOCK_BYTES", 2)
        assert equal_pairs(first, second, RULES[0]).tolist() == whole.tolist()


@pytest.mark.parametrize("unit", ["Paris ", "é.", "\0", "\u0327\u0301"])
def test_time_is_linear_in_rows(unit: str) -> None:
    def make(size: int) -> tuple[pa.Array, pa.Array]:
        return pa.array([f"{unit}{row}" for row in range(size)]), pa.array([f"{row}{unit}!" for row in range(size)])

    assert growth(lambda columns: equal_pairs(*columns, RULES[0]), make, 3_000) < 1.4
