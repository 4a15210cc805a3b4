"""Sample inputs and options for the contract tests: one entry per directory under metrics/."""

from collections.abc import Mapping
from types import NoneType
from typing import Any, NamedTuple

import pytest

SCALARS_ONLY = {"return_details": False, "return_confidence": False}
EVERYTHING = {"return_details": True, "return_confidence": True, "return_signature": True}


class Sample(NamedTuple):
    """Inputs and options of one metric that need no network and no API key."""

    inputs: Mapping[str, list[Any]]
    """At least four examples, not all with the same score; the values of a column have one type."""
    change: Mapping[str, Any]
    """Options that change the result for these inputs."""
    options: Mapping[str, Any] = {}
    """Options that every call needs to do without a network and an API key."""
    signature_change: Mapping[str, Any] | None = None
    """Options that change the signature; None if those of `change` do."""
    expected_warning: str = ""
    """Regular expression of the warning that every call issues, if any."""

    @property
    def rows(self) -> int:
        return len(next(iter(self.inputs.values())))


ANSWERS: dict[str, list[Any]] = {
    "predictions": ["Paris!", "london", "3.5", "Zürich", "東京", ""],
    "references": ["paris", "London", "35", "Zu\u0308rich", "京都", ""],
}
CHUNKS: dict[str, list[Any]] = {
    "predictions": [["Lyon is big. It is old.", "Paris is in France."], [], ["Oslo is big. It is cold."], ["Bern"]],
    "references": [["Paris is in France."], ["Rome is old."], ["Oslo is big."], ["Zürich"]],
}

SAMPLES = {
    "accuracy": Sample(ANSWERS, change={"case_sensitive": True}),
    "answer_exact_match": Sample(ANSWERS, change={"normalizer": "default"}),
    "precision_recall_f1": Sample(CHUNKS, change={"matching_strategy": "EXACT_CHUNK_MATCH"}),
    "l3score": Sample(
        inputs={
            "questions": ["Capital of France?", "Capital of England?", "What is 7/2?", "Capital of Japan?"],
            "predictions": ["It is Paris", "London", "35", "京都"],
            "references": ["Paris", "London", "3.5", "東京"],
        },
        change={"return_details": True},
        signature_change={"prompt": "spiqa"},
        options={"provider": "mock", "use_cache": False},
        expected_warning="mock",
    ),
    "token_f1": Sample(ANSWERS, change={"normalizer": None}),
    "ranked_retrieval": Sample(CHUNKS, change={"matching_strategy": "EXACT_CHUNK_MATCH"}),
    "recorded_score": Sample({"scores": [1.0, 0.0, 0.25, 1.0, 0.0, 0.75]}, change={"threshold": 0.75}),
}


def sample_of(name: str) -> Sample:
    """Return the entry of a metric; fail with an instruction if it has none."""
    if name not in SAMPLES:
        pytest.fail(f"add an entry for the metric {name} to SAMPLES in tests/contract/samples.py")
    return SAMPLES[name]


def scale_of(loaded: Any, sample: Sample, key: str) -> Any:
    """Return the range and direction of a score, or of one that is made of the main score."""
    scales = loaded.scales(**sample.options)
    return scales.get(key) or scales[loaded.main_score]


def is_share(loaded: Any, sample: Sample) -> bool:
    """Return whether the main score is one that human labels can correct: from 0 to 1, where higher is better."""
    scale = scale_of(loaded, sample, loaded.main_score)
    return (scale.low, scale.high, scale.higher_is_better) == (0, 1, True)


def compute(loaded: Any, sample: Sample, **options: Any) -> dict[str, Any]:
    result: dict[str, Any] = loaded.compute(**sample.inputs, **{**sample.options, **options})
    return result


def is_plain(value: Any) -> bool:
    """Return whether a value consists of plain Python values only: no subclasses, no NumPy scalars."""
    if type(value) is dict:
        return all(type(key) is str and is_plain(item) for key, item in value.items())
    if type(value) in {list, tuple}:
        return all(map(is_plain, value))
    return type(value) in {float, int, str, bool, NoneType}
