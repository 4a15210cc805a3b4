"""Accuracy compared with an implementation in plain loops."""

import statistics
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import oracles

Load = Callable[[str], Any]


def plain_form(text: str, options: dict[str, Any]) -> str:
    if options["normalize_text"]:
        return oracles.normalize(text, case_sensitive=options["case_sensitive"])
    return text.strip() if options["case_sensitive"] else text.strip().casefold()


def plain_accuracy(predictions: list[str], references: list[list[str]], options: dict[str, Any]) -> dict[str, Any]:
    threshold = options["fuzzy_threshold"]
    types, scores, similarities = [], [], []
    for prediction, several in zip(predictions, references, strict=True):
        form = plain_form(prediction, options)
        forms = [plain_form(reference, options) for reference in several]
        best = max(oracles.ratio(form, other) for other in forms)
        similarities.append(float(best))
        if form in forms:
            types.append("exact")
            scores.append(1.0)
        elif options["fuzzy_match"] and best >= Fraction(repr(threshold)):
            types.append("fuzzy")
            scores.append(threshold)
        else:
            types.append("none")
            scores.append(0.0)
    exact, fuzzy, total = types.count("exact"), types.count("fuzzy"), len(types)
    result = {
        "accuracy": (exact + fuzzy) / total,
        "exact_accuracy": exact / total,
        "correct": exact,
        "total": total,
        "mean_score": pytest.approx(sum(scores) / total),
        "std_score": pytest.approx(statistics.pstdev(scores)),
        "individual_scores": scores,
        "match_types": types,
    }
    if options["fuzzy_match"]:
        result |= {"fuzzy_accuracy": (exact + fuzzy) / total, "correct_fuzzy": exact + fuzzy}
        result["similarities"] = similarities
    return result


answers = st.text("aAb.- 5é\u0301", max_size=6)


@given(
    rows=st.lists(st.tuples(answers, st.lists(answers, min_size=1, max_size=3)), min_size=1, max_size=8),
    options=st.fixed_dictionaries(
        {
            "case_sensitive": st.booleans(),
            "normalize_text": st.booleans(),
            "fuzzy_match": st.booleans(),
            "fuzzy_threshold": st.sampled_from([0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0]),
        }
    ),
)
def test_accuracy_equals_plain_loops(metric: Load, rows: list[tuple[str, list[str]]], options: dict[str, Any]) -> None:
    predictions, references = [row[0] for row in rows], [row[1] for row in rows]
    accuracy = metric("accuracy")
    result = accuracy.compute(predictions=predictions, references=references, return_confidence=False, **options)
    assert result == plain_accuracy(predictions, references, options)
    if all(len(several) == 1 for several in references):
        singles = [several[0] for several in references]
        assert result == accuracy.compute(
            predictions=predictions, references=singles, return_confidence=False, **options
        )
