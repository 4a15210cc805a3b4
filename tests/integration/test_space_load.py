"""A Space with many visitors: heavy calls do not block light ones; `scripts/load_test.py` measures them."""

import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from importlib.util import find_spec

import pytest

from tests.conftest import ROOT
from tests.integration.space_server import Server

pytest.importorskip("gradio")
pytestmark = pytest.mark.integration

WAIT = 5.0  # seconds that another visitor waits at most


def score(server: Server, rows: list[list[str]], **options: object) -> tuple[int, float]:
    """Score rows as the page does, and return status and seconds."""
    body = json.dumps({"rows": rows, "options": options}).encode()
    request = urllib.request.Request(f"{server.url}/space/score", body, {"Content-Type": "application/json"})  # noqa: S310
    started = time.monotonic()
    try:
        with urllib.request.urlopen(request, timeout=180) as answer:  # noqa: S310  # a local address
            answer.read()
            return answer.status, time.monotonic() - started
    except urllib.error.HTTPError as error:
        return error.code, time.monotonic() - started


def test_heavy_calls_do_not_block_others(servers: Callable[[str], Server]) -> None:
    server = servers("accuracy")
    heavy = [["ab" * 1000, "ba" * 1000]] * 100
    light = [["Paris", "paris"]] * 20
    statuses: list[int] = []

    def work() -> None:
        statuses.append(score(server, heavy, fuzzy_match=True, fuzzy_scorer="partial_ratio")[0])

    threads = [threading.Thread(target=work, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    time.sleep(2)
    waits = [score(server, light) for _ in range(10)]
    assert not statuses, "the heavy calls are still running"
    assert all(status == 200 for status, _ in waits)
    assert max(seconds for _, seconds in waits) < WAIT
    for thread in threads:
        thread.join(150)
    # Some calls finish, others reach the time limit or find all processes busy: each gets a response.
    assert len(statuses) == 8
    assert set(statuses) <= {200, 503}
    assert score(server, light)[0] == 200


@pytest.mark.skipif(not find_spec("transformers"), reason="needs transformers: pip install transformers")
def test_page_starts_without_importing_transformers() -> None:
    code = (
        "import sys; import space_ui.form; assert 'transformers' not in sys.modules, 'imported';"
        "import transformers; assert transformers.__version__"
    )
    paths = os.pathsep.join([str(ROOT / "metrics" / "_shared"), os.environ.get("PYTHONPATH", "")])
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths}, check=True)
