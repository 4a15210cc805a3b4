"""Accuracy: which share of the answers is right, after normalisation, optionally forgiving typos?"""

import math
import re
import unicodedata
from collections.abc import Callable
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from functools import partial
from itertools import compress
from itertools import count
from operator import eq
from operator import ne
from types import SimpleNamespace
from typing import Any
from typing import Literal

import evaluate
import rapidfuzz

from ._ascii_normalization import strip_ascii as strip_ascii
from ._columns import Answers
from ._columns import Texts
from ._columns import call_for_each
from ._columns import map_texts
from ._intervals import proportion_interval
from ._normal_form import normal_form as normal_form
from ._normalization import NORMALIZATION_VERSION
from ._normalization import normalize_column
from ._options import Choice
from ._options import Flag
from ._options import Function
from ._options import Integer
from ._options import Number
from ._options import qualified_name
from ._punctuation import is_mark
from ._punctuation import kept_marks
from ._scoring import Scoring
from ._scoring import tally
from ._similarity import EXACT_SCORERS
from ._similarity import Scorer
from ._similarity import best_similarities
from ._unicode_scripts import NO_SPACE_SCRIPTS
from ._version import VERSION

_DESCRIPTION = """
Accuracy is the share of predictions that equal their reference, or one of their references, after both are normalised:
case, punctuation and extra spaces do not count, while numbers keep their value. With `fuzzy_match=True` a prediction
that is nearly equal, by a similarity of RapidFuzz, counts too.
"""

_CITATION = """\
@software{rapidfuzz,
  author = {Max Bachmann},
  title = {RapidFuzz},
  url = {https://github.com/rapidfuzz/RapidFuzz}
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): The answers to score.
    references (list of str, or list of lists of str): The right answer for each, or several acceptable ones for each.
    case_sensitive (bool): Respect letter case. Defaults to False.
    normalize_text (bool): Remove punctuation and extra spaces; False only strips the surrounding white space.
        Defaults to True.
    fuzzy_match (bool): Where a prediction equals no reference, accept one that is similar enough. Defaults to False.
    fuzzy_threshold (float, 0 to 1): The least similarity that counts as a fuzzy match, and the score that such a match
        has among the individual scores. Defaults to 0.8.
    fuzzy_scorer (str): RapidFuzz's similarity: "ratio" (letters that both have in the same order), "partial_ratio" (the
        best part of the longer text), "token_sort_ratio" (words in any order), "token_set_ratio" (a subset of the words
        is enough), "WRatio" (the best of these, weighted). Defaults to "ratio".
    match (str): "equal", or "contains": a prediction is right too if a reference stands in it as a whole word or
        phrase. Defaults to "equal".
    normalizer (callable): A function from str to str, used instead of the built-in normalisation. Defaults to None.
    return_confidence (bool): Add `accuracy_confidence_interval`. Defaults to True.
    confidence_level (float, between 0 and 1): The level of the interval. Defaults to 0.95.
    confidence_method (str): "wilson", "clopper-pearson" or "bootstrap". Defaults to "wilson".
    return_details (bool): Add the per-example lists. Defaults to True.
    return_signature (bool): Add `signature`, one line that holds everything that can change a score. Defaults to False.
    bootstrap_seed (int): The seed of the resampling. Defaults to 0.

Returns:
    accuracy (float, 0 to 1): `fuzzy_accuracy` with fuzzy matching, else `exact_accuracy`.
    exact_accuracy (float, 0 to 1): The share of exact matches, those by `match="contains"` among them.
    correct (int): How many exact matches.
    fuzzy_accuracy (float, 0 to 1): The share of exact and fuzzy matches; with `fuzzy_match` only.
    correct_fuzzy (int): How many exact and fuzzy matches; with `fuzzy_match` only.
    total (int): How many predictions.
    mean_score (float, 0 to 1): The mean of the individual scores.
    std_score (float): Their population standard deviation.
    individual_scores (list of float): 1.0 for an exact match, `fuzzy_threshold` for a fuzzy one, 0.0 for none.
    match_types (list of str): "exact", "contains", "fuzzy" or "none".
    similarities (list of float, 0 to 1): The best similarity to any reference; with `fuzzy_match` only.
    accuracy_confidence_interval (tuple of two floats): The interval of `accuracy`; with `return_confidence` only.
    signature (str): With `return_signature` only.

Examples:
    >>> import evaluate
    >>> accuracy = evaluate.load("metrics/accuracy")
    >>> result = accuracy.compute(predictions=["Paris!", "London", "Tokyo"], references=["paris", "London", "Berlin"])
    >>> print(round(result["accuracy"], 4), result["correct"], result["match_types"])
    0.6667 2 ['exact', 'exact', 'none']

    Typos are forgiven with fuzzy matching:

    >>> result = accuracy.compute(predictions=["Shakespear"], references=["Shakespeare"], fuzzy_match=True)
    >>> print(result["accuracy"], result["match_types"], round(result["similarities"][0], 3))
    1.0 ['fuzzy'] 0.952

    Several acceptable answers, and scalars only:

    >>> accuracy.compute(predictions=["NYC"], references=[["New York", "NYC"]], return_details=False,
    ...                  return_confidence=False)
    {'accuracy': 1.0, 'exact_accuracy': 1.0, 'correct': 1, 'total': 1, 'mean_score': 1.0, 'std_score': 0.0}
"""

Normalizer = Callable[[str], str]

_NO_SPACE = re.compile(f"[{NO_SPACE_SCRIPTS}]")


def stands_in(reference: str, prediction: str) -> bool:
    """Say whether a reference stands in a prediction as a whole word or phrase ("Parisian" does not hold "Paris")."""
    kept = cache(partial(kept_marks, prediction))
    start = prediction.find(reference) if reference else -1
    while start >= 0:
        end = start + len(reference)
        if _ends_at(prediction, start, start - 1, kept) and _ends_at(prediction, end - 1, end, kept):
            return True
        start = prediction.find(reference, start + 1)
    return False


def _ends_at(text: str, inside: int, outside: int, kept: Callable[[], set[int]]) -> bool:
    """Say whether a word ends between two neighbours, the character inside of it and the one outside."""
    if not 0 <= outside < len(text):
        return True
    kind = unicodedata.category(text[outside])[0]
    if kind == "M" and outside > inside:
        return False  # a vowel sign or accent belongs to the letter before it
    if kind in {"L", "N", "M"}:
        return bool(_NO_SPACE.match(text[outside]) or _NO_SPACE.match(text[inside]))
    return not (is_mark(text[outside]) and outside in kept())


def normalized(
    texts: list[str], *, case_sensitive: bool, normalize_text: bool, normalizer: Normalizer | None
) -> list[str]:
    """Normalise texts by the built-in rules, or by a function of the user's."""
    if normalizer is None:
        return normalize_column(texts, case_sensitive=case_sensitive, normalize_text=normalize_text)
    return call_for_each(normalizer, texts, option="normalizer")


def match(
    predictions: list[str],
    references: list[str] | list[list[str]],
    *,
    contains: bool = False,
    scorer: Scorer | None = None,
    threshold: float = 0.8,
) -> tuple[list[str], list[float]]:
    """Match normalised predictions with normalised references.

    Args:
        predictions: One text per example.
        references: One text per example, or several.
        contains: Accept a prediction in which a reference stands.
        scorer: The similarity of fuzzy matching, None for no fuzzy matching.
        threshold: The least similarity that counts, 0 to 1.

    Returns:
        The type of match per example ("exact", "contains", "fuzzy", "none"), and with a scorer the best similarity
        per example, 0 to 1.
    """
    if references and isinstance(references[0], list):
        types = ["exact" if one in several else "none" for one, several in zip(predictions, references, strict=True)]
    else:
        types = ["exact" if equal else "none" for equal in map(eq, predictions, references)]
    similarities = [1.0] * len(types) if scorer else []
    if not contains and not scorer:
        return types, similarities
    unequal = [index for index, kind in enumerate(types) if kind == "none"]
    given, wanted = [predictions[index] for index in unequal], [references[index] for index in unequal]
    if contains:
        for index, prediction, accepted in zip(unequal, given, wanted, strict=True):
            if any(stands_in(one, prediction) for one in ([accepted] if isinstance(accepted, str) else accepted)):
                types[index] = "contains"
    if scorer:
        slack = 0.0 if scorer in EXACT_SCORERS else 1e-12
        for index, similarity in zip(unequal, best_similarities(given, wanted, scorer), strict=True):
            similarities[index] = similarity
            if similarity >= threshold - slack and types[index] == "none":
                types[index] = "fuzzy"
    return types, similarities


def score(
    predictions: list[str],
    references: list[str] | list[list[str]],
    *,
    case_sensitive: bool = False,
    normalize_text: bool = True,
    normalizer: Normalizer | None = None,
    **matching: Any,
) -> tuple[list[str], list[float]]:
    """Normalise texts and match them: `match` of what `normalized` returns, and the same result.

    What is equal as it stands is equal in every form, so the built-in rules are spared it: half the work on the answers
    of a good model.
    """
    if normalizer is not None:  # a function of the user's sees every text
        unequal = [True] * len(predictions)
    elif references and isinstance(references[0], list):
        unequal = [one not in several for one, several in zip(predictions, references, strict=True)]
    else:
        unequal = list(map(ne, predictions, references))
    form = partial(normalized, case_sensitive=case_sensitive, normalize_text=normalize_text, normalizer=normalizer)
    some_references: list[Any] = list(compress(references, unequal))
    found = match(form(list(compress(predictions, unequal))), map_texts(form, some_references), **matching)
    types, similarities = ["exact"] * len(predictions), [1.0] * len(predictions)
    places = list(compress(count(), unequal))
    for index, kind in zip(places, found[0], strict=True):
        types[index] = kind
    for index, similarity in zip(places, found[1], strict=False):
        similarities[index] = similarity
    return types, similarities


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Accuracy(Scoring, evaluate.Metric):
    """Adapter between `evaluate` and the functions above."""

    version = VERSION
    inputs = {"predictions": Texts(), "references": Answers()}
    tallies = True
    options = {
        "case_sensitive": Flag(),
        "normalize_text": Flag(),
        "fuzzy_match": Flag(),
        "fuzzy_threshold": Number(0, 1),
        "fuzzy_scorer": Choice("ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio", "WRatio"),
        "match": Choice("equal", "contains"),
        "normalizer": Function(),
        "return_confidence": Flag(),
        "confidence_level": Number(0, 1, open_ends=True),
        "confidence_method": Choice("wilson", "clopper-pearson", "bootstrap"),
        "return_details": Flag(),
        "return_signature": Flag(),
        "bootstrap_seed": Integer(0),
    }

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=self.feature_alternatives(),
            reference_urls=["https://rapidfuzz.github.io/RapidFuzz/"],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[str] | list[list[str]],
        case_sensitive: bool = False,
        normalize_text: bool = True,
        fuzzy_match: bool = False,
        fuzzy_threshold: float = 0.8,
        fuzzy_scorer: Scorer = "ratio",
        match: Literal["equal", "contains"] = "equal",
        normalizer: Normalizer | None = None,
        return_confidence: bool = True,
        confidence_level: float = 0.95,
        confidence_method: Literal["wilson", "clopper-pearson", "bootstrap"] = "wilson",
        return_details: bool = True,
        return_signature: bool = False,
        bootstrap_seed: int = 0,
    ) -> dict[str, Any]:
        return self._run(locals())

    def _score(self, inputs: Mapping[str, list[Any]], options: SimpleNamespace) -> dict[str, list[Any]]:
        types, similarities = score(
            inputs["predictions"],
            inputs["references"],
            case_sensitive=options.case_sensitive,
            normalize_text=options.normalize_text,
            normalizer=options.normalizer,
            contains=options.match == "contains",
            scorer=options.fuzzy_scorer if options.fuzzy_match else None,
            threshold=options.fuzzy_threshold,
        )
        scores = {"exact": 1.0, "contains": 1.0, "fuzzy": options.fuzzy_threshold, "none": 0.0}
        columns: dict[str, list[Any]] = {
            "individual_scores": list(map(scores.__getitem__, types)),
            "match_types": types,
        }
        return columns | {"similarities": similarities} if options.fuzzy_match else columns

    def _scored(self, options: SimpleNamespace) -> tuple[str, ...]:
        if not options.return_details:
            return ("match_types",)
        return ("individual_scores", "match_types", "similarities")[: 3 if options.fuzzy_match else 2]

    def _aggregate(self, columns: dict[str, Any], options: SimpleNamespace) -> dict[str, Any]:
        counts = tally(columns["match_types"])
        if counts["fuzzy"] and not options.fuzzy_match:
            raise ValueError("accuracy: the rows were scored with fuzzy_match=True; aggregate them with it, too")
        total = counts.total()
        correct = counts["exact"] + counts["contains"]
        accepted = correct + counts["fuzzy"]
        scores = [(1.0, correct), (options.fuzzy_threshold, counts["fuzzy"]), (0.0, counts["none"])]
        # Of threshold and count, the product of fractions is exact, and so is the sum, as that of all scores by fsum.
        mean = float(sum(Fraction(score) * count for score, count in scores)) / total if total else 0.0
        variance = math.fsum(count * (score - mean) ** 2 for score, count in scores) / total if total else 0.0
        result: dict[str, Any] = {
            "accuracy": accepted / total if total else 0.0,
            "exact_accuracy": correct / total if total else 0.0,
            "correct": correct,
        }
        if options.fuzzy_match:
            result |= {"fuzzy_accuracy": result["accuracy"], "correct_fuzzy": accepted}
        result |= {"total": total, "mean_score": mean, "std_score": math.sqrt(variance)}
        if options.return_confidence:
            result["accuracy_confidence_interval"] = proportion_interval(
                accepted,
                total,
                level=options.confidence_level,
                method=options.confidence_method,
                seed=options.bootstrap_seed,
            )
        return result | columns if options.return_details else result

    def _signed(self, options: SimpleNamespace) -> dict[str, Any]:
        if options.normalizer is None:
            norm = NORMALIZATION_VERSION if options.normalize_text else False
            signed: dict[str, Any] = {"case": options.case_sensitive, "norm": norm}
        else:
            signed = {"norm": qualified_name(options.normalizer)}
        if options.match == "contains":
            signed["match"] = "contains"
        if options.fuzzy_match:
            signed["fuzzy"] = f"{options.fuzzy_scorer}>={options.fuzzy_threshold!r}"
            signed["rapidfuzz"] = rapidfuzz.__version__
        else:
            signed["fuzzy"] = False
        return signed
