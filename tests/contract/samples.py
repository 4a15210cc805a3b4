"""What the contract tests ask each metric: one entry per directory under metrics/."""

from collections.abc import Mapping
from typing import Any
from typing import NamedTuple

import pytest


class Sample(NamedTuple):
    """Inputs and options of one metric that work offline and without a key."""

    inputs: Mapping[str, list[Any]]
    """At least four examples, of which not all have the same score."""
    change: Mapping[str, Any]
    """Options that change the result of these inputs."""
    wrong_options: tuple[tuple[str, Any], ...]
    """Values out of range and unknown choices."""
    options: Mapping[str, Any] = {}
    """Options without which the metric would need a network or a key."""
    signs: Mapping[str, Any] | None = None
    """Options that change the signature; None where those of `change` do."""
    warns: str = ""
    """What every call warns of, as a regular expression."""
    optional: frozenset[str] = frozenset()
    """Libraries that the metric imports only for what its card says to install them for."""


ANSWERS = ["Paris!", "london", "3.5", "Zürich", "東京", ""]
RIGHT = ["paris", "London", "35", "Zu\u0308rich", "京都", ""]

SAMPLES = {
    "accuracy": Sample(
        inputs={"predictions": ANSWERS, "references": RIGHT},
        change={"case_sensitive": True},
        wrong_options=(
            ("fuzzy_threshold", 1.5),
            ("fuzzy_threshold", float("nan")),
            ("fuzzy_scorer", "levenshtein"),
            ("match", "startswith"),
            ("normalizer", "squad"),
            ("case_sensitive", "no"),
            ("confidence_level", 1),
            ("confidence_method", "wald"),
            ("bootstrap_seed", -1),
        ),
    ),
    "answer_exact_match": Sample(
        inputs={"predictions": ANSWERS, "references": RIGHT},
        change={"normalizer": "default"},
        wrong_options=(("normalizer", "squat"), ("confidence_level", 95), ("confidence_method", "wald")),
    ),
    "precision_recall_f1": Sample(
        inputs={
            "predictions": [
                ["Lyon is on the Rhone. It is large.", "Paris is the capital of France."],
                [],
                ["The Seine flows through Paris. It is long."],
                ["Bern"],
            ],
            "references": [
                ["Paris is the capital of France."],
                ["Oslo is in Norway."],
                ["The Seine flows through Paris."],
                ["Zürich"],
            ],
        },
        change={"matching_strategy": "EXACT_CHUNK_MATCH"},
        wrong_options=(
            ("matching_strategy", "ROUGE"),
            ("rouge_chunk_match_threshold", 1.5),
            ("rouge_sentence_match_threshold", -0.1),
            ("average", "weighted"),
            ("tokenizer", "bert"),
            ("language", "klingon"),
            ("sentence_splitter", "punkt"),
            ("use_stemmer", 1),
            ("confidence_level", 0),
        ),
    ),
    "l3score": Sample(
        inputs={
            "questions": ["Capital of France?", "Capital of England?", "What is 7/2?", "Capital of Japan?"],
            "predictions": ["It is Paris", "London", "35", "京都"],
            "references": ["Paris", "London", "3.5", "東京"],
        },
        change={"return_details": True},
        signs={"prompt": "spiqa"},
        options={"provider": "mock", "use_cache": False},
        warns="mock",
        wrong_options=(
            ("provider", "nobody"),
            ("prompt", "poem"),
            ("top_logprobs", 1),
            ("max_concurrency", 0),
            ("request_timeout", 0),
            ("max_retries", -1),
            ("on_error", "ignore"),
            ("max_cost", -1),
            ("confidence_level", 1.5),
        ),
        optional=frozenset({"torch", "transformers"}),
    ),
}


def sample_of(name: str) -> Sample:
    """Return the entry of a metric; one without an entry fails with what to do."""
    if name not in SAMPLES:
        pytest.fail(f"add an entry for the metric {name} to SAMPLES in tests/contract/samples.py")
    return SAMPLES[name]
