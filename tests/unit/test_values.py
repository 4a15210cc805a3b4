"""Typed values through accuracy's door: no pair of values may raise, whatever the preset.

And what each reader finds in many texts, as recorded with its inputs. To record what it finds today, once the lines
that changed are right: `python -m tests.unit.test_values`; with a path, also for new inputs, JSON lines of a part and
arguments.
"""

import itertools
import json
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from answer_metrics.matching import (
    answer_lines,
    choices,
    expressions,
    extraction,
    han,
    languages,
    mathematics,
    values,
    words,
)
from answer_metrics.matching.han import is_another_name
from answer_metrics.matching.numbers import Number, single_number
from answer_metrics.matching.recall import recall
from answer_metrics.matching.units import without_tex
from tests.grids import values as grids
from tests.records import changed, record, recorded, stored

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


AMOUNTS = (
    "5 {}", "5\\text{{ {}}}", "5 \\text{{ {}}}", "5\\ \\text{{{}}}", "5\\,\\mathrm{{{}}}", "$5$ {}", "$5\\text{{ {}}}$",
    "It is $5\\,\\mathrm{{{}}}$.", "\\boxed{{5\\text{{ {}}}}}", "The answer is 5 {}.",
)  # fmt: skip
MEASURES = "m cm km/h mph kg V W m^2 °C hours".split()


@pytest.mark.parametrize("preset", ["number", "math", "free_form"])
def test_units_in_latex_are_units(preset: str, metric: Callable[[str], Any]) -> None:
    rows = [
        (answer.format(unit), reference.format(other), int(unit == other))
        for answer in AMOUNTS for reference in AMOUNTS[:7] for unit in MEASURES for other in MEASURES
    ]  # fmt: skip
    answers, accepted, _ = zip(*rows, strict=True)
    result = metric("accuracy").compute(predictions=answers, references=accepted, preset=preset)
    scored = zip(rows, result["individual_scores"], strict=True)
    assert [row for row, score in scored if score != row[2]] == []
    letters = metric("accuracy").compute(
        predictions=["5\\text{ N}"] * 2, references=["5\\,\\mathrm{N}", "5\\text{ J}"], preset=preset
    )
    assert letters["individual_scores"] == [1, 0]


@pytest.mark.parametrize(
    ("answer", "reference", "units"),
    [
        ("v = 5\\text{{ {}}}", "5\\text{{ {}}}", "km/h mph m/s m"),
        ("5 \\text{{ {}}}^2", "5 \\text{{ {}}}^2", "kg in ft m"),
        ("x = 5\\,\\mathrm{{{}}}^2", "5\\text{{ {}}}^2", "in m cm"),
        ("5\\text{{ square {}}}", "5\\text{{ {}}}^2", "in feet m"),
    ],
)  # fmt: skip
def test_units_of_formulas(answer: str, reference: str, units: str) -> None:
    for unit, other in itertools.product(units.split(), repeat=2):
        verdict = mathematics.decide(answer.format(unit), reference.format(other))
        assert (verdict is True) is (unit == other), (unit, other)


@given(st.lists(st.sampled_from("$|\\text{|\\mathrm{ m}|}|5|^2|\\,|~| |N|a|\n".split("|"))).map("".join))
def test_prose_is_as_long_as_latex(text: str) -> None:
    assert len(without_tex(text)) == len(text)
    assert without_tex(text) == text or "{" in text or text.count("$") > 1


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


def fields(value: Any) -> Any:
    """Return what is stated of a value, and the value of an expression at each point, in six digits."""
    if isinstance(value, expressions.Expression):
        return [value.kind, value.is_decimal, *map(fields, value.parts)]
    if isinstance(value, (list, tuple)) and not hasattr(value, "_asdict"):
        return [*map(fields, value)]
    if isinstance(value, (float, complex)):
        return f"{complex(round(value.real, 9), round(value.imag, 9)):.6g}"
    if value is None or isinstance(value, (str, int, Fraction)):
        return value
    stated = {name: part for name, part in value._asdict().items() if part != value._field_defaults.get(name)}
    return [type(value).__name__, stated]


def reading(text: str, question: str = "", decimal: Any = "auto") -> Iterator[Any]:
    yield from (values.read(text, decimal, english=is_english) for is_english in (True, False))
    yield from (reader(text, decimal) for reader in (single_number, values.number_of, values.bound_of))
    for with_unit in (False, True):
        yield values.last_number(text, question, with_unit=with_unit, decimal=decimal)
    yield len(values.stated_numbers(text, question, decimal)), values.is_moment(text)
    yield values.asked_unit(question), len(values.accepted_stances(question))


def relation(reference: str, answer: str, question: str = "", decimal: Any = "auto") -> Iterator[Any]:
    wanted, answered = (values.read(text, decimal)[:3] for text in (reference, answer))
    for first in wanted:
        yield [values.relate(first, other, is_share=is_share) for other in answered for is_share in (False, True)]
        if isinstance(first, Number):
            yield values.find_stated(answer, answered, first, values.asked_unit(question), 0.01) is not None
    for tolerance in (0.0, 0.05):
        options: dict[str, Any] = {"tolerance": tolerance, "question": question, "decimal": decimal}
        yield values.same_number(answer, reference, **options), values.same_number(reference, answer, **options)


def formula(text: str) -> Iterator[Any]:
    yield mathematics.is_formula(text), mathematics.has_factorial(text), mathematics.stated_formulas(text)
    yield mathematics.clean(text), *(mathematics.spell(text, keep_name=keep) for keep in (True, False))
    try:
        yield expressions.read_expression(mathematics.clean(text))
    except (ValueError, ArithmeticError, RecursionError) as error:
        yield type(error).__name__


def equality(first: str, second: str) -> Iterator[Any]:
    for pair in ((first, second), (second, first)):
        yield mathematics.same_spelling(*pair), mathematics.decide(*pair)
        yield expressions.same_value(*map(mathematics.clean, pair))


def choice(text: str, options: list[str], question: str | None = None) -> Iterator[Any]:
    for as_set in (False, True):
        yield choices.extract_choice(text, options or None, question, as_set=as_set)
    yield choices.as_set(text, options or None), choices.letters_of(text, options)


def name(reference: str, answer: str) -> Iterator[Any]:
    yield han.is_another_name(reference, answer)
    yield from (languages.denied_in_other_languages(answer, reference, is_english) for is_english in (False, True))


def marks(text: str) -> Iterator[Any]:
    yield answer_lines.extract_boxed(text), answer_lines.extract_answer_line(text), answer_lines.marked_answer(text)


def steps(text: str, reference: str, question: str | None = None) -> Iterator[Any]:
    for step in (*extraction.STEPS, ("answer_line", "last_number"), ("boxed", "whole", "last_number")):
        read = extraction.read_references([text], step, None)[0]
        extracted = extraction.extract_column([text], step, [reference], None, question and [question])[0]
        yield [None if answer == text else answer for answer in (extracted, read)]
    yield extraction.same_items(text, reference)


READERS = (reading, relation, formula, equality, choice, name, marks, steps)


def lines_of(reader: Callable[..., Iterator[Any]], inputs: list[Any]) -> list[str]:
    return recorded(lambda: ([each, *map(fields, reader(*each))] for each in inputs), words=True)


@pytest.mark.parametrize("reader", READERS, ids=[reader.__name__ for reader in READERS])
def test_readers_find_what_was_recorded(reader: Callable[..., Iterator[Any]]) -> None:
    lines = stored("values", reader.__name__)
    assert changed("values", reader.__name__, lines_of(reader, [json.loads(line)[0] for line in lines])) == []


def test_long_texts_are_read_at_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, limit in ((values, "LONGEST_READ"), (words, "LONGEST_READ"), (languages, "_LONGEST_ANSWER")):
        monkeypatch.setattr(module, limit, 1_000)
    monkeypatch.setattr(choices, "_LONGEST_SEARCHED", 1_000)
    filler = "1 " * 1_000
    assert len(values.read(filler)) == 500
    rights = {text: recall("1234", text.replace("…", filler)).right for text in ("…1234", "…1235", "1234…")}
    assert rights == {"…1234": True, "…1235": False, "1234…": False}
    assert [recall("Rom", f"{filler}{end}").reason for end in ("Das ist Rom", "Das ist nicht Rom")] == ["", "denied"]
    letters = [choices.extract_choice(text, ["gold", "iron"]) for text in (f"{filler}gold.", f"gold {filler}")]
    assert letters == ["A", None]


if __name__ == "__main__":
    inputs = {reader: [json.loads(line)[0] for line in stored("values", reader.__name__)] for reader in READERS}
    for path in sys.argv[1:]:
        for part, *each in map(json.loads, Path(path).read_text(encoding="utf-8").splitlines()):
            inputs[globals()[part]] += [each] if each not in inputs[globals()[part]] else []
    record("values", {reader.__name__: lines_of(reader, each) for reader, each in inputs.items()})
