"""Accuracy: the share of right answers, after normalization, with optional fuzzy matching."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import evaluate
import numpy as np
import pyarrow as pa
import rapidfuzz

from ._accuracy_options import Options
from ._answer_matching import CREDIT
from ._answer_matching import Matching
from ._answer_matching import match_answers
from ._answer_normalizers import normalizer_version
from ._ascii_normalization import strip_ascii as strip_ascii
from ._buffering import positional_error as positional_error
from ._character_sums import equal_pairs
from ._character_sums import prefers_sums
from ._character_weights import sums_of_texts as sums_of_texts
from ._columns import ReferenceColumn
from ._columns import StringColumn
from ._comparison import Comparison as Comparison
from ._comparison_methods import ComparisonMethods as ComparisonMethods
from ._configuration import OptionsT as OptionsT
from ._contains import with_word_boundaries as with_word_boundaries
from ._distributions import normal_quantile as normal_quantile
from ._documentation import COMMON_OUTPUTS
from ._documentation import Output
from ._environment import PYTHON as PYTHON
from ._extraction import signature_of
from ._garbage import collector_paused as collector_paused
from ._human_labels import MIN_LABELS as MIN_LABELS
from ._intervals import Interval as Interval
from ._metric import ScoringMetric
from ._normal_form import Form as Form
from ._normalization import NORMALIZATION_VERSION
from ._normalized_forms import Rules
from ._numbers import NUMBERS_VERSION
from ._options import did_you_mean as did_you_mean
from ._paired import TIE as TIE
from ._pickling import Secret as Secret
from ._punctuation import is_mark as is_mark
from ._recall import RECALL_VERSION
from ._recall_asides import words_to_spare as words_to_spare
from ._recall_bold import BOLD as BOLD
from ._recall_codes import drop_parts_of_codes as drop_parts_of_codes
from ._recall_column import recall_column as recall_column
from ._recall_contradictions import is_in as is_in
from ._recall_contrasts import CONTRASTING as CONTRASTING
from ._recall_conversions import CONVERTIBLE as CONVERTIBLE
from ._recall_dates import MONTHS as MONTHS
from ._recall_decisions import decide as decide
from ._recall_denials import DENYING as DENYING
from ._recall_finding import find_dates_of as find_dates_of
from ._recall_forms import ARTICLES as ARTICLES
from ._recall_full_names import CORE_SHARE as CORE_SHARE
from ._recall_kinds import Kind as Kind
from ._recall_lists import split_items as split_items
from ._recall_names import GENERATIONS as GENERATIONS
from ._recall_numbers import SMALL as SMALL
from ._recall_opposites import has_opposite as has_opposite
from ._recall_pair_names import may_have_acronyms as may_have_acronyms
from ._recall_pair_numbers import rows_with_phrase as rows_with_phrase
from ._recall_pair_words import find_forms as find_forms
from ._recall_pairs import Pairs as Pairs
from ._recall_rounding import roundings as roundings
from ._recall_text import Key as Key
from ._recall_token_arrays import Array as Array
from ._recall_tokens import Token as Token
from ._recall_units import PLAIN_NUMBER as PLAIN_NUMBER
from ._recall_vocabulary import Vocabulary as Vocabulary
from ._score_intervals import UNSEEN as UNSEEN
from ._scored_columns import ColumnType
from ._scored_reading import ScoredColumnReader as ScoredColumnReader
from ._similarity import Scorer as Scorer
from ._statistics import Statistic
from ._statistics import column_statistic
from ._string_buffers import string_buffers as string_buffers
from ._strings import shorten as shorten
from ._tabular import plain_columns
from ._tabular import value_counts
from ._unicode_scripts import NO_SPACE_SCRIPTS as NO_SPACE_SCRIPTS
from ._user_warnings import warn as warn
from ._version import VERSION

_DESCRIPTION = """
Accuracy is the share of predictions that equal their reference, or one of their references, after both are normalized:
case, punctuation and extra spaces are ignored, while numbers keep their value. `fuzzy_match=True` also accepts near
matches, by a RapidFuzz similarity. `match="recall"` accepts an answer in free text that contains the words of the
reference and does not contradict it.
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
    >>> accuracy = evaluate.load("./metrics/accuracy")
    >>> result = accuracy.compute(predictions=["Paris!", "London", "Tokyo"], references=["paris", "London", "Berlin"])
    >>> print(round(result["accuracy"], 4), result["correct"], result["match_types"])
    0.6667 2 ['exact', 'exact', 'none']

    Fuzzy matching accepts typos:

    >>> result = accuracy.compute(predictions=["Shakespear"], references=["Shakespeare"], fuzzy_match=True)
    >>> print(result["accuracy"], result["match_types"], round(result["similarities"][0], 3))
    1.0 ['fuzzy'] 0.952

    Several acceptable answers, and scalars only:

    >>> accuracy.compute(predictions=["NYC"], references=[["New York", "NYC"]], return_details=False,
    ...                  return_confidence=False)
    {'accuracy': 1.0, 'exact_accuracy': 1.0, 'correct': 1, 'total': 1, 'mean_score': 1.0, 'std_score': 0.0}
"""


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
        "references": ReferenceColumn("The reference for each, or a list of acceptable references for each."),
        "questions": StringColumn(
            'The questions; with `match="recall"`, their words are not evidence of an answer.', optional=True
        ),
    }
    outputs = {
        "accuracy": Output("float, 0 to 1", "`fuzzy_accuracy` with fuzzy matching, else `exact_accuracy`."),
        "exact_accuracy": Output(
            "float, 0 to 1", "Share of exact matches, including those by `match`, `numbers` and `extract`."
        ),
        "correct": Output("int", "Number of exact matches."),
        "fuzzy_accuracy": Output("float, 0 to 1", "Share of exact and fuzzy matches; with `fuzzy_match` only."),
        "correct_fuzzy": Output("int", "Number of exact and fuzzy matches; with `fuzzy_match` only."),
        "total": Output("int", "Number of predictions."),
        "unextracted": Output("int", "Number of predictions in which `extract` found nothing; with `extract` only."),
        "mean_score": Output("float, 0 to 1", "Mean of the individual scores."),
        "std_score": Output("float", "Their population standard deviation."),
        "accuracy_confidence_interval": Output(
            "tuple of two floats", "Interval of `accuracy`; with `return_confidence` only."
        ),
        "individual_scores": Output(
            "list of float", "1.0 for an exact match, `fuzzy_threshold` for a fuzzy match, 0.0 otherwise."
        ),
        "match_types": Output(
            "list of str",
            '"exact", "contains", "recall", "value" (equal as numbers), "fuzzy", "unextracted" or "none".',
        ),
        "similarities": Output(
            "list of float, 0 to 1", "The best similarity to any reference; with `fuzzy_match` only."
        ),
        "recalls": Output(
            "list of float, 0 to 1", 'Share of the words of a reference that is found; with `match="recall"` only.'
        ),
        "extracted": Output("list of str or None", "The answer extracted from each prediction; with `extract` only."),
        **COMMON_OUTPUTS,
    }
    main_score = "accuracy"
    summary_columns = ("individual_scores", "match_types")
    aggregates_counts = True

    def column_types(self, options: Options) -> dict[str, ColumnType]:
        types: dict[str, ColumnType] = {"individual_scores": "float", "match_types": "category"}
        if options.fuzzy_match:
            types["similarities"] = "float"
        if options.match == "recall":
            types["recalls"] = "float"
        if options.extract is not None:
            types["extracted"] = "json"
        return types

    def takes_arrow(self, options: Options) -> bool:
        plain = (options.normalizer, options.match, options.fuzzy_match, options.numbers, options.extract)
        return plain == (None, "equal", False, "text", None)

    def score_columns(self, inputs: Mapping[str, Any], options: Options) -> dict[str, Any]:
        if self.takes_arrow(options) and prefers_sums(inputs["predictions"]):
            folding = Rules(case_sensitive=options.case_sensitive, normalize_text=options.normalize_text)
            equal = equal_pairs(inputs["predictions"], inputs["references"], folding)
            # Dictionary-encoded, so that the result's lists share one object per distinct value.
            indices = pa.array((~equal).astype(np.int8))
            values = {"individual_scores": [1.0, 0.0], "match_types": ["exact", "none"]}
            return {name: pa.DictionaryArray.from_arrays(indices, pair) for name, pair in values.items()}
        inputs = plain_columns(inputs)
        rules = Matching(
            case_sensitive=options.case_sensitive,
            normalize_text=options.normalize_text,
            normalizer=options.normalizer,
            match=options.match,
            recall_threshold=options.recall_threshold,
            language=options.language,
            scorer=options.fuzzy_scorer if options.fuzzy_match else None,
            fuzzy_threshold=options.fuzzy_threshold,
            by_value=options.numbers == "value",
            numeric_tolerance=options.numeric_tolerance,
            extract=options.extract,
        )
        found = match_answers(inputs["predictions"], inputs["references"], inputs.get("questions"), rules)
        scores = {kind: float(credit) for kind, credit in CREDIT.items()} | {"fuzzy": options.fuzzy_threshold}
        columns: dict[str, list[Any]] = {
            "individual_scores": list(map(scores.__getitem__, found.types)),
            "match_types": found.types,
            "similarities": found.similarities,
            "recalls": found.recalls,
            "extracted": found.extracted,
        }
        return {name: columns[name] for name in self.column_types(options)}

    def statistics(self, columns: Mapping[str, Any], options: Options) -> dict[str, Statistic]:
        return {"accuracy": column_statistic(columns["match_types"], "proportion", CREDIT.__getitem__)}

    def summarize(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        counts = value_counts(columns["match_types"])
        total = counts.total()
        accepted = sum(counts[kind] * credit for kind, credit in CREDIT.items())
        correct = accepted - counts["fuzzy"]
        scores = [(1.0, correct), (options.fuzzy_threshold, counts["fuzzy"]), (0.0, total - accepted)]
        # Fractions are exact, so the mean equals that of all scores summed by fsum.
        mean = float(sum(Fraction(score) * count for score, count in scores)) / total if total else 0.0
        variance = math.fsum(count * (score - mean) ** 2 for score, count in scores) / total if total else 0.0
        result: dict[str, Any] = {
            "accuracy": accepted / total if total else 0.0,
            "exact_accuracy": correct / total if total else 0.0,
            "correct": correct,
        }
        if options.fuzzy_match:
            result |= {"fuzzy_accuracy": result["accuracy"], "correct_fuzzy": accepted}
        result["total"] = total
        if options.extract is not None:
            result["unextracted"] = counts["unextracted"]
        return result | {"mean_score": mean, "std_score": math.sqrt(variance)}

    def check_scored(self, columns: Mapping[str, Any], options: Options) -> None:
        """Reject rows whose match types or scores show that they were scored under other options."""
        counts = value_counts(columns["match_types"])
        for kind, name, value, expected in (
            ("fuzzy", "fuzzy_match", True, options.fuzzy_match),
            ("contains", "match", "contains", options.match == "contains"),
            ("recall", "match", "recall", options.match == "recall"),
            ("value", "numbers", "value", options.numbers == "value"),
        ):
            if counts[kind] and not expected:
                raise ValueError(
                    f"accuracy: the rows were scored with {name}={value!r}; pass the same option to aggregate"
                )
        if counts["unextracted"] and options.extract is None:
            raise ValueError("accuracy: the rows were scored with extract; pass the same option to aggregate")
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
            fields = {"norm": normalizer_version(options.normalizer)}
        if options.extract is not None:
            fields["extract"] = signature_of(options.extract)
        if options.numbers == "value":
            fields["numbers"] = f"value-{NUMBERS_VERSION}+-{options.numeric_tolerance!r}"
        if options.match != "equal":
            fields["match"] = options.match
        if options.match == "recall":
            fields["recall"] = f"{options.language}-{RECALL_VERSION}>={options.recall_threshold!r}"
        if options.fuzzy_match:
            fields["fuzzy"] = f"{options.fuzzy_scorer}>={options.fuzzy_threshold!r}"
            fields["rapidfuzz"] = rapidfuzz.__version__
        else:
            fields["fuzzy"] = False
        return fields
