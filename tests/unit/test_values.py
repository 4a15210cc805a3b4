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
    assert is_another_name("李明先生", "大李明先")
