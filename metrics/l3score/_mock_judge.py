"""A judge without a model: log-probabilities from token overlap, to try the pipeline out. Deterministic and pure."""

import math
import re
from collections import Counter

# Keeps the probabilities of the two answers away from 0 and 1, as a real judge's are.
_LEAST = 0.01


def mock_top_tokens(reference: str, prediction: str) -> list[tuple[str, float]]:
    """Candidates for the first token of a judge that only compares words.

    Args:
        reference: The ground-truth answer.
        prediction: The candidate answer.

    Returns:
        ("Yes", log p) and ("No", log(1 - p)), the more probable first, where p grows with the F1 of the case-folded
        words of both texts.
    """
    expected, given = (re.findall(r"\w+", text.casefold()) for text in (reference, prediction))
    shared = (Counter(expected) & Counter(given)).total()
    longest = len(expected) + len(given)
    # Two texts without a word between them ("?" and "!") are alike only if they are equal.
    overlap = 2 * shared / longest if longest else float(reference == prediction)
    p_yes = _LEAST + (1 - 2 * _LEAST) * overlap
    pairs = [("Yes", math.log(p_yes)), ("No", math.log(1 - p_yes))]
    return sorted(pairs, key=lambda pair: -pair[1])
