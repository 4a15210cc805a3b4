"""Judgements on disk, so that none is paid for twice: one SQLite file, shared by processes, safe against kill -9.

It holds hashes as keys and, as JSON, what the judge sent back: candidate tokens with their log-probabilities, token
counts, the served model. No question, no answer, no key.
"""

import contextlib
import hashlib
import json
import os
import sqlite3
import threading
import time
import warnings
from collections.abc import Iterable
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Part of every key: a new meaning of a row makes all old rows invisible.
STORE_VERSION = 1

_FILES = ("judgements.sqlite", "judgements-2.sqlite", "judgements-3.sqlite")
_KEYS_PER_QUERY = 500


class Store:
    """The file. Trouble with it is a warning, once: judging goes on without it.

    One connection, opened at first use and guarded by a lock: faster than a connection per thread, whose writes would
    wait for each other in sleeps. A forked process opens its own.

    Args:
        directory: Where the file lies; made if missing.
        settings: What can change a judgement besides its prompt (provider, address, model, ...); JSON-serialisable.
        off: Neither read nor write anything.
    """

    def __init__(self, directory: Path, settings: Sequence[object], *, off: bool = False) -> None:
        self._directory = directory
        self._settings = hashlib.sha256(json.dumps([STORE_VERSION, *settings], sort_keys=True).encode() + b"\0")
        self._names = list(_FILES)
        self._connection: sqlite3.Connection | None = None
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._off = off
        self._warned = False

    def get(self, prompts: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The stored judgements of these prompts, by prompt."""
        found: dict[str, dict[str, Any]] = {}
        for start in range(0, len(prompts), _KEYS_PER_QUERY):
            prompt_of = {self._key(prompt): prompt for prompt in prompts[start : start + _KEYS_PER_QUERY]}
            marks = ",".join("?" * len(prompt_of))
            select = f"SELECT key, judgement FROM judgements WHERE key IN ({marks})"  # noqa: S608  # question marks only
            for key, text in self._run(select, list(prompt_of)):
                # What somebody else wrote into the file may be anything; then it is asked for anew.
                with contextlib.suppress(TypeError, ValueError, RecursionError):
                    found[prompt_of[key]] = json.loads(text)
        return found

    def put(self, prompt: str, judgement: dict[str, Any]) -> None:
        """Keep one judgement; on disk when this returns."""
        row = self._key(prompt), json.dumps(judgement)
        self._run("INSERT OR REPLACE INTO judgements VALUES (?, ?)", row)

    def close(self) -> None:
        """Let go of the file; a later put opens it again."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def _key(self, prompt: str) -> bytes:
        digest = self._settings.copy()
        digest.update(prompt.encode())
        return digest.digest()

    def _run(self, statement: str, values: Sequence[object]) -> Iterable[tuple[bytes, str]]:
        if self._process != os.getpid():
            # The parent's connection must not be used here, and its lock may be held by a thread that does not exist.
            self._connection, self._lock, self._process = None, threading.Lock(), os.getpid()
        with self._lock:
            while not self._off:
                try:
                    if self._connection is None:
                        self._connection = _open(self._directory, self._names[0])
                    return self._connection.execute(statement, values).fetchall()
                except (OSError, sqlite3.Error) as trouble:
                    self._give_way(trouble)
        return []

    def _give_way(self, trouble: Exception) -> None:
        """After trouble: the next file if this one is damaged, else no store for the rest of the run."""
        code = getattr(trouble, "sqlite_errorcode", 0) & 0xFF  # the low byte, as SQLite refines its codes above it
        path = self._directory / self._names[0]
        self._connection = None
        if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB} and len(self._names) > 1:
            # Nothing is deleted or renamed: another process may be using the file, and it is the user's.
            del self._names[0]
            advice = f"judgements go to {self._names[0]} beside it. Delete the damaged file when nothing uses it"
        else:
            self._off = True
            advice = "judgements of this run are not stored. Free the disk, or choose another judge_cache_dir="
        if not self._warned:
            self._warned = True
            # Warnings turned into errors must not end the thread that holds a paid judgement.
            with contextlib.suppress(UserWarning):
                warnings.warn(f"l3score: the store {path} cannot be used ({trouble}): {advice}", stacklevel=2)


def _open(directory: Path, name: str) -> sqlite3.Connection:
    directory.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(directory / name, timeout=30, isolation_level=None, check_same_thread=False)
    patience = 20
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("CREATE TABLE IF NOT EXISTS judgements (key BLOB PRIMARY KEY, judgement TEXT NOT NULL)")
        except sqlite3.OperationalError as trouble:
            # Several processes that make the file at the same moment get "locked" without SQLite's own waiting.
            if trouble.sqlite_errorcode & 0xFF not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED} or not patience:
                raise
            patience -= 1
            time.sleep(0.1)
        else:
            return connection
