"""The store of judgments: claims, damage, a disk that refuses, a locked file. Processes are in tests/integration."""

import contextlib
import multiprocessing
import os
import socket
import sqlite3
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from answer_metrics.judge.judges import is_judgment
from answer_metrics.judge.store import Busy, Store, patiently
from answer_metrics.judge.store import _unsaved as unsaved_results
from tests.judge_server import JudgeServer, Reply, error
from tests.judges import for_question, judge

FILE = "judgments.sqlite"
SETTINGS: list[object] = ["openai", "api.openai.com/v1", "gpt-4o-mini", 5, {}]
pytestmark = pytest.mark.usefixtures("fresh_judges")


def open_store(folder: Path, settings: list[object] = SETTINGS, *, off: bool = False) -> Store:
    return Store(folder, settings, lambda value: isinstance(value, dict), off=off)


def put_all(store: Store, keys: list[str]) -> dict[str, dict[str, object]]:
    store.get(keys)
    for key in keys:
        store.put(key, {})
    return store.get(keys)


def forget() -> None:
    """Forget what could not be stored, as another process would."""
    for unsaved in unsaved_results.values():
        unsaved.clear()


def test_judgments_are_read_back_under_the_same_settings_only(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "by it"
    store = open_store(folder)
    keys = [str(number) for number in range(1234)]
    for key in keys[::2]:
        store.put(key, {})
    store.put(keys[0], {"newer": 1})
    assert store._connection is not None
    assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._connection.execute("PRAGMA synchronous").fetchone() == (1,)
    store.close()
    store.put("after closing", {})
    judgments = open_store(folder).get([*keys, "after closing"])
    assert set(judgments) == {*keys[::2], "after closing"}
    assert judgments[keys[0]] == {"newer": 1}
    with ThreadPoolExecutor(1) as pool:  # by one thread at a time
        assert pool.submit(store.get, keys[:1]).result() == {keys[0]: {"newer": 1}}
    for changed in (["xai", *SETTINGS[1:]], [*SETTINGS[:2], "gpt-4o", 5, {}], [*SETTINGS[:-1], {"seed": 1}]):
        assert open_store(folder, changed).get(keys) == {}
    open_store(folder, [{"a": 1, "b": 2}]).put("key", {})
    assert open_store(folder, [{"b": 2, "a": 1}]).get(["key"]) == {"key": {}}
    off = open_store(tmp_path / "none", off=True)
    off.put("key", {})
    assert off.get(["key"]) == {}
    assert off.claim("key", 60.0) == "ours"
    assert not (tmp_path / "none").exists()


def test_store_of_an_earlier_version_is_found(tmp_path: Path) -> None:
    """The keys of judgments that were paid for must never change: this one was computed by version 0.1.0."""
    with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE judgments (key BLOB PRIMARY KEY, judgment TEXT NOT NULL)")
        key = bytes.fromhex("b52696e2a1aebfaa1efddeaa7040eb8d2a29a4f2733e10d534eab044994f9bf0")
        connection.execute("INSERT INTO judgments VALUES (?, ?)", (key, '{"a": 1}'))
    assert open_store(tmp_path).get(["a prompt"]) == {"a prompt": {"a": 1}}


def test_locked_file_is_awaited_without_blocking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(tmp_path)
    store.put("before", {})
    with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy):
            store.put("key", {"a": 1})
        threading.Timer(0.2, other.execute, ["COMMIT"]).start()
        patiently(store.put, "key", {"a": 1})
        assert store.get(["before", "key"]) == {"before": {}, "key": {"a": 1}}
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr("answer_metrics.judge.store._MOST_LOCK_WAIT", 0.1)
        with pytest.raises(Busy):  # each lock is awaited, however long an earlier one took
            store.put("later", {"a": 2})
        with pytest.warns(UserWarning, match="database is locked.*new judgments stay in memory"):
            patiently(store.put, "later", {"a": 2})
    forget()
    assert store.get(["before", "later"]) == {"before": {}}


@pytest.mark.parametrize("damage", ["no database", "in the middle", "with a log"])
def test_damaged_store_is_renamed_and_a_new_one_begun(tmp_path: Path, damage: str) -> None:
    keys = [str(number) for number in range(500)]
    store = open_store(tmp_path)
    put_all(store, keys)
    log = (tmp_path / f"{FILE}-wal").read_bytes()
    store.close()
    content = bytearray((tmp_path / FILE).read_bytes())
    if damage == "no database":
        content[:] = b"not a database" * 1000
    else:
        content[4096 : len(content) // 2] = os.urandom(len(content) // 2 - 4096)
    (tmp_path / FILE).write_bytes(content)
    if damage == "with a log":
        (tmp_path / f"{FILE}-wal").write_bytes(log[:-100] + os.urandom(100))
    store, other = open_store(tmp_path), open_store(tmp_path)
    with pytest.warns(UserWarning, match=rf"{FILE} cannot be used .*renamed to {FILE}.damaged, and a new") as caught:
        assert len(put_all(store, keys)) == 500
    assert len(caught) == 1
    store.close()
    damaged = (tmp_path / f"{FILE}.damaged").read_bytes()
    assert damage == "with a log" or damaged == bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(open_store(tmp_path).get(keys)) == 500
        assert len(other.get(keys)) == 500
        other.close()
        for _ in range(2):
            (tmp_path / FILE).write_bytes(content)  # a warning that becomes an error loses no judgment
            store = open_store(tmp_path)
            assert "new" in put_all(store, ["new"])
            store.close()
            assert open_store(tmp_path).get(["new"]) == {"new": {}}
    assert {f"{FILE}.damaged{end}" for end in ("", "-2", "-3")} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("change", "files"),
    [
        ("ALTER TABLE judgments ADD COLUMN stored_at REAL", ["judgments.sqlite"]),
        ("ALTER TABLE judgments RENAME COLUMN key TO hash", ["judgments.sqlite", "judgments.sqlite.damaged"]),
    ],
)
def test_store_with_other_tables_loses_no_judgment(tmp_path: Path, change: str, files: list[str]) -> None:
    """As a later version may create them: new judgments go to the same file if possible, else to a new one."""
    store = open_store(tmp_path)
    put_all(store, ["a"])
    store.close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.execute("DROP TRIGGER release")
        connection.execute(change)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        store = open_store(tmp_path)
        put_all(store, ["b"])
        store.close()
        forget()
        store = open_store(tmp_path)
        assert "b" in store.get(["a", "b"])
        store.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == files


def test_store_that_refuses_to_write_is_read_and_tried_again(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.put("key", {"a": 1})
    with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        other.execute("CREATE TRIGGER full BEFORE INSERT ON judgments BEGIN SELECT RAISE(FAIL, 'disk full'); END")
        with pytest.warns(UserWarning, match=r"\(disk full\): it is only read.* new judgments stay in memory"):
            store.put("other", {"a": 2})
        assert store.claim("a third", 60.0) == "ours"
        store.close()
        both = {"key": {"a": 1}, "other": {"a": 2}}
        assert store.get(["key", "other"]) == both
        other.execute("DROP TRIGGER full")
    store.close()
    assert not any(unsaved_results.values())
    assert open_store(tmp_path).get(["key", "other"]) == both


def test_store_that_cannot_be_opened_is_kept_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    store = open_store(tmp_path / "file" / "folder")
    with pytest.warns(UserWarning, match=r"cannot be used \(.*\): it is only read, if possible") as caught:
        store.put("key", {"a": 1})
        assert (store.get(["key", "other"]), store.claim("other", 60.0)) == ({"key": {"a": 1}}, "ours")
        store.close()
        assert open_store(tmp_path / "file" / "folder").get(["key"]) == {"key": {"a": 1}}
    assert len(caught) == 2
    assert (tmp_path / "file").read_text(encoding="utf-8") == ""
    forget()
    assert store.get(["key"]) == {}


def test_claim_excludes_other_processes_until_it_ends(tmp_path: Path) -> None:
    ours, theirs = open_store(tmp_path), open_store(tmp_path)
    assert [ours.claim("key", 60.0), ours.claim("key", 60.0)] == ["ours"] * 2
    assert [theirs.claim("key", 60.0), theirs.claim("another key", 60.0)] == ["theirs", "ours"]
    theirs.release("key")  # which is not theirs
    assert theirs.claim("key", 60.0) == "theirs"
    ours.release("key")
    assert theirs.claim("key", 60.0) == "ours"
    theirs.put("key", {"a": 1})
    assert ours.claim("key", 60.0) == {"a": 1}
    theirs.close()
    assert ours.claim("another key", 0.05) == "ours"
    time.sleep(0.1)
    assert theirs.claim("another key", 60.0) == "ours"


def test_claim_of_a_failed_prompt_ends_with_it(tmp_path: Path) -> None:
    claimed = []

    def answer(request: dict[str, Any], number: int) -> Reply:
        with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as connection:
            claimed.extend(connection.execute("SELECT count(*) FROM claims").fetchone())
        return for_question({0: error(400, "flagged")})(request, number)

    with JudgeServer(answer) as server:
        judge(server, 2, max_concurrency=1, on_error="skip", judge_cache_dir=str(tmp_path))
    assert (claimed[0], claimed[-1]) == (1, 1)


def test_claim_of_a_dead_process_is_void(tmp_path: Path) -> None:
    worker = multiprocessing.get_context("fork").Process(target=lambda: open_store(tmp_path).claim("key", 600.0))
    worker.start()
    worker.join()
    store = open_store(tmp_path)
    assert [store.claim("key", 60.0), store.claim("key", 60.0)] == ["theirs", "ours"]
    with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as connection:
        for owner in (f"elsewhere:{worker.pid}:x", "of another version", f"{socket.gethostname()}:{10**30}:x"):
            connection.execute("UPDATE claims SET owner = ?", (owner,))
            assert [store.claim("key", 60.0) for _ in range(2)] == ["theirs"] * 2


def test_stored_judgment_with_one_damaged_token_is_none() -> None:
    judgment = {"usage": None, "model": "m", "fingerprint": None}
    for value in (None, "0", 0.1, float("nan")):
        assert not is_judgment(judgment | {"top": [["Yes", -0.1], ["No", value]]})
    assert is_judgment(judgment | {"top": [["Yes", -0.1], ["No", -3.0]]})


def test_folder_of_any_name_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(tmp_path / "50% ?mode=memory#é")
    store.put("key", {"a": 1})
    store.close()
    monkeypatch.setattr(Store, "_open_to_write", Mock(side_effect=sqlite3.OperationalError("readonly")))
    with pytest.warns(UserWarning, match=r"\(readonly\): it is only read"):
        assert store.get(["key"]) == {"key": {"a": 1}}
