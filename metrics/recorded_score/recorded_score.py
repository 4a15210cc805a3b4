"""Recorded score: the mean of scores that are already there, such as verdicts of people, judges or other tools."""

import math
import numbers
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from answer_metrics.columns.inputs import Column, check_strings
from answer_metrics.columns.tables import is_missing, plain_values
from answer_metrics.contract.evaluate_module import Module
from answer_metrics.core.options import Options, option, shorten, show
from answer_metrics.core.results import Output
from answer_metrics.statistics.statistic import METHOD_HELP, UNIT, Method, Scale, Statistic, mean, proportion

WORDS = {
    **{"true": 1.0, "false": 0.0, "correct": 1.0, "incorrect": 0.0},
    **{"pass": 1.0, "fail": 0.0, "passed": 1.0, "failed": 0.0},
}
"""Verdicts that mean the same everywhere, in lower case."""
INSPECT = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's grades: correct, partially correct, incorrect, no answer."""
_AMBIGUOUS = {
    "C": "means correct in Inspect, but not attempted in SimpleQA",
    "P": "means partially correct in Inspect, but passed elsewhere",
}
"""Letters of Inspect that other tools use too, unless the column has several of Inspect's."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_ASK = 'pass the score of each word, as in scale={"A": 1, "B": 0}'

_CITATION = r"""
@misc{miller2024adding,
  title = {Adding Error Bars to Evals: A Statistical Approach to Language Model Evaluations},
  author = {Miller, Evan},
  year = {2024},
  url = {https://arxiv.org/abs/2411.00640}
}
"""

_EXAMPLES = """
    >>> import evaluate
    >>> recorded = evaluate.load("./metrics/recorded_score")
    >>> recorded.compute(scores=["correct", "incorrect", "correct", "correct"], return_details=False)
    {'score': 0.75, 'total': 4}

    Ratings from 1 to 5, and those of at least 4 counted as passed:

    >>> recorded.compute(scores=[5, 3, 4], scale=(1, 5))
    {'score': 4.0, 'total': 3, 'individual_scores': [5.0, 3.0, 4.0]}
    >>> recorded.compute(scores=[5, 3, 4], scale=(1, 5), threshold=4)["individual_scores"]
    [1.0, 0.0, 1.0]
"""


class Verdicts(Column):
    """A score per example: a number, a bool or a word. All are stored as text, so that a column may mix them."""

    arrow_types = (pa.string(),)
    type_name = "list of float, bool or str"

    def check(self, name: str, column: list[Any]) -> list[str]:
        """Return the scores as text: 1.0 as "1", True as "true", a string without the spaces around it."""
        texts: list[str] = []
        for index, value in enumerate(plain_values(name, column)):
            if isinstance(value, str):
                texts.append(value.strip())
            elif isinstance(value, bool):
                texts.append(str(value).lower())
            elif isinstance(value, numbers.Real) and abs(value) <= sys.float_info.max:  # type: ignore[operator]
                texts.append(repr(float(value)).removesuffix(".0"))
            else:
                hint = "; leave out examples without a score" if is_missing(value) else ""
                if isinstance(value, (list, dict)):
                    part = "[0]" if isinstance(value, list) else ".KEY"
                    hint = f"; pass one of its values (command line: --columns 'scores=FIELD{part}')"
                raise ValueError(f"{name}[{index}] is {show(value)}, not a finite number, a bool or a string{hint}")
        return check_strings(name, texts)


def _check_scale(name: str, value: Any) -> dict[str, float] | tuple[float, float]:
    """Return the score of each word, or the worst and the best score. Also takes texts such as "A=1"."""
    items = [value] if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else []
    try:
        if len(items) == 2 and not any("=" in str(item) for item in items):
            worst, best = map(float, items)
            if math.isfinite(worst - best) and worst != best:
                return worst, best
        pairs = [pair for item in items for pair in (item.items() if isinstance(item, Mapping) else [item.split("=")])]
        scores = {str(word).strip(): float(score) for word, score in pairs}
        if scores and all(map(math.isfinite, scores.values())):
            return scores
    except (AttributeError, OverflowError, TypeError, ValueError):
        pass  # the message below says more
    expected = 'a pair of numbers, the worst and the best score, or the score of each word, such as {"A": 1, "B": 0}'
    raise ValueError(f"{name} must be {expected}, got {shorten(value)}")


@dataclass(frozen=True, kw_only=True)
class RecordedScoreOptions(Options):
    """The options of recorded_score."""

    scale: Mapping[str, float] | tuple[float, float] | None = option(
        None,
        'The worst and best score, as in (1, 5), or the score of each word, as in {"A": 1, "B": 0}. None: numbers '
        "from 0 to 1, percentages, true and false, correct and incorrect, pass and fail, and Inspect's letters "
        "C, P, I and N (1, 0.5, 0 and 0).",
        custom=_check_scale,
        custom_type="pair of float, or dict of str to float",
    )
    threshold: float | None = option(
        None, "Count scores at least this good as 1, others as 0.", low=-1e9, high=1e9, custom_type="float or None"
    )
    confidence_method: Method = option("wilson", METHOD_HELP, needs=("return_confidence", True))
    return_details: bool = True

    def range(self) -> Scale:
        """Return the range of the scores before the threshold, and their direction."""
        if isinstance(self.scale, tuple):
            worst, best = self.scale
            return Scale(min(worst, best), max(worst, best), higher_is_better=worst < best)
        if self.scale is None:
            return UNIT
        values = self.scale.values()
        return UNIT if 0 <= min(values) <= max(values) <= 1 else Scale(min(values), max(values))


def read_scores(texts: list[str], options: RecordedScoreOptions) -> list[float]:
    """Return the number that each text stands for; a `ValueError` that names the first that stands for none."""
    words = options.scale if isinstance(options.scale, Mapping) else {}
    if options.scale is None:
        letters = {text for text in set(texts) if len(text) == 1 and text.isalpha()}
        if len(letters) == 1 and letters <= _AMBIGUOUS.keys():
            (letter,) = letters
            raise ValueError(f"scores[{texts.index(letter)}] is {letter!r}, which {_AMBIGUOUS[letter]}; {_ASK}")
        words = INSPECT
    scores: dict[str, float] = {}
    for index, text in enumerate(texts):
        if text not in scores:
            scores[text] = _read(f"scores[{index}]", text, words, options)
    return [scores[text] for text in texts]


def _read(place: str, text: str, words: Mapping[str, float], options: RecordedScoreOptions) -> float:
    if text in words:
        return words[text]
    if isinstance(options.scale, Mapping):
        raise ValueError(f"{place} is {shorten(text)}, but scale has {', '.join(map(shorten, options.scale))} only")
    if options.scale is None and text.lower() in WORDS:
        return WORDS[text.lower()]
    if options.scale is None and text.endswith("%") and _NUMBER.fullmatch(text[:-1].rstrip()):
        return _read(place, repr(float(text[:-1]) / 100), words, options)
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{place} is {shorten(text)}, whose score is not known; {_ASK}")
    scale = options.range()
    if not scale.low <= (score := float(text)) <= scale.high:
        hint = "; pass the worst and the best score, as in scale=(1, 5)" if options.scale is None else ""
        raise ValueError(f"{place} is {text}, not between {scale.low:g} and {scale.high:g}{hint}")
    return score + 0.0


class RecordedScore(Module):
    """Recorded score is the mean of scores that are already there: verdicts of people, of a judge or of another tool.
    It adds what these often lack: confidence intervals, comparisons, groups, repeated samples and human labels.
    """

    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://arxiv.org/abs/2411.00640"]
    options_type = RecordedScoreOptions
    inputs = {"scores": Verdicts("The score of each example: a number, true or false, or a word.")}
    outputs = {
        "score": Output("float, in the range of `scale`", "Mean of the scores."),
        "score_confidence_interval": Output("tuple of two floats", "With `return_confidence` only."),
        "total": Output("int", "Number of scores."),
        "individual_scores": Output("list of float", "The score of each example as a number."),
    }
    main_score = "score"
    columns = {"individual_scores": float}
    counted = ("individual_scores",)

    def score(self, inputs: Mapping[str, Any], options: RecordedScoreOptions) -> dict[str, Any]:
        scores = read_scores(inputs["scores"], options)
        if options.threshold is not None:
            sign = 1 if options.range().higher_is_better else -1
            scores = [float(sign * score >= sign * options.threshold) for score in scores]
        return {"individual_scores": scores}

    def statistics(self, columns: Mapping[str, Any], options: RecordedScoreOptions) -> dict[str, Statistic]:
        scale = options.range() if options.threshold is None else UNIT
        is_binary = set(columns["individual_scores"]) <= {scale.low, scale.high}
        return {"score": (proportion if is_binary else mean)(columns["individual_scores"], scale=scale)}

    def summarize(
        self, statistics: Mapping[str, Statistic], columns: Mapping[str, Any], options: RecordedScoreOptions
    ) -> dict[str, Any]:
        statistic = statistics["score"]
        return {"score": statistic.value, "total": statistic.total}

    def worst_inputs(self, options: RecordedScoreOptions) -> dict[str, Any]:
        if isinstance(options.scale, Mapping):
            return {"scores": min(options.scale, key=options.scale.__getitem__)}
        return {"scores": options.scale[0] if options.scale else 0}

    def signature_fields(self, options: RecordedScoreOptions) -> dict[str, Any]:
        fields: dict[str, Any] = {"scale": "default"}
        if isinstance(options.scale, Mapping):
            fields["scale"] = ",".join(f"{word}={score!r}" for word, score in options.scale.items())
        elif options.scale is not None:
            fields["scale"] = "{!r}..{!r}".format(*options.scale)
        return fields if options.threshold is None else fields | {"threshold": options.threshold}
