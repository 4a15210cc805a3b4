"""Which texts match: compared with Google's rouge-score, with a plain implementation of the definition, and by hand."""

import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from answer_metrics.text import retrieval as _retrieval
from answer_metrics.text.retrieval import Matched, RougeMatcher, match_exact, match_query
from answer_metrics.text.tokens import make_tokenizer, rouge_tokens
from tests.oracles import longest_common_subsequence

WORDS = ["the", "cats", "running", "relational", "12", "a", "İstanbul", "naïve", "K", "東京", "it's", "oed"]


def rouge(threshold: float) -> RougeMatcher:
    return RougeMatcher(rouge_tokens, threshold)


def hits(matcher: Any, retrieved: list[str], truths: list[str]) -> list[list[int]]:
    return list(matcher(retrieved, truths))


def recall(retrieved: str, truth: str, scorer: RougeScorer) -> float:
    value: float = scorer.score(truth, retrieved)["rougeL"].recall
    return value


def texts_of(rng: random.Random, length: int) -> list[str]:
    """Make similar texts: one, and others shifted, shuffled, truncated, mixed with other words."""
    vocabulary = rng.choice([WORDS, [f"w{i}" for i in range(rng.choice([3, 30, 3000]))]])
    base = rng.choices(vocabulary, k=length)
    shift = rng.randrange(length + 1)
    shuffled = rng.sample(base, k=length)
    mixed = [rng.choice(vocabulary) if rng.random() < 0.2 else word for word in base]
    rest = [word for word in base if rng.random() < 0.8]
    every = [base, base[shift:] + base[:shift], base[shift:], shuffled, mixed, rest]
    return [rng.choice([" ", " ", "-", ". ", "\u3000"]).join(words) for words in every]


@pytest.mark.parametrize("use_stemmer", [False, True])
@pytest.mark.parametrize(("rounds", "longest"), [(60, 12), (6, 80), (1, 200)])
def test_decisions_equal_rouge_score(rounds: int, longest: int, *, use_stemmer: bool) -> None:
    rng = random.Random(longest)  # test data
    scorer = RougeScorer(["rougeL"], use_stemmer=use_stemmer)
    tokenize = make_tokenizer("rouge", use_stemmer=use_stemmer)
    for _ in range(rounds):
        truths = list(dict.fromkeys(texts_of(rng, rng.randint(1, longest))))
        retrieved = list(dict.fromkeys([*truths, *texts_of(rng, rng.randint(1, longest))]))
        recalls = [[recall(text, truth, scorer) for truth in truths] for text in retrieved]
        ties = {value for row in recalls for value in row}
        for threshold in {0.0, 0.7, 0.8, 1.0, *ties, *(math.nextafter(tie, 0) for tie in ties)}:
            expected = [[j for j, value in enumerate(row) if value > threshold] for row in recalls]
            assert hits(RougeMatcher(tokenize, threshold), retrieved, truths) == expected


def test_more_words_than_characters_below_the_surrogates_match() -> None:
    many = [f"w{i}" for i in range(60_000)]
    matcher = rouge(0.5)
    assert hits(matcher, [" ".join(many[50_000:])], [" ".join(many[:50_000])]) == [[]]
    for place in (0xD7FF, 0xD800, 0xDFFF - 1, 0xE000):
        truth = " ".join(many[place - 10 : place + 10])
        assert hits(matcher, [truth], [truth, many[place], many[place + 20]]) == [[0, 1]]


component = st.lists(st.sampled_from(["a", "b", "c", "d", "-"]), max_size=6).map(" ".join)
components = st.lists(component, max_size=6)


def slow_match(retrieved: list[str], truths: list[str], match: Callable[[str, str], bool]) -> Matched:
    return Matched(
        relevant=sum(any(match(r, g) for g in truths) for r in retrieved),
        retrieved=len(retrieved),
        found=len({g for g in truths if any(match(r, g) for r in retrieved)}),
        ground_truths=len(set(truths)),
        pairs=[[i, j] for i, r in enumerate(retrieved) for j, g in enumerate(truths) if match(r, g)],
    )


@example(["a b"], ["a", "b", "a"], 0.7)  # pairs are in order, also those of a repeated ground truth
@given(components, components, st.sampled_from([None, 0.0, 0.25, 0.5, 2 / 3, 0.7, 0.75, 0.8, 1.0]))
def test_matching_equals_the_definition(retrieved: list[str], truths: list[str], threshold: float | None) -> None:
    def match(text: str, truth: str) -> bool:
        if threshold is None:
            return text == truth
        tokens = rouge_tokens(truth)  # of one character each
        return bool(tokens) and longest_common_subsequence(text, "".join(tokens)) / len(tokens) > threshold

    def matcher() -> Any:
        return match_exact if threshold is None else rouge(threshold)

    expected = slow_match(retrieved, truths, match)
    assert match_query(retrieved, truths, matcher()) == expected
    assert match_query(retrieved, truths, matcher(), with_pairs=False) == expected._replace(pairs=[])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_retrieval, "_BATCH_PAIRS", 3)
        patch.setattr(_retrieval, "_MAX_TOKENS", 2)  # the encoding restarts when characters run out
        small = matcher()
        assert [match_query(retrieved, truths, small) for _ in range(2)] == [expected, expected]


def test_matches_do_not_depend_on_what_was_matched_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_retrieval, "_MAX_TOKENS", 3)
    used, truths = RougeMatcher(str.split, 0.5), ["a b", "e f"]
    for texts in (["a b", "c d"], ["e f"], ["f a", "c d"], ["e f", "b c"], ["a b"]):
        assert list(used(texts, truths)) == list(RougeMatcher(str.split, 0.5)(texts, truths))
