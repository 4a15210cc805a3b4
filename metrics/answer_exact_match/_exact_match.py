"""Exact match of answers with their references, character by character."""

from operator import eq


def exact_matches(predictions: list[str], references: list[str] | list[list[str]]) -> list[int]:
    """Return 1 for each prediction that equals its reference, or one of its references, and 0 for the others."""
    if references and isinstance(references[0], list):
        return [int(prediction in accepted) for prediction, accepted in zip(predictions, references, strict=True)]
    return list(map(int, map(eq, predictions, references)))
