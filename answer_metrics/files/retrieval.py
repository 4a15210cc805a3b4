"""Runs and qrels of TREC."""

import re
from typing import BinaryIO

from answer_metrics.files.rows import InputError, Record, Rows, made_of

TREC = re.compile(rb"\s*\S+[ \t]+\S+[ \t]+\S+[ \t]+-?\d+([ \t]+\S+[ \t]+\S+)?[ \t]*(\r?\n|$)")
_IN_QRELS, _IN_RUN = 4, 6
"""The number of fields in a line of TREC."""


def from_trec(file: BinaryIO) -> Rows:
    """Read qrels or a run, one row per query.

    The documents of a run are ordered as trec_eval does: by score, equal ones by descending id; it ignores the ranks.
    """
    queries: dict[str, list[tuple[float, str]]] = {}
    width = 0
    for number, line in enumerate(file, 1):
        fields = line.decode().split()
        if not fields:
            continue
        width = width or len(fields)
        if len(fields) != width or width not in {_IN_QRELS, _IN_RUN}:
            raise InputError(f"Line {number:,} has {len(fields)} fields; TREC's qrels have 4, its runs 6.")
        try:
            queries.setdefault(fields[0], []).append((float(fields[4 if width == _IN_RUN else 3]), fields[2]))
        except ValueError:
            raise InputError(f"Line {number:,} has no number as its score.") from None
    rows: list[Record] = []
    for query, found in queries.items():
        if width == _IN_RUN:
            rows.append({"ids": query, "predictions": [name for _, name in sorted(found, reverse=True)]})
        else:
            gains = [max(0.0, gain) for gain, _ in found]
            rows.append({"ids": query, "references": [name for _, name in found], "relevance": gains})
    return made_of("trec", rows)
