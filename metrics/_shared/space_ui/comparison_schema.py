"""The schema of a comparison's result: JSON Schema for language models, and a table for the page."""

from typing import Any

_SHARE: dict[str, Any] = {"type": "number", "minimum": -1, "maximum": 1}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_ENDS: dict[str, Any] = {"type": "array", "items": _SHARE, "minItems": 2, "maxItems": 2}
_SYSTEMS: dict[str, tuple[dict[str, Any], str, str]] = {
    "difference": (_SHARE, "float, -1 to 1", "Score of B minus score of A."),
    "difference_confidence_interval": (_ENDS, "list of two floats", "Its confidence interval."),
    "p_value": (
        {"type": "number", "minimum": 0, "maximum": 1},
        "float, 0 to 1",
        "Two-sided p-value of a paired test: how likely such a difference is if both systems are equally good.",
    ),
    "test": ({"type": "string"}, "str", "The test: exact McNemar, or a permutation test of rows or clusters."),
    "wins": (_COUNT, "int", "Rows on which B scores higher."),
    "losses": (_COUNT, "int", "Rows on which A scores higher."),
    "ties": (_COUNT, "int", "Rows on which both score the same."),
    "left_out": (_COUNT, "int", "Rows for which one of the two has no score."),
    "minimum_detectable_difference": (
        {"type": "number", "minimum": 0, "maximum": 1},
        "float, 0 to 1",
        "The smallest true difference that the test would detect with a power of 80%.",
    ),
    "noninferior": (
        {"type": "boolean"},
        "bool",
        "With `margin` only: whether B is worse by less than the margin.",
    ),
    "equivalent": ({"type": "boolean"}, "bool", "With `margin` only: whether they differ by less than the margin."),
}
_TOP: dict[str, tuple[dict[str, Any], str, str]] = {
    "sentence": ({"type": "string"}, "str", "Whether B is better than A, in plain language."),
    "summary": (
        {"type": "string"},
        "str",
        "One line for a paper: scores, difference, test, rows, signature.",
    ),
    "score": ({"type": "string"}, "str", "The main score, which sentence and summary report."),
    "total": (_COUNT, "int", "Number of rows."),
    "clusters": (_COUNT, "int", "Number of clusters, if given."),
    "confidence_level": ({"type": "number"}, "float", "Level of all intervals."),
    "signature": ({"type": "string"}, "str", "Everything that can change a score, in one line."),
}
_BY_SCORE = " One value, or an object by score if the metric has several."


def _either(schema: dict[str, Any], text: str) -> dict[str, Any]:
    return {"description": text + _BY_SCORE, "anyOf": [schema, {"type": "object", "additionalProperties": schema}]}


COMPARISON_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        **{name: {**schema, "description": text} for name, (schema, _, text) in _TOP.items()},
        "baseline": {"type": "string", "description": "The system that the other one is compared with: A."},
        "systems": {
            "type": "object",
            "description": "A and B, each with its scores `K` and their `K_confidence_interval`.",
            "properties": {
                "A": {"type": "object"},
                "B": {
                    "type": "object",
                    "properties": {name: _either(schema, text) for name, (schema, _, text) in _SYSTEMS.items()},
                },
            },
            "required": ["A", "B"],
        },
    },
    "required": ["sentence", "summary", "score", "total", "baseline", "systems"],
    "additionalProperties": True,
}
COMPARISON_TABLE: list[dict[str, str]] = [
    *({"name": name, "type": label, "text": text, "note": ""} for name, (_, label, text) in _TOP.items()),
    {"name": "systems", "type": "dict of dict", "text": "`A` and `B`: their scores and intervals.", "note": ""},
    *(
        {"name": f'systems["B"]["{name}"]', "type": label, "text": text, "note": ""}
        for name, (_, label, text) in _SYSTEMS.items()
    ),
]
"""The rows of the table for the page."""
