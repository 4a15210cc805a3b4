"""The store of judgments: several processes, kill -9, damage, a full disk."""

import contextlib
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
import warnings
from pathlib import Path

import pytest

from metrics.l3score import _store
from metrics.l3score._store import Store
from tests.conftest import ROOT

FILE = "judgments.sqlite"
SETTINGS = ["openai", "api.openai.com/v1", "gpt-4o-mini", 5, {}]


@pytest.fixture(autouse=True)
def _clear_unsaved_judgments() -> None:
    _store._unsaved.clear()


def put_many(folder: Path, worker: int, count: int) -> None:
    store = Store(folder, SETTINGS)
    for number in range(count):
        store.put(f"{worker} {number}", {"top": [["Yes", -float(number)]]})
        store.put(f"shared {number}", {})
    store.close()


def put_all(store: Store, keys: list[str]) -> dict[str, dict[str, object]]:
    store.get(keys)
    for key in keys:
        store.put(key, {})
    return store.get(keys)


def test_stored_judgments_are_read_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "made" / "by it", SETTINGS)
    keys = [str(number) for number in range(1234)]
    for key in keys[::2]:
        store.put(key, {})
    store.put(keys[0], {"newer": 1})
    store.close()
    found = Store(tmp_path / "made" / "by it", SETTINGS).get(keys)
    assert set(found) == set(keys[::2])
    assert found[keys[0]] == {"newer": 1}


def test_store_uses_write_ahead_log_and_normal_sync(tmp_path: Path) -> None:
    store = Store(tmp_path, SETTINGS)
    store.put("key", {})
    assert store._connection is not None
    assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._connection.execute("PRAGMA synchronous").fetchone() == (1,)


def test_closed_store_reopens(tmp_path: Path) -> None:
    store = Store(tmp_path, SETTINGS)
    store.close()
    store.put("late", {})
    assert store.get(["late"]) == {"late": {}}


def test_disabled_store_writes_no_file(tmp_path: Path) -> None:
    store = Store(tmp_path / "none", SETTINGS, off=True)
    store.put("key", {})
    assert store.get(["key"]) == {}
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    "settings",
    [
        ["xai", "api.openai.com/v1", "gpt-4o-mini", 5, {}],
        ["openai", "localhost:8000/v1", "gpt-4o-mini", 5, {}],
        ["openai", "api.openai.com/v1", "gpt-4o", 5, {}],
        ["openai", "api.openai.com/v1", "gpt-4o-mini", 6, {}],
        ["openai", "api.openai.com/v1", "gpt-4o-mini", 5, {"seed": 1}],
    ],
)
def test_every_setting_that_changes_a_judgment_changes_the_store_key(tmp_path: Path, settings: list[object]) -> None:
    Store(tmp_path, SETTINGS).put("prompt", {})
    assert Store(tmp_path, settings).get(["prompt"]) == {}
    assert Store(tmp_path, SETTINGS).get(["prompt", "prompt "]) == {"prompt": {}}


def test_eight_processes_write_concurrently(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=put_many, args=(tmp_path, worker, 100)) for worker in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 8
    expected = [f"{worker} {number}" for worker in range(8) for number in range(100)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(Store(tmp_path, SETTINGS).get(expected)) == 800


def test_forked_process_opens_its_own_connection(tmp_path: Path) -> None:
    store = Store(tmp_path, SETTINGS)
    store.put("parent", {})
    store._lock.acquire()  # as if another thread of the parent were writing at the moment of the fork
    child = os.fork()
    if not child:
        signal.alarm(20)  # a deadlock must not outlive the test
        store.put("child", {})
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    store._lock.release()
    assert set(store.get(["parent", "child"])) == {"parent", "child"}


def test_killed_process_loses_no_stored_judgment(tmp_path: Path) -> None:
    script = f"""
        import sys
        from pathlib import Path
        from metrics.l3score._store import Store
        store = Store(Path({str(tmp_path)!r}), {SETTINGS!r})
        for number in range(10**6):
            store.put(str(number), {{}})
            print(number, flush=True)
    """
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, cwd=ROOT)
        assert process.stdout is not None
        first = process.stdout.readline()  # no matter how long it takes to start
        time.sleep(0.2)
        process.send_signal(signal.SIGKILL)
        told = [first, *process.communicate()[0].splitlines()]
        assert first
        store = Store(tmp_path, SETTINGS)
        assert len(store.get([str(number) for number in range(len(told) - 1)])) == len(told) - 1
        assert sqlite3.connect(tmp_path / FILE).execute("PRAGMA integrity_check").fetchone() == ("ok",)
        store.close()


@pytest.mark.parametrize("damage", ["no database", "in the middle"])
def test_damaged_store_causes_a_warning(tmp_path: Path, damage: str) -> None:
    keys = [str(number) for number in range(500)]
    if damage == "no database":
        (tmp_path / FILE).write_bytes(b"not a database" * 1000)
    else:
        put_many(tmp_path, 1, 500)
        keys = [f"1 {number}" for number in range(500)]
        content = bytearray((tmp_path / FILE).read_bytes())
        content[4096 : len(content) // 2] = os.urandom(len(content) // 2 - 4096)
        (tmp_path / FILE).write_bytes(content)
    before = (tmp_path / FILE).read_bytes()
    store = Store(tmp_path, SETTINGS)
    with pytest.warns(UserWarning, match=r"judgments-2.sqlite") as caught:
        found = put_all(store, keys)
    assert len(caught) == 1
    assert len(found) == 500
    store.close()
    assert (tmp_path / FILE).read_bytes() == before
    with pytest.warns(UserWarning, match="damaged"):
        assert len(Store(tmp_path, SETTINGS).get(keys)) == 500


@pytest.mark.parametrize(
    ("change", "files"),
    [
        ("ALTER TABLE judgments ADD COLUMN stored_at REAL", ["judgments.sqlite"]),
        ("ALTER TABLE judgments RENAME COLUMN key TO hash", ["judgments-2.sqlite", "judgments.sqlite"]),
    ],
)
def test_store_with_other_tables_loses_no_judgment(tmp_path: Path, change: str, files: list[str]) -> None:
    """As a later version may create them: new judgments go to the same file if possible, else to the next."""
    store = Store(tmp_path, SETTINGS)
    put_all(store, ["a"])
    store.close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.execute("DROP TRIGGER release")
        connection.execute(change)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        store = Store(tmp_path, SETTINGS)
        put_all(store, ["b"])
        store.close()
        _store._unsaved.clear()  # as in another process
        store = Store(tmp_path, SETTINGS)
        assert "b" in store.get(["a", "b"])
        store.close()
    assert sorted(path.name for path in tmp_path.glob("*.sqlite")) == files


@pytest.mark.parametrize("text", ["{", "", "[" * 100_000, b"\xff"])
def test_stored_row_that_is_not_json_is_ignored(tmp_path: Path, text: object) -> None:
    store = Store(tmp_path, SETTINGS)
    store.put("good", {"a": 1})
    store.put("bad", {})
    assert store._connection is not None
    store._connection.execute("UPDATE judgments SET judgment = ? WHERE key = ?", (text, store._key("bad")))
    assert store.get(["good", "bad"]) == {"good": {"a": 1}}


def test_directory_that_cannot_be_created_causes_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "below", SETTINGS)
    with pytest.warns(UserWarning, match="judge_cache_dir") as caught:
        found = put_all(store, ["key"])
    assert len(caught) == 1
    assert found == {"key": {}}


def test_judgment_that_could_not_be_stored_is_stored_later(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file", SETTINGS)
    with pytest.warns(UserWarning, match="new judgments stay in memory"):
        store.put("key", {"a": 1})
    (tmp_path / "file").unlink()
    store.close()
    _store._unsaved.clear()
    assert Store(tmp_path / "file", SETTINGS).get(["key"]) == {"key": {"a": 1}}


def test_disk_that_is_full_when_the_store_is_created_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / FILE).touch()

    def refuse(_path: Path) -> sqlite3.Connection:
        raise sqlite3.OperationalError("database or disk is full")

    store = Store(tmp_path, SETTINGS)
    with monkeypatch.context() as patch:
        patch.setattr(_store, "_open_to_write", refuse)
        with pytest.warns(UserWarning, match="new judgments stay in memory"):
            assert store.get(["key"]) == {}
        store.put("key", {"a": 1})
    store.close()
    _store._unsaved.clear()
    assert Store(tmp_path, SETTINGS).get(["key"]) == {"key": {"a": 1}}


def test_judgment_that_could_not_be_stored_is_kept_for_the_next_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for _ in range(2):
        store = Store(tmp_path / "file", SETTINGS)
        with pytest.warns(UserWarning, match="cannot be used"):
            store.put("key", {"a": 1})
        store.close()
    assert Store(tmp_path / "file", SETTINGS).get(["key"]) == {"key": {"a": 1}}


def test_read_only_store_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(tmp_path, SETTINGS).put("key", {"a": 1})

    def refuse(_path: Path) -> sqlite3.Connection:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(_store, "_open_to_write", refuse)
    store = Store(tmp_path, SETTINGS)
    with pytest.warns(UserWarning, match="it is only read"):
        assert store.get(["key", "other"]) == {"key": {"a": 1}}
    assert store.claim("other", 60.0) == "ours"


def test_claim_excludes_other_processes_until_released(tmp_path: Path) -> None:
    ours, theirs = Store(tmp_path, SETTINGS), Store(tmp_path, SETTINGS)
    assert ours.claim("key", 60.0) == "ours"
    assert ours.claim("key", 60.0) == "ours"
    assert theirs.claim("key", 60.0) == "theirs"
    assert theirs.claim("another key", 60.0) == "ours"
    ours.release("key")
    assert theirs.claim("key", 60.0) == "ours"
    theirs.put("key", {"a": 1})
    assert ours.claim("key", 60.0) == {"a": 1}


def test_claim_expires(tmp_path: Path) -> None:
    ours, theirs = Store(tmp_path, SETTINGS), Store(tmp_path, SETTINGS)
    assert ours.claim("key", 0.05) == "ours"
    time.sleep(0.1)
    assert theirs.claim("key", 60.0) == "ours"


def test_claim_of_a_dead_process_is_void(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    worker = context.Process(target=lambda: Store(tmp_path, SETTINGS).claim("key", 600.0))
    worker.start()
    worker.join()
    store = Store(tmp_path, SETTINGS)
    assert [store.claim("key", 60.0), store.claim("key", 60.0)] == ["theirs", "ours"]


def test_closing_releases_all_claims(tmp_path: Path) -> None:
    store = Store(tmp_path, SETTINGS)
    assert store.claim("key", 600.0) == "ours"
    store.close()
    assert Store(tmp_path, SETTINGS).claim("key", 60.0) == "ours"


def test_invalid_stored_value_is_not_found_and_can_be_claimed(tmp_path: Path) -> None:
    store = Store(tmp_path, SETTINGS, is_valid=lambda value: value == {"good": 1})
    store.put("key", {"bad": 1})
    assert store.get(["key"]) == {}
    assert store.claim("key", 60.0) == "ours"


def test_full_disk_causes_a_warning(tmp_path: Path) -> None:
    script = f"""
        import resource, signal, warnings
        from pathlib import Path
        from metrics.l3score._store import Store
        store = Store(Path({str(tmp_path)!r}), {SETTINGS!r})
        store.put("before", {{}})
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40960, 40960))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for number in range(2000):
                store.put(str(number), {{"x": "x" * 100}})
        print(len(caught), caught[0].message)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout.startswith("1 l3score: the store "), done.stderr
    assert Store(tmp_path, SETTINGS).get(["before"]) == {"before": {}}


def test_warnings_as_errors_do_not_lose_a_judgment(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database" * 1000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store = Store(tmp_path, SETTINGS)
        store.put("key", {})
        assert store.get(["key"])
