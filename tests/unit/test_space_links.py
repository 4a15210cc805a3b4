"""Links of a Space: rows round-trip, and bad or oversized links are rejected."""

import base64
import contextlib
import json
import tracemalloc
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from space_ui.permalink import MAX_LINK
from space_ui.permalink import pack_link
from space_ui.permalink import unpack_link
from space_ui.rows import Column
from space_ui.rows import InputError
from space_ui.rows import Limits

PAIR = [Column("predictions", "Prediction"), Column("references", "Reference", "answers")]
LIMITS = Limits()
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.tuples(TEXT, TEXT), max_size=5), st.dictionaries(TEXT, st.booleans() | st.floats(0, 1) | TEXT))
def test_links_round_trip_rows_and_options(pairs: list[tuple[str, str]], options: dict[str, Any]) -> None:
    rows = [list(pair) for pair in pairs if any(cell.strip() for cell in pair)]
    link = pack_link(rows, options)
    assert link is not None
    assert unpack_link(link, pair, LIMITS) == (rows, options, False)


def test_too_long_link_is_none() -> None:
    noise = [[f"{index * 7919 % 104729:x}", f"{index * 6367 % 99991:x}"] for index in range(2000)]
    assert pack_link(noise, {}) is None
    assert len(pack_link(noise[:50], {}) or "") <= MAX_LINK


def test_link_that_would_be_rejected_is_not_offered() -> None:
    frame = len(json.dumps({"rows": [["", "b"]], "options": {}}, separators=(",", ":")))
    for length in (399_999, 400_000, 400_001):
        rows = [["a" * (length - frame), "b"]]
        link = pack_link(rows, {})
        assert (link is None) == (length > 400_000)
        if link is not None:
            assert unpack_link(link, pair, Limits(cell=length)) == (rows, {}, False)


def pair(*, comparing: bool) -> list[Column]:
    return [PAIR[0], PAIR[0].second("_b"), PAIR[1]] if comparing else PAIR


def test_comparison_link_has_an_extra_column() -> None:
    rows = [["a", "b", "c"]]
    assert unpack_link(pack_link(rows, {}, comparing=True) or "", pair, LIMITS) == (rows, {}, True)


def encode_link(value: object) -> str:
    return "rows=" + base64.urlsafe_b64encode(zlib.compress(json.dumps(value).encode())).decode().rstrip("=")


@pytest.mark.parametrize(
    "fragment",
    [
        "rows=",
        "rows=!!!",
        "rows=abc",
        "rows=é",
        encode_link([]),
        encode_link({"rows": [["a", "b"]]}),
        encode_link({"rows": "ab", "options": {}}),
        encode_link({"rows": [["a"]], "options": {}}),
        encode_link({"rows": [["a", "b"]] * 21_000, "options": {}}),
        encode_link({"rows": [["a" * 30_000, "b"]], "options": {}}),
        encode_link({"rows": [["a" * 500_000, "b"]], "options": {}}),
        encode_link({"rows": [["a", "b"]], "options": {}})[:-6],
    ],
)
def test_bad_links_are_rejected(fragment: str) -> None:
    with pytest.raises(InputError):
        unpack_link(fragment, pair, LIMITS)


def test_link_is_decompressed_only_up_to_the_limit() -> None:
    """A few kilobytes of a link can decompress to gigabytes."""
    tracemalloc.start()
    bomb = "rows=" + base64.urlsafe_b64encode(zlib.compress(b" " * 100_000_000, 9)).decode().rstrip("=")
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    with pytest.raises(InputError, match="damaged"):
        unpack_link(bomb, pair, LIMITS)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - before < 5_000_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.sampled_from(["rows", "options"]), values),
)


@given(st.text().map("rows={}".format) | JSON.map(encode_link))
def test_no_link_breaks_the_page(fragment: str) -> None:
    with contextlib.suppress(InputError):
        unpack_link(fragment, pair, LIMITS)
