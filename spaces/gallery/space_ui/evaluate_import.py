# Vendored: edit metrics/_shared/space_ui/evaluate_import.py and run `make vendor`.
"""Imports evaluate as a Space needs it: without looking anything up, and without transformers."""

import os
import sys

# Read when the libraries are imported.
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
os.environ.setdefault("HF_UPDATE_DOWNLOAD_COUNTS", "0")

# Where transformers is installed, evaluate imports it for pipelines that no Space uses, which takes seconds.
_is_hidden = "transformers" not in sys.modules
if _is_hidden:
    sys.modules["transformers"] = None  # type: ignore[assignment]  # Python's way to say that there is no such module
try:
    import evaluate as evaluate
finally:
    if _is_hidden:
        del sys.modules["transformers"]
