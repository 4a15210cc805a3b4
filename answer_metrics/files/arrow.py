"""Parquet and Arrow."""

import itertools
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from answer_metrics.files.rows import ROWS_IN_PIECE, Rows, columns_of
from answer_metrics.files.tools import converted, lighteval


def from_arrow(file: BinaryIO, head: bytes) -> Rows:
    """Read Parquet or Arrow's file or stream format, of which `head` is the beginning."""
    kind, total = "arrow", None
    if head.startswith(b"PAR1"):
        source = pq.ParquetFile(file)
        kind, total, batches = "parquet", source.metadata.num_rows, source.iter_batches(ROWS_IN_PIECE)
    elif head.startswith(b"\xff"):
        source = batches = pa.ipc.open_stream(file)
    else:
        source = pa.ipc.open_file(file)
        batches = map(source.get_batch, range(source.num_record_batches))
    schema = source.schema_arrow if kind == "parquet" else source.schema
    if {"doc", "model_response"} <= set(schema.names):
        rows = itertools.chain.from_iterable(batch.to_pylist() for batch in batches)
        return converted("lighteval", lighteval, enumerate(rows, 1), "Row")
    return Rows(kind, (columns_of(pa.Table.from_batches([batch])) for batch in batches), total=total)
