# Vendored: edit metrics/_shared/space_ui/export.py and run `make vendor`.
"""What is taken away of a result: plain values for JSON, CSV that no spreadsheet computes. Standard library only."""

import csv
import io
import json
from collections.abc import Iterable
from collections.abc import Sequence
from typing import Any


def as_plain(value: Any) -> Any:
    """Turn tuples of a result into lists, so that it is the same before and after JSON."""
    if isinstance(value, (list, tuple)):
        return [as_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: as_plain(item) for key, item in value.items()}
    return value


def write_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV; a list stands in its cell as JSON."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)  # its line ends, \r\n, make it quote a cell that holds either
    writer.writerow(head)
    writer.writerows(map(_in_csv, row) for row in rows)
    return buffer.getvalue()


def _in_csv(cell: object) -> object:
    """Make a cell of a CSV file one that a spreadsheet shows and does not compute.

    Excel and others take what begins with one of these signs for a formula, which may send the other cells to a server.
    An apostrophe before it makes it a text. A number stays one; JSON, which nothing computes, holds all as it is.
    """
    if isinstance(cell, list):
        return json.dumps(cell, ensure_ascii=False)
    if not isinstance(cell, str) or not cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
