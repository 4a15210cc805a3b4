"""Compressed files and archives: unpacked while read, and rejected if they grow far beyond their size."""

import bz2
import codecs
import gzip
import io
import json
import lzma
import struct
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any, BinaryIO

import pyarrow as pa

from answer_metrics.files.rows import InputError

CHUNK = 1 << 16
_ENDINGS = (".gz", ".bz2", ".xz", ".zst")
_LARGE, _RATIO = 100_000_000, 500
"""A file that is larger than this many bytes, and as many times its packed size, is no text."""
_ZSTANDARD = 93
_OPENERS: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": lambda file: pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd"),
}
"""How to open a compressed file, by its first bytes."""


def suffix(path: str) -> str:
    """Return the end of a file's name, such as ".csv", without that of its compression."""
    name = PurePosixPath(path)
    return (name.with_suffix("") if name.suffix.lower() in _ENDINGS else name).suffix.lower()


def opener_of(head: bytes) -> Callable[[Any], Any] | None:
    """Return the function that opens a compressed file, None if its first bytes are those of no such file."""
    return next((opener for magic, opener in _OPENERS.items() if head.startswith(magic)), None)


def check_size(size: int, max_bytes: int | None, packed: int | None = None) -> None:
    """Raise an `InputError` if a file is too large once it is unpacked."""
    if max_bytes is not None and size > max_bytes:
        raise InputError(f"The file is too large once unpacked: more than {max_bytes // 1_000_000} MB.")
    if packed is not None and size > _LARGE and size > _RATIO * packed:
        raise InputError(f"The file unpacks to more than {_RATIO} times its size, which no text does.")


class _Stream(io.RawIOBase):
    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks, self._rest = iter(chunks), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._rest = self._rest or next(filter(None, self._chunks), b"")
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


def _chunks(file: Any, packed: int | None = None, max_bytes: int | None = None) -> Iterator[bytes]:
    size = 0
    while chunk := file.read(CHUNK):
        size += len(chunk)
        check_size(size, max_bytes, packed)
        yield chunk


def unpacked(file: Any, packed: int | None, max_bytes: int | None) -> io.BufferedReader:
    """Return an open compressed file of `packed` bytes as a file whose size is checked as it is read."""
    return io.BufferedReader(_Stream(_chunks(file, packed, max_bytes)), CHUNK)


def recoded(file: Any, encoding: str) -> io.BufferedReader:
    """Return a file of text in another encoding as UTF-8."""
    texts = codecs.iterdecode(_chunks(file), encoding)
    return io.BufferedReader(_Stream(text.encode() for text in texts), CHUNK)


def members(archive: zipfile.ZipFile, max_bytes: int | None) -> list[zipfile.ZipInfo]:
    """List the files of an archive, those that systems add left out; an `InputError` for what is not to be unpacked."""
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    for entry in entries:
        parts = PurePosixPath(entry.filename.replace("\\", "/"))
        if parts.is_absolute() or ".." in parts.parts:
            raise InputError(f"A file in the archive has a path outside it: {entry.filename!r}.")
        if entry.flag_bits & 1:
            raise InputError("The archive is encrypted: unpack it.")
        check_size(entry.file_size, None, entry.compress_size)
    check_size(sum(entry.file_size for entry in entries), max_bytes)
    return [entry for entry in entries if "__MACOSX" not in entry.filename]


def inspect_log(archive: zipfile.ZipFile, file: BinaryIO) -> dict[str, Any]:
    """Return Inspect's `.eval` log as its `.json` has it; its samples are read one by one."""
    names = sorted(name for name in archive.namelist() if name.startswith("samples/"))
    header = json.loads(_content(archive, file, "header.json")) if "header.json" in archive.namelist() else {}
    return {**header, "samples": (json.loads(_content(archive, file, name)) for name in names)}


def _content(archive: zipfile.ZipFile, file: BinaryIO, name: str) -> bytes:
    """Read a member; Inspect compresses with zstd, which `zipfile` supports from Python 3.14 on."""
    entry = archive.getinfo(name)
    if entry.compress_type != _ZSTANDARD:
        return archive.read(entry)
    file.seek(entry.header_offset + 26)
    file.seek(sum(struct.unpack("<HH", file.read(4))), io.SEEK_CUR)
    stream = pa.CompressedInputStream(pa.BufferReader(file.read(entry.compress_size)), "zstd")
    return bytes(stream.read(entry.file_size))
