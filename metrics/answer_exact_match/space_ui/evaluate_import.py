# Vendored: edit metrics/_shared/space_ui/evaluate_import.py and run `make vendor`.
"""Import of evaluate for a Space: without network requests, and without transformers."""

import os
import sys

# The libraries read these when they are imported.
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
os.environ.setdefault("HF_UPDATE_DOWNLOAD_COUNTS", "0")

# If transformers is installed, evaluate imports it for pipelines that no Space uses, which takes seconds.
_is_hidden = "transformers" not in sys.modules
if _is_hidden:
    sys.modules["transformers"] = None  # type: ignore[assignment]  # None makes the import fail
try:
    import evaluate as evaluate
finally:
    if _is_hidden:
        del sys.modules["transformers"]
