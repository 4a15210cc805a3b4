"""A judge without a model: log-probabilities from word overlap, for testing. Deterministic and pure."""

import math
import re
from collections import Counter

# Keeps the probabilities away from 0 and 1, like those of a real judge.
_MIN_PROBABILITY = 0.01


def mock_top_tokens(reference: str, prediction: str) -> list[tuple[str, float]]:
    """Return candidates for the first token of a judge that compares words.

    Args:
        reference: The ground-truth answer.
        prediction: The candidate answer.

    Returns:
        ("Yes", log p) and ("No", log(1 - p)), the more probable first, where p grows with the F1 of the case-folded
        words of both texts.
    """
    expected, given = (re.findall(r"\w+", text.casefold()) for text in (reference, prediction))
    shared = (Counter(expected) & Counter(given)).total()
    total = len(expected) + len(given)
    # Two texts without words ("?" and "!") match only if they are equal.
    overlap = 2 * shared / total if total else float(reference == prediction)
    p_yes = _MIN_PROBABILITY + (1 - 2 * _MIN_PROBABILITY) * overlap
    pairs = [("Yes", math.log(p_yes)), ("No", math.log(1 - p_yes))]
    return sorted(pairs, key=lambda pair: -pair[1])
