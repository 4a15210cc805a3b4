"""Matching compared with Google's rouge-score, with a plain implementation of the definition, and by hand."""

import math
import random
import sys
import unicodedata
import warnings
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st
from rouge_score import tokenize as rouge_tokenize
from rouge_score.rouge_scorer import RougeScorer

from metrics._shared import _matching
from metrics._shared._matching import Matched
from metrics._shared._matching import Matches
from metrics._shared._matching import RougeMatcher
from metrics._shared._matching import common_tokens
from metrics._shared._matching import match_exact
from metrics._shared._matching import match_query
from metrics._shared._tokens import loses_most
from metrics._shared._tokens import make_tokenizer
from metrics._shared._tokens import rouge_tokens
from metrics._shared._tokens import tokenizer_version
from tests.oracles import longest_common_subsequence

TEN = "one two three four five six seven eight nine ten"
WORDS = [
    "the",
    "cats",
    "running",
    "run",
    "relational",
    "12",
    "a",
    "İstanbul",
    "naïve",
    "K",
    "ﬁne",
    "東京",
    "it's",
    "oed",
]


def rouge(threshold: float) -> RougeMatcher:
    return RougeMatcher(rouge_tokens, threshold)


def slow_recall(retrieved: str, ground_truth: str) -> float:
    """Compute LCS(retrieved, ground truth) / tokens of the ground truth by the textbook algorithm."""
    a, b = rouge_tokens(retrieved), rouge_tokens(ground_truth)
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1] / len(b) if b else 0.0


def slow_match(retrieved: list[str], truths: list[str], match: Callable[[str, str], bool]) -> Matched:
    """Implement the definition literally."""
    return Matched(
        relevant=sum(any(match(r, g) for g in truths) for r in retrieved),
        retrieved=len(retrieved),
        found=len({g for g in truths if any(match(r, g) for r in retrieved)}),
        ground_truths=len(set(truths)),
        pairs=[[i, j] for i, r in enumerate(retrieved) for j, g in enumerate(truths) if match(r, g)],
    )


# ---- by hand


@pytest.mark.parametrize(
    ("retrieved", "truths", "expected"),
    [
        ([], [], (0, 0, 0, 0, [])),
        ([], ["a"], (0, 0, 0, 1, [])),
        (["a"], [], (0, 1, 0, 0, [])),
        (["a"], ["a"], (1, 1, 1, 1, [[0, 0]])),
        (["a", "b"], ["a"], (1, 2, 1, 1, [[0, 0]])),
        (["a", "a", "b"], ["a"], (2, 3, 1, 1, [[0, 0], [1, 0]])),  # retrieved duplicates count
        (["a"], ["a", "a", "b"], (1, 1, 1, 2, [[0, 0], [0, 1]])),  # duplicates count once in the ground truth
        (["a "], ["a"], (0, 1, 0, 1, [])),
        (["A"], ["a"], (0, 1, 0, 1, [])),
        ([""], [""], (1, 1, 1, 1, [[0, 0]])),
    ],
)
def test_exact_matches_equal_hand_computed_pairs(
    retrieved: list[str], truths: list[str], expected: tuple[object, ...]
) -> None:
    assert match_query(retrieved, truths, match_exact) == expected


@pytest.mark.parametrize(
    ("retrieved", "truth", "threshold", "matches"),
    [
        ("one two three four five six seven", TEN, 0.7, False),  # 7 of 10 is not more than 0.7
        ("one two three four five six seven eight", TEN, 0.7, True),
        ("one two three four five six seven eight", TEN, 0.8, False),  # 8 of 10 is not more than 0.8
        ("one two three four five six seven eight nine", TEN, 0.8, True),
        (TEN + " and many more words that were not asked for", TEN, 0.8, True),  # recall ignores the additional words
        ("ten nine eight seven six five four three two one", TEN, 0.1, False),  # order counts
        ("ONE, two; three-four five six seven EIGHT!", TEN, 0.7, True),
        ("x", TEN, 0.0, False),  # 0 is not more than 0
        ("one", TEN, 0.0, True),
        (TEN, TEN, 1.0, False),  # nothing is more than 1
        (TEN, TEN, math.nextafter(1, 0), True),
        (TEN, "...", 0.0, False),  # a ground truth without tokens matches nothing
        ("...", "...", 0.0, False),
        ("", "", 0.0, False),
        ("東京タワー", "東京タワー", 0.7, False),  # rouge-score sees no tokens there
    ],
)
def test_rouge_matches_equal_hand_computed_pairs(
    retrieved: str, truth: str, threshold: float, *, matches: bool
) -> None:
    assert list(rouge(threshold)([retrieved], [truth])) == [[0] if matches else []]
    assert (RougeScorer(["rougeL"]).score(truth, retrieved)["rougeL"].recall > threshold) is matches


@pytest.mark.parametrize("length", range(1, 101))
def test_recall_equal_to_the_threshold_is_decided_by_exact_division(length: int) -> None:
    truth = " ".join(f"w{i}" for i in range(length))
    for hits in range(length + 1):
        retrieved = " ".join(f"w{i}" for i in range(hits)) + " other words"
        assert list(rouge(hits / length)([retrieved], [truth])) == [[]]
        if hits:
            assert list(rouge(math.nextafter(hits / length, 0))([retrieved], [truth])) == [[0]]


# ---- against rouge-score


def texts_of(rng: random.Random, length: int) -> list[str]:
    """Make similar texts: one, and others shifted, shuffled, truncated, mixed with other words."""
    vocabulary = rng.choice([WORDS, [f"w{i}" for i in range(rng.choice([3, 30, 3000]))]])
    base = rng.choices(vocabulary, k=length)
    shift = rng.randrange(length + 1)
    shuffled = rng.sample(base, k=length)
    mixed = [rng.choice(vocabulary) if rng.random() < 0.2 else word for word in base]
    kept = [word for word in base if rng.random() < 0.8]
    every = [base, base[shift:] + base[:shift], base[shift:], shuffled, mixed, kept]
    return [rng.choice([" ", " ", "-", ". ", "\u3000"]).join(words) for words in every]


@pytest.mark.parametrize("use_stemmer", [False, True])
@pytest.mark.parametrize(("rounds", "longest"), [(120, 12), (12, 80), (2, 200)])
def test_decisions_equal_rouge_score(rounds: int, longest: int, *, use_stemmer: bool) -> None:
    rng = random.Random(longest)  # noqa: S311  # test data
    scorer = RougeScorer(["rougeL"], use_stemmer=use_stemmer)
    tokenize = make_tokenizer("rouge", use_stemmer=use_stemmer)
    for _ in range(rounds):
        truths = list(dict.fromkeys(texts_of(rng, rng.randint(1, longest))))
        retrieved = list(dict.fromkeys([*truths, *texts_of(rng, rng.randint(1, longest))]))
        recalls = [[scorer.score(truth, text)["rougeL"].recall for truth in truths] for text in retrieved]
        ties = {recall for row in recalls for recall in row}
        thresholds = {0.0, 0.7, 0.8, 1.0, *ties, *(math.nextafter(tie, 0) for tie in ties)}
        for threshold in thresholds:
            expected = [[j for j, recall in enumerate(row) if recall > threshold] for row in recalls]
            assert list(RougeMatcher(tokenize, threshold)(retrieved, truths)) == expected


@given(st.text(max_size=30) | st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join))
def test_tokens_equal_rouge_score(text: str) -> None:
    assert rouge_tokens(text) == rouge_tokenize.tokenize(text, None)


def test_text_shifted_by_more_than_64_tokens_matches() -> None:
    # RapidFuzz 3.0 to 3.14 returns 0 here if the cutoff equals the LCS.
    truth = [f"w{i}" for i in range(100)]
    retrieved = [f"x{i}" for i in range(90)] + truth[:71]
    assert list(rouge(0.7)([" ".join(retrieved)], [" ".join(truth)])) == [[0]]
    assert list(rouge(0.71)([" ".join(retrieved)], [" ".join(truth)])) == [[]]


def test_more_words_than_characters_below_the_surrogates_match() -> None:
    many = [f"w{i}" for i in range(60_000)]
    matcher = rouge(0.5)
    assert list(matcher([" ".join(many[50_000:])], [" ".join(many[:50_000])])) == [[]]
    for place in (0xD7FF, 0xD800, 0xDFFF - 1, 0xE000):
        truth = " ".join(many[place - 10 : place + 10])
        assert list(matcher([truth], [truth, many[place], many[place + 20]])) == [[0, 1]]


# ---- against the definition

component = st.lists(st.sampled_from(["a", "b", "c", "d", "-"]), max_size=6).map(" ".join)
components = st.lists(component, max_size=6)


@settings(max_examples=300)
@given(components, components, st.sampled_from([0.0, 0.25, 0.5, 2 / 3, 0.7, 0.75, 0.8, 1.0]))
def test_rouge_matching_equals_the_definition(retrieved: list[str], truths: list[str], threshold: float) -> None:
    expected = slow_match(retrieved, truths, lambda r, g: slow_recall(r, g) > threshold)
    assert match_query(retrieved, truths, rouge(threshold)) == expected


@given(components, components)
def test_exact_matching_equals_the_definition(retrieved: list[str], truths: list[str]) -> None:
    assert match_query(retrieved, truths, match_exact) == slow_match(retrieved, truths, str.__eq__)


@given(components, components)
def test_block_size_does_not_change_results(retrieved: list[str], truths: list[str]) -> None:
    whole = match_query(retrieved, truths, rouge(0.5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_matching, "_BATCH_PAIRS", 3)
        patch.setattr(_matching, "_MAX_TOKENS", 2)
        matcher = rouge(0.5)
        assert [match_query(retrieved, truths, matcher) for _ in range(2)] == [whole, whole]


def test_token_encoding_restarts_when_characters_run_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_matching, "_MAX_TOKENS", 2)
    matcher = rouge(0.5)
    assert list(matcher(["a b"], ["c d"])) == [[]]
    assert list(matcher(["x y"], ["c d"])) == [[]]
    assert list(matcher(["x y", "c d"], ["c d"])) == [[], [0]]


def test_half_of_all_characters_remain_for_one_query() -> None:
    assert 0 < _matching._MAX_TOKENS <= (sys.maxunicode + 1) // 2


def test_texts_without_tokens_and_empty_lists_cause_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy's division by zero
        assert list(rouge(0.0)(["a", "?"], ["?", "a"])) == [[1], []]
        assert list(rouge(0.0)(["a", "b"], [])) == [[], []]
        assert list(rouge(0.0)([], ["a"])) == []


@given(components, components, st.booleans())
def test_counts_do_not_depend_on_the_pairs(retrieved: list[str], truths: list[str], exact: bool) -> None:  # noqa: FBT001
    matcher = match_exact if exact else rouge(0.5)
    with_pairs = match_query(retrieved, truths, matcher)
    assert match_query(retrieved, truths, matcher, with_pairs=False) == with_pairs._replace(pairs=[])


def test_pairs_are_listed_only_on_request() -> None:
    """There can be millions of pairs: 2,000 chunks that all match 2,000 ground truths."""

    def matcher(retrieved: Sequence[str], truths: Sequence[str]) -> Matches:
        return replace(match_exact(retrieved, truths), list_hits=lambda: pytest.fail("listed"))

    assert match_query(["a", "b"], ["a", "a"], matcher, with_pairs=False) == (1, 2, 1, 1, [])


@given(st.lists(st.text("abcdefgh", max_size=80), min_size=1, max_size=4))
def test_no_lcs_exceeds_the_common_tokens(texts: list[str]) -> None:
    bounds = common_tokens(texts, texts)
    lcs = [[longest_common_subsequence(one, other) for other in texts] for one in texts]
    assert (bounds >= np.array(lcs)).all()
    assert bounds.diagonal().tolist() == list(map(len, texts))


def test_tokens_in_one_bucket_are_compared_by_their_lcs() -> None:
    """Their token counts are equal."""
    buckets = _matching._BUCKETS
    first = [f"a{i}" for i in range(buckets)]
    second = [f"b{i}" for i in range(buckets)]
    assert list(rouge(0.5)([" ".join(first)], [" ".join(first), " ".join(second)])) == [[0]]


def test_each_distinct_text_is_tokenized_once() -> None:
    seen: list[str] = []

    def tokenize(text: str) -> list[str]:
        seen.append(text)
        return text.split()

    matcher = RougeMatcher(tokenize, 0.5)
    for _ in range(3):
        match_query(["a b", "a b", "c"], ["a b", "d", "d"], matcher)
    assert sorted(seen) == ["a b", "c", "d"]


# ---- tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The CAT's 2 mats", ["the", "cat", "s", "2", "mats"]),
        ("Straße CAFÉ cafe\u0301", ["strasse", "café", "café"]),
        ("東京タワー2020年", ["東", "京", "タ", "ワ", "ー", "2020", "年"]),
        ("हिन्दी में", ["हिन्दी", "में"]),  # vowel signs are not letters, but belong to words
        ("العَرَبِيَّة مرحبا", ["العَرَبِيَّة", "مرحبا"]),
        ("ก็ดี", ["ก็", "ดี"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("snake_case — “quoted”", ["snake", "case", "quoted"]),
        ("", []),
    ],
)
def test_unicode_tokenizer_splits_words_and_characters(text: str, tokens: list[str]) -> None:
    assert make_tokenizer("unicode", use_stemmer=False)(text) == tokens


def test_stemmer_applies_to_words_of_more_than_three_letters() -> None:
    for name in ("rouge", "unicode"):
        tokenize = make_tokenizer(name, use_stemmer=True)
        assert tokenize("Running dogs ran his way") == ["run", "dog", "ran", "his", "way"]


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("東京", True),
        ("東京 2020 x", False),
        ("ab 東京", False),  # half of them is not most of them
        ("ab 東京都", True),
        ("Привет, мир 1", True),
        ("naïve café", False),
        ("—", False),
        ("", False),
    ],
)
def test_dropped_letters_cause_a_warning(text: str, *, lost: bool) -> None:
    assert loses_most(text) is lost


def test_missing_stemmer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk.stem.porter", None)
    with pytest.raises(ImportError, match="use_stemmer needs nltk: pip install nltk"):
        make_tokenizer("rouge", use_stemmer=True)


def test_tokenizer_version_includes_the_stemmer() -> None:
    assert tokenizer_version("rouge", use_stemmer=False) == "rouge-v1"
    assert tokenizer_version("rouge", use_stemmer=True).startswith("rouge-v1+porter-nltk-")
    assert tokenizer_version("unicode", use_stemmer=False) == f"unicode-v1-{unicodedata.unidata_version}"
