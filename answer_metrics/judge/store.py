"""Storage of judgments on disk, so that none is paid for twice: one SQLite file, shared by processes, crash-safe.

Keys are hashes; values are judgments as JSON: candidate tokens with their log-probabilities, token counts, the served
model, but no texts or API keys. A second table contains claims: which process is judging what.
"""

import contextlib
import hashlib
import json
import os
import secrets
import socket
import sqlite3
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import quote

STORE_VERSION = 1  # part of every key: raising it makes all old rows invisible

_FILE = "judgments.sqlite"
# Seconds to wait for a lock: inside SQLite, where no other judgment can be handled meanwhile, and in all.
_LOCK_WAIT, _MOST_LOCK_WAIT = 0.02, 30.0
_KEYS_PER_QUERY = 500
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
# Of a file that is no store: damaged, or, after our tables were created, with other tables of the same names.
_UNUSABLE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
# A single atomic statement: a claim succeeds if there is neither a judgment nor another owner's valid claim. A trigger
# deletes the claim when the judgment is inserted.
_CLAIM = """
INSERT INTO claims SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM judgments WHERE key = ?)
ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, expires = excluded.expires
WHERE claims.owner = excluded.owner OR claims.expires < ?
"""
_SET_UP = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "CREATE TABLE IF NOT EXISTS judgments (key BLOB PRIMARY KEY, judgment TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS claims (key BLOB PRIMARY KEY, owner TEXT NOT NULL, expires REAL NOT NULL)",
    "CREATE TRIGGER IF NOT EXISTS release AFTER INSERT ON judgments BEGIN DELETE FROM claims WHERE key = NEW.key; END",
)
_INSERT = "INSERT OR REPLACE INTO judgments (key, judgment) VALUES (?, ?)"

# Judgments that could not be written, by file, until the next attempt to store them.
_unsaved: dict[Path, dict[bytes, str]] = {}

_Stored = TypeVar("_Stored")
Claim = Literal["ours", "theirs"]


class Busy(Exception):  # not an error: the caller tries again
    """Another process has locked the file."""


def patiently(action: Callable[..., _Stored], *arguments: Any) -> _Stored:
    """Repeat an action of a store until the file is not locked."""
    while True:
        try:
            return action(*arguments)
        except Busy:
            time.sleep(_LOCK_WAIT)


class Store:
    """The store of one judge's judgments, open for one call of the metric, and used by one thread at a time.

    Trouble with the file causes one warning, and judging continues: in a new file, without writing, or without the
    store. Every method may raise `Busy`, and can then be called again, for `_MOST_LOCK_WAIT` seconds.
    """

    def __init__(
        self, directory: Path, settings: Sequence[object], is_valid: Callable[[object], bool], *, off: bool = False
    ) -> None:
        # `settings` are everything besides the prompt that can change a judgment.
        self._path, self._off, self._is_valid = directory / _FILE, off, is_valid
        self._unsaved = {} if off else _unsaved.setdefault(self._path, {})
        self._settings = hashlib.sha256(json.dumps([STORE_VERSION, *settings], sort_keys=True).encode() + b"\0")
        self._mode: Literal["write", "read", "none"] = "none" if off else "write"
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        self._owner = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self._claimed = self._warned = self._renamed = False
        self._busy_since: float | None = None

    def get(self, prompts: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the stored judgments of these prompts, by prompt."""
        stored: dict[str, dict[str, Any]] = {}
        for start in range(0, len(prompts), _KEYS_PER_QUERY):
            prompt_of = {self._key(prompt): prompt for prompt in prompts[start : start + _KEYS_PER_QUERY]}
            marks = ",".join("?" * len(prompt_of))
            select = f"SELECT key, judgment FROM judgments WHERE key IN ({marks})"  # question marks only
            rows = self._run(lambda connection: connection.execute(select, list(prompt_of)).fetchall())  # noqa: B023  # runs now
            texts = {key: self._unsaved[key] for key in prompt_of if key in self._unsaved} | dict(rows or [])
            judgments = {prompt_of[key]: self._parse(text) for key, text in texts.items()}
            stored |= {prompt: judgment for prompt, judgment in judgments.items() if judgment is not None}
        return stored

    def claim(self, prompt: str, seconds: float) -> dict[str, Any] | Claim:
        """Claim a prompt just before judging it, so that no other process judges it within that time too.

        Return the judgment if it was stored meanwhile; "theirs" if another process or thread is judging the prompt;
        "ours" if this one may judge it, which is always so if the store cannot be written.
        """
        key = self._key(prompt)
        return self._run(lambda connection: self._claim(connection, key, seconds), write=True) or "ours"

    def put(self, prompt: str, judgment: dict[str, Any]) -> None:
        """Store one judgment; on disk when this returns, or in memory if it cannot be written."""
        key, text = self._key(prompt), json.dumps(judgment)
        stored = self._run(lambda connection: connection.execute(_INSERT, (key, text)), write=True)
        if stored is None and not self._off:
            self._unsaved[key] = text

    def release(self, prompt: str) -> None:
        """Release a claim without a judgment."""
        release, values = "DELETE FROM claims WHERE key = ? AND owner = ?", (self._key(prompt), self._owner)
        self._run(lambda connection: connection.execute(release, values), write=True)

    def close(self) -> None:
        """Store what could not be stored before, release all claims, and close the file; a later call reopens it."""
        if rows := list(self._unsaved.items()):
            if self._mode != "write":
                self._disconnect()
                self._mode = "write"  # once more
            if self._run(lambda connection: connection.executemany(_INSERT, rows), write=True) is not None:
                for key, _ in rows:
                    self._unsaved.pop(key, None)
        if self._claimed:
            release = "DELETE FROM claims WHERE owner = ?"
            self._run(lambda connection: connection.execute(release, (self._owner,)), write=True)
            self._claimed = False
        self._disconnect()

    def _claim(self, connection: sqlite3.Connection, key: bytes, seconds: float) -> dict[str, Any] | Claim:
        now = time.time()
        self._claimed = True
        if connection.execute(_CLAIM, (key, self._owner, now + seconds, key, now)).rowcount:
            return "ours"
        row = connection.execute("SELECT judgment FROM judgments WHERE key = ?", (key,)).fetchone()
        if row is not None:
            return self._parse(row[0]) or "ours"
        held = connection.execute("SELECT owner FROM claims WHERE key = ?", (key,)).fetchone()
        if held is not None and not _is_alive(held[0]):
            connection.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, held[0]))
        # If the claim was released or deleted meanwhile, the next attempt succeeds.
        return "theirs"

    def _parse(self, text: Any) -> dict[str, Any] | None:
        """Parse a stored judgment; None for an invalid value, which is then judged again."""
        try:
            judgment: dict[str, Any] = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            return None
        return judgment if self._is_valid(judgment) else None

    def _key(self, prompt: str) -> bytes:
        digest = self._settings.copy()
        digest.update(prompt.encode())
        return digest.digest()

    # ---- the file

    def _run(self, action: Callable[[sqlite3.Connection], _Stored], *, write: bool = False) -> _Stored | None:
        """Run an action with the connection; None if that is not possible."""
        while self._mode == "write" or (self._mode == "read" and not write):
            try:
                if self._connection is None:
                    self._connection = self._open_to_write() if self._mode == "write" else self._open_to_read()
                result = action(self._connection)
            except (OSError, sqlite3.Error) as trouble:
                code = getattr(trouble, "sqlite_errorcode", 0) & 0xFF  # the primary result code
                now = time.monotonic()
                self._busy_since = self._busy_since or now
                if code in _BUSY and now - self._busy_since < _MOST_LOCK_WAIT:
                    raise Busy from None
                self._give_way(trouble, code)
            else:
                self._busy_since = None
                return result
        return None

    def _open_to_write(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.touch()  # an empty file is an empty database
        self._inode = self._path.stat().st_ino
        connection = sqlite3.connect(self._path, timeout=_LOCK_WAIT, isolation_level=None, check_same_thread=False)
        try:
            for statement in _SET_UP:
                connection.execute(statement)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _open_to_read(self) -> sqlite3.Connection:
        """Open a file that cannot be written; as immutable if SQLite cannot even lock it."""
        for parameter in ("mode=ro", "immutable=1"):
            address = f"file:{quote(str(self._path))}?{parameter}"
            connection = sqlite3.connect(address, timeout=_LOCK_WAIT, uri=True, check_same_thread=False)
            try:
                connection.execute("SELECT 1 FROM judgments LIMIT 1").fetchone()
            except sqlite3.Error:
                connection.close()
            else:
                return connection
        raise OSError("it cannot be opened")

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _give_way(self, trouble: Exception, code: int) -> None:
        """Go on after an error: with a new file if this one is no store, else by reading only, else without a store."""
        self._disconnect()
        self._busy_since = None
        renamed = self._begin_anew() if code in _UNUSABLE and self._mode == "write" else ""
        if renamed:
            advice = f"it was renamed to {renamed}, and a new one begun"
        elif self._mode == "write":
            self._mode = "read"
            advice = "it is only read, if possible; new judgments stay in memory and are stored at the end of a run "
            advice += "that can. Free the disk, or choose another judge_cache_dir="
        else:
            self._mode = "none"
            advice = "it is not read either"
        if not self._warned:
            self._warned = True
            # A warning turned into an error must not end a thread with a paid judgment.
            with contextlib.suppress(UserWarning):
                warnings.warn(f"l3score: the store {self._path} cannot be used ({trouble}): {advice}", stacklevel=2)

    def _begin_anew(self) -> str:
        """Rename the file, unless another process has; return its new name, or "" if that is not possible."""
        if self._renamed:
            return ""  # the new file fails as well: the file is not the cause
        self._renamed = True
        names = [f"{_FILE}.damaged", *(f"{_FILE}.damaged-{number}" for number in range(2, 100))]
        new = next((name for name in names if not self._path.with_name(name).exists()), names[0])
        try:
            if self._path.stat().st_ino == self._inode:
                # The log first, since SQLite would apply it to a new file of the old name.
                for suffix in ("-wal", "-shm", ""):
                    with contextlib.suppress(FileNotFoundError):
                        self._path.with_name(_FILE + suffix).rename(self._path.with_name(new + suffix))
        except OSError:  # on Windows, another process has it open
            return ""
        return new


def _is_alive(owner: str) -> bool:
    """Return whether the process of a claim may still be running; unknown counts as running."""
    host, pid, _ = (*owner.rsplit(":", 2), "", "")[:3]
    if os.name != "posix" or host != socket.gethostname() or not pid.isdecimal():
        return True
    try:
        os.kill(int(pid), 0)
    except (OSError, OverflowError) as error:
        return not isinstance(error, ProcessLookupError)
    return True
