r"""Find the answer in a longer text: `\boxed{…}`, "The answer is …", a choice letter, the last number.

Every rule takes time linear in the length of the text.
"""

import re
from collections.abc import Callable
from typing import Any

from ._options import OptionKind
from ._options import did_you_mean
from ._options import qualified_name

EXTRACTION_VERSION = "v1"
EXTRACTORS = ("boxed", "answer_line", "choice", "last_number")

Extract = str | re.Pattern[str] | Callable[[str], str | None] | None

_CURRENCY = re.compile("[$\u20ac\u00a3\u00a5\u20b9]")

_BOXED = re.compile(r"\\(?:f?boxed|fbox)\s*(?=\{)|[{}]|\\[\\{}]")
_WHOLE_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_WHOLE_BOX = re.compile(r"[$\\(\[\s]{0,6}\\boxed\s*\{.*\}[$\\)\].\s]{0,6}\Z", re.DOTALL)
# What withdraws an answer, directly before it: "not \boxed{3}", "instead of \boxed{3}".
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
# "J. K. Rowling" is no choice.
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
    r"""Find the content of the last `\boxed{…}` that is not withdrawn; braces nest, escaped ones do not count."""
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
    return _CURRENCY.sub("", last.group(), count=1) if last else None


_BUILT_IN: dict[str, Callable[[str], str | None]] = {
    "boxed": extract_boxed,
    "answer_line": extract_answer_line,
    "choice": extract_choice,
    "last_number": extract_last_number,
}


class ExtractOption(OptionKind):
    """One of a few names, a regular expression with one group, a callable, or None."""

    type_label = "str or callable"

    def __init__(self, *choices: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices = choices

    def check(self, name: str, value: Any) -> Extract:
        """Return the value, or raise a `ValueError` that says what is possible."""
        if value is None or callable(value) or (isinstance(value, str) and value in self.choices):
            extract: Extract = value
            return extract
        expected = ", ".join(f'"{choice}"' for choice in self.choices)
        if not isinstance(value, (str, re.Pattern)):
            raise ValueError(
                f"{name} must be {expected}, a regular expression with one group, a callable or None, got {value!r} "
                f"({type(value).__name__})"
            )
        try:
            groups = re.compile(value).groups
        except re.error as error:
            raise ValueError(f"{name} is not a valid regular expression: {error}, in {value!r}") from None
        if groups != 1:
            hint = did_you_mean(value, self.choices) if isinstance(value, str) else ""
            raise ValueError(
                f"{name} must be {expected}, or a regular expression with exactly one group; {value!r} has "
                f"{groups}{hint}"
            )
        return value


def signature_of(extract: Extract) -> str:
    """Return the text for an extraction in signatures; separators of fields in an expression are escaped."""
    if callable(extract):
        return qualified_name(extract)
    written = extract.pattern if isinstance(extract, re.Pattern) else str(extract)
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
        ValueError: If a function returns something else.
    """
    if callable(extract):
        found: list[str | None] = []
        for index, text in enumerate(texts):
            answer = extract(text)
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
