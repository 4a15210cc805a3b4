"""Find dates with a month in tokens: a date is right if it is the same, or less precise and not different."""

from collections.abc import Mapping
from collections.abc import Sequence
from typing import NamedTuple

from ._recall_tokens import Token
from ._recall_tokens import fold

_NAMES = "january february march april may june july august september october november december".split()
MONTHS = {name: number for number, name in enumerate(_NAMES, 1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
# The same in other languages, each a line; what differs by case ending or spelling is joined by "/".
_OTHER_NAMES = """
januar/jänner februar/feber märz april mai juni juli august september oktober november dezember
januari februari maart april mei juni juli augustus september oktober november december
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
stycznia/styczeń lutego/luty marca/marzec kwietnia/kwiecień maja/maj czerwca/czerwiec lipca/lipiec sierpnia/sierpień
września/wrzesień października/październik listopada/listopad grudnia/grudzień
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
января/январь/январе февраля/февраль/феврале марта/март/марте апреля/апрель/апреле мая/май/мае июня/июнь/июне
июля/июль/июле августа/август/августе сентября/сентябрь/сентябре октября/октябрь/октябре ноября/ноябрь/ноябре
декабря/декабрь/декабре
يناير فبراير مارس أبريل/إبريل مايو يونيو/يونيه يوليو/يوليه أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
जनवरी फरवरी/फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर/सितम्बर अक्टूबर/अक्तूबर नवंबर/नवम्बर दिसंबर/दिसम्बर
"""  # noqa: RUF001
_FOREIGN = {
    fold(name): index % len(_NAMES) + 1 for index, names in enumerate(_OTHER_NAMES.split()) for name in names.split("/")
}
ALL_MONTHS = _FOREIGN | MONTHS
"""The months in all languages; in other languages than English, words are months only beside a number."""
# Words that are months only beside a number or after a preposition.
_AMBIGUOUS = frozenset({"may", "march", "mar", "jan", "dec", "sep", "apr", "jun", "jul", "nov", "oct", "feb", "aug"})
_OF = frozenset({"of", "in", "de", "del"})
# The characters behind the year, month and day of a date: "2019年9月6日".
MONTH_CHARACTERS = "月월"
_CHARACTERS = ("年년", MONTH_CHARACTERS, "日号號일")
_BEFORE_MONTHS = frozenset({"in", "of", "since", "until", "by", "early", "late", "mid", "during", "from", "to"})


ANY = "*"


class Date(NamedTuple):
    """A date; parts that it does not have are ""."""

    year: str
    month: int
    day: str
    places: tuple[int, ...]
    """The indices of its tokens."""


def is_year(token: Token) -> bool:
    """Say whether a token may be a year: a number of three or four digits."""
    return token.text.isdigit() and len(token.text) in {3, 4} and token.is_number and token.key[-1].isdigit()


def _day(token: Token) -> str:
    """Return the day of a month that a token may be, or ""."""
    if not token.is_number or token.key[-1] == "s":
        return ""
    value = token.value
    return value if value.isdigit() and len(value) <= 2 and 1 <= int(value) <= 31 else ""


def find_dates(tokens: Sequence[Token]) -> list[Date]:
    """Find the dates with a month: "6 September 2019", "September 6th", "Sept. 2019", "2019-09-06".

    Args:
        tokens: Those of one text, in order.

    Returns:
        The dates in order. A month alone is one, where it cannot be another word.
    """
    dates = []
    for index, token in enumerate(tokens):
        if token.key in ALL_MONTHS:
            if date := _date_around(tokens, index):
                dates.append(date)
        elif token.is_number and is_year(token) and index + 2 < len(tokens):
            month, day = tokens[index + 1 : index + 3]
            if (
                _day(month) and _day(day) and int(month.value.lstrip("-")) <= 12
                and month.start - token.end <= 1 and day.start - month.end <= 1
                and len(month.text.lstrip("-")) == len(day.text.lstrip("-")) == 2
            ):  # fmt: skip
                dates.append(Date(token.value, int(month.value), day.value, (index, index + 1, index + 2)))
        if len(token.text) == 4 and is_year(token):
            if index > 1:
                dates += _dates_of_numbers(tokens, index)
            if index + 3 < len(tokens) and tokens[index + 1].key[0] in _CHARACTERS[0]:
                dates += _date_in_characters(tokens, index)
    return dates


def _dates_of_numbers(tokens: Sequence[Token], index: int) -> list[Date]:
    """Read "12/08/1990": the month may be the first number or the second."""
    first, second = tokens[index - 2 : index]
    if tokens[index].start - second.end != 1 or second.start - first.end != 1:
        return []
    if not (_day(first) and _day(second) and first.text.isdigit() and second.text.isdigit()):
        return []
    places = (index - 2, index - 1, index)
    return [
        Date(tokens[index].value, int(month), day, places)
        for month, day in dict.fromkeys([(first.value, second.value), (second.value, first.value)])
        if int(month) <= 12
    ]


def _date_in_characters(tokens: Sequence[Token], index: int) -> list[Date]:
    """Read "2019年9月6日" and "2019年9月"."""
    marks = tokens[index + 1 : index + 6 : 2]
    same = [mark.key[0] in characters for mark, characters in zip(marks, _CHARACTERS, strict=False)]
    length = 3 if same == [True] * 3 else 2
    parts = tokens[index : index + 2 * length : 2]
    if same[:2] != [True] * 2 or not all(_day(part) for part in parts[1:]):
        return []
    year, month, day = [*(part.value for part in parts), ""][:3]
    return [Date(year, int(month), day, tuple(range(index, index + 2 * length, 2)))]


def _date_around(tokens: Sequence[Token], index: int) -> Date | None:
    """Read the date around the name of a month."""
    day = year = ""
    places = [index]
    after = index + 1
    if after < len(tokens) and _day(tokens[after]) and not is_year(tokens[after]):
        day = _day(tokens[after])
        places.append(after)
        after += 1
    if after + 1 < len(tokens) and tokens[after].key in _OF:
        after += 1
    if after < len(tokens) and is_year(tokens[after]):
        year = tokens[after].value
        places.append(after)
    before = index - 1
    if before > 0 and tokens[before].key in _OF:
        before -= 1
    if not day and before >= 0 and _day(tokens[before]):
        day = _day(tokens[before])
        places.append(before)
    token = tokens[index]
    alone = token.key in MONTHS and (
        token.key not in _AMBIGUOUS or (token.capital and index and tokens[index - 1].key in _BEFORE_MONTHS)
    )
    if not day and not year and not (token.capital and alone):
        return None
    return Date(year, ALL_MONTHS[token.key], day, tuple(places))


class DateIndex:
    """The dates of a text, indexed to look up another date in constant time."""

    def __init__(self, dates: Sequence[Date], years: Mapping[str, list[int]]) -> None:
        self._years = years
        self._full: dict[tuple[str, int, str], Date] = {}
        for date in dates:
            for year in {date.year, ANY}:
                for day in {date.day, ANY}:
                    self._full.setdefault((year, date.month, day), date)
        self._dated_years = {date.year for date in dates}

    def find(self, date: Date) -> tuple[int, ...] | None:
        """Find a date that has a year or a day: the same, or one that is more or less precise and not different.

        Returns:
            The places of the date or year that agrees; None if there is none.
        """
        days = (date.day, "") if date.day else (ANY,)
        if date.year:
            keys = [(date.year, date.month, day) for day in days]
            if date.day:
                keys.append(("", date.month, date.day))
            if date.year in self._years:
                keys += [("", date.month, day) for day in days]
        else:
            keys = [(ANY, date.month, date.day)]
        for key in keys:
            if key in self._full:
                return self._full[key].places
        if date.year in self._years and date.year not in self._dated_years:
            return tuple(self._years[date.year])
        return None
