"""Shared by all tests: temporary caches, no network, each metric loaded once."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

# evaluate, datasets and huggingface_hub read these when they are imported.
_CACHE = tempfile.mkdtemp(prefix="metrics-tests-")
atexit.register(shutil.rmtree, _CACHE, ignore_errors=True)
for _name in ("HF_EVALUATE_CACHE", "HF_METRICS_CACHE", "HF_MODULES_CACHE", "HF_DATASETS_CACHE", "HF_HUB_CACHE"):
    os.environ.pop(_name, None)
os.environ.update(
    HF_HOME=_CACHE,
    XDG_CACHE_HOME=_CACHE,
    HF_EVALUATE_OFFLINE="1",
    HF_DATASETS_OFFLINE="1",
    HF_ENDPOINT="http://127.0.0.1:9",  # unreachable; tests with their own Hub override it
    HF_UPDATE_DOWNLOAD_COUNTS="0",
    HF_HUB_DISABLE_TELEMETRY="1",
    HF_HUB_DISABLE_PROGRESS_BARS="1",
    HF_DATASETS_DISABLE_PROGRESS_BARS="1",
)

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402
from hypothesis.configuration import set_hypothesis_home_dir  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]

set_hypothesis_home_dir(ROOT / ".hypothesis")  # its tables of characters, also for tests that run in another folder

# The default profile is deterministic, so that a failure points to the latest change; `make fuzz` searches for new
# examples.
settings.register_profile("default", max_examples=40, deadline=None, derandomize=True, database=None)
settings.register_profile(
    "fuzz",
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "2000")),
    deadline=None,
    print_blob=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("default")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the integration tests where they are left out: they need more than `.venv`."""
    left_out = config.option.markexpr == "not integration"
    return True if left_out and collection_path == ROOT / "tests" / "integration" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests in tests/integration, which `make test` leaves out, and reject the mark anywhere else."""
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "integration"):
            item.add_marker(pytest.mark.integration)
        elif item.get_closest_marker("integration"):
            raise pytest.UsageError(f"{item.nodeid} is marked as an integration test: move it to tests/integration")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Write parameter ids without backslashes, which tools that run single tests do not pass on unchanged."""
    if isinstance(val, bytes) and val.startswith(b"PK"):
        return "archive"  # has the time in it, and all processes must collect the same ids
    if isinstance(val, (str, bytes)) and "\\" in ascii(val):
        return ascii(val)[1:-1].replace("\\", "%")
    return None


@cache
def _load(name: str) -> Any:
    import evaluate  # takes a second or two

    return evaluate.load(str(ROOT / "metrics" / name))


@pytest.fixture(scope="session")
def metric() -> Callable[[str], Any]:
    """Load a metric by name, once per run; no test leaves examples in it."""
    return _load
