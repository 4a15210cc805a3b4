"""Rankings and judgments of documents by id: TREC, MS MARCO, BEIR, and the dictionaries of pytrec_eval and ranx."""

import contextlib
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from answer_metrics.files.rows import InputError, Record, Request, Rows, made_of

TREC = re.compile(
    rb"(?:\s*#[^\n]*\n)*\s*(?:\S+[ \t]+\S+[ \t]+\S+[ \t]+-?\d+([ \t]+\S+[ \t]+\S+)?|\S+\t\S+\t\d+)[ \t]*(\r?\n|$)"
)
BEIR = re.compile(rb"\s*(query|q)[-_]?id[\t, ](iter[\t, ])?(corpus|doc)[-_]?id[\t, ](score|relevance)\s", re.IGNORECASE)
_LAYOUTS = {(3, False): (1, 2), (3, True): (1, 2), (4, True): (2, 3), (6, False): (2, 4)}
"""Where the document and its number are: by the number of fields, and whether the file has judgments."""


def from_trec(file: BinaryIO, request: Request) -> Rows:
    """Read qrels or a run of TREC, a run of MS MARCO, or qrels of BEIR: one row per query."""

    def rows() -> Iterator[Record]:
        queries, is_qrels = _queries(file, request.is_references)
        yield from ranked(queries, is_qrels=is_qrels)

    return by_id(rows())


def by_id(rows: Iterable[Record]) -> Rows:
    """Return rows whose texts are ids of documents."""
    return made_of("trec", rows, options={"matching_strategy": "ID"})


def ranked(queries: dict[str, dict[str, float]], *, is_qrels: bool) -> Iterator[Record]:
    """Yield a row per query from the numbers of its documents.

    The documents of a run are ordered as trec_eval does: by score, equal ones by descending id; it ignores the ranks.
    """
    for query, documents in queries.items():
        if is_qrels:
            gains = [max(0.0, float(gain)) for gain in documents.values()]
            yield {"ids": query, "references": list(documents), "relevance": gains}
        else:
            order = sorted(documents, key=lambda name: (documents[name], name), reverse=True)
            yield {"ids": query, "predictions": order}


def are_scores(value: Any) -> bool:
    """Return whether a value of JSON maps queries to documents to numbers."""
    return all(
        isinstance(documents, dict)
        and all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in documents.values())
        for documents in value.values()
    ) and any(value.values())


def _queries(file: BinaryIO, is_references: bool) -> tuple[dict[str, dict[str, float]], bool]:
    """Return the numbers of the documents of each query, and whether they are judgments."""
    queries: dict[str, dict[str, float]] = {}
    width, is_qrels, is_comma = 0, is_references, False
    for number, line in enumerate(file, 1):
        if line.lstrip().startswith(b"#"):
            continue
        if not width and (header := BEIR.match(line)):
            width, is_qrels, is_comma = 4 if header[2] else 3, True, b"," in line
            continue
        text = line.decode()
        fields = (text.replace(",", " ") if is_comma else text).split()
        if not fields:
            continue
        if not width:
            width = len(fields)
            is_qrels = width == 4 or (width == 3 and is_references)
        layout = _LAYOUTS.get((width, is_qrels))
        if len(fields) != width or layout is None:
            raise InputError(f"Line {number:,} has {len(fields)} fields; TREC's qrels have 4, its runs 6.")
        document, score = fields[layout[0]], math.nan
        with contextlib.suppress(ValueError):
            score = float(fields[layout[1]])
        if not math.isfinite(score):
            raise InputError(f"Line {number:,} has no number as its score.")
        documents = queries.setdefault(fields[0], {})
        if document in documents:
            raise InputError(f"Line {number:,} has document {document} of query {fields[0]} a second time.")
        documents[document] = -score if width == 3 and not is_qrels else score  # MS MARCO writes ranks
    return queries, is_qrels
