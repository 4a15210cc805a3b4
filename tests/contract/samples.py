"""Sample inputs and options for the contract tests: one entry per directory under metrics/."""

from collections.abc import Mapping
from typing import Any
from typing import NamedTuple

import pytest


class Sample(NamedTuple):
    """Inputs and options of one metric that need no network and no API key."""

    inputs: Mapping[str, list[Any]]
    """At least four examples, not all with the same score."""
    change: Mapping[str, Any]
    """Options that change the result for these inputs."""
    wrong_options: tuple[tuple[str, Any], ...]
    """Options with invalid values: out of range, or unknown choices."""
    options: Mapping[str, Any] = {}
    """Options that every call needs to do without a network and an API key."""
    signature_change: Mapping[str, Any] | None = None
    """Options that change the signature; None if those of `change` do."""
    expected_warning: str = ""
    """Regular expression of the warning that every call issues, if any."""
    optional_libraries: frozenset[str] = frozenset()
    """Libraries that only some options need; the card says which."""


PREDICTIONS = ["Paris!", "london", "3.5", "Zürich", "東京", ""]
REFERENCES = ["paris", "London", "35", "Zu\u0308rich", "京都", ""]
RETRIEVED = [
    ["Lyon is on the Rhone. It is large.", "Paris is the capital of France."],
    [],
    ["The Seine flows through Paris. It is long."],
    ["Bern"],
]
GROUND_TRUTHS = [
    ["Paris is the capital of France."],
    ["Oslo is in Norway."],
    ["The Seine flows through Paris."],
    ["Zürich"],
]

SAMPLES = {
    "accuracy": Sample(
        inputs={"predictions": PREDICTIONS, "references": REFERENCES},
        change={"case_sensitive": True},
        wrong_options=(
            ("fuzzy_threshold", 1.5),
            ("fuzzy_threshold", float("nan")),
            ("fuzzy_scorer", "levenshtein"),
            ("match", "startswith"),
            ("normalizer", "squat"),
            ("extract", "boxes"),
            ("extract", "(a)(b)"),
            ("extract", "(a"),
            ("numbers", "values"),
            ("numeric_tolerance", -1),
            ("recall_threshold", 50),
            ("language", "klingon"),
            ("case_sensitive", "no"),
            ("confidence_level", 1),
            ("confidence_method", "wald"),
            ("bootstrap_seed", -1),
        ),
    ),
    "answer_exact_match": Sample(
        inputs={"predictions": PREDICTIONS, "references": REFERENCES},
        change={"normalizer": "default"},
        wrong_options=(("normalizer", "squat"), ("confidence_level", 95), ("confidence_method", "wald")),
    ),
    "precision_recall_f1": Sample(
        inputs={"predictions": RETRIEVED, "references": GROUND_TRUTHS},
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
        signature_change={"prompt": "spiqa"},
        options={"provider": "mock", "use_cache": False},
        expected_warning="mock",
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
        optional_libraries=frozenset({"torch", "transformers"}),
    ),
    "token_f1": Sample(
        inputs={"predictions": PREDICTIONS, "references": REFERENCES},
        change={"normalizer": None},
        wrong_options=(
            ("normalizer", "squat"),
            ("tokenizer", "bert"),
            ("confidence_level", 1),
            ("bootstrap_seed", -1),
        ),
    ),
    "ranked_retrieval": Sample(
        inputs={"predictions": RETRIEVED, "references": GROUND_TRUTHS},
        change={"matching_strategy": "EXACT_CHUNK_MATCH"},
        wrong_options=(
            ("matching_strategy", "id"),
            ("rouge_chunk_match_threshold", 1.5),
            ("tokenizer", "bert"),
            ("k", 10),
            ("k", [0]),
            ("k", [5, 5]),
            ("k", []),
            ("k", [1.5]),
            ("k", [True]),
            ("confidence_level", 0),
        ),
    ),
}


def sample_of(name: str) -> Sample:
    """Return the entry of a metric; fail with an instruction if it has none."""
    if name not in SAMPLES:
        pytest.fail(f"add an entry for the metric {name} to SAMPLES in tests/contract/samples.py")
    return SAMPLES[name]
