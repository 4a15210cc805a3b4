"""Matching of answers with references: equality, phrases, token recall, numbers by value, similarity.

Pure functions of texts; they need neither evaluate nor datasets. `match_answers` takes columns of texts as they were
given; the functions for phrases and similarities take normalized texts where they say so.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, chain, compress, islice, pairwise, repeat
from operator import ne
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pyarrow as pa
import rapidfuzz
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Indel

from ._columns import collector_paused, is_arrow, to_list
from ._equality import equal_pairs, pays_off
from ._extraction import Extract, extract_column, same_number
from ._normalization import (
    NO_SPACE_SCRIPTS,
    Normalizer,
    is_mark,
    kept_from_run,
    kept_marks,
    normalize_answers,
    normalize_column,
)
from ._options import check_version
from ._recall import recall_column

check_version("rapidfuzz", rapidfuzz.__version__, "3.9")

References = list[str] | list[list[str]] | list[Any]
Scorer = Literal["ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio", "WRatio"]
SCORERS: tuple[Scorer, ...] = get_args(Scorer)

CREDIT = {"exact": 1, "contains": 1, "recall": 1, "value": 1, "fuzzy": 1, "unextracted": 0, "none": 0}
"""Whether each type of match counts."""
_PLACES = {kind: place for place, kind in enumerate(CREDIT)}
_Array: TypeAlias = np.ndarray[Any, Any]


# ---- matching


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
        return self.normalizer is not None or self.scorer is not None or self.by_value or self.searches_forms

    @property
    def searches_forms(self) -> bool:
        """Whether phrases are searched in normalized texts; by the built-in rules, removed marks also part words."""
        return self.match == "contains" and not (self.normalizer is None and self.normalize_text)


@dataclass
class Matches:
    """The results of matching, one value per example in each column."""

    kinds: _Array
    """The place of each match type in `CREDIT`, int8."""
    similarities: _Array
    """The best similarity to any reference, 0 to 1; with a scorer only."""
    recalls: _Array
    """The share of the reference's words that is found, 0 to 1; with token recall only."""
    extracted: list[str | None] = field(default_factory=list)
    """The answer inside the prediction, or None; with extraction only."""

    @property
    def types(self) -> list[str]:
        """The match types, keys of `CREDIT`."""
        names = list(CREDIT)
        return [names[kind] for kind in self.kinds]


def normalized(
    texts: list[Any],
    *,
    case_sensitive: bool = False,
    normalize_text: bool = True,
    normalizer: Normalizer = None,
    name: str = "texts",
) -> list[Any]:
    """Normalize texts, or lists of texts, by the built-in rules, by named rules, or by a user's function.

    Errors of the function call the texts by the name given.
    """
    if normalizer is not None:
        return normalize_answers(texts, normalizer, name)
    rules = {"case_sensitive": case_sensitive, "normalize_text": normalize_text}
    if not texts or isinstance(texts[0], str):
        return normalize_column(texts, **rules)
    forms = iter(normalize_column(list(chain.from_iterable(texts)), **rules))
    return [list(islice(forms, len(several))) for several in texts]


def match_answers(
    predictions: Any, references: Any, questions: list[str] | None = None, rules: Matching | None = None
) -> Matches:
    """Match predictions with their references.

    Args:
        predictions: One text per example, a list; or, like the references, an Arrow array, if nothing is extracted.
        references: One text per example, or several.
        questions: The questions; for token recall.
        rules: The rules; `Matching()` by default.

    Returns:
        The match type of each example, and the details that the rules require.

    Raises:
        ValueError: If the normalizer or the extraction is a function that raises or returns something else than text.
    """
    rules = rules or Matching()
    extracted = [] if rules.extract is None else extract_column(predictions, rules.extract)
    answers: Any = extracted or predictions
    # Equal texts have equal normalized forms, so only the others are normalized: half the work on the answers of a good
    # model. A user's function is called for every text.
    if callable(rules.normalizer):
        unequal = np.ones(len(answers), dtype=np.bool_)
    elif is_arrow(answers) or is_arrow(references):
        exact = rules.normalizer is not None or rules.by_value
        case = {"case_sensitive": rules.case_sensitive, "normalize_text": rules.normalize_text}
        unequal = ~equal_pairs(answers, references, exact=exact, **case)
    else:
        unequal = np.array(_find_unequal(answers, references), dtype=np.bool_)
    absent = np.array([answer is None for answer in extracted], dtype=np.bool_)
    if extracted:
        unequal &= ~absent
    chosen = unequal.tolist()
    asked = None if questions is None else _take(questions, chosen)
    found = _match_texts(_take(answers, chosen), _take(references, chosen), asked, rules)
    matches = Matches(
        kinds=np.full(len(answers), _PLACES["exact"], dtype=np.int8),
        similarities=np.ones(len(answers) if rules.scorer else 0),
        recalls=np.ones(len(answers) if rules.match == "recall" else 0),
        extracted=extracted,
    )
    for column, values, lacking in (
        (matches.kinds, found.kinds, _PLACES["unextracted"]),
        (matches.similarities, found.similarities, 0.0),
        (matches.recalls, found.recalls, 0.0),
    ):
        if len(column):
            column[unequal] = values
            column[absent if extracted else []] = lacking
    return matches


def _take(column: Any, chosen: list[bool]) -> list[Any]:
    """Return the chosen values of a column as a list."""
    if not is_arrow(column):
        return list(compress(column, chosen))
    if pa.types.is_nested(column.type):  # Arrow cannot filter lists of string views
        return list(compress(to_list("texts", column), chosen))
    return to_list("texts", column.filter(pa.array(chosen)))


def _decide(kind: str, verdicts: Iterable[bool], rows: list[int], types: list[str]) -> None:
    """Give the rows with a positive verdict this match type."""
    for row in compress(rows, verdicts):
        types[row] = kind


def _match_texts(
    predictions: list[str], references: References, questions: list[str] | None, rules: Matching
) -> Matches:
    """Match texts without extraction."""
    by_form = rules.needs_forms or not pays_off(predictions)
    forms, accepted_forms = predictions, references
    if by_form:
        options = {name: getattr(rules, name) for name in ("case_sensitive", "normalize_text", "normalizer")}
        # For the messages of errors, which count only the rows that are compared.
        given, accepted = "predictions", "references"
        if rules.extract is not None:
            given, accepted = "extracted predictions", "references of extracted predictions"
        forms = normalized(predictions, **options, name=given)
        accepted_forms = normalized(references, **options, name=accepted)
    if callable(rules.normalizer):
        predictions, references = forms, accepted_forms
    with collector_paused():
        return _match_forms(predictions, references, forms, accepted_forms, questions, rules, by_form=by_form)


def _is_nested(references: References) -> bool:
    return bool(references) and isinstance(references[0], list)


def _as_lists(references: References) -> list[Any]:
    return references if _is_nested(references) else [[text] for text in references]


def _find_unequal(texts: list[Any], references: References) -> list[bool]:
    """Return for each text whether it differs from its reference, or from each of its references."""
    if _is_nested(references):
        return [text not in accepted for text, accepted in zip(texts, references, strict=True)]
    return list(map(ne, texts, references))


def _match_forms(
    predictions: list[str],
    references: References,
    forms: list[str],
    accepted_forms: References,
    questions: list[str] | None,
    rules: Matching,
    *,
    by_form: bool,
) -> Matches:
    """Match texts by one rule after the other; each decides some of the examples that are still undecided.

    Args:
        predictions: The texts to compare.
        references: The acceptable texts of each.
        forms: The normalized predictions if `by_form`, and otherwise unused.
        accepted_forms: The same for the references.
        questions: The questions; for token recall.
        rules: The rules.
        by_form: Whether the texts were normalized; if not, only those that may be equal are normalized here.
    """
    types = ["none"] * len(predictions)
    compared = accepted_forms
    if rules.by_value:
        lists, lists_of_forms = _as_lists(references), _as_lists(accepted_forms)
        types, is_text = _match_values(predictions, lists, forms, lists_of_forms, rules.numeric_tolerance)
        references, accepted_forms = (
            [list(compress(several, kept)) for several, kept in zip(column, is_text, strict=True)]
            for column in (lists, lists_of_forms)
        )
        # References that are compared by value are not similar; all are, if none is left, to report a similarity.
        compared = [left or several for left, several in zip(accepted_forms, lists_of_forms, strict=True)]

    if by_form:
        unequal = _find_unequal(forms, accepted_forms)
    else:
        case = {"case_sensitive": rules.case_sensitive, "normalize_text": rules.normalize_text}
        unequal = (~equal_pairs(predictions, references, **case)).tolist()
    if rules.by_value:
        types = [kind if other or kind != "none" else "exact" for other, kind in zip(unequal, types, strict=True)]
    else:
        types = ["none" if other else "exact" for other in unequal]
    similarities, recalls = np.empty(0), np.empty(0)
    rows = []
    if rules.match != "equal":
        rows = [row for row, kind in enumerate(types) if kind == "none" and references[row] != []]
    if rules.searches_forms:
        phrases = _as_lists([accepted_forms[row] for row in rows])
        found = [
            any(contains_phrase(phrase, forms[row]) for phrase in several)
            for row, several in zip(rows, phrases, strict=True)
        ]
        _decide("contains", found, rows, types)
    elif rules.match == "contains":
        several = _as_lists([references[row] for row in rows])
        found = contains_column([predictions[row] for row in rows], several, case_sensitive=rules.case_sensitive)
        _decide("contains", found, rows, types)
    elif rules.match == "recall":
        recalls = np.array([kind != "none" for kind in types], dtype=np.float64)
        found, shares = recall_column(
            [predictions[row] for row in rows],
            _as_lists([references[row] for row in rows]),
            questions=None if questions is None else [questions[row] for row in rows],
            threshold=rules.recall_threshold,
            language=rules.language,
        )
        recalls[rows] = shares
        _decide("recall", found, rows, types)
    if rules.scorer:
        unequal = [kind != "exact" for kind in types]
        rows = list(compress(range(len(types)), unequal))
        best = best_similarities(list(compress(forms, unequal)), list(compress(compared, unequal)), rules.scorer)
        similarities = np.ones(len(types))
        similarities[rows] = best
        # RapidFuzz rounds the values of the other scorers.
        similar = best >= rules.fuzzy_threshold - (0.0 if rules.scorer in EXACT_SCORERS else 1e-12)
        if rules.by_value or rules.match != "equal" or _is_nested(references):
            similar &= np.array([types[row] == "none" and references[row] != [] for row in rows], dtype=np.bool_)
        _decide("fuzzy", similar.tolist(), rows, types)
    return Matches(np.fromiter(map(_PLACES.__getitem__, types), np.int8, len(types)), similarities, recalls)


def _match_values(
    predictions: list[str],
    references: list[list[str]],
    forms: list[str],
    accepted_forms: list[list[str]],
    tolerance: float,
) -> tuple[list[str], list[list[bool]]]:
    """Compare by value where both sides are a single number.

    Returns:
        The type of each example: "exact", "value" or "none"; and which of its references are to be compared as text.
    """
    types, is_text = [], []
    for prediction, several, form, several_forms in zip(predictions, references, forms, accepted_forms, strict=True):
        same = [same_number(prediction, reference, tolerance=tolerance) for reference in several]
        equal = [accepted for accepted, verdict in zip(several_forms, same, strict=True) if verdict]
        types.append("exact" if form in equal else "value" if equal else "none")
        is_text.append([verdict is None for verdict in same])
    return types, is_text


# ---- similarity

EXACT_SCORERS = frozenset({"ratio", "token_sort_ratio"})
"""Scorers whose values are one division of integers; RapidFuzz rounds the values of the others."""


def pairwise_similarities(first: list[str], second: list[str], scorer: Scorer = "ratio") -> _Array:
    """Return the similarity, 0 to 1, of each text to the text with the same index in the other list; shape (texts,).

    "ratio" is 2 LCS / (sum of both lengths), by one division of integers, so that a value equal to a threshold compares
    as equal. RapidFuzz's value, 1 - distance / length, has rounding errors.
    """
    if scorer == "token_sort_ratio":
        first = [" ".join(sorted(text.split())) for text in first]
        second = [" ".join(sorted(text.split())) for text in second]
    if scorer in EXACT_SCORERS:
        distances = process.cpdist(first, second, scorer=Indel.distance, dtype=np.int64)
        lengths = np.fromiter(map(len, first), np.int64) + np.fromiter(map(len, second), np.int64)
        lengths = np.maximum(lengths, 1)
        values: _Array = (lengths - distances) / lengths
    else:
        values = process.cpdist(first, second, scorer=getattr(fuzz, scorer), dtype=np.float64) / 100
    return values


def best_similarities(predictions: list[str], references: References, scorer: Scorer = "ratio") -> _Array:
    """Return the similarity, 0 to 1, of each prediction to its reference, or to the most similar of several."""
    if not _is_nested(references):
        return pairwise_similarities(predictions, references, scorer)  # type: ignore[arg-type]
    counts = list(map(len, references))
    repeated = list(chain.from_iterable(map(repeat, predictions, counts)))
    each = pairwise_similarities(repeated, list(chain.from_iterable(references)), scorer)
    best: _Array = np.maximum.reduceat(each, [0, *accumulate(counts[:-1])])
    return best


# ---- phrases in a longer answer
#
# Marks that normalization removes are word boundaries here: "Answer:33" contains "33", and "<answer>Paris</answer>"
# contains "Paris". A reference is also found if it occurs in the normalized answer ("U.S.A." contains "USA"), except
# that an apostrophe never joins words.

_NO_SPACE = re.compile(f"[{NO_SPACE_SCRIPTS}]")
_APOSTROPHES = str.maketrans(dict.fromkeys("'\u2018\u2019\u02bc\uff07`\u00b4", " "))
# A footnote number: superscript, or copied as plain digits at the end of a clause ("Haryana1.", "in 19921.").
_SUPERSCRIPTS = r"\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
# The conditions before the superscripts try a run of them once, not from each of its characters.
_FOOTNOTE = re.compile(
    rf"(?:(?<=[^\s{_SUPERSCRIPTS}])|(?<=\s[{_SUPERSCRIPTS}])|(?<=\A[{_SUPERSCRIPTS}]))[{_SUPERSCRIPTS}]++(?!\w)"
    r"|(?:(?<=[^\W\d_]{3})|(?<=(?<!\w)[12]\d\d\d))\d{1,2}(?=[.,;:!?)]+(?:\s|\Z))"
)
# Matches to search for by str.find before switching to the algorithm with guaranteed linear time.
_QUICK_TRIES = 8


@lru_cache(256)
def _runs_of(marks: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(marks)}]+")


def with_word_boundaries(text: str) -> str:
    """Replace every run of marks that normalization removes by a space; marks that it keeps stay (3.5, -5, C++)."""
    marks = "".join(sorted(filter(is_mark, set(text))))
    if not marks:
        return text

    def replace(run: re.Match[str]) -> str:
        start, end = run.span()
        found = run.group()
        kept = kept_from_run(found, text[start - 1] if start else "", text[end : end + 1]).strip()
        if not kept or kept == found:
            return kept or " "
        return f"{kept} " if kept[0] in "+#" else f" {kept}"

    return _runs_of(marks).sub(replace, text)


def contains_phrase(reference: str, prediction: str) -> bool:
    """Return whether a prediction contains a reference with no letter, digit or kept mark on either side.

    In scripts without spaces it may occur anywhere. Linear in both lengths.

    Args:
        reference: The normalized reference.
        prediction: The normalized prediction.
    """
    kept: set[int] | None = None
    for start in _occurrences(reference, prediction):
        end = start + len(reference)
        sides = ((start, start - 1), (end - 1, end))
        if any(0 <= outside < len(prediction) and is_mark(prediction[outside]) for _, outside in sides):
            kept = kept_marks(prediction) if kept is None else kept
        if all(_is_boundary(prediction, inside, outside, kept or set()) for inside, outside in sides):
            return True
    return False


def _is_boundary(text: str, inside: int, outside: int, kept: set[int]) -> bool:
    """Return whether a word boundary separates the character inside a phrase from its neighbor outside."""
    if not 0 <= outside < len(text):
        return True
    kind = unicodedata.category(text[outside])[0]
    if kind == "M" and outside > inside:
        return False  # a vowel sign or accent belongs to the letter before it
    if kind in {"L", "N", "M"}:
        return bool(_NO_SPACE.match(text[outside]) or _NO_SPACE.match(text[inside]))
    return outside not in kept


def _occurrences(part: str, text: str) -> Iterator[int]:
    """Yield the start of every occurrence of a part in a text, including overlapping ones."""
    if not part:
        return
    start = text.find(part)
    for _ in range(_QUICK_TRIES):
        if start < 0:
            return
        yield start
        start = text.find(part, start + 1)
    if start >= 0:
        yield from _occurrences_from(part, text, start)


def _occurrences_from(part: str, text: str, start: int) -> Iterator[int]:
    """Do the same from an index on by Knuth-Morris-Pratt: str.find takes quadratic time on texts such as "a" * n."""
    borders = [0] * len(part)
    length = 0
    for index in range(1, len(part)):
        while length and part[index] != part[length]:
            length = borders[length - 1]
        length += part[index] == part[length]
        borders[index] = length
    length = 0
    for index in range(start, len(text)):
        while length and (length == len(part) or text[index] != part[length]):
            length = borders[length - 1]
        length += text[index] == part[length]
        if length == len(part):
            yield index - length + 1


class Containers:
    """The normalized forms of a column of texts to search for phrases, each computed on first use."""

    def __init__(self, texts: list[str], *, case_sensitive: bool) -> None:
        self._texts, self._case_sensitive = texts, case_sensitive

    def _normalized(self, texts: list[str]) -> list[str]:
        return normalize_column(texts, case_sensitive=self._case_sensitive)

    @cached_property
    def split_at_marks(self) -> list[str]:
        """Forms in which removed marks are word boundaries."""
        return self._normalized(list(map(with_word_boundaries, self._texts)))

    @cached_property
    def without_footnotes(self) -> list[str]:
        """The same without footnote numbers at the end of words."""
        forms = list(self.split_at_marks)
        affected = [index for index, text in enumerate(self._texts) if _FOOTNOTE.search(text)]
        stripped = [with_word_boundaries(_FOOTNOTE.sub(" ", self._texts[index])) for index in affected]
        for index, form in zip(affected, self._normalized(stripped), strict=True):
            forms[index] = form
        return forms

    @cached_property
    def joined_at_marks(self) -> list[str]:
        """Forms in which removed marks leave nothing, except that apostrophes are word boundaries."""
        return self._normalized([text.translate(_APOSTROPHES) for text in self._texts])


def contains_column(predictions: list[str], references: list[list[str]], *, case_sensitive: bool) -> list[bool]:
    """Return for each prediction whether it contains one of its references.

    Args:
        predictions: The predictions, not normalized.
        references: The acceptable references of each.
        case_sensitive: Respect letter case.
    """
    answers = Containers(predictions, case_sensitive=case_sensitive)
    phrases = Containers(list(chain.from_iterable(references)), case_sensitive=case_sensitive)
    result = []
    for index, (start, end) in enumerate(pairwise(accumulate(map(len, references), initial=0))):
        result.append(
            any(
                contains_phrase(phrases.split_at_marks[number], answers.split_at_marks[index])
                or contains_phrase(phrases.joined_at_marks[number], answers.joined_at_marks[index])
                or contains_phrase(phrases.split_at_marks[number], answers.without_footnotes[index])
                for number in range(start, end)
            )
        )
    return result
