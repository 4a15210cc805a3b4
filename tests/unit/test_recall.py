"""Token recall: the examples of docs/accuracy.md, explanations, columns, and laws that hold for every text."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics.matching.recall import recall, recall_column
from answer_metrics.matching.words import FUNCTION_WORDS
from tests.conftest import ROOT
from tests.grids import commitment

HEADER = "| rule | right: reference in prediction | wrong |\n| --- | --- | --- |\n"


def documented() -> Iterator[tuple[str, str, str, bool]]:
    """Yield reference, prediction, question and verdict of each example in docs/accuracy.md."""
    document = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    for row in document.partition(HEADER)[2].partition("\n\n")[0].splitlines():
        for cell, right in zip(row.split("|")[2:4], (True, False), strict=True):
            for example in cell.split(";"):
                text, _, question = example.partition("if asked")
                reference, *predictions = re.findall(r"`([^`]+)`", text) or [""]
                yield from ((reference, prediction, question.strip(" `"), right) for prediction in predictions)


EXAMPLES = list(documented())
PHRASES = [text for reference, prediction, *_ in EXAMPLES for text in (reference, prediction)]


def test_documented_examples_hold() -> None:
    assert len(EXAMPLES) > 50
    assert [row for row in EXAMPLES if recall(row[0], row[1], question=row[2]).right is not row[3]] == []


def test_explanation_names_found_and_missing_words() -> None:
    reference, prediction = "Wilhelm Conrad Röntgen", "It went to Wilhelm Röntgen in 1901."
    result = recall(reference, prediction)
    assert [reference[start:end] for start, end in result.found] == ["Wilhelm", "Röntgen"]
    assert [reference[start:end] for start, end in result.missing] == ["Conrad"]
    assert [prediction[start:end] for start, end in result.evidence] == ["Wilhelm", "Röntgen"]
    assert (result.share, result.right, result.reason) == (2 / 3, True, "")
    assert recall("no", "You do not need one.").evidence == ((7, 10),)


@pytest.mark.parametrize(
    ("written", "short"),
    [
        ("Mister Rogers", "Mr. Rogers"), ("Lieutenant Dan", "Lt. Dan"), ("Sergeant Pepper", "Sgt Pepper"),
        ("Ken Griffey Junior", "Ken Griffey Jr."), ("Apple Incorporated", "Apple Inc."), ("Doctor No", "Dr. No"),
        ("Muhammad Ali", "Mohammed Ali"),
    ],
)  # fmt: skip
def test_a_name_is_its_short_form(written: str, short: str) -> None:
    assert [recall(*pair).reason for pair in ((written, short), (short, f"I'd say {written}, of 1962."))] == ["", ""]
    assert recall(written, f"The answer is {short}.").right


@pytest.mark.parametrize(("reference", "opposite"), [("true", "False"), ("False", "true")])
@pytest.mark.parametrize(
    "says",
    [
        {"true": "Yes, it is.", "false": "No."},
        {"true": "Indeed.", "false": "That is incorrect."},
        {"true": "Paris is the capital.", "false": "Paris isn't the capital."},
    ],
)
def test_true_is_yes(reference: str, opposite: str, says: dict[str, str]) -> None:
    question = "Is Paris the capital?"
    assert recall(reference, says[reference.lower()], question=question).right
    assert not recall(opposite, says[reference.lower()], question=question).right
    question = f"not ({opposite}) and (True) is"
    assert recall(reference, f"not ({opposite}) and (True): we get {reference}", question=question).right


@pytest.mark.parametrize(
    ("reference", "prediction", "reason", "share"),
    [
        ("1998", "1999", "number", 0.0),
        ("Barack Obama", "Michelle Obama", "other name", 0.5),
        ("direct rule", "indirect rule", "opposite", 0.5),
        ("Paris", "not Paris", "denied", 0.0),
        ("Paris", "It is not necessarily Paris.", "denied", 0.0),
        ("US", "They told us it was Canada.", "share", 0.0),
        ("", "Rome", "empty", 0.0),
        ("Paris", "", "share", 0.0),
        # Common words next to a name count half: 1 / (1 + 0.5 + 0.5).
        ("the drama series Gunsmoke", "Gunsmoke", "", 0.5),
    ],
)
def test_reason_says_which_rule_refuses(reference: str, prediction: str, reason: str, share: float) -> None:
    result = recall(reference, prediction)
    assert (result.reason, result.share, result.right) == (reason, share, not reason)


PAIRS = """hyper|hypo tension, glycemia, tonic; inter|intra state, net; macro|micro scope, economics; endo|exo thermic;
    di|mon oxide; mono|poly gamy, chrome; ex|in clude, ternal; de|in crease, flation; pre|post natal; meta|para phase;
    |un stable, known; |in visible, direct; |im possible; |il legal; |ir regular; |a symmetric; |non linear;
    |anti clockwise"""
ENDINGS = "chlor, nitr ate|ite|ide; hope, use ful|less"
LISTED = (
    "kinetic potential, convex concave, covalent ionic, early late, systolic diastolic, north south, Iran Iraq, Mr Mrs"
)


def exclusive() -> Iterator[tuple[str, str]]:
    for group in PAIRS.split(";"):
        prefixes, _, rests = group.strip().partition(" ")
        for rest in rests.split(", "):
            yield from itertools.permutations((prefix + rest for prefix in prefixes.split("|")), 2)
    for group in ENDINGS.split(";"):
        bases, _, endings = group.strip().rpartition(" ")
        for base in bases.split(", "):
            yield from itertools.permutations((base + ending for ending in endings.split("|")), 2)
    for group in LISTED.split(", "):
        yield from itertools.permutations(group.split(), 2)


def test_plurals_are_the_same_words() -> None:
    plurals = """pies ties lies dies toes boxes cities days bees gases eyes alumni bacteria cacti calves crises criteria
        elves fungi geese halves hooves knives larvae leaves lives loaves men mice nuclei oxen phenomena scarves shelves
        stimuli teeth thieves vertebrae wives wolves"""
    words = """pie tie lie die toe box city day bee gas eye alumnus bacterium cactus calf crisis criterion
        elf fungus goose half hoof knife larva leaf life loaf man mouse nucleus ox phenomenon scarf shelf
        stimulus tooth thief vertebra wife wolf"""
    for word, plural in zip(words.split(), plurals.split(), strict=True):
        assert recall(word, f"She saw {plural} there.").right, plural
        assert recall(plural, f"She saw a {word} there.").right, word
    for word, other in (("knife", "knits"), ("loaf", "loves"), ("calf", "caves"), ("half", "have"), ("goose", "loose")):
        assert not recall(word, f"She saw {other} there.").right, other


def test_words_that_exclude_each_other_are_no_spellings_and_not_missing_by_chance() -> None:
    """Half of the words is enough, "a pressure" for "the systolic pressure", but not "the diastolic pressure"."""
    for first, other in exclusive():
        plural = "{}" if "s" in first[-1] + other[-1] else "{}s"
        for form in ("{} part", plural, "a {} {}", "the {} of it"):
            reference, answer = form.format(first, "tissue"), form.format(other, "tissue")
            assert not recall(reference, answer).right, (reference, answer)
            assert not recall(reference.title(), answer.title()).right, (reference, answer)
            assert recall(reference, f"It is {reference}.").right, reference
    assert recall("systolic pressure", "a pressure").right


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        # Words that only begin or end like those that exclude another.
        ("aboard the Titanic", "on board the Titanic"), ("around the world", "He sailed round the world."),
        ("fell asleep", "He fell into a deep sleep."), ("await trial", "He had to wait for trial."),
        ("along the Nile", "It lies on a long stretch of the Nile."), ("import of goods", "goods arriving at the port"),
        ("Wellington's defeat of Napoleon", "Wellington beat Napoleon, a great feat"),
        ("display the scene", "The actors play the scene."), ("Sunday morning", "On Sunday, even though it rained."),
        ("long war", "The war ended shortly after Pearl Harbor."), ("late hearing loss", "hearing loss in the ear"),
        ("TV series", "TV show with parallel plots"), ("emigrated to France", "He immigrated to France."),
        # Codes, written out or with marks.
        ("I-95", "Interstate 95"), ("F1", "Formula One"), ("Q4 2020", "the 4th quarter of 2020"),
        ("BSL-4", "Biosafety level 4"), ("H2O", "H<sub>2</sub>O"), ("H2O", "$H_2O$"), ("C6H12O6", "C_6H_{12}O_6"),
        ("Ca\u00b2\u207a", "Ca2+"), ("120/80 mmHg", "120/80 mm Hg"), ("12 nm", "12 nautical miles"),
        ("10 Mb/s", "10 Mbps"), ("2019an", "2019ko"),
    ],
)  # fmt: skip
def test_what_only_looks_like_an_opposite_or_another_code_is_right(reference: str, answer: str) -> None:
    assert recall(reference, answer).right


def judged(*columns: Any, **options: Any) -> list[tuple[bool, float]]:
    return [(not decision.reason, decision.share) for decision in recall_column(*columns, **options)]


def test_threshold_is_a_tie_that_counts() -> None:
    assert recall("alpha beta", "alpha", threshold=0.5).right
    assert not recall("alpha beta", "alpha", threshold=0.51).right


def test_best_reference_decides_a_row_of_a_column() -> None:
    references = [["Rome", "Paris"], ["alpha beta gamma", "1998 alpha"], [], ["Barack Obama"], ["alpha beta", "Rome"]]
    predictions = ["It is Paris.", "alpha, 1999", "anything", "Michelle Obama", "beta"]
    expected = [(True, 1.0), (False, 0.5), (False, 0.0), (False, 0.5), (True, 0.5)]
    assert judged(predictions, references) == expected
    questions = ["Is it Rome or Paris?", "", "", "Which Obama was president?", ""]
    assert [right for right, _ in judged(predictions, references, questions=questions)] == [True] + [False] * 3 + [True]
    assert judged([], []) == []


@given(
    st.lists(st.sampled_from(PHRASES), min_size=1, max_size=3).map(" ".join),
    st.lists(st.sampled_from(PHRASES), max_size=4).map(" ".join),
    st.none() | st.sampled_from(PHRASES),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from(["en", "none"]),
)
def test_column_gives_what_each_pair_gives(
    reference: str, prediction: str, question: str | None, threshold: float, language: str
) -> None:
    whole = recall(reference, prediction, question=question, threshold=threshold, language=language)
    questions = None if question is None else [question]
    [column] = recall_column([prediction], [[reference]], questions=questions, threshold=threshold, language=language)
    assert column.share == whole.share
    # A column also asks whether the answer commits.
    assert whole.right is not bool(column.reason) or (whole.right and column.reason in {"denied", "hedged"})


TEXTS = st.text(st.sampled_from(list("aAeinorst 12359.,-'%$()/:éß東京दिTheIVX\u0301²½")), max_size=40)


@pytest.mark.parametrize("word", sorted(word for word in FUNCTION_WORDS - {"i", "than"} if len(word) < 7))
def test_acronym_that_is_a_function_word_is_no_function_word(word: str) -> None:
    """WHO and the answer A; in a text without capitals, or with no word behind it, lower case may be meant as one."""
    acronym = word.upper()
    for reference in (acronym, f"Some Long Name ({acronym})")[: len(word)]:  # a letter is no acronym
        assert not recall(reference, f"Bob said {word} here.").right
        for text in (
            f"Bob said {acronym} here.",
            f"Bob chose {word}.",
            f"Bob chose ({word}).",
            f"bob said {word} here",
        ):
            assert recall(reference, text).right, text
    assert recall(f"GONE {acronym} THE WIND", f"It is Gone {word} the Wind.").share == 1.0


@given(TEXTS | st.sampled_from(PHRASES), TEXTS | st.sampled_from(PHRASES), st.sampled_from(["en", "none"]))
def test_places_lie_within_the_texts_and_a_decision_has_a_reason(reference: str, answer: str, language: str) -> None:
    result = recall(reference, answer, language=language)
    for text, spans in ((reference, sorted(result.found + result.missing)), (answer, result.evidence)):
        assert all(0 <= start < end <= len(text) for start, end in spans)
    assert 0.0 <= result.share <= 1.0
    assert result.right is (not result.reason)


MANY = " ".join(f"q{first}{second}" for first in "abcdefghijklmno" for second in "abcdefghijklmno")


@pytest.mark.parametrize(
    ("reference", "prediction", "right"),
    [
        ("Paris " * 200, "Paris", True), ("Lyon", "Paris " * 200 + "Lyon", True),
        (MANY, MANY.replace("q", "z"), False), ("Ab", f"Zed {'of ' * 50}Ab {'of ' * 50}Qux", True),
        ("é" * 600, "é" * 600, True),
    ],
)  # fmt: skip
def test_texts_of_many_words_are_judged_like_short_ones(reference: str, prediction: str, *, right: bool) -> None:
    """Limits on how often a word is looked up keep the time linear."""
    assert recall(reference, prediction).right is right


PROSE = (
    "{} is the capital of a town in Spain.", "{} is the former capital of a town.", "{} is the rival of a town.",
    "New {} is the capital of a town in Spain.", "{} City is the capital of a town in Spain.",
    "It is unclear which town in Spain has seen {}.",
)  # fmt: skip


def test_what_is_plainly_right_is_right_by_all_rules() -> None:
    rows = [(row.prediction, row.reference) for row in commitment.rows()]
    names = ("Oslo", "copper", "Barack Obama", "New York", "the Great Plains", "doctor", "Vatican City", "Toy Story")
    rows += [(prose.format(name), name) for name in names for prose in PROSE]
    answers, references = [answer for answer, _ in rows], [[reference] for _, reference in rows]
    questions = ["Which town in Spain is it?"] * len(rows)
    by_rules, quick = (
        recall_column(answers, references, questions=questions, has_places=has_places) for has_places in (True, False)
    )
    assert sum(not decision.matches and not decision.reason for decision in quick) > 10
    pairs = zip(rows, by_rules, quick, strict=True)
    assert [pair for pair in pairs if (pair[1].reason, pair[1].share) != (pair[2].reason, pair[2].share)] == []


def test_a_number_behind_a_title_is_that_of_a_sequel_whatever_follows() -> None:
    endings = [".", ",", "!", *(f" {word} good." for word in "and are has in is was".split())]
    assert [ending for ending in endings if recall("Rocky", f"I saw Rocky II{ending}").right] == []
    assert recall("Rocky", "I saw Rocky 3 times.").right
