"""Every metric loads by its Hub name with empty caches, again with few requests, offline, and with its requirements."""

import json
import re
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from spaces.build import write
from spaces.files import published_files, version_of
from spaces.smoke_test import run_smoke_test
from tests.conftest import ROOT
from tests.integration.conftest import METRICS, run_clean
from tests.loopback_hub import TOKEN, LoopbackHub

# Requests of a first and of every later load, at most: each is latency in every process.
LIMITS = {"accuracy": (19, 10), "token_f1": (17, 9), "l3score": (19, 10)}
CODE = """
import json, sys
from spaces.smoke_test import run_smoke_test
print(json.dumps({name: run_smoke_test(name) for name in sys.argv[1:]}))
"""


class Load(NamedTuple):
    """The result by metric of one process that loads all of them, and its requests by metric."""

    results: dict[str, Any]
    requests: Counter[str]


def load(home: Path, hub: LoopbackHub, *names: str, offline: str = "0") -> Load:
    before = len(hub.log)
    variables = {"HF_ENDPOINT": hub.url, "HF_EVALUATE_OFFLINE": offline, "HF_HUB_OFFLINE": offline}
    results = json.loads(run_clean(home, "-c", CODE, *names, **variables))
    paths = [re.search(r"org/(\w+)", request.path) for request in hub.log[before:]]
    return Load(results, Counter(path[1] for path in paths if path))


@pytest.fixture(scope="module")
def loads(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Load]:
    """The loads of all metrics: one process each for the first time, again, and offline, and one from the checkout."""
    home = tmp_path_factory.mktemp("home")
    spaces = [f"org/{directory.name}" for directory in METRICS]
    with LoopbackHub() as hub:
        for directory, space in zip(METRICS, spaces, strict=True):
            hub.add(space, published_files(directory))
        loads = {"first": load(home, hub, *spaces)}
        fetched = {Path(request.path) for request in hub.requests("GET", r"/resolve/main/.*")}
        assert all(path.stem.startswith("_") or path.stem == path.parts[3] for path in fetched)
        loads["later"] = load(home, hub, *spaces)
        loads["offline"] = load(home, hub, *spaces, offline="1")
        scripts = [directory / f"{directory.name}.py" for directory in METRICS]
        loads["checkout"] = load(home, hub, *map(str, [*METRICS, *scripts]), offline="1")
        return loads


@pytest.mark.parametrize("name", [directory.name for directory in METRICS])
def test_metric_gives_the_same_result_wherever_it_is_loaded_from(loads: dict[str, Load], name: str) -> None:
    checkout = loads["checkout"].results
    expected, by_script = (result for path, result in checkout.items() if Path(path).stem == name)
    assert expected
    assert by_script == expected
    assert [loads[when].results[f"org/{name}"] for when in ("first", "later", "offline")] == [expected] * 3


@pytest.mark.parametrize("name", sorted(LIMITS))
def test_loading_makes_few_requests(loads: dict[str, Load], name: str) -> None:
    made = [loads[when].requests[name] for when in ("first", "later", "offline")]
    assert made[0] <= LIMITS[name][0], f"{name}: {made}"
    assert made[1] <= LIMITS[name][1], f"{name}: {made}"
    assert made[2] == 0


def test_published_metric_loads_and_computes(tmp_path: Path) -> None:
    checkout = tmp_path / "a clone"  # clean, as publishing demands
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, checkout], check=True)
    metric = checkout / "metrics" / "token_f1"
    space = f"acme/{metric.name}"
    options = ["--repository", "https://example.org/metrics", *([] if find_spec("gradio") else ["--sdk", "static"])]
    with LoopbackHub(org="acme") as hub:
        settings = {"HF_ENDPOINT": hub.url, "HF_TOKEN": TOKEN, "PYTHONPATH": str(checkout)}
        printed = run_clean(tmp_path / "home", "-m", "spaces.publish", "acme", str(metric), *options, **settings)
        assert f"{space}: " in printed
        assert TOKEN not in printed

        published, tag = hub.spaces[space], f"v{version_of(metric)}"
        card = published.head.files["README.md"].decode()
        assert "](https://example.org/metrics/blob/main/docs/contract.md)" in card
        loaded = run_clean(tmp_path / "other", str(ROOT / "spaces" / "smoke_test.py"), space, tag, HF_ENDPOINT=hub.url)
        assert json.loads(loaded) == run_smoke_test(str(ROOT / "metrics" / "token_f1"))

        again = run_clean(tmp_path / "home", "-m", "spaces.publish", "acme", str(metric), *options, **settings)
        assert f"{space} is up to date: nothing was written" in again
        assert len(published.commits) == 2


@pytest.mark.parametrize("directory", METRICS, ids=lambda path: path.name)
def test_requirements_are_sufficient(directory: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    requirements = directory / "requirements.txt"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--requirement", requirements], check=True)
    home = tmp_path / "home"
    home.mkdir()
    subprocess.run(
        [python, "-P", ROOT / "spaces" / "smoke_test.py", write(directory, tmp_path / "built" / directory.name)],
        env={"HOME": str(home), "HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1", "PATH": ""},
        cwd=home,
        check=True,
    )
