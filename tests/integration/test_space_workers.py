"""Processes for heavy calls: they answer like the page, stop at the time limit, and are replaced."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from space_ui.workers import BusyError
from space_ui.workers import OverdueError
from space_ui.workers import WorkerPool

APP = """
import time
from pathlib import Path
from space_ui.space import Space

class Slow(Space):
    name = "slow"
    columns = []

    def parse(self, body):
        return float(body)

    def answer(self, request, key=""):
        print("what a library prints does not disturb the answers")
        time.sleep(request)
        return {"slept": request}

    def call(self, seconds):
        time.sleep(seconds)
        if seconds == 0:
            raise ValueError("no time")
        return "done"

SLOW = Slow(title="Slow")
"""

pytestmark = pytest.mark.integration


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[WorkerPool]:
    (tmp_path / "app.py").write_text(APP, encoding="utf-8")
    pool = WorkerPool(tmp_path / "app.py", size=1, seconds=1.0)
    pool.warm_up()
    yield pool
    pool.end()


def test_workers_answer_score_and_call_requests(pool: WorkerPool) -> None:
    assert json.loads(pool.run("score", b"0.01")) == {"status": 200, "content": {"slept": 0.01}}
    assert json.loads(pool.run("call", b'{"seconds": 0.01}'))["content"] == {"result": "done"}
    assert json.loads(pool.run("call", b'{"seconds": 0}')) == {"status": 422, "content": {"error": "no time"}}


def test_call_over_the_time_limit_is_stopped(pool: WorkerPool) -> None:
    started = time.monotonic()
    with pytest.raises(OverdueError, match="more than 1 seconds"):
        pool.run("score", b"60")
    assert time.monotonic() - started < 10
    assert json.loads(pool.run("score", b"0"))["status"] == 200, "another process has taken its place"


def test_busy_pool_raises_busy_error(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP, encoding="utf-8")
    with pytest.raises(BusyError, match="The Space is busy"):
        WorkerPool(tmp_path / "app.py", size=0, seconds=0.05).run("score", b"0")


def test_call_beyond_the_queue_limit_is_rejected_at_once(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP, encoding="utf-8")
    pool = WorkerPool(tmp_path / "app.py", size=1, seconds=30.0, waiting=1)
    pool.warm_up()
    with ThreadPoolExecutor(2) as threads:
        accepted = [threads.submit(pool.run, "score", b"2") for _ in range(2)]
        time.sleep(0.5)
        with pytest.raises(BusyError, match="Try again in 30 seconds"):
            pool.run("score", b"0")
        assert [json.loads(one.result())["status"] for one in accepted] == [200, 200]
    assert json.loads(pool.run("score", b"0"))["status"] == 200, "slots are free again"
    pool.end()


def test_script_without_a_form_raises_an_error(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("", encoding="utf-8")
    with pytest.raises(OverdueError):
        WorkerPool(tmp_path / "app.py", size=1, seconds=5.0).run("score", b"0")
