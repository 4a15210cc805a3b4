"""Accuracy: which share of the answers is right, after normalization, optionally forgiving typos?"""

import math
import re
import unicodedata
from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from functools import partial
from itertools import compress
from itertools import count
from operator import eq
from operator import ne
from typing import Annotated
from typing import Any
from typing import Literal

import evaluate
import numpy as np
import pyarrow as pa
import rapidfuzz

from ._ascii_normalization import strip_ascii as strip_ascii
from ._buffering import right_call as right_call
from ._character_sums import Rules
from ._character_sums import equal_pairs
from ._character_sums import prefers_sums
from ._columns import ReferenceColumn
from ._columns import StringColumn
from ._columns import call_for_each
from ._columns import map_strings
from ._comparison import Comparison as Comparison
from ._comparison_methods import ComparisonMethods as ComparisonMethods
from ._configuration import OptionsT as OptionsT
from ._distributions import normal_quantile as normal_quantile
from ._documentation import COMMON_OUTPUTS
from ._documentation import Output
from ._environment import PYTHON as PYTHON
from ._human_labels import FEWEST_LABELS as FEWEST_LABELS
from ._intervals import Interval as Interval
from ._metric import ScoringMetric
from ._normal_form import Form as Form
from ._normalization import NORMALIZATION_VERSION
from ._normalization import normalize_column
from ._options import Choice
from ._options import ConfidenceMethod
from ._options import ConfidenceMethodName
from ._options import Flag
from ._options import Function
from ._options import Number
from ._options import ScoringOptions
from ._options import qualified_name
from ._paired import TIE as TIE
from ._pickling import Secret as Secret
from ._punctuation import is_mark
from ._punctuation import kept_marks
from ._score_intervals import UNSEEN as UNSEEN
from ._scored_columns import ColumnType
from ._similarity import EXACT_SCORERS
from ._similarity import SCORERS
from ._similarity import Scorer
from ._similarity import best_similarities
from ._statistics import Statistic
from ._statistics import column_statistic
from ._strings import shorten as shorten
from ._tabular import value_counts
from ._unicode_scripts import NO_SPACE_SCRIPTS
from ._user_warnings import warn as warn
from ._version import VERSION

_DESCRIPTION = """
Accuracy is the share of predictions that equal their reference, or one of their references, after both are normalized:
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

_EXAMPLES = """
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
CREDIT = {"exact": 1, "contains": 1, "fuzzy": 1, "none": 0}

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
    """Normalize texts by the built-in rules, or by a function of the user's."""
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
    """Match normalized predictions with normalized references.

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
    """Normalize texts and match them: `match` of what `normalized` returns, and the same result.

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
    found = match(form(list(compress(predictions, unequal))), map_strings(form, some_references), **matching)
    types, similarities = ["exact"] * len(predictions), [1.0] * len(predictions)
    places = list(compress(count(), unequal))
    for index, kind in zip(places, found[0], strict=True):
        types[index] = kind
    for index, similarity in zip(places, found[1], strict=False):
        similarities[index] = similarity
    return types, similarities


@dataclass(frozen=True, kw_only=True)
class Options(ScoringOptions):
    """The options of accuracy."""

    case_sensitive: Annotated[bool, Flag(help="Respect letter case.", requires=("normalizer", None))] = False
    normalize_text: Annotated[
        bool,
        Flag(
            help="Remove punctuation and extra spaces; False only strips the surrounding whitespace.",
            requires=("normalizer", None),
        ),
    ] = True
    fuzzy_match: Annotated[
        bool, Flag(help="Where a prediction equals no reference, accept one that is similar enough.")
    ] = False
    fuzzy_threshold: Annotated[
        float,
        Number(
            0,
            1,
            help="Least similarity that counts as a fuzzy match, and the individual score of such a match.",
            requires=("fuzzy_match", True),
        ),
    ] = 0.8
    fuzzy_scorer: Annotated[
        Scorer,
        Choice(
            *SCORERS,
            help=(
                "Similarity of RapidFuzz: ratio (letters that both have in the same order), partial_ratio (the best "
                "part of the longer text; cubic time at worst, 3 s for two texts of 4,000 characters), "
                "token_sort_ratio (words in any order), token_set_ratio (a subset of the words is enough), WRatio "
                "(the best of these, weighted)."
            ),
            requires=("fuzzy_match", True),
        ),
    ] = "ratio"
    match: Annotated[
        Literal["equal", "contains"],
        Choice(
            "equal",
            "contains",
            help="contains: a prediction is right too if a reference occurs in it as a whole word or phrase.",
        ),
    ] = "equal"
    normalizer: Annotated[
        Normalizer | None, Function(help="Function from str to str, used instead of the built-in normalization.")
    ] = None
    return_confidence: bool = True
    confidence_method: Annotated[ConfidenceMethodName, ConfidenceMethod()] = "wilson"
    return_details: bool = True


class Accuracy(ScoringMetric[Options], evaluate.Metric):
    """See `description`."""

    version = VERSION
    description = _DESCRIPTION
    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://rapidfuzz.github.io/RapidFuzz/"]
    options_type = Options
    inputs = {
        "predictions": StringColumn("The answers to score."),
        "references": ReferenceColumn("The right answer for each, or several acceptable ones for each."),
    }
    outputs = {
        "accuracy": Output("float, 0 to 1", "`fuzzy_accuracy` with fuzzy matching, else `exact_accuracy`."),
        "exact_accuracy": Output("float, 0 to 1", 'Share of exact matches, those by `match="contains"` among them.'),
        "correct": Output("int", "Number of exact matches."),
        "fuzzy_accuracy": Output("float, 0 to 1", "Share of exact and fuzzy matches; with `fuzzy_match` only."),
        "correct_fuzzy": Output("int", "Number of exact and fuzzy matches; with `fuzzy_match` only."),
        "total": Output("int", "Number of predictions."),
        "mean_score": Output("float, 0 to 1", "Mean of the individual scores."),
        "std_score": Output("float", "Their population standard deviation."),
        "accuracy_confidence_interval": Output(
            "tuple of two floats", "Interval of `accuracy`; with `return_confidence` only."
        ),
        "individual_scores": Output(
            "list of float", "1.0 for an exact match, `fuzzy_threshold` for a fuzzy one, 0.0 for none."
        ),
        "match_types": Output("list of str", '"exact", "contains", "fuzzy" or "none".'),
        "similarities": Output(
            "list of float, 0 to 1", "The best similarity to any reference; with `fuzzy_match` only."
        ),
        **COMMON_OUTPUTS,
    }
    main_score = "accuracy"
    summary_columns = ("individual_scores", "match_types")
    aggregates_counts = True

    def column_types(self, options: Options) -> dict[str, ColumnType]:
        types: dict[str, ColumnType] = {"individual_scores": "float", "match_types": "category"}
        return {**types, "similarities": "float"} if options.fuzzy_match else types

    def takes_arrow(self, options: Options) -> bool:
        return options.normalizer is None and options.match == "equal" and not options.fuzzy_match

    def score_columns(self, inputs: Mapping[str, Any], options: Options) -> dict[str, Any]:
        if self.takes_arrow(options) and prefers_sums(inputs["predictions"], inputs["references"]):
            rules: Rules = {"case_sensitive": options.case_sensitive, "normalize_text": options.normalize_text}
            equal = equal_pairs(inputs["predictions"], inputs["references"], rules)
            types = pa.DictionaryArray.from_arrays((~equal).astype(np.int8), ["exact", "none"])
            return {"individual_scores": pa.array(equal.astype(np.float64)), "match_types": types}
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

    def statistics(self, columns: Mapping[str, Any], options: Options) -> dict[str, Statistic]:
        return {"accuracy": column_statistic(columns["match_types"], "proportion", CREDIT.__getitem__)}

    def summarize(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        counts = value_counts(columns["match_types"])
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
        return result | {"total": total, "mean_score": mean, "std_score": math.sqrt(variance)}

    def check_scored(self, columns: Mapping[str, Any], options: Options) -> None:
        """Refuse rows that were scored under other options: their scores show it."""
        if not options.fuzzy_match and value_counts(columns["match_types"])["fuzzy"]:
            raise ValueError("accuracy: the rows were scored with fuzzy_match=True; aggregate them with it, too")
        scored = set(value_counts(columns["individual_scores"])) - {0.0, 1.0}
        other = scored - {options.fuzzy_threshold}
        if other:
            raise ValueError(
                f"accuracy: the rows were scored with fuzzy_threshold={min(other)!r}, and are aggregated with "
                f"{options.fuzzy_threshold!r}; give both the same options"
            )

    def signature_fields(self, options: Options) -> dict[str, Any]:
        if options.normalizer is None:
            norm = NORMALIZATION_VERSION if options.normalize_text else False
            fields: dict[str, Any] = {"case": options.case_sensitive, "norm": norm}
        else:
            fields = {"norm": qualified_name(options.normalizer)}
        if options.match == "contains":
            fields["match"] = "contains"
        if options.fuzzy_match:
            fields["fuzzy"] = f"{options.fuzzy_scorer}>={options.fuzzy_threshold!r}"
            fields["rapidfuzz"] = rapidfuzz.__version__
        else:
            fields["fuzzy"] = False
        return fields
