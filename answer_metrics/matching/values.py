"""Typed values in text: dates, times and numbers with their places, how they are stated, and how two compare.

`read` finds the values of a text once, from left to right. `relate` says whether a value of an answer equals one of a
reference, says less, says more, or contradicts it. Time is linear in the length of the text.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, zip_longest
from typing import NamedTuple

from answer_metrics.columns.tables import collector_paused
from answer_metrics.core.patterns import compile_later
from answer_metrics.matching.clauses import contains
from answer_metrics.matching.dates import (
    DATE_WORDS,
    TIME_WORDS,
    Date,
    Relation,
    Time,
    find_dates,
    find_times,
    relate_dates,
    relate_times,
)
from answer_metrics.matching.numbers import (
    CURRENCIES,
    CURRENCY_SIGN,
    NUMBER_SIGN,
    NUMBER_WORDS,
    SCALES,
    UNIFIED,
    Code,
    DecimalMark,
    Number,
    Rational,
    find_codes,
    is_same_code,
    letter_runs,
    lowered,
    numbers_in,
    single_number,
)
from answer_metrics.matching.units import OTHER_UNITS, UNITS, unit_after, with_unit_name, without_tex

Value = Date | Time | Number | Code
"""A value in a text. Its stance is "" for a fact, "<", "<=", ">" or ">=" for a bound, "±" for a margin, "not" if it is
denied, "or" if it is one of several, "-" if it is an end of a range, and "--" or "++" if it is one of two numbers that
fall or rise: 3-1, 1:3."""
STATED = frozenset({"", "--", "++"})
"""The stances in which a text states a value."""

# ---- units and directions

_ARC = re.compile(r"\s?(?:°|degrees?)(?:\s?(\d{1,2})\s?['\u2032\u2019](?:\s?(\d{1,2})\s?[\"\u2033\u201d])?)?")
_DIRECTION_AFTER = re.compile(r"\s?(?:latitude\s|longitude\s)?(N|S|E|W|north|south|east|west)(?:ern)?\b", re.IGNORECASE)
_DIRECTION_BEFORE = re.compile(r"\b(north|south|east|west)(?:ern)?\s(?:latitude|longitude)\s(?:of\s)?\Z", re.IGNORECASE)

_DIRECTIONS = {"n": "north", "s": "south", "e": "east", "w": "west"}
_NEGATIVE_DIRECTIONS = frozenset({"south", "west"})
_ORDINAL_SUFFIXES = frozenset("st nd rd th".split())
_FEET_AND_INCHES = re.compile(r"(\d{1,3})\s?['\u2032\u2019]\s?([0-5]?\d(?:\.\d+)?)\s?(?:[\"\u2033\u201d]|'')")
# 2h 30m, 1 h 5 m 3 s, 2m30s: two parts or more, whose letters alone would be meters, or decades; PT45M.
_DURATION = re.compile(
    r"(?<![\w.:-])(?<!°)(?<!°\s)(?:pt)?(?:(\d{1,3})\s?h(?:rs?)?,?\s?(?=[0-5]?\d\s?m))?"
    r"([0-5]?\d)\s?m(?:in)?(?:,?\s?([0-5]?\d(?:\.\d+)?)\s?s(?:ec)?)?(?!\w)"
)
_PERCENT = Fraction(1, 100)
_WORD_AFTER = compile_later(rf"[\s-]?([A-Za-zµΩ]+|[°℃℉¢]|{OTHER_UNITS})")
_AFTER_DEGREES = frozenset(
    "° n s e w north south east west northern southern eastern western latitude longitude".split()
)
_WORDS_AFTER = _ORDINAL_SUFFIXES | _AFTER_DEGREES | {name.partition("-")[0] for name in CURRENCIES}
_WORDS_AFTER |= frozenset("below in square sq cubic cu metric light astronomical basis international".split())
_WORDS_AFTER |= {f"{name}{plural}" for name in UNITS for plural in ("", "s", "es")}
_RATED = frozenset({"bits", *CURRENCIES.values()})  # what people also state without "per hour"
# Zero points of scales of temperature, and their degrees in kelvins.
_HEAT = {"kelvin": (Fraction(0), Fraction(1)), "celsius": (Fraction("273.15"), Fraction(1))}
_HEAT["fahrenheit"] = (Fraction("459.67"), Fraction(5, 9))
_CONVERTED = Fraction(6, 1000)  # the tolerance of amounts in different units: 82 km and 51 miles

_BETWEEN_PARTS = frozenset({"", " ", ", ", " and ", ", and "})  # 6 feet and 2 inches


def _size(value: Rational) -> Rational:
    """Return the absolute value, with its type: mypy takes that of `abs` for an object."""
    return value if value >= 0 else -value


def _with_unit(text: str, number: Number) -> Number:
    """Add what stands around the digits: a unit, a direction, the suffix of an ordinal, "below zero"."""
    start, end = number.start, number.end
    if number.unit not in {"", "%"}:
        rate, end = unit_after(text, end, number.unit) or (UNITS[number.unit], end)
        return number._replace(unit=rate.measure, factor=rate.size, end=end)
    following = _WORD_AFTER.match(text, end)
    word = following[1].lower() if following else ""
    has_axis = "itude" in text[max(0, start - 14) : start]
    if not has_axis and word.isascii() and word not in _WORDS_AFTER:
        return number
    if word in _ORDINAL_SUFFIXES:
        is_suffix = text[end].isalpha() and not text[end + 2 : end + 3].isalnum()
        return number._replace(kind="ordinal", end=end + 2) if is_suffix else number
    if number.kind == "ordinal":
        return number
    if (has_axis or word in _AFTER_DEGREES or word.startswith("degree")) and (located := _located(text, number)):
        return located
    unit, end = (None if number.unit else unit_after(text, end)) or (None, end)
    value = number.value
    if text.startswith(" below zero", end):
        value, unit, end = -_size(value), unit or UNITS["degree"], end + len(" below zero")
    if unit and unit.measure == "%":  # basis points
        return number._replace(value=value * unit.size, unit="%", end=end, decimals=-1)
    return number._replace(value=value, unit=unit.measure, factor=unit.size, end=end) if unit else number


def _located(text: str, number: Number) -> Number | None:
    """Return a number with its direction, "51° 30' N", "latitude 51 north"; None if it has none."""
    start, end = number.start, number.end
    arc = _ARC.match(text, end)
    end = arc.end() if arc else end
    before = _DIRECTION_BEFORE.search(text, max(0, start - 25), start)
    is_marked = arc or (text[end : end + 1] in set("NSEW") and not text[end + 1 : end + 2].isalnum())
    direction = (is_marked and _DIRECTION_AFTER.match(text, end)) or before
    if not direction:
        return None
    minutes, seconds = map(int, arc.groups("0")) if arc else (0, 0)
    return number._replace(
        value=number.value + Fraction(60 * minutes + seconds, 3600),
        start=min(start, direction.start()),
        end=max(end, direction.end()),
        unit="degrees",
        kind=_DIRECTIONS[direction[1][0].lower()],
    )


def _whole_amount(plain: str, first: Value, second: Number) -> Number | None:
    """Join two parts of an amount in units of one measure: 1 h 30 min, 6 feet 2 inches; None if they are two amounts."""
    if not isinstance(first, Number) or first.unit != second.unit or second.factor >= first.factor:
        return None

    part = Fraction(second.value * second.factor) / first.factor
    is_next = first.end <= second.start and plain[first.end : second.start] in _BETWEEN_PARTS
    is_joined = is_next and first.value.denominator == 1 and 0 <= part < 1
    return first._replace(value=first.value + part, end=second.end, decimals=-1) if is_joined else None


# ---- stances

# Words and signs before each bound; people take "after 2015" for 2015.
_BOUNDS = {
    "<": r"(?:(?:less|fewer|lower|smaller|younger|shorter)\sthan|(?<!just )under|below|weniger\sals|moins\sde|menos\sde)"
    r"|(?<!\S)<(?!=)|\\lt(?![a-z])|不到|低于|少于",
    "<=": r"(?:at\smost|not?\smore\sthan|a?\s?maximum\sof|höchstens)|(?<!\S)<=|≤|\\leq?(?![a-z])|以下",
    ">": r"(?:(?:more|greater|larger|higher|older|longer)\sthan|(?<!just )over|above|exceeding|beyond|mehr\sals|plus\sde"
    r"|más\sde)|(?<!\S)>(?!=)|\\gt(?![a-z])|超过",
    ">=": r"(?:at\sleast|not?\sless\sthan|no\sfewer\sthan|a?\s?minimum\sof|mindestens)|(?<!\S)>=|≥|\\geq?(?![a-z])|至少",
    "before": "before", "after": "after", "±": r"(?:±|\+/-|\\pm(?![a-z])|plus(?:\sor\s|/)minus\b)",
}  # fmt: skip
_BOUND_BEFORE = compile_later(
    "(?:" + "|".join(rf"((?<![^\W\d_]){bound})" for bound in _BOUNDS.values()) + r")(?:\sor\sequal\sto)?\s?"
)
_BOUND_AFTER = compile_later(
    r"\s?(?:(?P<less>or\s(?:less|fewer|lower|under|below|younger)|(?:or\s)?at\smost|以下)|at\sleast\b(?=\W|\Z)"
    r"|or\s(?:more|greater|higher|over|above|older)|以上)(?!\w)"
)
_DENIAL = re.compile(
    r"(?:\b(?:not|never|anything\sbut|neither|nor|instead\sof|rather\sthan|no\slonger|nicht|statt|ni"
    r"|(?:hour|day|week|month|year|decade)s?\s(?:before|after))|n['\u2019]t|\bthan)\s"
    r"(?:(?:in|on|at|the|just|exactly|by|a)\s)*[$€£]?\Z|(?:不是|≠|!=|\\neq?)\s?\Z"
)
# Words and signs of which every pattern of a stance has one.
_DENYING = frozenset(
    "not never anything neither nor instead rather longer nicht statt ni t than ne neq before after".split()
)
_BOUNDING = frozenset(
    """than under below most before maximum als moins menos höchstens over above least exceeding after beyond minimum plus
    más mindestens less fewer lower younger more greater higher older le lt ge gt leq geq""".split()
)
_DENYING_SIGN, _BOUNDING_SIGN = re.compile("[≠!不]"), re.compile(r"[<>≤≥±不低少以超至]|\+/-|\\pm")
_JOINING = frozenset("or oder ou to through until bis and".split())
_OR_BETWEEN = re.compile(r"\s*,?\s*(?:\bor\b|\boder\b|\bou\b|或)\s?(?:(?:maybe|perhaps|in|on|the)\s)*[$€£]?")
_TO = re.compile(r"\s?[-:]\s?|\s(?:to|through|until|bis|and)\s[$€£]?")
_BETWEEN = re.compile(r"\b(?:between|from|zwischen|entre|von|de)\s[$€£]?\Z")
_ASKS_BOUND = re.compile(
    r"\b(?:minimum|maximum|limit|at\s(?:least|most)\show|up\sto\s(?:how|what))\b|\bat\s(?:least|most)\W*\Z",
    re.IGNORECASE,
)
_ASKS_MARGIN = re.compile(r"\b(?:margin|errors?|tolerance|uncertainty|accura\w+|precis\w+)\b", re.IGNORECASE)
_LOOK_BEHIND = 30
_BETWEEN_VALUES = 14


def accepted_stances(question: str) -> frozenset[str]:
    """Return the stances in which an answer to a question states a value: bounds and margins if it asks for one."""
    bounds = {"<", "<=", ">", ">="} if _ASKS_BOUND.search(question) else set()
    return STATED | bounds | ({"±"} if _ASKS_MARGIN.search(question) else set())


def _with_stances(lower: str, values: list[Value], words: Collection[str]) -> list[Value]:
    """Say how each value is stated in a text, which is in lower case and has these words."""
    stances = [""] * len(values)
    if not _BOUNDING.isdisjoint(words) or _BOUNDING_SIGN.search(lower):
        bounds = {bound.end(): bound for bound in _BOUND_BEFORE.finditer(lower)}
        stances = [_bound(lower, value, bounds.get(value.start)) for value in values]
        for place, value in enumerate(values):
            if stances[place] == "±":
                values[place] = value._replace(start=bounds[value.start].start())
    if not _DENYING.isdisjoint(words) or _DENYING_SIGN.search(lower):
        for place, value in enumerate(values):
            if not stances[place] and _DENIAL.search(lower, max(0, value.start - _LOOK_BEHIND), value.start):
                stances[place] = "not"
    may_join = "-" in lower or ":" in lower or "或" in lower or not _JOINING.isdisjoint(words)
    for place, (first, second) in enumerate(pairwise(values)) if may_join else ():
        if not 0 < second.start - first.end <= _BETWEEN_VALUES or not lower[first.end : second.start].strip(" ,"):
            continue
        is_or = _OR_BETWEEN.fullmatch(lower, first.end, second.start) is not None
        if is_or and _type_of(first) is _type_of(second) and _are_alternatives(first, second):
            stances[place] = stances[place + 1] = "or"
        elif isinstance(first, Number) and isinstance(second, Number) and (stance := _range(lower, first, second)):
            stances[place] = stances[place + 1] = stance
        elif isinstance(first, Date) and isinstance(second, Date) and _TO.fullmatch(lower, first.end, second.start):
            is_open = first.day and not first.year and second.month and second.year  # from May 12 to May 15, 2022
            values[place] = first._replace(year=second.year - (first.month > second.month)) if is_open else first
    if not any(stances):
        return values
    return [value._replace(stance=stance) if stance else value for value, stance in zip(values, stances, strict=True)]


def _bound(lower: str, value: Value, before: re.Match[str] | None) -> str:
    """Return "<", "<=", ">" or ">=" for a value with a bound before or after it, else ""."""
    if before:
        bound = list(_BOUNDS)[(before.lastindex or 1) - 1]
        if bound not in {"before", "after"}:
            return bound + "=" * (len(bound) == 1 and "equal" in before[0])
        if isinstance(value, Number) and year_of(value) is None:
            return "<" if bound == "before" else ">"
    after = _BOUND_AFTER.match(lower, value.end)
    return "" if after is None else "<=" if after["less"] else ">="


@lru_cache(maxsize=20_000)  # references repeat
def bound_of(text: str, decimal: DecimalMark = "auto") -> Number | None:
    """Return the number that a text bounds and nothing else, with its stance: "at least 5", "≥ 5"; else None."""
    plain = lowered(text.strip().rstrip("."))
    before = _BOUND_BEFORE.match(plain)
    end = 0 if before else next((match.start() for match in _BOUND_AFTER.finditer(plain[:60])), 0)
    number = number_of(plain[before.end() :] if before else plain[:end], decimal)
    if number is None or (end and not _BOUND_AFTER.fullmatch(plain, end)):
        return None
    return number._replace(stance=_bound(plain, number._replace(start=0, end=end), before)) if before or end else None


def _range(lower: str, first: Number, second: Number) -> str:
    """Return "-" for two numbers that are a range, "--" for two that fall, such as a score, else ""."""
    joint = _TO.fullmatch(lower, first.end, second.start)
    if joint is None:
        return ""
    if ":" in joint[0] or _size(first.value) >= _size(second.value):
        is_pair = joint[0] in {"-", ":", " : ", " to "}
        return "" if not is_pair or first.value == second.value else "--" if first.value > second.value else "++"
    if year_of(first) and (second.value < 100 or 1000 <= second.value < 2100 or second.value >= 10_000):
        return ""
    is_joined = "-" in joint[0] or " to " in joint[0]
    return "-" if is_joined or _BETWEEN.search(lower, max(0, first.start - 12), first.start) else ""


def _type_of(value: Value) -> type:
    is_year = isinstance(value, Date) and not value.month and value.span == 1  # of a season: 1951-52
    return Number if is_year else type(value)


def _are_alternatives(first: Value, second: Value) -> bool:
    """Return whether two values are two answers, not an amount in two units: "228 minutes or 3 hours", "5% or 0.05"."""
    if isinstance(first, Number) and isinstance(second, Number):
        if first.unit != second.unit and "%" in {first.unit, second.unit}:
            return first.value not in {second.value * 100, second.value * _PERCENT}
        if first.unit != second.unit:
            return not first.unit
        if first.factor != second.factor:
            return False
    return relate(first, second) in {"contradicts", "unrelated"}


# ---- reading

_VALUE_WORDS = DATE_WORDS | TIME_WORDS | NUMBER_WORDS
LONGEST_READ = 250_000
"""Values are read in so many characters at the end of a text, where long answers come to their conclusion."""


def read(text: str, decimal: DecimalMark = "auto", *, english: bool = True) -> list[Value]:
    """Find the values of a text, from left to right; dates win over times, and these over numbers.

    Number words are English, and are not read where `english` is false.
    """
    return _read_all(text, decimal, english=english)[0]


def _read_all(text: str, decimal: DecimalMark, *, english: bool = True) -> tuple[list[Value], list[Number]]:
    """Find the values of a text, and all numbers without units, also those in dates."""
    plain = text if text.isascii() else text.translate(UNIFIED)
    plain = plain[-LONGEST_READ:].rjust(len(plain))
    lower = lowered(plain)
    runs = letter_runs(lower)
    words = _VALUE_WORDS.intersection(runs)
    if not words and not NUMBER_SIGN.search(lower) and "@" not in lower:
        return [], []
    values: list[Value] = []
    taken = bytearray(len(plain))
    dates, times = find_dates(plain, lower, words), find_times(lower, words)
    for group in (_amounts(plain, lower), dates, times, find_codes(lower)):
        for value in _free(group, taken):
            taken[value.start : value.end] = b"\1" * (value.end - value.start)
            values.append(value)
    is_sorted = not values
    numbers = list(numbers_in(plain, lower, words & NUMBER_WORDS, decimal))
    end = 0  # of a number with its unit
    for number in numbers:
        if number.start < end or taken[number.start] or (number.is_word and not english) or number.kind == "part":
            continue
        number = _with_unit(plain, number._replace(kind="") if number.kind == "adverb" else number)
        end = number.end
        whole = _whole_amount(plain, values[-1], number) if number.unit and values else None
        values[-1 if whole else len(values) :] = [whole or number]
    if not is_sorted:
        values.sort(key=lambda value: (value.start, -value.end))

    return _with_stances(lower, values, runs), numbers


def _amounts(plain: str, lower: str) -> Iterator[Number]:
    """Yield heights, 6'2", and durations: 5'30", 2h 30m, PT45M."""
    for match in _FEET_AND_INCHES.finditer(plain):
        before = plain[max(0, match.start() - 2) : match.start()].strip()
        if before[-1:] != "°" and not before[-1:].isdigit():
            unit, parts = (UNITS["foot"], 12) if float(match[2]) < 12 else (UNITS["minute"], 60)
            amount = int(match[1]) + Fraction(match[2]) / parts
            yield Number(amount, *match.span(), unit.measure, factor=unit.size)
    for match in _DURATION.finditer(lower):
        if match[1] or match[3] or match[0][0] == "p":
            minutes, unit = int(match[2]) + Fraction(match[3] or 0) / 60, UNITS["hour" if match[1] else "minute"]
            amount = int(match[1]) + minutes / 60 if match[1] else minutes
            yield Number(amount, *match.span(), "time", factor=unit.size)


def _free(values: Iterable[Value], taken: bytearray) -> Iterator[Value]:
    """Yield the values of places that are not taken; two days of one month may share their place."""
    previous = (-1, -1)
    for value in values:
        span = (value.start, value.end)
        if span == previous or not any(taken[value.start : value.end]):
            previous = span
            yield value


def year_of(value: Value) -> Date | None:
    """Return the year that a bare number may be."""
    if not isinstance(value, Number) or not 1000 <= value.value < 2100 or value.value % 1 or not value.is_bare:
        return None
    return Date(value.start, value.end, int(value.value))


# ---- relations


def relate(reference: Value, answer: Value, *, is_share: bool = False) -> Relation:
    """Return what a value of an answer is to one of a reference; a bare number may be a year or an hour.

    With `is_share`, a number may be written with and without a percent sign.
    """
    if {reference.stance, answer.stance} in ({"-", "--"}, {"++", "--"}):
        return "contradicts"  # a score of 3-1 is not 1-3
    if isinstance(reference, Code) or isinstance(answer, Code):
        other: Relation = "contradicts" if type(reference) is type(answer) else "unrelated"
        return "equal" if is_same_code(reference, answer) else other
    if _lasts(reference, answer) or _lasts(answer, reference):
        return "equal"
    if isinstance(reference, Number):
        if isinstance(answer, Number):
            return _relate_numbers(reference, answer, is_share=is_share)
        if isinstance(answer, Time):
            return "unrelated"
        if reference.is_bare and reference.value == answer.year < 1000 and answer.era:
            return "finer"
        year = year_of(reference)
        return relate_dates(year, answer) if year else "unrelated"
    if isinstance(answer, Number):
        if isinstance(reference, Time):
            is_hour = answer.is_bare and not reference.minute
            return "coarser" if is_hour and answer.value in {reference.hour, reference.hour % 12 or 12} else "unrelated"
        if reference.era and answer.is_bare and reference.year == answer.value:
            return "coarser"
        has_footnote = answer.is_bare and _has_footnote(answer, reference.year)
        year = Date(answer.start, answer.end, reference.year) if has_footnote else year_of(answer)
        return relate_dates(reference, year) if year else "unrelated"
    if isinstance(reference, Date) and isinstance(answer, Date):
        return relate_dates(reference, answer)
    if isinstance(reference, Time) and isinstance(answer, Time):
        return relate_times(reference, answer)
    return "unrelated"


def _lasts(time: Value, number: Value) -> bool:
    """Return whether a duration is written like a time of day: 1:30 is 90 minutes, or 90 seconds."""
    if not isinstance(time, Time) or not isinstance(number, Number) or number.unit != "time":
        return False
    seconds = 3600 * time.hour + 60 * time.minute + time.second
    return number.value * number.factor in {seconds, Fraction(seconds, 60)}


def _relate_numbers(reference: Number, answer: Number, *, is_share: bool) -> Relation:
    kinds = {reference.kind, answer.kind}
    if len(kinds) == 2 and not kinds <= {"", "roman"}:
        if "ordinal" in kinds:  # season 2 is the second, but "one" is not the first
            is_same = reference.value == answer.value and not (answer.is_word and not answer.kind)
            return "finer" if is_same else "unrelated"
        if "" not in kinds:
            return "contradicts"
        if kinds & _NEGATIVE_DIRECTIONS and reference.value == -answer.value:
            return "equal"
        if kinds & _NEGATIVE_DIRECTIONS and "" in {reference.unit, answer.unit} and reference.decimals > 0:
            return "contradicts"  # -33.8688 is 33.8688° S
    if _is_converted(reference, answer):
        return "equal"
    if not units_agree(reference, answer, is_share=is_share):
        return "contradicts"
    if reference.unit == answer.unit and reference.factor != answer.factor:
        wanted, stated = reference.value * reference.factor, answer.value * answer.factor
        return "finer" if _size(wanted - stated) <= _size(wanted) * _CONVERTED else "contradicts"
    if reference.value == answer.value or _is_grouped(reference, answer):
        return "equal"
    if year_of(answer) and reference.scale == 1 and not reference.unit:
        return "contradicts"  # years are not rounded
    if year_of(reference) and answer.is_bare and _has_footnote(answer, int(reference.value)):
        return "equal"
    return _relate_rounded(reference, answer)


def _has_footnote(number: Number, year: int) -> bool:
    """Return whether the digits of a number are those of a year and of a footnote: 19921."""
    return year >= 1000 and bool(re.fullmatch(rf"{year}[1-9]\d?", str(number.value)))


def units_agree(reference: Number, answer: Number, *, is_share: bool = False) -> bool:
    """Return whether numbers may be the same with their units: 5 is $5, but 50 is 50% only if a share is asked for."""
    units = {reference.unit, answer.unit}
    if len(units) == 1:
        return True
    if "" in units:
        return is_share or "%" not in units
    short, long = sorted(units, key=len)
    if long.startswith(f"{short}/") and short in _RATED:  # a line of 54 Mbit, a wage of $15
        return True
    if units == {"£", "mass"}:
        return UNITS["pound"].size in {reference.factor, answer.factor}
    if units in ({"celsius", "charge"}, {"fahrenheit", "capacitance"}):  # 3 C, 5 F
        return True
    return "degrees" in units and bool(units & {"celsius", "fahrenheit", "force"})  # 51 N


def _is_converted(first: Number, second: Number) -> bool:
    """Return whether one number is a fraction and the other its percentage, 3/4 and 75%, or both are as warm."""
    if first.unit in _HEAT and second.unit in _HEAT:  # as precisely as the rougher one is written
        warmth, other = ((number.value + _HEAT[number.unit][0]) * _HEAT[number.unit][1] for number in (first, second))
        step = Fraction(1, 10 ** max(min(first.decimals, second.decimals), 0))
        return first.unit != second.unit and 2 * _size(warmth - other) <= step
    fraction, percentage = (first, second) if second.unit == "%" else (second, first)
    if (fraction.unit, fraction.factor, percentage.unit) == ("bits/time", 1, "%"):  # 25 bps are 25 basis points
        return 100 * percentage.value == fraction.value
    is_fraction = not fraction.unit and fraction.value.denominator > 1 and (fraction.decimals < 0 or fraction.is_word)
    return is_fraction and percentage.unit == "%" and percentage.value == 100 * fraction.value


def _is_grouped(first: Number, second: Number) -> bool:
    """Return whether the point of one number separates thousands, as the other shows, which is whole: 16.181, 16181."""
    pairs = ((first, second), (second, first))
    return any(point.may_group and not whole.decimals and point.value * 1000 == whole.value for point, whole in pairs)


def _relate_rounded(reference: Number, answer: Number) -> Relation:
    """Return whether one number is the other rounded to two digits or more; small whole numbers are not rounded."""
    wanted, stated = reference.value, answer.value
    if _size(wanted) < 1000 and wanted.denominator == 1:
        return "contradicts"
    if wanted * stated <= 0 or not Fraction(1, 2) < Fraction(stated) / wanted < 2 or _size(wanted) > 10**15:
        return "contradicts"
    relations: tuple[tuple[Number, Number, Relation], ...] = (
        (reference, answer, "coarser"), (answer, reference, "finer"),
    )  # fmt: skip
    for exact, rounded, relation in relations:
        digits = len(f"{float(rounded.value):.14e}".partition("e")[0].replace(".", "").strip("-0"))
        written = _size(rounded.value) / rounded.scale * 10 ** max(rounded.decimals, 0)
        with_zeros = max(digits, len(str(int(written)))) if rounded.decimals > 0 else digits  # 3 of 5.20
        if 1 < digits <= 12 and f"{float(exact.value):.{with_zeros}g}" == f"{float(rounded.value):.{with_zeros}g}":
            return relation
    return "contradicts"


# ---- the unit that a question asks for


class Unit(NamedTuple):
    """What a question says about a bare number: its scale, and whether it may be a share."""

    scale: int = 1
    """1,000,000 for "in USD millions"."""
    is_share: bool = False
    """Whether 65% and 0.65 are the same: for "margin", "rate", "in percent"."""
    is_version: bool = False
    """Whether 3.1 and 3.10 differ: for "version", "release"."""


PLAIN = Unit()
_ASKED_SCALE = compile_later(
    r"\b(?:in|nearest|to)\s(?:units\sof\s|the\snearest\s)?(?:usd|us\$|us|u\.s\.|\$|eur|€|gbp|£)?\s?(?:dollars?\s)?"
    r"(?:in\s)?(thousand|million|billion|mn|bn|mm)s?\b"
    r"|\((?:in\s)?(?:usd|us\$|\$|eur|€|gbp|£)?\s?(?:in\s)?(thousand|million|billion|mn|bn|mm)s?\)"
    r"|[$€£]\s?(mn|bn|mm|million|billion|thousand)\b",
    re.IGNORECASE,
)
_ASKED_SHARE = re.compile(
    r"%|\b(?:percent\w*|per\scent|margin|rate|ratio|growth|yield|share|proportion|fraction)\b", re.IGNORECASE
)
_ASKED_VERSION = re.compile(r"\b(?:version|(?:what|which)\s(?:\w+\s){0,2}release)\b", re.IGNORECASE)
_FALL = re.compile(
    r"\b(?:decreas|declin|fell|fall|drop|down|negative|minus|loss|lower|reduc|shrank|contract)\w*\b[^.\n]{0,60}\Z",
    re.IGNORECASE,
)


@lru_cache(maxsize=10_000)
def asked_unit(question: str) -> Unit:
    """Find the unit that a question asks for: "in USD millions", "(in thousands)", "margin in percent".

    Of several lines, as of a table with a question, the last one with a question mark counts, else the last one.
    """
    lines = question.strip().splitlines() or [""]
    question = next((line for line in reversed(lines) if "?" in line), lines[-1])
    scale = _ASKED_SCALE.search(question)
    name = next(filter(None, scale.groups())).lower() if scale else ""
    return Unit(SCALES.get(name, 1), bool(_ASKED_SHARE.search(question)), bool(_ASKED_VERSION.search(question)))


def same_number(
    prediction: str,
    reference: str,
    *,
    tolerance: float = 0.0,
    question: str | None = None,
    decimal: DecimalMark = "auto",
) -> bool | None:
    """Return whether two texts are the same number; None if one of them is not a single number.

    The tolerance is the largest difference relative to the reference, 0 to 1; the question may name the unit of a bare
    number.

    >>> same_number("$1.5 billion", "1500", question="Revenue in USD millions?")
    True
    """
    answer, wanted = single_number(prediction, decimal), single_number(reference, decimal)
    return is_same(answer, wanted, asked_unit(question or ""), tolerance) if answer and wanted else None


def is_same(answer: Number, wanted: Number, unit: Unit = PLAIN, tolerance: float = 0.0) -> bool:
    """Return whether a number says what the right one says, which may be bare and in the unit of a question.

    Asked for USD millions, 16525 is "$16,525 million", "16.5 billion" (rounded to what is written) and "16525"; asked
    for a rate, 0.65 is "65%". The answer may be more precise, if the question names a unit. The tolerance is relative
    to the right number.
    """
    if unit.is_version and is_other_version(answer, wanted):
        return False
    if _is_converted(answer, wanted):
        return True
    if not units_agree(answer, wanted, is_share=unit.is_share):
        return False
    # The tolerance as it was written, not the nearest binary number.
    accepted = Fraction(repr(tolerance)) * _size(wanted.value)
    if answer.unit == wanted.unit and answer.factor != wanted.factor:
        difference = Fraction(answer.value * answer.factor) / wanted.factor - wanted.value
        return relate(wanted, answer) in {"equal", "finer"} or _size(difference) <= accepted
    may_be_precise = wanted.decimals >= 0 if unit.scale > 1 else unit.is_share and wanted.decimals > 0
    if may_be_precise:
        accepted = max(accepted, _half_step(wanted))
    values: list[Rational] = []
    if unit.scale == 1 or answer.scale == 1 or wanted.scale > 1:
        if _is_grouped(answer, wanted):
            return True
        values.append(answer.value)
    if unit.scale > 1 and wanted.scale == 1 and answer.unit != "%":
        values.append(Fraction(answer.value) / unit.scale)
        if unit.scale < answer.scale and answer.decimals >= 0:  # "16.5 billion" for 16525 million
            accepted = max(accepted, _half_step(answer) / unit.scale)
    if answer.unit != wanted.unit and "%" in {answer.unit, wanted.unit}:
        values.append(answer.value * (_PERCENT if answer.unit == "%" else 100))
    return any(value == wanted.value or (accepted and _size(value - wanted.value) <= accepted) for value in values)


def _half_step(number: Number) -> Fraction:
    return Fraction(number.scale, 2 * 10**number.decimals)


def find_stated(
    text: str, values: Iterable[Value], wanted: Number, unit: Unit = PLAIN, tolerance: float = 0.0
) -> Number | None:
    """Return the first number of a text, of its values, that is the wanted one; "a decrease of 3.7%" is -3.7%."""
    for number in values:
        if isinstance(number, Number) and number.stance != "not":
            opposite = number._replace(value=-number.value)
            if is_same(number, wanted, unit, tolerance) or (
                is_fall(text, wanted, number) and is_same(opposite, wanted, unit, tolerance)
            ):
                return number
    return None


def is_other_version(first: Number, second: Number) -> bool:
    """Return whether two versions differ: 3.1 and 3.10, but not 3 and 3.0."""
    is_long = first.decimals > 0 and second.decimals > 0 and not first.unit + second.unit
    return is_long and (first.value, first.decimals) != (second.value, second.decimals)


def is_fall(text: str, wanted: Value, number: Value) -> bool:
    """Return whether a number is that of a fall, where a negative one is wanted: "a decrease of 3.7%"."""
    is_negative = isinstance(wanted, Number) and isinstance(number, Number) and wanted.value < 0 < number.value
    return is_negative and bool(_FALL.search(text, max(0, number.start - 80), number.start))


# ---- texts that are values, and the last number

_BOLD = re.compile(r"\*\*([^*\n]{1,40})\*\*")
_CURRENCY_OR_PERCENT = re.compile(
    rf"\\?[%$]|{CURRENCY_SIGN}"
    rf"|\b(?:{'|'.join(name for name in CURRENCIES if name.isalpha())}|per\s?cent|percent(?:age)?|pct)\b",
    re.IGNORECASE,
)
NEUTRAL_WORDS = frozenset(
    """a about ad am an and approximately around at by c ca circa date day est et exactly from gmt hours in is it
    monday tuesday wednesday thursday friday saturday sunday of on only roughly since the latitude longitude to until utc
    was year years le la el am den de der die en il del г""".split()
)
_POWER_AT_END = re.compile(r"\^\{?(?=[23]\}?\Z)")  # of a unit: 5 m^2
# 2√3, 2π, 2^10 and 12 * 3: numbers in expressions whose value is another number.
_EXPONENT = re.compile(r"\^\s?\{?\Z")
_ROOT_BEFORE = re.compile(r"(?:√|\\sqrt\s?\{?|\bsqrt\s?\(?|π|\\pi)\s?\Z")
_ROOT_AFTER = re.compile(r"\s?(?:√|\\sqrt|\^\s?\{?\s?(?:[-+]?\d|[a-np-z](?![a-z]))|π|\\pi|pi\b)")
_OPERATOR = re.compile(r"[*×·⋅÷]| [*×·⋅÷+] | ?\\(?:times|cdot|div) ?|\s?\^\s?\{?")
_EXPLAINS = re.compile(r"(?:[(\[=]|\(or|which is)\s?\$?(?:√|\\sqrt\s?\{?|\bsqrt\s?\(?)?\Z")
_SIGN_FIRST = re.compile(r"[\s*_`(]*(?:[±+≠!]|\\pm|\\ne|plus(?:\sor\s|/)minus\b)", re.IGNORECASE)
_AMOUNT_BEFORE = re.compile(r"(?<![\d.,])(?:\d[\d.,]*\s?[A-Za-z]+[.,]?\s?(?:and\s)?){1,3}\Z")  # 9 h 30 min
_OTHER_WORD = re.compile(r"[^\W\d_]+|[=\\^_{}+*/]")


@lru_cache(maxsize=20_000)  # references repeat
def read_whole(text: str, decimal: DecimalMark) -> list[Value]:
    """Read a text that is nothing but values and neutral words; else return no values."""
    values = read(text, decimal) if len(text) < 200 else []
    rest = list(text)
    for value in values:
        rest[value.start : value.end] = " " * (value.end - value.start)
    return values if all(word.lower() in NEUTRAL_WORDS for word in _OTHER_WORD.findall("".join(rest))) else []


def number_of(text: str, decimal: DecimalMark = "auto") -> Number | None:
    """Return the number that a text is, perhaps with a unit of measurement; None if it is anything else."""
    if number := single_number(text, decimal):
        return number
    values = read_whole(with_unit_name(without_tex(text).strip(" *`").rstrip(" .")), decimal)
    value = values[0] if len(values) == 1 else None
    return value if isinstance(value, Number) and value.unit not in {"", "%"} and not value.kind else None


@lru_cache(maxsize=20_000)
def unstated_sign(text: str, decimal: DecimalMark = "auto") -> str:
    """Return the stance, "±" or "not", of a number behind a sign that normalization drops, "+/- 9", "!= 9"; else ""."""
    values = read(text, decimal) if _SIGN_FIRST.match(text) and len(text) < _LOOK_BEHIND else []
    stance = values[0].stance if len(values) == 1 else ""
    return stance if stance in {"±", "not"} else ""


def is_moment(text: str) -> bool:
    """Return whether a text is nothing but dates, times and codes."""
    values = read_whole(text.strip(" *`"), "auto")
    return bool(values) and not any(isinstance(value, Number) for value in values)


def last_number(
    text: str, question: str | None = None, *, with_unit: bool = False, decimal: DecimalMark = "auto"
) -> str | None:
    """Find the last number that is stated, as it is written; number words only if there are no digits.

    If numbers are alone in bold, as models write their results, it is the last of these. A number that is denied, a
    bound (unless the question asks for one) or one of several is not stated.
    """
    text = without_tex(text)
    numbers = stated_numbers(text, question, decimal)
    bold = [match.span(1) for match in _BOLD.finditer(text) if single_number(match[1], decimal)]
    in_bold = [number for number in numbers if contains(bold, number.start)]
    numbers = in_bold or _after_expressions(text, numbers)
    chosen = [number for number in numbers if not number.is_word][-1:]
    chosen = chosen or [number for number in numbers if not number.kind][-1:] or numbers[-1:]
    if not chosen:
        return None
    number = chosen[0]
    measured = _with_unit(text.translate(UNIFIED), number)
    if with_unit or (not measured.kind and measured.value != number.value):  # 5 degrees below zero
        before = _AMOUNT_BEFORE.search(text, max(0, number.start - _LOOK_BEHIND), number.start)
        amount = text[before.start() : measured.end] if before and with_unit else ""
        if amount and (values := read_whole(amount, decimal)) and isinstance(values[0], Number) and len(values) == 1:
            return amount
        return text[number.start : measured.end].strip()
    return _CURRENCY_OR_PERCENT.sub("", text[number.start : number.end]).strip()


def _after_expressions(text: str, numbers: list[Number]) -> list[Number]:
    """Return the numbers that no later expression replaces: none of "5, so 2√3", but 15 of "15 (5 * 3)", "15 = 5 * 3"."""
    stated: list[Number] = []
    is_aside = is_operand = False
    for number, following in zip_longest(numbers, numbers[1:]):
        continues = is_operand
        is_operand = following is not None and bool(_OPERATOR.fullmatch(text, number.end, following.start))
        before = slice(max(0, number.start - 8), number.start)
        if not (continues or is_operand or _ROOT_BEFORE.search(text[before]) or _ROOT_AFTER.match(text, number.end)):
            stated.append(number)
            continue
        is_aside = is_aside if continues else bool(stated and _EXPLAINS.search(text[before]))
        stated = stated if is_aside else []
    return stated


def stated_numbers(text: str, question: str | None = None, decimal: DecimalMark = "auto") -> list[Number]:
    """List the numbers of a text, those in dates included, that are not denied, bounded, one of several or exponents."""
    stances = accepted_stances(question or "") | {"-"}
    with collector_paused():  # a long text has many
        values, numbers = _read_all(text, decimal)
    unstated = {value.start for value in values if value.stance not in stances}
    margins = [(value.start, value.end) for value in values if value.stance == "±"]
    unstated |= {number.start for number in numbers if contains(margins, number.start)}
    measured = (value for value in values if isinstance(value, Number) and value.unit)
    powers = (_POWER_AT_END.search(text, value.start, value.end) for value in measured)
    unstated |= {power.end() for power in powers if power}
    unstated |= {number.start for number in numbers if _EXPONENT.search(text, max(0, number.start - 3), number.start)}
    return [number for number in numbers if number.kind != "ordinal" and number.start not in unstated]
