"""Examples for l3score, and the mock that scores them."""

from typing import Any

from metrics.l3score.l3score import L3Score

TEXTS: dict[str, Any] = {
    "questions": ["Capital of France?", "Capital of Germany?", "Colors of the flag?"],
    "predictions": ["Paris", "Moscow", "red and white"],
    "references": ["Paris", "Berlin", "red, white and blue"],
}


def mock(**options: Any) -> dict[str, Any]:
    """Score the examples with the mock judge."""
    result = L3Score().compute(**{**TEXTS, "provider": "mock", **options})
    assert result is not None
    return result
