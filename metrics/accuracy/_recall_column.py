"""Token recall of many pairs: whole columns are decided at once where words and numbers alone are enough.

The slow and obvious twin is `recall`, whose share and decision these are, on every pair.
"""

from collections.abc import Iterator
from collections.abc import Sequence
from itertools import chain

import numpy as np

from ._garbage import collector_paused
from ._recall import content_words
from ._recall import judge
from ._recall_decisions import decide
from ._recall_pairs import Pairs
from ._recall_text import Text
from ._recall_text import read
from ._recall_token_arrays import Array
from ._recall_vocabulary import Vocabulary

# A batch of pairs has so many, and about so many characters: what the caches of a processor hold.
_PAIRS = 1 << 12
_CHARACTERS = 1 << 19


def recall_column(
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    questions: Sequence[str] | None = None,
    threshold: float = 0.5,
    language: str = "en",
) -> tuple[list[bool], list[float]]:
    """Judge each prediction by the best of its references.

    Args:
        predictions: The answers to judge.
        references: The right answers for each.
        questions: What was asked, for each.
        threshold: The least share of the words, 0 to 1.
        language: "en", or "none" for no rules of any language.

    Returns:
        Whether each prediction is right, and the greatest share, 0 to 1, of those references that decide so.
    """
    with collector_paused():
        return _judge_column(predictions, references, questions, threshold, language)


def _judge_column(
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    questions: Sequence[str] | None,
    threshold: float,
    language: str,
) -> tuple[list[bool], list[float]]:
    wanted = list(chain.from_iterable(references))
    counts = np.fromiter(map(len, references), np.int64, len(references))
    places = np.repeat(np.arange(len(references)), counts)
    rows = places.tolist()
    given = [predictions[row] for row in rows]
    asked = None if questions is None else [questions[row] for row in rows]
    right, decided = np.zeros(len(rows), dtype=np.bool_), np.empty(len(rows))
    vocabulary = Vocabulary(english=language == "en")
    for batch in _batches(list(map(len, given)), list(map(len, wanted))):
        pairs = Pairs(vocabulary, vocabulary.read(given[batch]), vocabulary.read(wanted[batch]))
        if asked is not None:
            pairs.exclude_questions(vocabulary.read(asked[batch]))
        right[batch], decided[batch] = decide(pairs, threshold)
    rights, shares = _best(right, np.nan_to_num(decided), places, counts)
    row, text = -1, read("", language)
    for pair in np.flatnonzero(np.isnan(decided)).tolist():
        if not rights[rows[pair]] or shares[rows[pair]] < 1.0:
            if rows[pair] != row:
                row, text = rows[pair], Text(given[pair], english=language == "en")
            judged = _judge(wanted[pair], text, None if asked is None else asked[pair], threshold, language)
            rights[row], shares[row] = max((rights[row], shares[row]), judged)
    return rights, shares


def _best(right: Array, shares: Array, rows: Array, counts: Array) -> tuple[list[bool], list[float]]:
    """Choose the best pair of each row; (False, 0.0) where there is none."""
    some = counts > 0
    best = np.lexsort((shares, right, rows))[np.cumsum(counts)[some] - 1]
    rights, greatest = np.zeros(len(counts), dtype=np.bool_), np.zeros(len(counts))
    rights[some], greatest[some] = right[best], shares[best]
    return rights.tolist(), greatest.tolist()


def _batches(*lengths: Sequence[int]) -> Iterator[slice]:
    """Cut columns of texts of these lengths into batches."""
    start = characters = 0
    for end, several in enumerate(zip(*lengths, strict=True), 1):
        characters += sum(several)
        if characters >= _CHARACTERS or end - start == _PAIRS:
            yield slice(start, end)
            start, characters = end, 0
    if start < len(lengths[0]):
        yield slice(start, len(lengths[0]))


def _judge(reference: str, given: Text, question: str | None, threshold: float, language: str) -> tuple[bool, float]:
    wanted = read(reference, language)
    asked = None if question is None else read(question, language)
    _, share, reason = judge(wanted, given, content_words(wanted, asked), threshold, asked)
    return not reason, share
