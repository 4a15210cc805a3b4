"""Writings of values: every writing of a value against every other, of the same value or of another one.

Each grid yields (reference, answer, whether they are the same value). `measure` prints a table of them:

    python -m tests.grids.values
"""

import datetime
import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import answer_metrics

Pair = tuple[str, str, bool]
MONTHS = {
    "{d} {m} {y}": "January February March April May June July August September October November December",
    "{d}. {m} {y}": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "le {d} {m} {y}": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "{d} de {m} de {y}": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "{d}  {m} {y}": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "{d} {m} {y} ": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada "
    "grudnia",
    "{d} {m} {y} г.": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "{y}. {m} {d}.": "január február március április május június július augusztus szeptember október november "
    "december",
    "{d} {m}, {y}": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
}
SIGNS = ["{y}-{n:02}-{d:02}", "{d:02}.{n:02}.{y}", "{y}/{n:02}/{d:02}", "{y}年{n}月{d}日", "{y}년 {n}월 {d}일"]
ENGLISH = ["{m} {d}, {y}", "the {o} of {m}, {y}", "{s}. {d}, {y}", "It opened on {m} {o}, {y}.", "{d}-{s}-{y}"]
FRAMES = ["{}", "It is {}.", "About {} in all.", "**{}**", "Answer: {}"]


def ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def writings_of_date(date: datetime.date) -> list[str]:
    """Write a date in digits, in English and in other languages."""
    names = next(iter(MONTHS.values())).split()
    parts = {"y": date.year, "n": date.month, "d": date.day, "o": ordinal(date.day)}
    english = {"m": names[date.month - 1], "s": names[date.month - 1][:3]}
    forms = [form.format(**parts, **english) for form in (*SIGNS, *ENGLISH)]
    return forms + [form.format(**parts, m=months.split()[date.month - 1]) for form, months in MONTHS.items()]


def dates() -> Iterator[Pair]:
    rng = random.Random(41)
    for _ in range(6):
        date = datetime.date(rng.randint(1450, 2035), rng.randint(1, 12), rng.randint(13, 28))
        others = [date.replace(day=date.day - 12), date.replace(month=date.month % 12 + 1)]
        others += [date.replace(year=date.year + 10), date.replace(year=date.year - 1)]
        for reference, answer in product(writings_of_date(date), repeat=2):
            yield reference, answer, True
        for other in others:
            for reference, answer in product(writings_of_date(date), writings_of_date(other)):
                yield reference, answer, False


def alternatives(frames: list[str], classes: list[list[str]]) -> Iterator[Pair]:
    """Yield the writings of each class against its own (the same) and against those of the others."""
    for (place, writings), (other_place, others), frame in product(enumerate(classes), enumerate(classes), frames):
        for reference, answer in product(writings, others):
            yield reference, frame.format(answer), place == other_place


eras = partial(alternatives, FRAMES[:2], [
    *([f"{y} BC", f"{y} B.C.", f"{y} BCE", f"{y} v. Chr.", f"公元前{y}年"] for y in (31, 216, 753)),
    *([f"{y} AD", f"AD {y}", f"{y} CE", f"{y} n. Chr."] for y in (31, 216, 753)),
])  # fmt: skip
periods = partial(alternatives, FRAMES[:2], [
    *([f"the {y}0s", f"{y}0's", f"{y}0s"] for y in (177, 192, 193, 198)),
    *([f"{ordinal(n)} century", f"{n}. Jahrhundert", f"{n}世纪"] for n in (12, 14, 16)),
])  # fmt: skip
times = partial(alternatives, FRAMES[:2], [
    *(
        [f"{h % 12 or 12}:{m:02} {'ap'[h > 11]}.m.", f"{h:02}:{m:02}", f"{h % 12 or 12}:{m:02}{'AP'[h > 11]}M"]
        for h, m in ((0, 15), (3, 0), (7, 45), (9, 30), (13, 20), (15, 0), (19, 45), (21, 30))
    ),
    ["noon", "12 p.m.", "12 noon"], ["midnight", "12 a.m.", "12 midnight"],
    ["5:30", "half past five", "half past 5"], ["8:45", "a quarter to nine", "15 minutes to 9"],
    ["14:20", "下午2点20分", "오후 2시 20분"], ["2:20 a.m.", "上午2点20分", "오전 2시 20분"],
    ["6:15", "quarter past six"], ["11:10", "ten past eleven", "10 minutes past 11"],
])  # fmt: skip
numbers = partial(alternatives, FRAMES, [
    ["8", "eight", "8.0"], ["-8", "minus 8", "negative eight", "−8"], ["2.75", "2,75"], ["27.5", "27,5"],
    ["1,048,576", "1048576", "1 048 576", "1.048.576"], ["0.375", "0,375", "3/8"], ["31", "thirty-one", "三十一"],
    ["4,096", "4096", "4 096"], ["40960", "40,960"], ["6.5 million", "6,500,000", "650万", "6,5 million"],
    ["6.5 billion", "6,500,000,000", "65亿"], ["1/3", "one third"], ["2/3", "two thirds"], ["1.5", "1½", "1 1/2"],
    ["250000", "25万", "250,000", "2.5 lakh"], ["30,000,000", "3 crore"], ["1/7", "七分之一"],
    ["23", "㉓", "二十三"], ["3.25", "three point two five", "3¼", "three and one quarter"], ["1776", "MDCCLXXVI"],
    ["150,000,000", "1억 5천만", "1.5億"],
])  # fmt: skip
units = partial(alternatives, FRAMES, [
    ["9 km", "9 kilometers", "9,000 m"], ["9 miles", "nine miles"], ["9 kg", "9 kilograms", "9000 g"],
    ["9 pounds", "9 lbs"], ["9 °C", "9 degrees Celsius", "9°C"], ["9 °F", "9 degrees Fahrenheit"],
    ["-9 °C", "minus 9 degrees Celsius", "9 degrees Celsius below zero"], ["9%", "9 percent", "9 per cent"],
    ["$9", "9 dollars", "USD 9"], ["€9", "9 euros", "EUR 9"], ["¥9", "9 yen"], ["9 hours", "540 minutes"],
    ["9 days", "216 hours"], ["9 years", "nine years"], ["9 GB", "9000 MB"], ["9 kW", "9,000 watts"],
    ["$9 million", "9,000,000 dollars"], ["$9 billion"], ["9 m²", "9 square meters", "9 sq m"], ["9 m³"],
    ["9 m/s", "9 meters per second", "32.4 km/h"], ["90 nm", "90 nanometers", "0.09 µm"], ["90 mW", "90 milliwatts"],
    ["9 h 30 min", "9.5 hours", "570 minutes"], ["9 ft 6 in", "9 feet 6 inches", "114 inches"],
    ["0.9%", "9‰", "%0.9"], ["75%", "3/4 ", "three quarters"], ["9 MWh", "9 megawatt-hours", "9,000 kWh"],
    ["9 kWh", "9 kilowatt hours", "9000 Wh"], ["9 light-years", "9 light years"], ["9 MW"],
    ["9 Gbps", "9 gigabits per second"], ["9 Mbps"], ["9 metric tons", "9 tonnes", "9,000 kg"], ["9 newton-meters"],
    ["2h 30m", "2h30m", "2 h 30 min", "150 minutes"], ["2m 30s", "2 min 30 s", "150 seconds"], ["2 m"],
    ["±9", "+/- 9", "+/-9", "plus or minus 9"],
])  # fmt: skip
coordinates = partial(alternatives, FRAMES[:2], [
    [f"{value}° {side[0].upper()}", f"{value}°{side[0].upper()}", f"{value} degrees {side}", f"{value}° {side}"]
    for value, side in product((33, 151.25), ("north", "south", "east", "west"))
])  # fmt: skip
ordinals = partial(alternatives, FRAMES[:2], [
    [f"the {word}", f"the {ordinal(place)}"]
    for place, word in enumerate("first second third fourth fifth sixth seventh".split(), start=1)
])  # fmt: skip


def stances() -> Iterator[Pair]:
    stated = "{n} | It is {n}. | approximately {n} | exactly {n} | It is {n}, not {o}. | {n} (not {o}) | {n}, I think"
    unstated = "less than {n} | more than {n} | at least {n} | at most {n} | not {n} | {o} (not {n}) | {o} or {n}"
    unstated += " | {n} or {o} | under {n} | It isn't {n}. | {n} or more | {o}, not {n} | fewer than {n}"
    numbers = "6 9 | 14 31 | 340 380 | 2,200 2,900 | $75 $80 | 15% 20%".split(" | ")
    for n, o in (*map(str.split, numbers), ("7 kg", "8 kg")):
        for frames, is_stated in ((stated, True), (unstated, False)):
            yield from ((n, frame.format(n=n, o=o), is_stated) for frame in frames.split(" | "))
    shifted = "the year after {} | two days before {} | It was 5 years after {}. | a month after {}, I think"
    stated = "{}, the year after 1985 | after two years, in {} | {}, a week before the others"
    for date in ("1990", "May 5", "3 March 2011", "noon"):
        yield from ((date, frame.format(date), False) for frame in shifted.split(" | "))
        yield from ((date, frame.format(date), True) for frame in stated.split(" | "))


# Texts that are one value and nothing else.
whole = partial(alternatives, FRAMES[:1], [
    ["3-1", "3–1", "3 to 1"], ["1-3", "1–3"], ["≥ 18", "at least 18", "18 or more"], ["≤ 18", "at most 18"],
    ["> 18", "more than 18", "over 18", "greater than 18"], ["< 18", "less than 18", "under 18"],
    ["v2.14.1", "2.14.1", "version 2.14.1"], ["v2.14.1-rc1", "2.14.1-rc1"], ["v2.14.2"], ["06/2021", "2021-06"],
    ["9'6\"", "9 ft 6 in"], ["9 m²", "9 m^2"], ["9 m³", "9 m^3"],
    ["3 IX 1939", "3.IX.1939", "3 September 1939"], ["3 IV 1939", "3 April 1939"], ["2009/10", "2009-10"],
    ["192.168.0.1"], ["192.168.0.10"], ["B52", "B-52", "b52"], ["B53"], ["H2O", "H₂O"], ["H2O2", "H₂O₂"],
    ["C6H12O6"], ["C6H12O5"], ["GPT-4"], ["GPT-4o"], ["AB+", "AB positive"], ["group A"],
    ["AB-", "AB−", "AB negative"], ["C-"], ["C+"], ["group B"], ["2, 5, 9", "[2, 5, 9]", "2,5,9"],
    ["WWII", "WW2", "World War II", "Second World War"], ["WWI", "World War 1", "First World War"],
    ["H2SO4", "H₂SO₄", r"$\text{H}_2\text{SO}_4$", r"$\mathrm{H_2SO_4}$", r"\ce{H2SO4}", "H$_2$SO$_4$"],
    [r"$\text{H}_2\text{S}$", "H2S"], ["Fe3+", "Fe³⁺", r"$\text{Fe}^{3+}$", r"\ce{Fe^{3+}}"],
    [r"$\mathrm{Fe^{2+}}$", "Fe2+"],
    ["USA", "U.S.A.", "US", "United States"], ["UK", "United Kingdom"], ["early 1968"], ["late 1968"], ["mid-1968"],
])  # fmt: skip
# Quantities in prose and in LaTeX, in other units, and of other units.
quantities = partial(alternatives, ["{}", "It is {}."], [
    ["10 Ω", r"$10\,\Omega$", "10 ohms"], [r"$10\,\text{k}\Omega$", r"$10\,\mathrm{k\Omega}$", "10 kΩ"], ["10 mΩ"],
    ["5 µm", r"$5\,\mu\text{m}$", r"$5\ \mu\mathrm{m}$", "5 micrometers"], ["5 m", r"$5\,\text{m}$"],
    ["5 µC", r"$5\,\mu\text{C}$"],
    ["25 °C", r"$25^\circ\text{C}$", r"$25\,^{\circ}\mathrm{C}$", r"25$^\circ$C"], ["25 °F", r"$25^\circ\text{F}$"],
    ["9.8 m/s²", r"$9.8\,\text{m/s}^2$", r"$9.8\,\mathrm{m\,s^{-2}}$", "9.8 m s⁻²", "9.8 m·s^-2"],
    ["9.8 m/s", "9.8 m s⁻¹"],
    ["8.3 J/(mol·K)", r"$8.3\,\text{J}\,\text{mol}^{-1}\,\text{K}^{-1}$", "8.3 J mol⁻¹ K⁻¹"], ["8.3 J/mol"],
    ["2.4 kg·m²", r"$2.4\,\text{kg}\cdot\text{m}^2$", r"$2.4\,\text{kg m}^2$"], ["2.4 kg/m²"],
    ["4 N·m", r"$4\,\text{N}\cdot\text{m}$", "4 N m"], ["4 N/m", r"$4\,\mathrm{N/m}$"],
    ["6 J", r"$6\,\text{J}$", "6 joules"], ["6 N", r"$6\,\text{N}$", "6 newtons"],
    ["6.6e-34 J·s", r"$6.6 \times 10^{-34}\,\text{J·s}$", "6.6 × 10^-34 J s"], ["6.6e-34 J/s"],
])  # fmt: skip
# Amounts in other currencies, units and ways of writing, of a number where the neighbors have it, too.
amounts = partial(alternatives, FRAMES[:2], [
    ["20 Canadian dollars", "C$20", "CAD 20", "20 CAD"], ["20 Australian dollars", "A$20", "AUD 20"],
    ["$20", "20 US dollars", "20 dollars"], ["20 Swedish kronor", "SEK 20", "20 SEK"], ["CHF 20"],
    ["20 Norwegian kroner", "NOK 20"],
    ["20 ₴", "20 UAH", "20 гривен"], ["₽20", "20 рублей", "RUB 20"], ["20 Mexican pesos", "MXN 20"],
    ["€20 an hour", "€20 per hour", "20 euros/h"], ["€20 per day", "€20 a day"], ["€20/kg", "€20 per kilogram"],
    ["€20 per pound"],
    ["20 mph", "20 miles per hour"], ["20 miles per minute"], ["20 KiB", "20 kibibytes", "20,480 bytes"],
    ["20 MiB", "0.01953125 GiB"], ["20 kB"], ["20 MB"], ["20 mcg", "20 µg", "0.02 mg"], ["20 mg"], ["20 IU"],
    ["20 light-minutes"], ["20 light-years"], ["20 °C", "68 °F", "293.15 K"], ["20 °F", "-6.7 °C"], ["20 K"],
    ["-40 °C", "minus 40 degrees Fahrenheit"], ["0.2%", "20 basis points", "20 bps"], ["20%"], ["20 Mbps"], ["20 ppm"],
    ["1h30", "90 min", "1:30:00", "1.5 hours", "PT1H30M"], ["PT45M", "45 minutes"], ["45 s"],
    ["5'30\"", "330 seconds", "5 min 30 s"], ["3 Millionen", "3 million"],
    ["3 Milliarden", "3 billion", "3 mil millones"], ["two fifths", "40%"],
    ["4/5", "80 percent"], ["4:7", "four to seven"], ["7:4", "seven to four"],
    ["5.0 ± 0.2", "5.0 plus or minus 0.2"],
])  # fmt: skip
# What has no amount: coordinates, identifiers, versions, keys, names.
codes = partial(alternatives, FRAMES[:2], [
    ["33.8688° S, 151.2093° E", "-33.8688, 151.2093"], ["33.8688° N, 151.2093° E", "33.8688, 151.2093"], ["Python 3.1"],
    ["Python 3.10", "Python version 3.10"], ["Python 3.11"], ["jane.doe@example.com"], ["john@example.com"],
    ["https://www.example.com/", "http://example.com"], ["https://www.example.com/a"], ["www.example.org"],
    ["#FF0000", "rgb(255, 0, 0)", "#ff0000"], ["rgb(0, 0, 255)", "#0000FF"], ["415-555-0133"], ["SW1A 2AA", "sw1a2aa"],
    ["+1 (415) 555-0132", "415-555-0132", "(415) 555-0132", "4155550132"], ["+44 20 7946 0958", "020 7946 0958"],
    ["978-0-306-40615-7", "9780306406157", "ISBN 978-0-306-40615-7"], ["978-0-306-40616-4"], ["SW1A 1AA", "sw1a1aa"],
    ["00:1A:2B:3C:4D:5E", "00-1a-2b-3c-4d-5e"], ["00:1A:2B:3C:4D:5F"], ["arXiv:1706.03762", "arxiv.org/abs/1706.03762"],
    ["10.1000/xyz123", "https://doi.org/10.1000/xyz123", "doi:10.1000/xyz123"], ["10.1000/xyz124"], ["C minor"],
    ["C♯ minor", "C-sharp minor", "C# minor", "C sharp minor"], ["E♭ major", "E-flat major", "E flat major"],
    ["F major"], ["X-rays"],
    ["gamma rays"], ["George W. Bush", "George W Bush"], ["George H. W. Bush", "George H.W. Bush"],
    ["early 1990s", "the early nineties"], ["late 1990s", "the late nineties"], ["a 12% increase", "It rose by 12%"],
    ["a 12% decrease", "It fell by 12 percent"], ["12–15 May 2022", "from May 12 to May 15, 2022"], ["12–16 May 2022"],
    ["Wednesday", "Wed."], ["Thurs."],
])  # fmt: skip
names = partial(alternatives, ["{}", "答案是{}。", "{}です"], [
    ["北京大学", "北京大學"], ["南京大学", "南京大學"], ["北京", "北京市"], ["南京", "南京市"],
    ["周恩来", "周恩來"], ["周恩寿"], ["東京", "东京", "東京都"], ["京都", "京都市"], ["甲状腺功能亢进"],
    ["甲状腺功能减退"], ["広島県", "広島"], ["福島県", "福島"], ["中国银行", "中國銀行"], ["中国医院"],
])  # fmt: skip
GRIDS: dict[str, Callable[[], Iterator[Pair]]] = {
    "dates, 9 languages": dates, "eras": eras, "decades and centuries": periods, "times": times, "numbers": numbers,
    "units and currencies": units, "coordinates": coordinates, "ordinals": ordinals,
    "denied, bounds, several": stances, "scores, bounds, codes": whole, "quantities in LaTeX": quantities,
    "names in Han characters": names, "amounts": amounts, "codes, keys, names": codes,
}  # fmt: skip


def measure(name: str, **options: str) -> tuple[list[Pair], list[Pair]]:
    """Return the pairs of a grid, and those that `preset="free_form"`, or other options, judges wrongly."""
    pairs = list(dict.fromkeys(GRIDS[name]()))
    metric = answer_metrics.load("accuracy", return_confidence=False, **({"preset": "free_form"} | options))
    references, answers, _ = map(list, zip(*pairs, strict=True))
    scores = metric.compute(predictions=answers, references=references)["individual_scores"]
    return pairs, [pair for pair, score in zip(pairs, scores, strict=True) if (score > 0) is not pair[2]]


def table() -> list[str]:
    """Write the counts of all grids in Markdown."""
    lines = ["| values | pairs | wrongly accepted | wrongly rejected |", "| --- | --- | --- | --- |"]
    for name in GRIDS:
        pairs, wrong = ([pair[2] for pair in column] for column in measure(name))
        accepted, rejected = (f"{wrong.count(side) / pairs.count(side):.1%}" for side in (False, True))
        lines.append(f"| {name} | {len(pairs):,} | {accepted} | {rejected} |")
    return lines


if __name__ == "__main__":
    print(*table(), sep="\n")
