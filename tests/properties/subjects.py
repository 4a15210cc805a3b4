"""The metrics as subjects of the property tests: strategies for difficult inputs, and the effect of each option."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import strategies as st

Inputs = dict[str, list[Any]]
Options = dict[str, Any]


def first_word(text: str) -> str:
    return text.partition(" ")[0]


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
    "Paris is large.",
    "Lyon is on the Rhone.",
    "paris is large",
    "It is 3.5 km long!",
    "東京は大きい。",
    "Bern",
]
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
def chunk_rows(draw: st.DrawFn) -> Inputs:
    rows = []
    for _ in range(draw(st.integers(1, 6))):
        truths = draw(st.lists(CHUNK, max_size=3))
        found = st.sampled_from(truths) | CHUNK if truths else CHUNK
        rows.append((draw(st.lists(found, max_size=4)), truths))
    return {"predictions": [found for found, _ in rows], "references": [truths for _, truths in rows]}


# Values of options that take more than a flag, a number or one of a few names.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "extract": st.sampled_from([None, None, "boxed", "answer_line", "choice", "last_number", first_word]),
    "sentence_splitter": st.sampled_from([None, None, lines, halves]),
    "k": st.sampled_from([[1], [1, 3], [10, 1, 5], (2, 1)]),
    "price": st.sampled_from([None, (0, 0), (0.15, 0.6)]),
    "max_cost": st.sampled_from([None, 0.01, 5]),
    "api_key": st.sampled_from([None, "sk-given"]),
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


@dataclass(frozen=True, kw_only=True, repr=False)
class Subject:
    """One metric.

    Attributes:
        scores: The keys of its scores, all between 0 and 1.
        inputs: Difficult examples.
        effective_settings: Maps options to a value that is equal for two settings iff they score all inputs equally.
        witnesses: For each option that can change a score, two settings and inputs that they score differently.
        left_out: Options that are not drawn.
        correct_texts: Texts that are right when scored against themselves.
        pair_with_itself: Makes inputs in which texts are scored against themselves.
        least_correct_score: The lowest score of a right answer.
        required_options: Options that every call needs to do without a network and an API key.
        batch_dependent: Per-example values that depend on the rest of the batch.
    """

    scores: tuple[str, ...]
    effective_settings: Callable[[Options], Any]
    witnesses: Mapping[str, tuple[Options, Options, Inputs]]
    inputs: st.SearchStrategy[Inputs] = field(default_factory=answer_rows)
    left_out: frozenset[str] = frozenset()
    correct_texts: st.SearchStrategy[str] = TEXT
    pair_with_itself: Callable[[list[str]], Inputs] = lambda texts: _answer_inputs(texts, texts)
    least_correct_score: float = 1.0
    required_options: Mapping[str, Any] = field(default_factory=dict)
    batch_dependent: frozenset[str] = frozenset()

    def values(self, loaded: Any) -> dict[str, st.SearchStrategy[Any]]:
        """Return the values of each option that is drawn."""
        return {name: values_of(option) for name, option in loaded.options.items() if name not in self.left_out}

    def options(self, loaded: Any) -> st.SearchStrategy[Options]:
        """Any settings: each option is given or left at its default."""
        return st.fixed_dictionaries({}, optional=self.values(loaded))


@st.composite
def _rankings(draw: st.DrawFn) -> Inputs:
    """Rankings, some with the relevance of each ground truth."""
    inputs: Inputs = draw(chunk_rows())
    if draw(st.booleans()):
        grade = st.sampled_from([0, 0.5, 1, 2, 3])
        inputs["relevance"] = [[draw(grade) for _ in truths] for truths in inputs["references"]]
    return inputs


def _answer_inputs(predictions: list[str], references: list[str]) -> Inputs:
    return {"predictions": predictions, "references": references}


def _retrieval_inputs(predictions: list[str], references: list[str]) -> Inputs:
    return {"predictions": [predictions], "references": [references]}


def _named(function: Any) -> Any:
    return function.__qualname__ if callable(function) else function


def _pair_chunks_with_themselves(texts: list[str]) -> Inputs:
    return {"predictions": [[text] for text in texts], "references": [[text] for text in texts]}


def _effect_on_accuracy(options: Options) -> Any:
    form: Any = _named(options["normalizer"]) or (options["case_sensitive"], options["normalize_text"])
    recall = (options["language"], options["recall_threshold"]) if options["match"] == "recall" else None
    numbers = options["numeric_tolerance"] if options["numbers"] == "value" else None
    fuzzy = (options["fuzzy_scorer"], options["fuzzy_threshold"]) if options["fuzzy_match"] else None
    return form, _named(options["extract"]), options["match"], recall, numbers, fuzzy


def _effect_on_retrieval(options: Options) -> Any:
    strategy = options["matching_strategy"]
    rouge = sentences = None
    if "ROUGE" in strategy:
        kind = "sentence" if "SENTENCE" in strategy else "chunk"
        rouge = (options[f"rouge_{kind}_match_threshold"], options["tokenizer"], options["use_stemmer"])
    if "SENTENCE" in strategy:
        splitter = options["sentence_splitter"]
        sentences = ("language", options["language"]) if splitter is None else ("own", splitter.__qualname__)
    return strategy, options.get("average"), rouge, sentences


_SENTENCE = {"matching_strategy": "EXACT_SENTENCE_MATCH"}
_ROUGE_SENTENCE = {"matching_strategy": "ROUGE_SENTENCE_MATCH"}
_FUZZY = {"fuzzy_match": True}
_RECALL = {"match": "recall"}
_BY_VALUE = {"numbers": "value"}
_ASCII_WORDS = st.lists(st.text("abcXYZ019", min_size=1, max_size=6) | TEXT, min_size=1, max_size=5)
_WORDS_OF_ROUGE = _ASCII_WORDS.map(" ".join).filter(lambda text: re.search("[A-Za-z0-9]", text) is not None)

_MATCHING_WITNESSES: dict[str, tuple[Options, Options, Inputs]] = {
    "matching_strategy": ({}, {"matching_strategy": "EXACT_CHUNK_MATCH"}, _retrieval_inputs(["paris"], ["Paris"])),
    "rouge_chunk_match_threshold": (
        {},
        {"rouge_chunk_match_threshold": 0.4},
        _retrieval_inputs(["one two"], ["one two three four"]),
    ),
    "rouge_sentence_match_threshold": (
        _ROUGE_SENTENCE,
        {**_ROUGE_SENTENCE, "rouge_sentence_match_threshold": 0.4},
        _retrieval_inputs(["one two"], ["one two three four"]),
    ),
    "use_stemmer": ({}, {"use_stemmer": True}, _retrieval_inputs(["cities"], ["city"])),
    "tokenizer": ({}, {"tokenizer": "unicode"}, _retrieval_inputs(["東京"], ["東京"])),
    "language": (
        _SENTENCE,
        {**_SENTENCE, "language": "de"},
        _retrieval_inputs(["Oktober war es. Gut."], ["Am 3. Oktober war es."]),
    ),
    "sentence_splitter": (
        _SENTENCE,
        {**_SENTENCE, "sentence_splitter": lines},
        _retrieval_inputs(["One. Two."], ["One."]),
    ),
}

SUBJECTS = {
    "accuracy": Subject(
        scores=("accuracy", "exact_accuracy", "fuzzy_accuracy", "mean_score"),
        effective_settings=_effect_on_accuracy,
        witnesses={
            "case_sensitive": ({}, {"case_sensitive": True}, _answer_inputs(["paris"], ["Paris"])),
            "normalize_text": ({}, {"normalize_text": False}, _answer_inputs(["Paris!"], ["Paris"])),
            "fuzzy_match": ({}, _FUZZY, _answer_inputs(["Shakespear"], ["Shakespeare"])),
            "fuzzy_threshold": (
                _FUZZY,
                {**_FUZZY, "fuzzy_threshold": 0.99},
                _answer_inputs(["Shakespear"], ["Shakespeare"]),
            ),
            "fuzzy_scorer": (
                _FUZZY,
                {**_FUZZY, "fuzzy_scorer": "token_set_ratio"},
                _answer_inputs(["not Oslo"], ["Oslo"]),
            ),
            "match": ({}, {"match": "contains"}, _answer_inputs(["It is Paris"], ["Paris"])),
            "recall_threshold": (
                _RECALL,
                {**_RECALL, "recall_threshold": 1.0},
                _answer_inputs(["Obama"], ["Barack Obama"]),
            ),
            "language": (_RECALL, {**_RECALL, "language": "none"}, _answer_inputs(["six"], ["6"])),
            "extract": ({}, {"extract": "last_number"}, _answer_inputs(["It is 42"], ["42"])),
            "numbers": ({}, _BY_VALUE, _answer_inputs(["3.00"], ["3"])),
            "numeric_tolerance": (_BY_VALUE, {**_BY_VALUE, "numeric_tolerance": 0.1}, _answer_inputs(["3.1"], ["3"])),
            "normalizer": ({}, {"normalizer": first_word}, _answer_inputs(["Paris A"], ["Paris B"])),
        },
    ),
    "answer_exact_match": Subject(
        scores=("score",),
        effective_settings=lambda options: _named(options["normalizer"]),
        witnesses={"normalizer": ({}, {"normalizer": "squad"}, _answer_inputs(["the Paris"], ["Paris"]))},
    ),
    "precision_recall_f1": Subject(
        scores=("precision", "recall", "f1"),
        inputs=chunk_rows(),
        effective_settings=_effect_on_retrieval,
        witnesses={
            **_MATCHING_WITNESSES,
            "average": (
                {},
                {"average": "micro"},
                {"predictions": [["one"], ["x", "y"]], "references": [["one"], ["two"]]},
            ),
        },
        correct_texts=_WORDS_OF_ROUGE,
        pair_with_itself=_pair_chunks_with_themselves,
    ),
    # With the mock: the options left out change the scores of real judges only.
    "l3score": Subject(
        scores=("L3Score",),
        inputs=answer_rows(questions=True),
        left_out=frozenset(
            {"provider", "model", "base_url", "judges", "prompt", "references_in_prompt", "scoring", "samples"}
            | {"top_logprobs", "extra_body", "dry_run"}
        ),
        effective_settings=lambda _options: None,
        witnesses={},
        correct_texts=TEXT.filter(lambda text: re.search(r"\w", text.casefold()) is not None),
        pair_with_itself=lambda texts: {"questions": ["?"] * len(texts), **_answer_inputs(texts, texts)},
        least_correct_score=0.99,
        required_options={"provider": "mock"},
        batch_dependent=frozenset({"cached"}),
    ),
    "token_f1": Subject(
        scores=("f1", "precision", "recall", "exact_match"),
        effective_settings=lambda options: (_named(options["normalizer"]), options["tokenizer"]),
        witnesses={
            "normalizer": ({}, {"normalizer": "default"}, _answer_inputs(["3.5"], ["35"])),
            "tokenizer": ({}, {"tokenizer": "unicode"}, _answer_inputs(["北京市"], ["北京"])),
        },
    ),
    "ranked_retrieval": Subject(
        scores=("map", "mrr", "ndcg@1", "hit_rate@1", "recall@1", "precision@1", "ndcg@3", "recall@3"),
        inputs=_rankings(),
        effective_settings=_effect_on_retrieval,
        witnesses=_MATCHING_WITNESSES,
        correct_texts=_WORDS_OF_ROUGE,
        pair_with_itself=_pair_chunks_with_themselves,
    ),
}


def subject_of(name: str) -> Subject:
    """Return the entry of a metric; fail with an instruction if it has none."""
    if name not in SUBJECTS:
        pytest.fail(f"add an entry for the metric {name} to SUBJECTS in tests/properties/subjects.py")
    return SUBJECTS[name]
