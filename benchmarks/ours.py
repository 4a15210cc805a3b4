"""Our side of the rows: how a metric of this checkout is loaded, and how results are compared."""

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
    """Say whether our rules for numbers, names like C++ and other scripts have nothing to do in a text."""
    text = text.strip()
    return text.isascii() and not any(
        unicodedata.category(mark)[0] in "PS" and after.isdigit() for mark, after in pairwise(text)
    )


def compare_match_types(inputs: dict[str, list[str]], ours: list[str], theirs: list[str]) -> str:
    """Compare match types; the sides may differ where numbers or letters beyond ASCII stand in the texts."""
    pairs = list(zip(inputs["predictions"], inputs["references"], strict=True))
    different = [index for index, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one != other]
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
