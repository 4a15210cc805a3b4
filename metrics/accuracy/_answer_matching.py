"""Matching of answers with references: extraction, numbers, equality, phrases, token recall, similarity."""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field
from functools import partial
from itertools import chain
from itertools import compress
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
    """The rules of one call, named after the metric's options."""

    case_sensitive: bool = False
    normalize_text: bool = True
    normalizer: Normalizer = None
    match: str = "equal"
    recall_threshold: float = 0.5
    language: str = "en"
    scorer: Scorer | None = None
    """The similarity of fuzzy matching, or None."""
    fuzzy_threshold: float = 0.8
    by_value: bool = False
    numeric_tolerance: float = 0.0
    extract: Extract = None

    @property
    def needs_forms(self) -> bool:
        """Whether every text must be normalized, not only those that may be equal."""
        by_form = self.match == "contains" and not self.normalize_text
        return self.normalizer is not None or self.scorer is not None or self.by_value or by_form


@dataclass
class Matches:
    """The results of matching, one value per example in each list."""

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
    """Normalize texts by the built-in rules, by named rules, or by a user's function."""
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
        questions: The questions; for token recall.
        rules: The rules; `Matching()` by default.

    Returns:
        The match type of each example, and the details that the rules require.
    """
    rules = rules or Matching()
    if rules.extract is None:
        return _match_texts(predictions, references, questions, rules)
    extracted = extract_column(predictions, rules.extract)
    present = [answer is not None for answer in extracted]
    found = _match_texts(
        [answer for answer in extracted if answer is not None],
        list(compress(references, present)),  # type: ignore[arg-type]  # a column keeps its type
        None if questions is None else list(compress(questions, present)),
        rules,
    )
    matches = Matches(_scatter(found.types, present, "unextracted"), extracted=extracted)
    if rules.scorer:
        matches.similarities = _scatter(found.similarities, present, 0.0)
    if rules.match == "recall":
        matches.recalls = _scatter(found.recalls, present, 0.0)
    return matches


def _scatter(values: list[Any], chosen: list[bool], fill: Any) -> list[Any]:
    """Return a list with the values at the chosen positions, in order, and the fill value at the others."""
    remaining = iter(values)
    return [next(remaining) if is_chosen else fill for is_chosen in chosen]


def _match_texts(
    predictions: list[str], references: References, questions: list[str] | None, rules: Matching
) -> Matches:
    """Match texts, without extraction.

    Equal texts have equal normalized forms, so only unequal ones are normalized: half the work on the answers of a
    good model.
    """
    if callable(rules.normalizer):  # it is called for every text
        unequal = [True] * len(predictions)
    elif references and isinstance(references[0], list):
        unequal = [prediction not in accepted for prediction, accepted in zip(predictions, references, strict=True)]
    else:
        unequal = list(map(ne, predictions, references))
    found = _match_unequal(
        list(compress(predictions, unequal)),
        list(compress(references, unequal)),  # type: ignore[arg-type]  # a column keeps its type
        None if questions is None else list(compress(questions, unequal)),
        rules,
    )
    matches = Matches(_scatter(found.types, unequal, "exact"))
    if rules.scorer:
        matches.similarities = _scatter(found.similarities, unequal, 1.0)
    if rules.match == "recall":
        matches.recalls = _scatter(found.recalls, unequal, 1.0)
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
        prediction_forms, reference_forms = form(predictions), map_strings(form, references)
    else:
        prediction_forms, reference_forms = predictions, references
    if callable(rules.normalizer):
        predictions, references = prediction_forms, reference_forms
    with collector_paused():
        if rules.needs_forms and rules.match == "equal" and not rules.by_value:
            return _compare_forms(prediction_forms, reference_forms, rules)
        return _match_forms(predictions, references, prediction_forms, reference_forms, questions, rules, form)


def _compare_forms(prediction_forms: list[str], reference_forms: References, rules: Matching) -> Matches:
    """Match by normalized forms only: by equality, then by similarity."""
    if reference_forms and isinstance(reference_forms[0], list):
        unequal = [form not in accepted for form, accepted in zip(prediction_forms, reference_forms, strict=True)]
    else:
        unequal = list(map(ne, prediction_forms, reference_forms))
    if rules.scorer is None:
        return Matches(["none" if is_unequal else "exact" for is_unequal in unequal])
    predictions, references = list(compress(prediction_forms, unequal)), list(compress(reference_forms, unequal))
    similarities = best_similarities(predictions, references, rules.scorer)
    lowest = _lowest_accepted(rules.scorer, rules.fuzzy_threshold)
    types = ["fuzzy" if similarity >= lowest else "none" for similarity in similarities]
    return Matches(_scatter(types, unequal, "exact"), similarities=_scatter(similarities, unequal, 1.0))


def _lowest_accepted(scorer: Scorer, threshold: float) -> float:
    """Return the lowest similarity that counts as a match, with a tolerance for scorers that round their values."""
    return threshold if scorer in EXACT_SCORERS else threshold - 1e-12


def _match_forms(
    predictions: list[str],
    references: References,
    prediction_forms: list[str],
    reference_forms: References,
    questions: list[str] | None,
    rules: Matching,
    form: Callable[[list[str]], list[str]],
) -> Matches:
    accepted = _as_lists(references)
    pairs = _Pairs(
        predictions,
        accepted,
        prediction_forms,
        accepted if reference_forms is references else _as_lists(reference_forms),
    )
    if rules.by_value:
        _match_values(pairs, rules.numeric_tolerance)
    if rules.needs_forms:
        exact = [index for index in pairs.undecided() if prediction_forms[index] in pairs.reference_forms[index]]
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
            pairs, reference_forms, rules.scorer, rules.fuzzy_threshold, by_value=rules.by_value
        )
    return matches


def _find_equal_forms(
    predictions: list[str], references: list[list[str]], form: Callable[[list[str]], list[str]], rules: Matching
) -> list[int]:
    """Return the examples that equal a reference once normalized; texts with different character sums are skipped."""
    sums = partial(sums_of_texts, case_sensitive=rules.case_sensitive, normalize_text=rules.normalize_text)
    owners = np.repeat(np.arange(len(references)), np.fromiter(map(len, references), np.int64, len(references)))
    flat = list(chain.from_iterable(references))
    candidates = np.flatnonzero(sums(predictions)[owners] == sums(flat))
    rows = owners[candidates].tolist()
    prediction_forms, reference_forms = (
        form([predictions[row] for row in rows]),
        form([flat[index] for index in candidates.tolist()]),
    )
    return [row for row, ours, theirs in zip(rows, prediction_forms, reference_forms, strict=True) if ours == theirs]


def _as_lists(references: References) -> list[list[str]]:
    single = bool(references) and isinstance(references[0], str)
    return [[text] for text in references] if single else references  # type: ignore[list-item, return-value]


class _Pairs:
    """Predictions and the references still to be compared with them, as given and normalized."""

    def __init__(
        self,
        predictions: list[str],
        references: list[list[str]],
        prediction_forms: list[str],
        reference_forms: list[list[str]],
    ) -> None:
        self.predictions, self.references = predictions, references
        self.prediction_forms, self.reference_forms = prediction_forms, reference_forms
        self.types = ["none"] * len(predictions)

    def undecided(self) -> list[int]:
        """Return the indices of undecided examples."""
        return [index for index, kind in enumerate(self.types) if kind == "none" and self.reference_forms[index]]


def _match_values(pairs: _Pairs, tolerance: float) -> None:
    """Compare by value if both sides are a single number; such references are not compared as text."""
    references, reference_forms = [], []
    for index, prediction in enumerate(pairs.predictions):
        same = [same_number(prediction, reference, tolerance=tolerance) for reference in pairs.references[index]]
        if True in same:
            equal = {form for form, is_same in zip(pairs.reference_forms[index], same, strict=True) if is_same}
            pairs.types[index] = "exact" if pairs.prediction_forms[index] in equal else "value"
        undecided = [is_same is None for is_same in same]
        references.append(list(compress(pairs.references[index], undecided)))
        reference_forms.append(list(compress(pairs.reference_forms[index], undecided)))
    pairs.references, pairs.reference_forms = references, reference_forms


def _match_phrases(pairs: _Pairs, rules: Matching) -> None:
    undecided = pairs.undecided()
    if rules.normalizer is None and rules.normalize_text:
        found = contains_column(
            [pairs.predictions[index] for index in undecided],
            [pairs.references[index] for index in undecided],
            case_sensitive=rules.case_sensitive,
        )
    else:
        found = [
            any(contains_phrase(form, pairs.prediction_forms[index]) for form in pairs.reference_forms[index])
            for index in undecided
        ]
    for index in compress(undecided, found):
        pairs.types[index] = "contains"


def _match_words(pairs: _Pairs, questions: list[str] | None, rules: Matching) -> list[float]:
    undecided = pairs.undecided()
    verdicts, shares = recall_column(
        [pairs.predictions[index] for index in undecided],
        [pairs.references[index] for index in undecided],
        questions=None if questions is None else [questions[index] for index in undecided],
        threshold=rules.recall_threshold,
        language=rules.language,
    )
    recalls = [float(kind != "none") for kind in pairs.types]
    for index, right, share in zip(undecided, verdicts, shares, strict=True):
        recalls[index] = share
        if right:
            pairs.types[index] = "recall"
    return recalls


def _match_similar(
    pairs: _Pairs, reference_forms: References, scorer: Scorer, threshold: float, *, by_value: bool
) -> list[float]:
    similarities = [1.0] * len(pairs.types)
    unequal = [index for index, kind in enumerate(pairs.types) if kind != "exact"]
    lowest = _lowest_accepted(scorer, threshold)
    compared: list[Any] = [reference_forms[index] for index in unequal]
    if by_value:
        # The references that are compared as text; all if none is, so that a similarity is reported.
        compared = [
            pairs.reference_forms[index] or forms for index, forms in zip(unequal, _as_lists(compared), strict=True)
        ]
    for index, similarity in zip(
        unequal, best_similarities([pairs.prediction_forms[index] for index in unequal], compared, scorer), strict=True
    ):
        similarities[index] = similarity
        if similarity >= lowest and pairs.types[index] == "none" and pairs.reference_forms[index]:
            pairs.types[index] = "fuzzy"
    return similarities
