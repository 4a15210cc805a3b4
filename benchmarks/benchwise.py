"""Benchwise's `accuracy`, reimplemented from its documentation and published algorithm, as it is on no package index.

It normalizes and compares pair by pair in a loop, calls thefuzz for unequal pairs, and draws 1000 bootstrap resamples
with numpy. Most of its cost is that every resample converts the list of scores to an array again.
"""

import string
from typing import Any

_RESAMPLES = 1000


def _normalized(text: str) -> str:
    words = " ".join(text.lower().split())
    return words.translate(str.maketrans("", "", string.punctuation)).strip()


def accuracy(
    predictions: list[str],
    references: list[str],
    *,
    fuzzy_match: bool = False,
    fuzzy_threshold: float = 0.8,
    return_confidence: bool = True,
) -> dict[str, Any]:
    """Compute the result as Benchwise's documentation describes."""
    import numpy as np

    if fuzzy_match:
        from thefuzz import fuzz
    scores, types = [], []
    for prediction, reference in zip(predictions, references, strict=True):
        first, second = _normalized(prediction), _normalized(reference)
        if first == second:
            scores.append(1.0)
            types.append("exact")
        elif fuzzy_match and fuzz.ratio(first, second) / 100 >= fuzzy_threshold:
            scores.append(fuzzy_threshold)
            types.append("fuzzy")
        else:
            scores.append(0.0)
            types.append("none")
    result: dict[str, Any] = {
        "accuracy": (len(types) - types.count("none")) / len(types),
        "correct": types.count("exact"),
        "total": len(types),
        "mean_score": float(np.mean(scores)),
        "std_score": float(np.std(scores)),
        "individual_scores": scores,
        "match_types": types,
    }
    if return_confidence:
        means = [np.mean(np.random.choice(scores, size=len(scores), replace=True)) for _ in range(_RESAMPLES)]  # noqa: NPY002  # as in the original
        low, high = np.percentile(means, [2.5, 97.5])
        result["accuracy_confidence_interval"] = (float(low), float(high))
    return result
