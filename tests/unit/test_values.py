"""Typed values through accuracy's door: no pair of values may raise, whatever the preset."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from answer_metrics.matching.han import is_another_name
from tests.grids import values as grids

INTEGERS = st.one_of(st.integers(0, 99), st.integers(1000, 2100), st.integers(0, 10**30), st.just(10**200))
JOINTS = st.sampled_from(["", " ", "-", "/", ".", ",", ":", "'", " - ", " or ", " of ", " May ", " to ", "年", "月"])
MARKS = st.sampled_from("|½|²|¹|%|$|€|°| BC| a.m.| kg| million|万|百|th|s|e9|-|−|²⁰".split("|"))
VALUES = st.lists(st.tuples(INTEGERS.map(str), MARKS, JOINTS).map("".join), min_size=1, max_size=3).map("".join)
FRAMES = st.sampled_from(["{}", "-{}", "{} ({})", "It is {}.", "not {}", "<answer>{}</answer>", "\\boxed{{{}}}"])


@st.composite
def related_pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A reference of digits and marks, and an answer that repeats it or parts of it."""
    reference, other = draw(VALUES), draw(VALUES)
    answer = draw(st.sampled_from([reference, reference[::-1], other + reference, reference[1:], other]))
    return reference, draw(FRAMES).format(answer, reference)


@pytest.mark.filterwarnings("ignore:accuracy. extract found nothing")  # in numbers of 200 digits
@pytest.mark.parametrize("options", [
    {"preset": "free_form"}, {"preset": "number"}, {"preset": "math", "equivalent": None}, {"match": "contains"},
    {"match": "recall", "language": "none"}, {"numbers": "value", "fuzzy_match": True},
], ids=str)  # fmt: skip
@given(pairs=st.lists(related_pairs(), min_size=1, max_size=8))
@example(pairs=[("1999-12-31", "31/12/1999"), ("31/12/1999", "1999-12-31"), ("13/13/2020", "May 13, 2020")])
@example(pairs=[("1", "99999999999999999999999992020½"), ("99999999999999999999999992020½", "1")])
def test_no_pair_of_values_raises(
    metric: Callable[[str], Any], options: dict[str, Any], pairs: list[tuple[str, str]]
) -> None:
    references, answers = map(list, zip(*pairs, strict=True))
    result = metric("accuracy").compute(predictions=answers, references=references, **options)
    assert len(result["match_types"]) == len(pairs)


@pytest.mark.parametrize("name", grids.GRIDS)
def test_writings_of_a_value_are_one_and_other_values_are_wrong(name: str) -> None:
    _, wrong = grids.measure(name)
    assert wrong[:5] == []


PARTS: dict[str, tuple[range, Callable[[int], int]]] = {
    "a.m.": (range(1, 13), lambda hour: hour % 12), "p.m.": (range(1, 13), lambda hour: hour % 12 + 12),
    "in the morning": (range(1, 12), int), "in the afternoon": (range(1, 7), lambda hour: hour + 12),
    "in the evening": (range(4, 12), lambda hour: hour + 12), "at night": (range(5, 12), lambda hour: hour + 12),
    "at night, early": (range(1, 5), int),
}  # fmt: skip


def test_an_hour_of_a_part_of_the_day_is_that_of_the_24_hour_clock(metric: Callable[[str], Any]) -> None:
    hours = [(part, hour, clock) for part, (of_part, clock) in PARTS.items() for hour in of_part]
    rows = [(f"At {hour} {part.partition(',')[0]}", f"{other:02}:00") for part, hour, _ in hours for other in range(24)]
    expected = [  # 10:00 may be at night
        other == clock(hour) or hour % 12 == other in {10, 11} for _, hour, clock in hours for other in range(24)
    ]
    columns = {"predictions": [row[0] for row in rows], "references": [row[1] for row in rows], "match": "recall"}
    assert metric("accuracy").compute(**columns, return_details=True)["individual_scores"] == expected


@pytest.mark.parametrize(
    ("reference", "answer", "right"),
    [
        ("12 March 1990", "It was in March 1990.", True),
        ("12 March 1990", "It was on 13 March 1990, so in March 1990.", False),  # as precise, and another
        ("March 1990", "It was in 1990.", True), ("March 1990", "It was in April 1990, so in 1990.", False),
        ("12 March 1990", "It was in 1990.", True), ("12 March 1990", "It was in the 20th century.", False),
    ],
)  # fmt: skip
def test_a_coarser_date_counts_unless_another_is_as_precise(
    metric: Callable[[str], Any], reference: str, answer: str, *, right: bool
) -> None:
    assert metric("accuracy").compute(predictions=[answer], references=[reference], match="recall")["correct"] == right


@pytest.mark.parametrize(
    ("decimal", "reference", "answer", "right"),
    [
        (".", "2.5", "It is 2,5.", False), (",", "2.5", "It is 2,5.", False), (",", "2,5", "It is 2,5.", True),
        ("auto", "2.5", "It is 2,5.", True), (",", "1234", "It is 1.234.", True), (".", "1234", "It is 1.234.", False),
        ("auto", "1234", "It is 1.234.", True), ("auto", "12345", "It is 12,345.", True),
        (",", "12,345", "It is 12,345.", True), (",", "12345", "It is 12,345.", False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("preset", ["free_form", "number"])
def test_decimal_mark_is_that_of_both_sides(
    metric: Callable[[str], Any], decimal: str, reference: str, answer: str, preset: str, *, right: bool
) -> None:
    result = metric("accuracy").compute(predictions=[answer], references=[reference], preset=preset, decimal=decimal)
    assert bool(result["correct"]) is right


RESULTS = {
    "<answer>Paint costs 4 * $6 = $24. Brushes are $9, so all is $24 + $9 = $33.</answer>": "33",
    "<answer>There are 30 pupils. Of these, 18 are boys, which is 12 girls.</answer>": "12",
    "Answer: 12 of the 30 pupils.": "12", "Answer: 42. There were 50 at first, and 8 left.": "42",
    "She has less than 4, so it is 3.": "3", "Answer: 10 minus 3 is 7": "7", "Answer:\n- 17": "17",
    "Answer: -17": "-17", "It was 5 degrees below zero.": "5 degrees below zero",
}  # fmt: skip


@pytest.mark.parametrize("answer", RESULTS)
def test_announced_answer_gives_its_result(metric: Callable[[str], Any], answer: str) -> None:
    number = RESULTS[answer]
    result = metric("accuracy").compute(predictions=[answer], references=[number], preset="number")
    assert result["extracted"][0].strip("$") == number


@pytest.mark.parametrize(
    ("reference", "answers", "others"),
    [
        ("北京大学", "北京大学 北大 我在北京大学上学。", "南京大学 他毕业于南京大学。"),
        ("京都", "京都 京都市 我住在京都 首都は京都です 東京都と京都", "東京都 首都は東京都です 京都大学"),
        ("毛泽东", "毛泽东主席 毛泽东是领袖 由毛泽东创作。 毛澤東", "毛泽民 是毛泽民。"),
        ("东京大学", "東京大学", "东京工业大学"), ("アイルランド", "アイルランドです", "北アイルランド"),
        ("天气", "今天天气很好 天氣", "天鹅"), ("第一次世界大战", "第一次世界大戰", "第二次世界大战"),
    ],
)  # fmt: skip
def test_name_with_other_characters_is_another(reference: str, answers: str, others: str) -> None:
    assert not any(is_another_name(reference, answer) for answer in answers.split())
    assert all(is_another_name(reference, answer) for answer in others.split())


def test_honorifics_and_kinds_of_places_do_not_change_a_name() -> None:
    suffixes = "先生 女士 小姐 同志 教授 博士 医生 醫生 主席 总统 總統 老师 大人 さん さま くん ちゃん 氏 君 様"
    suffixes += " 市 省 県 县 府 都 道 区 區 州 国 國 町 村"
    assert [suffix for suffix in suffixes.split() if is_another_name("田中", f"田中{suffix}")] == []
