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
    # text, its form, why
    ("", "", "nothing stays nothing"),
    ("   ", "", "white space alone is nothing"),
    ("Paris!", "paris", "case and punctuation do not count"),
    ("  New \t York\n", "new york", "white space of any kind is one space, none at the ends"),
    ("\u201cParis\u201d!", "paris", "typographic quotes are punctuation"),
    ("東京。", "東京", "so are full stops of other scripts"),
    ("¿Qué?", "qué", "and inverted ones; the accent stays"),
    ("state-of-the-art", "stateoftheart", "a hyphen between letters goes without a gap"),
    ("don't", "dont", "and so does an apostrophe"),
    ("don\u2019t", "dont", "of either form"),
    ("don\N{ACUTE ACCENT}t", "dont", "or what people type for one"),
    ("`Paris`", "paris", "ASCII's own marks that Unicode counts as symbols"),
    ("<b>Paris</b> ^~|=", "bparisb", "all of string.punctuation"),
    ("a - b", "a b", "a mark between spaces leaves one space"),
    # Invisible marks
    ("\ufeffParis", "paris", "a byte-order mark at the start of a file"),
    ("zero\N{ZERO WIDTH SPACE}width", "zerowidth", "invisible, so no word break to the eye"),
    ("Ber\N{SOFT HYPHEN}lin", "berlin", "soft hyphen"),
    ("Ber\N{WORD JOINER}lin", "berlin", "word joiner"),
    ("\N{RIGHT-TO-LEFT MARK}שלום\N{LEFT-TO-RIGHT MARK}", "שלום", "direction marks"),
    ("\N{LEFT-TO-RIGHT ISOLATE}5\N{POP DIRECTIONAL ISOLATE}", "5", "direction controls"),
    ("\N{WHITE HEART SUIT}\N{VARIATION SELECTOR-16}", "\N{WHITE HEART SUIT}", "variation selectors"),
    ("葛\U000e0100", "葛", "also the supplementary ones"),
    ("می\N{ZERO WIDTH NON-JOINER}خواهم", "می\N{ZERO WIDTH NON-JOINER}خواهم", "non-joiners stay: they change words"),
    ("-\N{ZERO WIDTH SPACE}5", "-5", "they go before the marks are judged"),
    ("1,\N{SOFT HYPHEN}000", "1000", "and before numbers are read"),
    # Unicode form
    ("cafe\N{COMBINING ACUTE ACCENT}", "café", "decomposed equals composed"),
    ("Ｔｏｋｙｏ", "tokyo", "full-width letters"),
    ("ﬁne", "fine", "ligatures"),
    ("１，０００", "1000", "full-width digits and comma"),
    ("３．５", "3.5", "full-width point"),
    (f"1{NBSP}000", "1 000", "a no-break space is a space"),
    ("10²", "10²", "a superscript is no digit of the number"),
    ("H₂O", "h₂o", "a subscript stays"),
    ("½", "½", "a fraction is not 12"),
    ("①", "①", "a circled digit stays"),
    ("㎏", "㎏", "a squared unit stays"),
    ("\N{DIAERESIS}", "\N{DIAERESIS}", "a spacing accent does not become a blank"),
    ("a\N{DIAERESIS}b", "a\N{DIAERESIS}b", "not even between letters"),
    # Case
    ("STRASSE", "strasse", "full case folding"),
    ("Straße", "strasse", "the same"),
    ("ΟΔΟΣ", "οδοσ", "the final sigma of ὁδός folds like the others"),
    ("οδος", "οδοσ", "the same"),
    # Numbers keep their value
    ("3.5", "3.5", "a decimal point stays"),
    ("3,5", "3,5", "a decimal comma stays"),
    ("1/2", "1/2", "a fraction bar stays"),
    ("10:30", "10:30", "a time"),
    ("2-3", "2-3", "a score or range"),
    ("2\N{EN DASH}3", "2-3", "whatever dash it is written with"),
    ("2\N{EM DASH}3", "2-3", "whatever dash it is written with"),
    ("2\N{MINUS SIGN}3", "2-3", "or a minus"),
    ("1,000", "1000", "grouped in threes"),
    ("12,345,678.90", "12345678.90", "in all groups, not behind the point"),
    ("$1,000", "1000", "also behind a currency sign"),
    ("-1,000", "-1000", "and behind a sign"),
    ("1,000,00", "1,000,00", "not grouped in threes throughout"),
    ("1,00", "1,00", "two digits are a decimal part"),
    ("0,125", "0,125", "a number that begins with 0 is no group but a decimal comma"),
    ("०,१२५", "०,१२५", "whatever script its 0 is of"),
    ("1234,567", "1234,567", "four digits before the comma are no group"),
    ("3.141,592", "3.141,592", "behind a point nothing is grouped"),
    ("1,0000", "1,0000", "four digits behind it neither"),
    ("3..5", "3 5", "a longer run between digits is a gap"),
    ("3...5", "3 5", "a longer run between digits is a gap"),
    ("5)(3", "5 3", "a longer run between digits is a gap"),
    ("(3)", "3", "brackets around a number go"),
    ("3.", "3", "a full stop behind a number goes"),
    ("-5", "-5", "a sign stays"),
    ("\N{MINUS SIGN}5", "-5", "in one form"),
    ("\N{HYPHEN}5", "-5", "in one form"),
    ("(-5)", "-5", "in brackets too"),
    ("\N{EN DASH}5", "5", "an en dash before a number is a list's dash"),
    ("--5", "5", "two dashes are no sign"),
    ("x = -5", "x -5", "the equals sign goes, the sign stays"),
    ("x=-5", "x -5", "written after a space"),
    ("covid-19", "covid19", "a hyphen after a letter is none"),
    ("x\N{COMBINING ACUTE ACCENT}-5", "x\N{COMBINING ACUTE ACCENT}5", "nor after an accent"),
    ("x\N{COMBINING ACUTE ACCENT}.5", "x\N{COMBINING ACUTE ACCENT}5", "the same for a decimal point"),
    ("x\N{COMBINING ACUTE ACCENT}+", "x\N{COMBINING ACUTE ACCENT}+", "and the same for a plus sign"),
    (".5", ".5", "a decimal point without a whole part"),
    ("-.5", "-.5", "with a sign"),
    ("$.5", ".5", "and behind a currency sign"),
    ("x.5", "x5", "after a letter it is no decimal point"),
    ("..5", "5", "nor after another point"),
    ("3,.5", "3 .5", "a gap between the numbers"),
    ("3+-5", "3 -5", "the sign belongs to the second number"),
    ("3--5", "3 5", "but not where a dash stands before it"),
    ("5-.5", "5 .5", "a minus after a digit is no sign"),
    ("٣٫٥", "٣٫٥", "the rules hold for the digits of all scripts"),
    # C++ and C#
    ("C++", "c++", "plus signs directly after a letter stay"),
    ("C#", "c#", "and number signs"),
    ("C++!", "c++", "and what follows goes"),
    ("C", "c", "different from both"),
    ("C ++", "c", "not after a space"),
    ("A+", "a+", "a mark"),
    ("C+-5", "c+ -5", "before a sign"),
    ("3+", "3", "after a digit a plus goes"),
    ("(C)++", "c", "nor after a bracket"),
    # Deliberate losses
    ("50%", "50", "deliberate: percent signs go"),
    ("€20", "20", "deliberate: currency signs go"),
    ("2 + 3", "2 3", "deliberate: spaced operators"),
    ("2 - 3", "2 3", "deliberate: spaced operators"),
    ("-$5", "5", "deliberate: a sign before a currency sign"),
    # A text of punctuation only does not become empty
    ("+", "+", "an answer of marks alone stays"),
    ("-", "-", "and so differs from others"),
    ("？", "?", "in its plain form"),
    (" ! ? ", "! ?", "white space collapsed"),
    ("...", "...", "an ellipsis"),
    ("…", "...", "of either form"),
    ("\0", "\0", "NUL is no blank"),
    ("a\0b", "a\0b", "and separates nothing within one text"),
    ("a\x1c\x85\u2028\u3000b", "a b", "all of Python's white space"),
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
