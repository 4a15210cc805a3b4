"""What a model thought before its answer, and how it is dropped."""

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from answer_metrics.columns.tables import decoded, is_arrow, rows_have

REASONING_HELP = (
    "drop: what a model writes before the end of its thinking (`</think>`, or the mark of another model) is not part "
    "of its answer, and a prediction that ends while it thinks has no answer; keep: compare predictions as they are."
)
_THINKING = "think|thinking|thought|thoughts|reasoning|seed:think"
# A block ends with one of these marks. Templates often write the opening one, so that predictions lack it.
_THINKING_ENDS = (
    rf"</(?:{_THINKING})>|\[/THINK\]|<\|END_THINKING\|>|◁/think▷|<\|channel\|>final(?:\s[^<]{{0,40}})?<\|message\|>"
)
# A block begins with one of these at the beginning of a line: in "Use <think> tags" it is a word.
_THINKING_STARTS = (
    rf"^[ \t]*(?:<(?:{_THINKING})>|\[THINK\]|<\|START_THINKING\|>|◁think▷)"
    r"|<\|channel\|>(?:analysis|commentary)[^<]{0,60}<\|message\|>"
)
_THINKING_END = re.compile(_THINKING_ENDS, re.IGNORECASE)
_THINKING_START = re.compile(_THINKING_STARTS, re.IGNORECASE | re.MULTILINE)
_ANSWER_START = re.compile(r"\A\s*<\|START_RESPONSE\|>\s*", re.IGNORECASE)
_ANSWER_END = re.compile(r"(?:\s*<\|(?:return|end|END_RESPONSE)\|>)+\s*\Z", re.IGNORECASE)
# For Arrow, which has no \Z; it may find too much.
_MAY_THINK = rf"(?im){_THINKING_ENDS}|{_THINKING_STARTS}|\|>\s*$"
# Every mark has one of the characters <, [ and ◁, so that other texts are not searched.
_SIGNAL_BYTES = (b"<", b"[", "◁".encode()[:1])
_BLOCK_BYTES = 1 << 20


def answer_of(text: str) -> str | None:
    """Return what a model wrote after its thinking; None if the text ends within a block of thinking.

    >>> answer_of("<think>Not Lyon.</think> Paris")
    'Paris'
    """
    end = 0
    for mark in _THINKING_END.finditer(text):
        end = mark.end()
    answer = text[end:]
    if _THINKING_START.search(answer):
        return None
    if end:
        answer = _ANSWER_START.sub("", answer).lstrip()
    return _ANSWER_END.sub("", answer) if "|>" in answer else answer


def drop_reasoning(texts: Any) -> tuple[Any, list[int]]:
    """Drop what a model thought before its answer, from each text of a list or an Arrow array.

    Returns:
        The column, of the same type, with an empty text where the thinking was cut off, and the indices of these rows.
    """
    if is_arrow(texts):
        return _drop_from_arrow(texts)
    answers, cut_off = list(texts), []
    for row, text in enumerate(texts):
        if "<" in text or "[" in text or "◁" in text:
            answer = answer_of(text)
            answers[row] = answer or ""
            if answer is None:
                cut_off.append(row)
    return answers, cut_off


def _drop_from_arrow(texts: Any) -> tuple[Any, list[int]]:
    if not _may_have_marks(texts):
        return texts, []
    column = decoded(texts)
    marked = np.flatnonzero(np.asarray(pc.match_substring_regex(column, _MAY_THINK)))
    if not len(marked):
        return texts, []
    answers, cut_off = drop_reasoning(column.take(pa.array(marked)).to_pylist())
    mask = np.zeros(len(texts), dtype=np.bool_)
    mask[marked] = True
    return pc.replace_with_mask(column, mask, pa.array(answers, column.type)), marked[cut_off].tolist()


def cut_off_message(number: int) -> str:
    """Return a warning about predictions that have no answer."""
    return f"{rows_have(number, 'predictions')} thinking that was cut off, and so no answer: wrong"


def _may_have_marks(strings: Any) -> bool:
    """Return whether any byte of an Arrow array may begin a mark."""
    if isinstance(strings, pa.ChunkedArray):
        return any(map(_may_have_marks, strings.chunks))
    strings = decoded(strings.dictionary if pa.types.is_dictionary(strings.type) else strings)
    _, offsets, data = strings.buffers()
    ends = np.frombuffer(offsets or bytes(8), np.int64 if pa.types.is_large_string(strings.type) else np.int32)
    text = memoryview(data or b"")[int(ends[strings.offset]) : int(ends[strings.offset + len(strings)])]
    blocks = (bytes(text[start : start + _BLOCK_BYTES]) for start in range(0, len(text), _BLOCK_BYTES))
    return any(signal in block for block in blocks for signal in _SIGNAL_BYTES)
