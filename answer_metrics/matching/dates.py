"""Read dates and times in text: names of months in many languages, digits, decades, centuries and eras.

`find_dates` and `find_times` yield what they read with its place, from a text whose signs are unified (`UNIFIED`), the
same in lower case, and the words of `DATE_WORDS` and `TIME_WORDS` in it. Time is linear in the length of the text.
`relate_dates` and `relate_times` compare a value of an answer with one of a reference.
"""

import re
import unicodedata
from collections.abc import Iterator, Set
from typing import Literal, NamedTuple

from answer_metrics.core.patterns import compile_later
from answer_metrics.matching.numbers import CARDINALS, HAN_DIGITS, ORDINALS, ROMANS, han_value, word_finder

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
# Names in other languages, in the cases in which dates have them, by month.
_NAMES_BY_MONTH = """
    enero janvier januar januari gennaio gener janeiro leden ledna lednu styczeń stycznia январь января январе січня
    ocak ianuarie tammikuuta január ιανουαρίου يناير janv | febrero février februar februari febbraio febrer
    fevereiro únor února únoru luty lutego февраль февраля феврале лютого şubat februarie helmikuuta február
    φεβρουαρίου فبراير févr | marzo mars märz maart marts març março březen března březnu marzec marca март марта
    марте березня mart martie maaliskuuta március μαρτίου maret مارس | abril avril april aprile duben dubna dubnu
    kwiecień kwietnia апрель апреля апреле квітня nisan aprilie huhtikuuta április απριλίου أبريل avr | mayo mai maj
    mei maggio maig maio květen května květnu maja май мая мае травня mayıs toukokuuta május μαΐου مايو | junio juin
    juni giugno juny junho červen června červnu czerwiec czerwca июнь июня июне червня haziran iunie kesäkuuta
    június ιουνίου يونيو | julio juillet juli luglio juliol julho červenec července červenci lipiec lipca июль июля
    июле липня temmuz iulie heinäkuuta július ιουλίου يوليو juil | agosto août august augusti augustus agost srpen
    srpna srpnu sierpień sierpnia август августа августе серпня ağustos elokuuta augusztus αυγούστου agustus أغسطس |
    septiembre septembre september settembre setembre setembro září wrzesień września сентябрь сентября сентябре
    вересня eylül septembrie syyskuuta szeptember σεπτεμβρίου سبتمبر sept | octubre octobre oktober ottobre outubro
    říjen října říjnu październik października октябрь октября октябре жовтня ekim octombrie lokakuuta október
    οκτωβρίου أكتوبر okt | noviembre novembre november novembro listopad listopadu listopada ноябрь ноября ноябре
    листопада kasım noiembrie marraskuuta νοεμβρίου نوفمبر nov | diciembre décembre dezember december dicembre
    desembre dezembro prosinec prosince prosinci grudzień grudnia декабрь декабря декабре грудня aralık decembrie
    joulukuuta δεκεμβρίου desember ديسمبر dez
"""
_BARE_LETTERS = str.maketrans({"\u0131": "i", "ł": "l"} | dict.fromkeys(range(0x300, 0x370)))
_AS_WRITTEN = {name: month for month, names in enumerate(_NAMES_BY_MONTH.split("|"), start=1) for name in names.split()}
FOREIGN_MONTHS = {unicodedata.normalize("NFKD", name).translate(_BARE_LETTERS): at for name, at in _AS_WRITTEN.items()}
"""Months of other languages without accents, by number."""
_BY_NAME = _AS_WRITTEN | FOREIGN_MONTHS | MONTHS
del _BY_NAME["marco"]  # a first name
_MONTH_NAMES = frozenset(_BY_NAME)
# In lower case, these are months only between a day and a year.
_ALSO_WORDS = frozenset("may march mar mars mart maret".split())

# ---- days, years and eras around a month

_DAY_WORDS = {word: value for word, value in ORDINALS.items() if 1 <= value <= 20 or value == 30}
_DAY_WORDS |= {f"twenty{joint}{word}": 20 + v for word, v in _DAY_WORDS.items() if v < 10 for joint in "- "}
_DAY_WORDS |= {"thirty-first": 31, "thirty first": 31}
_DAY_WORD = "|".join(sorted(_DAY_WORDS, key=len, reverse=True))
_GLUED = re.compile(r"[JFMASOND](?<=[a-z].)[a-z]{2,8}(?![^\W\d_])")  # onMay 6, as copied from the web
_DAY_BEFORE = compile_later(
    rf"(?<![\d.,:/$])(?:(?:(?P<from>\d{{1,2}})(?:st|nd|rd|th)?\s?(?:-|to|and)\s?)?(?P<day>\d{{1,2}})"
    rf"(?:st|nd|rd|th|er|\.|[ºª])?|\b(?P<word>{_DAY_WORD}))(?:-|\s{{0,3}})(?:day\s)?(?:of\s|de\s|d'|d\u2019)?"
    r"(?:the\smonth\sof\s)?\Z"
)
_DAY_AFTER = compile_later(
    r"\.?,?[\s-](?:the\s)?(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:\s?(?:-|to|and)\s?(?P<to>\d{1,2})(?:st|nd|rd|th)?)?"
    rf"(?![\d:%]|\.\d|,\d{{3}}(?!\d)|\s?[ap]\.?m\b)|(?P<word>{_DAY_WORD})\b)"
)
_YEAR_BEFORE = re.compile(r"(?<![\d.,])(?P<year>[12]\d{3})(?P<stop>[.,]?)[\s-]\Z")
_YEAR_AFTER = re.compile(  # perhaps with footnotes after it: 20181
    r"\.?,?(?:\s(?:[^\W\d_]{1,5}\s){0,3}|-|,|)"
    r"(?:(?P<year>[12]\d{3})\d{0,2}|['\u2019](?P<short>\d\d)|(?P<old>\d{1,4})(?=\s?(?:[BA]\.?[CD]|CE)))"
    r"(?!\d|,\d{3}|\s(?:people|percent))"
)
_ERA = (
    r"(?P<bc>B\.?C\.?(?:E\.?)?|bce?|v\.\s?(?:Chr|Z)\.|av(?:ant|\.)\s?J\.?-?C\.?|a\.\s?C\.|до\sн\.\s?э\.|př\.\sn\.\sl\.)"
    r"|(?P<ad>A\.?D\.?|C\.?E\.?|n\.\s?Chr\.|ap(?:rès|\.)\s?J\.?-?C\.?|d\.\s?C\.|н\.\s?э\.)"
)
_ERA_AFTER = re.compile(rf"\s?(?:{_ERA})(?![^\W\d])")
_ERA_BEFORE = re.compile(r"\b(?P<bc>(?!))?(?:A\.?D\.?|C\.?E\.?)\s(?P<year>\d{1,4})\b")
_YEAR_AND_ERA = re.compile(rf"(?<![\d,.])(?P<year>\d{{1,3}}(?:,\d{{3}})|\d{{1,4}})\s?(?:{_ERA})(?![^\W\d])")
_ERA_WORDS = frozenset("bc bce ad ce chr z c d e jc э př".split())


def _era(match: re.Match[str] | None) -> int:
    return 0 if match is None else -1 if match["bc"] else 1


def find_dates(text: str, lower: str, words: Set[str]) -> Iterator[Date]:
    """Yield the dates of a text; those that are read first are the surer ones where two overlap."""
    has_digits = _DIGIT.search(lower) is not None
    for match in _GLUED.finditer(text) if has_digits else ():
        if month := MONTHS.get(match[0].lower()):
            yield from _around_month(text, lower, match.span(), month)
    if months := words & _MONTH_NAMES:
        for match in word_finder(months).finditer(lower):
            yield from _around_month(text, lower, match.span(), _BY_NAME[match[0]])
    if has_digits and _MAY_HAVE_DIGITS.search(text):
        yield from _dates_in_digits(text)
    if not text.isascii() and _DATE_SIGN.search(text):
        for pattern in _WITH_SIGNS:
            yield from filter(None, map(_date_of, pattern.finditer(text)))
    yield from _periods(text, lower, words)
    if has_digits and not words.isdisjoint(_ERA_WORDS):
        for match in (*_YEAR_AND_ERA.finditer(text), *_ERA_BEFORE.finditer(text)):
            yield Date(*match.span(), int(match["year"].replace(",", "")), era=_era(match))


def _around_month(text: str, lower: str, span: tuple[int, int], month: int) -> Iterator[Date]:
    """Yield the dates around the name of a month: the day stands before or after it, the year mostly after it."""
    start, end = span
    name = text[start:end]
    days: list[int] = []
    year = era = 0
    before = _DAY_BEFORE.search(lower, max(0, start - 32), start)
    if before and 1 <= (day := int(before["day"] or _DAY_WORDS[before["word"]])) <= 31:
        days, start = [int(before["from"] or 0), day], before.start()
    elif (after := _DAY_AFTER.match(lower, end)) and 1 <= int(after["day"] or 1) <= 31:
        days, end = [int(after["day"] or _DAY_WORDS[after["word"]]), int(after["to"] or 0)], after.end()
    if following := _YEAR_AFTER.match(text, end):
        short = int(following["short"] or 0)
        year = int(following["year"] or following["old"] or short + (1900 if short > 30 else 2000))
        end = following.end()
        if era_after := _ERA_AFTER.match(text, end):
            era, end = _era(era_after), era_after.end()
    else:
        leading = _YEAR_BEFORE.search(text, max(0, start - 8), start)
        if leading and (leading["stop"] != "." or name.islower()):
            year, start = int(leading["year"]), leading.start()
    if name == "Mars" and not before:
        return  # the planet; as a month, it begins with a lower-case letter
    is_word = name in _ALSO_WORDS and not text.islower()
    if (days or year) and not (is_word and not (days and year)):
        for day in [day for day in days if 1 <= day <= 31] or [0]:
            yield Date(start, end, year, month, day, era=era)


# ---- dates in digits

_DIGIT = re.compile(r"\d")
_MAY_HAVE_DIGITS = re.compile(r"\d(?:[-/.]\d\d?[-/.]\d|\d{3}(?:\d{4}|[-/]\d\d)|/\d{4})|\d[. ]\s?[IVX]")
_LONE = r"(?<![\d./,-])"
_END = r"(?![\d/-]|[.,]\d)"
_MONTH_NUMERALS = [numeral.upper() for numeral in ROMANS][:12]
_IN_DIGITS = [compile_later(_LONE + pattern + _END) for pattern in (
    # 2020-05-12, 2020-05-12T10:00Z, 20200512
    r"(?P<year>\d{4})(?P<joint>[-/.]|(?<=[12]\d{3})(?=\d{4}(?!\d)))(?P<month>\d{1,2})(?P=joint)(?P<day>\d{1,2})"
    r"(?:[T ](?P<time>\d\d:\d\d)(?::\d\d(?:\.\d+)?)?\s?(?P<zone>Z|UTC|[+-]\d\d:?\d\d)?)?",
    r"(?P<day>\d{1,2})(?P<swaps>[-/.])(?P<month>\d{1,2})(?P=swaps)(?P<year>\d{4}|(?<=/)\d\d)",
    r"(?P<lacks_day>0[1-9]|1[0-2])/(?P<year>(?:1[5-9]|20)\d\d)",  # 06/2021
    r"(?P<day>\d{1,2})(?:\.\s?|\s)(?P<numeral>" + "|".join(_MONTH_NUMERALS) + r")(?:\.\s?|\s)(?P<year>[12]\d{3})",
)]  # fmt: skip
_YEARS = re.compile(rf"{_LONE}(?P<first>[12]\d{{3}})(?P<joint>[-/])(?P<second>\d\d|(?<=/)[12]\d{{3}}){_END}")
_WITH_SIGNS = [compile_later(pattern) for pattern in (
    rf"(?:(?P<bc>公元前|前)?(?:公元)?(?P<year>\d{{1,4}}|[{HAN_DIGITS}]{{4}})\s?[年년](?:\s?(?P<month>\d{{1,2}}|[{HAN_DIGITS}十]{{1,3}})"
    rf"\s?[月월])?|(?P<month_alone>\d{{1,2}}|[{HAN_DIGITS}十]{{1,3}})\s?[月월](?=\s?[\d{HAN_DIGITS}十]))"
    rf"(?:\s?(?P<day>\d{{1,2}}|[{HAN_DIGITS}十]{{1,3}})\s?[日號号일])?",
    r"(?P<day>\d{1,2})\stháng\s(?P<month>\d{1,2})(?:\snăm\s(?P<year>\d{4}))?",
)]  # fmt: skip
_DATE_SIGN = re.compile("[年년月월á]")


def _dates_in_digits(text: str) -> Iterator[Date]:
    for pattern in _IN_DIGITS:
        yield from filter(None, map(_date_of, pattern.finditer(text)))
    for match in _YEARS.finditer(text):
        (start, end), first, second = match.span(), int(match["first"]), int(match["second"])
        other = second if second > 99 else first // 100 * 100 + second
        if second <= 12 and other <= first and second:  # 1999-12, but 2001-02 are years
            yield Date(start, end, first, second)
        elif other == first + 1 or (match["joint"] == "-" and other > first > second):
            yield from (Date(start, start + 4, first), Date(start + 5, end, other))


def _date_of(match: re.Match[str]) -> Date | None:
    """Make a date of the groups of a match, or None if there is no such day."""
    parts = match.groupdict()
    month_written = parts.get("month") or parts.get("month_alone") or parts.get("lacks_day")
    year, month, day = map(_number, (parts.get("year"), month_written, parts.get("day")))
    if numeral := parts.get("numeral"):
        month = ROMANS[numeral.lower()]
    swaps = parts.get("swaps")
    if swaps:
        year += 0 if len(parts["year"]) == 4 else 1900 if year > 30 else 2000
        month, day = (day, month) if month > 12 else (month, day)
    elif "bc" in parts and len(parts["year"] or "") in {1, 2} and not parts["bc"]:
        return None  # 5年 are five years
    least = 0 if "bc" in parts else 1
    if not (least <= month <= 12 and (least if "day" in parts else 0) <= day <= 31):
        return None
    is_ambiguous = bool(swaps) and swaps != "." and day <= 12 and day != month
    clock = moment = -1
    if time := parts.get("time"):
        clock = int(time[:2]) * 60 + int(time[3:])
    if zone := parts.get("zone"):
        shift = int(zone[0] + "1") * (int(zone[1:3]) * 60 + int(zone[-2:])) if zone[0] in "+-" else 0
        days = year * 372 + month * 31 + day  # near enough: only compared within a day or two
        moment = days * 1440 + clock - shift
    era = -bool(parts.get("bc"))
    return Date(*match.span(), year, month, day, era=era, swaps=is_ambiguous, clock=clock, moment=moment)


def _number(digits: str | None) -> int:
    return int(han_value(digits)) if digits else 0


# ---- decades and centuries

_CENTURY = compile_later(
    rf"\b(?:(?P<digits>\d{{1,2}})(?:st|nd|rd|th|\.|e)|(?P<word>{_DAY_WORD}))[\s-]"
    r"(?:centur(?:y|ies)|(?P<millennium>millenni(?:um|a))|jahrhundert\w*|siècle|eeuw|århundrade|storočí|století)"
    r"|\b(?:siglo|século|secolo|segle)\s(?P<roman>[ivx]+)\b|\b(?P<before>[ivx]+)(?:e|ème|\.)?\s(?:siècle|wiek\w*|век\w*)"
    r"|(?P<han>\d{1,2}|[一二三四五六七八九十]{1,3})\s?(?:世[纪紀]|세기)"
)
_CENTURY_WORDS = frozenset(
    """century centuries millennium millennia jahrhundert jahrhunderts jahrhunderte siècle eeuw århundrade storočí století
    siglo século secolo segle wiek wieku wieki wieków век века веке веков""".split()
)
_HAN_CENTURY = re.compile("世[纪紀]|세기")
_DECADES = {f"{word[:-1]}ies": value for word, value in CARDINALS.items() if value >= 20}
_DECADE = compile_later(
    r"(?<![\d,.])(?:(?P<year>\d{3}0)|['\u2019]?(?P<short>[3-9]0))(?:['\u2019]?s\b|er\b(?=\sjahre)?)"
    rf"|\b(?:nineteen[\s-]|(?<=the\s)|(?<=early\s)|(?<=late\s)|(?<=mid[\s-]))(?P<word>{'|'.join(_DECADES)})\b"
)
DATE_WORDS = _MONTH_NAMES | _ERA_WORDS | _CENTURY_WORDS | frozenset(_DECADES)


def _periods(text: str, lower: str, words: Set[str]) -> Iterator[Date]:
    is_century = not words.isdisjoint(_CENTURY_WORDS) or (not text.isascii() and _HAN_CENTURY.search(text))
    for match in _CENTURY.finditer(lower) if is_century else ():
        roman = match["roman"] or match["before"]
        number = _number(match["digits"] or match["han"]) or _DAY_WORDS.get(match["word"], 0) or ROMANS.get(roman, 0)
        era, span = _ERA_AFTER.match(text, match.end()), 1000 if match["millennium"] else 100
        if number:
            yield Date(match.start(), (era or match).end(), (number - 1) * span + 1, span=span, era=_era(era))
    is_decade = not words.isdisjoint(_DECADES) or "0s" in lower or "0'" in lower or "0\u2019" in lower
    for match in _DECADE.finditer(lower) if is_decade else ():
        year = int(match["year"] or 1900 + int(match["short"] or _DECADES.get(match["word"], 0)))
        yield Date(*match.span(), year, span=10 if year % 100 or year == 2000 else 100)


# ---- times

_HOURS = {word: value for word, value in CARDINALS.items() if 1 <= value <= 12}
_MINUTES = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_TIME = compile_later(
    r"(?<![\d:.,/$-])(?:(?:(?P<past>half|quarter|(?:[0-5]?\d|five|ten|twenty|twenty-five)(?:\sminutes)?)\spast\s"
    r"|(?P<to>quarter|(?:[0-5]?\d|five|ten|twenty|twenty-five)\sminutes)\sto\s)?"
    rf"(?P<hour>[01]?\d|2[0-4]|\b(?:{'|'.join(_HOURS)})(?![^\W\d_]))"
    r"(?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?![:\d])"
    r"|(?=(?:\.[0-5]\d)?\s?(?:[ap]\.?m|uhr)\b|\s?o['\u2019]clock\b|h(?:[0-5]\d)?\b|\s(?:noon|midnight)\b"
    r"|\s(?:in\sthe\s(?:morning|afternoon|evening)|at\snight)\b)"
    r"(?:[.h](?P<minutes>[0-5]\d))?|(?(past)\b|(?(to)\b|(?!))))\s?"
    r"(?:(?P<half>[ap])\.?m(?:\.|\b)|(?:o['\u2019]clock|uhr)\b|h\b)?"
    r"(?:\s?(?:in\sthe\s|at\s)(?P<part>morning|afternoon|evening|night))?(?:\s?(?P<twelve>noon|midnight))?"
    r"|\b(?P<name>noon|midnight|midday)\b)"
)
_CLOCK = re.compile(r"\d:[0-5]\d")
_EAST_ASIAN_TIME = compile_later(
    rf"(?P<half>凌晨|早上|上午|午前|오전|中午|下午|午後|傍晚|晚上|오후)\s?(?P<hour>\d{{1,2}}|[{HAN_DIGITS}十]{{1,3}})\s?[点點時时시]"
    rf"(?:\s?(?P<minute>\d{{1,2}}|[{HAN_DIGITS}十]{{1,3}}|[半반])\s?[分분]?)?"
)
_MORNING = frozenset("凌晨 早上 上午 午前 오전".split())
TIME_WORDS = frozenset(
    "m am pm clock uhr h noon midnight midday morning afternoon evening night past minutes quarter".split()
)


def find_times(lower: str, words: Set[str]) -> Iterator[Time]:
    """Yield the times of day of a text in lower case: 5 p.m., 17:00, 5 in the morning, half past five, noon."""
    for match in _TIME.finditer(lower) if not words.isdisjoint(TIME_WORDS) or _CLOCK.search(lower) else ():
        start, end = match.start(), match.start() + len(match.group().rstrip())
        named, part, half = match["name"] or match["twelve"], match["part"], match["half"]
        if named:
            yield Time(start, end, 0 if named == "midnight" else 12)
            continue
        hour = _HOURS.get(match["hour"]) or int(match["hour"])
        if part == "night" and (hour == 12 or hour < 5):
            part = "morning"
        half = half or (part and ("a" if part == "morning" else "p"))
        is_sure = bool(half) or hour >= 12 or match["hour"][0] == "0"
        hour = hour % 24 if hour > 12 or (is_sure and not half) else hour % 12 + 12 * (half == "p")
        minute = int(match["minute"] or match["minutes"] or 0)
        if spoken := match["past"] or match["to"]:
            amount = spoken.removesuffix(" minutes")
            minute = _MINUTES.get(amount) or int(amount)
            hour, minute = (hour, minute) if match["past"] else ((hour - 1) % (24 if is_sure else 12), 60 - minute)
        yield Time(start, end, hour, minute, int(match["second"] or 0), is_sure)
    for match in _EAST_ASIAN_TIME.finditer(lower) if not lower.isascii() else ():
        hour, half = _number(match["hour"]), match["minute"] in {"半", "반"}
        hour += 12 * (hour < 12 and match["half"] not in _MORNING) - 12 * (hour == 12 and match["half"] in _MORNING)
        yield Time(*match.span(), hour % 24, 30 if half else _number(match["minute"]))


# ---- relations


def relate_dates(reference: Date, answer: Date) -> Relation:
    """Return what a date of an answer is to one of a reference."""
    if reference.moment >= 0 and answer.moment >= 0:
        return "equal" if reference.moment == answer.moment else "contradicts"
    eras, latest = {reference.era, answer.era}, max(reference.year, answer.year)
    if eras == {-1, 1} or (eras == {-1, 0} and latest >= 1000):
        return "contradicts"
    span = max(reference.span, answer.span)
    if reference.year and answer.year and reference.year // span != answer.year // span:
        return "contradicts"
    wanted, stated = ((date.year, date.month, date.day, date.clock + 1) for date in (reference, answer))
    _, month, day, clock = stated
    orders = [(month, day, clock), (day, month, clock)][: 1 + (reference.swaps or answer.swaps)]
    if not any(all(a == b or not a or not b for a, b in zip(wanted[1:], order, strict=True)) for order in orders):
        return "contradicts"
    if not ((reference.year and answer.year) or (reference.month and answer.month)):
        return "unrelated"
    parts = list(zip(wanted, stated, strict=True))
    lacks_era = reference.era == -1 and not answer.era
    if answer.span > reference.span or lacks_era or any(part and not other for part, other in parts):
        return "coarser"
    is_finer = answer.span < span or any(other and not part for part, other in parts)
    return "finer" if is_finer else "equal"


def relate_times(reference: Time, answer: Time) -> Relation:
    """Return what a time of an answer is to one of a reference."""
    both_sure = reference.sure and answer.sure
    hours = (reference.hour, answer.hour) if both_sure else (reference.hour % 12, answer.hour % 12)
    if hours[0] != hours[1] or (reference.minute, reference.second) != (answer.minute, answer.second):
        return "contradicts"
    return "equal" if reference.sure == answer.sure else "coarser" if reference.sure else "finer"
