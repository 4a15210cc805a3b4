"""Answers that name the right candidate without giving it, and right answers that look alike: templates times names.

In a template, r is the right candidate; d, e and f are others. `rows` yields each template with each set of names.
"""

from collections.abc import Iterator
from typing import NamedTuple

import answer_metrics

WRONG = {
    "alternatives": "{r} or {d} | {d} or {r}. | {d} / {r} | {r} and/or {d} | Either {d} or {r}. "
    "| {d}, {e} or {r} | {d} (or {r})"
    " | It is {d} or possibly {r}. | It could be {r}, {d} or {e}. | Can't decide: {r} or {d}?",
    "lists": "{d}, {r}, {e}, {f} | {d}; {e}; {r} | - {d}\n- {r}\n- {e} | 1. {d}\n2. {r}\n3. {e} | {d} & {r} & {e}"
    " | One of these: {d}, {r}, {e}. | {r}? {d}? {e}? | Options: {d}, {e}, {r}, {f}."
    " | {d} xor {r} | a) {d} b) {r} | My guesses: {d}, {r}",
    "uncertainty": "Maybe {r}, maybe {d}. | Perhaps {d}. Perhaps {r}. | Could be {r}. Could also be {d}. "
    "| {r} 50%, {d} 50%"
    " | Option 1: {r}. Option 2: {d}. | {d}. Alternatively, {r}. | I am torn: either {r} or {d}."
    " | {r}? Not sure.",
    "denials": "It is not {r} but {d}. | {d}, not {r}. | The answer isn't {r}. | {d} rather than {r}. "
    "| {d} instead of {r}."
    " | I doubt that it is {r}. | It is false that it was {r}. | It was never {r}. | Anything but {r}. "
    "| Unlike {r}, it is {d}."
    " | {r} is wrong; it was {d}. | {r} can be ruled out. | {r}: no. {d}: yes. | {r} does not fit; {d} does. "
    "| No way it was {r}."
    " | {d} (not to be confused with {r}) | {d} (see also {r})",
    "corrections": "{r}? No, {d}. | {r} - no, {d}. | {r}... wait, no, {d}. | {r}. Correction: {d}. "
    "| {r}. Actually, it was {d}."
    " | {r}. Sorry, I meant {d}. | {r}, or rather {d}. | {r}. On second thought, {d}. | ~~{r}~~ {d} "
    "| {r}. I take that back."
    " | Maybe {r}. Wait, no. Final answer: {d}",
    "suppositions": "I thought it was {r}, but it is {d}. | Some say {r}. Others say {d}. "
    "| {r} was my guess until I checked: {d}."
    " | Many people think of {r}, but the correct answer is {d}. "
    "| It was long believed to be {r}, but in fact it was {d}."
    " | Although {r} is often named, it was {d}. | While many would say {r}, the truth is {d}.",
    "questions": "Is it {r}? | Could it be {r}? | Is it {r}? I am asking you. | What about {r}?",
}
RIGHT = {
    "alternatives": "{d} or {e}? It is {r}. | {r} (also known as {d}) | {r}, also called {d} or {e} "
    "| {r} won against {d} or {e}.",
    "lists": "Among {d}, {e} and {r}, it was {r}. | {r}, which came before {d} and {e}. "
    "| {r}. It is often mentioned with {d} and {e}."
    ' | [{r}] | "{r}" | a) {r}',
    "uncertainty": "It may be {r}. | I believe it was {r}. | Probably {r}. | {r}, I think.",
    "denials": "It is not {d} but {r}. | {r}, not {d}. | {r} rather than {d}. | {r} instead of {d}. "
    "| I doubt that it is {d}; it was {r}."
    " | Unlike {d}, it is {r}. | {d} is wrong; it was {r}. | {d} can be ruled out, so {r}. "
    "| {d}: no. {r}: yes. | No doubt, it was {r}."
    " | It was none other than {r}. | {r} (not to be confused with {d}) | I do not doubt that it was {r}."
    " | {r} (see also {d}) | They rejected {r}.",
    "corrections": "{d}? No, {r}. | {d} - no, {r}. | {d}... wait, no, {r}. | {d}. Correction: {r}. "
    "| {d}. Actually, it was {r}."
    " | {d}. Sorry, I meant {r}. | {d}, or rather {r}. | ~~{d}~~ {r} | Maybe {d}. Wait, no. Final answer: {r}",
    "suppositions": "I thought it was {d}, but it is {r}. | Some say {d}. In fact it is {r}. "
    "| {d} was my guess until I checked: {r}."
    " | Many people think of {d}, but the correct answer is {r}. | Although {d} is often named, it was {r}.",
    "questions": "Is it {d}? No. Is it {r}? Yes. | {r}, right? | Which one? {r}.",
}
NAMES = [
    ("Which city is it?", "Oslo", "Madrid", "Cairo", "Lima"),
    ("Who wrote the book?", "Amélie Durand", "Karl Brandt", "Rosa Martínez", "Peter Novak"),
    ("Which metal is used?", "copper", "zinc", "iron", "tin"),
    ("How many are there?", "17", "23", "42", "68"),
    ("In which year did it happen?", "1931", "1948", "1926", "1957"),
    ("Which city is it?", "Новгород", "Самара", "Казань", "Рязань"),
    ("Who painted it?", "Иван Шишкин", "Илья Репин", "Марк Шагал", "Павел Филонов"),
    ("Which city is it?", "北京", "上海", "广州", "成都"),
    ("Which town is it?", "الرباط", "تونس", "دمشق", "بغداد"),
]
"""A question, the right candidate and three others, in several scripts."""


class Row(NamedTuple):
    """An answer to be scored."""

    kind: str
    is_right: bool
    template: str
    question: str
    prediction: str
    reference: str


def rows() -> Iterator[Row]:
    """Yield every template with every set of names."""
    for is_right, kinds in ((False, WRONG), (True, RIGHT)):
        for kind, templates in kinds.items():
            for template in templates.split(" | "):
                for question, right, *others in NAMES:
                    slots = dict(zip("rdef", (right, *others), strict=True))
                    yield Row(kind, is_right, template, question, template.format(**slots), right)


def table(scored: list[tuple[Row, bool]]) -> list[tuple[str, int, int, int]]:
    """Return kind, number of pairs, wrongly accepted and wrongly rejected answers."""
    lines = []
    for kind in WRONG:
        pairs = [(row.is_right, accepted) for row, accepted in scored if row.kind == kind]
        lines.append((kind, len(pairs), pairs.count((False, True)), pairs.count((True, False))))
    return lines


def measure(**options: object) -> list[tuple[str, int, int, int]]:
    """Return the table for accuracy with some options."""
    answers = list(rows())
    columns = {
        "predictions": [row.prediction for row in answers],
        "references": [row.reference for row in answers],
        "questions": [row.question for row in answers],
    }
    result = answer_metrics.load("accuracy", **options).compute(**columns, return_confidence=False)
    return table([(row, score > 0) for row, score in zip(answers, result["individual_scores"], strict=True)])
