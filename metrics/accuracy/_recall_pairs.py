"""Pairs of a prediction and a reference as arrays of tokens, and which words of the references are found."""

from functools import cached_property

import numpy as np

from ._recall_forms import CHOICES
from ._recall_forms import stem
from ._recall_kinds import Kind
from ._recall_text import MOST_PLACES
from ._recall_token_arrays import Array
from ._recall_token_arrays import Tokens
from ._recall_vocabulary import Vocabulary


class Pairs:
    """Pairs of a prediction and a reference, and what is known of them so far."""

    def __init__(self, vocabulary: Vocabulary, predictions: Tokens, references: Tokens) -> None:
        self.vocabulary = vocabulary
        self.predictions, self.references = predictions, references
        self.content = ~references.are(Kind.FUNCTION)
        """Which tokens of the references count, shape (reference tokens,), bool."""
        particles = references.any(self.content & references.are(Kind.SMALL))
        particles &= references.count(references.are(Kind.CAPITAL)) > 1
        self.decidable = references.any(self.content) & ~references.has(Kind.UNUSUAL | Kind.COMPOUND) & ~particles
        """Which pairs may be decided in bulk, shape (pairs,), bool."""

    def exclude_questions(self, questions: Tokens) -> None:
        """Let the words of the questions, one for each pair, not count."""
        references, names = self.references, self.vocabulary.names
        used, inverse = np.unique(np.concatenate([questions.keys, references.keys]), return_inverse=True)
        indices: dict[str, int] = {}
        shorten = stem if self.vocabulary.english else str
        stems = np.array(
            [indices.setdefault(shorten(names[key]), len(indices)) for key in used.tolist()], dtype=np.int64
        )[inverse]
        asked = Tokens(questions.counts, stems[: len(questions.keys)], questions.kinds)
        known = asked.contain(references.rows, stems[len(questions.keys) :])
        known &= self.content & ~references.are(Kind.NUMBER)
        choices = np.isin(questions.keys, self.vocabulary.find_all(CHOICES))
        known &= ~questions.any(choices)[references.rows]
        self.content &= ~known
        self.decidable &= references.any(self.content) & ~questions.has(Kind.NUMBER_WORD)
        self.decidable &= ~references.any(known & references.are(Kind.NUMBER_WORD))

    def take(self, rows: Array) -> "Pairs":
        """Select pairs by their indices, shape (selected,), with what is known of them."""
        taken = Pairs(self.vocabulary, self.predictions.take(rows), self.references.take(rows))
        tokens = self.references.token_indices(rows)
        taken.content, taken.decidable = self.content[tokens], self.decidable[rows]
        taken.found, taken.found_as = self.found[tokens], self.found_as[tokens]
        return taken

    @cached_property
    def found(self) -> Array:
        """Which reference tokens count and are found, shape (reference tokens,), bool.

        At first those that the prediction has as they are, outside of compounds; `_recall_pair_words.py` adds others.
        """
        found = self.content.copy()
        found[found] = self.predictions.contain(
            self.references.rows[found], self.references.keys[found], where=~self.predictions.are(Kind.COMPOUND)
        )
        return found

    @cached_property
    def found_as(self) -> Array:
        """The key in the prediction of each reference token that is found, shape (reference tokens,)."""
        return self.references.keys.copy()

    @property
    def missing(self) -> Array:
        """Which reference tokens count and are not found, shape (reference tokens,), bool."""
        missing: Array = self.content & ~self.found
        return missing

    @cached_property
    def numbers(self) -> Array:
        """Which reference tokens count and are a number or part of one, shape (reference tokens,), bool."""
        numbers: Array = self.content & self.references.are(Kind.NUMBER | Kind.NUMBER_WORD)
        return numbers

    @cached_property
    def keeps_found(self) -> Array:
        """In which pairs all words that are found stay so: no denials, no "West" or "vice"; shape (pairs,), bool."""
        predictions = self.predictions
        prefixes = np.flatnonzero(predictions.are(Kind.PREFIX))
        rows = predictions.rows[prefixes]
        keeps = ~predictions.has(Kind.DENIES)
        keeps &= predictions.count(predictions.are(Kind.COMPOUND)) <= MOST_PLACES
        keeps[rows[~self.references.contain(rows, predictions.keys[prefixes])]] = False
        return keeps
