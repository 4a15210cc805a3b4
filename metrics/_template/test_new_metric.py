"""The scoring function of new_metric, compared with values computed by hand."""

import pytest

from metrics.new_metric.new_metric import begins_with


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"), [("Paris, France", "Paris", 1.0), ("Lyon", "Paris", 0.0), ("", "", 1.0)]
)
def test_prediction_that_begins_with_the_reference_scores_one(prediction: str, reference: str, expected: float) -> None:
    assert begins_with(prediction, reference) == expected


def test_case_counts_unless_it_is_ignored() -> None:
    assert begins_with("PARIS", "Paris") == 0.0
    assert begins_with("PARIS", "Paris", case_sensitive=False) == 1.0
