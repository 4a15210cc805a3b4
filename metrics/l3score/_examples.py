"""From judgements to one row per example: which reference counts, what it cost, why it failed. Pure."""

import math
from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from typing import Any
from typing import Protocol

from ._scored_columns import ColumnType

COLUMN_TYPES: dict[str, ColumnType] = {
    "individual_scores": "optional_float",
    "p_yes": "optional_float",
    "p_no": "optional_float",
    "undecided": "bool",
    "top_tokens": "json",
    "top_logprobs": "json",
    "cached": "bool",
    "costs": "float",
    "unpriced": "bool",
    "input_tokens": "optional_int",
    "output_tokens": "optional_int",
    "served_models": "str",
    "fingerprints": "str",
    "failures": "str",
}
_SHOWN_CAUSES = 3


class Outcome(Protocol):
    """What became of one prompt; see `_judge.Outcome`."""

    @property
    def judgement(self) -> dict[str, Any] | None: ...
    @property
    def why(self) -> str: ...
    @property
    def cost(self) -> float | None: ...


class Verdict(Protocol):
    """What one judgement says; see `_logprobs.Verdict`."""

    @property
    def score(self) -> float: ...
    @property
    def p_yes(self) -> float | None: ...
    @property
    def p_no(self) -> float | None: ...
    @property
    def undecided(self) -> bool: ...


def is_judgement(value: object) -> bool:
    """Say whether what a store held can be scored: stores are files, and others may have written to them."""
    if not isinstance(value, dict) or not isinstance(value.get("top"), list) or not value["top"]:
        return False
    pairs = (isinstance(pair, list) and [type(part) for part in pair] == [str, float] for pair in value["top"])
    usage = value.get("usage", ())
    counts = usage is None or (isinstance(usage, list) and [type(count) for count in usage] == [int, int, int])
    names = (value.get(name, 0) for name in ("model", "fingerprint"))
    return (
        all(pairs)
        and all(logprob < math.inf for _, logprob in value["top"])  # NaN is not
        and counts
        and all(name is None or isinstance(name, str) for name in names)
    )


def example_row(
    prompts: list[str],
    outcomes: Mapping[str, Outcome],
    cached: set[str],
    verdict_on: Callable[[list[tuple[str, float]]], Verdict],
) -> tuple[Any, ...]:
    """Put together the row of one example, in the order of `COLUMN_TYPES`.

    Args:
        prompts: One for each reference; the reference that scores best counts.
        outcomes: What became of each prompt.
        cached: The prompts that cost nothing any more; those of this example are added.
        verdict_on: Scores the candidates for the first token.
    """
    fresh = [prompt for prompt in dict.fromkeys(prompts) if prompt not in cached]
    costs = [outcomes[prompt].cost for prompt in fresh]
    # The next example with the same prompt costs nothing.
    cached.update(fresh)
    # A column of None and floats would not fit into a dataset whose first rows are all None: hence "unpriced".
    spent = not fresh, math.fsum(cost or 0.0 for cost in costs), None in costs
    failures = [outcomes[prompt].why for prompt in prompts if outcomes[prompt].judgement is None]
    if failures:
        # The one that failed could have been the best.
        return None, None, None, False, [], [], *spent, None, None, "", "", failures[0]
    judgements = [outcomes[prompt].judgement or {} for prompt in prompts]
    verdicts = [verdict_on(judgement["top"]) for judgement in judgements]
    best = max(range(len(verdicts)), key=lambda index: verdicts[index].score)
    verdict, judgement = verdicts[best], judgements[best]
    tokens, logprobs = zip(*judgement["top"], strict=True)
    read, _, written = judgement["usage"] or (None, None, None)
    served = judgement["model"] or "", judgement["fingerprint"] or ""
    yes_and_no = verdict.p_yes or 0.0, verdict.p_no or 0.0, verdict.undecided
    return verdict.score, *yes_and_no, list(tokens), list(logprobs), *spent, read, written, *served, ""


def describe_failures(outcomes: Iterable[Outcome]) -> str:
    """Say how many of the judgements failed, and the most frequent causes."""
    causes = Counter(outcome.why for outcome in outcomes)
    failed = causes.total() - causes.pop("", 0)
    shown = "; ".join(f"{count} x {why}" for why, count in causes.most_common(_SHOWN_CAUSES))
    return f"{failed} judgements failed: {shown}{'; ...' if len(causes) > _SHOWN_CAUSES else ''}."
