"""Decoding of response bodies: size limit, decompression, character encoding."""

import json
import zlib
from collections.abc import Mapping

# Far more than any verdict, or eight samples of a reasoning model, needs.
MAX_BODY_BYTES = 8 * 2**20
_LIMIT_SHOWN = f"{MAX_BODY_BYTES // 2**20} MiB"
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


class TransportError(Exception):
    """There is no usable response.

    Attributes:
        reason: One sentence that names the host.
        stage: "connect" (no connection, so nothing was billed), "timeout" or "exchange" (the request may have been
            processed and billed).
    """

    def __init__(self, reason: str, stage: str) -> None:
        super().__init__(reason)
        self.reason, self.stage = reason, stage


def decode_body(data: bytes, headers: Mapping[str, str]) -> str:
    """Decompress within the limit, then decode: as JSON in UTF-8, -16 or -32, else with the declared charset.

    Raises:
        TransportError: For a body beyond the limit, or in an encoding that was not requested.
        zlib.error: For a damaged one.
    """
    too_long = f"the server answered with more than {_LIMIT_SHOWN}"
    if len(data) > MAX_BODY_BYTES:
        raise TransportError(too_long, "exchange")
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding in {"gzip", "x-gzip", "deflate"}:
        unpacker = zlib.decompressobj(_GZIP_OR_ZLIB)
        try:
            data = unpacker.decompress(data, MAX_BODY_BYTES + 1)
        except zlib.error:
            raise TransportError(f"the server answered with {encoding} data that is damaged", "exchange") from None
        if len(data) > MAX_BODY_BYTES:
            raise TransportError(f"{too_long}, compressed", "exchange")
    elif encoding not in {"", "identity"}:
        raise TransportError(
            f"the server answered in the encoding {encoding[:20]!r}, which was not requested", "exchange"
        )
    declared = headers.get("content-type", "").lower().partition("charset=")[2].split(";")[0].strip(" \"'")
    for name in (json.detect_encoding(data), declared or "utf-8"):
        try:
            return data.decode(name).removeprefix("\ufeff")
        except (LookupError, UnicodeError):
            continue
    return data.decode("utf-8", "replace")
