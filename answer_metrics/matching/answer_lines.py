r"""Where a text marks its answer: in a box, or on an answer line. In time linear in the length of the text."""

import json
import re
from itertools import chain

from answer_metrics.core.patterns import compile_later
from answer_metrics.matching.assertion import withholds

# ---- boxes

_BOXED = re.compile(r"\\(?:f?boxed|fbox)\s*(?=\{)|[{}]|\\[\\{}]")
_OPEN_BOX = re.compile(r"\\(?:f?boxed|fbox)\s+(-?\w+)")  # \boxed 7
TEXT_COMMAND = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_WHOLE_BOX = re.compile(r"[$\\(\[\s]{0,6}\\boxed\s*\{.*\}[$\\)\].\s]{0,6}\Z", re.DOTALL)
_WITHDRAWN_AFTER = re.compile(
    r"[$*)\s]{0,8}(?:is|was|would be|seems)\s+(?:wrong|incorrect|false|not\s+(?:right|correct))", re.IGNORECASE
)
_LOOK_BEHIND_LETTER, _LONGEST_JOINT = 40, 60
_BOX_WORD = re.compile(r"(?<![^\W\d_])(?<!\\)[^\W\d_]{2,}")  # not a command
_BOX_END = re.compile(r"[.!?:]|\n\s*\n")


def extract_boxed(text: str) -> str | None:
    r"""Find the content of the last `\boxed{…}` that is not retracted, or of several in a row: "1, 2".

    >>> extract_boxed(r"So it is \boxed{\frac{1}{2}}.")
    '\\frac{1}{2}'
    """
    if "box" not in text:
        return None
    boxes: list[str] = []
    first = len(text)
    for start, inner, end in sorted(_boxes(text), reverse=True):
        between = text[end + 1 : first] if boxes else ""
        if end > first or len(between) > _LONGEST_JOINT or _BOX_END.search(between):
            break
        if len({*_BOX_WORD.findall(between)} - {"and", "or"}) > 1:  # more than a name
            break
        if not (withholds(text, start) or _WITHDRAWN_AFTER.match(text, end + 1)):
            boxes.append(text[inner:end].strip())
            first = start
    if len(boxes) == 1 and (words := TEXT_COMMAND.fullmatch(boxes[0])):
        return words.group(1).strip()
    return ", ".join(reversed(boxes)) if boxes else None


def _boxes(text: str) -> list[tuple[int, int, int]]:
    """Return where each box starts, and where its content starts and ends."""
    boxes = [(match.start(), match.start(1), match.end()) for match in _OPEN_BOX.finditer(text)]
    open_braces: list[tuple[int, int]] = []
    box = -1
    for match in _BOXED.finditer(text):
        mark = match.group()
        if mark == "{":
            open_braces.append((box, match.end()))
            box = -1
        elif mark == "}" and open_braces:
            start, inner = open_braces.pop()
            boxes += [(start, inner, match.start())] if start >= 0 else []
        elif mark.startswith(("\\b", "\\f")):
            box = match.start()
    return boxes


# ---- answer lines

_MARKDOWN = '*_`~ \t"'
# Also marks of headings and quotations, but only before an answer: "C#" and "Vec<T>" end in them.
_BEFORE_LINE = _MARKDOWN + "#>\r\n"
_NAMES_OF_ANSWERS = (
    "Antwort|Réponse|Respuesta|Risposta|Resposta|Ответ|Відповідь|الإجابة|الجواب|جواب|پاسخ|उत्तर|উত্তর|பதில்|సమాధానం|คำตอบ"
    "|Đáp án|Câu trả lời|Trả lời|Cevap|Jawaban|Sagot|Jibu|Ìdáhùn|I\u0300da\u0301hu\u0300n|Amsa|Antwoord|Odpowiedź"
    "|Odpověď|Odpoveď|Svar|Vastaus|Válasz|Răspuns|Απάντηση|תשובה|Erantzuna|정답|답변|답안|답"
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
ANSWER_MARK = compile_later(
    rf"####(?!\s{{0,3}}{_ANSWER_WORD})|<answer>|(?<![^\W_])(?<!wrong\s)(?<!incorrect\s){_ANSWER_WORD}{_PARENTHESIS}"
    r"(?:[*_`~ \t]{0,6}[:\uff1a][*_`~]{0,4}|[ \t]{1,3}[-\u2013\u2014](?=[ \t])"
    r"|[*_`~]{0,4}\s{1,3}(?:is|(?:would|should|must)\s{1,3}be)[*_`~]{0,4}(?![^\W_])\s{0,3}:?)"
    rf"|(?:(?<![^\W\d_])(?:{_NAMES_OF_ANSWERS})|{_NAMES_WITHOUT_SPACES})[*_`~ \t】]{{0,4}}"
    r"(?:[:\uff1a\u2014]|(?:应|應)?[是为為은는は](?!不)|(?:\s(?:final|correc?t[aeo]?|corretta|richtige|الصحيحة|sahihi|đúng|náà))?"
    r"\s(?:هي|ist|es|est|é|è|ni|là|adalah|হল|হলো)\s)[*_`~]{0,4}"
    rf"|[【\[](?:{_NAMES_OF_ANSWERS}|{_NAMES_WITHOUT_SPACES})[】\]]\s{{0,3}}[:\uff1a]?"
    r"|[\"'](?:final[ _]?)?answer[\"']\s?:"
    r"|(?<![^\W_])ans\.?\s?[:\uff1a][*_`~]{0,4}"
    r"|(?<=\n)A:(?=[^\n]+\s*\Z)"  # the last line
    # A heading: "## Final Answer", "**Answer**".
    rf"|^[ \t]{{0,3}}(?:#{{1,6}}[ \t]{{0,3}}|[*_]{{2}}){_ANSWER_WORD}[*_]{{0,3}}[ \t]{{0,3}}(?=[\r\n])",
    re.IGNORECASE | re.MULTILINE,
)
# Every mark has one of these; looking for them takes a fraction of the time.
_SIGNALS: tuple[str, ...] = ("answer", "####", "\na:", "ans:", "ans.:", "ans :")
_SIGNALS += tuple(f"{_NAMES_OF_ANSWERS}|{_NAMES_WITHOUT_SPACES}".lower().split("|"))
_ASCII_SIGNALS = tuple(filter(str.isascii, _SIGNALS))
_VERDICT = re.compile(r"\s*(?:indeed\s)?(?:in)?correct\b|\s*(?:right|wrong|verified|confirmed)\b", re.IGNORECASE)
_JSON_VALUE = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\[[^\[\]{}]*\]|[^,}\n]*)")
_DISPLAY = re.compile(r"\s*(?:\$\$(.+?)\$\$|\\\[(.+?)\\\])", re.DOTALL)
_BRACKETED_LIST = re.compile(r"\[([^\[\]]*)\]")
_LIST_ITEM = re.compile(r"\s*(?:\"([^\"]*)\"|'((?:[^']|'(?=\w))*)')\s*(?:,|\Z)")
_LIST_ITEMS = re.compile(f"(?:{_LIST_ITEM.pattern})+")
_BULLETS = re.compile(r"(?:[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+[^\n]+(?:\n|\Z)){2,}")
BULLET = re.compile(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+", re.MULTILINE)
_DASH = re.compile(r"\A[-•]\s+")  # a bullet, not a sign: "Answer:\n- 17"
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
    signals = _ASCII_SIGNALS if text.isascii() else _SIGNALS
    marks = [match.span() for match in ANSWER_MARK.finditer(text)] if any(map(text.lower().count, signals)) else []
    # "I doubt that the answer is", "Rejected answer:"
    stated = (mark for mark in reversed(marks) if not (text[mark[0]].isalpha() and withholds(text, mark[0])))
    last = next(stated, None)
    if last is None:
        return None
    # "The answer is correct." judges an answer that stands before.
    start, end = next((mark for mark in chain([last], stated) if not _VERDICT.match(text, mark[1])), last)
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
    if formula := _DISPLAY.match(rest):
        return str(next(filter(None, formula.groups()))).strip()
    line = rest.partition("\n")[0].lstrip(_MARKDOWN)
    if line.strip():
        return line.strip()
    if bullets := _BULLETS.match(rest.lstrip("\r\n ")):
        return ", ".join(BULLET.sub("", bullets.group()).strip().splitlines())
    return _DASH.sub("", rest.lstrip(_BEFORE_LINE).partition("\n")[0]).strip()


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
    """Return the items of a list of quoted texts, "'2019', '2018'"; else an empty text."""
    items = _LIST_ITEM.findall(inside) if _LIST_ITEMS.fullmatch(inside) else []
    return ", ".join(double or single for double, single in items)


def _json_text(value: str) -> str | None:
    try:
        read = json.loads(value)
    except ValueError:
        return _list_text(value.strip("[] ")) or value.strip().strip("'\"") or None
    several = read if isinstance(read, list) else [read]
    return ", ".join(item if isinstance(item, str) else json.dumps(item) for item in several) or None


def marked_answer(text: str) -> str | None:
    """Return the answer that a text marks as one, in a box or on an answer line; None if it marks none."""
    boxed = extract_boxed(text)
    return extract_answer_line(text) if boxed is None else boxed
