"""Scores of rankings, compared with trec_eval on ids and with every assignment of chunks to ground truths."""

import itertools
import math
import random
from collections.abc import Sequence

import pytest
import pytrec_eval
from hypothesis import assume
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

from metrics._shared._matching import Matcher
from metrics._shared._matching import RougeMatcher
from metrics._shared._matching import match_exact
from metrics._shared._matching import match_query
from metrics._shared._tokens import rouge_tokens
from metrics.ranked_retrieval._ranking import find_first_ranks
from metrics.ranked_retrieval._ranking import place_gains
from metrics.ranked_retrieval._ranking import score_names
from metrics.ranked_retrieval._ranking import score_ranking

CUTOFFS = [1, 3, 5, 10]

ids = st.lists(st.integers(0, 12).map(str), unique=True, max_size=10)
graded = st.dictionaries(st.integers(0, 12).map(str), st.integers(0, 3), min_size=1, max_size=8)
found = st.lists(st.tuples(st.integers(1, 5), st.sampled_from([0.5, 1.0, 2.0, 3.0])), max_size=4)
rank = st.none() | st.integers(1, 8)
truths = st.lists(st.tuples(rank, st.sampled_from([0.0, 0.5, 1.0, 3.0])), max_size=6)


def scores_of(
    retrieved: Sequence[str], relevance: dict[str, float], cutoffs: Sequence[int] = CUTOFFS
) -> dict[str, float]:
    ranks = find_first_ranks(retrieved, range(1, len(retrieved) + 1), list(relevance), match_exact)
    return dict(zip(score_names(cutoffs), score_ranking(ranks, list(relevance.values()), cutoffs), strict=True))


def scored(pairs: Sequence[tuple[int | None, float]], cutoffs: Sequence[int] = CUTOFFS) -> dict[str, float]:
    ranks, gains = [rank for rank, _ in pairs], [gain for _, gain in pairs]
    return dict(zip(score_names(cutoffs), score_ranking(ranks, gains, cutoffs), strict=True))


# ---- against trec_eval

TREC = {"map": "map", "mrr": "recip_rank"} | {
    f"{ours}@{k}": f"{theirs}_{k}"
    for ours, theirs in {"ndcg": "ndcg_cut", "hit_rate": "success", "recall": "recall", "precision": "P"}.items()
    for k in CUTOFFS
}
MEASURES = {"map", "recip_rank", *(f"{name}.1,3,5,10" for name in ("ndcg_cut", "success", "recall", "P"))}


@settings(max_examples=300)
@given(ids, graded)
def test_id_scores_equal_trec_eval(retrieved: list[str], relevance: dict[str, int]) -> None:
    evaluator = pytrec_eval.RelevanceEvaluator({"q": relevance}, MEASURES)
    run = {"q": {item: float(len(retrieved) - place) for place, item in enumerate(retrieved)}}
    expected = evaluator.evaluate(run)["q"] if retrieved else dict.fromkeys(TREC.values(), 0.0)
    result = scores_of(retrieved, dict(relevance))
    assert result == pytest.approx({name: expected[theirs] for name, theirs in TREC.items()}, abs=1e-9)


# ---- by hand


def test_ranking_scores_equal_hand_computed_values() -> None:
    result = scores_of(["x", "a", "y", "b"], {"a": 1, "b": 1, "c": 1}, [2, 4])
    assert result == {
        "map": math.fsum([1 / 2, 2 / 4]) / 3,
        "mrr": 1 / 2,
        "ndcg@2": pytest.approx(1 / math.log2(3) / (1 + 1 / math.log2(3))),
        "ndcg@4": pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3) + 1 / 2)),
        "hit_rate@2": 1.0,
        "hit_rate@4": 1.0,
        "recall@2": 1 / 3,
        "recall@4": 2 / 3,
        "precision@2": 1 / 2,
        "precision@4": 2 / 4,
    }


@pytest.mark.parametrize(
    ("retrieved", "relevance", "expected"),
    [
        # A repeated chunk earns nothing, so that no score exceeds 1 (llama_index 22683, haystack 11959).
        (["a", "a", "a"], {"a": 1}, {"map": 1, "ndcg@3": 1, "recall@3": 1, "precision@3": 1 / 3, "mrr": 1}),
        (["a", "a", "b"], {"a": 1, "b": 1}, {"map": (1 + 2 / 3) / 2, "recall@3": 1, "precision@3": 2 / 3}),
        # precision@k divides by k, however few were retrieved.
        (["a"], {"a": 1}, {"precision@1": 1, "precision@10": 1 / 10}),
        # map and mrr have no cutoff.
        ([*map(str, range(99)), "a"], {"a": 1}, {"map": 1 / 100, "mrr": 1 / 100, "ndcg@10": 0, "hit_rate@10": 0}),
        # A grade of 0 is not a ground truth.
        (["z", "a"], {"a": 1, "z": 0}, {"map": 1 / 2, "mrr": 1 / 2, "hit_rate@1": 0, "recall@3": 1}),
        # The higher grade should come first.
        (["a", "b"], {"a": 1, "b": 3}, {"map": 1, "ndcg@1": 1 / 3}),
        (["b", "a"], {"a": 1, "b": 3}, {"map": 1, "ndcg@1": 1, "ndcg@3": 1}),
        # Nothing to find, nothing retrieved.
        (["a"], {}, {"map": 0, "mrr": 0, "ndcg@3": 0, "hit_rate@3": 0, "recall@3": 0, "precision@3": 0}),
        ([], {"a": 1}, {"map": 0, "mrr": 0, "ndcg@3": 0, "hit_rate@3": 0, "recall@3": 0, "precision@3": 0}),
        (["z"], {"z": 0}, {"map": 0, "mrr": 0, "ndcg@3": 0, "precision@3": 0}),
    ],
)
def test_scores_equal_hand_computed_values(
    retrieved: list[str], relevance: dict[str, float], expected: dict[str, float]
) -> None:
    result = scores_of(retrieved, relevance)
    assert {name: result[name] for name in expected} == pytest.approx(expected)


def test_chunk_with_two_ground_truths_counts_as_two_consecutive_chunks() -> None:
    both_first, one_by_one = scored([(1, 1), (1, 1)]), scored([(1, 1), (2, 1)])
    assert both_first["map"] == both_first["ndcg@3"] == 1
    assert [both_first[name] for name in ("map", "mrr", "ndcg@3")] == [
        one_by_one[name] for name in ("map", "mrr", "ndcg@3")
    ]
    # All ground truths of the first chunk are found at its rank, and it counts as one chunk.
    assert both_first["recall@1"] == 1
    assert one_by_one["recall@1"] == 1 / 2
    assert (both_first["precision@3"], one_by_one["precision@3"]) == (1 / 3, 2 / 3)


def test_ground_truth_in_two_chunks_is_found_once() -> None:
    matcher = RougeMatcher(rouge_tokens, 0.7)
    chunks = ["lyon is on the rhone", "paris is the capital of france they say", "paris is the capital of france"]
    assert find_first_ranks(chunks, [1, 2, 3], ["Paris is the capital of France.", "Oslo is in Norway."], matcher) == [
        2,
        None,
    ]


def test_chunk_ranks_by_any_of_its_sentences() -> None:
    sentences, ranks = ["x", "y", "b", "a", "x"], [1, 1, 3, 3, 3]
    assert find_first_ranks(sentences, ranks, ["a", "x", "c"], match_exact) == [3, 1, None]


def test_no_chunks_or_no_ground_truths_match_nothing() -> None:
    for matcher in (match_exact, RougeMatcher(rouge_tokens, 0.5)):
        assert find_first_ranks([], [], ["a"], matcher) == [None]
        assert find_first_ranks(["a"], [1], [], matcher) == []


def test_score_names_follow_the_order_of_the_cutoffs() -> None:
    assert score_names([5, 1]) == [
        *("map", "mrr", "ndcg@5", "ndcg@1", "hit_rate@5", "hit_rate@1"),
        *("recall@5", "recall@1", "precision@5", "precision@1"),
    ]


# ---- against every possible assignment


@settings(max_examples=200, deadline=None)
@given(found, st.integers(1, 8))
def test_positions_maximize_the_discounted_gain(arrivals: list[tuple[int, float]], k: int) -> None:
    def discounted_gain(positions: Sequence[int]) -> float:
        terms = zip(positions, arrivals, strict=True)
        return math.fsum(gain / math.log2(1 + position) for position, (_, gain) in terms if position <= k)

    last = max((rank for rank, _ in arrivals), default=0) + len(arrivals)
    choices = itertools.permutations(range(1, last + 1), len(arrivals))
    allowed = [
        positions
        for positions in choices
        if all(position >= rank for position, (rank, _) in zip(positions, arrivals, strict=True))
    ]
    placed = place_gains(arrivals)
    best = math.fsum(gain / math.log2(1 + position) for position, gain in placed if position <= k)
    assert best == pytest.approx(max(map(discounted_gain, allowed)))
    assert sorted(gain for _, gain in placed) == sorted(gain for _, gain in arrivals)
    assert len({position for position, _ in placed}) == len(placed)


@given(ids, graded)
def test_positions_of_ids_equal_their_ranks(retrieved: list[str], relevance: dict[str, int]) -> None:
    pairs = [(place, float(relevance[item])) for place, item in enumerate(retrieved, 1) if item in relevance]
    assert place_gains(pairs) == pairs


# ---- properties


@given(truths)
def test_scores_are_floats_from_zero_to_one(pairs: list[tuple[int | None, float]]) -> None:
    assert all(type(value) is float and 0 <= value <= 1 for value in scored(pairs).values())


@given(truths)
def test_ideal_ranking_scores_one(pairs: list[tuple[int | None, float]]) -> None:
    gains = sorted((gain for _, gain in pairs if gain), reverse=True)
    assume(gains)
    result = scored(list(enumerate(gains, start=1)))
    assert {result[name] for name in ("map", "mrr", *(f"ndcg@{k}" for k in CUTOFFS))} == {1.0}


@given(truths, st.randoms())
def test_order_of_ground_truths_does_not_matter(pairs: list[tuple[int | None, float]], rng: random.Random) -> None:
    shuffled = rng.sample(pairs, k=len(pairs))
    assert scored(shuffled) == scored(pairs)


@given(truths, st.data())
def test_earlier_hit_lowers_no_score_except_precision(
    pairs: list[tuple[int | None, float]], data: st.DataObject
) -> None:
    assume(pairs)
    index = data.draw(st.integers(0, len(pairs) - 1))
    before = pairs[index][0]
    earlier = data.draw(st.integers(1, before or 8))
    after = [*pairs[:index], (earlier, pairs[index][1]), *pairs[index + 1 :]]
    better, worse = scored(after), scored(pairs)
    for name in worse:
        if not name.startswith("precision"):
            assert better[name] >= worse[name] - 1e-12


@given(truths, st.sampled_from([0.25, 2.0, 1024.0]))
def test_scaling_all_gains_does_not_change_scores(pairs: list[tuple[int | None, float]], factor: float) -> None:
    assert scored([(rank, gain * factor) for rank, gain in pairs]) == scored(pairs)


@given(truths)
def test_recall_and_hit_rate_never_fall_with_k(pairs: list[tuple[int | None, float]]) -> None:
    result = scored(pairs)
    for name in ("recall", "hit_rate"):
        values = [result[f"{name}@{k}"] for k in CUTOFFS]
        assert values == sorted(values)


@given(ids, graded)
def test_truncating_the_ranking_at_k_does_not_change_scores_at_k(
    retrieved: list[str], relevance: dict[str, int]
) -> None:
    whole, cut = scores_of(retrieved, dict(relevance), [3]), scores_of(retrieved[:3], dict(relevance), [3])
    assert {name: value for name, value in whole.items() if "@" in name} == {
        name: value for name, value in cut.items() if "@" in name
    }


@given(ids, graded)
def test_trailing_irrelevant_chunks_do_not_change_scores(retrieved: list[str], relevance: dict[str, int]) -> None:
    assert scores_of([*retrieved, "irrelevant"], dict(relevance)) == scores_of(retrieved, dict(relevance))


texts = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6).map(" ".join), max_size=6)


@given(texts, texts, st.sampled_from([match_exact, RougeMatcher(rouge_tokens, 0.5)]))
def test_recall_of_the_whole_ranking_is_that_of_precision_recall_f1(
    retrieved: list[str], ground_truths: list[str], matcher: Matcher
) -> None:
    counts = match_query(retrieved, ground_truths, matcher)
    distinct = list(dict.fromkeys(ground_truths))
    ranks = find_first_ranks(retrieved, range(1, len(retrieved) + 1), distinct, matcher)
    result = scored([(rank, 1.0) for rank in ranks], [99])
    assert result["recall@99"] == (counts.found / counts.ground_truths if counts.ground_truths else 0)
    assert result["hit_rate@99"] == (counts.found > 0)
