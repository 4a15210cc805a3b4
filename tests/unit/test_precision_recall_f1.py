"""precision_recall_f1: hand-computed scores, options, errors, and edge cases of this metric."""

import json
from collections.abc import Callable
from typing import Any

import datasets
import pytest

STRATEGIES = ("EXACT_CHUNK_MATCH", "EXACT_SENTENCE_MATCH", "ROUGE_CHUNK_MATCH", "ROUGE_SENTENCE_MATCH")
# Two queries. In the first, one chunk is equal, one contains a ground truth with other punctuation, one is irrelevant.
RETRIEVED = [
    [
        "The Rhone is a river. Lyon lies on the Rhone.",
        "Well: the capital of France is Paris, they say.",
        "Bananas are yellow.",
    ],
    ["Mount Everest is 8849 meters high. It is in Asia."],
]
GROUND_TRUTH = [
    ["The Rhone is a river. Lyon lies on the Rhone.", "The capital of France is Paris."],
    ["K2 is 8611 meters high. It is in Asia."],
]


@pytest.fixture(scope="module")
def retrieval(metric: Callable[[str], Any]) -> Any:
    return metric("precision_recall_f1")


def compute(retrieval: Any, retrieved: list[list[str]], ground_truth: list[list[str]], **options: Any) -> Any:
    return retrieval.compute(predictions=retrieved, references=ground_truth, **options)


# ---- the table of strategies


@pytest.mark.parametrize(
    ("strategy", "pairs", "precisions", "recalls"),
    [
        ("EXACT_CHUNK_MATCH", [[[0, 0]], []], [1 / 3, 0.0], [1 / 2, 0.0]),
        # Sentences: 4 retrieved and 3 of the ground truth in the first query, 2 and 2 in the second.
        ("EXACT_SENTENCE_MATCH", [[[0, 0], [1, 1]], [[1, 1]]], [2 / 4, 1 / 2], [2 / 3, 1 / 2]),
        # 6 of 6 tokens of "The capital of France is Paris."; 7 of 9 of the chunk on K2, which are more than 0.7.
        ("ROUGE_CHUNK_MATCH", [[[0, 0], [1, 1]], [[0, 0]]], [2 / 3, 1.0], [1.0, 1.0]),
        # 3 of 5 tokens of "K2 is 8611 meters high." are not more than 0.8.
        ("ROUGE_SENTENCE_MATCH", [[[0, 0], [1, 1], [2, 2]], [[1, 1]]], [3 / 4, 1 / 2], [1.0, 1 / 2]),
    ],
)
def test_strategies_equal_hand_computed_scores(
    retrieval: Any, strategy: str, pairs: list[list[list[int]]], precisions: list[float], recalls: list[float]
) -> None:
    result = compute(retrieval, RETRIEVED, GROUND_TRUTH, matching_strategy=strategy, return_details=True)
    f1s = [2 * p * r / (p + r) if p + r else 0.0 for p, r in zip(precisions, recalls, strict=True)]
    assert result["matched_pairs"] == pairs
    assert result["individual_precision"] == precisions
    assert result["individual_recall"] == recalls
    assert result["individual_f1"] == f1s
    assert result["precision"] == pytest.approx(sum(precisions) / 2)
    assert result["recall"] == pytest.approx(sum(recalls) / 2)
    assert result["f1"] == pytest.approx(sum(f1s) / 2)


def test_defaults_are_rouge_by_chunk_and_scalars_only(retrieval: Any) -> None:
    result = compute(retrieval, RETRIEVED, GROUND_TRUTH)
    assert result == compute(retrieval, RETRIEVED, GROUND_TRUTH, matching_strategy="ROUGE_CHUNK_MATCH", average="macro")
    assert list(result) == ["precision", "recall", "f1"]
    assert all(type(value) is float for value in result.values())


def test_micro_average_pools_the_counts_of_all_queries(retrieval: Any) -> None:
    # (2 + 1) of (4 + 2) retrieved sentences, (2 + 1) of (3 + 2) of the ground truth.
    result = compute(retrieval, RETRIEVED, GROUND_TRUTH, matching_strategy="EXACT_SENTENCE_MATCH", average="micro")
    assert result == {"precision": 3 / 6, "recall": 3 / 5, "f1": pytest.approx(6 / 11)}


def test_documented_example_has_consistent_scores(retrieval: Any) -> None:
    # It prints P 0.5, R 1.0 and F1 0.877...; 2PR / (P + R) is 2/3.
    result = compute(retrieval, [["a b c", "d"]], [["a b c"]])
    assert result == {"precision": 0.5, "recall": 1.0, "f1": pytest.approx(2 / 3)}


def test_sentences_are_numbered_across_all_chunks_of_a_query(retrieval: Any) -> None:
    retrieved, truths = [["It rains. We stay.", "They go."]], [["They go.", "We stay. You come."]]
    result = compute(retrieval, retrieved, truths, matching_strategy="EXACT_SENTENCE_MATCH", return_details=True)
    assert result["retrieved_sentences"] == [["It rains.", "We stay.", "They go."]]
    assert result["ground_truth_sentences"] == [["They go.", "We stay.", "You come."]]
    assert result["matched_pairs"] == [[[1, 1], [2, 0]]]


# ---- edge cases


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("retrieved", "truths", "expected"),
    [
        ([], ["One thing."], (0.0, 0.0, 0.0)),
        (["One thing."], ["One thing."], (1.0, 1.0, 1.0)),
        (["One thing.", "One thing.", "No."], ["One thing."], (2 / 3, 1.0, 0.8)),
        (["One thing."], ["One thing.", "One thing.", "Other stuff."], (1.0, 0.5, 2 / 3)),
        (["One thing."], ["Other stuff."], (0.0, 0.0, 0.0)),
    ],
)
def test_edge_cases_have_the_documented_scores(
    retrieval: Any, strategy: str, retrieved: list[str], truths: list[str], expected: tuple[float, float, float]
) -> None:
    for average in ("macro", "micro"):
        result = compute(retrieval, [retrieved], [truths], matching_strategy=strategy, average=average)
        assert tuple(result.values()) == pytest.approx(expected)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_queries_without_ground_truth_score_zero_and_warn(retrieval: Any, strategy: str) -> None:
    with pytest.warns(UserWarning, match="2 of 3 queries have no ground truth"):
        result = compute(retrieval, [["Yes."], ["Yes."], []], [["Yes."], [], []], matching_strategy=strategy)
    assert result == {"precision": pytest.approx(1 / 3), "recall": pytest.approx(1 / 3), "f1": pytest.approx(1 / 3)}


def test_warning_about_one_query_without_ground_truth_is_in_the_singular(retrieval: Any) -> None:
    with pytest.warns(UserWarning, match="1 of 2 queries has no ground truth and counts with a recall of 0"):
        compute(retrieval, [["Yes."], ["Yes."]], [["Yes."], []])


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_empty_input_scores_zero_with_a_warning(retrieval: Any, average: str) -> None:
    with pytest.warns(UserWarning, match="no examples"):
        result = compute(retrieval, [], [], average=average, return_confidence=True, return_details=True)
    assert [result[key] for key in ("precision", "recall", "f1")] == [0.0, 0.0, 0.0]
    assert result["f1_confidence_interval"] == (0.0, 1.0)
    assert result["matched_pairs"] == []


def test_recall_must_exceed_the_threshold(retrieval: Any) -> None:
    ten = "one two three four five six seven eight nine ten."
    for count, option, strategy in (
        (7, "rouge_chunk_match_threshold", "ROUGE_CHUNK_MATCH"),
        (8, "rouge_sentence_match_threshold", "ROUGE_SENTENCE_MATCH"),
    ):
        at, above = " ".join(ten.split()[:count]), " ".join(ten.split()[: count + 1])
        assert compute(retrieval, [[at]], [[ten]], matching_strategy=strategy)["recall"] == 0.0
        assert compute(retrieval, [[above]], [[ten]], matching_strategy=strategy)["recall"] == 1.0
        assert compute(retrieval, [["one"]], [[ten]], matching_strategy=strategy, **{option: 0})["recall"] == 1.0
        assert compute(retrieval, [["none"]], [[ten]], matching_strategy=strategy, **{option: 0})["recall"] == 0.0
        with pytest.warns(UserWarning, match="nothing can match"):
            assert compute(retrieval, [[ten]], [[ten]], matching_strategy=strategy, **{option: 1})["recall"] == 0.0


def test_each_strategy_has_its_own_threshold(retrieval: Any) -> None:
    half = {"predictions": [["a b"]], "references": [["a b c d"]]}
    low = {"rouge_chunk_match_threshold": 0.4}
    assert retrieval.compute(**half, **low)["recall"] == 1.0
    assert retrieval.compute(**half, **low, matching_strategy="ROUGE_SENTENCE_MATCH")["recall"] == 0.0


def test_stemmer_matches_inflected_words(retrieval: Any) -> None:
    retrieved, truths = [["he was running with dogs"]], [["runs with dog"]]
    assert compute(retrieval, retrieved, truths)["recall"] == 0.0
    assert compute(retrieval, retrieved, truths, use_stemmer=True)["recall"] == 1.0


def test_text_without_ascii_letters_needs_the_unicode_tokenizer(retrieval: Any) -> None:
    retrieved, truths = [["今天下雨。我们在家。"]], [["我们在家。"]]
    with pytest.warns(UserWarning, match=r"drops most of 2 texts, the first at predictions\[0\]\[0\].*unicode"):
        assert compute(retrieval, retrieved, truths)["recall"] == 0.0
    assert compute(retrieval, retrieved, truths, tokenizer="unicode")["recall"] == 1.0
    by_sentence = {"matching_strategy": "ROUGE_SENTENCE_MATCH", "tokenizer": "unicode", "language": "zh"}
    assert compute(retrieval, retrieved, truths, **by_sentence)["precision"] == 0.5


def test_custom_sentence_splitter_is_used(retrieval: Any) -> None:
    options = {"matching_strategy": "EXACT_SENTENCE_MATCH", "sentence_splitter": lambda text: text.split(";")}
    assert compute(retrieval, [["a; b"]], [["b;c"]], **options)["precision"] == 0.5


# ---- bad input


@pytest.mark.parametrize(
    ("retrieved", "truths", "options", "message"),
    [
        (["a", "b"], [["a"], ["b"]], {}, r"predictions\[0\] is 'a' \(str\), not a list of strings"),
        ([["a"]], ["a"], {}, r"references\[0\] is 'a' \(str\), not a list"),
        ([["a", None]], [["a"]], {}, r"predictions\[0\]\[1\] is None"),
        ([["a"], ["b"]], [["a"], ["b", 3]], {}, r"references\[1\]\[1\] is 3 \(int\)"),
        ([["a"]], [["a"], ["b"]], {}, "1 predictions, 2 references"),
        ("a", [["a"]], {}, "predictions is a bare str"),
        ([["\ud800"]], [["a"]], {}, r"predictions\[0\]\[0\] contains a lone surrogate"),
        ([["a"]], [["a"]], {"matching_strategy": "ROUGE"}, ".*".join(STRATEGIES) + ".*'ROUGE'"),
        ([["a"]], [["a"]], {"rouge_chunk_match_threshold": 1.1}, "rouge_chunk_match_threshold .* between 0 and 1"),
        ([["a"]], [["a"]], {"rouge_sentence_match_threshold": -0.1}, "rouge_sentence_match_threshold .* 0 and 1"),
        ([["a"]], [["a"]], {"rouge_chunk_match_threshold": float("nan")}, "between 0 and 1"),
        ([["a"]], [["a"]], {"average": "weighted"}, "average must be one of"),
        ([["a"]], [["a"]], {"tokenizer": "bert"}, "tokenizer must be one of"),
        ([["a"]], [["a"]], {"language": "klingon"}, "language must be"),
        ([["a"]], [["a"]], {"sentence_splitter": "nltk"}, "sentence_splitter must be"),
    ],
)
def test_bad_input_is_rejected_and_metric_stays_usable(
    retrieval: Any, retrieved: Any, truths: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        compute(retrieval, retrieved, truths, **options)
    assert compute(retrieval, [["a"]], [["a"]])["f1"] == 1.0


@pytest.mark.parametrize("returned", ["a string", None, [1]])
def test_invalid_splitter_result_is_reported_with_its_position(retrieval: Any, returned: Any) -> None:
    options = {
        "matching_strategy": "ROUGE_SENTENCE_MATCH",
        "sentence_splitter": lambda text: returned if text == "bad" else [text],
    }
    with pytest.raises(ValueError, match=r"references\[1\]\[2\]: sentence_splitter returned"):
        compute(retrieval, [["a"], ["a"]], [["a"], ["b", "c", "bad"]], **options)


# ---- two steps, and the signature


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("average", ["macro", "micro"])
def test_dataset_in_batches_of_any_size_equals_compute(retrieval: Any, strategy: str, average: str) -> None:
    # The first batches have no match and no retrieved chunk: their empty lists must not fix the column type.
    retrieved = [[], ["Nothing of it."], *RETRIEVED]
    truths = [["A thing."], ["A thing."], *GROUND_TRUTH]
    options = {
        "matching_strategy": strategy,
        "average": average,
        "return_details": True,
        "return_confidence": True,
        "return_signature": True,
    }
    whole = compute(retrieval, retrieved, truths, **options)
    json.dumps(whole)
    dataset = datasets.Dataset.from_dict({"found": retrieved, "wanted": truths})
    named = {"columns": {"predictions": "found", "references": "wanted"}}
    for size in (1, 3):
        scored = dataset.map(retrieval.score_batch, batched=True, batch_size=size, fn_kwargs=named | options)
        assert retrieval.aggregate(scored, **options) == whole
    batch = {"predictions": retrieved, "references": truths}
    assert retrieval.aggregate(retrieval.score_batch(batch, **options), **options) == whole
    for one, other in zip(retrieved, truths, strict=True):
        retrieval.add(prediction=one, reference=other)
    assert retrieval.compute(**options) == whole


def test_score_batch_returns_the_counts_for_micro_averages(retrieval: Any) -> None:
    columns = retrieval.score_batch({"predictions": [["a", "a", "b"]], "references": [["a", "c", "c"]]})
    counts = {
        name: columns[f"precision_recall_f1_{name}"] for name in ("relevant", "retrieved", "found", "ground_truths")
    }
    assert counts == {"relevant": [2], "retrieved": [3], "found": [1], "ground_truths": [2]}
    assert columns["precision_recall_f1_individual_precision"] == [2 / 3]


def signature(retrieval: Any, **options: Any) -> str:
    return str(compute(retrieval, [["a."]], [["a."]], return_signature=True, **options)["signature"])


def test_signatures_differ_if_scores_can_differ(retrieval: Any) -> None:
    by_sentence = {"matching_strategy": "ROUGE_SENTENCE_MATCH"}
    every: list[dict[str, Any]] = [
        {},
        {"average": "micro"},
        {"rouge_chunk_match_threshold": 0.5},
        {"tokenizer": "unicode"},
        {"use_stemmer": True},
        *({"matching_strategy": strategy} for strategy in STRATEGIES if strategy != "ROUGE_CHUNK_MATCH"),
        {**by_sentence, "rouge_sentence_match_threshold": 0.5},
        {**by_sentence, "language": "de"},
        {**by_sentence, "language": "fr"},
        {**by_sentence, "sentence_splitter": str.splitlines},
    ]
    assert len({signature(retrieval, **options) for options in every}) == len(every)


def test_signatures_omit_options_that_change_nothing(retrieval: Any) -> None:
    plain = signature(retrieval)
    assert plain == signature(retrieval, rouge_sentence_match_threshold=0.5, language="de", return_details=True)
    by_sentence = {"matching_strategy": "EXACT_SENTENCE_MATCH"}
    assert signature(retrieval, **by_sentence, language="pt-BR") == signature(retrieval, **by_sentence, language="PT")
    assert "en-sentencex-" in signature(retrieval, **by_sentence)
    assert "sentencex-" in signature(retrieval, **by_sentence, language="de")


def test_lambda_has_no_signature(retrieval: Any) -> None:
    with pytest.raises(ValueError, match=r"^precision_recall_f1: .*cannot be signed"):
        signature(retrieval, matching_strategy="EXACT_SENTENCE_MATCH", sentence_splitter=lambda text: [text])
