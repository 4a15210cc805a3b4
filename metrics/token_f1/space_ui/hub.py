# Vendored: edit metrics/_shared/space_ui/hub.py and run `make vendor`.
"""Reading of datasets on the Hub, from the Parquet files that the Hub provides for each."""

import json
import os
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

from .rows import InputError
from .space import Space
from .tables import parse_table
from .upload import map_columns

_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?", re.ASCII)
_ADDRESS = re.compile(r"(?:https?://[^/]+/)?datasets/([^/?#]+(?:/[^/?#]+)?)(?:[/?#].*)?")
_TIMEOUT = 20.0
_MAX_BYTES = 60_000_000


def read_dataset(
    space: Space, body: bytes, names: Sequence[str], mapping: Mapping[str, str] | None
) -> tuple[int, dict[str, Any]]:
    """Read the first rows of a dataset, as `Space.read` reads a file."""

    def load() -> dict[str, Any]:
        try:
            sent = json.loads(body)
            dataset, config, split = (str(sent.get(name) or "") for name in ("dataset", "config", "split"))
        except (ValueError, AttributeError, RecursionError):
            raise InputError("The body must name a dataset.") from None
        content, where, is_whole = fetch(dataset, config, split)
        limit = space.limits.rows
        table = parse_table(content, "data.parquet", limit + 1)
        is_whole = is_whole and len(table.records) <= limit
        table = table._replace(records=table.records[:limit])
        notes = [f"From {where}.", *([] if is_whole else [f"Only its first {len(table.records):,} rows."])]
        upload = map_columns(table, space.chosen(names), space.limits, mapping)
        return upload._replace(notes=[*notes, *upload.notes])._asdict()

    return space.guard(load)


def fetch(dataset: str, config: str, split: str) -> tuple[bytes, str, bool]:
    """Download the first Parquet file of a split.

    Returns:
        The file, the dataset, configuration and split that it belongs to, and whether it is the only one.

    Raises:
        InputError: If there is no such dataset, configuration or split, or the Hub does not answer.
    """
    address = _ADDRESS.fullmatch(dataset)
    dataset = address[1] if address else dataset
    if not _NAME.fullmatch(dataset):
        raise InputError("Enter the name of a dataset on the Hub, such as owner/dataset.")
    listed = json.loads(_get(f"/api/datasets/{dataset}/parquet", f"The Hub has no public dataset {dataset}"))
    config = _choose(config, "configuration", listed, ("default", "main"))
    split = _choose(split, "split", listed[config], ("test", "validation", "train"))
    where = f"{dataset}, {config}, {split}"
    parts = "/".join(urllib.parse.quote(part, safe="") for part in (config, split))
    content = _get(f"/api/datasets/{dataset}/parquet/{parts}/0.parquet", f"The Hub has no Parquet file of {where}")
    return content, where, len(listed[config][split]) == 1


def _choose(requested: str, kind: str, known: Mapping[str, Any], usual: Sequence[str]) -> str:
    if not requested:
        requested = next((name for name in usual if name in known), next(iter(known), ""))
    if requested not in known:
        raise InputError(f"There is no {kind} {requested!r}. Available: {', '.join(list(known)[:12])}.")
    return requested


def _get(path: str, missing: str) -> bytes:
    endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co")
    try:
        with urllib.request.urlopen(endpoint + path, timeout=_TIMEOUT) as response:  # noqa: S310  # the Hub
            content: bytes = response.read(_MAX_BYTES + 1)
    except urllib.error.HTTPError as error:
        unknown = error.code in {401, 403, 404}
        raise InputError(f"{missing}." if unknown else f"The Hub answered with status {error.code}.") from None
    except OSError:
        raise InputError("The Hub can't be reached from here.") from None
    if len(content) > _MAX_BYTES:
        raise InputError(f"The first file of that split has more than {_MAX_BYTES // 1_000_000} MB.")
    return content
