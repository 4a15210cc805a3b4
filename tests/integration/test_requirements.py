"""requirements.txt of each metric is sufficient: installed alone, from the package index."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.integration.clean_process import METRICS


@pytest.mark.parametrize("directory", METRICS, ids=lambda path: path.name)
def test_requirements_are_sufficient(directory: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    requirements = directory / "requirements.txt"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--requirement", requirements], check=True)
    home = tmp_path / "home"
    home.mkdir()
    subprocess.run(
        [python, "-P", ROOT / "spaces" / "smoke_test.py", directory],
        env={"HOME": str(home), "HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1", "PATH": ""},
        cwd=home,
        check=True,
    )
