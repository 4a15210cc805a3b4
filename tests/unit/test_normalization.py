"""Normalization: a table of cases with their reasons, and texts that take unusual paths through the code."""

import pytest

from metrics._shared import _punctuation
from metrics._shared._normalization import apply_batched
from metrics._shared._normalization import normalize
from metrics._shared._normalization import normalize_column
from metrics._shared._punctuation import kept_marks
from tests import oracles

NBSP = "\N{NO-BREAK SPACE}"
FORMS = [
    # text, normal form, reason
    ("", "", "empty text stays empty"),
    ("   ", "", "whitespace only becomes empty"),
    ("Paris!", "paris", "case and punctuation do not count"),
    ("  New \t York\n", "new york", "whitespace is collapsed and stripped"),
    ("\u201cParis\u201d!", "paris", "typographic quotes are punctuation"),
    ("東京。", "東京", "punctuation of other scripts"),
    ("¿Qué?", "qué", "inverted question mark is removed, accent is kept"),
    ("state-of-the-art", "stateoftheart", "hyphen between letters is removed"),
    ("don't", "dont", "apostrophe is removed"),
    ("don\u2019t", "dont", "typographic apostrophe is removed"),
    ("don\N{ACUTE ACCENT}t", "dont", "acute accent used as an apostrophe"),
    ("`Paris`", "paris", "backquotes, which are symbols in Unicode"),
    ("<b>Paris</b> ^~|=", "bparisb", "all of string.punctuation"),
    ("a - b", "a b", "punctuation between spaces leaves one space"),
    # Invisible characters
    ("\ufeffParis", "paris", "a byte-order mark at the start of a file"),
    ("zero\N{ZERO WIDTH SPACE}width", "zerowidth", "zero-width space"),
    ("Ber\N{SOFT HYPHEN}lin", "berlin", "soft hyphen"),
    ("Ber\N{WORD JOINER}lin", "berlin", "word joiner"),
    ("\N{RIGHT-TO-LEFT MARK}שלום\N{LEFT-TO-RIGHT MARK}", "שלום", "direction marks"),
    ("\N{LEFT-TO-RIGHT ISOLATE}5\N{POP DIRECTIONAL ISOLATE}", "5", "direction controls"),
    ("\N{WHITE HEART SUIT}\N{VARIATION SELECTOR-16}", "\N{WHITE HEART SUIT}", "variation selectors"),
    ("葛\U000e0100", "葛", "supplementary variation selectors"),
    (
        "می\N{ZERO WIDTH NON-JOINER}خواهم",
        "می\N{ZERO WIDTH NON-JOINER}خواهم",
        "zero-width non-joiner is kept: it changes words",
    ),
    ("-\N{ZERO WIDTH SPACE}5", "-5", "removed before signs are recognized"),
    ("1,\N{SOFT HYPHEN}000", "1000", "removed before numbers are recognized"),
    # Unicode form
    ("cafe\N{COMBINING ACUTE ACCENT}", "café", "decomposed equals composed"),
    ("Ｔｏｋｙｏ", "tokyo", "full-width letters"),
    ("ﬁne", "fine", "ligatures"),
    ("１，０００", "1000", "full-width digits and comma"),
    ("３．５", "3.5", "full-width point"),
    (f"1{NBSP}000", "1 000", "no-break space is a space"),
    ("10²", "10²", "superscript is not a digit of the number"),
    ("H₂O", "h₂o", "subscript is kept"),
    ("½", "½", "fraction is kept"),
    ("①", "①", "circled digit is kept"),
    ("㎏", "㎏", "squared unit is kept"),
    ("\N{DIAERESIS}", "\N{DIAERESIS}", "spacing accent does not become a space"),
    ("a\N{DIAERESIS}b", "a\N{DIAERESIS}b", "spacing accent between letters is kept"),
    # Case
    ("STRASSE", "strasse", "full case folding"),
    ("Straße", "strasse", "sharp s folds to ss"),
    ("ΟΔΟΣ", "οδοσ", "capital sigma"),
    ("οδος", "οδοσ", "final sigma folds like any sigma"),
    # Numbers keep their value
    ("3.5", "3.5", "decimal point is kept"),
    ("3,5", "3,5", "decimal comma is kept"),
    ("1/2", "1/2", "fraction bar is kept"),
    ("10:30", "10:30", "colon of a time is kept"),
    ("2-3", "2-3", "hyphen of a score or range is kept"),
    ("2\N{EN DASH}3", "2-3", "en dash between digits becomes a hyphen"),
    ("2\N{EM DASH}3", "2-3", "em dash between digits becomes a hyphen"),
    ("2\N{MINUS SIGN}3", "2-3", "minus sign between digits becomes a hyphen"),
    ("1,000", "1000", "thousands separator is removed"),
    ("12,345,678.90", "12345678.90", "all thousands separators are removed"),
    ("$1,000", "1000", "thousands separator after a currency sign"),
    ("-1,000", "-1000", "thousands separator after a minus sign"),
    ("1,000,00", "1,000,00", "groups of different sizes are not thousands"),
    ("1,00", "1,00", "two digits after a comma are decimals"),
    ("0,125", "0,125", "comma after a leading 0 is a decimal comma"),
    ("०,१२५", "०,१२५", "comma after a leading 0 in another script"),
    ("1234,567", "1234,567", "four digits before a comma are not a group"),
    ("3.141,592", "3.141,592", "no thousands separators among decimals"),
    ("1,0000", "1,0000", "four digits after a comma are not a group"),
    ("3..5", "3 5", "two marks between digits become a space"),
    ("3...5", "3 5", "three marks between digits become a space"),
    ("5)(3", "5 3", "parentheses between digits become a space"),
    ("(3)", "3", "parentheses around a number are removed"),
    ("3.", "3", "period after a number is removed"),
    ("-5", "-5", "minus sign is kept"),
    ("\N{MINUS SIGN}5", "-5", "Unicode minus sign becomes a hyphen"),
    ("\N{HYPHEN}5", "-5", "Unicode hyphen becomes a hyphen"),
    ("(-5)", "-5", "minus sign in parentheses is kept"),
    ("\N{EN DASH}5", "5", "en dash before a number is a list bullet"),
    ("--5", "5", "two hyphens are not a sign"),
    ("x = -5", "x -5", "equals sign is removed, minus sign is kept"),
    ("x=-5", "x -5", "minus sign after an equals sign gets a space"),
    ("covid-19", "covid19", "hyphen after a letter is not a sign"),
    ("x\N{COMBINING ACUTE ACCENT}-5", "x\N{COMBINING ACUTE ACCENT}5", "hyphen after a combining accent is not a sign"),
    (
        "x\N{COMBINING ACUTE ACCENT}.5",
        "x\N{COMBINING ACUTE ACCENT}5",
        "point after a combining accent is not a decimal point",
    ),
    ("x\N{COMBINING ACUTE ACCENT}+", "x\N{COMBINING ACUTE ACCENT}+", "plus sign after a combining accent is kept"),
    (".5", ".5", "decimal point without an integer part"),
    ("-.5", "-.5", "decimal point after a minus sign"),
    ("$.5", ".5", "decimal point after a currency sign"),
    ("x.5", "x5", "point after a letter is not a decimal point"),
    ("..5", "5", "two points are not a decimal point"),
    ("3,.5", "3 .5", "comma between two numbers becomes a space"),
    ("3+-5", "3 -5", "minus sign of the second number is kept"),
    ("3--5", "3 5", "two hyphens between digits are not a sign"),
    ("5-.5", "5 .5", "hyphen after a digit is not a sign"),
    ("٣٫٥", "٣٫٥", "decimal separator of another script"),
    # C++ and C#
    ("C++", "c++", "plus signs directly after a letter are kept"),
    ("C#", "c#", "number sign directly after a letter is kept"),
    ("C++!", "c++", "punctuation after C++ is removed"),
    ("C", "c", "C differs from C++ and C#"),
    ("C ++", "c", "plus signs after a space are removed"),
    ("A+", "a+", "grade with a plus sign"),
    ("C+-5", "c+ -5", "plus sign before a negative number"),
    ("3+", "3", "plus sign after a digit is removed"),
    ("(C)++", "c", "plus signs after a parenthesis are removed"),
    # Differences that are ignored
    ("50%", "50", "percent sign is removed"),
    ("€20", "20", "currency sign is removed"),
    ("2 + 3", "2 3", "plus operator between spaces is removed"),
    ("2 - 3", "2 3", "minus operator between spaces is removed"),
    ("-$5", "5", "minus sign before a currency sign is removed"),
    # A text of punctuation only does not become empty
    ("+", "+", "punctuation only is kept"),
    ("-", "-", "hyphen differs from plus"),
    ("？", "?", "full-width question mark is unified"),
    (" ! ? ", "! ?", "whitespace between marks is collapsed"),
    ("...", "...", "three periods"),
    ("…", "...", "ellipsis character"),
    ("\0", "\0", "NUL is not whitespace"),
    ("a\0b", "a\0b", "NUL does not split a text"),
    ("a\x1c\x85\u2028\u3000b", "a b", "all whitespace characters of Python"),
]


@pytest.mark.parametrize(
    ("text", "form", "reason"), FORMS, ids=[ascii(f"{row[0]} {row[2]}").replace("\\", "%") for row in FORMS]
)
def test_text_has_the_documented_normal_form(text: str, form: str, reason: str) -> None:
    assert normalize(text) == form, reason
    assert oracles.normalize(text) == form, f"the oracle: {reason}"


def test_column_normalizes_like_single_texts() -> None:
    assert normalize_column([text for text, _, _ in FORMS]) == [form for _, form, _ in FORMS]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3.5", "35"),
        ("1/2", "12"),
        ("10:30", "1030"),
        ("-5", "5"),
        (".5", "5"),
        ("C++", "C#"),
        ("C++", "C"),
        ("10²", "102"),
        ("½", "12"),
        ("①", "1"),
        ("+", "-"),
        ("?", "!"),
        ("1,5", "15"),
        ("2-3", "23"),
        ("3..5", "35"),
        ("café", "cafe"),
        ("New York", "NewYork"),
        ("+", ""),
        ("2019-20", "201920"),
    ],
)
def test_different_answers_stay_different(one: str, other: str) -> None:
    assert normalize(one) != normalize(other)


@pytest.mark.parametrize(
    ("text", "with_case", "raw", "raw_with_case"),
    [
        (" Paris! ", "Paris", "paris!", "Paris!"),
        ("Straße.", "Straße", "strasse.", "Straße."),
        ("A  B", "A B", "a  b", "A  B"),
        ("\u3000ＡＢ\n", "AB", "\N{FULLWIDTH LATIN SMALL LETTER A}\N{FULLWIDTH LATIN SMALL LETTER B}", "ＡＢ"),
        ("?!", "?!", "?!", "?!"),
    ],
)
def test_case_and_normalization_are_independent(text: str, with_case: str, raw: str, raw_with_case: str) -> None:
    assert normalize(text, case_sensitive=True) == with_case
    assert normalize(text, normalize_text=False) == raw
    assert normalize(text, normalize_text=False, case_sensitive=True) == raw_with_case


def test_ascii_column_keeps_case_if_case_sensitive() -> None:
    assert normalize_column(["The U.S.A.!", "Mr. -5", "?"], case_sensitive=True) == ["The USA", "Mr -5", "?"]


def test_empty_column_stays_empty() -> None:
    assert normalize_column([]) == []
    assert normalize_column([], normalize_text=False) == []


def test_column_is_not_changed() -> None:
    texts = ["A!", "É!", ""]
    normalize_column(texts)
    assert texts == ["A!", "É!", ""]


@pytest.mark.parametrize(
    ("text", "index", "kept"),
    [
        ("3.5", 1, True),
        ("3.", 1, False),
        ("c++", 1, True),
        ("c++", 2, True),
        ("c ++", 2, False),
        ("c++.", 2, True),
        ("c++.", 3, False),
        ("(-5", 0, False),
        ("(-5", 1, True),
        ("c+-5", 1, True),
        ("c+-5", 2, True),
        ("-.5", 0, True),
        ("3/5", 1, True),
        ("-5", 0, True),
        ("a-5", 1, False),
        ("(5", 0, False),
        ("..5", 1, False),
        (".5", 0, True),
        ("5 京", 1, False),
        ("abc", 1, False),
        ("don't", 3, False),
        ("\0-5", 1, True),
    ],
)
def test_marks_inside_numbers_and_names_are_kept(text: str, index: int, *, kept: bool) -> None:
    assert (index in kept_marks(text)) == kept


@pytest.mark.parametrize("texts", [["？", "！"], ["é", "？"], ["？", "é"], ["？"], ["？", "！", "。"]])
def test_short_columns_lose_no_text(texts: list[str]) -> None:
    assert normalize_column(texts) == [normalize(text) for text in texts]
    assert all(normalize_column(texts))


def test_text_with_nul_does_not_affect_the_other_texts() -> None:
    calls: list[int] = []

    def one_pass(joined: str, count: int) -> list[str]:
        calls.append(count)
        return joined.split("\0") if count > 1 else [joined]

    texts = ["a", "b\0c", *map(str, range(1000)), "\0"]
    assert apply_batched(one_pass, texts) == ["a", "b\0c", *map(str, range(1000)), "\0"]
    assert calls == [1003, 1, 1]


def test_long_runs_of_marks_are_not_cached() -> None:
    """Otherwise a thousand runs of a megabyte each would stay in memory."""
    before = _punctuation._kept_from_short_run.cache_info().currsize
    for length in range(1_000, 1_100):
        assert normalize(f"x{'.' * length}y") == "xy"
    assert _punctuation._kept_from_short_run.cache_info().currsize == before
