"""Parquet and Arrow."""

import itertools
from collections.abc import Iterator
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from answer_metrics.files.rows import ROWS_IN_PIECE, Request, Rows, columns_of
from answer_metrics.files.tools import converted, format_of


def from_arrow(file: BinaryIO, head: bytes, request: Request) -> Rows:
    """Read Parquet or Arrow's file or stream format, of which `head` is the beginning."""
    kind, total = "arrow", None
    batches: Iterator[Any]
    if head.startswith(b"PAR1"):
        source = pq.ParquetFile(file)
        kind, total, batches = "parquet", source.metadata.num_rows, source.iter_batches(ROWS_IN_PIECE)
    elif head.startswith(b"\xff"):
        batches = iter(pa.ipc.open_stream(file))
    else:
        source = pa.ipc.open_file(file)
        batches = map(source.get_batch, range(source.num_record_batches))
    first = next(batches, None)
    if first is None:
        return Rows(kind, iter(()), total=0)
    batches = itertools.chain([first], batches)
    if first.num_rows and (tool := format_of(first.slice(0, 1).to_pylist()[0], request)):
        rows = itertools.chain.from_iterable(batch.to_pylist() for batch in batches)
        return converted(tool, enumerate(rows, 1), "Row", request)
    return Rows(kind, (columns_of(pa.Table.from_batches([batch])) for batch in batches), total=total)
