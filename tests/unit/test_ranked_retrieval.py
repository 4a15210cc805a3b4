"""The metric `ranked_retrieval` through its public interface."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

PARIS = "Paris is the capital of France."
LYON = "Lyon is on the Rhone."
SCORES = ("map", "mrr", "ndcg@1", "hit_rate@1", "recall@1", "precision@1")


@pytest.fixture(scope="module")
def ranked(metric: Callable[[str], Any]) -> Any:
    return metric("ranked_retrieval")


def by_id(ranked: Any, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
    result: dict[str, Any] = ranked.compute(
        predictions=predictions, references=references, matching_strategy="ID", **options
    )
    return result


def test_result_has_every_score_at_every_cutoff(ranked: Any) -> None:
    result = by_id(ranked, [["d3", "d1", "d7"], ["d4", "d2"]], [["d1", "d7"], ["d4"]], k=[3, 1])
    assert list(result) == [
        *("map", "mrr", "ndcg@3", "ndcg@1", "hit_rate@3", "hit_rate@1"),
        *("recall@3", "recall@1", "precision@3", "precision@1"),
    ]
    assert result["map"] == ((1 / 2 + 2 / 3) / 2 + 1) / 2
    assert result["mrr"] == 3 / 4
    assert result["precision@3"] == pytest.approx((2 / 3 + 1 / 3) / 2)


def test_default_cutoffs_are_1_5_and_10(ranked: Any) -> None:
    result = by_id(ranked, [["a"]], [["a"]])
    assert [key for key in result if key.startswith("recall")] == ["recall@1", "recall@5", "recall@10"]


def test_repeated_id_earns_nothing_but_takes_a_rank(ranked: Any) -> None:
    result = by_id(ranked, [["a", "a", "b"]], [["a", "b"]], k=[3], return_details=True)
    assert result["first_hits"] == [[1, 3]]
    assert (result["map"], result["recall@3"], result["precision@3"]) == ((1 + 2 / 3) / 2, 1.0, 2 / 3)


def test_ground_truth_given_twice_counts_once_with_the_higher_relevance(ranked: Any) -> None:
    once = by_id(ranked, [["b", "a"]], [["a", "b"]], relevance=[[3, 1]])
    twice = by_id(ranked, [["b", "a"]], [["a", "b", "a"]], relevance=[[1, 1, 3]])
    assert twice == once


def test_ground_truth_with_zero_relevance_is_ignored(ranked: Any) -> None:
    with_zero = by_id(ranked, [["z", "a"]], [["a", "z"]], relevance=[[2, 0]])
    assert with_zero == by_id(ranked, [["z", "a"]], [["a"]])
    details = by_id(ranked, [["z", "a"]], [["a", "z"]], relevance=[[2, 0]], return_details=True)
    assert details["first_hits"] == [[2, None]]


def test_sentence_strategy_ranks_chunks_by_their_sentences(ranked: Any) -> None:
    result = ranked.compute(
        predictions=[["Bern is in Switzerland.", f"{PARIS} {LYON}"]],
        references=[[f"{LYON} {PARIS}"]],
        matching_strategy="EXACT_SENTENCE_MATCH",
        k=[1, 2],
        return_details=True,
    )
    assert result["ground_truth_sentences"] == [[LYON, PARIS]]
    assert result["first_hits"] == [[2, 2]]
    assert (result["mrr"], result["recall@2"], result["precision@2"]) == (1 / 2, 1.0, 1 / 2)
    assert result["map"] == (1 / 2 + 2 / 3) / 2  # as if at ranks 2 and 3


def test_chunk_is_relevant_by_rouge_recall_above_the_threshold(ranked: Any) -> None:
    queries = {"predictions": [[LYON, "Paris, they say, is the capital of France."]], "references": [[PARIS]]}
    assert ranked.compute(**queries)["mrr"] == 1 / 2
    assert ranked.compute(**queries, matching_strategy="EXACT_CHUNK_MATCH")["mrr"] == 0


def test_queries_without_relevant_ground_truth_score_zero_and_warn(ranked: Any) -> None:
    with pytest.warns(UserWarning, match="2 of 3 queries have no relevant ground truth and count with scores of 0"):
        result = by_id(ranked, [["a"], ["a"], ["a"]], [["a"], [], ["a"]], relevance=[[1], [], [0]])
    assert {result[name] for name in SCORES} == {1 / 3}
    with pytest.warns(UserWarning, match="1 of 2 queries has no relevant ground truth and counts with scores of 0"):
        by_id(ranked, [["a"], ["a"]], [["a"], []])


@pytest.mark.parametrize(
    ("chunks", "strategy", "warned"),
    [
        (["doc-17", "doc-18"], "ROUGE_CHUNK_MATCH", True),
        (["doc-17", "doc-18"], "EXACT_SENTENCE_MATCH", True),
        (["doc-17", "doc-18"], "ID", False),
        (["doc-17", "Bern"], "ROUGE_CHUNK_MATCH", False),
        (["doc-17", "In 1969"], "ROUGE_CHUNK_MATCH", False),
        (["doc-17", "東京1"], "ROUGE_CHUNK_MATCH", False),
    ],
)
def test_ids_compared_as_texts_cause_a_warning(ranked: Any, chunks: list[str], strategy: str, *, warned: bool) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ranked.compute(predictions=[chunks], references=[["doc-19"]], matching_strategy=strategy)
    assert any("look like ids" in str(warning.message) for warning in caught) is warned


def test_query_without_retrieved_chunks_scores_zero(ranked: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = by_id(ranked, [[], ["a"]], [["a"], ["a"]])
    assert {result[name] for name in SCORES} == {1 / 2}


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([[1, 2]], r"relevance\[0\] has 2 numbers, but references\[0\] has 1 ground truths; give one number for"),
        ([[-1]], r"relevance\[0\]\[0\] is -1 \(int\), not a number between 0 and 1,000,000"),
        ([[float("nan")]], r"relevance\[0\]\[0\] is nan"),
        ([[float("inf")]], r"relevance\[0\]\[0\] is inf"),
        ([["1"]], r"relevance\[0\]\[0\] is '1' \(str\)"),
        ([[None]], r"relevance\[0\]\[0\] is None"),
        ([1], r"relevance\[0\] is 1 \(int\), not a list of numbers"),
        ([None], r"relevance\[0\] is None, not a list of numbers"),
        ([[1], [1]], "got 1 predictions, 1 references, 2 relevance"),
        ("1", "relevance is a bare str"),
    ],
)
def test_relevance_of_wrong_shape_or_type_is_rejected(ranked: Any, column: Any, message: str) -> None:
    for call in (ranked.compute, ranked.add_batch):
        with pytest.raises(ValueError, match=f"^ranked_retrieval: {message}"):
            call(predictions=[["a"]], references=[["a"]], relevance=column)
    assert by_id(ranked, [["a"]], [["a"]])["map"] == 1


def test_integer_ids_are_rejected_with_a_hint(ranked: Any) -> None:
    with pytest.raises(ValueError, match=r"predictions\[0\]\[0\] is 3 \(int\).*\[str\(id\) for id in ids\]"):
        by_id(ranked, [[3, 1]], [["3"]])


def test_list_in_place_of_a_chunk_is_rejected(ranked: Any) -> None:
    with pytest.raises(ValueError, match=r"predictions\[0\]\[0\] is \['a'\] \(list\), not a string$"):
        by_id(ranked, [[["a"]]], [["a"]])


@pytest.mark.parametrize("k", [10, [0], [-1], [5, 5], [], [1.5], [True], ["1"], None, {1}, [[1]]])
def test_invalid_k_is_rejected(ranked: Any, k: Any) -> None:
    with pytest.raises(ValueError, match="k must be a list of distinct integers of at least 1, got"):
        by_id(ranked, [["a"]], [["a"]], k=k)


@pytest.mark.parametrize("k", [(2, 1), np.array([2, 1]), [np.int64(2), np.int32(1)]])
def test_k_may_be_a_tuple_or_numpy_array(ranked: Any, k: Any) -> None:
    assert by_id(ranked, [["a"]], [["a"]], k=k) == by_id(ranked, [["a"]], [["a"]], k=[2, 1])


def test_single_integer_for_k_is_rejected_with_the_list_to_pass(ranked: Any) -> None:
    with pytest.raises(ValueError, match=r"got 10 \(int\); give \[10\]"):
        by_id(ranked, [["a"]], [["a"]], k=10)


def test_pandas_and_numpy_columns_equal_lists(ranked: Any) -> None:
    frame = pd.DataFrame({"found": [["b", "a"], []], "truth": [["a"], ["c", "d"]], "grade": [[2], [1, 3]]})
    frame.loc[1, "found"].append("d")
    expected = by_id(ranked, [["b", "a"], ["d"]], [["a"], ["c", "d"]], relevance=[[2], [1, 3]])
    columns = {"predictions": frame["found"], "references": frame["truth"], "relevance": frame["grade"]}
    assert ranked.compute(**columns, matching_strategy="ID") == expected
    arrays = {name: [np.array(row) for row in column] for name, column in columns.items()}
    assert ranked.compute(**arrays, matching_strategy="ID") == expected


def test_relevance_added_in_batches_is_kept(ranked: Any) -> None:
    expected = by_id(ranked, [["b", "a"], ["d"]], [["a"], ["c", "d"]], relevance=[[2], [1, 3]])
    ranked.add(prediction=["b", "a"], reference=["a"], relevance=[2])
    ranked.add_batch(predictions=[["d"]], references=[["c", "d"]], relevance=[[1, 3]])
    assert ranked.compute(matching_strategy="ID") == expected


def test_scored_columns_have_the_same_types_for_any_rows(ranked: Any) -> None:
    import pyarrow as pa  # noqa: PLC0415

    options = {"matching_strategy": "EXACT_SENTENCE_MATCH", "return_details": True, "k": [1]}
    empty = ranked.score_batch({"predictions": [[]], "references": [["..."]]}, **options)
    full = ranked.score_batch({"predictions": [[PARIS]], "references": [[PARIS]]}, **options)
    assert pa.table(empty).schema == pa.table(full).schema


def test_columns_scored_at_other_cutoffs_are_rejected(ranked: Any) -> None:
    batch = {"predictions": [["a"]], "references": [["a"]]}
    scored = ranked.score_batch(batch, matching_strategy="ID", k=[1])
    with pytest.raises(ValueError, match="the batch has no column 'ranked_retrieval_individual_ndcg@5'"):
        ranked.aggregate(scored, matching_strategy="ID", k=[5])


def test_signature_is_the_same_for_all_cutoffs(ranked: Any) -> None:
    signatures = {by_id(ranked, [["a"]], [["a"]], k=k, return_signature=True)["signature"] for k in ([1], [5, 10])}
    assert len(signatures) == 1
    assert "|strategy:ID|ranking:v1|" in signatures.pop()


def test_intervals_and_clusters_are_supported(ranked: Any) -> None:
    queries = {"predictions": [["x", "a"], ["a"]] * 20, "references": [["a"]] * 40}
    plain = by_id(ranked, **queries, k=[1], return_confidence=True)
    clustered = by_id(ranked, **queries, k=[1], return_confidence=True, clusters=list(range(20)) * 2)
    for name in SCORES:
        low, high = plain[f"{name}_confidence_interval"]
        assert low <= plain[name] <= high
    assert clustered["clusters"] == 20
    assert clustered["mrr_confidence_interval"] != plain["mrr_confidence_interval"]


def test_comparison_covers_every_score(ranked: Any) -> None:
    references = [["a"]] * 12
    systems = {
        "second": {"predictions": [["x", "a"]] * 12, "references": references},
        "first": {"predictions": [["a", "x"]] * 12, "references": references},
    }
    result = ranked.compare(systems, resamples=200, matching_strategy="ID", k=[1, 2])
    assert result["score"] == "map"
    assert {name: round(value, 3) for name, value in result["systems"]["first"]["difference"].items()} == {
        "map": 0.5,
        "mrr": 0.5,
        "ndcg@1": 1.0,
        "ndcg@2": 0.369,
        "hit_rate@1": 1.0,
        "hit_rate@2": 0.0,
        "recall@1": 1.0,
        "recall@2": 0.0,
        "precision@1": 1.0,
        "precision@2": 0.0,
    }
