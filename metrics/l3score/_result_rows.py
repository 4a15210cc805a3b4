"""Conversion of judgments to one row per example: best reference, cost, failure. Pure."""

import math
from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from typing import NamedTuple
from typing import Protocol

from ._logprobs import score_top_tokens
from ._prompts import Prompt
from ._scored_columns import ColumnType

_SPENT: dict[str, ColumnType] = {"cached": "bool", "costs": "float", "unpriced": "bool"}
_SERVED: dict[str, ColumnType] = {
    "input_tokens": "optional_int",
    "output_tokens": "optional_int",
    "served_models": "str",
    "fingerprints": "str",
    "failures": "str",
}
LOGPROB_COLUMNS: dict[str, ColumnType] = {
    "individual_scores": "optional_float",
    "p_yes": "optional_float",
    "p_no": "optional_float",
    "undecided": "bool",
    "top_tokens": "json",
    "top_logprobs": "json",
    **_SPENT,
    **_SERVED,
}
VOTE_COLUMNS: dict[str, ColumnType] = {
    "individual_scores": "optional_float",
    "votes_yes": "optional_int",
    "votes_no": "optional_int",
    **_SPENT,
    **_SERVED,
}
PANEL_COLUMNS: dict[str, ColumnType] = {
    "individual_scores": "optional_float",
    "juror_scores": "json",
    "juror_costs": "json",
    **_SPENT,
    "failures": "str",
}
DRY_RUN_COLUMNS: dict[str, ColumnType] = {
    "calls": "int",
    "cached": "int",
    "input_tokens": "int",
    "output_tokens": "int",
    "costs": "float",
    "unpriced": "bool",
}
_SHOWN_CAUSES = 3
_NAME_TYPES = frozenset({str, type(None)})
_USAGE_TYPES = [int, int, int]

Row = dict[str, Any]

# What a failed judgment has in columns that cannot be missing.
_EMPTY: Mapping[ColumnType, Any] = {"bool": False, "str": ""}
_FREE: Row = {"cached": True, "costs": 0.0, "unpriced": False}


class Outcome(Protocol):
    """The outcome of one prompt; see `_outcomes.Outcome`."""

    @property
    def judgment(self) -> dict[str, Any] | None: ...
    @property
    def why(self) -> str: ...
    @property
    def cost(self) -> float | None: ...


class Judged(NamedTuple):
    """The results of one judge.

    Attributes:
        outcomes: The outcome of each prompt.
        cached: The prompts whose cost is already accounted for; those of an example are added when its row is built.
        error: The error that stopped the run, if any.
    """

    outcomes: Mapping[str, Outcome]
    cached: set[str]
    error: Exception | None = None


def is_judgment(value: object, *, votes: bool = False) -> bool:
    """Return whether a stored value can be scored: other programs may have written to the file."""
    if not isinstance(value, dict):
        return False
    usage = value.get("usage", ())
    counted = usage is None or (isinstance(usage, list) and list(map(type, usage)) == _USAGE_TYPES)
    named = type(value.get("model", 0)) in _NAME_TYPES and type(value.get("fingerprint", 0)) in _NAME_TYPES
    return counted and named and (_has_votes(value) if votes else _has_candidates(value.get("top")))


def _has_votes(value: Mapping[str, Any]) -> bool:
    counts = [value.get("yes"), value.get("no")]
    return all(type(count) is int and count >= 0 for count in counts) and any(counts)


def _has_candidates(top: object) -> bool:
    if not isinstance(top, list) or not top:
        return False
    for pair in top:
        if type(pair) is not list or len(pair) != 2:  # noqa: PLR2004  # a pair
            return False
        token, logprob = pair
        if type(token) is not str or type(logprob) is not float or not logprob < math.inf:  # NaN is not
            return False
    return True


@lru_cache(maxsize=4096)
def _shared(text: str) -> str:
    """Return the same object for equal texts: each stored judgment is parsed with copies of its own."""
    return text


def logprob_scores(judgment: Mapping[str, Any], prompt: Prompt) -> Row:
    """Score one judgment by log-probabilities."""
    verdict = score_top_tokens(judgment["top"], prompt.yes_words, prompt.no_words)
    tokens, logprobs = zip(*judgment["top"], strict=True)
    return {
        "individual_scores": verdict.score,
        "p_yes": verdict.p_yes or 0.0,
        "p_no": verdict.p_no or 0.0,
        "undecided": verdict.undecided,
        "top_tokens": list(map(_shared, tokens)),
        "top_logprobs": list(logprobs),
    }


def vote_scores(judgment: Mapping[str, Any]) -> Row:
    """Score one judgment by votes."""
    yes, no = judgment["yes"], judgment["no"]
    return {"individual_scores": yes / (yes + no), "votes_yes": yes, "votes_no": no}


def example_row(
    prompts: Sequence[str],
    judged: Judged,
    scores: Callable[[Mapping[str, Any]], Row],
    columns: Mapping[str, ColumnType],
) -> Row:
    """Build the row of one example.

    Args:
        prompts: One prompt per reference; the best score counts.
        judged: The results of the judge.
        scores: Function that scores a judgment.
        columns: The columns of the row.
    """
    spent = _FREE if judged.cached.issuperset(prompts) else _spent(prompts, judged)
    row: Row = {}
    best: Mapping[str, Any] = {}
    for prompt in prompts:
        judgment = judged.outcomes[prompt].judgment
        if judgment is None:
            # The failed prompt could have had the best score.
            empty = {name: _EMPTY.get(kind) for name, kind in columns.items()}
            nested: Row = {name: [] for name, kind in columns.items() if kind == "json"}
            return {**empty, **nested, **spent, "failures": judged.outcomes[prompt].why}
        scored = scores(judgment)
        if not row or scored["individual_scores"] > row["individual_scores"]:
            row, best = scored, judgment
    read, _, written = best["usage"] or (None, None, None)
    served = {"served_models": _shared(best["model"] or ""), "fingerprints": _shared(best["fingerprint"] or "")}
    return {**row, **spent, "input_tokens": read, "output_tokens": written, **served, "failures": ""}


def _spent(prompts: Sequence[str], judged: Judged) -> Row:
    """Return the cost columns of an example, and mark its prompts as paid."""
    fresh = [prompt for prompt in dict.fromkeys(prompts) if prompt not in judged.cached]
    costs = [judged.outcomes[prompt].cost for prompt in fresh]
    # The next example with the same prompt costs nothing.
    judged.cached.update(fresh)
    return {"cached": False, "costs": math.fsum(cost or 0.0 for cost in costs), "unpriced": None in costs}


def panel_row(rows: Sequence[Row], names: Sequence[str]) -> Row:
    """Combine the rows of several judges for one example; its score is their mean.

    If any judge failed there is no score: a mean of fewer judges would be a different measure.
    """
    scores = [row["individual_scores"] for row in rows]
    known = [score for score in scores if score is not None]
    failures = [f"{name}: {row['failures']}" for name, row in zip(names, rows, strict=True) if row["failures"]]
    return {
        "individual_scores": math.fsum(known) / len(known) if len(known) == len(scores) else None,
        "juror_scores": scores,
        "juror_costs": [None if row["unpriced"] else row["costs"] for row in rows],
        "cached": all(row["cached"] for row in rows),
        "costs": math.fsum(row["costs"] for row in rows),
        "unpriced": any(row["unpriced"] for row in rows),
        "failures": "; ".join(failures),
    }


def describe_failures(outcomes: Iterable[Outcome]) -> str:
    """Return a sentence with the number of failed judgments and the most frequent causes."""
    causes = Counter(outcome.why for outcome in outcomes)
    failed = causes.total() - causes.pop("", 0)
    shown = "; ".join(f"{count} x {why}" for why, count in causes.most_common(_SHOWN_CAUSES))
    return f"{failed} judgments failed: {shown}{'; ...' if len(causes) > _SHOWN_CAUSES else ''}."
