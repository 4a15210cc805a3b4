r"""Where the answer stands in what a model wrote: in a box, on an answer line, among choices, as the last number.

A step takes a text and its row, and returns the answer or None; `extract_column` takes the first step that finds
something. Every step takes time linear in the length of the text.
"""

import json
import re
import string
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache, partial
from itertools import repeat
from typing import Any, Literal, NamedTuple

from answer_metrics.columns.inputs import StringLists
from answer_metrics.columns.tables import to_list
from answer_metrics.core.options import call, did_you_mean
from answer_metrics.matching.mathematics import is_formula, spell
from answer_metrics.matching.numbers import last_number, read_numbers, single_number
from answer_metrics.matching.stance import compiled, says_yes, sign_rule
from answer_metrics.text.normalization import NO_SPACE_SCRIPTS, normalize

EXTRACTION_VERSION = "v2"


# ---- boxes

_BOXED = re.compile(r"\\(?:f?boxed|fbox)\s*(?=\{)|[{}]|\\[\\{}]")
_OPEN_BOX = re.compile(r"\\(?:f?boxed|fbox)\s+(-?\w+)")  # \boxed 7
_TEXT_COMMAND = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_WHOLE_BOX = re.compile(r"[$\\(\[\s]{0,6}\\boxed\s*\{.*\}[$\\)\].\s]{0,6}\Z", re.DOTALL)
# What retracts the answer right after it: "not \boxed{3}", "instead of \boxed{3}".
_WITHDRAWN_BEFORE = re.compile(r"(?:\bnot|n't|\binstead of|\brather than)\s*(?:the\s+)?[$*(\s]{0,8}\Z", re.IGNORECASE)
_WITHDRAWN_AFTER = re.compile(
    r"[$*)\s]{0,8}(?:is|was|would be|seems)\s+(?:wrong|incorrect|false|not\s+(?:right|correct))", re.IGNORECASE
)
_LOOK_BEHIND_LETTER = 40
_ANY_COMMAND = re.compile(r"\\text\w*\s*\{[^{}]{0,30}\}|\\[a-zA-Z]+|\\.")
_BOX_WORD = re.compile(r"[^\W\d_]{2,}")
_BOX_END = re.compile(r"[.!?:]|\n\s*\n")


def extract_boxed(text: str) -> str | None:
    r"""Find the content of the last `\boxed{…}` that is not retracted, or of several in a row: "1, 2".

    >>> extract_boxed(r"So it is \boxed{\frac{1}{2}}.")
    '\\frac{1}{2}'
    """
    if "box" not in text:
        return None
    found: list[str] = []
    first = len(text)
    for start, inner, end in sorted(_boxes(text), reverse=True):
        if found and (end > first or not _is_joined(text[end + 1 : first])):
            break
        before = text[max(0, start - _LOOK_BEHIND_LETTER) : start]
        if not (_WITHDRAWN_BEFORE.search(before) or _WITHDRAWN_AFTER.match(text, end + 1)):
            found.append(text[inner:end].strip())
            first = start
    if len(found) == 1 and (words := _TEXT_COMMAND.fullmatch(found[0])):
        return words.group(1).strip()
    return ", ".join(reversed(found)) if found else None


def _is_joined(between: str) -> bool:
    """Return whether the text between two boxes only joins them: a comma, "and", perhaps with a word or a name."""
    if len(between) > _LOOK_BEHIND_LETTER + 20:
        return False
    words = [word for word in _BOX_WORD.findall(_ANY_COMMAND.sub(" ", between)) if word not in {"and", "or"}]
    return len(words) <= 1 and not _BOX_END.search(between)


def _boxes(text: str) -> list[tuple[int, int, int]]:
    """Return where each box starts, and where its content starts and ends."""
    boxes = [(match.start(), match.start(1), match.end()) for match in _OPEN_BOX.finditer(text)]
    open_braces: list[tuple[int, int] | None] = []
    box = -1
    for match in _BOXED.finditer(text):
        mark = match.group()
        if mark == "{":
            open_braces.append((box, match.end()) if box >= 0 else None)
            box = -1
        elif mark == "}":
            if open_braces and (opened := open_braces.pop()) is not None:
                boxes.append((*opened, match.start()))
        elif mark.startswith(("\\b", "\\f")):
            box = match.start()
    return boxes


# ---- answer lines

_MARKDOWN = '*_`~ \t"'
# Also marks of headings and quotations, but only before an answer: "C#" and "Vec<T>" end in them.
_BEFORE_LINE = _MARKDOWN + "#>\r\n"
_NAMES_OF_ANSWERS = (
    "Antwort|Réponse|Respuesta|Risposta|Resposta|Ответ|الإجابة|الجواب|उत्तर|คำตอบ|Đáp án|Cevap|Jawaban|Antwoord|"
    "Odpowiedź|Odpověď|Svar|Vastaus|Απάντηση|תשובה|Erantzuna|정답|답"
)
_NAMES_WITHOUT_SPACES = "答案|答え|回答|解答|正解"  # words may stand right before them
# "This answer is correct." talks about an answer.
_ANSWER_WORD = (
    r"(?<!this )(?<!that )(?<!your )(?<!their )(?<!his )(?<!her )(?<!an )(?<!no )"
    r"(?:(?:the\s{1,3}|my\s{1,3}|so\s{1,3})?(?:final\s{1,3}|correct\s{1,3})?answer)"
)
# "The answer (Yes or No) is", "the answer to the question is".
_PARENTHESIS = (
    r"(?:\s{0,3}\([^()\n]{0,60}\)|\s(?:to|for)\s(?:the|this|that)\s[^\s.:]{1,30}(?:\s[a-z\d]{1,12}){0,2}(?=\sis\s|:))?"
)
_ANSWER_MARK = re.compile(
    rf"####(?!\s{{0,3}}{_ANSWER_WORD})|<answer>|(?<![^\W_]){_ANSWER_WORD}{_PARENTHESIS}"
    r"(?:[*_`~ \t]{0,6}[:\uff1a][*_`~]{0,4}|[ \t]{1,3}[-\u2013\u2014](?=[ \t])"
    r"|[*_`~]{0,4}\s{1,3}(?:is|(?:would|should|must)\s{1,3}be)[*_`~]{0,4}(?![^\W_])\s{0,3}:?)"
    rf"|(?:(?<![^\W\d_])(?:{_NAMES_OF_ANSWERS})|{_NAMES_WITHOUT_SPACES})[*_`~ \t】]{{0,4}}"
    r"(?:[:\uff1a\u2014]|(?:应|應)?[是为為은는は](?!不)|(?:\s(?:final|correc?t[aeo]?|corretta|richtige|الصحيحة))?\s(?:هي|ist|es|est|é|è)\s)[*_`~]{0,4}"
    rf"|[【\[](?:{_NAMES_OF_ANSWERS}|{_NAMES_WITHOUT_SPACES})[】\]]\s{{0,3}}[:\uff1a]?"
    r"|[\"'](?:final[ _]?)?answer[\"']\s?:"
    # A heading: "## Final Answer", "**Answer**".
    rf"|^[ \t]{{0,3}}(?:#{{1,6}}[ \t]{{0,3}}|[*_]{{2}}){_ANSWER_WORD}[*_]{{0,3}}[ \t]{{0,3}}(?=[\r\n])",
    re.IGNORECASE | re.MULTILINE,
)
# Every mark has one of these; looking for them takes a fraction of the time.
_SIGNALS = ("answer", "####", *f"{_NAMES_OF_ANSWERS}|{_NAMES_WITHOUT_SPACES}".lower().split("|"))
_VERDICT = re.compile(r"\s*(?:indeed\s)?(?:in)?correct\b|\s*(?:right|wrong|verified|confirmed)\b", re.IGNORECASE)
_JSON_VALUE = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\[[^\[\]{}]*\]|[^,}\n]*)")
_DISPLAY = re.compile(r"\s*(?:\$\$(.+?)\$\$|\\\[(.+?)\\\])", re.DOTALL)
_BRACKETED_LIST = re.compile(r"\[([^\[\]]*)\]")
_LIST_ITEM = re.compile(r"\s*(?:\"([^\"]*)\"|'((?:[^']|'(?=\w))*)')\s*(?:,|\Z)")
_LIST_ITEMS = re.compile(f"(?:{_LIST_ITEM.pattern})+")
_BULLETS = re.compile(r"(?:[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+[^\n]+(?:\n|\Z)){2,}")
_BULLET = re.compile(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+", re.MULTILINE)
_ANSWER_END = re.compile("</answer>", re.IGNORECASE)
# The end marks of models: "<eoa>", "</s>", "<|im_end|>".
_END_MARK = re.compile(r"\s*(?:<(?:eo[a-z]|/?s|end_of_turn|/answer|\|[^|<>]{1,20}\|)>\s*)+\Z", re.IGNORECASE)
_CLOSING_PHRASE = re.compile(
    r"[.!]?\s{0,3}I hope (?:it|this) is correct\.?\s*\Z|(?:です|입니다|である)[.。]?\s*\Z", re.IGNORECASE
)


def extract_answer_line(text: str) -> str | None:
    r"""Find the rest of the line after the last "Answer:", "The answer is" or "####", without markdown around it.

    Also what follows on the next lines, the value of "answer" in JSON, and the items of a written list.

    >>> extract_answer_line("It is big.\n**Answer:** Paris")
    'Paris'
    """
    lower = text.lower()
    marks = [match.span() for match in _ANSWER_MARK.finditer(text)] if any(map(lower.count, _SIGNALS)) else []
    if not marks:
        return None
    # "The answer is correct." judges an answer that stands before.
    start, end = next((mark for mark in reversed(marks) if not _VERDICT.match(text, mark[1])), marks[-1])
    if text[start] in "\"'":
        value = _JSON_VALUE.match(text, end)
        return _json_text(value[1]) if value else None
    rest = text[end:]
    if text[:start].endswith("{"):  # "\\text{Answer: } 5"
        rest = rest.replace("}", "", 1)
    rest = _ANSWER_END.split(rest, maxsplit=1)[0]
    if text[start:end].lower() == "<answer>":
        rest = rest.strip()
        return _tidy(rest if "\n" in rest else _first_line(rest))
    return _tidy(_first_line(rest))


def _first_line(rest: str) -> str:
    """Return the rest of a line or, if it is empty, what follows: a line, a list or a formula."""
    if found := _DISPLAY.match(rest):
        return str(next(filter(None, found.groups()))).strip()
    line = rest.partition("\n")[0].lstrip(_MARKDOWN)
    if line.strip():
        return line.strip()
    if bullets := _BULLETS.match(rest.lstrip("\r\n ")):
        return ", ".join(_BULLET.sub("", bullets.group()).strip().splitlines())
    return rest.lstrip(_BEFORE_LINE).partition("\n")[0].strip()


def _tidy(answer: str) -> str | None:
    """Remove Markdown, end marks and a closing phrase from an answer; None if nothing is left."""
    if _WHOLE_BOX.match(answer):
        return extract_boxed(answer)
    answer = answer[:-_LOOK_BEHIND_LETTER] + _END_MARK.sub("", answer[-_LOOK_BEHIND_LETTER:])
    if closing := _CLOSING_PHRASE.search(answer, max(0, len(answer) - _LOOK_BEHIND_LETTER)):
        answer = answer[: closing.start()]
    if answer.endswith(("\\]", "\\)")) and "\\[" not in answer and "\\(" not in answer:  # "\\[Answer: 5\\]"
        answer = answer[:-2]
    answer = answer.rstrip(_MARKDOWN).removesuffix(".").removesuffix("。").strip(_MARKDOWN)
    if items := _BRACKETED_LIST.fullmatch(answer):
        answer = _list_text(items[1]) or answer
    return answer or None


def _list_text(inside: str) -> str:
    """Return the items of a list of quoted texts, as in "'2019', '2018'"; an empty text if it is anything else."""
    items = _LIST_ITEM.findall(inside) if _LIST_ITEMS.fullmatch(inside) else []
    return ", ".join(double or single for double, single in items)


def _json_text(value: str) -> str | None:
    """Return a value of JSON, or of a Python dictionary, as text."""
    try:
        read = json.loads(value)
    except ValueError:
        return _list_text(value.strip("[] ")) or value.strip().strip("'\"") or None
    several = read if isinstance(read, list) else [read]
    return ", ".join(one if isinstance(one, str) else json.dumps(one) for one in several) or None


_ITEM_END = re.compile(r"\s*(?:[;\n|]|,\s)\s*(?:and\s|or\s|und\s|y\s|et\s|e\s)?|\s(?:and|&|und|y|et)\s")
_JOINED = re.compile(r"[;\n]|\s(?:and|&|und|y|et)\s")
_ITEM_MARKS = " \t\r\n*_`'\".[]|"
_INTRODUCTION = re.compile(r"\A[^,;\n]*?(?::|\b(?:are|were|is|was|son|sind|sont)\b)\s*")
_MOST_WORDS, _LONGEST_LIST = 5, 4_000


def same_items(prediction: str, reference: str) -> bool | None:
    """Return whether a list has the items of the list that a reference is, in any order.

    False if items are missing or too many; None if one is no list, or other rules should compare the items.
    """
    wanted = _items(reference)
    if len(wanted) < 2 or reference.lstrip()[:1] in {"[", "("} or is_formula(reference):
        return None
    given = _items(_INTRODUCTION.sub("", prediction[:_LONGEST_LIST], count=1)) or [_item(prediction)]
    if sorted(given) == sorted(wanted):
        return True
    one, other = set(given), set(wanted)
    if one < other:
        return None if len(one) == 1 or _may_be_place(reference) else False
    return False if other < one and not _may_be_place(prediction) else None


def _items(text: str) -> list[str]:
    """Return the items of a list in a form to compare; none if it is prose, or one thing."""
    if len(text) > _LONGEST_LIST:
        return []
    text = text.strip().strip(_ITEM_MARKS)
    text = text[1:-1] if text[:1] == text[-1:] == "$" else text
    parts = [part.strip(_ITEM_MARKS) for part in _ITEM_END.split(text)]
    if len(parts) == 1 and "," in text:  # 132,133,197
        parts = text.split(",")
        is_number = len(parts) == 2 and single_number(text)  # 1,234
        parts = [] if is_number or not all(map(single_number, parts)) else parts
    parts = [_BULLET.sub("", part) for part in parts if part]
    is_list = len(parts) > 1 and all(len(part.split()) <= _MOST_WORDS for part in parts)
    return list(map(_item, parts)) if is_list else []


def _item(text: str) -> str:
    number = single_number(text)
    return f"{number.value} {number.unit}" if number else spell(text) if is_formula(text) else normalize(text)


def _may_be_place(reference: str) -> bool:
    """Return whether commas may add to the first name: "Paris, Texas, USA", "September 2, 1945", "Doe, John"."""
    parts = reference.split(", ")
    return not _JOINED.search(reference) and any(part[:1].isupper() for part in parts)


def marked_answer(text: str) -> str | None:
    """Return the answer that a text marks as one, in a box or on an answer line; None if it marks none."""
    boxed = extract_boxed(text)
    return extract_answer_line(text) if boxed is None else boxed


# ---- choices
#
# Letters are read where they stand as an answer: not the article in "A dog", not the "I" of a sentence.

_OPEN, _CLOSE = r"[(\[（【*_`]", r"[)\]）】*_`]"
_NAMES = (
    "option|choice|letter|answer|Antwort|opci[oó]n|opção|opzione|réponse|选项|選項|选择|選擇|选|選|答案|вариант|ответ|ist|"
    "est|es|é|è|lettera|letra|lettre|Buchstabe"
)
_NAMED_CHOICE = re.compile(
    rf"(?<![^\W_])(?i:{_NAMES})(?:\\?_|\s|[:：]|\bis\b|是|为|[*_`]){{0,6}}{_OPEN}{{0,3}}([A-Z])(?![A-Za-z'’]|\s[a-z])"
    r"|(?i:option|choice|letter)(?:[\\_\s]{1,3}[(\[]?([A-Z])(?![A-Za-z'’])|\s{1,3}[(\[]([a-z])[)\]])"
    r"|\b(?i:is|be|choose|chose|pick|select|go\s{1,3}with|so|hence|thus|therefore|it['’]s),?\s{1,3}"
    r"[(\[*_]{0,3}([A-Z])(?:[)\]*_]{1,3}|[.!]?(?=[ \t]{0,3}(?:\n|\Z)))"
    r"|(?:故|因此|所以|应|應|正确(?:的)?是|正確(?:的)?是)(?:答案)?(?:为|為|是)?(?:选择|選擇|选|選)?(?:选项|選項)?[:：]?\s{0,2}"
    rf"{_OPEN}{{0,3}}([A-Z])(?![A-Za-z])"
)
_BRACKETED_CHOICE = re.compile(r"[(\[（]([A-Z])[)\]）](?![\w=])|\*\*([A-Z])[.)]?\*\*")
_LOWER_CHOICE = re.compile(r"\A\W{0,4}[(\[]([a-z])[)\]]|\A\s{0,3}([a-z])[).]?\s{0,3}\Z|\A\s{0,3}([a-z])\)\s")
_LONE_CHOICE = re.compile(r"^[\s(\[*_`\"【]{0,6}([A-Z])[)\]*_`.:\"】]{0,6}\s*$", re.MULTILINE)
_LEADING_CHOICE = re.compile(
    r"[\s(\[{*_`$\"「（【]{0,8}(?:(?i:option|choice|letter)[\s_\\]{1,3})?[(\[*_`]{0,4}([A-Z])"
    r"(?:[)\]}*_`.:,;$\"」）】、。/]{1,8}(?=\s|\Z|[^\W\d_])|\s*\Z"
    r"|\s+(?i:is\s(?!wrong|incorrect|false|not\b)|because\s|since\s|as\s|[-\u2013]\s|<))"
)
# "J. K. Rowling" is not a choice.
_INITIALS = re.compile(r"\s*[A-Z]\.\s?[A-Z]\.")
# Not A and I, which begin sentences.
_ANNOUNCED_CHOICE = re.compile(
    r"(?:(?:therefore|thus|clearly|most likely|likely|probably|actually|indeed),?\s)?[*_`$\"(]{0,4}([B-HJ-Z])(?=\s)"
)
_ANOTHER_CHOICE = re.compile(
    rf"{_CLOSE}{{0,4}}\s{{0,2}}(?:,?\s?(?:or|and|und|oder|et|ou|y|e|и|или)\s|[,/&、和或及]|and/or)\s{{0,2}}(?:(?i:option|choice)\s)?"
    rf"{_OPEN}{{0,4}}[A-Z](?:{_CLOSE}|[.,;:。]|\s*\Z|\s*\n)"
)
_NONE_OF_THEM = re.compile(
    r"\bnone\s(?:of\s)?(?:the\s|these\s|those\s)?(?:above|choices|options|answers|given|provided|listed|them)\b|以上(?:都|皆)(?:不|非)",
    re.IGNORECASE,
)
_NOT_BUT = re.compile(r"\Anot\s{1,3}\S{1,12}\s{1,3}but\s{1,3}", re.IGNORECASE)
_ARTICLE = re.compile(
    r"\A[*_\s]{0,4}(?:(?:the|la|el|a|o|le|il|die|der|de|het)\s)?(?:(?:letter|letra|lettre|lettera|opci[oó]n|opção|opzione|вариант)\s)?"
    r"(?=[*_(]{0,3}[A-Z](?![\w'’]))",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(r"(?<![^\s*])(?=(?:therefore|thus|hence|so|in conclusion|overall)\b)", re.IGNORECASE)
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
NO_SPACES = re.compile(f"[{NO_SPACE_SCRIPTS}]")
_OPTION_LETTERS = string.ascii_uppercase
_SEVERAL = "?"
"""Stands for a letter where two are given; no answer."""


def extract_choice(text: str, choices: Sequence[str] | None = None, question: str | None = None) -> str | None:
    r"""Find the letter of the choice that is given as the answer; None if there is none, or two.

    It stands in `\boxed{…}`, after "the answer is", at the beginning of the text, alone on a line, as "option B" or in
    brackets; without the texts of the choices it is A to J. With choices it may also be the one whose text the answer
    has. The question is for choices that are yes and no.

    >>> extract_choice("A is wrong, so the answer is (C).")
    'C'
    >>> extract_choice("It is Lyon.", ["Paris", "Lyon"])
    'B'
    """
    letters = _OPTION_LETTERS[: len(choices) if choices else 10]
    options = [] if choices is None or is_labels(choices) else choices
    for part in (extract_boxed(text), extract_answer_line(text)):
        if part is not None:
            answer = _ARTICLE.sub("", _NOT_BUT.sub("", _TEXT_COMMAND.sub(r"\1", part)))
            found = (
                _same_text(answer, options)
                or _leading(answer)
                or _alone(_ANNOUNCED_CHOICE.match(answer), answer)
                or _text_in(answer, options, question)
            )
            if found or _NONE_OF_THEM.search(answer):
                return found if found and found in letters else None
    answer = text.strip()
    last_line = answer.rpartition("\n")[2]
    readers: tuple[Callable[[], str | None], ...] = (
        lambda: _same_text(answer, options) or _leading(answer),
        # "**D. Observation**"
        lambda: letter if (letter := _leading(last_line)) and letter == _text_in(last_line, options) else None,
        lambda: _last(_LONE_CHOICE, text),
        lambda: _last(_NAMED_CHOICE, text),
        lambda: _text_in(answer, options, question),
        lambda: None if _NONE_OF_THEM.search(last_line) else _last(_BRACKETED_CHOICE, text),
    )
    found = next((letter for reader in readers if (letter := reader()) and letter in letters + _SEVERAL), None)
    return None if found == _SEVERAL else found


class Choices(StringLists):
    """The options of a multiple-choice question, for each example: 1 to 26 texts."""

    def check(self, name: str, column: list[Any]) -> list[list[str]]:
        """Return the column as lists of plain strings, or raise a `ValueError`."""
        checked = super().check(name, column)
        for index, options in enumerate(checked):
            if not 0 < len(options) <= len(_OPTION_LETTERS):
                raise ValueError(f"{name}[{index}] has {len(options)} options, not 1 to {len(_OPTION_LETTERS)}: A to Z")
        return checked


def is_labels(choices: Sequence[str]) -> bool:
    """Return whether options are the letters themselves, perhaps in another order; then a letter is a label."""
    return sorted(choices) == list(_OPTION_LETTERS[: len(choices)])


def as_letter(reference: str, choices: Sequence[str]) -> str:
    """Return the letter of a reference that is the text of an option or a letter; any other reference as it is."""
    if is_labels(choices):
        return _leading(reference) or reference
    text = reference.strip()
    exact = _OPTION_LETTERS[choices.index(text)] if text in choices else None
    return exact or _same_text(text, choices) or _leading(text) or _text_in(text, choices) or reference


def _last(pattern: re.Pattern[str], text: str) -> str | None:
    """Return the letter that a pattern finds last, or `_SEVERAL` if it is one of two alternatives."""
    matches = list(pattern.finditer(text))[-2:]
    if not matches:
        return None
    before, last = matches[0], matches[-1]
    joined = _ANOTHER_CHOICE.match(text, before.end()) if before is not last else None
    return _SEVERAL if joined and joined.end() >= last.start() else _alone(last, text)


def _leading(text: str) -> str | None:
    """Return the letter that a text begins with as a choice."""
    lower = _alone(_LOWER_CHOICE.match(text), text)
    return lower or (None if _INITIALS.match(text) else _alone(_LEADING_CHOICE.match(text), text))


def _alone(match: re.Match[str] | None, text: str) -> str | None:
    """Return the letter of a match, or `_SEVERAL` if another letter is joined to it."""
    if match is None:
        return None
    place = match.lastindex or 1
    return _SEVERAL if _ANOTHER_CHOICE.match(text, match.end(place)) else str(match[place]).upper()


def _keys(text: str, choices: Sequence[str]) -> tuple[str, list[str]]:
    """Return a text and options as phrases to compare; as written if normalized options would be the same."""
    keys = [_phrase(choice) for choice in choices]
    if len(set(keys)) == len(keys) and "  " not in keys:
        return _phrase(text), keys
    return f" {' '.join(text.split())} ", [f" {' '.join(choice.split())} " for choice in choices]


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
    for yes, no in (("yes", "no"), ("true", "false")) if len(words) == 2 else ():
        if {yes, no} == {*words}:
            verdict = says_yes(answer, question)
            return None if verdict is None else _OPTION_LETTERS[words.index(yes if verdict else no)]
    found = _texts_in(answer, choices)
    if len(found) > 1:
        found = _texts_in(_CONCLUSION.split(answer)[-1], choices) or found
    if len(found) > 1:  # "the sun is larger than the moon"
        found = _texts_in(answer.partition(" than ")[0], choices) or found
    return _SEVERAL if len(found) > 1 else found[0] if found else None


def _texts_in(answer: str, choices: Sequence[str]) -> list[str]:
    """Return the letters of the options whose texts an answer has, longer ones first; numbers are compared by value."""
    rest, keys = _keys(answer, choices)
    found = []
    for place in sorted(range(len(keys)), key=lambda place: -len(keys[place])):
        key = keys[place].strip() if NO_SPACES.search(keys[place]) else keys[place]
        if key.strip() and key in rest:
            found.append(_OPTION_LETTERS[place])
            rest = rest.replace(key, " | ")
    options = [] if found else list(map(single_number, choices))
    if options and all(options):
        values = {number.value for number in read_numbers(answer)}
        pairs = zip(_OPTION_LETTERS, options, strict=False)
        return [letter for letter, option in pairs if option and option.value in values]
    return found


# ---- steps


class Row(NamedTuple):
    """What a step knows of a row besides the text."""

    references: Sequence[str] = ()
    choices: Sequence[str] | None = None
    question: str | None = None
    place: int = 0

    @property
    def asks_number(self) -> bool:
        """Whether every reference is one number."""
        return bool(self.references) and all(map(single_number, self.references))

    @property
    def has_unit(self) -> bool:
        """Whether a reference is a number with a unit."""
        return any(number is not None and number.unit for number in map(single_number, self.references))


Step = Callable[[str, Row], str | None]
Name = Literal["boxed", "answer_line", "choice", "last_number", "whole", "auto"]
Extract = Name | str | re.Pattern[str] | Callable[[str], str | None] | Sequence[Any] | None

# Signs of a calculation, whose result stands at its end.
_WORKING = re.compile(r"[=≈]|\\approx|(?:\n.*){4}")
_EQUALS_SIGN = re.compile(r"=|≈|\\approx")
_END_OF_SENTENCE = re.compile(r"(?<=[.!?。])\s+(?=[A-Z*$\\(])|\n+")
_RANGE = re.compile(r"\bbetween\s.{1,40}?\sand\s\W{0,4}\d", re.IGNORECASE)  # not a number
_END_OF_CLAUSE = re.compile(r"[.;,(]\s|\(|\n|\b(?:because|since|as)\b")


def _auto(text: str, row: Row) -> str | None:
    """Choose the step by what the row has: choices, a box, an answer line, references that are numbers."""
    if row.choices:
        return extract_choice(text, row.choices, row.question)
    found = marked_answer(text)
    if found is None and row.asks_number and _WORKING.search(text):
        found = _conclusion(text)
    return text if found is None else found


def _conclusion(text: str) -> str | None:
    """Find the last sentence with a number; of an equation, its right side if that has one."""
    sentence = next(filter(read_numbers, reversed(_END_OF_SENTENCE.split(text))), None)
    right_side = _EQUALS_SIGN.split(sentence or "")[-1]
    return right_side if read_numbers(right_side) else sentence


def _only_number(answer: str, row: Row) -> str:
    """Reduce an answer line to the number that it states first or, where it shows working, to the result."""
    if single_number(answer) or not row.asks_number or _RANGE.search(answer):
        return answer
    first_clause = _END_OF_CLAUSE.split(answer.lstrip("( "), maxsplit=1)[0]
    if _EQUALS_SIGN.search(first_clause) or "\n" in answer:
        result = _conclusion(answer)
        return (result and last_number(result, with_unit=row.has_unit)) or answer
    chosen = min(read_numbers(answer), key=lambda number: number.is_word, default=None)
    number = last_number(answer[chosen.start : chosen.end], with_unit=row.has_unit) if chosen else None
    return number or answer


STEPS: dict[str, Step] = {
    "boxed": lambda text, _: extract_boxed(text),
    "answer_line": lambda text, _: extract_answer_line(text),
    "choice": lambda text, row: extract_choice(text, row.choices, row.question),
    "last_number": lambda text, row: last_number(text, with_unit=row.has_unit),
    "whole": lambda text, _: text,
    "auto": _auto,
}
_STEP_NAMES = ", ".join(f'"{name}"' for name in STEPS)
EXPECTED = f"{_STEP_NAMES}, a regular expression with one group, a callable, a list of these or None"
"""The values of the option."""


def check_extract(name: str, value: Any) -> Any:
    """Return a value of the option `extract`, or raise a `ValueError` that says what is possible."""
    if isinstance(value, (list, tuple)):
        if not value:
            raise ValueError(f"{name} must be {EXPECTED}, got an empty list")
        return tuple(_check_step(f"{name}[{place}]", step) for place, step in enumerate(value))
    return None if value is None else _check_step(name, value)


def _check_step(name: str, value: Any) -> Any:
    if callable(value) or (isinstance(value, str) and value in STEPS):
        return value
    groups = compiled(name, value, EXPECTED).groups
    if groups != 1:
        hint = did_you_mean(value, STEPS) if isinstance(value, str) else ""
        expected = f"{_STEP_NAMES}, or a regular expression with exactly one group"
        raise ValueError(f"{name} must be {expected}; {value!r} has {groups}{hint}")
    return value


def as_steps(extract: Extract) -> tuple[Any, ...]:
    """Return an extraction as a sequence of steps."""
    return tuple(extract) if isinstance(extract, (list, tuple)) else (extract,)


def signature_of(extract: Extract) -> str:
    """Return the text for an extraction in signatures."""
    return ">".join(sign_rule(step, STEPS, EXTRACTION_VERSION) for step in as_steps(extract))


# ---- columns


def extract_column(
    texts: Iterable[str],
    extract: Extract,
    references: Sequence[Any] | None = None,
    choices: Sequence[Sequence[str]] | None = None,
    questions: Sequence[str] | None = None,
    *,
    skipped: Collection[int] = (),
) -> list[str | None]:
    """Find the answer in each text; None where there is none, and at the places that are skipped.

    The first step that finds something counts: a key of `STEPS`, a regular expression with one group (the last match
    counts), or a function from text to the answer or None. Some steps depend on the other columns.
    """
    steps = [_function_of(step) for step in as_steps(extract)]
    wants_number = "last_number" in as_steps(extract)
    without, found = set(skipped), []
    known = (references or repeat(()), choices or repeat(None), questions or repeat(None))
    rows = zip(to_list("predictions", texts), *known, strict=False)
    for index, (text, accepted, options, question) in enumerate(rows):
        row = Row([accepted] if isinstance(accepted, str) else accepted, options, question, index)
        answers = (step(text, row) for step in steps if index not in without)
        answer = next((answer for answer in answers if answer is not None), None)
        found.append(_only_number(answer, row) if wants_number and answer else answer)
    return found


def _function_of(step: Any) -> Step:
    """Return the function of a step: what is built in, a user's, or the group of the last match of an expression."""
    if callable(step):
        rules: dict[str, Any] = {"option": "extract", "kinds": str | None, "expected": "a string or None"}
        return lambda text, row: call(step, text, place=f"predictions[{row.place}]", **rules)
    if isinstance(step, str) and step in STEPS:
        return STEPS[step]
    pattern = re.compile(step)
    # A match of nothing finds nothing.
    return lambda text, _: next((match[1] for match in reversed([*pattern.finditer(text)]) if match[1]), None)


def read_references(references: Any, extract: Extract, choices: Sequence[Sequence[str]] | None) -> list[Any]:
    r"""Return references as letters of their choices, or as what they mark: "… #### 72", "\boxed{72}"."""
    steps = {step for step in as_steps(extract) if isinstance(step, str)}
    texts: list[Any] = to_list("references", references)
    if choices and steps & {"choice", "auto"}:
        return [_each(partial(as_letter, choices=options), one) for one, options in zip(texts, choices, strict=True)]
    readers = [reader for name, reader in _REFERENCE_READERS if steps & {name, "auto"}]

    def read(text: str) -> str:
        return next((answer for reader in readers if (answer := reader(text)) is not None), text)

    return [_each(read, several) for several in texts] if readers else texts


def _each(read: Callable[[str], str], texts: Any) -> Any:
    return read(texts) if isinstance(texts, str) else list(map(read, texts))


_REFERENCE_READERS: tuple[tuple[str, Callable[[str], str | None]], ...] = (
    ("boxed", extract_boxed),
    ("boxed", lambda text: words[1].strip() if (words := _TEXT_COMMAND.fullmatch(text)) else None),
    ("answer_line", lambda text: extract_answer_line(text) if "####" in text else None),
)
