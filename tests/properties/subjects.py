"""The metrics as subjects of the property tests: strategies for difficult inputs, and the effect of each option."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import strategies as st

Inputs = dict[str, list[Any]]
Options = dict[str, Any]


def first_word(text: str) -> str:
    return text.partition(" ")[0]


def same_letters(prediction: str, reference: str) -> bool:
    return sorted(prediction) == sorted(reference)


def is_empty(text: str) -> bool:
    return not text.strip()


def to_upper(text: str) -> str:
    return text.upper()


def lines(text: str) -> list[str]:
    return text.split("\n")


def halves(text: str) -> list[str]:
    return [text[: len(text) // 2], text[len(text) // 2 :]]


# Pieces that differ only in case, Unicode form, marks, numbers or script, so that generated texts are often similar.
_PIECES = [
    *("Paris", "paris", "PARIS", "Parisian", "paris!", "the", "a", "not", "Straße", "STRASSE", "İ"),
    *("3.5", "35", "1,000", "1000", "-5", "5", "\u22125", "½", "10²", "102", "C++", "C#", "?", "!", ".", "+"),
    *("é", "e\u0301", "ﬁne", "fine", "Ｔｏｋｙｏ", "東京", "京都", "สวัสดี", "\u0e31", "а", "\u200b", "\xad", "\0"),
    *(" ", "  ", "\n", "\u2003", "Dr. No", "end. Next", "[", "]", '"', "|", "Candidate answer: x"),
]
_FREE = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TEXT = st.lists(st.sampled_from(_PIECES), max_size=5).map("".join) | st.sampled_from(_PIECES) | _FREE
_SENTENCES = [
    "Paris is large.", "Lyon is on the Rhone.", "paris is large", "It is 3.5 km long!", "東京は大きい。", "Bern",
]  # fmt: skip
CHUNK = st.lists(st.sampled_from(_SENTENCES), max_size=3).map(" ".join) | TEXT


@st.composite
def answer_rows(draw: st.DrawFn, *, questions: bool = False) -> Inputs:
    """Examples, about half of which are right in some sense."""
    pair = st.tuples(TEXT, TEXT) | TEXT.map(lambda text: (text, text)) | TEXT.map(lambda text: (text, f" {text}."))
    rows = draw(st.lists(pair, min_size=1, max_size=8))
    several = draw(st.booleans())
    references = [[one, *draw(st.lists(TEXT, max_size=2))] if several else one for _, one in rows]
    inputs: Inputs = {"predictions": [one for one, _ in rows], "references": references}
    return {"questions": [draw(TEXT) for _ in rows], **inputs} if questions else inputs


@st.composite
def chunk_rows(draw: st.DrawFn, *, relevance: bool = False) -> Inputs:
    """Retrieved chunks, and ground truths; some with the relevance of each ground truth."""
    rows = []
    for _ in range(draw(st.integers(1, 6))):
        truths = draw(st.lists(CHUNK, max_size=3))
        chunk = st.sampled_from(truths) | CHUNK if truths else CHUNK
        rows.append((draw(st.lists(chunk, max_size=4)), truths))
    inputs: Inputs = {"predictions": [chunk for chunk, _ in rows], "references": [truths for _, truths in rows]}
    if relevance and draw(st.booleans()):
        grade = st.sampled_from([0, 0.5, 1, 2, 3])
        inputs["relevance"] = [[draw(grade) for _ in truths] for truths in inputs["references"]]
    return inputs


@st.composite
def number_rows(draw: st.DrawFn, low: float, high: float) -> Inputs:
    """Numbers in a range, some of which are near each other."""
    number = st.integers(0, 3).map(float) | st.floats(-1e6, 1e6)
    inside = number.map(lambda value: min(high, max(low, value)))
    rows = draw(st.lists(st.tuples(inside, inside), min_size=1, max_size=8))
    return {"predictions": [one for one, _ in rows], "references": [other for _, other in rows]}


def rows_of(loaded: Any) -> st.SearchStrategy[Inputs]:
    """Return difficult examples of the kind that a metric takes, from its declarations."""
    predictions = loaded.inputs[loaded.scored_input()]
    if type(predictions).__name__ == "Verdicts":
        verdict = st.sampled_from(["correct", "Incorrect", " true", "I", "0.25", 1, 0, True, False]) | st.floats(0, 1)
        return st.fixed_dictionaries({"scores": st.lists(verdict, min_size=1, max_size=8)})
    if type(predictions).__name__ == "Numbers":
        return number_rows(predictions.low, predictions.high)
    if type(predictions).__name__ == "StringLists":
        return chunk_rows(relevance="relevance" in loaded.inputs)
    return answer_rows(questions="questions" in loaded.required_inputs())


# Values of options that take more than a flag, a number or one of a few names.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "preset": st.sampled_from([None, None, "free_form", "multiple_choice", "number"]),
    "extract": st.sampled_from(
        [None, None, "boxed", "choice", "last_number", "auto", first_word, ["answer_line", "whole"]]
    ),
    "equivalent": st.sampled_from([None, None, same_letters]),
    "abstention": st.sampled_from([None, None, "en", "any", r"\bnot\b", is_empty]),
    "reasoning_marks": st.sampled_from([None, None, [("<a>", "</a>")]]),
    "sentence_splitter": st.sampled_from([None, None, lines, halves]),
    "k": st.sampled_from([[1], [1, 3], [10, 1, 5], (2, 1)]),
    "price": st.sampled_from([None, (0, 0), (0.15, 0.6)]),
    "max_cost": st.sampled_from([None, 0.01, 5]),
    "api_key": st.sampled_from([None, "sk-given"]),
    "api_key_env": st.sampled_from([None, "A_KEY"]),
    "judge_cache_dir": st.sampled_from([None, "~/judgments"]),
}
LANGUAGES = st.sampled_from(["en", "EN", "en-GB", "de", "ja"])


def values_of(option: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for the values that an option takes, from its declaration."""
    if option.name in VALUES:
        return VALUES[option.name]
    if option.choices:
        named = st.sampled_from(option.choices)
        return named | st.sampled_from([None, first_word, to_upper]) if option.accepts(Callable) else named
    if option.accepts(bool):
        return st.booleans()
    if option.accepts(int):
        return st.integers(option.low, option.low + 3)
    if option.accepts(float):
        inside = [0.5, 0.9, 0.95, 0.99]
        return st.sampled_from(inside if option.exclusive else [*inside, 0.0, -0.0, 0.3, 0.7, 0.8, 1.0, 1, 0])
    return LANGUAGES


Witness = tuple[Any, list[Any], list[Any]]


@dataclass(frozen=True, kw_only=True, repr=False)
class Subject:
    """One metric: the keys of its scores, and witnesses.

    For each option that can change a score, another value, and predictions and references for which it does so; for
    each optional input two values under which a row scores differently, the other inputs of the row, and options.
    """

    scores: tuple[str, ...]
    witnesses: Mapping[str, Witness]
    input_witnesses: Mapping[str, tuple[list[Any], Inputs, Options]] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()  # options that are not drawn

    def values(self, loaded: Any) -> dict[str, st.SearchStrategy[Any]]:
        return {name: values_of(option) for name, option in loaded.options.items() if name not in self.left_out}

    def options(self, loaded: Any) -> st.SearchStrategy[Options]:
        return st.fixed_dictionaries({}, optional=self.values(loaded))


_MATCHING_WITNESSES: dict[str, Witness] = {
    "matching_strategy": ("EXACT_CHUNK_MATCH", [["paris"]], [["Paris"]]),
    "rouge_chunk_match_threshold": (0.4, [["one two"]], [["one two three four"]]),
    "rouge_sentence_match_threshold": (0.4, [["one two"]], [["one two three four"]]),
    "use_stemmer": (True, [["cities"]], [["city"]]),
    "tokenizer": ("unicode", [["東京"]], [["東京"]]),
    "language": ("de", [["Oktober war es. Gut."]], [["Am 3. Oktober war es."]]),
    "sentence_splitter": (lines, [["One. Two."]], [["One."]]),
}

SUBJECTS = {
    "accuracy": Subject(
        scores=("accuracy", "exact_accuracy", "fuzzy_accuracy", "mean_score"),
        witnesses={
            "case_sensitive": (True, ["paris"], ["Paris"]),
            "normalize_text": (False, ["Paris!"], ["Paris"]),
            "fuzzy_match": (True, ["Shakespear"], ["Shakespeare"]),
            "fuzzy_threshold": (0.99, ["Shakespear"], ["Shakespeare"]),
            "fuzzy_scorer": ("token_set_ratio", ["not Oslo"], ["Oslo"]),
            "match": ("contains", ["It is Paris"], ["Paris"]),
            "recall_threshold": (1.0, ["Obama"], ["Barack Obama"]),
            "language": ("none", ["six"], ["6"]),
            "extract": ("last_number", ["It is 42"], ["42"]),
            "numbers": ("value", ["3.00"], ["3"]),
            "numeric_tolerance": (0.1, ["3.1"], ["3"]),
            "normalizer": (first_word, ["Paris A"], ["Paris B"]),
            "preset": ("number", ["It is 42"], ["42"]),
            "reasoning": ("keep", ["Lyon?</think>Paris"], ["Paris"]),
            "reasoning_marks": ([("<a>", "</a>")], ["Lyon?</a>Paris"], ["Paris"]),
            "equivalent": (same_letters, ["A Paris"], ["Paris A"]),
            "abstention": ("en", ["I cannot answer."], ["I don't know."]),
        },
        input_witnesses={
            "questions": (
                ["Which kind of bridge?", "What is it?"],
                {"predictions": ["a historic bridge"], "references": ["bow bridge"]},
                {"match": "recall"},
            ),
            "choices": (
                [["Paris", "Lyon"], ["Lyon", "Paris"]],
                {"predictions": ["(A)"], "references": ["Paris"]},
                {"preset": "multiple_choice"},
            ),
        },
    ),
    "answer_exact_match": Subject(
        scores=("score",),
        witnesses={
            "normalizer": ("squad", ["the Paris"], ["Paris"]),
            "reasoning": ("keep", ["Lyon?</think>Paris"], ["Paris"]),
            "reasoning_marks": ([("<a>", "</a>")], ["Lyon?</a>Paris"], ["Paris"]),
        },
    ),
    "precision_recall_f1": Subject(
        scores=("precision", "recall", "f1"),
        witnesses={**_MATCHING_WITNESSES, "average": ("micro", [["one"], ["x", "y"]], [["one"], ["two"]])},
    ),
    # With the mock: the options left out change the scores of real judges only.
    "l3score": Subject(
        scores=("L3Score",),
        left_out=frozenset(
            {"provider", "model", "base_url", "judges", "prompt", "references_in_prompt", "scoring", "samples"}
            | {"top_logprobs", "extra_body", "dry_run"}
        ),
        witnesses={},
        input_witnesses={
            "decided": (
                [1.0, None, 0.0],
                {"questions": ["q"], "predictions": ["a"], "references": ["a"]},
                {"provider": "mock"},
            )
        },
    ),
    "token_f1": Subject(
        scores=("f1", "precision", "recall", "exact_match"),
        witnesses={
            "normalizer": ("default", ["3.5"], ["35"]),
            "tokenizer": ("unicode", ["北京市"], ["北京"]),
            "reasoning": ("keep", ["Lyon?</think>Paris"], ["Paris"]),
            "reasoning_marks": ([("<a>", "</a>")], ["Lyon?</a>Paris"], ["Paris"]),
        },
    ),
    "ranked_retrieval": Subject(
        scores=(
            *("map", "mrr", "r_precision", "mrr@1", "ndcg@1", "hit_rate@1", "recall@1", "precision@1"),
            *("ndcg@3", "recall@3"),
        ),
        witnesses=_MATCHING_WITNESSES,
        input_witnesses={
            "relevance": ([[1, 3], [3, 1]], {"predictions": [["a"]], "references": [["a", "b"]]}, {"k": [1]})
        },
    ),
    "recorded_score": Subject(
        scores=("score",),
        left_out=frozenset({"scale"}),  # which decides what scores there are
        witnesses={"scale": ({"0.5": 1}, ["0.5"], []), "threshold": (0.9, [0.5], [])},
    ),
}


def subject_of(name: str) -> Subject:
    """Return the entry of a metric; fail with an instruction if it has none."""
    if name not in SUBJECTS:
        pytest.fail(f"add an entry for the metric {name} to SUBJECTS in tests/properties/subjects.py")
    return SUBJECTS[name]
