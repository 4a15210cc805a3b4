# Vendored: edit metrics/_shared/space_ui/permalink.py and run `make vendor`.
"""Permalinks that contain the rows and options of a Space. Standard library only."""

import base64
import binascii
import json
import zlib
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

from .rows import Column
from .rows import InputError
from .rows import Limits
from .rows import Row
from .rows import check_rows

MAX_LINK = 8_000
_MAX_UNPACKED = 400_000


def pack_link(rows: Sequence[Row], options: Mapping[str, Any], *, comparing: bool = False) -> str | None:
    """Pack rows and options into the fragment of a link, which browsers do not send to the server.

    Returns:
        The fragment, or None if it would be too long for mail and chat programs, or exceed the unpacking limit.
    """
    value = {"rows": list(rows), "options": dict(options), **({"comparing": True} if comparing else {})}
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if len(plain.encode()) > _MAX_UNPACKED:
        return None
    packed = base64.urlsafe_b64encode(zlib.compress(plain.encode(), 9)).decode().rstrip("=")
    return f"rows={packed}" if len(packed) <= MAX_LINK else None


def unpack_link(
    packed: str, columns_for: Callable[..., Sequence[Column]], limits: Limits
) -> tuple[list[Row], dict[str, Any], bool]:
    """Unpack the output of `pack_link`, with or without its `rows=`.

    Returns:
        Rows, unchecked options, and whether two systems are compared.

    Raises:
        InputError: If it is damaged, or exceeds the limits of the page.
    """
    damaged = InputError("The link is damaged or was cut short. Ask for it again.")
    try:
        encoded = packed.removeprefix("rows=").encode("ascii")
        raw = base64.b64decode(encoded + b"=" * (-len(encoded) % 4), altchars=b"-_", validate=True)
        reader = zlib.decompressobj()
        plain = reader.decompress(raw, _MAX_UNPACKED)
        if not reader.eof:
            raise damaged
        value = json.loads(plain)
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        raise damaged from None
    if not isinstance(value, dict) or not isinstance(value.get("options"), dict):
        raise damaged
    comparing = value.get("comparing") is True
    return check_rows(value.get("rows"), columns_for(comparing=comparing), limits), value["options"], comparing
