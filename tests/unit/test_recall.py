"""Token recall: traps in both directions, explanations, columns, and laws that hold for every text."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.accuracy._recall import recall, recall_column
from tests.conftest import ROOT

# For each rule: references, answers that are right, and answers that are wrong; besides those of docs/accuracy.md.
TRAPS: dict[str, list[tuple[str, list[str], list[str]]]] = {
    "numbers are found by their value": [
        ("1,000 km", ["It is 1000 km long."], []),
        ("6", ["There were six of them."], []),
        ("2.5 million", ["About 2,500,000 people live there."], ["About 2.5 billion people live there."]),
        ("twenty-five", ["It has 25 episodes."], []),
        ("3.5", [], ["It is 35."]),
        ("1/2", [], ["The answer is 12."]),
        ("10.5", ["It is 10 1/2 inches long.", "It is 10½ inches long."], ["It is 10 1/3 inches long.", "10 inches"]),
        ("½", ["0.5", "1/2 cup"], ["10½", "¼"]),
        ("10:30", ["It is at 10:30."], ["It is at 11:30k."]),
        ("1980", ["It was in the 1979-80 season."], ["It was in the 1978-79 season."]),
        ("1" * 60, [f"It is {'1' * 60}."], [f"It is {'1' * 61}."]),
        ("twice", ["He won it two times."], ["He won it three times."]),
    ],
    "the sign belongs to the number": [
        ("-5", ["It was -5 degrees."], ["It was 5 degrees."]),
        ("10-15", ["It takes 10–15 minutes."], []),
    ],
    "a number keeps its unit": [
        ("50%", ["It is 50 percent."], ["It is 50 degrees."]),
        ("$29", ["It costs 29 dollars."], ["It costs €29."]),
        ("12 km", [], ["It is 12 m long."]),
        ("20 degrees Celsius", ["It is 20 degrees C."], ["It is 20 degrees Fahrenheit."]),
    ],
    "ordinals are not cardinals": [
        ("21st", ["It is the twenty-first."], []),
    ],
    "centuries and decades": [
        ("19th century", ["in the nineteenth century", "It was built in the 1800s."], ["in the 18th century"]),
        ("1990s", ["This was in the 1990's.", "It was in the '90s."], ["It was released in 1990."]),
        ("the 1800s", [], ["It was built in the 18th century."]),
    ],
    "a date is right if it is less precise, but not if it is another": [
        ("September 6, 2019", ["on 6 September 2019", "September 2019", "2019-09-06"], ["May 2019", "2018"]),
        ("September 6, 2019", ["It was released in 2019."], ["September 6, 2018"]),
        ("2019-09-06", ["It was released on September 6, 2019."], ["It was released on October 6, 2019."]),
        ("December 8, 1990", ["12/08/1990"], ["13/08/1990"]),
        ("December 9, 1990", [], ["12/08/1990"]),
    ],
    "a quantity may be in another system of units": [
        ("8,849 m", ["29,032 feet"], []),
        ("5 kg", ["11 pounds"], ["It weighs 11 kilograms."]),
        ("100 °C", [], ["100 °F"]),
    ],
    "Roman numerals are numbers": [
        ("World War II", ["It was invented during World War 2.", "WWII"], ["It was during World War I.", "WWI"]),
        ("WWI", ["World War One"], []),
    ],
    "a number may be rounded, a year may not": [
        ("$2.187 billion", ["It made about $2.2 billion."], []),
        ("8,336,817", ["Its population is 8.34 million."], []),
        ("26", [], ["It has about 25 letters."]),
    ],
    "a name is not another name": [
        ("Mount Everest", ["Mt. Everest"], ["Mount Fuji", "Mt. Fuji"]),
        ("Barack Obama", ["Obama", "President Obama was elected."], ["Michelle Obama"]),
        ("Wilhelm Conrad Röntgen", ["Wilhelm Roentgen"], []),
        ("James W. Marshall", ["James Wilson Marshall"], []),
        ("Theodore Roosevelt", ["Teddy Roosevelt"], []),
        ("J.R.R. Tolkien", ["It was written by John Ronald Reuel Tolkien."], ["It is by Christopher Tolkien."]),
        ("Robert Stephen", [], ["It was Robert Stephenson."]),
        ("University of Chicago", ["He taught at the University of Chicago."], ["University of Michigan"]),
        ("George Orwell", ["It is George Orwell's novel."], []),
        ("Andrew Johnson", [], ["Lyndon B. Johnson"]),
        ("George Washington", ["George led it. It was Washington who crossed the river."], []),
        ("Norris and Ross McWhirter", ["It was founded by Norris McWhirter and his twin Ross."], []),
        ("Dr. Jesse Bennett", ["In Mason County, Jesse Bennett did it."], []),
        ('Nicholas "Nick" Bakay', ["In the show Sabrina, Nick Bakay speaks."], []),
        ("Woodward, Oklahoma", [], ["It opened in Shawnee, Oklahoma."]),
        ("Jesse Bennett", [], ["In 1794, Tony Bennett did it."]),
    ],
    "similar words are not one word": [
        ("a city", ["It has two cities."], []),
        ("Shakespeare", ["It was Shakespear."], []),
        ("Rome", [], ["It was Romeo."]),
    ],
    "Russian words match in other cases": [
        ("Москва", ["Он живёт в Москве."], []),
        ("Первая мировая война", ["во время Первой мировой войны"], ["во время Второй мировой войны"]),
        ("Словакия", [], ["Он родился в Словении."]),
        ("Лев Толстой", [], ["Роман написан Алексеем Толстым."]),
    ],
    "a part of a code or compound is something else": [
        ("C++", ["It is written in C++."], ["C#"]),
        ("C#", ["The language is C#."], []),
        ("C", ["It was written in C."], ["C++", "It is C#."]),
    ],
    "a rank or relation is another one": [
        ("president", ["He was president, not vice president."], ["He was vice president."]),
        ("vice president", ["He was Vice President."], ["He was president."]),
        ("Irish", ["She is half Irish."], []),
        ("brother", [], ["It was his half-brother."]),
    ],
    "a sequel is another title": [
        ("Toy Story 3", ["Toy Story 3 was the first of them to do it."], []),
        ("Toy Story", ["It is Toy Story, not Toy Story 2."], ["Toy Story 3"]),
        ("Nebuchadnezzar", ["King Nebuchadnezzar II destroyed it."], []),
    ],
    "a nickname is no other name": [
        ("John Henry Bonham", ['John "Bonzo" Bonham'], ["John Paul Bonham"]),
    ],
    "a surname is enough": [
        ("Wolfgang Amadeus Mozart", ["Mozart"], ["It was Leopold Mozart.", "Wolfgang"]),
        ("Johann Wolfgang von Goethe", ["Faust was written by Goethe."], []),
        ("Johann Sebastian Bach", ["It is by Bach, who wrote it in 1721."], []),
    ],
    "of three nested places, the first is enough": [
        ("Toronto, Ontario, Canada", ["Toronto"], ["Ontario"]),
        ("Springfield, Illinois, USA", ["It is in Springfield."], ["It is in Springfield, Missouri."]),
    ],
    "a city is not its country": [
        ("Vatican City", ["the Vatican"], []),
        ("Kansas", [], ["It is in Kansas City."]),
        ("park", ["They met in South Park."], []),
    ],
    "yes and no": [
        ("no", ["You do not need one.", "Nope."], ["Yes, it has no known limits."]),
        ("yes", ["Yes, but there is no need."], ["No. Some say yes.", "Yes and no."]),
    ],
    "opposites contradict": [
        ("the left hand", ["It is worn on the left hand."], ["It is worn on the right hand."]),
        ("interstate commerce", ["commerce that is interstate"], ["It regulates intrastate commerce."]),
        ("12 noon", ["It begins at 12 noon."], []),
    ],
    "what is denied is not said": [
        ("Lyon", ["It is not Paris but Lyon.", "Many people think that it is Paris. However, it is Lyon."], []),
        ("Paris", ["It is not only in Paris.", "It is nothing but Paris."], ["not Paris", "It is not Paris but Lyon."]),
        ("Paris", ["There is no doubt that it is Paris.", "Some say Lyon, but it is Paris."], ["Paris is wrong."]),
        ("Paris", ["Rome is sometimes mentioned, but wrongly: it is Paris."], []),
        ("not guilty", ["He was found not guilty."], []),
        ("London", ["Some believe it is Paris, but it is actually London."], []),
        ("Joseph Swan", ["While Thomas Edison is often credited, the actual inventor was Joseph Swan."], []),
        ("Jupiter", ["No planet is larger than Jupiter.", "It is larger than Saturn: Jupiter."], []),
        ("no cure", ["There is no cure."], []),
        ("more than a year", ["It took more than a year."], []),
        ("1920", ["Women did not vote until 1920."], ["It did not happen in 1920."]),
        ("Sydney", [], ["The capital isn't Sydney."]),
        ("Sydney", [], ["Contrary to popular belief, Sydney is not the capital; Canberra is."]),
        ("guilty", [], ["He was found not guilty."]),
        ("not allowed", [], ["It is allowed."]),
        ("Terry Richardson", [], ["Annie Morton is older than Terry Richardson."]),
        ("Steve Jobs", [], ["The head of it is no longer Steve Jobs."]),
        ("a cure exists", [], ["There is no cure."]),
        ("the skin", [], ["It is the liver, which is larger than the skin."]),
        ("Marseille", [], ["The population of Lyon is larger than that of Marseille."]),
    ],
    "a part in parentheses may be missing": [
        ("82 km (51 miles)", ["It is 51 miles long.", "It is 82 km long and was opened in 1914."], ["51 km"]),
        ("World War I (1914–1918)", [], ["It was from 1914 to 1918."]),
    ],
    "a word of the reference is needed": [
        ("the Seine", ["Paris lies on the River Seine."], ["The River Thames."]),
        ("the drama series Gunsmoke", ["Gunsmoke"], []),
        ("vitamin A", [], ["It is vitamin C."]),
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
        ("Paris", "Rome", "share", 0.0),
        ("yes", "No.", "opposite", 0.0),
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
        ("bridge", "a bridge", "a bridge or a ferry?", True),  # the reference has no other words
        ("Fyodor Dostoevsky", "Dostoevsky was.", "Who was born earlier, Tolstoy or Dostoevsky?", True),
        ("Fyodor Dostoevsky", "Tolstoy was.", "Who was born earlier, Tolstoy or Dostoevsky?", False),
        ("Fyodor Dostoevsky", "Dostoevsky was.", "When was Dostoevsky born?", False),
        ("Pluto", "Pluto is not a planet.", "Which of them is a planet?", False),
        ("Pluto", "Pluto is not a planet.", "Which of them is not a planet?", True),
        ("5 bridges", "It has 5.", "How many bridges are there?", True),
    ],
)
def test_question_words_are_no_evidence(reference: str, prediction: str, question: str | None, *, right: bool) -> None:
    assert recall(reference, prediction, question=question).right is right


@pytest.mark.parametrize(
    ("reference", "prediction", "right"),
    [
        ("東京", "首都は東京です。", True),
        ("東京", "首都は京都です。", False),
        ("北京市", "北京", True),
        ("東京都", "京都", False),
        ("서울", "대한민국의 수도는 서울입니다.", True),
        ("서", "서울입니다", False),
        ("2019年9月6日", "发布于2019年8月6日。", False),
        ("Bundeskanzlerin Angela Merkel", "Angela Merkel", True),
        ("l'eau", "de l’eau froide", True),
        ("Istanbul", "İSTANBUL'da doğdu", True),
        ("Лев Толстой", "Автор — Лев Николаевич Толстой.", True),
        ("Лев Толстой", "Алексей Толстой", False),
        ("القاهرة", "عاصمة مصر هي القاهرة.", True),
        ("أفريقيا", "تقع في إفريقيا", True),
        ("नई दिल्ली", "भारत की राजधानी नई दिल्ली है।", True),
        ("٢٠١٩", "2019", True),
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
    column = judged([prediction], [[reference]], questions=questions, threshold=threshold, language=language)
    assert column == [(whole.right, whole.share)]


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
        ("Paris", "Rome Paris " * 200, True),
        ("Paris " * 200, "Paris", True),
        ("Lyon", "Paris " * 200 + "Lyon", True),
        (MANY, MANY, True),
        (MANY, MANY.replace("q", "z"), False),
        ("Ab", f"Zed {'of ' * 50}Ab {'of ' * 50}Qux", True),
        ("Ab Xyz", "Zed of of of of Ab", True),
        ("é" * 600, "é" * 600, True),
        ("Lifetime", "He wrote Not in This Lifetime", True),
        ("Paris", "not than " + "not " * 300 + "Paris", True),
        ("20s 30s 40s " * 50, "1950s 51 " * 50, False),
        ("Ab of Xyz of " * 50, ("of " * 200).join(["Zed ", "Ab ", "Qux"]), True),
        ("one one one", "It is one one one.", True),
    ],
)
def test_texts_of_many_words_are_judged_like_short_ones(reference: str, prediction: str, *, right: bool) -> None:
    """Limits on how often a word is looked up keep the time linear."""
    assert recall(reference, prediction).right is right
