"""Helpers of the contract tests."""

from types import NoneType
from typing import Any

from tests.contract.samples import Sample

SCALARS_ONLY = {"return_details": False, "return_confidence": False}
EVERYTHING = {"return_details": True, "return_confidence": True, "return_signature": True}


def compute(loaded: Any, sample: Sample, **options: Any) -> dict[str, Any]:
    """Compute the result of a sample, with its required options and the given ones."""
    result: dict[str, Any] = loaded.compute(**sample.inputs, **{**sample.options, **options})
    return result


def is_plain(value: Any) -> bool:
    """Return whether a value consists of plain Python values only: no subclasses, no NumPy scalars."""
    if type(value) is dict:
        return all(type(key) is str and is_plain(item) for key, item in value.items())
    if type(value) in {list, tuple}:
        return all(map(is_plain, value))
    return type(value) in {float, int, str, bool, NoneType}
