"""Normalization: cases with their reasons, a slow oracle on unusual texts; equality on Arrow buffers."""

import itertools
import random
import string
import unicodedata
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from answer_metrics.text import equality as _equality
from answer_metrics.text import normalization as _normalization
from answer_metrics.text import reference
from answer_metrics.text.equality import character_sums, equal_pairs
from answer_metrics.text.normalization import (
    INVISIBLE,
    Form,
    is_mark,
    keeps_form,
    kept_marks,
    normal_form,
    normalize,
    normalize_answers,
    normalize_column,
    normalizer_version,
)
from tests import oracles

FORMS = {
    # Case, punctuation (with typographic quotes and all of string.punctuation) and whitespace do not count.
    "": "", "Paris!": "paris", "  New \t York\n": "new york", "\u201cParis\u201d!": "paris", "don't": "dont",
    "<b>Paris</b> ^~|=": "bparisb", "a\x1c\x85\u2028\u3000b": "a b", "οδος": "οδοσ", "1\u00a0000": "1 000",
    # Invisible characters go before numbers are recognized; the zero-width non-joiner changes words and stays.
    "Ber\u00adlin": "berlin", "\u2661\ufe0f": "\u2661", "می\u200cخواهم": "می\u200cخواهم", "1,\u00ad000": "1000",
    "\u00a8": "\u00a8",  # a spacing accent does not become a space
    # Numbers keep their value: signs, points, and commas that do not group in threes.
    "2\u20133": "2-3", "1,000": "1000", "1,000,00": "1,000,00", "3.141,592": "3.141,592", "\u22125": "-5", ".5": ".5",
    "3,.5": "3 .5",
    # No signs: a list's bullet, two of them, hyphens after a letter or a combining accent.
    "\u20135": "5", "\u2212-5": "5", "covid-19": "covid19", "x\u0301-5": "x\u03015",
    # Plus signs after a letter are kept, and what is nothing but marks.
    "C++": "c++", "+": "+",
}  # fmt: skip


@pytest.mark.parametrize("text", FORMS, ids=ascii)
def test_text_has_the_documented_normal_form(text: str) -> None:
    assert normalize(text) == reference.normalize(text) == FORMS[text]
    if text.isascii() and any(map(str.isalnum, text)):  # ASCII texts take a path of their own
        assert normalize(f"é {text} é") == f"é {FORMS[text]} é"


odd_texts = st.text(oracles.ODD_CHARACTERS, max_size=12)
any_texts = st.one_of(odd_texts, st.text(st.characters(codec="utf-8"), max_size=12))
# The planes with assigned characters; the others take most of the time.
CHARACTERS = [chr(code) for code in (*range(0xD800), *range(0xE000, 0x34000), *range(0xE0000, 0xE0200))]
BASIC_PLANE = [character for character in CHARACTERS if character < "\U00010000"]


@given(text=any_texts, case_sensitive=st.booleans())
@example(text="(-5", case_sensitive=False)  # of these marks only the minus sign is kept
@example(text="\u2026-\u0308", case_sensitive=False)  # one pass is not enough
@example(text='\x1c\xa8\xb4\u20ac"\u037e\u0301#\uff0c', case_sensitive=False)  # two passes are not enough
def test_normalization_equals_the_reference(*, text: str, case_sensitive: bool) -> None:
    form = normalize(text, case_sensitive=case_sensitive)
    assert form == reference.normalize(text, case_sensitive=case_sensitive)
    assert form == " ".join(form.split()) == normalize(form, case_sensitive=case_sensitive)
    runs = reference._PUNCTUATION.finditer("".join(map(reference._shape, text)))
    spans = [run.span() for run in runs if run.lastgroup in {"suffix", "infix", "start"}]
    assert kept_marks(text) == {index for span in spans for index in range(*span)}


@pytest.mark.parametrize("alphabet", [oracles.ASCII, oracles.ODD_CHARACTERS], ids=["ascii", "unicode"])
def test_columns_of_random_texts_equal_the_reference(alphabet: str) -> None:
    choose = random.Random(alphabet)  # test data
    texts = ["".join(choose.choices(alphabet, k=choose.randint(0, 8))) for _ in range(4_000)]
    texts += [form.format(c) for c in BASIC_PLANE[:: 5 if alphabet != oracles.ASCII else 50] for form in ("{}", "1{}2")]
    forms = normalize_column(texts)
    wrong = [ascii(text) for text, form in zip(texts, forms, strict=True) if form != reference.normalize(text)]
    assert not wrong


@given(texts=st.lists(any_texts, max_size=6), case_sensitive=st.booleans(), normalize_text=st.booleans())
@example(texts=["a\0", "\0", "é"], case_sensitive=False, normalize_text=True)
@example(texts=["", "", ""], case_sensitive=False, normalize_text=True)
@example(texts=["？", "！", "é", ""], case_sensitive=False, normalize_text=True)
@example(texts=["a", "\u0301", "b"], case_sensitive=False, normalize_text=True)
@example(texts=["1", ",000"], case_sensitive=False, normalize_text=True)
def test_column_equals_single_texts(*, texts: list[str], case_sensitive: bool, normalize_text: bool) -> None:
    before, rules = list(texts), {"case_sensitive": case_sensitive, "normalize_text": normalize_text}
    assert normalize_column(texts, **rules) == [normalize(text, **rules) for text in texts]
    assert texts == before


@pytest.mark.parametrize("case_sensitive", [False, True])
def test_every_letter_is_stable_after_one_pass(*, case_sensitive: bool) -> None:
    """Texts of letters get no second pass, so none may need one, including letters that fold to several.

    All letters but the unified ideographs, which have no other form.
    """
    characters = [c for c in CHARACTERS if unicodedata.category(c)[0] == "L"]
    letters = [f"a{c}b" for c in characters if not unicodedata.name(c, "").startswith("CJK UNIFIED")]
    once = normalize_column(letters, case_sensitive=case_sensitive)
    assert normalize_column(once, case_sensitive=case_sensitive) == once


@pytest.mark.parametrize(
    ("table", "oracle"),
    [
        (is_mark, oracles.is_mark),
        (keeps_form, oracles.keeps_form),
        (lambda character: bool(INVISIBLE.match(character)), oracles.is_invisible),
    ],
    ids=["marks", "kept forms", "invisible"],
)
def test_tables_of_characters_equal_the_oracle(table: Any, oracle: Any) -> None:
    assigned = (c for c in CHARACTERS if unicodedata.category(c) not in {"Cn", "Co", "Cs"})
    assert [ascii(c) for c in assigned if table(c) != oracle(c)] == []


UNICODE_FORMS: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")
COMBINING = [c for c in CHARACTERS if all(map(unicodedata.combining, unicodedata.normalize("NFKD", c)))]
# Letters that compose, Hangul, composition exclusions, marks that decompose, half-width marks, blocking marks.
UNUSUAL = "aeAKÅ한ᄒ\u1161\u11abかガ\u0958\u2adc\ufb1d\u0344\u0340\u0f73\u0f81\uff9e\uff9f\u034f\u200d½ﬁ ½-—\U0001d15e"
runs = st.lists(st.sampled_from(COMBINING), min_size=20, max_size=70).map("".join)


@given(
    st.lists(runs | st.text(st.sampled_from(UNUSUAL), max_size=4), max_size=5).map("".join),
    st.sampled_from(UNICODE_FORMS),
)
def test_forms_of_long_runs_equal_unicodedata(text: str, form: Form) -> None:
    assert normal_form(form, text) == unicodedata.normalize(form, text)


def test_search_for_long_runs_finds_every_mark() -> None:
    """`COMBINING` has the characters that decompose to marks only, in any form: no other belongs to a run."""
    assert [ascii(mark) for mark in COMBINING if not _normalization._MAYBE_LONG_RUN.search(mark * 4)] == []


TEXT = " The  Cat's - hat, 1,000! "


@pytest.mark.parametrize(
    ("normalizer", "expected", "version"),
    [
        (None, TEXT, False),
        ("default", "the cats hat 1000", "v1"),
        ("squad", "cats hat 1000", "squad"),  # no articles, no punctuation at all
        ("triviaqa", "cat s hat 1 000", "triviaqa"),  # punctuation becomes spaces
        ("benchwise", "the cats  hat 1000", "benchwise"),  # spaces around a removed mark stay
        (str.strip, TEXT.strip(), None),
    ],
)
def test_normalizers(normalizer: Any, expected: str, version: object) -> None:
    assert normalize_answers([TEXT, ""], normalizer) == [expected, ""]
    assert normalize_answers([[TEXT], ["", TEXT]], normalizer) == [[expected], ["", expected]]
    assert normalize_answers([], normalizer) == []
    if version is not None:
        assert normalizer_version(normalizer) == version


SQUAD = st.lists(st.sampled_from(["a", "An", "THE", "the", "ana", "-", "_", ".", " ", "\n", "é", "\u0301", "1", "\0"]))


@given(st.lists(st.text() | SQUAD.map("".join) | st.sampled_from(["ΑΣ", "σΣ"]), max_size=5))
@example(["the\0a", "b"])
def test_squad_normalizer_of_a_column_equals_the_script(texts: list[str]) -> None:
    assert normalize_answers(texts, "squad") == list(map(oracles.squad_normalized, texts))


RULES = [
    {"case_sensitive": case_sensitive, "normalize_text": normalize_text}
    for case_sensitive in (False, True)
    for normalize_text in (True, False)
]
every_rules = pytest.mark.parametrize("rules", RULES, ids=[" ".join(k for k in r if r[k]) or "fold" for r in RULES])
# All assigned characters, and some unassigned ones.
ASSIGNED = [c for c in CHARACTERS if unicodedata.category(c) not in {"Cn", "Co"} or ord(c) % 997 == 0]

texts = st.text(oracles.ODD_CHARACTERS, max_size=8) | st.text(st.characters(codec="utf-8"), max_size=8)
CHANGES = [
    str.upper, str.lower, str.swapcase, str.strip, lambda text: f"“{text}”!", lambda text: f" 'c{text},. ",
    lambda text: text.replace(" ", "\u2003 "), lambda text: text.replace(" ", "  "),
]  # fmt: skip
changed_pairs = st.lists(
    st.tuples(texts, texts) | st.builds(lambda text, change: (text, change(text)), texts, st.sampled_from(CHANGES)),
    max_size=8,
)


def reference_equality(first: list[str], second: list[str], rules: dict[str, bool]) -> list[bool]:
    return [reference.is_equal(text, other, **rules) for text, other in zip(first, second, strict=True)]


def sums_of(strings: list[str], rules: dict[str, bool]) -> np.ndarray[Any, Any]:
    return character_sums(pa.array(strings, pa.large_string()), **rules)


@given(changed_pairs, st.sampled_from(RULES))
@example([("??", "!!"), ("?", "？"), ("a\0", "A\0"), ("", ""), ("", " ")], RULES[0])
@example([("a", "A"), ("b\0", "b\0!"), ("c", "c.")], RULES[0])
@example([("5", "-5"), ("c++", "C"), (" a", "a "), ("", "x"), ("1,000", "1000")], RULES[0])
@example([("ad", "bc"), ("aad", "abc")], RULES[0])
def test_equal_pairs_have_equal_normal_forms(pairs: list[tuple[str, str]], rules: dict[str, bool]) -> None:
    first, second = [first for first, _ in pairs], [second for _, second in pairs]
    expected = reference_equality(first, second, rules)
    assert equal_pairs(first, second, **rules).tolist() == expected
    assert equal_pairs(pa.array(first, pa.string()), pa.array(second, pa.string()), **rules).tolist() == expected
    assert equal_pairs(first, second, exact=True).tolist() == [first == second for first, second in pairs]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_equality, "_BATCH_ROWS", 3)
        patch.setattr(_equality, "_BLOCK_BYTES", 2)
        assert equal_pairs(first, second, **rules).tolist() == expected


@every_rules
def test_every_mark_counts_in_long_columns_as_in_short_ones(rules: dict[str, bool]) -> None:
    marks = [*string.punctuation, "«", "…", "—", "’", "。", "\u00ad", "\u200b", "°", "№", "€", "🙂"]
    pairs = [pair for mark in marks for pair in ((f"C{mark}", "C"), (f"{mark}C", "C"), (f"a{mark}b", "ab"), (mark, ""))]
    first, second = map(list, zip(*pairs, strict=True))
    expected = reference_equality(first, second, rules)
    assert equal_pairs(first, second, **rules).tolist() == expected
    assert equal_pairs(second, first, **rules).tolist() == expected


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), max_size=6), st.sampled_from(RULES))
def test_one_equal_reference_among_several_is_enough(rows: list[Any], rules: dict[str, bool]) -> None:
    rows = [(text, [*several, text.upper()] if len(several) > 1 else several) for text, several in rows]
    first, second = [text for text, _ in rows], [several for _, several in rows]
    expected = [any(reference_equality([text] * len(several), several, rules)) for text, several in rows]
    assert equal_pairs(first, second, **rules).tolist() == expected
    arrow = equal_pairs(pa.array(first, pa.string()), pa.array(second, pa.list_(pa.string())), **rules)
    assert arrow.tolist() == expected
    assert equal_pairs(first, second, exact=True).tolist() == [text in several for text, several in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_equality, "_BATCH_ROWS", 2)
        for kind, in_list in itertools.product((pa.string(), pa.large_string()), (pa.list_, pa.large_list)):
            owners = pa.array(["x", *first], kind)[1:]
            lists = pa.array([["x", "y"], *second], in_list(kind))[1:]  # which begins at an offset
            pieces = pa.chunked_array([lists[:1], lists[1:]], lists.type)
            for others in (lists, pieces):
                assert equal_pairs(owners, others, **rules).tolist() == expected


@every_rules
def test_normalization_preserves_sums(rules: dict[str, bool]) -> None:
    choose = random.Random(0)  # test data
    alphabets = [oracles.ASCII, oracles.ODD_CHARACTERS, ASSIGNED]
    strings = ["".join(choose.choices(choose.choice(alphabets), k=choose.randint(0, 9))) for _ in range(4_000)]
    strings += ASSIGNED[::3] + [f"1{character}{character}2" for character in ASSIGNED[::15]]
    letters = [*"abé東京5"]
    assert len(set(sums_of(letters, rules).tolist()) - {0}) == len(letters)  # else all texts would be normalized
    wrong = np.flatnonzero(sums_of(strings, rules) != sums_of(normalize_column(strings, **rules), rules))
    assert [ascii(strings[index]) for index in wrong] == []
