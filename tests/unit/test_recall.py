"""Token recall: traps in both directions, explanations, and laws that hold for every text."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.accuracy._recall import recall
from metrics.accuracy._recall_column import recall_column
from metrics.accuracy._recall_lists import split_items
from metrics.accuracy._recall_tokens import tokenize
from tests.growth import growth
from tests.unit.traps import TRAPS
from tests.unit.traps import Trap


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: f"{trap.reference}|{trap.prediction}")
def test_trap_is_judged_as_a_person_would(trap: Trap) -> None:
    assert recall(trap.reference, trap.prediction).right is trap.right, trap.rule


@pytest.mark.parametrize("mark", ["\u0640", "\ufe71", "\ufc60"])
def test_mark_without_a_letter_is_no_word(mark: str) -> None:
    assert [token.key for token in tokenize(f"{mark} Cairo {mark}{mark} 5 {mark}")] == ["cairo", "#5"]
    assert recall("Cairo", f"{mark} Cairo").right
    assert recall(mark, mark).reason == "empty"
    assert recall_column([f"{mark} Cairo"], [[f"Cairo {mark}"]]) == ([True], [1.0])


def test_traps_go_both_ways_for_every_rule() -> None:
    assert len(TRAPS) >= 120
    for rule in {trap.rule for trap in TRAPS}:
        assert {trap.right for trap in TRAPS if trap.rule == rule} == {True, False}, rule


def test_explanation_names_found_and_missing_words() -> None:
    reference, prediction = "Wilhelm Conrad Röntgen", "It went to Wilhelm Röntgen in 1901."
    result = recall(reference, prediction)
    assert [reference[start:end] for start, end in result.found] == ["Wilhelm", "Röntgen"]
    assert [reference[start:end] for start, end in result.missing] == ["Conrad"]
    assert [prediction[start:end] for start, end in result.evidence] == ["Wilhelm", "Röntgen"]
    assert (result.share, result.right, result.reason) == (2 / 3, True, "")


@pytest.mark.parametrize(
    ("reference", "prediction", "reason"),
    [
        ("1998", "1999", "number"),
        ("Barack Obama", "Michelle Obama", "other name"),
        ("direct rule", "indirect rule", "opposite"),
        ("Paris", "not Paris", "denied"),
        ("England and Wales", "Wales", "list"),
        ("Paris", "Rome", "share"),
        ("", "Rome", "empty"),
    ],
)
def test_reason_says_which_rule_refuses(reference: str, prediction: str, reason: str) -> None:
    assert recall(reference, prediction).reason == reason


def test_words_of_the_question_are_no_evidence() -> None:
    answer = "It is a historic bridge."
    assert recall("bow bridge", answer).right
    assert not recall("bow bridge", answer, question="Which kind of bridge is it?").right
    assert recall("bridge", "a bridge", question="a bridge or a ferry?").right  # the reference has no other words


def test_words_of_the_question_are_evidence_if_it_offers_a_choice() -> None:
    question = "Who was born earlier, Tolstoy or Dostoevsky?"
    assert recall("Fyodor Dostoevsky", "Dostoevsky was.", question=question).right
    assert not recall("Fyodor Dostoevsky", "Tolstoy was.", question=question).right
    assert not recall("Fyodor Dostoevsky", "Dostoevsky was.", question="When was Dostoevsky born?").right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("It is **Cusco**, not far from Machu Picchu.", True),
        ("**Machu Picchu**, northwest of Cusco, was its capital.", False),
        ("**Capital:** It is Cusco, near Machu Picchu.", True),
        ("**Capital**: It is Cusco, near Machu Picchu.", True),
        ("**Answer**: It is Cusco.", True),
        ("**Inca Empire** is a name of the state that Cusco ruled.", True),
        ("Founded **in 1200**, its capital was Cusco.", True),
        ("**Machu Picchu** and **Quito** are other places; it was Cusco.", True),
    ],
)
def test_only_bold_name_is_the_answer(answer: str, right: bool) -> None:  # noqa: FBT001
    question = "what was the capital of the Inca Empire"
    assert recall("Cusco", answer, question=question).right is right
    assert recall("Cusco", answer).right  # the bold words may be those of the question


def test_only_bold_number_is_the_answer() -> None:
    question = "how many moons does Neptune have"
    assert not recall("14", "It has **27 moons**, 14 of which are small.", question=question).right
    assert recall("14", "**Voyager 2** or not, it has 14 moons.", question="how many moons of 2 planets").right


@pytest.mark.parametrize(
    ("reference", "prediction", "right"),
    [
        ("東京", "首都は東京です。", True),
        ("東京", "首都は京都です。", False),
        ("北京市", "北京", True),
        ("東京都", "京都", False),
        ("서울", "대한민국의 수도는 서울입니다.", True),
        ("서울", "대한민국의 수도는 부산입니다.", False),
        ("Miguel de Cervantes", "Cervantes", True),
        ("2019年9月6日", "发布于2019年9月6日。", True),
        ("2019年9月6日", "发布于2019年8月6日。", False),
        ("Bundeskanzlerin Angela Merkel", "Angela Merkel", True),
        ("l'eau", "de l’eau froide", True),
        ("İstanbul", "İstanbul'da doğdu", True),
        ("Istanbul", "İSTANBUL", True),
        ("Лев Толстой", "Автор — Лев Николаевич Толстой.", True),
        ("Лев Толстой", "Алексей Толстой", False),
        ("القاهرة", "عاصمة مصر هي القاهرة.", True),
        ("دلهي", "القاهرة", False),
        ("नई दिल्ली", "भारत की राजधानी नई दिल्ली है।", True),
        ("नई दिल्ली", "मुंबई", False),
        ("٢٠١٩", "2019", True),
        ("१९४७", "1948", False),
    ],
)
def test_other_languages_work_without_rules_of_english(reference: str, prediction: str, *, right: bool) -> None:
    assert recall(reference, prediction, language="none").right is right


@pytest.mark.parametrize(
    ("reference", "prediction", "right"),
    [
        ("copper, tin, zinc", "copper and zinc", False),
        ("copper, tin, zinc", "zinc, tin, copper", True),
        ("copper, tin", "copper", True),  # two items may be a thing and its description
        ("copper, tin, zinc of old mines", "copper and zinc of old mines", True),  # a sentence
        ("copper, Tin, zinc", "copper and zinc", True),  # a name
        ("Paris, Texas, USA", "Paris, USA", True),
        ("ripe apples and green pears", "apples and pears", True),  # something of each item is enough
        ("ripe apples and green pears", "ripe apples", False),
    ],
)
def test_every_item_of_a_list_is_needed(reference: str, prediction: str, *, right: bool) -> None:
    assert recall(reference, prediction).right is right


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("copper, tin, zinc", ["copper", "tin", "zinc"]),
        ("1, 2, 3, 4", ["1", "2", "3", "4"]),
        ("copper, tin", []),
        ("copper, , zinc", []),
        ("(copper, tin, zinc", []),
        ("copper, tin, zinc)", []),
    ],
)
def test_only_clean_items_are_a_list(text: str, items: list[str]) -> None:
    assert split_items(text) == items


def test_rules_of_english_apply_to_english_only() -> None:
    assert recall("six", "6").right
    assert not recall("six", "6", language="none").right
    assert not recall("die", "the", language="none").right


def test_threshold_is_a_tie_that_counts() -> None:
    assert recall("alpha beta", "alpha", threshold=0.5).right
    assert not recall("alpha beta", "alpha", threshold=0.51).right


TEXTS = st.text(st.sampled_from(list("aAeinorst 12359.,-'%$()éß東京दिTheIVX\u0301²½")), max_size=40)


@given(TEXTS, st.sampled_from(["en", "none"]))
def test_places_lie_within_the_texts_and_in_order(text: str, language: str) -> None:
    result = recall(text, text, language=language)
    for spans in (sorted(result.found + result.missing), result.evidence):
        assert all(0 <= start < end <= len(text) for start, end in spans)
    assert 0.0 <= result.share <= 1.0
    assert not (result.right and result.reason)


WORDS = ["paris", "london", "rome", "alpha", "beta", "gamma", "12", "7", "1998"]


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))
def test_text_of_plain_words_is_found_in_itself(words: list[str]) -> None:
    text = " ".join(words)
    assert recall(text, text).right
    assert recall(text, text).share == 1.0
    assert recall(text, f"Well, {text}!").right


def test_digit_with_a_suffix_after_a_year_is_no_range_of_years() -> None:
    assert not recall("2018", "in 2014-8s").right
    assert recall("2018", "in 2014-18").right


@pytest.mark.parametrize("unit", ["a ", "Ab ", "1 ", "May 5 2019 ", "not ", "IV ", "% ", "x-", "U.S. ", "東"])
def test_time_grows_linearly_in_both_texts(unit: str) -> None:
    exponent = growth(lambda text: recall(text, text + "z"), lambda size: (unit * size)[:size], 1_500)
    assert exponent < 1.6


def _distinct_words(size: int, first: str) -> str:
    """Write distinct made-up words of five letters."""
    letters = "abcdefghijklmnop"
    words = [
        first + letters[at % 16] + letters[at // 16 % 16] + letters[at // 256 % 16] + letters[at // 4096]
        for at in range(size // 6)
    ]
    return " ".join(words)


@pytest.mark.parametrize(
    ("reference", "prediction"),
    [
        (lambda size: _distinct_words(size, "b"), lambda size: _distinct_words(size, "d")),
        (lambda size: _distinct_words(size, "b").upper(), lambda size: _distinct_words(size, "d").title()),
        (lambda size: "20s 30s 40s " * (size // 12), lambda size: "1950s 51 " * (size // 9)),
        (lambda size: _distinct_words(size, "b"), lambda size: "Not " * (size // 4)),
        (lambda size: _distinct_words(size, "b"), lambda size: "nor " * (size // 4)),
        (lambda size: "Ab of Xyz of " * (size // 13), lambda size: ("of " * (size // 3)).join(["Zed ", "Ab ", "Qux"])),
        (lambda size: "Ab Xyz " * (size // 7), lambda size: ("-" * size).join(["Zed", "Ab", "Qux"])),
        (lambda size: "50s " * (size // 4), lambda size: "1950s " * (size // 6)),
        (lambda size: "ab" * size, lambda size: "ab" * size + "c"),
        (lambda _: "Paris", lambda size: "nicht Rom " * (size // 20) + "sondern " * (size // 16)),
        (lambda _: "Paris", lambda size: "Rom, " * (size // 10) + "or Bonn " * (size // 16)),
        (lambda size: f"Rom ({'5 ' * (size // 8)})", lambda size: "Rom " + "6 " * (size // 8)),
        (lambda size: "5 km " * (size // 15), lambda size: "6 miles " * (size // 15)),
        (lambda size: "Ab " * (size // 3), lambda size: '"Zed" ' * (size // 6) + "Ab"),
    ],
    ids=[
        "distinct words",
        "acronyms",
        "decades",
        "capital negations",
        "function words that negate",
        "function words between names",
        "marks between names",
        "decades that agree",
        "one long word",
        "contrasts",
        "alternatives",
        "numbers in parentheses",
        "units of another system",
        "nicknames",
    ],
)
def test_time_grows_linearly_where_nothing_agrees(
    reference: Callable[[int], str], prediction: Callable[[int], str]
) -> None:
    exponent = growth(lambda texts: recall(*texts), lambda size: (reference(size), prediction(size)), 1_500)
    assert exponent < 1.6
