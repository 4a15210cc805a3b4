"""Our side of the rows: loading of metrics from this checkout, and comparison of results."""

import unicodedata
from itertools import pairwise
from typing import Any

from benchmarks.environments import ROOT
from benchmarks.row import Disagreement


def load(name: str) -> Any:
    """Load a metric of this checkout."""
    import evaluate

    return evaluate.load(str(ROOT / "metrics" / name))


def _is_plain(text: str) -> bool:
    """Return whether our rules for numbers, names such as C++ and non-ASCII characters do not affect a text."""
    text = text.strip()
    return text.isascii() and not any(
        unicodedata.category(mark)[0] in "PS" and after.isdigit() for mark, after in pairwise(text)
    )


def compare_match_types(inputs: dict[str, list[str]], ours: list[str], theirs: list[str]) -> str:
    """Compare match types; the sides may differ if the texts contain numbers or non-ASCII characters."""
    pairs = list(zip(inputs["predictions"], inputs["references"], strict=True))
    different = [
        index for index, (our_type, their_type) in enumerate(zip(ours, theirs, strict=True)) if our_type != their_type
    ]
    for index in different:
        if all(map(_is_plain, pairs[index])):
            raise Disagreement(f"{pairs[index]!r}: ours {ours[index]}, theirs {theirs[index]}")
    if not different:
        return ""
    first = different[0]
    return (
        f"{len(different)} of {len(pairs)} match types differ, all by our rules for numbers and Unicode; the first: "
        f"{pairs[first][0]!r} for {pairs[first][1]!r}: ours {ours[first]}, theirs {theirs[first]}"
    )
