"""Storage of judgments on disk, so that none is paid for twice: one SQLite file, shared by processes, crash-safe.

Keys are hashes; values are judgments as JSON: candidate tokens with their log-probabilities, token counts, the served
model. No questions, answers or API keys are stored. A second table contains claims: which process is judging what.
"""

import contextlib
import hashlib
import json
import os
import secrets
import socket
import sqlite3
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import quote

# Part of every key: raising it makes all old rows invisible.
STORE_VERSION = 1

# Seconds to wait for a lock: inside SQLite, where no other judgment can be handled meanwhile, and in all.
_LOCK_WAIT, _LONGEST_WAIT = 0.02, 30.0
_FILES = ("judgments.sqlite", "judgments-2.sqlite", "judgments-3.sqlite")
_KEYS_PER_QUERY = 500
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
# A single atomic statement: a claim succeeds if there is neither a judgment nor another owner's valid claim. A trigger
# deletes the claim when the judgment is inserted.
_CLAIM = """
INSERT INTO claims SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM judgments WHERE key = ?)
ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, expires = excluded.expires
WHERE claims.owner = excluded.owner OR claims.expires < ?
"""
_TABLES = (
    "CREATE TABLE IF NOT EXISTS judgments (key BLOB PRIMARY KEY, judgment TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS claims (key BLOB PRIMARY KEY, owner TEXT NOT NULL, expires REAL NOT NULL)",
    "CREATE TRIGGER IF NOT EXISTS release AFTER INSERT ON judgments BEGIN DELETE FROM claims WHERE key = NEW.key; END",
)
_INSERT = "INSERT OR REPLACE INTO judgments (key, judgment) VALUES (?, ?)"

# Judgments that could not be written, by directory, until the next attempt to store them.
_unsaved: dict[Path, dict[bytes, str]] = {}

_Result = TypeVar("_Result")
Claim = Literal["ours", "theirs"]


class Busy(Exception):  # noqa: N818  # not an error: the caller tries again
    """Another process has locked the file; the event loop waits without blocking, other callers by `patiently`."""


def patiently(action: Callable[..., _Result], *arguments: Any) -> _Result:
    """Repeat an action of a store until the file is not locked."""
    while True:
        try:
            return action(*arguments)
        except Busy:
            time.sleep(_LOCK_WAIT)


class Store:
    """The store of one judge's judgments. Errors cause one warning, and judging continues without the store.

    One connection, opened on first use and guarded by a lock. A forked process opens its own. Every method may raise
    `Busy`, and can then be called again; after `_LONGEST_WAIT` seconds of that, the store counts as unusable.

    Args:
        directory: The directory of the file; created if missing.
        settings: Everything besides the prompt that can change a judgment (provider, address, model, ...);
            JSON-serializable.
        off: Whether the store is disabled.
        is_valid: Returns whether a stored value can be scored: other programs may have written to the file.
    """

    def __init__(
        self,
        directory: Path,
        settings: Sequence[object],
        *,
        off: bool = False,
        is_valid: Callable[[object], bool] = lambda value: isinstance(value, dict),
    ) -> None:
        self._directory, self._is_valid = directory, is_valid
        self._settings = hashlib.sha256(json.dumps([STORE_VERSION, *settings], sort_keys=True).encode() + b"\0")
        self._names = list(_FILES)
        self._connection: sqlite3.Connection | None = None
        self._process = os.getpid()
        self._owner = _new_owner()
        self._lock = threading.Lock()
        self._readable = self._writable = not off
        self._off = off
        self._claimed = False
        self._warned = False
        self._busy_since: float | None = None

    def get(self, prompts: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the stored judgments of these prompts, by prompt."""
        found: dict[str, dict[str, Any]] = {}
        if self._off:
            return found
        unsaved = _unsaved.get(self._directory, {})
        for start in range(0, len(prompts), _KEYS_PER_QUERY):
            prompt_of = {self._key(prompt): prompt for prompt in prompts[start : start + _KEYS_PER_QUERY]}
            marks = ",".join("?" * len(prompt_of))
            select = f"SELECT key, judgment FROM judgments WHERE key IN ({marks})"  # noqa: S608  # question marks only
            rows = self._run(lambda connection: connection.execute(select, list(prompt_of)).fetchall())  # noqa: B023  # runs now
            texts = {key: unsaved[key] for key in prompt_of if key in unsaved} | dict(rows or [])
            for key, text in texts.items():
                judgment = self._parse(text)
                if judgment is not None:
                    found[prompt_of[key]] = judgment
        return found

    def claim(self, prompt: str, seconds: float) -> dict[str, Any] | Claim:
        """Claim a prompt just before judging it, so that no other process judges it too.

        Args:
            prompt: The prompt.
            seconds: Lifetime of the claim if this process neither stores a judgment nor releases it.

        Returns:
            The judgment if it was stored meanwhile; "theirs" if another process or thread is judging the prompt;
            "ours" if this one may judge it, which is always so if the store cannot be written.
        """
        key = self._key(prompt)
        outcome = self._run(lambda connection: self._claim(connection, key, seconds), write=True)
        return "ours" if outcome is None else outcome

    def put(self, prompt: str, judgment: dict[str, Any]) -> None:
        """Store one judgment; on disk when this returns, or in memory if it cannot be written."""
        if self._off:
            return
        key, text = self._key(prompt), json.dumps(judgment)

        def write(connection: sqlite3.Connection) -> bool:
            connection.execute(_INSERT, (key, text))
            return True

        if not self._run(write, write=True):
            _unsaved.setdefault(self._directory, {})[key] = text

    def release(self, prompt: str) -> None:
        """Release a claim without a judgment."""
        values = (self._key(prompt), self._owner)
        self._run(
            lambda connection: connection.execute("DELETE FROM claims WHERE key = ? AND owner = ?", values), write=True
        )

    def close(self) -> None:
        """Store what could not be stored before, release all claims, and close the file; a later call reopens it."""
        if not self._off:
            self._save_the_rest()
        if self._claimed and self._writable:
            self._run(lambda connection: connection.execute("DELETE FROM claims WHERE owner = ?", (self._owner,)))
            self._claimed = False
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def _save_the_rest(self) -> None:
        unsaved = _unsaved.get(self._directory, {})
        if not unsaved:
            return
        if not self._writable:
            with self._lock:
                if self._connection is not None:
                    self._connection.close()
                self._connection, self._writable = None, True
        rows = list(unsaved.items())

        def write(connection: sqlite3.Connection) -> bool:
            with _transaction(connection):
                connection.executemany(_INSERT, rows)
            return True

        if self._run(write, write=True):
            for key, _ in rows:
                unsaved.pop(key, None)

    def _claim(self, connection: sqlite3.Connection, key: bytes, seconds: float) -> dict[str, Any] | Claim:
        now = time.time()
        self._claimed = True
        if connection.execute(_CLAIM, (key, self._owner, now + seconds, key, now)).rowcount:
            return "ours"
        row = connection.execute("SELECT judgment FROM judgments WHERE key = ?", (key,)).fetchone()
        if row is not None:
            judgment = self._parse(row[0])
            return "ours" if judgment is None else judgment
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

    def _run(self, action: Callable[[sqlite3.Connection], _Result], *, write: bool = False) -> _Result | None:
        """Run an action with the connection; None if that is not possible."""
        if self._process != os.getpid():
            # The parent's connection must not be used here, and its lock may be held by a thread that does not exist.
            self._connection, self._lock, self._process = None, threading.Lock(), os.getpid()
            self._owner = _new_owner()
        with self._lock:
            while self._writable or (self._readable and not write):
                try:
                    if self._connection is None:
                        path = self._directory / self._names[0]
                        self._connection = _open_to_write(path) if self._writable else _open_to_read(path)
                    result = action(self._connection)
                except (OSError, sqlite3.Error) as trouble:
                    self._check_busy(trouble)
                    self._give_way(trouble)
                else:
                    self._busy_since = None
                    return result
        return None

    def _check_busy(self, trouble: Exception) -> None:
        """Raise `Busy` if the file is locked, unless it has been for too long."""
        if getattr(trouble, "sqlite_errorcode", 0) & 0xFF not in _BUSY:
            return
        now = time.monotonic()
        self._busy_since = self._busy_since or now
        if now - self._busy_since < _LONGEST_WAIT:
            raise Busy from None
        self._busy_since = None

    def _give_way(self, trouble: Exception) -> None:
        """Fall back after an error: to the next file if this one is unusable, else to reading only or to no store."""
        code = getattr(trouble, "sqlite_errorcode", 0) & 0xFF  # the primary result code
        path = self._directory / self._names[0]
        self._connection = None
        # A writable file has our tables, unless it has others of the same names, such as those of another version.
        other_tables = code == sqlite3.SQLITE_ERROR and self._writable
        if (code in _DAMAGED or other_tables) and len(self._names) > 1:
            # The file is not deleted or renamed: another process may be using it, and it belongs to the user.
            del self._names[0]
            advice = f"judgments go to {self._names[0]} next to it. If it is damaged, delete it when nothing uses it"
        elif self._writable:
            self._writable = False
            advice = "it is only read, if possible; new judgments stay in memory and are stored at the end of a run "
            advice += "that can. Free the disk, or choose another judge_cache_dir="
        else:
            self._readable = False
            advice = "it is not read either"
        if not self._warned:
            self._warned = True
            # A warning turned into an error must not end a thread with a paid judgment.
            with contextlib.suppress(UserWarning):
                warnings.warn(f"l3score: the store {path} cannot be used ({trouble}): {advice}", stacklevel=2)


def _new_owner() -> str:
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def _is_alive(owner: str) -> bool:
    """Return whether the process of a claim may still be running; unknown counts as running."""
    host, pid, _ = (*owner.rsplit(":", 2), "", "")[:3]
    if os.name != "posix" or host != socket.gethostname() or not pid.isdecimal():
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        # The error may have ended the transaction already.
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _open_to_write(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_LOCK_WAIT, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        for statement in _TABLES:
            connection.execute(statement)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Open a file that cannot be written; as immutable if SQLite cannot even lock it."""
    trouble: sqlite3.Error | None = None
    for parameter in ("mode=ro", "immutable=1"):
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?{parameter}", timeout=_LOCK_WAIT, uri=True, check_same_thread=False
        )
        try:
            connection.execute("SELECT 1 FROM judgments LIMIT 1").fetchone()
        except sqlite3.Error as error:
            connection.close()
            trouble = error
        else:
            return connection
    raise trouble or OSError("no such file")
