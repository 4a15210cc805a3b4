r"""Which option of a multiple-choice question an answer chooses: by its letter or by its text."""

import re
import string
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from answer_metrics.columns.inputs import StringLists
from answer_metrics.core.patterns import compile_later
from answer_metrics.matching.answer_lines import (
    ANSWER_MARK,
    TEXT_COMMAND,
    extract_answer_line,
    extract_boxed,
)
from answer_metrics.matching.numbers import read_numbers, single_number
from answer_metrics.matching.stance import says_yes
from answer_metrics.text.normalization import NO_SPACE_SCRIPTS, normalize

# Letters are read where they stand as an answer: not the article in "A dog", not the "I" of a sentence.

_OPEN, _CLOSE = r"[(\[（【*_`$\"“]", r"[)\]）】*_`$\"”]"
_NAMES = (
    "options?|choices?|letters?|answers?|Antwort|opci[oó]n|opção|opzione|réponse|选项|選項|選択肢|选择|選擇|选|選|答案|вариант|ответ"
    "|ist|est|es|é|è|lettera|letra|lettre|Buchstabe"
)
_AND = "and|und|et|y|e|и|plus|as well as"
_OR = "or|oder|ou|o|или|and/or"
# A letter before one of these is a variable, or begins a range: "E = mc^2", "A-D".
_NO_VARIABLE = (
    r"(?!\s?[-\u2013]\s?[A-Z](?!\w)|\sthrough\s|\s{0,2}(?:[=>≤≥≈∝^]|<(?=[\s\d=])|_(?=[\w{])|\+(?!\s{0,2}[A-Z](?!\w))"
    r"|\\(?:approx|leq?|geq?|lt|gt|neq?|propto|sim|equiv|in|ll|gg|cdot|times|to)(?![a-zA-Z])))"
)
# What joins a letter to the next: ", B", " and (B)", "/B", "和B".
_NEXT_LETTER = (
    rf"{_CLOSE}{{0,4}}\s{{0,2}}(?:,?\s?(?i:{_AND}|{_OR})\s(?:(?:maybe|perhaps|possibly)\s)?|(?<=[)\]])(?=[(\[])|[,;/&+、和或及与與와과と])\s{{0,2}}(?:(?i:option|choice)\s)?"
    rf"{_OPEN}{{0,4}}[A-Z](?![\w'’])"
)
_JOINED_LETTERS = compile_later(
    rf"(?>{_NEXT_LETTER}){{1,25}}(?:{_CLOSE}|[.,;:。।]|\s*\Z|\s*\n|(?=\s(?i:are|both)\s(?:both\s)?(?:correct|right|true)\b))"
)
_ALTERNATIVE = re.compile(rf"(?i:\b(?:{_OR})\b)|或")
_CONCATENATED = re.compile(rf"[\s{{]*{_OPEN}{{0,4}}([A-Z]{{2,26}})(?=[)\]}}*_`.:,;$）】。\s]|\Z)")
_CAPITAL = re.compile(r"(?<![A-Za-z0-9])[A-Z](?![A-Za-z])")
_NAMED_CHOICE = compile_later(
    rf"(?<![^\W_])(?i:{_NAMES})(?:\\?_|\s|[:：]|\b(?:is|are)\b|是|为|[*_`]){{0,6}}{_OPEN}{{0,3}}([A-Z])"
    rf"(?![A-Za-z'’]|\s(?!(?:{_AND}|{_OR})\s)[a-z]){_NO_VARIABLE}"
    rf"|(?i:option|choice|letter)(?:[\\_\s]{{1,3}}[(\[]?([A-Z])(?![A-Za-z'’]){_NO_VARIABLE}|\s{{1,3}}[(\[]([a-z])[)\]]"
    r"|\s{1,3}([a-z])(?=[.,;:!)]|\s*(?:\n|\Z)|\s(?:is|was|because|since|as|fits)\s))"
    r"|\b(?i:is|be|choose|chose|pick|select|go\s{1,3}with|leaves|leaving|so|hence|thus|therefore|it['’]s),?\s{1,3}"
    r"[(\[*_]{0,3}([A-Z])(?:[)\]*_]{1,3}|[.!]?(?=[ \t]{0,3}(?:\n|\Z)))"
    r"|\b(?i:choose|chose|pick|select|go\s{1,3}with|going\s{1,3}with)\s{1,3}"
    r"(?:([A-Z])(?=[.,;:!]|\s(?:[-\u2013\u2014]|because|since|as|over|for)\s)|([a-z])(?=[.,;:!]|\s*(?:\n|\Z)|\s(?:because|since)\s))"
    r"|\b(?:(?i:one|it)\s(?:is|was|must\sbe|should\sbe)|(?i:it)['’]s)\s{1,3}([a-z])(?=[.!]?\s*(?:\n|\Z))"
    r"|(?<![\w'’/])([B-HJ-Z])\sis\s(?:the\s)?(?:correct|right)\b|[(\[]([A-Z])[)\]][^.;\n]{0,60}?\sis\s(?:the\s)?(?:correct|right)\b"
    r"|(?:故|因此|所以|应|應|正确(?:的)?是|正確(?:的)?是)(?:答案)?(?:为|為|是)?(?:选择|選擇|选|選)?(?:选项|選項)?[:：]?\s{0,2}"
    rf"{_OPEN}{{0,3}}([A-Z])(?![A-Za-z])"
)
_BRACKETED_CHOICE = re.compile(r"[(\[（]([A-Z])[)\]）](?![\w=])|\*\*([A-Z])[.)]?\*\*")
_LOWER_CHOICE = compile_later(
    r"\A\W{0,4}[(\[]([a-z])[)\]]|\A\s{0,3}([a-z])[).]?\s{0,3}\Z|\A\s{0,3}([a-z])\)\s|\A\s{0,3}([a-z])[.:]\s{1,3}(?![a-z]\.)\S"
)
_LONE_CHOICE = re.compile(r"^[\s(\[*_`\"【]{0,6}([A-Z])[)\]*_`.:\"】]{0,6}\s*$", re.MULTILINE)
_LEADING_CHOICE = compile_later(
    r"[\s(\[{*_`$\"「（【]{0,8}(?:(?i:both|options?|choices?|letters?)[\s_\\]{1,3})?[(\[*_`]{0,4}([A-Z])"
    r"(?:[)\]}*_`.:,;$\"」）】、。।/]{1,8}(?=\s|\Z|[^\W\d_])|\s*\Z"
    r"|\s+(?i:is\s(?!wrong|incorrect|false|not\b)|because\s|since\s|as\s|[-\u2013]\s|<)"
    rf"|(?={_JOINED_LETTERS.pattern}))"
)
# "J. K. Rowling" is not a choice.
_INITIALS = re.compile(r"\s*[A-Z]\.\s?[A-Z]\.")
# Not A and I, which begin sentences.
_ANNOUNCED_CHOICE = compile_later(
    r"(?:(?:therefore|thus|clearly|most likely|likely|probably|actually|indeed),?\s)?"
    rf"[*_`$\"(]{{0,4}}([B-HJ-Z])(?=\s){_NO_VARIABLE}"
)
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|never|neither|nor|except|excluding|rather than|instead of|eliminates?|exclude|reject|rules? out"
    r"|ruled out)|n['’]t)"
    r"\s(?:be\s|the\s|an?\s|simply\s|just\s|necessarily\s){0,3}(?:(?:option|choice|answer|letter)\s)?[(\[*_`\"'“]{0,3}\Z",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"[)\]}*_`.:\"'”]{0,4}\s(?:(?:is|are|was|would\sbe|seems|can\sbe|must\sbe)\s"
    r"(?:also\s|clearly\s|definitely\s|simply\s){0,2}(?:not\b(?!\sonly)|wrong|incorrect|false|ruled\sout|eliminated|excluded|impossible)"
    r"|is\sthe\s(?:worst|least|wrong|incorrect)\b|(?:isn|wasn|aren|can|doesn)['’]t\b|cannot\sbe\b)"
    r"|[)\]}*_`]{0,4}\s?[:\-\u2013\u2014]\s?(?:wrong|incorrect)\b"
    r"|[)\].:](?!\s{0,2}[(\[]?[A-Z](?!\w))[^.;:\n]{1,60}?\s(?:is|are)\s(?:wrong|incorrect|ruled\sout|eliminated)\b",
    re.IGNORECASE,
)
_LONGEST_DENIAL = 60
# A change of mind after an answer line: "Actually, on reflection, it should be B."
_CORRECTION = re.compile(
    r"(?:^|[.!?]\s{1,3})(?:actually|wait|correction|no|on\s(?:second\sthought|reflection)|i\smade\sa\smistake)\b[^\n.!?]{0,200}",
    re.IGNORECASE | re.MULTILINE,
)
# "B? No, A.", "Correction: (A)"
_CORRECTED_TO = re.compile(
    r"\W*(?i:actually|wait|correction|no)[,:.\s]{1,3}[(\[*_]{0,3}([A-HJ-Z])(?=[)\].,;:*_]|\s*\Z)"
)
_NONE_OF_THEM = re.compile(
    r"\bnone\s(?:of\s)?(?:the\s|these\s|those\s)?(?:above|choices|options|answers|given|provided|listed|them)\b|以上(?:都|皆)(?:不|非)",
    re.IGNORECASE,
)
_BEFORE_LETTER = re.compile(
    r"\A(?:not\s{1,3}\S{1,12}\s{1,3}but\s{1,3})?"
    r"(?:[*_\s]{0,4}(?:the|la|el|a|o|le|il|die|der|de|het|both)\s(?=[*_(]{0,3}(?-i:[A-Z])(?![\w'’])))?",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(r"(?<![^\s*])(?=(?:therefore|thus|hence|so|in conclusion|overall)\b)", re.IGNORECASE)
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
NO_SPACES = compile_later(f"[{NO_SPACE_SCRIPTS}]")
_OPTION_LETTERS = string.ascii_uppercase
_FIRST_LETTERS = 10  # of options whose number is not known
_SEVERAL = "?"
"""Stands for alternatives ("A or B"), or several options in place of one; no answer."""


def extract_choice(
    text: str, choices: Sequence[str] | None = None, question: str | None = None, *, as_set: bool = False
) -> str | None:
    r"""Find the letter of the option that a text chooses; None if there is none, or several.

    Without the texts of the options, it is A to J, or any letter that is announced. With them, the answer may also
    contain the option's text. The question is for options that are yes and no. With `as_set`, the letters of several
    chosen options are returned together, in order: "AC".

    >>> extract_choice("A is wrong, so the answer is (C).")
    'C'
    >>> extract_choice("It is Lyon.", ["Paris", "Lyon"])
    'B'
    >>> extract_choice("A and C", as_set=True)
    'AC'
    """
    options = [] if choices is None or _is_labels(choices) else choices
    text = _without_copy(text, choices)

    def begins_with(answer: str) -> str | None:
        return _same_text(answer, options) or (_concatenated(answer) if as_set else None) or _leading(answer)

    for part in (_corrected(text), extract_boxed(text), extract_answer_line(text)):
        if part is not None:
            answer = _BEFORE_LETTER.sub("", TEXT_COMMAND.sub(r"\1", part))
            letters = begins_with(answer) or _letters_at(_ANNOUNCED_CHOICE.match(answer), answer)
            letters = letters or _text_in(answer, options, question)
            if letters or _NONE_OF_THEM.search(answer):
                return _among(letters, len(choices) if choices else 26, as_set=as_set)
    answer = TEXT_COMMAND.sub(r"\1", text.strip())
    if answer.startswith("A:") and begins_with(rest := answer[2:].strip()):  # an answer, not the letter: "A: No"
        answer = rest
    last_line = answer.rpartition("\n")[2]

    def heading() -> str | None:  # "**D. Observation**": in bold, or with the text of its option
        letter = _leading(last_line)
        is_bold = not options and last_line.startswith("**") and last_line.rstrip(" .").endswith("**")
        return letter if letter and (is_bold or letter == _text_in(last_line, options)) else None

    readers: tuple[Callable[[], str | None], ...] = (
        lambda: begins_with(answer),
        heading,
        lambda: _last(_LONE_CHOICE, text),
        lambda: _last(_NAMED_CHOICE, text),
        lambda: _text_in(answer, options, question),
        lambda: None if _NONE_OF_THEM.search(last_line) else _last(_BRACKETED_CHOICE, text),
    )
    number = len(choices) if choices else _FIRST_LETTERS
    candidates = (reader() for reader in readers)
    letters = next((letters for letters in candidates if letters == _SEVERAL or _among(letters, number)), None)
    return _among(letters, 26, as_set=as_set)


def _among(letters: str | None, number: int, *, as_set: bool = True) -> str | None:
    """Return letters of the first options: one, or with `as_set` any number; None for anything else."""
    is_set = letters and set(letters) <= set(_OPTION_LETTERS[:number]) and (as_set or len(letters) == 1)
    return letters if is_set else None


class Choices(StringLists):
    """The options of a multiple-choice question, for each example: 1 to 26 texts."""

    def check(self, name: str, column: list[Any]) -> list[list[str]]:
        """Return the column as lists of plain strings, or raise a `ValueError`."""
        checked = super().check(name, column)
        for index, options in enumerate(checked):
            if not 0 < len(options) <= len(_OPTION_LETTERS):
                raise ValueError(f"{name}[{index}] has {len(options)} options, not 1 to {len(_OPTION_LETTERS)}: A to Z")
        return checked


def _is_labels(choices: Sequence[str]) -> bool:
    """Return whether options are the letters themselves, perhaps in another order; then a letter is a label."""
    return sorted(choices) == list(_OPTION_LETTERS[: len(choices)])


def letters_of(reference: str, choices: Sequence[str]) -> list[str]:
    """Return the letters that a reference stands for, of an option or a set of options ("AC"), or the reference itself.

    An option's text goes before a letter; where it is both, both count.
    """
    options, number = [] if _is_labels(choices) else choices, len(choices)
    text = reference.strip()
    letters = (
        (_OPTION_LETTERS[options.index(text)] if text in options else None)
        or _same_text(text, options)
        or _among(as_set(reference, choices) or _leading(reference), number)
        or _text_in(reference, options)
        or reference
    )
    is_both = len(text) == 1 and text.upper() != letters and _among(text.upper(), number)
    return [letters, text.upper()] if is_both else [letters]


def as_set(reference: str, choices: Sequence[str] | None = None) -> str | None:
    """Return the letters of a reference that is a set of options, or one letter; without options, A to J."""
    listed = [letter for letter in _BETWEEN_LETTERS.split(reference.upper()) if letter]  # "A, C", "(A) and (C)"
    is_list = len(listed) > 1 and all(len(letter) == 1 for letter in listed)
    letters = _concatenated(reference) or ("".join(sorted({*listed})) if is_list else None)
    return _among(letters, len(choices) if choices else _FIRST_LETTERS)


_BETWEEN_LETTERS = re.compile(r"[\s()\[\],;/&+、.]+(?:AND[\s(]+)?")


def _concatenated(text: str) -> str | None:
    """Return the letters that a text begins with, written together: "ACD"."""
    match = _CONCATENATED.match(text)
    return "".join(sorted(match[1])) if match and len(set(match[1])) == len(match[1]) else None


def _corrected(text: str) -> str | None:
    """Return the sentence in which a text changes its mind, if it announces nothing after it."""
    corrections = list(_CORRECTION.finditer(text))
    start = corrections[-1].start() if corrections else len(text)
    is_last = "boxed" not in text[start:] and not ANSWER_MARK.search(text, start)
    if not corrections or not is_last:
        return None
    correction = corrections[-1].group()
    return _last(_NAMED_CHOICE, correction) or _letters_at(_CORRECTED_TO.match(correction), correction)


def _without_copy(text: str, choices: Sequence[str] | None) -> str:
    """Remove a list of all options, with their letters or others ("(C) Yes (D) No"), which chooses none of them."""
    lower = text.lower()
    if choices is None or len(choices) < 2 or not all(choice.strip().lower() in lower for choice in choices):
        return text
    options = (rf"(?<!\w)[(\[*_]{{0,3}}[A-Z][)\].:*_]{{1,4}}\s*{re.escape(choice.strip())}" for choice in choices)
    return re.sub(r"[\s\S]{0,5}?".join(options), "", text, count=1, flags=re.IGNORECASE)


def _last(pattern: re.Pattern[str], text: str) -> str | None:
    """Return the letters that a pattern finds last and that are not denied, with those that they are joined to."""
    matches = [match for match in pattern.finditer(text) if not _is_denied(match, text)][-_MOST_LETTERS:]
    if not matches:
        return None
    last = matches[-1]
    for match in matches[:-1]:
        joined = _JOINED_LETTERS.match(text, match.end(match.lastindex or 0))
        if joined and joined.end() >= last.end(last.lastindex or 0):
            return _letters_at(match, text)
    return _letters_at(last, text)


_MOST_LETTERS = 8  # of which the last is joined to an earlier one


def _is_denied(match: re.Match[str], text: str) -> bool:
    """Return whether a text denies the letter of a match: "not (B)", "B is wrong"."""
    start, end = match.span(match.lastindex or 0)
    before = text[max(0, start - _LONGEST_DENIAL) : start]
    return bool(_DENIED_BEFORE.search(before) or _DENIED_AFTER.match(text, end))


def _leading(text: str) -> str | None:
    lower = _letters_at(_LOWER_CHOICE.match(text), text)
    return lower or (None if _INITIALS.match(text) else _letters_at(_LEADING_CHOICE.match(text), text))


def _letters_at(match: re.Match[str] | None, text: str) -> str | None:
    """Return the letter of a match with those that are joined to it, in order; `_SEVERAL` for alternatives."""
    if match is None or _is_denied(match, text):
        return None
    place = match.lastindex or 0
    joined = _JOINED_LETTERS.match(text, match.end(place))
    if joined is None:
        return str(match[place]).upper()
    is_choice = _ALTERNATIVE.search(joined.group())
    return _SEVERAL if is_choice else "".join(sorted({match[place].upper(), *_CAPITAL.findall(joined.group())}))


def _keys(text: str, choices: Sequence[str]) -> tuple[str, list[str]]:
    """Return a text and options as phrases to compare; as written if normalized options would be the same."""
    keys = [*map(_phrase, choices)]
    if len(set(keys)) < len(keys) or "  " in keys:
        text, *keys = (f" {' '.join(each.split())} " for each in (text, *choices))
        return text, keys
    return _phrase(text), keys


@lru_cache(maxsize=20_000)  # options repeat
def _phrase(text: str) -> str:
    return f" {normalize(_HYPHEN.sub(' ', text))} "


def _same_text(answer: str, choices: Sequence[str]) -> str | None:
    """Return the letter of the option that an answer is, word for word; single letters are labels."""
    if len(answer.strip()) < 2:
        return None
    key, keys = _keys(answer, choices)
    return _OPTION_LETTERS[keys.index(key)] if key in keys else None


def _text_in(answer: str, choices: Sequence[str], question: str | None = None) -> str | None:
    """Return the letter of the one option whose text an answer has; of several, the one that its conclusion has."""
    words = [choice.strip().lower() for choice in choices]
    for yes, no in (("yes", "no"), ("true", "false")):
        if sorted(words) == sorted((yes, no)):
            verdict = says_yes(answer, question)
            return None if verdict is None else _OPTION_LETTERS[words.index(yes if verdict else no)]
    letters = _texts_in(answer, choices)
    for part in (_CONCLUSION.split(answer)[-1], answer.partition(" than ")[0]):  # "the sun is larger than the moon"
        letters = (_texts_in(part, choices) if len(letters) > 1 else letters) or letters
    return _SEVERAL if len(letters) > 1 else letters[0] if letters else None


# "It isn't gold": an option that is denied is not chosen.
_DENIED_TEXT = re.compile(
    r"(?:\b(?:is|are|was|were|be)\s(?:definitely\s|certainly\s|clearly\s)?not|\b(?:is|are|was|were)n['’]t|\b(?:can)?not\sbe"
    r"|\bcan['’]t\sbe|\brather\sthan|\binstead\sof|(?:\A\W{0,3}|,\s(?:and\s)?)not|\brul(?:e|es|ed|ing)\sout)"
    r"\s[^.,;:!?\n]{1,60}?(?=[.,;:!?\n]|\s(?:but|and|so|because)\s|\Z)"
    r"|[^.,;:!?\n]{1,60}\s(?:is|are)(?:\s(?:wrong|incorrect)|(?:\snot|n['’]t)\s(?:the\s)?(?:answer|right|correct))\b",
    re.IGNORECASE,
)


_LONGEST_SEARCHED = 100_000  # characters at the end of an answer


def _texts_in(answer: str, choices: Sequence[str]) -> list[str]:
    """Return the letters of the options whose texts an answer has, longer ones first; numbers are compared by value."""
    answer = answer[-_LONGEST_SEARCHED:]
    if not any(map(_DENIED_TEXT.search, choices)):  # "Not enough information" is an option
        answer = _DENIED_TEXT.sub(" ", answer)
    rest, keys = _keys(answer, choices)
    letters = []
    for place in sorted(range(len(keys)), key=lambda place: -len(keys[place])):
        key = keys[place].strip() if NO_SPACES.search(keys[place]) else keys[place]
        if key.strip() and key in rest:
            letters.append(_OPTION_LETTERS[place])
            rest = rest.replace(key, " | ")
    options = [] if letters else [number for number in map(single_number, choices) if number]
    if len(options) == len(choices):
        values = {number.value for number in read_numbers(answer)}
        return [letter for letter, option in zip(_OPTION_LETTERS, options, strict=False) if option.value in values]
    return sorted(letters)


def as_letters(references: list[Any], choices: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the references of each row as letters of its options."""
    rows = zip(([texts] if isinstance(texts, str) else texts for texts in references), choices, strict=True)
    return [[letters for text in texts for letters in letters_of(text, options)] for texts, options in rows]


def count_unknown(references: list[list[str]], choices: Sequence[Sequence[str]]) -> int:
    """Count the rows of which no reference, as `as_letters` returns them, is an option."""
    rows = zip(references, choices, strict=True)
    return sum(not any(_among(text, len(options)) for text in texts) for texts, options in rows)
