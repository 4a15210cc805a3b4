"""Accuracy: the share of right answers, after normalization, with optional fuzzy matching."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import rapidfuzz

from ._columns import Category, References, Strings, to_list, value_counts
from ._equality import equal_pairs, pays_off
from ._extraction import EXPECTED, NUMBERS_VERSION, Extract, check_extract, signature_of
from ._matching import CREDIT, Matching, Scorer, match_answers
from ._metric import Metric
from ._normalization import NORMALIZATION_VERSION, normalizer_version
from ._options import Options, Output, option
from ._recall import RECALL_VERSION
from ._statistics import METHOD_HELP, Method, Statistic, proportion

# isort: split
# For the loader, which fetches the modules that a script names: the modules above need these.
from ._recall_rules import find_all
from ._recall_tokens import Text

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


@dataclass(frozen=True, kw_only=True)
class AccuracyOptions(Options):
    """The options of accuracy."""

    case_sensitive: bool = option(False, "Respect letter case.", needs=("normalizer", None))
    normalize_text: bool = option(
        True,
        "Remove punctuation and extra spaces; False only strips the surrounding whitespace.",
        needs=("normalizer", None),
    )
    fuzzy_match: bool = option(False, "If a prediction equals no reference, accept one that is similar enough.")
    fuzzy_threshold: float = option(
        0.8,
        "Minimum similarity that counts as a fuzzy match, and the individual score of such a match.",
        low=0,
        high=1,
        needs=("fuzzy_match", True),
    )
    fuzzy_scorer: Scorer = option(
        "ratio",
        "RapidFuzz similarity: ratio (characters in common, in the same order), partial_ratio (the best substring of "
        "the longer text; cubic time at worst, 3 s for two texts of 4,000 characters), token_sort_ratio (words in any "
        "order), token_set_ratio (a subset of the words is enough), WRatio (the best of these, weighted).",
        needs=("fuzzy_match", True),
    )
    match: Literal["equal", "contains", "recall"] = option(
        "equal",
        "contains: a prediction is also right if a reference occurs in it as a whole word or phrase. recall: if it "
        "contains enough of the words of a reference and all of its numbers, and does not contradict it.",
    )
    recall_threshold: float = option(
        0.5, "Minimum share of the reference's words that must be found.", low=0, high=1, needs=("match", "recall")
    )
    language: Literal["en", "none"] = option(
        "en",
        "Language of the rules of token recall: English, or rules that work in every language.",
        needs=("match", "recall"),
    )
    extract: Extract = option(
        None,
        "Which part of each prediction to compare: the last \\boxed{}, the rest of the line after the last 'Answer:', "
        "the choice letter, the last number, the last match of a regular expression with one group, or what a function "
        "returns. A prediction without one is wrong.",
        custom=check_extract,
        label=EXPECTED,
    )
    numbers: Literal["text", "value"] = option(
        "text", "value: if both sides are a single number, their values are compared (3 = 3.00)."
    )
    numeric_tolerance: float = option(
        0.0,
        "Largest difference, relative to the reference, at which two numbers count as equal.",
        low=0,
        high=1,
        needs=("numbers", "value"),
    )
    normalizer: Literal["squad", "benchwise"] | Callable[[str], str] | None = option(
        None,
        "Replaces the built-in normalization: that of SQuAD v1's official script, that of Benchwise, or a function "
        "from str to str.",
    )
    return_confidence: bool = True
    confidence_method: Method = option("wilson", METHOD_HELP, needs=("return_confidence", True))
    return_details: bool = True


class Accuracy(Metric):
    """See `description`."""

    description = _DESCRIPTION
    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://rapidfuzz.github.io/RapidFuzz/"]
    options_type = AccuracyOptions
    inputs = {
        "predictions": Strings("The answers to score."),
        "references": References("The reference for each, or a list of acceptable references for each."),
        "questions": Strings(
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
            "list of float, 0 to 1", 'Share of the words of a reference that are found; with `match="recall"` only.'
        ),
        "extracted": Output("list of str or None", "The answer extracted from each prediction; with `extract` only."),
    }
    main_score = "accuracy"
    counted = ("individual_scores", "match_types")

    def columns_of(self, options: AccuracyOptions) -> dict[str, Any]:
        columns: dict[str, Any] = {"individual_scores": float, "match_types": Category}
        if options.fuzzy_match:
            columns["similarities"] = float
        if options.match == "recall":
            columns["recalls"] = float
        if options.extract is not None:
            columns["extracted"] = list
        return columns

    def takes_arrow(self, options: AccuracyOptions) -> bool:
        return (options.normalizer, options.match, options.numbers, options.extract) == (None, "equal", "text", None)

    def score(self, inputs: Mapping[str, Any], options: AccuracyOptions) -> dict[str, Any]:
        as_arrow = self.takes_arrow(options) and pays_off(inputs["predictions"])
        if as_arrow and not options.fuzzy_match:
            equal = equal_pairs(
                inputs["predictions"],
                inputs["references"],
                case_sensitive=options.case_sensitive,
                normalize_text=options.normalize_text,
            )
            values: dict[str, list[Any]] = {"individual_scores": [0.0, 1.0], "match_types": ["none", "exact"]}
            return {name: _by_place(equal.astype(np.int8), pair) for name, pair in values.items()}
        columns = inputs if as_arrow else {name: to_list(name, column) for name, column in inputs.items()}
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
        found = match_answers(columns["predictions"], columns["references"], columns.get("questions"), rules)
        scores = {kind: float(credit) for kind, credit in CREDIT.items()} | {"fuzzy": options.fuzzy_threshold}
        scored = {
            "individual_scores": _by_place(found.kinds, [scores[kind] for kind in CREDIT]),
            "match_types": _by_place(found.kinds, list(CREDIT)),
            "similarities": found.similarities,
            "recalls": found.recalls,
            "extracted": found.extracted,
        }
        return {name: scored[name] for name in self.columns_of(options)}

    def statistics(self, columns: Mapping[str, Any], options: AccuracyOptions) -> dict[str, Statistic]:
        return {"accuracy": proportion(columns["match_types"], CREDIT.__getitem__)}

    def summarize(
        self, statistics: Mapping[str, Statistic], columns: Mapping[str, Any], options: AccuracyOptions
    ) -> dict[str, Any]:
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

    def check_scored(self, columns: Mapping[str, Any], options: AccuracyOptions) -> None:
        """Reject rows whose match types or scores show that they were scored under other options."""
        counts = value_counts(columns["match_types"])
        if unknown := counts.keys() - CREDIT.keys():
            raise ValueError(f"match_types must be one of {', '.join(CREDIT)}, got {min(unknown)!r}")
        for kind, name, value, expected in (
            ("fuzzy", "fuzzy_match", True, options.fuzzy_match),
            ("contains", "match", "contains", options.match == "contains"),
            ("recall", "match", "recall", options.match == "recall"),
            ("value", "numbers", "value", options.numbers == "value"),
        ):
            if counts[kind] and not expected:
                raise ValueError(f"the rows were scored with {name}={value!r}; pass the same option to aggregate")
        if counts["unextracted"] and options.extract is None:
            raise ValueError("the rows were scored with extract; pass the same option to aggregate")
        other = set(columns["individual_scores"]) - {0.0, 1.0, options.fuzzy_threshold}
        if other:
            raise ValueError(
                f"the rows were scored with fuzzy_threshold={min(other)!r}, and are aggregated with "
                f"{options.fuzzy_threshold!r}; give both the same options"
            )

    def signature_fields(self, options: AccuracyOptions) -> dict[str, Any]:
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


def _by_place(places: Any, values: list[Any]) -> Any:
    """Return the value at each place, dictionary-encoded: the result's lists share one object per distinct value."""
    return pa.DictionaryArray.from_arrays(pa.array(places), values)
