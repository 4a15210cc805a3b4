"""Fixtures of the unit tests: metrics, and judges without keys and without what an earlier test stored."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Run: TypeAlias = Callable[..., tuple[int, str, str]]
"""Runs a command line, and returns the exit code, the output and the errors."""


def write(path: str, rows: Iterable[dict[str, Any]]) -> None:
    """Write a line of JSON for each row."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture(scope="session")
def accuracy(metric: Callable[[str], Any]) -> Any:
    return metric("accuracy")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run command lines in an empty folder."""
    from answer_metrics.__main__ import main  # which most tests do not need

    monkeypatch.chdir(tmp_path)

    def run_(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as ended:  # argparse
            code = int(ended.code or 0)
        return code, *capsys.readouterr()

    return run_


@pytest.fixture
def result(run: Run) -> Callable[..., Any]:
    """Run command lines that succeed, and return the result."""

    def result_(*arguments: str) -> Any:
        code, printed, errors = run(*arguments, "--json")
        assert code == 0, errors
        return json.loads(printed)

    return result_


@pytest.fixture
def fresh_judges(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Start without keys, and stored judgments."""
    from answer_metrics.judge import store  # imports evaluate, which most tests do not need
    from answer_metrics.judge.registry import PROVIDERS  # same

    monkeypatch.setattr("evaluate.config.HF_CACHE_HOME", str(tmp_path))
    for provider in PROVIDERS.values():
        if provider.key_variable:
            monkeypatch.delenv(provider.key_variable, raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    store._unsaved.clear()


@pytest.fixture
def quick_judges(monkeypatch: pytest.MonkeyPatch, fresh_judges: None) -> None:
    """Wait a hundredth as long between retries."""
    monkeypatch.setattr("answer_metrics.judge.engine._FIRST_WAIT", 0.01)
    monkeypatch.setattr("answer_metrics.judge.engine._FIRST_PAUSE", 0.02)


# ---- systems to compare, each right on different rows, and questions about eight documents

ROWS = 24
REFERENCES = [f"answer {index}" for index in range(ROWS)]
IDS = [f"q{index}" for index in range(ROWS)]
DOCUMENTS = [f"d{index // 3}" for index in range(ROWS)]
STEPS = {"base": 3, "tuned": 4, "other": 2}
RIGHT = {name: [index % step != 0 for index in range(ROWS)] for name, step in STEPS.items()}


def raw(system: str) -> dict[str, list[Any]]:
    """Predictions of a system, right where `RIGHT` says so."""
    predictions = [text if right else "wrong" for text, right in zip(REFERENCES, RIGHT[system], strict=True)]
    return {"id": IDS, "document": DOCUMENTS, "predictions": predictions, "references": REFERENCES}


def scored(loaded: Any, system: str) -> dict[str, list[Any]]:
    columns = raw(system)
    return {**loaded.score_batch(columns), "id": columns["id"], "document": columns["document"]}
