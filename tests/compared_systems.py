"""Systems to compare, each right on different rows, and questions about eight documents."""

from typing import Any

ROWS = 24
REFERENCES = [f"answer {index}" for index in range(ROWS)]
IDS = [f"q{index}" for index in range(ROWS)]
DOCUMENTS = [f"d{index // 3}" for index in range(ROWS)]
STEPS = {"base": 3, "tuned": 4, "other": 2}
RIGHT = {name: [index % step != 0 for index in range(ROWS)] for name, step in STEPS.items()}


def raw(system: str) -> dict[str, list[Any]]:
    """Predictions of a system, right where `RIGHT` says so."""
    predictions = [text if right else "wrong" for text, right in zip(REFERENCES, RIGHT[system], strict=True)]
    return {"id": IDS, "document": DOCUMENTS, "predictions": predictions, "references": REFERENCES}


def scored(loaded: Any, system: str) -> dict[str, list[Any]]:
    columns = raw(system)
    return {**loaded.score_batch(columns), "id": columns["id"], "document": columns["document"]}
