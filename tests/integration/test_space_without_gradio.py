"""The form of a Space is plain Python: it can be imported without Gradio."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.integration.clean_process import METRICS


@pytest.mark.parametrize("directory", METRICS, ids=lambda path: path.name)
def test_form_works_without_gradio(directory: Path) -> None:
    code = (
        f"import sys; sys.modules['gradio'] = None; sys.path[:0] = [{str(directory)!r}]; import app; app.FORM.controls"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=120)
