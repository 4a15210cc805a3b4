"""Read dates and times in text: names of months in many languages, digits, decades, centuries and eras.

`find_dates` and `find_times` yield what they read with its place, from a text whose signs are unified (`UNIFIED`), in
time linear in its length. `relate_dates` and `relate_times` compare a value of an answer with one of a reference.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal, NamedTuple

from answer_metrics.matching.numbers import HAN_DIGITS, ORDINALS, han_value

Relation = Literal["equal", "coarser", "finer", "contradicts", "unrelated"]
"""What a value of an answer is to one of a reference: "coarser" says less, "finer" more; "unrelated" says neither."""


class Date(NamedTuple):
    """A day, month, year, decade or century; parts that are not written are 0."""

    start: int
    end: int
    year: int = 0
    month: int = 0
    day: int = 0
    span: int = 1
    """How many years: 10 for a decade, 100 for a century, of which `year` is one."""
    era: int = 0
    """-1 for BC, 1 for AD, 0 if neither is written."""
    swaps: bool = False
    """Whether day and month may be the other way around: 12/05/2020."""
    clock: int = -1
    """Minutes since midnight, of a timestamp; else -1."""
    moment: int = -1
    """Minutes since the year 0 in UTC, of a timestamp with a zone; else -1."""
    stance: str = ""


class Time(NamedTuple):
    """A time of day."""

    start: int
    end: int
    hour: int
    minute: int = 0
    second: int = 0
    sure: bool = True
    """Whether the half of the day is known; if not, the hour is 0 to 11."""
    stance: str = ""


# ---- months

_ENGLISH_MONTHS = "january february march april may june july august september october november december".split()
MONTHS = {name: number for number, name in enumerate(_ENGLISH_MONTHS, start=1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
"""English months and their short forms, by number."""
_MONTHS_BY_LANGUAGE = """
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    januar februar märz april mai juni juli august september oktober november dezember
    januari februari mars april maj juni juli augusti september oktober november december
    januari februari maart april mei juni juli augustus september oktober november december
    januar februar marts april maj juni juli august september oktober november december
    gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
    gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
    janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
    leden únor březen duben květen červen červenec srpen září říjen listopad prosinec
    ledna února března dubna května června července srpna září října listopadu prosince
    lednu únoru březnu dubnu květnu červnu červenci srpnu září říjnu listopadu prosinci
    styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре
    січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
    ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
    ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
    tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta
    heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta
    január február március április május június július augusztus szeptember október november december
    ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
    januari februari maret april mei juni juli agustus september oktober november desember
    يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
    janv févr mars avr mai juin juil août sept okt nov dez
""".split()
_BASE_LETTERS = str.maketrans({"\u0131": "i", "ł": "l"})


def _without_accents(name: str) -> str:
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKD", name))).translate(_BASE_LETTERS)


FOREIGN_MONTHS = {_without_accents(name): place % 12 + 1 for place, name in enumerate(_MONTHS_BY_LANGUAGE)}
"""Months of other languages without accents, by number."""
_BY_NAME = {name: place % 12 + 1 for place, name in enumerate(_MONTHS_BY_LANGUAGE)} | FOREIGN_MONTHS | MONTHS
del _BY_NAME["marco"]  # a first name
# In lower case, these are months only between a day and a year.
_ALSO_WORDS = frozenset("may march mar mars mart maret".split())

# ---- days, years and eras around a month

_DAY_WORDS = {word: value for word, value in ORDINALS.items() if 1 <= value <= 20 or value == 30}
_DAY_WORDS |= {f"twenty{joint}{word}": 20 + v for word, v in _DAY_WORDS.items() if v < 10 for joint in "- "}
_DAY_WORDS |= {"thirty-first": 31, "thirty first": 31}
_DAY_WORD = "|".join(sorted(_DAY_WORDS, key=len, reverse=True))
_MONTH_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]{3,16}(?![^\W\d_])")
_DATE_LETTERS = re.compile(r"[^\W\d_]+")
_MAY_BE_GLUED = re.compile(r"[A-Z](?<=[a-z].)[a-z]{2}")
_GLUED = re.compile(r"(?<=[a-z])[A-Z][a-z]{2,8}\Z")  # onMay 6, as copied from the web
_DAY_BEFORE = re.compile(
    rf"(?<![\d.,:/$])(?:(?:(?P<from>\d{{1,2}})(?:st|nd|rd|th)?\s?(?:-|to|and)\s?)?(?P<day>\d{{1,2}})"
    rf"(?:st|nd|rd|th|er|\.|[ºª])?|\b(?P<word>{_DAY_WORD}))(?:-|\s{{0,3}})(?:day\s)?(?:of\s|de\s|d'|d\u2019)?"
    r"(?:the\smonth\sof\s)?\Z",
    re.IGNORECASE,
)
_DAY_AFTER = re.compile(
    r"\.?,?[\s-](?:the\s)?(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:\s?(?:-|to|and)\s?(?P<to>\d{1,2})(?:st|nd|rd|th)?)?"
    rf"(?![\d:%]|\.\d|,\d{{3}}(?!\d)|\s?[ap]\.?m\b)|(?P<word>{_DAY_WORD})\b)",
    re.IGNORECASE,
)
_YEAR_BEFORE = re.compile(r"(?<![\d.,])(?P<year>[12]\d{3})(?P<stop>[.,]?)[\s-]\Z")
_YEAR_AFTER = re.compile(  # perhaps with footnotes after it: 20181
    r"\.?,?(?:\s(?:[^\W\d_]{1,5}\s){0,3}|-|,|)"
    r"(?:([12]\d{3})\d{0,2}|(\d{1,4})(?=\s?(?:[BA]\.?[CD]|CE)))(?!\d|,\d{3}|\s(?:people|percent))"
)
_ERA = (
    r"(?P<bc>B\.?C\.?(?:E\.?)?|bce?|v\.\s?(?:Chr|Z)\.|av(?:ant|\.)\s?J\.?-?C\.?|a\.\s?C\.|до\sн\.\s?э\.|př\.\sn\.\sl\.)"
    r"|(?P<ad>A\.?D\.?|C\.?E\.?|n\.\s?Chr\.|ap(?:rès|\.)\s?J\.?-?C\.?|d\.\s?C\.|н\.\s?э\.)"
)
_ERA_AFTER = re.compile(rf"\s?(?:{_ERA})(?![^\W\d])")
_ERA_BEFORE = re.compile(r"\b(?P<bc>(?!))?(?:A\.?D\.?|C\.?E\.?)\s(?P<year>\d{1,4})\b")
_YEAR_AND_ERA = re.compile(rf"(?<![\d,.])(?P<year>\d{{1,3}}(?:,\d{{3}})|\d{{1,4}})\s?(?:{_ERA})(?![^\W\d])")
_MAY_HAVE_ERA = re.compile(r"[ABCD]\.?\s?[CDE]|\bbce?\b|Chr|э\.|př\.|J\.?-?C")


def _era(match: re.Match[str] | None) -> int:
    return 0 if match is None else -1 if match["bc"] else 1


def find_dates(text: str) -> Iterator[Date]:
    """Yield the dates of a text; those that are read first are the surer ones where two overlap."""
    yield from _dates_with_month(text)
    yield from _dates_in_digits(text)
    yield from _periods(text)
    if _MAY_HAVE_ERA.search(text):
        for match in (*_YEAR_AND_ERA.finditer(text), *_ERA_BEFORE.finditer(text)):
            yield Date(*match.span(), int(match["year"].replace(",", "")), era=_era(match))


def _dates_with_month(text: str) -> Iterator[Date]:
    """Yield the dates with the name of a month: its day stands before or after it, its year mostly after it."""
    if _BY_NAME.keys().isdisjoint(_DATE_LETTERS.findall(text.lower())) and not _MAY_BE_GLUED.search(text):
        return
    for word in _MONTH_WORD.finditer(text):
        name = word.group()
        month = _BY_NAME.get(name) or _BY_NAME.get(name.lower())
        if not month and not name.islower() and (glued := _GLUED.search(name)):
            month = MONTHS.get(glued.group().lower())
        if month:
            yield from _around_month(text, word, month)


def _around_month(text: str, word: re.Match[str], month: int) -> Iterator[Date]:
    name, (start, end) = word.group(), word.span()
    days: list[int] = []
    year = era = 0
    before = _DAY_BEFORE.search(text, max(0, start - 32), start)
    if before and 1 <= (day := int(before["day"] or _DAY_WORDS.get((before["word"] or "").lower(), 0))) <= 31:
        days, start = [int(before["from"] or 0), day], before.start()
    elif (after := _DAY_AFTER.match(text, end)) and 1 <= int(after["day"] or 1) <= 31:
        days, end = [int(after["day"] or _DAY_WORDS[after["word"].lower()]), int(after["to"] or 0)], after.end()
    if following := _YEAR_AFTER.match(text, end):
        year, end = int(following[1] or following[2]), following.end()
        if era_after := _ERA_AFTER.match(text, end):
            era, end = _era(era_after), era_after.end()
    elif (leading := _YEAR_BEFORE.search(text, max(0, start - 8), start)) and (
        leading["stop"] != "." or name.islower()
    ):
        year, start = int(leading["year"]), leading.start()
    if name == "Mars" and not before:
        return  # the planet; as a month, it begins with a lower-case letter
    is_word = name in _ALSO_WORDS and not text.islower()
    if (days or year) and not (is_word and not (days and year)):
        for day in [day for day in days if 1 <= day <= 31] or [0]:
            yield Date(start, end, year, month, day, era=era)


# ---- dates in digits

_YEAR_FIRST = re.compile(
    r"(?<![\d./,-])(?P<year>\d{4})(?P<joint>[-/.])(?P<month>\d{1,2})(?P=joint)(?P<day>\d{1,2})"
    r"(?:[T ](?P<time>\d\d:\d\d)(?::\d\d(?:\.\d+)?)?\s?(?P<zone>Z|UTC|[+-]\d\d:?\d\d)?)?(?![\d/-]|[.,]\d)"
)
_YEAR_LAST = re.compile(
    r"(?<![\d./,-])(?P<first>\d{1,2})(?P<joint>[-/.])(?P<second>\d{1,2})(?P=joint)(?P<year>\d{4}|(?<=/)\d\d)"
    r"(?![\d/-]|[.,]\d)"
)
_PACKED = re.compile(r"(?<![\d./,-])([12]\d{3})(0[1-9]|1[012])(0[1-9]|[12]\d|3[01])(?![\d/-]|[.,]\d)")
_YEAR_AND_MONTH = re.compile(r"(?<![\d./,-])([12]\d)(\d\d)-(0[1-9]|1[012])(?![\d/-]|[.,]\d)")
_EAST_ASIAN = re.compile(
    rf"(?:(?P<bc>公元前|前)?(?:公元)?(?P<year>\d{{1,4}}|[{HAN_DIGITS}]{{4}})\s?[年년](?:\s?(?P<month>\d{{1,2}}|[{HAN_DIGITS}十]{{1,3}})"
    rf"\s?[月월])?|(?P<month_alone>\d{{1,2}}|[{HAN_DIGITS}十]{{1,3}})\s?[月월](?=\s?[\d{HAN_DIGITS}十]))"
    rf"(?:\s?(?P<day>\d{{1,2}}|[{HAN_DIGITS}十]{{1,3}})\s?[日号號일])?"
)
_VIETNAMESE = re.compile(r"(?P<day>\d{1,2})\stháng\s(?P<month>\d{1,2})(?:\snăm\s(?P<year>\d{4}))?")
_MAY_HAVE_DIGITS = re.compile(r"\d[-/.]\d\d?[-/.]\d|[12]\d{7}|[12]\d{3}-[01]|[年년月월]|tháng")


def _dates_in_digits(text: str) -> Iterator[Date]:
    if not _MAY_HAVE_DIGITS.search(text):
        return
    for match in _YEAR_FIRST.finditer(text):
        year, month, day = int(match["year"]), int(match["month"]), int(match["day"])
        if date := _calendar(match, year, month, day):
            yield _with_time(date, match["time"], match["zone"])
    for match in _YEAR_LAST.finditer(text):
        first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
        year += 0 if len(match["year"]) == 4 else 1900 if year > 30 else 2000
        month, day = (first, second) if second > 12 else (second, first)
        if date := _calendar(match, year, month, day):
            yield date._replace(swaps=first <= 12 and second <= 12 and first != second and match["joint"] != ".")
    for match in _PACKED.finditer(text):
        yield Date(*match.span(), int(match[1]), int(match[2]), int(match[3]))
    for match in _YEAR_AND_MONTH.finditer(text):
        if match[3] <= match[2] and int(match[3]) != int(match[2]) + 1:  # else a season or years: 2001-02
            yield Date(*match.span(), int(match[1] + match[2]), int(match[3]))
    for match in (*_EAST_ASIAN.finditer(text), *_VIETNAMESE.finditer(text)) if not text.isascii() else ():
        parts = match.groupdict()
        year, month, day = (_number(parts[name]) for name in ("year", "month", "day"))
        if len(parts["year"] or "") < 3 and parts["year"] and not parts["bc"]:
            continue  # 5年 are five years
        if date := _calendar(match, year, month or _number(parts.get("month_alone")), day, lacks_day=True):
            yield date._replace(era=-bool(parts.get("bc")))


def _number(digits: str | None) -> int:
    return int(digits) if digits and digits.isdecimal() else int(han_value(digits or ""))


def _calendar(match: re.Match[str], year: int, month: int, day: int, *, lacks_day: bool = False) -> Date | None:
    """Make a date of numbers, or None if there is no such day."""
    least = 0 if lacks_day else 1
    return Date(*match.span(), year, month, day) if least <= month <= 12 and least <= day <= 31 else None


def _with_time(date: Date, time: str | None, zone: str | None) -> Date:
    if not time:
        return date
    clock = int(time[:2]) * 60 + int(time[3:])
    if not zone:
        return date._replace(clock=clock)
    shift = int(zone[0] + "1") * (int(zone[1:3]) * 60 + int(zone[-2:])) if zone[0] in "+-" else 0
    days = date.year * 372 + date.month * 31 + date.day  # near enough: only compared within a day or two
    return date._replace(clock=clock, moment=days * 1440 + clock - shift)


# ---- decades and centuries

_ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi".split()
_CENTURY = re.compile(
    rf"\b(?:(?P<digits>\d{{1,2}})(?:st|nd|rd|th|\.|e)|(?P<word>{_DAY_WORD}))[\s-]"
    r"(?:centur(?:y|ies)|(?P<millennium>millenni(?:um|a))|Jahrhundert\w*|siècle|eeuw|århundrade|storočí|století)"
    r"|\b(?:siglo|século|secolo|segle)\s(?P<roman>[IVX]+)\b|\b(?P<before>[IVX]+)(?:e|ème|\.)?\s(?:siècle|wiek\w*|век\w*)"
    r"|(?P<han>\d{1,2}|[一二三四五六七八九十]{1,3})\s?(?:世[纪紀]|세기)",
    re.IGNORECASE,
)
_CENTURIES = "entur millenn ahrhund siècle siglo século secolo segle eeuw rhundr stol wiek век 世纪 世紀 세기".split()
_MAY_HAVE_DECADE = re.compile(r"0['\u2019]?s|0er|ies")
_DECADE = re.compile(
    r"(?<![\d,.])(?:(?P<year>\d{3}0)|['\u2019]?(?P<short>[3-9]0))(?:['\u2019]?s\b|er\b(?=\sJahre)?)"
    r"|\b(?:nineteen[\s-]|(?:the|early|late|mid-?)\s?)(?P<word>twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies\b"
)
_DECADES = {
    word: 10 * tens for tens, word in enumerate("twent thirt fort fift sixt sevent eight ninet".split(), start=2)
}


def _periods(text: str) -> Iterator[Date]:
    lower = text.lower()
    for match in _CENTURY.finditer(text) if any(name in lower for name in _CENTURIES) else ():
        roman = (match["roman"] or match["before"] or "").lower()
        number = _number(match["digits"] or match["han"]) or _DAY_WORDS.get((match["word"] or "").lower(), 0)
        number = number or (_ROMAN.index(roman) + 1 if roman in _ROMAN else 0)
        era, span = _ERA_AFTER.match(text, match.end()), 1000 if match["millennium"] else 100
        if number:
            yield Date(match.start(), (era or match).end(), (number - 1) * span + 1, span=span, era=_era(era))
    for match in _DECADE.finditer(text) if _MAY_HAVE_DECADE.search(text) else ():
        year = int(match["year"] or 1900 + int(match["short"] or _DECADES.get(match["word"], 0)))
        yield Date(*match.span(), year, span=10 if year % 100 or year == 2000 else 100)


# ---- times

_TIME = re.compile(
    r"(?<![\d:.,/$-])(?:(?P<hour>[01]?\d|2[0-4])(?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?![:\d])"
    r"|(?=(?:\.[0-5]\d)?\s?[ap]\.?m\b|\s?(?:o'clock|o\u2019clock|Uhr)\b|h(?:[0-5]\d)?\b|\s(?:noon|midnight)\b"
    r"|\s(?:in\sthe\s(?:morning|afternoon|evening)|at\snight)\b)"
    r"(?:[.h](?P<minutes>[0-5]\d))?)\s?"
    r"(?:(?P<half>[ap])\.?m(?:\.|\b)|(?:o'clock|o\u2019clock|Uhr)\b|h\b)?"
    r"(?:\s?(?:in\sthe\s|at\s)(?P<part>morning|afternoon|evening|night))?(?:\s?(?P<twelve>noon|midnight))?"
    r"|\b(?P<name>noon|midnight|midday)\b)",
    re.IGNORECASE,
)
_MAY_HAVE_TIME = re.compile(
    r"\d(?:[:h]|\s?(?:[ap]\.?m|o.clock|uhr|noon|midnight)|\s(?:in\sthe\s[mae]|at\sn))|[nm](?:oon|idnight|idday)"
)


def find_times(text: str) -> Iterator[Time]:
    """Yield the times of day of a text: 5 p.m., 17:00, 5 in the morning, noon."""
    for match in _TIME.finditer(text) if _MAY_HAVE_TIME.search(text.lower()) else ():
        start, end = match.start(), match.start() + len(match.group().rstrip())
        named, part = (match["name"] or match["twelve"] or "").lower(), (match["part"] or "").lower()
        if named:
            yield Time(start, end, 0 if named == "midnight" else 12)
            continue
        hour, half = int(match["hour"]), (match["half"] or "").lower()
        if part == "night" and (hour == 12 or hour < 5):
            part = "morning"
        half = half or (part and ("a" if part == "morning" else "p"))
        is_sure = bool(half) or hour >= 12 or match["hour"][0] == "0"
        hour = hour % 24 if hour > 12 or (is_sure and not half) else hour % 12 + 12 * (half == "p")
        yield Time(start, end, hour, int(match["minute"] or match["minutes"] or 0), int(match["second"] or 0), is_sure)


# ---- relations


def relate_dates(reference: Date, answer: Date) -> Relation:
    """Return what a date of an answer is to one of a reference."""
    if reference.moment >= 0 and answer.moment >= 0:
        return "equal" if reference.moment == answer.moment else "contradicts"
    if reference.clock >= 0 and answer.clock >= 0 and reference.clock != answer.clock:
        return "contradicts"
    eras, latest = {reference.era, answer.era}, max(reference.year, answer.year)
    if eras == {-1, 1} or (eras == {-1, 0} and latest >= 1000):
        return "contradicts"
    span = max(reference.span, answer.span)
    if reference.year and answer.year and reference.year // span != answer.year // span:
        return "contradicts"
    orders = ((first, second) for first in _orders(reference) for second in _orders(answer))
    if not any(all(_agree(*parts) for parts in zip(first, second, strict=True)) for first, second in orders):
        return "contradicts"
    if not ((reference.year and answer.year) or (reference.month and answer.month)):
        return "unrelated"
    parts = list(zip(_parts(reference), _parts(answer), strict=True))
    lacks_era = reference.era == -1 and not answer.era
    if any(wanted and not stated for wanted, stated in parts) or answer.span > reference.span or lacks_era:
        return "coarser"
    return "finer" if any(stated and not wanted for wanted, stated in parts) or answer.span < span else "equal"


def _parts(date: Date) -> tuple[int, ...]:
    return (date.year, date.month, date.day, date.clock + 1)


def _orders(date: Date) -> list[tuple[int, int]]:
    return [(date.month, date.day), (date.day, date.month)][: 1 + date.swaps]


def _agree(wanted: int, stated: int) -> bool:
    return not wanted or not stated or wanted == stated


def relate_times(reference: Time, answer: Time) -> Relation:
    """Return what a time of an answer is to one of a reference."""
    if (reference.minute, reference.second) != (answer.minute, answer.second):
        return "contradicts"
    hours = (reference.hour, answer.hour) if reference.sure and answer.sure else (reference.hour % 12, answer.hour % 12)
    if hours[0] != hours[1]:
        return "contradicts"
    return "equal" if reference.sure == answer.sure else "coarser" if reference.sure else "finer"
