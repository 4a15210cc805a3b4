"""The Golden Rules are read from pySBD's test file without running it."""

import pytest

from benchmarks.golden_rules import read_rules


def test_rules_are_read_from_pairs_and_parameters() -> None:
    source = 'GOLDEN_EN_RULES_TEST_CASES = [("A. B.", ["A.", "B."]), pytest.param("C", ["C"], marks=pytest.mark.xfail)]'
    assert read_rules(source) == [("A. B.", ["A.", "B."]), ("C", ["C"])]
    with pytest.raises(ValueError, match=r"give tests/lang/test_english\.py of pySBD$"):
        read_rules("OTHER = []")
