"""Units of measurement: their names and symbols, what they measure, and how large they are."""

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from answer_metrics.matching.numbers import CURRENCIES

_SI_PREFIXES = {
    "n": ("nano", -9), "µ": ("micro", -6), "u": ("micro", -6), "m": ("milli", -3), "c": ("centi", -2),
    "d": ("deci", -1), "h": ("hecto", 2), "k": ("kilo", 3), "M": ("mega", 6), "G": ("giga", 9), "T": ("tera", 12),
}  # fmt: skip
# What a unit measures, its size, its symbol or first name, more names, and the prefixes that are used with it. A plural
# is read like its singular.
_TABLE = """
    length 1 m meter metre : nµumcdk | mass 1 g gram gramme : µumk | time 1 s second sec : nµum |
    length^3 .001 l liter litre : µumcdh | power 1 w watt : mkMGT | energy 1 j joule : kMG |
    pressure 1 pa pascal : hkMG | voltage 1 v volt : mk | current 1 a ampere amp : m | frequency 1 hz hertz : kMGT |
    data 1 b byte : kMGT | bits 1 bit bit : kMGT | force 1 n newton : k | amount 1 mol mole : m |
    electronvolts 1 ev electronvolt : kMG | heat 1 cal calorie : k | sound 1 db decibel | resistance 1 Ω ohm : kM |
    length 1 米 メートル 미터 | length .01 厘米 | length .001 毫米 | length 1000 公里 千米 キロメートル |
    length .3048 foot feet ft | length .0254 inch | length .9144 yard yd | length 1609.344 mi mile | length 1852 nmi |
    mass 1000 kilo 公斤 千克 | mass 1 克 | mass 1000000 ton tonne 吨 | mass 453.59237 lb pound |
    mass 28.349523125 ounce oz | mass 6350.29318 stone | length^2 10000 hectare ha | length^2 4046.8564224 acre |
    length/time 5/18 kmh kph | length/time .44704 mph | length/time .514444 knot | time 1 秒 |
    time 60 min minute 分钟 分 | time 3600 h hour hr 小时 時間 시간 | time 86400 day 天 일 | time 604800 week |
    time 1209600 fortnight | months 1 month mo | months 12 year yr 年 岁 歳 년 세 | months 120 decade |
    months 1200 century centurie | celsius 1 c celsius ℃ | fahrenheit 1 f fahrenheit ℉ | kelvin 1 k kelvin |
    degrees 1 degree ° 度 도 | radians 1 radian rad | length^3 .001 升 | length^3 .003785411784 gallon gal |
    length^3 .000473176473 pint | length^3 .0000147867648 tablespoon tbsp | length^3 .00000492892159 teaspoon tsp |
    length^3 .000236588 cup | length^3 .000946352946 quart qt |
    length 9460730472580800 lightyear ly | length 30856775814913673 parsec | length 1079252848800 lighthour |
    length 17987547480 lightminute | length 299792458 lightsecond | mass .000001 mcg | units 1 iu internationalunit |
    data 1024 kib kibibyte | data 1048576 mib mebibyte | data 1073741824 gib gibibyte | % .01 basispoint |
    data 1099511627776 tib tebibyte | pressure 133.322 torr | ratio .000001 ppm | ratio .000000001 ppb |
    length 149597870700 astronomicalunit | energy 3600 wh watthour : kMGT | energy 1055.06 btu |
    energy 1 newtonmeter newtonmetre | charge 3600 amphour amperehour | charge 1 coulomb : nµm |
    charge .000001 µc | charge 3.6 mah | capacitance 1 farad : nµm | capacitance .000001 µf |
    bits/time 1 bps : kMGT | light 1 lumen lm | illuminance 1 lux lx | field .0001 gauss | field 1 tesla : mµ |
    dose 1 sievert sv : mµu | activity 1 becquerel bq : kMG | mass .0002 carat karat |
    pressure 100000 bar | pressure 101325 atm |
    pressure 6894.757 psi | power 745.7 hp horsepower | frequency 1/60 rpm | frames/time 1 fps | € 1 欧元 |
    $ 1 美元 dollar доллар доллара долларов | $ .01 cent ¢ | £ .01 penny pence | cny 1 元 人民币 | ¥ 1 円 | ₩ 1 원 |
    £ 1 英镑 | frames 1 frame
"""


class UnitOfMeasure(NamedTuple):
    """What a unit measures, such as "length" or "length/time", and its size in the basic unit of that measure."""

    measure: str
    size: Fraction


def _read_table() -> tuple[dict[str, UnitOfMeasure], dict[str, UnitOfMeasure]]:
    """Read units by their names in lower case, and by symbols in which case matters: mW and MW."""
    names = {name.replace("-", ""): UnitOfMeasure(currency, Fraction(1)) for name, currency in CURRENCIES.items()}
    symbols: dict[str, UnitOfMeasure] = {}
    for entry in " ".join(_TABLE.split()).split(" | "):
        described, _, prefixes = entry.partition(" : ")
        measure, size, symbol, *words = described.split()
        names |= dict.fromkeys((symbol.lower(), *words), UnitOfMeasure(measure, Fraction(size)))
        for prefix in prefixes:
            word, power = _SI_PREFIXES[prefix]
            unit = UnitOfMeasure(measure, Fraction(size) * Fraction(10) ** power)
            names |= dict.fromkeys([(prefix + symbol).lower(), *(word + name for name in words)], unit)
            symbols |= dict.fromkeys((prefix + form for form in (symbol, symbol.capitalize(), symbol.upper())), unit)
    return names, symbols


UNITS, _UNIT_SYMBOLS = _read_table()
"""Units by their names in lower case."""
_UNIT_SYMBOLS |= {"Nm": UNITS["newtonmeter"], "kNm": UnitOfMeasure("energy", Fraction(1000))}  # not nanometers
OTHER_UNITS = "|".join(sorted((name for name in UNITS if name > "\u0400"), key=len, reverse=True))

_UNIT_NAME = rf"(?:[A-Za-zµΩ]+|[℃℉¢]|{OTHER_UNITS})"
_POWER_AFTER = r"(?:[²³]|(?<=m)[23](?!\d)|\^\{?[23]\}?|\s(?:squared|cubed)\b)"
_POWER_BELOW_0 = r"(?:⁻[¹²³]|\^\{?[-−][1-3]\}?)"
_UNIT = re.compile(
    rf"[\s-]?(?P<degree>degrees?\s(?=[CcFf](?:elsius|ahrenheit)?\b)|°\s?)?"
    r"(?:(?P<power>square|sq\.?|cubic|cu\.?)\s)?(?:metric\s)?"
    rf"(?P<name>{_UNIT_NAME})(?P<raised>{_POWER_BELOW_0}|{_POWER_AFTER})?"
    r"(?P<joined>[\s-][A-Za-z]{4,})?|\s?(?P<sign>°)"
)
# More factors: m/s², J/(mol·K), kg·m², foot-pounds, g per day, and with a power below 0 also behind a blank: m s⁻¹.
_FACTOR = re.compile(
    rf"(?P<joint>\s?/\s?\(?|\sper\s|\s?[·⋅]\s?|\*(?=\w)|-(?=[a-z]{{4}})|\s(?=[A-Za-zµΩ]+{_POWER_BELOW_0})"
    r"|(?:(?<=\b[AJNVW])|(?<=\b(?:Pa|kg)))\s(?=[hms](?![a-z])))"
    rf"(?P<name>[A-Za-zµΩ]{{2,}}|[AJKLNTVWghlms](?![A-Za-zµΩ]))(?P<raised>{_POWER_BELOW_0}|{_POWER_AFTER})?\)?"
)
_FACTORS = re.compile(rf"(?:{re.sub('[?]P<[a-z]+>', '?:', _FACTOR.pattern)}){{1,5}}")
# Shorter names are also words, names or abbreviations in prose.
_UNIT_LETTERS = frozenset("C F J K L V W g h l m s".split())
# After a number in LaTeX, these letters are units, too, and where a text is nothing but an amount.
_LETTER_NAMES = {"A": "ampere", "B": "byte", "N": "newton", "T": "tesla"}
_LETTER_AT_END = re.compile(r"(?<=\d)\s([NT])\Z")
_NOT_UNITS = frozenset("as has ha mole moles amp amps pa mo gal stone stones cup cups bars um us US ma".split())
_DEGREE_SIGN = re.compile(r"\s?°|\sdegrees?")
_FEET_BEFORE = re.compile(r"\d\s?(?:ft|foot|feet|['\u2032\u2019]),?\s(?:and\s)?\d+(?:\.\d+)?\Z")
_POWERS = {
    "1": 1, "2": 2, "3": 3, "¹": 1, "²": 2, "³": 3, "square": 2, "sq": 2, "squared": 2, "cubic": 3, "cu": 3, "cubed": 3,
}  # fmt: skip

# ---- LaTeX

_TEX_TEXT = re.compile(r"(?:\\[,;:! ]|~|\s){0,3}\\(?:text|textrm|mathrm|mbox|ce)\s*\{([^{}]*)\}")
_ELEMENTS, _TEX_NAME = re.compile(r"(?:[A-Z][a-z]?)+"), re.compile(r"\\[a-z]+\s*")
_SUBSCRIPT_AT_END = re.compile(r"_(?:\d|\{\d+\})\Z")
# What stands behind a number in LaTeX: 5\,\mu\mathrm{m}, 25^\circ\text{C}, 9.8\,\mathrm{m\,s^{-2}}.
_TEX_SPACE = r"\\[,;:! ]|~|\s"
_TEX_WRAPPED = r"\\(?:text|textrm|mathrm|mbox)\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
_TEX_SYMBOLS = {"mu": "µ", "Omega": "Ω", "ohm": "Ω", "circ": "°", "degree": "°", "%": "%", "cdot": "·"}
_TEX_SYMBOL = rf"\\({'|'.join(_TEX_SYMBOLS)})(?![a-zA-Z])(?:\s(?=[a-zA-Z]))?"
_AFTER_LETTERS = re.compile(r"[\W\d_]")
_TEX_UNIT = re.compile(
    rf"(?<=[\d}}])(?:{_TEX_SPACE})*"
    rf"(?:{_TEX_WRAPPED}|\$?(?:\^\s*\{{?\s*)?(?!\\cdot){_TEX_SYMBOL}\}}?\$?|[kMGmnc](?=\\Omega|\\mu))"
    rf"(?:(?:{_TEX_SPACE}){{0,3}}(?:{_TEX_WRAPPED}|{_TEX_SYMBOL})|(?<=mu )[a-zA-Z]+|(?<=\$)[CF]\b"
    r"|\^\{?-?\d\}?|/[a-zA-Z]*)*"
)
# As in Markdown, there is no blank just inside the delimiters, and no digit after them: "$5 and $6" are prices.
_TEX_MATH = re.compile(r"(?<![\\$\w])\$([^\s$](?:[^$\n]{0,200}[^\s$\\])?)\$(?![\w$])")


def without_tex(text: str) -> str:
    r"""Write LaTeX as in prose, `$5$ cm` and `5\,\mathrm{cm}` as `5 cm`, with blanks beside, so that places stay."""
    if text.count("$") > 1:
        text = _TEX_MATH.sub(lambda math: math[1].rjust(len(math[0])), text)
    if "\\" not in text:
        return text
    return _TEX_TEXT.sub(_words_in_prose, _TEX_UNIT.sub(_unit_in_prose, text))


def with_unit_name(amount: str) -> str:
    """Spell out the unit of a whole amount whose letter could be another word in prose: "5 N"."""
    return _LETTER_AT_END.sub(lambda letter: f" {_LETTER_NAMES[letter[1]]}", amount)


def _unit_in_prose(unit: re.Match[str]) -> str:
    r"""Write the unit of a number in LaTeX as in prose, `\text{kg}\,\text{m}` as `kg·m`."""
    if _is_chemical(unit):
        return unit[0]
    plain = re.sub(r"\^\s*\{?\s*(?=\\circ)", "", unit[0])
    plain = re.sub(_TEX_SYMBOL, lambda symbol: _TEX_SYMBOLS[symbol[1]], plain)
    plain = re.sub(_TEX_WRAPPED, lambda wrapped: wrapped[1], plain)
    words = re.sub(rf"{_TEX_SPACE}|[{{}}$]", " ", re.sub(r"\^\{(-?\d)\}", r"^\1", plain)).split()
    is_product = all(unit_named(_AFTER_LETTERS.split(word)[0]) for word in words)
    plain = _LETTER_NAMES.get(words[0], words[0]) if len(words) == 1 else ("·" if is_product else " ").join(words)
    return f"{'' if plain[:1] in {'°', '%'} else ' '}{plain}".ljust(len(unit[0]))


def _is_chemical(text: re.Match[str]) -> bool:
    r"""Return whether TeX is part of a chemical formula: \text{H}_2\text{O}."""
    before = text.string[max(0, text.start() - 6) : text.start()]
    return text.string.startswith("_", text.end()) or bool(_SUBSCRIPT_AT_END.search(before))


def _words_in_prose(words: re.Match[str]) -> str:
    """Write words in LaTeX as in prose; braces in place of a command join the elements of a chemical formula."""
    if "\\ce" in words[0] or (_ELEMENTS.fullmatch(words[1].strip()) and _is_chemical(words)):
        return _TEX_NAME.sub(lambda command: "{" * len(command[0]), words[0])
    return f" {words[1].strip()}".ljust(len(words[0]))


# ---- units behind numbers


def unit_named(name: str) -> UnitOfMeasure | None:
    """Return the unit of a symbol or of a name in the singular or plural; None if there is no such unit."""
    if unit := _UNIT_SYMBOLS.get(name):
        return unit
    lower = name.lower()
    return UNITS.get(lower) or UNITS.get(lower.removesuffix("s")) or UNITS.get(lower.removesuffix("es"))


def unit_after(text: str, place: int, currency: str = "") -> tuple[UnitOfMeasure, int] | None:
    """Read the unit after a number, "km", "m/s²", "°C", or after a currency, "/kg", "an hour", and where it ends."""
    if currency:
        after = re.sub(r"\A an? ", " per ", rest := text[place : place + 40])
        factors, place = _FACTORS.match(after), place + len(rest) - len(after)
        powers, length = _read_factors(factors[0] if factors else "", 0)
        is_rate = powers and powers[0][1] < 0
        return (_product([(UNITS[currency], 1), *powers]), place + length) if is_rate else None
    match = _UNIT.match(text, place)
    if match is None:
        return None
    if match["name"] == "in" and _FEET_BEFORE.search(text, max(0, place - 20), place):
        return UNITS["inch"], match.end("name")
    end = match.end("raised" if match["raised"] else "name")
    factors = _FACTORS.match(text, end) if match["name"] else None
    written = text[match.start("name") : factors.end()] if factors else ""
    unit, last, length = _unit_of_parts(match.groups(), written)
    if unit is None and match["degree"] and (degrees := _DEGREE_SIGN.match(text, place)):
        return UNITS["degree"], degrees.end()
    return (unit, match.end(last) + length) if unit else None


@lru_cache(maxsize=1_000)
def _unit_of_parts(parts: tuple[str | None, ...], written: str) -> tuple[UnitOfMeasure | None, str, int]:
    """Return the unit of the groups of a match and of more factors, the last group of it, and the factors' length.

    `written` is the unit from its name to its last factor.
    """
    degree, power, name, raised, joined, _ = parts
    if name is None:
        return UNITS["degree"], "sign", 0
    if joined and not raised and (unit := unit_named(name + joined[1:])):  # kilowatt-hours
        return unit, "joined", 0
    further, length = _read_factors(written, len(name + (raised or "")))
    is_name = len(name) > 1 or degree or name in _UNIT_LETTERS or not name.isascii() or (further and name.isupper())
    is_excluded = name in _NOT_UNITS and not (power or raised or further)
    unit = unit_named(name) if is_name and not is_excluded else None
    if unit is None:
        return None, "", 0
    if further and further[0][1] < 0 and len(name) == 2 and name[1] == "b":  # Mb/s
        unit = unit_named(f"{name[0]}bit") or unit
    exponent = _POWERS[power.strip(".")] if power else _exponent_of(raised)
    if name == "ms" and exponent < 0:  # ms⁻¹ is m/s
        return _product([(UNITS["m"], 1), (UNITS["s"], exponent), *further]), "raised", length
    return _product([(unit, exponent), *further]), "raised" if raised else "name", length


def _exponent_of(raised: str | None) -> int:
    """Return the exponent of a unit as it is written: 2 of "²", -1 of "^{-1}"."""
    raised = (raised or "1").strip(" ^{}")
    return _POWERS[raised.lstrip("⁻-−")] * (-1 if raised[0] in "⁻-−" else 1)


def _read_factors(written: str, start: int) -> tuple[list[tuple[UnitOfMeasure, int]], int]:
    """Return the factors of a unit from a place on, with their powers, and how many characters they take."""
    units: list[tuple[UnitOfMeasure, int]] = []
    side, end = 1, start
    while (factor := _FACTOR.match(written, end)) and factor["name"].lower() not in {"as", "has", "us"}:
        if (unit := unit_named(factor["name"])) is None:
            break
        side = -1 if factor["joint"].strip(" (") in {"/", "per"} else side
        exponent = _exponent_of(factor["raised"])
        units.append((unit, exponent if exponent < 0 else side * exponent))
        end = factor.end()
    return units, end - start


# Measures as products of mass, length, time and current, and how many basic units (g, m, s, A) theirs is.
_BASE = {
    "force": ("mass*length/time/time", 1000), "energy": ("mass*length*length/time/time", 1000),
    "power": ("mass*length*length/time/time/time", 1000), "pressure": ("mass/length/time/time", 1000),
    "voltage": ("mass*length*length/time/time/time/current", 1000), "charge": ("current*time", 1),
    "resistance": ("mass*length*length/time/time/time/current/current", 1000), "frequency": ("/time", 1),
}  # fmt: skip


def _product(factors: list[tuple[UnitOfMeasure, int]]) -> UnitOfMeasure:
    """Return the unit of a product of powers: "length/time^2", or "energy" for W·s."""
    if len(factors) == 1 and factors[0][1] == 1:
        return factors[0][0]
    powers: dict[str, int] = {}
    size = Fraction(1)
    for unit, exponent in factors:
        measure, scale = _BASE.get(unit.measure, (unit.measure, 1))
        size *= (unit.size * scale) ** exponent
        for base, power in _powers_of(measure).items():
            powers[base] = powers.get(base, 0) + power * exponent
    powers = {base: power for base, power in powers.items() if power}
    for measure, (written, scale) in _BASE.items():
        if _powers_of(written) == powers:
            return UnitOfMeasure(measure, size / scale)
    above, below = (
        [
            base + (f"^{abs(power)}" if abs(power) > 1 else "")
            for base, power in sorted(powers.items())
            if power * side > 0
        ]
        for side in (1, -1)
    )
    return UnitOfMeasure("/".join(["*".join(above), *below]) or "ratio", size)


@lru_cache
def _powers_of(measure: str) -> dict[str, int]:
    """Read a measure such as "length/time^2" as the powers of its parts."""
    powers: dict[str, int] = {}
    for side, part in enumerate(measure.split("/")):
        for factor in filter(None, part.split("*")):
            base, _, power = factor.partition("^")
            powers[base] = powers.get(base, 0) + int(power or 1) * (-1 if side else 1)
    return powers
