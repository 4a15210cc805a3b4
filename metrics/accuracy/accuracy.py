"""Accuracy: the share of correct answers, after normalization, with optional fuzzy matching."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import pyarrow as pa
import rapidfuzz

from answer_metrics.columns.inputs import References, Strings
from answer_metrics.columns.reasoning import cut_off_message, signature_of_reasoning
from answer_metrics.columns.tables import LONG, rows_have, to_list, value_counts
from answer_metrics.contract.evaluate_module import Module
from answer_metrics.core.options import option, qualified_name
from answer_metrics.core.results import Output, count
from answer_metrics.matching.choices import Choices
from answer_metrics.matching.extraction import signature_of
from answer_metrics.matching.mathematics import SECONDS, math_verify_version
from answer_metrics.matching.numbers import NUMBERS_VERSION
from answer_metrics.matching.pipeline import CREDIT, MatchColumns, Matching, match_answers, vote_forms
from answer_metrics.matching.recall import RECALL_VERSION
from answer_metrics.matching.stance import ABSTENTION_VERSION, sign_rule
from answer_metrics.statistics.statistic import METHOD_HELP, Method, Statistic, proportion
from answer_metrics.text.equality import pays_off
from answer_metrics.text.normalization import NORMALIZATION_VERSION, normalizer_version

_SHOWN_END = 80
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

PRESETS: dict[str, dict[str, Any]] = {
    "free_form": {"match": "recall", "extract": "auto", "numbers": "value"},
    "strict": {"match": "recall", "extract": "auto", "numbers": "value", "beside": "neutral"},
    "multiple_choice": {"extract": "choice"},
    "number": {"extract": ("boxed", "answer_line", "last_number"), "numbers": "value"},
    "math": {"extract": ("boxed", "answer_line", "whole"), "numbers": "value", "equivalent": "math"},
}
"""The options that each preset stands for."""


@dataclass(frozen=True, kw_only=True)
class AccuracyOptions(Matching):
    """The options of accuracy."""

    preset: Literal["free_form", "strict", "multiple_choice", "number", "math"] | None = option(
        None,
        "Sets other options by output type: free_form for any model output, strict for answers that are short by "
        "instruction.",
    )
    return_confidence: bool = True
    confidence_method: Method = option("wilson", METHOD_HELP, needs=("return_confidence", True))
    return_details: bool = True


class Accuracy(Module):
    """Accuracy is the share of predictions that equal their reference, or one of their references, after both are
    normalized: case, punctuation and extra spaces are ignored, while numbers keep their value. `fuzzy_match=True` also
    accepts near matches, by a RapidFuzz similarity. `match="recall"` accepts an answer in free text that contains the
    words of the reference and does not contradict it.
    """

    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://rapidfuzz.github.io/RapidFuzz/"]
    options_type = AccuracyOptions
    inputs = {
        "predictions": Strings("The answers to score."),
        "references": References("The reference for each, or a list of acceptable references."),
        "questions": Strings('The questions; `match="recall"` does not count their words as evidence.', optional=True),
        "choices": Choices(
            "The options of each question, in letter order; references are letters or option texts.", optional=True
        ),
    }
    outputs = {
        "accuracy": Output("float, 0 to 1", "`fuzzy_accuracy` with fuzzy matching, else `exact_accuracy`."),
        "exact_accuracy": Output("float, 0 to 1", "Share of correct answers, without fuzzy matches."),
        "correct": Output("int", "Number of correct answers, without fuzzy matches."),
        "fuzzy_accuracy": Output("float, 0 to 1", "Share of exact and fuzzy matches; with `fuzzy_match` only."),
        "correct_fuzzy": Output("int", "Number of exact and fuzzy matches; with `fuzzy_match` only."),
        "total": Output("int", "Number of predictions."),
        "unextracted": Output("int", "Number of predictions without an answer; with `extract` only."),
        "truncated": Output("int", "Number of predictions that ended mid-reasoning; only if there are any."),
        "hedged": Output("int", "Number of predictions that name several candidates; only if there are any."),
        "attempted": Output("float, 0 to 1", "Share of predictions that attempt an answer; with `abstention` only."),
        "accuracy_given_attempted": Output("float, 0 to 1", "Accuracy among these; with `abstention` only."),
        "accuracy_given_attempted_confidence_interval": Output(
            "tuple of two floats", "Its interval; with `abstention` and `return_confidence` only."
        ),
        "mean_score": Output("float, 0 to 1", "Mean of the individual scores."),
        "std_score": Output("float", "Their population standard deviation."),
        "accuracy_confidence_interval": Output(
            "tuple of two floats", "Interval of `accuracy`; with `return_confidence` only."
        ),
        "individual_scores": Output("list of float", "1.0 if correct, `fuzzy_threshold` for a fuzzy match, else 0.0."),
        "match_types": Output(
            "list of str",
            '"exact", "contains", "recall", "value" (equal as numbers), "equivalent", "fuzzy", "unextracted", '
            '"truncated", "abstained" (declined to answer), "hedged" or "none".',
        ),
        "similarities": Output("list of float, 0 to 1", "Best similarity to a reference; with `fuzzy_match` only."),
        "recalls": Output("list of float, 0 to 1", 'Share of a reference\'s words found; with `match="recall"` only.'),
        "extracted": Output("list of str or None", "The answer extracted from each prediction; with `extract` only."),
    }
    main_score = "accuracy"
    presets = PRESETS
    counted = ("individual_scores", "match_types")

    def columns_of(self, options: AccuracyOptions) -> dict[str, Any]:
        details: dict[str, tuple[Any, bool]] = {
            "individual_scores": (float, True),
            "match_types": (str, True),
            "similarities": (float, options.fuzzy_match),
            "recalls": (float, options.match == "recall"),
            "extracted": (list, options.extract is not None),
        }
        return {name: kind for name, (kind, is_used) in details.items() if is_used}

    def takes_arrow(self, options: AccuracyOptions) -> bool:
        return (
            options.forms_decide
            and options.match == "equal"
            and not (options.extract or options.equivalent or options.abstention)
        )

    def check_options(self, options: AccuracyOptions) -> None:
        if options.preset == "strict" and options.match != "recall":
            reason = f"needs match='recall', got match={options.match!r}; leave out one of them"
            raise ValueError(f"preset='strict' {reason}")

    def score(self, inputs: Mapping[str, Any], options: AccuracyOptions) -> dict[str, Any]:
        if options.equivalent == "math":
            math_verify_version()  # fail before the first row
        as_arrow = self.takes_arrow(options) and pays_off(inputs["predictions"])
        columns = inputs if as_arrow else {name: to_list(name, column) for name, column in inputs.items()}
        matches = match_answers(
            columns["predictions"], columns["references"], columns.get("questions"), options, columns.get("choices")
        )
        self.warn(_doubts(matches, columns["predictions"], columns.get("choices", [])))
        scores = {kind: float(credit) for kind, credit in CREDIT.items()} | {"fuzzy": options.fuzzy_threshold}
        scored = {
            "individual_scores": _by_place(matches.codes, [scores[kind] for kind in CREDIT]),
            "match_types": _by_place(matches.codes, list(CREDIT)),
            "similarities": matches.similarities,
            "recalls": matches.recalls,
            "extracted": matches.extracted,
        }
        return {name: scored[name] for name in self.columns_of(options)}

    def answer_forms(self, answers: list[Any], options: AccuracyOptions) -> list[Any]:
        return vote_forms(answers, options)

    def statistics(self, columns: Mapping[str, Any], options: AccuracyOptions) -> dict[str, Statistic]:
        shares = {"accuracy": proportion(columns["match_types"], CREDIT.__getitem__)}
        if options.abstention is not None:
            attempted = {kind: credit for kind, credit in CREDIT.items() if kind != "abstained"}
            shares["accuracy_given_attempted"] = proportion(columns["match_types"], attempted.get)
        return shares

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
        result |= {kind: counts[kind] for kind in ("truncated", "hedged") if counts[kind]}
        if options.abstention is not None:
            result["attempted"] = (total - counts["abstained"]) / total if total else 0.0
            result["accuracy_given_attempted"] = statistics["accuracy_given_attempted"].value
        return result | {"mean_score": mean, "std_score": math.sqrt(variance)}

    def check_scored(self, columns: Mapping[str, Any], options: AccuracyOptions) -> None:
        """Reject rows whose match types or scores show that they were scored under other options."""
        counts = value_counts(columns["match_types"])
        if unknown := counts.keys() - CREDIT.keys():
            raise ValueError(f"match_types must be one of {', '.join(CREDIT)}, got {min(unknown)!r}")
        for kind, scored_with, is_possible in (
            ("fuzzy", "fuzzy_match=True", options.fuzzy_match),
            ("contains", "match='contains'", options.match == "contains"),
            ("recall", "match='recall'", options.match == "recall"),
            ("value", "numbers='value'", options.numbers == "value"),
            ("truncated", "reasoning='drop'", options.reasoning == "drop"),
            ("hedged", "hedged='wrong'", options.match == "recall" and options.hedged == "wrong"),
            ("unextracted", "extract", options.extract is not None),
            ("abstained", "abstention", options.abstention is not None),
            ("equivalent", "equivalent", (options.equivalent, options.abstention) != (None, None)),
        ):
            if counts[kind] and not is_possible:
                raise ValueError(f"the rows were scored with {scored_with}; pass the same option to aggregate")
        if other := set(columns["individual_scores"]) - {0.0, 1.0, options.fuzzy_threshold}:
            both = f"fuzzy_threshold={min(other)!r}, and are aggregated with {options.fuzzy_threshold!r}"
            raise ValueError(f"the rows were scored with {both}; give both the same options")

    def signature_fields(self, options: AccuracyOptions) -> dict[str, Any]:
        norm: Any = NORMALIZATION_VERSION if options.normalize_text else False
        signed: dict[str, Any] = {"case": options.case_sensitive, "norm": norm}
        if options.normalizer is not None:
            signed = {"norm": normalizer_version(options.normalizer)}
        signed |= signature_of_reasoning(options)
        if options.extract is not None:
            signed["extract"] = signature_of(options.extract)
        if options.numbers == "value":
            signed["numbers"] = f"value-{NUMBERS_VERSION}+-{options.numeric_tolerance!r}"
        plain = {"decimal": "auto", "match": "equal"}
        signed |= {name: getattr(options, name) for name, default in plain.items() if getattr(options, name) != default}
        if options.match == "recall":
            signed["recall"] = f"{options.language}-{RECALL_VERSION}>={options.recall_threshold!r}"
            signed |= {"hedged": "right"} if options.hedged == "right" else {}
        if options.beside == "neutral":
            signed["beside"] = "neutral"
        if callable(options.equivalent):
            signed["equivalent"] = qualified_name(options.equivalent)
        elif options.equivalent is not None:
            signed["equivalent"] = f"math-verify-{math_verify_version()}"
        if options.abstention is not None:
            signed["abstention"] = sign_rule(options.abstention, ("en", "any"), ABSTENTION_VERSION)
        if not options.fuzzy_match:
            return signed | {"fuzzy": False}
        fuzzy = f"{options.fuzzy_scorer}>={options.fuzzy_threshold!r}"
        return signed | {"fuzzy": fuzzy, "rapidfuzz": rapidfuzz.__version__}


def _doubts(matches: MatchColumns, predictions: Any, choices: Sequence[Sequence[str]]) -> Iterator[str]:
    """Describe rows that may not have been scored as the user expects."""
    if repeated := sum(len(set(texts)) < len(texts) for texts in choices):
        yield f"{rows_have(repeated, 'choices')} an option twice; its text means the first letter"
    if cut_off := matches.count("truncated"):
        yield cut_off_message(cut_off)
    if matches.overtime:
        yield f"Math-Verify took longer than {SECONDS:g} s on {count(matches.overtime, 'pair')}: not equivalent"
    if unknown := matches.unknown_references:
        yield f"{rows_have(unknown, 'references')} no reference among the choices"
    if 1 < len(matches.extracted) == matches.count("unextracted"):
        yield f"extract found nothing in any prediction; the first ends in {predictions[0][-_SHOWN_END:]!r}"


def _by_place(places: Any, values: list[Any]) -> Any:
    """Return the value at each place, dictionary-encoded: the result's lists share one object per distinct value."""
    if len(places) <= LONG:  # pyarrow would import pandas, which takes longer than scoring one row
        return [values[place] for place in places.tolist()]
    return pa.DictionaryArray.from_arrays(pa.array(places), values)
