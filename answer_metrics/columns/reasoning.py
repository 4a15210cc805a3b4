"""Remove what is not part of a model's answer: reasoning before it, and a question invented after it."""

import functools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from answer_metrics.columns.tables import decoded, is_arrow, string_buffers
from answer_metrics.core.options import Options, option

REASONING_HELP = (
    "drop: remove reasoning (`<think>` and similar) and questions invented after the answer; a prediction cut off "
    "mid-reasoning has no answer. keep: compare predictions as is."
)
REASONING_MARKS_HELP = "More pairs of opening and closing marks, treated like `<think>` and `</think>`."
Marks = Sequence[tuple[str, str]] | None
MARKS_TYPE = "list of pairs of str, or None"

# ---- the marks

_TAG_NAMES = r"(?:\w{1,20}[:_])?(?:think|thinking|thought|thoughts|reasoning)"
# Everything before the last of these is reasoning. Templates often write the opening mark, so predictions lack it.
_ENDS = (
    rf"</{_TAG_NAMES}>|\[/THINK\]|<\|END_THINKING\|>|<\|end_of_thought\|>|◁/think▷|<channel\|>|<unused95>"
    r"|<\|channel\|>final(?:\s[^<]{0,40})?<\|message\|>|^(?:\.\.\.|…)done thinking\.[ \t]*$"
)
# A block that one of these opens must end. At the beginning of a line: in "Use <think> tags" it is a word.
_STARTS = (
    rf"^[ \t]*(?:<{_TAG_NAMES}>|\[THINK\]|<\|START_THINKING\|>|<\|begin_of_thought\|>|◁think▷|<unused94>thought\b)"
    r"|<\|channel>thought\b|<\|channel\|>(?:analysis|commentary)[^<]{0,60}<\|message\|>"
)
_FIRST_LINE = re.compile(r"\A\s*Thinking(?:\.\.\.|…)[ \t]*\n")  # Ollama's
# Harmony whose special tokens were skipped while decoding: "analysisWe need …assistantfinalParis", or with blanks.
_PLAIN_START = re.compile(r"\A\s*(?:assistant\s?)?(?:analysis|commentary)")
_PLAIN_CUT_OFF = re.compile(r"\A\s*(?:(?:analysis|commentary)(?=[^\W_a-z])|commentary to=)")
_PLAIN_END = re.compile(r"assistant(?:final|(\s{1,3})final\b)(?:\s?:|(?!\s(?:answer|exam|is)\b))")
# Tags that also occur after an answer or around it: only the block itself is reasoning.
_ASIDE = re.compile(r"<(/?)(reason|reflection|scratchpad|analysis)>", re.IGNORECASE)
_ANSWER_START = re.compile(r"\A\s*(?:<\|(?:START_RESPONSE|begin_of_solution)\|>|<\|channel>\w*)\s*", re.IGNORECASE)
_ANSWER_END = re.compile(
    r"(?:\s*(?:<\|(?:return|end|im_end|eot_id|endoftext|END_RESPONSE|end_of_solution)\|>|<turn\|>|<end_of_turn>|</s>))+"
    r"\s*\Z",
    re.IGNORECASE,
)
_QUOTES = "`'\"“”"

# ---- the next question

_QUESTION = (
    r"[ \t]*(?:[#*]{1,4}[ \t]*)?(?:Question|QUESTION|Problem|Q|Frage|Pregunta|Pergunta|Domanda|Pytanie|Soru|Вопрос"
    r"|Câu hỏi|问题|問題|问|問|質問|질문|문제|السؤال|سؤال|प्रश्न|Human|User|Instruction)[ \t]?(\d{0,3})\*{0,2}[ \t]?"
    "[:\uff1a]"
)
_NEXT_QUESTION = re.compile(rf"\n{_QUESTION}\*{{0,2}}([^\n]*)")
_BEGINS_WITH_QUESTION = re.compile(r"\A\s*" + _QUESTION)
_ANSWERED = re.compile(
    r"(?:\banswer|^\W{0,4}(?:A\d{0,3}|Assistant|AI|Response)|答案|答え|답|Antwort|Respuesta|Réponse|Resposta|Risposta|Ответ|الإجابة|उत्तर)"
    r"\**\s{0,3}(?:is\b|[:\uff1a])\W*\w|####\s*\S|\\boxed\{",
    re.IGNORECASE | re.MULTILINE,
)
_INTRODUCTION = re.compile(
    r"\A\W*(?:sure|okay|ok|certainly|of course|absolutely|great|let|here|i|we|to|first|given|based|according|the"
    r" (?:question|problem|task|user))\b|\A\w{1,20}:\s",  # or a list of fields
    re.IGNORECASE,
)
_REPLY = re.compile(r"\n\W{0,4}(?:Assistant|AI|Bot|Response)\b\W{0,4}:")
# The token of a chat template before the next turn of the user.
_NEXT_TURN = re.compile(
    "<\\|(?:im_start|start|start_header_id)\\|>\\s?user\\b|<start_of_turn>user\\b|<[|\uff5c][Uu]ser[|\uff5c]>"
)
_MOST_QUESTIONS = 5  # are looked at
_SHORT_ANSWER = 6  # words
_SHORTEST_QUESTION = 8  # characters

_SIGNALS = ("<", "[", "◁", "\n", "assistantfinal", "analysis", "commentary")
"""Every text that has a mark has one of these, the last two at its beginning; other texts are not searched."""
_OPENINGS = np.frombuffer(b"analcommassi", "<u4")  # of `_PLAIN_START`
_BLOCK_BYTES, _BLOCK_ROWS = 1 << 20, 10_000


@functools.lru_cache(maxsize=32)
def _patterns(marks: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the regular expressions of ends and starts, built-in ones and those of the option `reasoning_marks`."""
    ends = "".join(f"|{re.escape(end)}" for _, end in marks)
    starts = "".join(rf"|^[ \t]*{re.escape(start)}" for start, _ in marks)
    flags = re.IGNORECASE | re.MULTILINE
    return re.compile(_ENDS + ends, flags), re.compile(_STARTS + starts, flags)


def check_marks(name: str, value: Any) -> tuple[tuple[str, str], ...]:
    """Return a value of the option `reasoning_marks` as pairs of marks, or raise a `ValueError`."""
    try:
        pairs = json.loads(value) if isinstance(value, str) else value  # JSON is from a control of the page
    except ValueError:
        pairs = None
    if not isinstance(pairs, (list, tuple)) or not pairs:
        raise ValueError(f'{name} must be a list of pairs such as [("<a>", "</a>")], got {value!r}')
    for index, pair in enumerate(pairs):
        place = f"{name}[{index}]"
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not all(isinstance(mark, str) for mark in pair):
            raise ValueError(f"{place} must be a pair of an opening and a closing mark, got {pair!r}")
        if not all(mark.strip() for mark in pair) or pair[0] == pair[1]:
            raise ValueError(f"{place} must be two different marks, neither of them empty, got {pair!r}")
    return tuple((start, end) for start, end in pairs)


def signature_of_reasoning(options: Any) -> dict[str, str]:
    """Return the fields for the options `reasoning` and `reasoning_marks` in signatures; none by default."""
    if options.reasoning == "keep" or not options.reasoning_marks:
        return {"reasoning": "keep"} if options.reasoning == "keep" else {}
    marks = json.dumps(options.reasoning_marks, separators=(",", ":"))
    return {"reasoning_marks": marks.replace("%", "%25").replace("|", "%7C")}


@dataclass(frozen=True, kw_only=True)
class AnswerOptions(Options):
    """Options of metrics whose predictions are model answers."""

    reasoning: Literal["drop", "keep"] = option("drop", REASONING_HELP)
    reasoning_marks: Marks = option(
        None, REASONING_MARKS_HELP, custom=check_marks, custom_type=MARKS_TYPE, needs=("reasoning", "drop")
    )


# ---- texts


def answer_of(text: str, marks: Marks = None) -> str | None:
    """Return a model's answer, without reasoning and invented questions; None if it ends mid-reasoning.

    >>> answer_of("<think>Not Lyon.</think> Paris")
    'Paris'
    """
    answer = _after_reasoning(text, *_patterns(tuple(marks or ())))
    return answer if answer is None or "\n" not in answer else _without_next_question(answer)


def _after_reasoning(text: str, ends: re.Pattern[str], starts: re.Pattern[str]) -> str | None:
    end = max((mark.end() for mark in ends.finditer(text) if not _is_quoted(text, *mark.span())), default=0)
    begins_plain = _PLAIN_START.match(text)
    for mark in _PLAIN_END.finditer(text, max(end, 1)) if begins_plain or "assistantfinal" in text else ():
        if (begins_plain or not (mark[1] or text[mark.start() - 1].isspace())) and not _is_quoted(text, *mark.span()):
            end = mark.end()
    answer = text[end:]
    if any(not _is_quoted(answer, *mark.span()) for mark in starts.finditer(answer)):
        return None
    if not end and (_FIRST_LINE.match(text) or _PLAIN_CUT_OFF.match(text)):
        return None
    if "<" not in answer:
        return answer.lstrip() if end else answer
    without_asides = _without_asides(answer)
    if without_asides is None:
        return None
    answer = _ANSWER_START.sub("", without_asides)
    answer = answer.lstrip() if end else answer
    if (turn := _NEXT_TURN.search(answer)) and answer[: turn.start()].strip():
        answer = answer[: turn.start()]
    return _ANSWER_END.sub("", answer)


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Return whether a mark is a word between quotation marks or backticks."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    return bool(before and after) and before in _QUOTES and after in _QUOTES


def _without_asides(text: str) -> str | None:
    """Remove the blocks of `_ASIDE`; None if the text is a block that was cut off."""
    parts: list[str] = []
    start, opening = 0, None
    marks = [mark for mark in _ASIDE.finditer(text) if not _is_quoted(text, *mark.span())]
    for mark in marks:
        if not mark[1]:
            opening = opening or mark
        elif opening is None:
            if re.search(r"\w", text[mark.end() : mark.end() + 1_000]):  # a template wrote the opening mark
                parts, start = [], mark.end()
        elif mark[2].lower() == opening[2].lower():
            parts.append(text[start : opening.start()])
            start, opening = mark.end(), None
    end = len(text)
    if opening and not text[: opening.start()].rpartition("\n")[2].strip():
        end = opening.start()
    if start == 0 and end == len(text):
        return text
    answer = "".join([*parts, text[start:end]]).strip()
    return None if opening and not answer else answer


def _without_next_question(text: str) -> str:
    """Cut off what follows an answer from the next "Question:" on; one that is introduced or quoted is kept."""
    for match in islice(_NEXT_QUESTION.finditer(text), _MOST_QUESTIONS):
        before = text[: match.start()].rstrip()
        is_numbered_list = bool(match[1]) and _BEGINS_WITH_QUESTION.match(before) is not None
        if before and not is_numbered_list and _is_answer(before, match):
            return before
    return text


def _is_answer(before: str, question: re.Match[str]) -> bool:
    """Return whether the text before a question answers another one."""
    if _ANSWERED.search(before):
        return True
    if _INTRODUCTION.match(before) or _BEGINS_WITH_QUESTION.match(before) or before[-1] in ":,\uff1a":
        return False
    is_apart = question.start() > len(before)  # by an empty line
    is_question = not 0 < len(question[2].strip()) < _SHORTEST_QUESTION or "?" in question[2]
    is_replied = bool(_REPLY.search(question.string, question.end()))
    return is_replied or (is_question and (is_apart or len(before.split()) <= _SHORT_ANSWER))


# ---- columns


def drop_reasoning(texts: Any, marks: Marks = None) -> tuple[Any, list[int]]:
    """Drop reasoning and invented questions from each text of a list or an Arrow array.

    Returns a column of the same type, with an empty text where reasoning was cut off, and the indices of these rows.
    """
    if is_arrow(texts):
        return _drop_from_arrow(texts, marks)
    answers, cut_off = list(texts), []
    for first in range(0, len(answers), _BLOCK_ROWS):
        if not marks and not _has_signal(["\0".join(answers[first : first + _BLOCK_ROWS])]):
            continue
        for row in range(first, min(first + _BLOCK_ROWS, len(answers))):
            if marks or _has_signal([answers[row]]):
                answer = answer_of(answers[row], marks)
                answers[row] = answer or ""
                if answer is None:
                    cut_off.append(row)
    return answers, cut_off


def _has_signal(texts: Iterable[str]) -> bool:
    return any(signal in text for text in texts for signal in _SIGNALS)


def _drop_from_arrow(texts: Any, marks: Marks) -> tuple[Any, list[int]]:
    if not marks and not _may_have_marks(texts):
        return texts, []
    column = decoded(texts)
    signals = "|".join(map(re.escape, _SIGNALS)) if not marks else ""
    marked = np.flatnonzero(np.asarray(pc.match_substring_regex(column, signals)))
    answers, cut_off = drop_reasoning(column.take(pa.array(marked)).to_pylist(), marks)
    mask = np.zeros(len(texts), dtype=np.bool_)
    mask[marked] = True
    return pc.replace_with_mask(column, mask, pa.array(answers, column.type)), marked[cut_off].tolist()


def cut_off_message(number: int) -> str:
    """Return a warning about predictions that ended mid-reasoning."""
    predictions, were = ("prediction", "was") if number == 1 else ("predictions", "were")
    return f"{number} {predictions} ended mid-reasoning and {were} scored wrong"


def _may_have_marks(strings: Any) -> bool:
    """Return whether any bytes of an Arrow array may be a mark."""
    if isinstance(strings, pa.ChunkedArray):
        return any(map(_may_have_marks, strings.chunks))
    strings = decoded(strings.dictionary if pa.types.is_dictionary(strings.type) else strings)
    offsets, data = string_buffers(strings)
    starts, end = offsets[:-1], int(offsets[-1])
    windows = np.ndarray(max(end - 3, 0), "<u4", data or bytes(4), strides=(1,))
    heads = windows[starts[: np.searchsorted(starts, len(windows))]]  # the first four bytes of each text
    first_bytes = heads.astype(np.uint8)
    may_begin_plain = ((first_bytes <= ord(" ")) | (first_bytes > 127)).any() or np.isin(heads, _OPENINGS).any()
    text = data[int(offsets[0]) : end]
    signals = [signal.encode() for signal in (_SIGNALS if may_begin_plain else _SIGNALS[:-2])]
    overlap = max(map(len, signals))
    blocks = (bytes(text[start : start + _BLOCK_BYTES + overlap]) for start in range(0, len(text), _BLOCK_BYTES))
    # The search for "◁" takes long even in ASCII.
    return any(signal in block for block in blocks for signal in signals if signal.isascii() or not block.isascii())
