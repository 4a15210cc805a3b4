"""How an answer is matched with its references: extraction, numbers, equality, phrases, token recall, similarity."""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field
from functools import partial
from itertools import chain
from itertools import compress
from itertools import count
from operator import ne
from typing import Any

import numpy as np

from ._answer_normalizers import Normalizer
from ._answer_normalizers import normalize_answers
from ._character_weights import sums_of_texts
from ._contains import contains_column
from ._contains import contains_phrase
from ._extraction import Extract
from ._extraction import extract_column
from ._garbage import collector_paused
from ._normalization import normalize_column
from ._numbers import same_number
from ._recall_column import recall_column
from ._similarity import EXACT_SCORERS
from ._similarity import Scorer
from ._similarity import best_similarities
from ._strings import map_strings

References = list[str] | list[list[str]]

CREDIT = {"exact": 1, "contains": 1, "recall": 1, "value": 1, "fuzzy": 1, "unextracted": 0, "none": 0}
"""Whether each type of match counts."""


@dataclass(frozen=True, kw_only=True)
class Matching:
    """The rules of one call; the names are those of the metric's options."""

    case_sensitive: bool = False
    normalize_text: bool = True
    normalizer: Normalizer = None
    match: str = "equal"
    recall_threshold: float = 0.5
    language: str = "en"
    scorer: Scorer | None = None
    """The similarity of fuzzy matching, None for no fuzzy matching."""
    fuzzy_threshold: float = 0.8
    by_value: bool = False
    numeric_tolerance: float = 0.0
    extract: Extract = None

    @property
    def needs_forms(self) -> bool:
        """Whether every text is normalized; else only those that may be equal."""
        by_form = self.match == "contains" and not self.normalize_text
        return self.normalizer is not None or self.scorer is not None or self.by_value or by_form


@dataclass
class Matches:
    """What was found, one value per example in each list."""

    types: list[str]
    """The keys of `CREDIT`."""
    similarities: list[float] = field(default_factory=list)
    """The best similarity to any reference, 0 to 1; with a scorer only."""
    recalls: list[float] = field(default_factory=list)
    """The share of the reference's words that is found, 0 to 1; with token recall only."""
    extracted: list[str | None] = field(default_factory=list)
    """The answer inside the prediction, or None; with extraction only."""


def normalized(
    texts: list[str], *, case_sensitive: bool = False, normalize_text: bool = True, normalizer: Normalizer = None
) -> list[str]:
    """Normalize texts by the built-in rules, by named ones, or by a function of the user's."""
    if normalizer is None:
        return normalize_column(texts, case_sensitive=case_sensitive, normalize_text=normalize_text)
    return normalize_answers(texts, normalizer)


def match_answers(
    predictions: list[str], references: References, questions: list[str] | None = None, rules: Matching | None = None
) -> Matches:
    """Match predictions with their references.

    Args:
        predictions: One text per example.
        references: One text per example, or several.
        questions: What was asked; for token recall.
        rules: The defaults if left out.

    Returns:
        The type of match of each example, and the details that the rules call for.
    """
    rules = rules or Matching()
    if rules.extract is None:
        return _match_texts(predictions, references, questions, rules)
    extracted = extract_column(predictions, rules.extract)
    present = [answer is not None for answer in extracted]
    some = _match_texts(
        [answer for answer in extracted if answer is not None],
        list(compress(references, present)),  # type: ignore[arg-type]  # a column keeps its form
        None if questions is None else list(compress(questions, present)),
        rules,
    )
    matches = Matches(["unextracted"] * len(present), extracted=extracted)
    _spread(some.types, matches.types, present)
    if rules.scorer:
        matches.similarities = _spread(some.similarities, [0.0] * len(present), present)
    if rules.match == "recall":
        matches.recalls = _spread(some.recalls, [0.0] * len(present), present)
    return matches


def _spread(values: list[Any], into: list[Any], chosen: list[bool]) -> list[Any]:
    """Write values to the chosen places of a list."""
    for index, value in zip(compress(count(), chosen), values, strict=True):
        into[index] = value
    return into


def _match_texts(
    predictions: list[str], references: References, questions: list[str] | None, rules: Matching
) -> Matches:
    """Match texts, without extraction.

    What is equal as it stands is equal in every form, so the built-in rules are spared it: half the work on the answers
    of a good model.
    """
    several = bool(references) and isinstance(references[0], list)
    if callable(rules.normalizer):  # it sees every text
        unequal = [True] * len(predictions)
    elif several:
        unequal = [one not in accepted for one, accepted in zip(predictions, references, strict=True)]
    else:
        unequal = list(map(ne, predictions, references))
    matches = Matches(["exact"] * len(predictions))
    found = _match_unequal(
        list(compress(predictions, unequal)),
        list(compress(references, unequal)),  # type: ignore[arg-type]  # a column keeps its form
        None if questions is None else list(compress(questions, unequal)),
        rules,
    )
    _spread(found.types, matches.types, unequal)
    if rules.scorer:
        matches.similarities = _spread(found.similarities, [1.0] * len(predictions), unequal)
    if rules.match == "recall":
        matches.recalls = _spread(found.recalls, [1.0] * len(predictions), unequal)
    return matches


def _match_unequal(
    predictions: list[str], references: References, questions: list[str] | None, rules: Matching
) -> Matches:
    form = partial(
        normalized,
        case_sensitive=rules.case_sensitive,
        normalize_text=rules.normalize_text,
        normalizer=rules.normalizer,
    )
    if rules.needs_forms:
        given, wanted = form(predictions), map_strings(form, references)
    else:
        given, wanted = predictions, references
    if callable(rules.normalizer):
        predictions, references = given, wanted
    with collector_paused():
        return _match_forms(predictions, references, given, wanted, questions, rules, form)


def _match_forms(
    predictions: list[str],
    references: References,
    given: list[str],
    wanted: References,
    questions: list[str] | None,
    rules: Matching,
    form: Callable[[list[str]], list[str]],
) -> Matches:
    accepted = _as_lists(references)
    pairs = _Pairs(predictions, accepted, given, accepted if wanted is references else _as_lists(wanted))
    if rules.by_value:
        _match_values(pairs, rules.numeric_tolerance)
    if rules.needs_forms:
        exact = [index for index in pairs.open_places() if given[index] in pairs.wanted[index]]
    else:
        exact = _find_equal_forms(predictions, accepted, form, rules)
    for index in exact:
        pairs.types[index] = "exact"
    matches = Matches(pairs.types)
    if rules.match == "contains":
        _match_phrases(pairs, rules)
    elif rules.match == "recall":
        matches.recalls = _match_words(pairs, questions, rules)
    if rules.scorer:
        matches.similarities = _match_similar(
            pairs, wanted, rules.scorer, rules.fuzzy_threshold, by_value=rules.by_value
        )
    return matches


def _find_equal_forms(
    predictions: list[str], references: list[list[str]], form: Callable[[list[str]], list[str]], rules: Matching
) -> list[int]:
    """List the examples with a reference of the same form; texts of different sums need not be normalized."""
    sums = partial(sums_of_texts, case_sensitive=rules.case_sensitive, normalize_text=rules.normalize_text)
    owners = np.repeat(np.arange(len(references)), np.fromiter(map(len, references), np.int64, len(references)))
    flat = list(chain.from_iterable(references))
    alike = np.flatnonzero(sums(predictions)[owners] == sums(flat))
    rows = owners[alike].tolist()
    given, wanted = form([predictions[row] for row in rows]), form([flat[place] for place in alike.tolist()])
    return [row for row, one, other in zip(rows, given, wanted, strict=True) if one == other]


def _as_lists(references: References) -> list[list[str]]:
    single = bool(references) and isinstance(references[0], str)
    return [[one] for one in references] if single else references  # type: ignore[list-item, return-value]


class _Pairs:
    """Predictions with those of their references that are still to be compared, as given and normalized."""

    def __init__(
        self, predictions: list[str], references: list[list[str]], given: list[str], wanted: list[list[str]]
    ) -> None:
        self.predictions, self.references = predictions, references
        self.given, self.wanted = given, wanted
        self.types = ["none"] * len(predictions)

    def open_places(self) -> list[int]:
        """List the examples that are not decided."""
        return [index for index, kind in enumerate(self.types) if kind == "none" and self.wanted[index]]


def _match_values(pairs: _Pairs, tolerance: float) -> None:
    """Decide by value where both sides are one number; such a reference is not compared as text any more."""
    references, wanted = [], []
    for index, prediction in enumerate(pairs.predictions):
        same = [same_number(prediction, one, tolerance=tolerance) for one in pairs.references[index]]
        if True in same:
            equal = {form for form, one in zip(pairs.wanted[index], same, strict=True) if one}
            pairs.types[index] = "exact" if pairs.given[index] in equal else "value"
        undecided = [one is None for one in same]
        references.append(list(compress(pairs.references[index], undecided)))
        wanted.append(list(compress(pairs.wanted[index], undecided)))
    pairs.references, pairs.wanted = references, wanted


def _match_phrases(pairs: _Pairs, rules: Matching) -> None:
    places = pairs.open_places()
    if rules.normalizer is None and rules.normalize_text:
        found = contains_column(
            [pairs.predictions[index] for index in places],
            [pairs.references[index] for index in places],
            case_sensitive=rules.case_sensitive,
        )
    else:
        found = [any(contains_phrase(one, pairs.given[index]) for one in pairs.wanted[index]) for index in places]
    for index in compress(places, found):
        pairs.types[index] = "contains"


def _match_words(pairs: _Pairs, questions: list[str] | None, rules: Matching) -> list[float]:
    places = pairs.open_places()
    rights, shares = recall_column(
        [pairs.predictions[index] for index in places],
        [pairs.references[index] for index in places],
        questions=None if questions is None else [questions[index] for index in places],
        threshold=rules.recall_threshold,
        language=rules.language,
    )
    recalls = [float(kind != "none") for kind in pairs.types]
    for index, right, share in zip(places, rights, shares, strict=True):
        recalls[index] = share
        if right:
            pairs.types[index] = "recall"
    return recalls


def _match_similar(
    pairs: _Pairs, wanted: References, scorer: Scorer, threshold: float, *, by_value: bool
) -> list[float]:
    similarities = [1.0] * len(pairs.types)
    unequal = [index for index, kind in enumerate(pairs.types) if kind != "exact"]
    slack = 0.0 if scorer in EXACT_SCORERS else 1e-12
    compared: list[Any] = [wanted[index] for index in unequal]
    if by_value:
        # Those that are compared as text; all where numbers decide, so that a value is reported.
        compared = [pairs.wanted[index] or one for index, one in zip(unequal, _as_lists(compared), strict=True)]
    for index, similarity in zip(
        unequal, best_similarities([pairs.given[index] for index in unequal], compared, scorer), strict=True
    ):
        similarities[index] = similarity
        if similarity >= threshold - slack and pairs.types[index] == "none" and pairs.wanted[index]:
            pairs.types[index] = "fuzzy"
    return similarities
