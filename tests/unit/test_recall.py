"""Token recall: traps in both directions, explanations, columns, and laws that hold for every text."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answer_metrics.matching.recall import recall, recall_column
from answer_metrics.matching.stance import declines
from tests.conftest import ROOT
from tests.grids import commitment

# For each rule: references, answers that are right, and answers that are wrong; besides those of docs/accuracy.md.
TRAPS: dict[str, list[tuple[str, list[str], list[str]]]] = {
    "numbers are found by their value": [
        ("2.5 million", ["About 2,500,000 people live there."], ["About 2.5 billion people live there."]),
        ("3.5", [], ["It is 35."]),
    ],
    "the sign belongs to the number": [("-5", ["It was -5 degrees."], ["It was 5 degrees."])],
    "a number keeps its unit": [
        ("50%", ["It is 50 percent."], ["It is 50 degrees."]),
        ("$29", ["It costs 29 dollars."], ["It costs €29."]),
    ],
    "centuries and decades": [
        ("19th century", ["in the nineteenth century", "It was built in the 1800s."], ["in the 18th century"]),
        ("1990s", ["This was in the 1990's.", "It was in the '90s."], ["It was released in 1990."]),
    ],
    "a date is right if it is less precise, but not if it is another": [
        ("September 6, 2019", ["on 6 September 2019", "September 2019", "2019-09-06", "in 2019"], ["May 2019", "2018"]),
        ("December 8, 1990", ["12/08/1990"], ["13/08/1990"]),
        ("12 May 1990", ["1990", "1990-05-12", "12/5/1990", "May 1990"], ["12 June 1990", "12 juin 1990", "June 1990"]),
        ("12 mai 1990", ["le 12 mai 1990", "12 May 1990"], ["12 juin 1990", "el 12 de junio de 1990"]),
        ("Mars 2 in 1971", ["Mars 2 was launched in May 1971."], []),
    ],
    "a quantity may be in another system of units": [("5 kg", ["11 pounds"], ["It weighs 11 kilograms."])],
    "Roman numerals are numbers": [
        ("World War II", ["It was invented during World War 2.", "WWII"], ["It was during World War I.", "WWI"]),
    ],
    "a number may be rounded, a year may not": [
        ("$2.187 billion", ["It made about $2.2 billion."], []),
        ("26", [], ["It has about 25 letters."]),
    ],
    "a name is not another name": [
        ("Barack Obama", ["Obama", "President Obama was elected."], ["Michelle Obama"]),
        ("University of Chicago", ["He taught at the University of Chicago."], ["University of Michigan"]),
    ],
    "similar words are not one word": [("a city", ["It has two cities."], [])],
    "Russian words match in other cases": [
        ("Москва", ["Он живёт в Москве."], []),
        ("Первая мировая война", ["во время Первой мировой войны"], ["во время Второй мировой войны"]),
    ],
    "a part of a code or compound is something else": [
        ("C++", ["It is written in C++."], ["C#"]),
        ("C", ["It was written in C."], ["C++", "It is C#."]),
    ],
    "a rank or relation is another one": [("vice president", ["He was Vice President."], ["He was president."])],
    "a sequel is another title": [("Toy Story", ["It is Toy Story, not Toy Story 2."], ["Toy Story 3"])],
    "a surname is enough": [("Wolfgang Amadeus Mozart", ["Mozart"], ["It was Leopold Mozart.", "Wolfgang"])],
    "of three nested places, the first is enough": [("Toronto, Ontario, Canada", ["Toronto"], ["Ontario"])],
    "a city is not its country": [("Vatican City", ["the Vatican"], [])],
    "yes and no": [
        ("no", ["You do not need one.", "Nope."], ["Yes, it has no known limits."]),
        ("yes", ["Yes, but there is no need."], ["No. Some say yes.", "Yes and no."]),
        ("yes", ["At first, my answer was no. The answer is yes."], ["Is the answer yes? No, the answer is no."]),
    ],
    "opposites contradict": [("the left hand", ["It is worn on the left hand."], ["It is worn on the right hand."])],
    "what is denied is not said": [
        ("Paris", ["It is not only in Paris.", "It is nothing but Paris."], ["not Paris", "It is not Paris but Lyon."]),
        ("Paris", ["There is no doubt that it is Paris.", "Some say Lyon, but it is Paris."], ["Paris is wrong."]),
        ("no cure", ["There is no cure."], []),
        ("1920", ["Women did not vote until 1920."], ["It did not happen in 1920."]),
        ("not allowed", [], ["It is allowed."]),
    ],
    "a part in parentheses may be missing": [
        ("82 km (51 miles)", ["It is 51 miles long.", "It is 82 km long and was opened in 1914."], ["51 km"]),
    ],
    "a word of the reference is needed": [
        ("the Seine", ["Paris lies on the River Seine."], ["The River Thames."]),
        ("the drama series Gunsmoke", ["Gunsmoke"], []),
    ],
    "answers of other kinds": [
        ("color", ["The colour changed"], []),
        ("anemia", ["He had anaemia."], []),
        ("año", ["un año"], ["ano"]),
        ("United States of America", ["the usa"], []),
        ("World Health Organization", ["who"], ["It is a person who lives."]),
        ("Vincent van Gogh", ["Van Gogh painted it."], ["It was Theo van Gogh."]),
        ("Barack Obama", [], ["Barack Obama’s wife, Michelle."]),
        ("5", ["It has more than 4, namely 5."], ["There are fewer than 5."]),
        ("Paris", ["Whether you like it or not, it is Paris."], ["I was unable to find whether it is Paris."]),
        ("Paris", [], ["It is unclear whether the capital is Paris.", "I don't know if it is Paris."]),
        ("$29", ["29"], ["€29"]),
        ("50%", [], ["50"]),
        ("£5", ["5 pounds"], ["5 kg"]),
        ("Yes", ["Correct.", "Some say no. The answer is yes.", "There is no doubt. Thus, the answer is: Yes"],
         ["Bananas are yellow.", "Not correct."]),
        ("No", ["Not so.", "That's incorrect.", "So the answer (Yes or No) is No."], []),
        ("No. The quick ratio was 0.96.", ["No, the ratio was below 1."], ["Yes, the quick ratio was 0.96."]),
        ("Yes, it grew", ["It grew"], []),
        ("It is not known", ["I don't know."], []),
        ("$3 billion", ["$3B"], []),
        ("1994", ["in 1994⁶"], []),
    ],
}  # fmt: skip

PAIRS = [
    (rule, reference, prediction, right)
    for rule, rows in TRAPS.items()
    for reference, *answers in rows
    for right, predictions in zip((True, False), answers, strict=True)
    for prediction in predictions
]


@pytest.mark.parametrize(("rule", "reference", "prediction", "right"), PAIRS)
def test_trap_is_judged_as_a_person_would(rule: str, reference: str, prediction: str, *, right: bool) -> None:
    assert recall(reference, prediction).right is right, rule


def test_explanation_names_found_and_missing_words() -> None:
    reference, prediction = "Wilhelm Conrad Röntgen", "It went to Wilhelm Röntgen in 1901."
    result = recall(reference, prediction)
    assert [reference[start:end] for start, end in result.found] == ["Wilhelm", "Röntgen"]
    assert [reference[start:end] for start, end in result.missing] == ["Conrad"]
    assert [prediction[start:end] for start, end in result.evidence] == ["Wilhelm", "Röntgen"]
    assert (result.share, result.right, result.reason) == (2 / 3, True, "")
    assert recall("no", "You do not need one.").evidence == ((7, 10),)


@pytest.mark.parametrize(
    ("reference", "prediction", "reason", "share"),
    [
        ("1998", "1999", "number", 0.0),
        ("Barack Obama", "Michelle Obama", "other name", 0.5),
        ("direct rule", "indirect rule", "opposite", 0.5),
        ("Paris", "not Paris", "denied", 0.0),
        ("", "Rome", "empty", 0.0),
        ("Paris", "", "share", 0.0),
        # Common words next to a name count half: 1 / (1 + 0.5 + 0.5).
        ("the drama series Gunsmoke", "Gunsmoke", "", 0.5),
    ],
)
def test_reason_says_which_rule_refuses(reference: str, prediction: str, reason: str, share: float) -> None:
    result = recall(reference, prediction)
    assert (result.reason, result.share, result.right) == (reason, share, not reason)


@pytest.mark.parametrize(
    ("reference", "prediction", "question", "right"),
    [
        ("bow bridge", "It is a historic bridge.", None, True),
        ("bow bridge", "It is a historic bridge.", "Which kind of bridge is it?", False),
        ("Fyodor Dostoevsky", "Dostoevsky was.", "Who was born earlier, Tolstoy or Dostoevsky?", True),
        ("Fyodor Dostoevsky", "Tolstoy was.", "Who was born earlier, Tolstoy or Dostoevsky?", False),
        ("Pluto", "Pluto is not a planet.", "Which of them is a planet?", False),
        ("Pluto", "Pluto is not a planet.", "Which of them is not a planet?", True),
        ("5 bridges", "It has 5.", "How many bridges are there?", True),
        ("50", "It is 50%.", "What percentage is it?", True),
        ("Yes", "Bananas are yellow.", "Are bananas yellow?", True),
        ("Yes", "Bananas aren't blue.", "Are bananas blue?", False),
        ("Yes", "Apples are red.", "Are bananas yellow?", False),
        (
            "No. The quick ratio for 3M was 0.96.",
            "3M does not have a healthy liquidity.",
            "Does 3M have a healthy liquidity?",
            True,
        ),
        ("Yes", "Fish can drown. It is rare.", "Can a fish drown?", True),
        ("No", "Hades could not fit.", "Could Hades fit in?", True),
        ("16525", "$16,525 million", "What is total revenue in USD millions?", True),
        ("0.65", "65%", "What is the gross margin?", True),
        ("1577", "$1,577.4 million", "What is revenue (in USD millions)?", True),
        ("0.65", "I cannot determine the margin; 65% is usual.", "What is the gross margin?", False),
        ("No, las ratas no saben cocinar.", "No tengo ningún comentario", "¿Las ratas saben cocinar en casa?", False),
        ("Berlín", "V Berlíně", "Kde se narodil autor knihy?", True),
        # A question without an English word: the answer says whether English rules hold.
        ("Stockton", "It was not Stockton but Paul.", "most assists nba all star game", False),
        ("Stockton", "It was not Stockton.", "nejvíce asistencí nba hráč", True),
    ],
)
def test_question_words_are_no_evidence(reference: str, prediction: str, question: str | None, *, right: bool) -> None:
    assert recall(reference, prediction, question=question).right is right


@pytest.mark.parametrize(
    ("reference", "prediction", "right"),
    [
        ("東京", "首都は東京です。", True),
        ("東京都", "京都", False),
        ("서", "서울입니다", False),
        ("Лев Толстой", "Автор — Лев Николаевич Толстой.", True),
        ("أفريقيا", "تقع في إفريقيا", True),
        ("٢٠١٩", "2019", True),
        ("Núñez", "Es Nunez.", True),
        ("červenec", "červen", False),
        ("Berlín", "v Berlíně", True),
        ("juin", "en juillet", False),
        ("июнь", "в июле", False),
        ("Mešita Yaama", "Je to mešita v Niamey.", False),
        ("six", "6", False),  # number words, articles and inflections are English
    ],
)
def test_other_languages_work_without_rules_of_english(reference: str, prediction: str, *, right: bool) -> None:
    assert recall(reference, prediction, language="none").right is right


@pytest.mark.parametrize("mark", ["\u0640", "\ufe71", "\ufc60"])
def test_mark_without_a_letter_is_no_word(mark: str) -> None:
    assert recall("Cairo", f"{mark} Cairo").share == 1.0
    assert recall(mark, mark).reason == "empty"
    assert judged([f"{mark} Cairo"], [[f"Cairo {mark}"]]) == [(True, 1.0)]


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


HEADER = "| rule | right: reference in prediction | wrong |\n| --- | --- | --- |\n"


def test_documented_examples_hold() -> None:
    document = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    tried = 0
    for row in document.partition(HEADER)[2].partition("\n\n")[0].splitlines():
        for cell, right in zip(row.split("|")[2:4], (True, False), strict=True):
            for example in cell.split(";"):
                text, _, question = example.partition("if asked")
                reference, *predictions = re.findall(r"`([^`]+)`", text) or [""]
                for prediction in predictions:
                    assert recall(reference, prediction, question=question.strip(" `")).right is right, example
                    tried += 1
    assert tried > 50


PHRASES = [text for _, reference, prediction, _ in PAIRS for text in (reference, prediction)]


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


@pytest.mark.parametrize(
    ("text", "language", "declined"),
    [
        ("I don\u2019t know.", "en", True), ("The report does not provide this figure.", "en", True),
        ("I don't have the latest data. However, in 2019 it was 5.", "en", False),
        ("I'm sorry, but this is incorrect. The first one was sent in 1843.", "en", False), ("No lo sé.", "any", True),
        ("Bohužel nemám přesné informace.", "any", True), ("我不知道。", "any", True), ("No lo sé.", "en", False),
        ("La capital es París.", "any", False), ("<UNKNOWN>", "en", True),
    ],
)  # fmt: skip
def test_refusal_is_told_by_how_an_answer_begins(text: str, language: str, *, declined: bool) -> None:
    assert declines(text, language) is declined


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
    by_rules, quick = (recall_column(answers, references, has_places=has_places) for has_places in (True, False))
    assert sum(not decision.matches and not decision.reason for decision in quick) > 10
    pairs = zip(rows, by_rules, quick, strict=True)
    assert [pair for pair in pairs if (pair[1].reason, pair[1].share) != (pair[2].reason, pair[2].share)] == []
