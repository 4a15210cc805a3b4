r"""Find the answer in a longer text: `\boxed{…}`, "The answer is …", a choice letter, the last number.

Every rule takes time linear in the length of the text. The last section compares numbers by value, by decimal
arithmetic, without symbolic mathematics.
"""

import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, get_args

from ._options import did_you_mean, qualified_name, shorten

EXTRACTION_VERSION = "v1"
Extractor = Literal["boxed", "answer_line", "choice", "last_number"]
EXTRACTORS: tuple[str, ...] = get_args(Extractor)

EXPECTED = ", ".join(f'"{name}"' for name in EXTRACTORS) + ", a regular expression with one group, a callable or None"
"""The values of the option."""

Extract = Extractor | str | re.Pattern[str] | Callable[[str], str | None] | None

_CURRENCY_SIGN = re.compile("[$\u20ac\u00a3\u00a5\u20b9]")

_BOXED = re.compile(r"\\(?:f?boxed|fbox)\s*(?=\{)|[{}]|\\[\\{}]")
_WHOLE_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_WHOLE_BOX = re.compile(r"[$\\(\[\s]{0,6}\\boxed\s*\{.*\}[$\\)\].\s]{0,6}\Z", re.DOTALL)
# What retracts the answer right after it: "not \boxed{3}", "instead of \boxed{3}".
_WITHDRAWN_BEFORE = re.compile(r"(?:\bnot|n't|\binstead of|\brather than)\s*(?:the\s+)?[$*(\s]{0,8}\Z", re.IGNORECASE)
_WITHDRAWN_AFTER = re.compile(
    r"[$*)\s]{0,8}(?:is|was|would be|seems)\s+(?:wrong|incorrect|false|not\s+(?:right|correct))", re.IGNORECASE
)
_LOOK_BEHIND = 40

_MARKDOWN = '*_`~ \t#>"'
_ANSWER = r"(?:(?:the\s{1,3}|my\s{1,3}|so\s{1,3})?(?:final\s{1,3}|correct\s{1,3})?answer)"
_ANSWER_MARK = re.compile(
    rf"####(?!\s{{0,3}}{_ANSWER})|<answer>|(?<![^\W_]){_ANSWER}"
    r"(?:[*_`~ \t]{0,6}[:\uff1a][*_`~]{0,4}|[ \t]{1,3}[-\u2013\u2014](?=[ \t])"
    r"|[*_`~]{0,4}\s{1,3}(?:is|(?:would|should|must)\s{1,3}be)[*_`~]{0,4}(?![^\W_])\s{0,3}:?)"
    # A heading: "## Final Answer", "**Answer**".
    rf"|^[ \t]{{0,3}}(?:#{{1,6}}[ \t]{{0,3}}|[*_]{{2}}){_ANSWER}[*_]{{0,3}}[ \t]{{0,3}}(?=[\r\n])",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSING_PHRASE = re.compile(r"[.!]?\s{0,3}I hope (?:it|this) is correct\.?\s*\Z", re.IGNORECASE)

_NOT_BUT = re.compile(r"\Anot\s{1,3}\S{1,12}\s{1,3}but\s{1,3}", re.IGNORECASE)
_LEADING_CHOICE = re.compile(
    r"[\s(\[{*_`$\"]{0,8}(?:(?:option|choice|letter)\s{1,3})?[(\[*_`]{0,4}([A-J])(?:[)\]}*_`.:,$\"]{1,8}(?=\s|\Z)|\s*\Z|\s+(?:is\s(?!wrong|incorrect|false|not\b)|(?:because|since|as|\u2013|-)\s))",
    re.IGNORECASE,
)
_BRACKETED_CHOICE = re.compile(
    r"[(\[]([A-J])[)\]]|\*\*([A-J])\*\*|(?i:option|choice|letter)\s{1,3}([A-J])(?![\w'\u2019])"
    r"|(?i:option|choice|letter)\s{1,3}[(\[]([a-j])[)\]]"
    r"|(?:\b(?i:is|be|choose|chose|pick|select|go\s{1,3}with|answer|so|hence|thus|therefore),?|\b[Ii]t['\u2019]s)"
    r"\s{1,3}([A-J])[.!]?(?=[ \t]{0,3}(?:\n|\Z))"
)
# "J. K. Rowling" is not a choice.
_INITIALS = re.compile(r"\s*[A-J]\.\s?[A-Z]\.")
# Not A and I, which begin sentences.
_ANNOUNCED_CHOICE = re.compile(r"[*_`$\"(]{0,4}([B-HJ])(?=\s)")

_LATEX = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]{0,200})\}")

_LAST_NUMBER = re.compile(
    r"(?<![\w.])(?:(?<![)\]%])[-\u2212](?:[$\u20ac\u00a3\u00a5\u20b9](?=\d))?(?=[.\d]))?"
    r"(?:(?:\d{1,50}[ ])?(?<![\d/])\d{1,50}/\d{1,50}(?![\d/])|\d{0,50}[\u00bc-\u00be\u2150-\u215e]"
    r"|(?:\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?)"
    r"|(?<![\w.])[-\u2212]?\.\d+"
)


def extract_boxed(text: str) -> str | None:
    r"""Find the content of the last `\boxed{…}` that is not retracted; braces nest, escaped ones do not count."""
    open_boxes: list[tuple[int, int, int] | None] = []
    boxes: list[tuple[int, int, int]] = []
    pending = -1
    for match in _BOXED.finditer(text):
        mark = match.group()
        if mark == "{":
            open_boxes.append((pending, match.end(), 0) if pending >= 0 else None)
            pending = -1
        elif mark == "}":
            if open_boxes and (box := open_boxes.pop()) is not None:
                boxes.append((box[0], box[1], match.start()))
        elif mark.startswith(("\\b", "\\f")):
            pending = match.start()
    for start, inner, end in sorted(boxes, reverse=True):
        withdrawn = _WITHDRAWN_BEFORE.search(text[max(0, start - _LOOK_BEHIND) : start]) or _WITHDRAWN_AFTER.match(
            text, end + 1
        )
        if not withdrawn:
            answer = text[inner:end].strip()
            words = _WHOLE_TEXT.fullmatch(answer)
            return words.group(1).strip() if words else answer
    return None


def extract_answer_line(text: str) -> str | None:
    """Find the rest of the line after the last "Answer:", "The answer is" or "####", without markdown around it."""
    last = None
    for match in _ANSWER_MARK.finditer(text):
        last = match
    if last is None:
        return None
    rest = text[last.end() :].lstrip(_MARKDOWN + "\r\n")
    line = rest.partition("\n")[0].partition("</answer>")[0].strip()
    if _WHOLE_BOX.match(line):
        return extract_boxed(line)
    if closing := _CLOSING_PHRASE.search(line, max(0, len(line) - _LOOK_BEHIND)):
        line = line[: closing.start()]
    return line.rstrip(_MARKDOWN).removesuffix(".").strip(_MARKDOWN) or None


def extract_choice(text: str) -> str | None:
    r"""Find the choice letter, A to J, that is given as the answer.

    In `\boxed{…}`, after "the answer is", as the whole text or the beginning of its line ("B) Paris"), or in brackets;
    never the article "A" before a word, nor the "I" of a sentence.
    """
    boxed = extract_boxed(text)
    for part in (boxed, extract_answer_line(text)):
        if part is not None:
            answer = _NOT_BUT.sub("", _LATEX.sub(r"\1", part))
            if letter := _leading_choice(answer) or _announced_choice(answer):
                return letter
    if letter := _leading_choice(text.strip()):
        return letter
    last = None
    for match in _BRACKETED_CHOICE.finditer(text):
        last = match
    return next(filter(None, last.groups())).upper() if last else None


def _announced_choice(text: str) -> str | None:
    """Find the letter right after "the answer is", with more words after it."""
    match = _ANNOUNCED_CHOICE.match(text)
    return match.group(1) if match else None


def _leading_choice(text: str) -> str | None:
    """Find the letter that a text begins with as a choice."""
    match = _LEADING_CHOICE.match(text)
    if not match:
        return None
    letter = match.group(1)
    if _INITIALS.match(text) or (letter.islower() and len(text.strip('()[]{}*_`.:,$" \n')) > 1):
        return None
    return letter.upper()


def extract_last_number(text: str) -> str | None:
    """Find the last number, with its sign, separators and decimals; in "-$5" it is -5."""
    last = None
    for match in _LAST_NUMBER.finditer(text):
        last = match
    return _CURRENCY_SIGN.sub("", last.group(), count=1) if last else None


_BUILT_IN: dict[str, Callable[[str], str | None]] = {
    "boxed": extract_boxed,
    "answer_line": extract_answer_line,
    "choice": extract_choice,
    "last_number": extract_last_number,
}


def check_extract(name: str, value: Any) -> Extract:
    """Return a value of the option `extract`, or raise a `ValueError` that says what is possible."""
    if value is None or callable(value) or (isinstance(value, str) and value in EXTRACTORS):
        extract: Extract = value
        return extract
    if not isinstance(value, (str, re.Pattern)) or isinstance(getattr(value, "pattern", ""), bytes):
        raise ValueError(f"{name} must be {EXPECTED}, got {value!r} ({type(value).__name__})")
    try:
        groups = re.compile(value).groups
    except re.error as error:
        raise ValueError(f"{name} is not a valid regular expression: {error}, in {value!r}") from None
    if groups != 1:
        names = ", ".join(f'"{name}"' for name in EXTRACTORS)
        hint = did_you_mean(value, EXTRACTORS) if isinstance(value, str) else ""
        raise ValueError(
            f"{name} must be {names}, or a regular expression with exactly one group; {value!r} has {groups}{hint}"
        )
    return value


def signature_of(extract: Extract) -> str:
    """Return the text for an extraction in signatures; separators of fields in an expression are escaped."""
    if callable(extract):
        return qualified_name(extract)
    written = str(extract)
    if isinstance(extract, re.Pattern):
        flags = "".join(flag for flag in "aimsx" if extract.flags & re.RegexFlag[flag.upper()])
        written = f"(?{flags}){extract.pattern}" if flags else extract.pattern
    return (
        f"{written}-{EXTRACTION_VERSION}" if written in EXTRACTORS else written.replace("%", "%25").replace("|", "%7C")
    )


def extract_column(texts: list[str], extract: Extract) -> list[str | None]:
    """Find the answer in each text; None where there is none.

    Args:
        texts: What a model wrote.
        extract: One of `EXTRACTORS`, a regular expression with one group (the last match counts), or a function from
            text to the answer or None.

    Raises:
        ValueError: If a function raises, or returns something else.
    """
    if callable(extract):
        found: list[str | None] = []
        for index, text in enumerate(texts):
            try:
                answer = extract(text)
            except Exception as error:
                place = f"predictions[{index}], {shorten(text)}"
                raise ValueError(f"extract failed on {place}: {type(error).__name__}: {error}") from error
            if answer is not None and not isinstance(answer, str):
                raise ValueError(
                    f"extract must return a str or None, got {type(answer).__name__} for the text at index {index}"
                )
            found.append(answer)
        return found
    if isinstance(extract, str) and extract in _BUILT_IN:
        return list(map(_BUILT_IN[extract], texts))
    if extract is None:
        return list(texts)
    compiled = re.compile(extract)
    return [_last_group(compiled, text) for text in texts]


def _last_group(compiled: re.Pattern[str], text: str) -> str | None:
    last = None
    for match in compiled.finditer(text):
        last = match
    return last.group(1) if last else None


# ---- numbers by value

NUMBERS_VERSION = "v1"

# Longer ones are compared as text: arithmetic on them takes more than linear time.
_MOST_DIGITS = 200
_MOST_EXPONENT = 300

_SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\uff0d": "-", "\uff0b": "+", "\u00a0": " ", "\u202f": " "})
# LaTeX and Markdown around and inside a number: "**42**", "\\frac{1}{2}", "1{,}234", "50\\%", "\\$5".
_MARKS = "*`_ "
_LATEX_MARKS = re.compile(r"\\[,!;]|\\(?=[$%])|(?<=\d)\{(?=,)|(?<=,)\}(?=\d)|\\[()]")
_LATEX_FRACTION = re.compile(r"\\[dt]?frac\s?\{(\d{1,50})\}\s?\{(\d{1,50})\}")
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_CURRENCY = "[$€£¥₹]|US\\$|USD|EUR|GBP"
_NUMBER = re.compile(
    rf"""
    (?P<outer>[-+])?\s?(?:{_CURRENCY})?\s?
    (?P<sign>[-+])?
    (?:
      (?P<whole>\d{{1,3}}(?:[,\ ]\d{{3}})+|\d+)?(?P<decimals>\.\d*)?(?:[eE](?P<exponent>[-+]?\d{{1,4}}))?
      (?:\s?(?P<vulgar>[¼-¾⅐-⅞]))?
    | (?:(?P<integer>\d{{1,50}})\s)?(?P<numerator>\d{{1,50}})/(?P<denominator>\d{{1,50}})
    )
    (?:\s(?P<scale>thousand|million|billion|trillion))?
    \s?(?P<percent>%|per\s?cent|pct\.?)?
    \s?(?:{_CURRENCY}|dollars?|euros?)?\.?
    """,
    re.VERBOSE | re.IGNORECASE,
)


def number_value(text: str) -> tuple[Fraction, bool] | None:  # noqa: C901, PLR0911  # a branch for each kind
    r"""Read a text that is one number and nothing else.

    Args:
        text: An answer: "3.00", "1,000", "$1.5 million", "1e3", "½", "1 3/4", "50 percent", "**42**", "\frac{1}{2}".

    Returns:
        The exact value, and whether it is a percentage; None if the text is anything else, or has more than 200 digits.
    """
    if len(text) > 3 * _MOST_DIGITS:
        return None
    text = text.strip().strip(_MARKS).translate(_SIGNS)
    if "\\" in text or "{" in text:
        text = _LATEX_MARKS.sub("", _LATEX_FRACTION.sub(r"\1/\2", text)).strip()
    if not text or len(text) > 2 * _MOST_DIGITS:
        return None
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    parts = match.groupdict()
    if parts["outer"] and parts["sign"]:
        return None
    if parts["numerator"]:
        if not int(parts["denominator"]):
            return None
        value = int(parts["integer"] or 0) + Fraction(int(parts["numerator"]), int(parts["denominator"]))
    else:
        digits = (parts["whole"] or "").replace(",", "").replace(" ", "")
        decimals = (parts["decimals"] or "").lstrip(".")
        if not (digits or decimals or parts["vulgar"]) or len(digits) + len(decimals) > _MOST_DIGITS:
            return None
        exponent = int(parts["exponent"] or 0)
        if abs(exponent) > _MOST_EXPONENT or (parts["exponent"] and not digits + decimals):
            return None
        value = Fraction(Decimal(f"{_ascii(digits) or 0}.{_ascii(decimals) or 0}E{exponent}"))
        if parts["vulgar"]:
            value += Fraction(unicodedata.numeric(parts["vulgar"])).limit_denominator(10)
    value *= _SCALES.get((parts["scale"] or "").lower(), 1)
    negative = "-" in {parts["outer"], parts["sign"]}
    return (-value if negative else value), bool(parts["percent"])


def _ascii(digits: str) -> str:
    """Write the digits of any script as ASCII."""
    return digits if digits.isascii() else "".join(str(unicodedata.decimal(digit)) for digit in digits)


def same_number(prediction: str, reference: str, *, tolerance: float = 0.0) -> bool | None:
    """Return whether two texts are the same number.

    Args:
        prediction: The answer to judge.
        reference: The right answer.
        tolerance: Maximum difference, relative to the reference: 0.01 is one percent.

    Returns:
        Whether they are; None if one of them is not a single number. A percentage equals percentages only.
    """
    wanted = number_value(reference)
    given = number_value(prediction) if wanted is not None else None
    if wanted is None or given is None:
        return None
    if wanted[1] != given[1]:
        return False
    # The decimal that was written, 0.1, not the binary fraction that is nearest to it.
    accepted = Fraction(repr(tolerance)) * abs(wanted[0])
    return abs(given[0] - wanted[0]) <= accepted
