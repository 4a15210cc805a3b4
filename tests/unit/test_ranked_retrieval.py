"""ranked_retrieval: compared with trec_eval on ids, with every assignment of chunks to ground truths, and by hand."""

import itertools
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from hypothesis import example, given
from hypothesis import strategies as st

from answer_metrics.text.retrieval import RougeMatcher, match_exact
from answer_metrics.text.tokens import rouge_tokens
from metrics.ranked_retrieval._ranking import find_first_ranks, place_gains, score_names, score_ranking

PARIS = "Paris is the capital of France."
LYON = "Lyon is on the Rhone."
CUTOFFS = [1, 3, 5, 10]
SCORES = ("map", "mrr", "r_precision", "mrr@1", "ndcg@1", "hit_rate@1", "recall@1", "precision@1")

ids = st.lists(st.integers(0, 12).map(str), unique=True, max_size=10)
graded = st.dictionaries(st.integers(0, 12).map(str), st.integers(0, 3), min_size=1, max_size=8)


def scored(pairs: Sequence[tuple[int | None, float]], cutoffs: Sequence[int] = CUTOFFS) -> dict[str, float]:
    """Score the rank of the first hit and the gain of each ground truth."""
    ranks, gains = [rank for rank, _ in pairs], [gain for _, gain in pairs]
    return dict(zip(score_names(cutoffs), score_ranking(ranks, gains, cutoffs), strict=True))


def scores_of(
    retrieved: Sequence[str], relevance: dict[str, float], cutoffs: Sequence[int] = CUTOFFS
) -> dict[str, float]:
    ranks = find_first_ranks(retrieved, range(1, len(retrieved) + 1), list(relevance), match_exact)
    return scored(list(zip(ranks, relevance.values(), strict=True)), cutoffs)


TREC_NAMES = {"ndcg": "ndcg_cut", "hit_rate": "success", "recall": "recall", "precision": "P"}
TREC = {"map": "map", "mrr": "recip_rank", "r_precision": "Rprec"}
TREC |= {f"{name}@{k}": f"{trec}_{k}" for name, trec in TREC_NAMES.items() for k in CUTOFFS}
MEASURES = {"map", "recip_rank", "Rprec", *(f"{name}.1,3,5,10" for name in TREC_NAMES.values())}


@given(ids, graded)
def test_id_scores_equal_trec_eval(retrieved: list[str], relevance: dict[str, int]) -> None:
    evaluator = pytrec_eval.RelevanceEvaluator({"q": relevance}, MEASURES)
    run = {"q": {item: float(len(retrieved) - place) for place, item in enumerate(retrieved)}}
    better = evaluator.evaluate(run)["q"] if retrieved else dict.fromkeys(TREC.values(), 0.0)
    expected = {name: better[trec] for name, trec in TREC.items()}
    for k in CUTOFFS:  # trec_eval's reciprocal rank has no cutoff
        cut = dict(list(run["q"].items())[:k])
        expected[f"mrr@{k}"] = evaluator.evaluate({"q": cut})["q"]["recip_rank"] if cut else 0.0
    result = scores_of(retrieved, dict(relevance))
    assert scores_of([*retrieved, "irrelevant"], dict(relevance)) == result
    assert result == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("retrieved", "relevance", "expected"),
    [
        # A repeated chunk earns nothing, so that no score exceeds 1 (llama_index 22683, haystack 11959).
        (["a", "a", "a"], {"a": 1}, {"map": 1, "ndcg@3": 1, "recall@3": 1, "precision@3": 1 / 3, "mrr": 1}),
        # map and mrr have no cutoff.
        ([*map(str, range(99)), "a"], {"a": 1}, {"map": 1 / 100, "mrr": 1 / 100, "ndcg@10": 0, "hit_rate@10": 0}),
        # A grade of 0 is not a ground truth.
        (["z", "a"], {"a": 1, "z": 0}, {"map": 1 / 2, "mrr": 1 / 2, "hit_rate@1": 0, "recall@3": 1}),
        # Nothing to find, nothing retrieved.
        (["a"], {}, {"map": 0, "mrr": 0, "ndcg@3": 0, "hit_rate@3": 0, "recall@3": 0, "precision@3": 0}),
    ],
)
def test_scores_by_hand(retrieved: list[str], relevance: dict[str, float], expected: dict[str, float]) -> None:
    result = scores_of(retrieved, relevance)
    assert {name: result[name] for name in expected} == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from([0.5, 1.0, 3.0])), max_size=4), st.integers(1, 8))
@example([(1, 3.0), (1, 1.0), (2, 0.5)], 3)  # a better one waits already
def test_positions_maximize_the_discounted_gain(arrivals: list[tuple[int, float]], k: int) -> None:
    def discounted_gain(placed: Sequence[tuple[int, float]]) -> float:
        return math.fsum(gain / math.log2(1 + position) for position, gain in placed if position <= k)

    last = max((rank for rank, _ in arrivals), default=0) + len(arrivals)
    allowed = [
        [(position, gain) for position, (_, gain) in zip(positions, arrivals, strict=True)]
        for positions in itertools.permutations(range(1, last + 1), len(arrivals))
        if all(position >= rank for position, (rank, _) in zip(positions, arrivals, strict=True))
    ]
    placed = place_gains(arrivals)
    assert discounted_gain(placed) == pytest.approx(max(map(discounted_gain, allowed)))
    assert sorted(gain for _, gain in placed) == sorted(gain for _, gain in arrivals)
    assert len({position for position, _ in placed}) == len(placed)


def test_ground_truth_is_found_by_its_first_chunk_or_sentence() -> None:
    matcher = RougeMatcher(rouge_tokens, 0.7)
    chunks = ["lyon is on the rhone", "paris is the capital of france they say", "paris is the capital of france"]
    assert find_first_ranks(chunks, [1, 2, 3], [PARIS, "Oslo is in Norway."], matcher) == [2, None]
    sentences, ranks = ["x", "y", "b", "a", "x"], [1, 1, 3, 3, 3]
    assert find_first_ranks(sentences, ranks, ["a", "x", "c"], match_exact) == [3, 1, None]
    for empty in (match_exact, matcher):
        assert find_first_ranks([], [], ["a"], empty) == [None]
        assert find_first_ranks(["a"], [1], [], empty) == []


@pytest.fixture(scope="module")
def ranked(metric: Callable[[str], Any]) -> Any:
    return metric("ranked_retrieval")


@pytest.fixture(scope="module")
def by_id(ranked: Any) -> Callable[..., dict[str, Any]]:
    def run(predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        inputs = {"predictions": predictions, "references": references}
        result: dict[str, Any] = ranked.compute(**inputs, matching_strategy="ID", **options)
        return result

    return run


ById = Callable[..., dict[str, Any]]


def test_result_has_every_score_at_every_cutoff(by_id: ById) -> None:
    result = by_id([["d3", "d1", "d7"], ["d4", "d2"]], [["d1", "d7"], ["d4"]], k=[3, 1])
    assert list(result) == [
        *("map", "mrr", "r_precision", "mrr@3", "mrr@1", "ndcg@3", "ndcg@1", "hit_rate@3", "hit_rate@1"),
        *("recall@3", "recall@1", "precision@3", "precision@1"),
    ]
    assert (result["map"], result["mrr"]) == (((1 / 2 + 2 / 3) / 2 + 1) / 2, 3 / 4)
    assert result["precision@3"] == pytest.approx((2 / 3 + 1 / 3) / 2)
    default = by_id([["a"]], [["a"]])
    assert [key for key in default if key.startswith("recall")] == ["recall@1", "recall@5", "recall@10"]


def test_chunks_are_ranked_by_their_sentences(ranked: Any) -> None:
    result = ranked.compute(
        predictions=[["Bern is in Switzerland.", f"{PARIS} {LYON}"]],
        references=[[f"{LYON} {PARIS}"]],
        matching_strategy="EXACT_SENTENCE_MATCH",
        k=[1, 2],
        return_details=True,
    )
    assert (result["ground_truth_sentences"], result["first_hits"]) == ([[LYON, PARIS]], [[2, 2]])
    assert (result["mrr"], result["recall@2"], result["precision@2"]) == (1 / 2, 1.0, 1 / 2)
    assert result["map"] == (1 / 2 + 2 / 3) / 2  # as if at ranks 2 and 3


def test_queries_without_relevant_ground_truth_score_zero_and_warn(by_id: ById) -> None:
    with pytest.warns(UserWarning, match="2 of 3 queries have no relevant ground truth and count with scores of 0"):
        result = by_id([["a"], ["a"], ["a"]], [["a"], [], ["a"]], relevance=[[1], [], [0]])
    assert {result[name] for name in SCORES} == {1 / 3}
    with pytest.warns(UserWarning, match="1 of 2 queries has no relevant ground truth and counts with scores of 0"):
        by_id([["a"], ["a"]], [["a"], []])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = by_id([[], ["a"]], [["a"], ["a"]])  # nothing retrieved is a normal result
    assert {result[name] for name in SCORES} == {1 / 2}


def test_ids_compared_as_texts_cause_a_warning(ranked: Any) -> None:
    with pytest.warns(UserWarning, match="look like ids"):
        ranked.compute(predictions=[["doc-17", "doc-18"]], references=[["doc-19"]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for chunk in ("It is 5.", "K2 is high."):
            ranked.compute(predictions=[[chunk, "doc-18"]], references=[["doc-19"]])
        ranked.compute(predictions=[["doc-18"]], references=[["doc-19"]], matching_strategy="ID")


def test_repeated_ground_truths_and_relevance_of_zero_earn_nothing(ranked: Any, by_id: ById) -> None:
    # A ground truth that is given twice counts once, with the higher relevance.
    expected = by_id([["b", "a"]], [["a", "b"]], relevance=[[3, 1]])
    assert by_id([["b", "a"]], [["a", "b", "a"]], relevance=[[1, 1, 3]]) == expected
    twice = {
        "predictions": [["It is in Oslo", "Yes, it is in Oslo", "It is in Oslo"]],
        "references": [["It is in Oslo"]],
    }
    assert ranked.compute(**twice, k=[1], return_details=True)["first_hits"] == [[1]]
    zero = by_id([["z", "a"]], [["a", "z"]], relevance=[[2, 0]], return_details=True)
    assert (zero["first_hits"], zero["map"]) == ([[2, None]], 0.5)


def test_relevance_has_a_number_for_each_ground_truth(by_id: ById) -> None:
    message = r"^ranked_retrieval: relevance\[0\] has 2 numbers, but references\[0\] has 1 ground truths; give one"
    with pytest.raises(ValueError, match=message):
        by_id([["a"]], [["a"]], relevance=[[1, 2]])


def test_cutoffs_select_scores_and_are_not_signed(ranked: Any, by_id: ById) -> None:
    signatures = {by_id([["a"]], [["a"]], k=k, return_signature=True)["signature"] for k in ((1,), np.array([5, 10]))}
    assert len(signatures) == 1
    assert "|strategy:ID|ranking:v1|" in signatures.pop()
    scored_at_1 = ranked.score_batch({"predictions": [["a"]], "references": [["a"]]}, matching_strategy="ID", k=[1])
    with pytest.raises(ValueError, match="the batch has no column 'ranked_retrieval_individual_mrr@5'"):
        ranked.aggregate(scored_at_1, matching_strategy="ID", k=[5])


def test_hit_rates_are_proportions_at_every_cutoff(ranked: Any) -> None:
    better = [["a"], ["x", "a"], ["x"], ["x", "y", "a"]]
    worse = [["x"], ["x"], ["x"], ["x"]]
    systems = {name: {"predictions": rows, "references": [["a"]] * 4} for name, rows in (("a", better), ("b", worse))}
    tests = ranked.compare(systems, matching_strategy="ID", k=[1, 2, 3])["systems"]["b"]["test"]
    assert {key for key, test in tests.items() if test == "exact McNemar test"} == {f"hit_rate@{k}" for k in (1, 2, 3)}
