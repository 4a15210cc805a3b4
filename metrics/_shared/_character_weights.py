"""Character weights whose sum over a text is invariant under normalization.

The weight is 0 if normalization can remove or insert the character (punctuation, whitespace, invisible and combining
marks), else the sum of the weights of its case-folded decomposition. Texts with different sums have different
normalized forms.
"""

import functools
import unicodedata
import zlib
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from ._normalization import is_invisible
from ._punctuation import is_mark

_Array = np.ndarray[Any, Any]

_BATCH_TEXTS = 1 << 10


def sums_of_texts(texts: Sequence[str], *, case_sensitive: bool, normalize_text: bool) -> _Array:
    """Return the sum of the weights of the characters of each text, shape (texts,), uint32, modulo 2**32.

    Args:
        texts: Any strings without lone surrogates.
        case_sensitive: As in `normalize`.
        normalize_text: As in `normalize`.
    """
    weights = character_weights(case_sensitive, normalize_text)
    sums = np.empty(len(texts), dtype=np.uint32)
    for start in range(0, len(texts), _BATCH_TEXTS):
        block = texts[start : start + _BATCH_TEXTS]
        offsets = np.fromiter(accumulate(map(len, block), initial=0), np.int64, len(block) + 1)
        joined = "".join(block)
        if joined.isascii():
            summands = weights.of_bytes(np.frombuffer(joined.encode(), dtype=np.uint8))
        else:
            summands = weights.of(np.frombuffer(joined.encode("utf-32-le"), dtype=np.uint32))
        sums[start : start + len(block)] = segment_sums(summands, offsets)
    return sums


def segment_sums(summands: _Array, offsets: _Array) -> _Array:
    """Sum the summands between consecutive offsets, modulo 2**32; shape (offsets - 1,), uint32."""
    totals = np.zeros(len(summands) + 1, dtype=np.uint32)
    np.cumsum(summands, out=totals[1:])
    at = totals.take(offsets)
    sums: _Array = at[1:] - at[:-1]
    return sums


@functools.cache
def character_weights(case_sensitive: bool, normalize_text: bool) -> "CharacterWeights":
    """Return the shared weight table for these rules."""
    return CharacterWeights(case_sensitive=case_sensitive, normalize_text=normalize_text)


class CharacterWeights:
    """The weights of all code points under given rules, computed on first use."""

    def __init__(self, *, case_sensitive: bool, normalize_text: bool) -> None:
        self._case_sensitive, self._normalize_text = case_sensitive, normalize_text
        self._table = np.zeros(0x110000, dtype=np.uint32)
        self._known = np.zeros(0x110000, dtype=np.bool_)
        self._fill(np.arange(128))
        self._of_bytes = self._table[:256].copy()

    def of_bytes(self, data: _Array) -> _Array:
        """Return the weights of the bytes of UTF-8, shape as given, uint32; 0 for those beyond ASCII."""
        weights: _Array = self._of_bytes.take(data, mode="wrap")  # no byte is out of range; checking that takes longer
        return weights

    def of(self, codes: _Array) -> _Array:
        """Return the weights of code points, shape as given, uint32."""
        known = self._known.take(codes)
        if not known.all():
            self._fill(np.unique(codes[~known]))
        weights: _Array = self._table.take(codes)
        return weights

    def _fill(self, codes: _Array) -> None:
        self._table[codes] = [sum(map(self._weigh, self._fold(chr(code)))) % (1 << 32) for code in codes.tolist()]
        self._known[codes] = True

    def _fold(self, text: str) -> str:
        """Decompose and case-fold until nothing changes."""
        folded = unicodedata.normalize("NFKD", text) if self._normalize_text else text
        folded = folded if self._case_sensitive else folded.casefold()
        return text if folded == text else self._fold(folded)

    def _weigh(self, character: str) -> int:
        marks = self._normalize_text and (
            is_mark(character) or is_invisible(character) or unicodedata.category(character)[0] == "M"
        )
        return 0 if marks or character.isspace() else zlib.crc32(character.encode())
