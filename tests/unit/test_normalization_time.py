"""Normalization takes linear time, in the length of a text and in the number of texts."""

import pytest

from metrics._shared._normalization import normalize
from metrics._shared._normalization import normalize_column
from tests.growth import growth


@pytest.mark.parametrize(
    "unit",
    [
        ".",
        "+",
        "-.5",
        "a+",
        ",000",
        "1,",
        "\0",
        " ",
        "é.",
        "…",
        "\0é-",
        "²a",
        "e\u0301",
        "\u1100\u1161\u11a8",
        "\xa8\xb4\u20ac\u037e\u0301#\uff0c",
    ],
)
def test_long_texts_take_linear_time(unit: str) -> None:
    assert growth(normalize, lambda size: "1" + unit * size + "00", 3_000) < 1.5
    assert growth(normalize, lambda size: "C" + unit * size + "5", 3_000) < 1.5
    form = normalize("1" + unit * 100_000 + "00")
    assert normalize(form) == form


@pytest.mark.parametrize("text", ["Paris!", "é…", "a\0", "\u0327\u0301", "1,000", "½."])
def test_time_is_linear_in_rows(text: str) -> None:
    assert growth(normalize_column, lambda size: [f"{text}{row}" for row in range(size)], 2_000) < 1.4
