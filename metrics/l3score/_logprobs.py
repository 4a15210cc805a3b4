"""Score of one judgment from the log-probabilities of the judge's first answer token: pure, standard library only.

The formula is that of SPIQA's `score_openai`
(https://github.com/google/spiqa/blob/main/metrics/llmlogscore/llmlogscore.py, described in
https://arxiv.org/abs/2407.09413), which knows tokens by stripping white space and lower-casing. On those spellings the
score is the same; here further spellings of the same two words count too.
"""

import math
from collections.abc import Collection
from collections.abc import Iterable
from functools import lru_cache
from functools import reduce
from numbers import Real
from operator import add
from typing import NamedTuple

# Enters the signature and, through it, tells apart results of different spelling rules.
SCORING_VERSION = "1"

# SPIQA's floor for the probability of the answer that is missing from the list.
LEAST_PROBABILITY = 1e-8

# White space as str.strip() knows it; the marks with which tokenizers write a space or a line break (U+2581, U+0120,
# U+010A); a byte-order mark and zero-width marks; what judges put around the word (`"Yes`, `**Yes`, `Yes.`).
_AROUND = (
    "".join(mark for mark in map(chr, range(0x3001)) if mark.isspace())
    + "\u2581\u0120\u010a"
    + "\ufeff\u200b\u200c\u200d\u2060"
    + "\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb"
    + "*_.,:;!?()[]"
)


class Verdict(NamedTuple):
    """What one list of candidate tokens says.

    Attributes:
        score: p(yes) / (p(yes) + p(no)), in [0, 1]; 0.0 if undecided.
        p_yes: Probability of Yes, estimated if only No was listed; None if undecided.
        p_no: Probability of No, estimated if only Yes was listed; None if undecided.
        undecided: Neither Yes nor No was listed.
    """

    score: float
    p_yes: float | None
    p_no: float | None
    undecided: bool


@lru_cache(maxsize=4096)
def plain_word(token: str) -> str:
    """The word that a token spells, case-folded, without what may surround it.

    No compatibility normalization: it would turn the one character U+2116 (numero sign) into the word "no".
    """
    return token.strip(_AROUND).casefold()


def score_top_tokens(
    top: Iterable[tuple[str, float]],
    yes_words: Collection[str] = ("yes",),
    no_words: Collection[str] = ("no",),
) -> Verdict:
    """Score the candidates for the judge's first token.

    Args:
        top: Pairs of token and natural log-probability, in any order, as many as the judge gave.
        yes_words: Case-folded words that count as Yes.
        no_words: Case-folded words that count as No.

    Returns:
        The verdict. If only one answer is listed, the other's probability is the smaller of the least listed one and
        the mass that the list leaves over, but at least 1e-8.

    Raises:
        ValueError: For what is not the logarithm of a probability: NaN, infinity, a string. Left out, it would give all
            the mass that is left to the answer that it stands for.
    """
    yes = no = -math.inf
    least = math.inf
    listed: list[float] = []
    for token, logprob in top:
        if (type(logprob) is not float and not isinstance(logprob, Real)) or not logprob < math.inf:  # NaN is not
            raise ValueError(f"the log-probability of {token!r} is {logprob!r}, expected a finite number")
        word = plain_word(token)
        # Of several spellings the most probable one counts, and the list need not be sorted.
        if word in yes_words:
            yes = max(yes, logprob)
        elif word in no_words:
            no = max(no, logprob)
        least = min(least, logprob)
        listed.append(logprob)
    if yes == no == -math.inf:
        return Verdict(0.0, None, None, undecided=True)
    if math.inf in (-yes, -no):
        # Rounded log-probabilities can sum to more than 1; the floor covers that, too.
        # Added in SPIQA's order: near the floor the last bits count. (From Python 3.12 on sum() rounds otherwise.)
        left_over = 1.0 - reduce(add, map(_probability, sorted(listed, reverse=True)), 0.0)
        missing = math.log(max(min(_probability(least), left_over), LEAST_PROBABILITY))
        yes, no = (missing, no) if yes == -math.inf else (yes, missing)
    return Verdict(_share(yes, no), _probability(yes), _probability(no), undecided=False)


def _probability(logprob: float) -> float:
    """The exponential, at most 1: servers round, and some send what is no log-probability and would overflow."""
    return math.exp(min(logprob, 0.0))


def _share(yes: float, no: float) -> float:
    """p(yes) / (p(yes) + p(no)) from log-probabilities, without underflow to 0/0 (servers send -9999.0)."""
    if yes >= no:
        return 1.0 / (1.0 + math.exp(no - yes))
    odds = math.exp(yes - no)
    return odds / (1.0 + odds)
