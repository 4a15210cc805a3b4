r"""Extract the answer from a text: by a mark, as a choice, as the last number, or by a rule of the user's.

A step takes a text and its row, and returns the answer or None; `extract_column` takes the first step that returns one.
Every step takes time linear in the length of the text.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, Literal, NamedTuple

from answer_metrics.columns.tables import to_list
from answer_metrics.core.options import call, did_you_mean
from answer_metrics.matching.answer_lines import (
    BULLET,
    TEXT_COMMAND,
    extract_answer_line,
    extract_boxed,
    marked_answer,
)
from answer_metrics.matching.choices import as_letters, as_set, extract_choice
from answer_metrics.matching.mathematics import is_formula, spell
from answer_metrics.matching.numbers import DecimalMark, read_numbers, single_number
from answer_metrics.matching.stance import compiled, sign_rule
from answer_metrics.matching.values import last_number, number_of, stated_numbers
from answer_metrics.text.normalization import apply_flat, normalize

EXTRACTION_VERSION = "v3"


# ---- steps


class Row(NamedTuple):
    """What a step knows of a row besides the text."""

    references: Sequence[str] = ()
    choices: Sequence[str] | None = None
    question: str | None = None
    place: int = 0
    decimal: DecimalMark = "auto"

    @property
    def asks_number(self) -> bool:
        """Whether every reference is one number."""
        return bool(self.references) and all(number_of(text, self.decimal) for text in self.references)

    @property
    def wants_set(self) -> bool:
        """Whether a reference is a set of options: "AC"."""
        return any(len(text) > 1 and text == as_set(text, self.choices) for text in self.references)

    def last_number(self, text: str) -> str | None:
        """Find the last number that a text states, with its unit if a reference has one."""
        numbers = [number_of(reference, self.decimal) for reference in self.references]
        with_unit = any(number and number.unit for number in numbers)
        return last_number(text, self.question, with_unit=with_unit, decimal=self.decimal)


Step = Callable[[str, Row], str | None]
Name = Literal["boxed", "answer_line", "choice", "last_number", "whole", "auto"]
Extract = Name | str | re.Pattern[str] | Callable[[str], str | None] | Sequence[Any] | None

_EQUALS_SIGN = re.compile(r"(?<![<>!:])=|≈|\\approx")
_END_OF_SENTENCE = re.compile(r"(?<=[.!?。])\s+(?=[A-Z*$\\(])|\n+")
_RANGE = re.compile(r"\bbetween\s.{1,40}?\sand\s\W{0,4}\d", re.IGNORECASE)  # not a number
_STARTS_WITH_NUMBER = re.compile(r"\W{0,3}\d")
_CONCLUDES = re.compile(
    r"\b(?:which is|so|therefore|thus|hence|that makes|leaving)\b(?=.*\d)"
    r"|\b(?:plus|minus|times|divided by)\s\S{1,20}\s(?:is|makes|equals|gives)\b",
    re.IGNORECASE,
)
_END_OF_CLAUSE = re.compile(r"[.;,(]\s|\(|\n|\b(?:because|since|as)\b")


def _auto(text: str, row: Row) -> str | None:
    if row.choices:
        return extract_choice(text, row.choices, row.question, as_set=row.wants_set)
    answer = marked_answer(text)
    is_calculation = text.count("\n") > 3 or _EQUALS_SIGN.search(text)
    if answer is None and is_calculation and row.asks_number:
        answer = _conclusion(text)
    return text if answer is None else answer


def _conclusion(text: str) -> str | None:
    """Find the last sentence with a number; of an equation, its right side if that has one."""
    sentence = next(filter(read_numbers, reversed(_END_OF_SENTENCE.split(text))), None)
    right_side = _EQUALS_SIGN.split(sentence or "")[-1]
    return right_side if read_numbers(right_side) else sentence


def _only_number(answer: str, row: Row) -> str:
    """Reduce an answer line to the number that it begins with or states first, or to the result of several steps."""
    if number_of(answer, row.decimal) or not row.asks_number or _RANGE.search(answer):
        return answer
    items = [single_number(item, row.decimal) for item in _ITEM_END.split(answer.strip(_ITEM_MARKS))]
    if "\n" not in answer and all(items) and len({item.value for item in items if item}) > 1:  # 6, 5
        return answer
    first_clause = _END_OF_CLAUSE.split(answer.lstrip("( "), maxsplit=1)[0]
    is_explained = _END_OF_SENTENCE.search(answer) and not _STARTS_WITH_NUMBER.match(first_clause)
    if is_explained or _EQUALS_SIGN.search(first_clause) or "\n" in answer or _CONCLUDES.search(answer):
        result = _conclusion(answer)
        return (result and row.last_number(result)) or row.last_number(answer) or answer
    numbers = stated_numbers(answer, row.question, row.decimal)
    first = min(numbers, key=lambda number: number.is_word, default=None)
    following = next((number.start for number in numbers if first and number.start >= first.end), len(answer))
    return (first and row.last_number(answer[first.start : following])) or answer


STEPS: dict[str, Step] = {
    "boxed": lambda text, _: extract_boxed(text),
    "answer_line": lambda text, _: extract_answer_line(text),
    "choice": lambda text, row: extract_choice(text, row.choices, row.question, as_set=row.wants_set),
    "last_number": lambda text, row: row.last_number(text),
    "whole": lambda text, _: text,
    "auto": _auto,
}
_STEP_NAMES = ", ".join(f'"{name}"' for name in STEPS)
EXPECTED = f"{_STEP_NAMES}, a regular expression with one group, a callable, a list of these or None"
"""The values of the option."""


def check_extract(name: str, value: Any) -> Any:
    """Return a value of the option `extract`, or raise a `ValueError` that says what is possible."""
    if isinstance(value, (list, tuple)) and value:
        return tuple(_check_step(f"{name}[{place}]", step) for place, step in enumerate(value))
    return None if value is None else _check_step(name, value)


def _check_step(name: str, value: Any) -> Any:
    if callable(value) or (isinstance(value, str) and value in STEPS):
        return value
    groups = compiled(name, value, EXPECTED).groups
    if groups != 1:
        hint = did_you_mean(value, STEPS) if isinstance(value, str) else ""
        expected = f"{_STEP_NAMES}, or a regular expression with exactly one group"
        raise ValueError(f"{name} must be {expected}; {value!r} has {groups}{hint}")
    return value


def as_steps(extract: Extract) -> tuple[Any, ...]:
    """Return an extraction as a sequence of steps."""
    return tuple(extract) if isinstance(extract, (list, tuple)) else (extract,)


def signature_of(extract: Extract) -> str:
    """Return the text for an extraction in signatures."""
    return ">".join(sign_rule(step, STEPS, EXTRACTION_VERSION) for step in as_steps(extract))


# ---- columns


def extract_column(
    texts: Iterable[str],
    extract: Extract,
    references: Sequence[Any] | None = None,
    choices: Sequence[Sequence[str]] | None = None,
    questions: Sequence[str] | None = None,
    *,
    skipped: Collection[int] = (),
    decimal: DecimalMark = "auto",
) -> list[str | None]:
    """Find the answer in each text by the first step that finds one; None without one, and at places to skip.

    A step is a key of `STEPS`, a regular expression with one group, or a function; some depend on the other columns.
    """
    steps = [_function_of(step) for step in as_steps(extract)]
    wants_number = "last_number" in as_steps(extract)
    without, extracted = set(skipped), []
    others = (references or repeat(()), choices or repeat(None), questions or repeat(None))
    rows = zip(to_list("predictions", texts), *others, strict=False)
    for index, (text, accepted, options, question) in enumerate(rows):
        row = Row([accepted] if isinstance(accepted, str) else accepted, options, question, index, decimal)
        answers = (step(text, row) for step in steps if index not in without)
        answer = next((answer for answer in answers if answer is not None), None)
        extracted.append(_only_number(answer, row) if wants_number and answer else answer)
    return extracted


def _function_of(step: Any) -> Step:
    if callable(step):
        rules: dict[str, Any] = {"option": "extract", "kinds": str | None, "expected": "a string or None"}
        return lambda text, row: call(step, text, place=f"predictions[{row.place}]", **rules)
    if isinstance(step, str) and step in STEPS:
        return STEPS[step]
    pattern = re.compile(step)
    # A match of nothing finds nothing.
    return lambda text, _: next((match[1] for match in reversed([*pattern.finditer(text)]) if match[1]), None)


def reads_choices(extract: Extract) -> bool:
    """Return whether an extraction reads the letters of choices, where there are any."""
    return not {"choice", "auto"}.isdisjoint(as_steps(extract))


def read_references(
    references: Any, extract: Extract, choices: Sequence[Sequence[str]] | None, decimal: DecimalMark = "auto"
) -> list[Any]:
    r"""Return references as letters of their choices, or as what they mark: "… #### 72", "\boxed{72}".

    With the step `last_number`, a worked solution is its last number.
    """
    texts: list[Any] = to_list("references", references)
    if choices and reads_choices(extract):
        return as_letters(texts, choices)
    steps = {*as_steps(extract)}

    def read(text: str) -> str:
        answer = None
        if steps & {"boxed", "auto"}:
            words = TEXT_COMMAND.fullmatch(text)
            answer = words[1].strip() if words else extract_boxed(text)
        if answer is None and steps & {"answer_line", "auto"} and "####" in text:
            answer = extract_answer_line(text)
        if answer is None and "choice" in steps:
            answer = as_set(text)
        if answer is None and "last_number" in steps:
            answer = _result_of_solution(text, decimal)
        return text if answer is None else answer

    return apply_flat(lambda flat: list(map(read, flat)), texts)


def _result_of_solution(text: str, decimal: DecimalMark) -> str | None:
    """Return the number that the last line of a worked solution states; None for other texts, such as lists."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or all(map(_NAMED_NUMBER.fullmatch, lines[:-1])):
        return None
    is_result = len(stated_numbers(_EQUALS_SIGN.split(lines[-1])[-1], None, decimal)) == 1
    return last_number(lines[-1], decimal=decimal) if is_result else None


_NAMED_NUMBER = re.compile(r"(?:[^\d=:]*[=:])?[^\w=:]*\d[\d.,]*[^\d\n]{0,20}")
"""An item of a list of values: "3", "x = 3", "pears: 4 kg"."""


# ---- lists

_ITEM_END = re.compile(r"\s*(?:[;\n|]|,\s)\s*(?:and\s|or\s|und\s|y\s|et\s|e\s)?|\s(?:and|&|und|y|et)\s")
_JOINED = re.compile(r"[;\n]|\s(?:and|&|und|y|et)\s")
_ITEM_MARKS = " \t\r\n*_`'\".[]|"
_INTRODUCTION = re.compile(r"\A[^,;\n]*?(?::|\b(?:are|were|is|was|son|sind|sont)\b)\s*")
_MOST_WORDS, _LONGEST_LIST = 5, 4_000


def same_items(prediction: str, reference: str) -> bool | None:
    """Return whether a list has the items of the list that a reference is, in any order.

    False if items are missing or too many; None if one is no list, or other rules should compare the items.
    """
    if (same := _same_bracketed(prediction, reference)) is not None:
        return same
    wanted = _items(reference)
    if len(wanted) < 2 or reference.lstrip()[:1] in {"[", "("} or is_formula(reference):
        return None
    items = _items(_INTRODUCTION.sub("", prediction[:_LONGEST_LIST], count=1)) or [_item(prediction)]
    if sorted(items) == sorted(wanted):
        return True
    if set(items) < set(wanted):
        return None if len(set(items)) == 1 or _may_be_place(reference) else False
    return False if set(wanted) < set(items) and not _may_be_place(prediction) else None


_IN_BRACKETS = re.compile(r"([(\[{])([^()\[\]{}]*)([)\]}])\.?")


def _same_bracketed(prediction: str, reference: str) -> bool | None:
    """Return True if one of two lists is in brackets and has the items of the other, a set in any order; else None."""
    texts = _INTRODUCTION.sub("", prediction[:_LONGEST_LIST], count=1).strip(), reference.strip()
    matches = [_IN_BRACKETS.fullmatch(text) for text in texts]
    match = matches[0] or matches[1]
    if match is None or all(matches) or match[1] + match[3] not in {"()", "[]", "{}"}:
        return None
    inside, other = match[2].strip(), texts[matches[0] is not None]
    if inside == other:
        return "," in inside or None
    if single_number(inside) or single_number(other):  # 1,234
        return None
    items, others = (_items(text.replace(",", ", ")) for text in (inside, other))
    is_same = sorted(items) == sorted(others) if match[1] == "{" else items == others
    return (len(items) > 1 and is_same) or None


@lru_cache(20_000)  # references repeat
def _items(text: str) -> list[str]:
    """Return the items of a list in a form to compare; none if it is prose, or one thing."""
    if len(text) > _LONGEST_LIST:
        return []
    text = text.strip().strip(_ITEM_MARKS)
    text = text[1:-1] if text[:1] == text[-1:] == "$" else text
    parts = [part.strip(_ITEM_MARKS) for part in _ITEM_END.split(text)]
    if len(parts) == 1 and "," in text:  # 132,133,197
        parts = text.split(",")
        is_number = len(parts) == 2 and single_number(text)  # 1,234
        parts = [] if is_number or not all(map(single_number, parts)) else parts
    parts = [BULLET.sub("", part) for part in parts if part]
    is_list = len(parts) > 1 and all(len(part.split()) <= _MOST_WORDS for part in parts)
    return list(map(_item, parts)) if is_list else []


def _item(text: str) -> str:
    number = single_number(text)
    return f"{number.value} {number.unit}" if number else spell(text) if is_formula(text) else normalize(text)


def _may_be_place(reference: str) -> bool:
    """Return whether commas may add to the first name: "Paris, Texas, USA", "September 2, 1945", "Doe, John"."""
    parts = reference.split(", ")
    return not _JOINED.search(reference) and any(part[:1].isupper() for part in parts)
