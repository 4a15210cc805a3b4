"""Whether Arrow strings are valid UTF-8, against Arrow's check of each string."""

import numpy as np
import pyarrow as pa
from hypothesis import example
from hypothesis import given
from hypothesis import strategies as st

from metrics._shared._string_buffers import is_valid

# Characters of 1 to 4 bytes, and pieces of characters.
PIECES = st.sampled_from([b"", b"a", "é".encode(), "東".encode(), "😀".encode(), b"\xc3", b"\xa9", b"\xed\xa0\x80"])
TEXTS = st.lists(PIECES, max_size=3).map(b"".join)


@given(st.lists(TEXTS, max_size=6), st.integers(0, 3), st.sampled_from([pa.binary(), pa.large_binary()]))
@example([b"\xc3", b"\xa9"], 0, pa.binary())  # valid together, but not one by one
@example([b"\xc3", b"", b"\xa9"], 0, pa.binary())
@example(["é".encode(), b"\xa9", b"a"], 2, pa.large_binary())  # what is left of the slice does not count
def test_equals_a_check_of_each_string(texts: list[bytes], start: int, kind: pa.DataType) -> None:
    strings = pa.array(texts, kind).view(pa.large_string() if kind == pa.large_binary() else pa.string())[start:]
    try:
        for text in texts[start:]:
            text.decode()
        expected = True
    except UnicodeDecodeError:
        expected = False
    assert is_valid(strings) == expected


def test_offsets_out_of_order_are_invalid() -> None:
    data = pa.py_buffer(b"abc")
    for offsets in ([0, 2, 1, 3], [0, 9, 3]):
        ends = pa.py_buffer(np.array(offsets, np.int32))
        assert not is_valid(pa.Array.from_buffers(pa.string(), len(offsets) - 1, [None, ends, data]))


def test_views_and_dictionaries_are_checked() -> None:
    assert is_valid(pa.array(["é", "a"], pa.string_view()))
    assert is_valid(pa.array(["é", "a"]).dictionary_encode())
    broken = pa.array([b"\xc3"], pa.binary()).view(pa.string())
    assert not is_valid(pa.DictionaryArray.from_arrays(pa.array([0]), broken))
