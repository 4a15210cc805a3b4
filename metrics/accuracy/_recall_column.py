"""Token recall of columns: most pairs are decided in bulk on arrays, the others by `judge` one by one.

Shares and decisions are those of `recall`, the slow and obvious counterpart.
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

# The most pairs of a batch, and about the most characters: its arrays fit into the caches of a processor.
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
        references: The right answers to each question.
        questions: The questions, one per prediction; their words do not count.
        threshold: The least share of the words, 0 to 1.
        language: "en", or "none" for no rules of any language.

    Returns:
        Whether each prediction is right, and the greatest share, 0 to 1, of the references with that result.
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
    accepted = list(chain.from_iterable(references))
    counts = np.fromiter(map(len, references), np.int64, len(references))
    row_of = np.repeat(np.arange(len(references)), counts).tolist()
    given = [predictions[row] for row in row_of]
    asked = None if questions is None else [questions[row] for row in row_of]
    right, shares = np.zeros(len(row_of), dtype=np.bool_), np.empty(len(row_of))
    vocabulary = Vocabulary(english=language == "en")
    for batch in _batches(given, accepted):
        pairs = Pairs(vocabulary, vocabulary.read(given[batch]), vocabulary.read(accepted[batch]))
        if asked is not None:
            pairs.exclude_questions(vocabulary.read(asked[batch]))
        right[batch], shares[batch] = decide(pairs, threshold)
    best_right, best_shares = _best(right, np.nan_to_num(shares), counts)
    row, text = -1, read("", language)
    for pair in np.flatnonzero(np.isnan(shares)).tolist():
        if not best_right[row_of[pair]] or best_shares[row_of[pair]] < 1.0:
            if row_of[pair] != row:
                row, text = row_of[pair], Text(given[pair], english=language == "en")
            judged = _judge(accepted[pair], text, None if asked is None else asked[pair], threshold, language)
            best_right[row], best_shares[row] = max((best_right[row], best_shares[row]), judged)
    return best_right, best_shares


def _best(right: Array, shares: Array, counts: Array) -> tuple[list[bool], list[float]]:
    """Choose the best reference of each prediction: a right one if there is any, then the greatest share.

    Args:
        right: Whether each pair is right, shape (pairs,), bool.
        shares: The share of each pair, shape (pairs,).
        counts: The number of pairs of each prediction, shape (predictions,).

    Returns:
        Whether a pair is right, and the share of the best, one per prediction; False and 0.0 without any pair.
    """
    some = counts > 0
    best_right, best_shares = np.zeros(len(counts), dtype=np.bool_), np.zeros(len(counts))
    if some.any():
        starts = (np.cumsum(counts) - counts)[some]
        best_right[some] = np.logical_or.reduceat(right, starts)
        eligible = right == np.repeat(best_right, counts)
        best_shares[some] = np.maximum.reduceat(np.where(eligible, shares, 0.0), starts)
    return best_right.tolist(), best_shares.tolist()


def _batches(predictions: Sequence[str], references: Sequence[str]) -> Iterator[slice]:
    """Split pairs into batches of limited size."""
    characters = sum(np.fromiter(map(len, texts), np.int64, len(texts)) for texts in (predictions, references))
    ends = np.cumsum(characters)
    start = 0
    while start < len(predictions):
        limit = _CHARACTERS + (ends[start - 1] if start else 0)
        end = min(int(np.searchsorted(ends, limit)) + 1, start + _PAIRS, len(predictions))
        yield slice(start, end)
        start = end


def _judge(
    reference: str, prediction: Text, question: str | None, threshold: float, language: str
) -> tuple[bool, float]:
    wanted = read(reference, language)
    asked = None if question is None else read(question, language)
    _, share, reason = judge(wanted, prediction, content_words(wanted, asked), threshold, asked)
    return not reason, share
