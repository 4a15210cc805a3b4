"""Load one metric and compute once: `python smoke_test.py DIRECTORY|SCRIPT|HUB_ID [REVISION]` prints a line of JSON.

Run in a separate process, because the libraries read the Hub's address and the cache directories at import.
"""

import inspect
import json
import sys

import evaluate


def sample_value(feature: object) -> object:
    """Return a value that fits a feature: a number, as a string where texts are expected, or a list of it."""
    inner = feature[0] if isinstance(feature, list) else getattr(feature, "feature", None)
    if inner is not None:
        return [sample_value(inner)]
    return "1" if getattr(feature, "dtype", "string").endswith("string") else 1.0


def run_smoke_test(path: str, revision: str | None = None) -> dict[str, object]:
    """Load a metric and compute on two equal examples with its default options."""
    name = path.rstrip("/").rpartition("/")[2].removesuffix(".py")
    try:
        metric = evaluate.load(path, revision=revision)
    except NotImplementedError:  # raised by evaluate's base classes if evaluate loads one of them as the metric
        metric = None
    if type(metric).__module__.rpartition(".")[2] != name:
        sys.exit(f"evaluate loads the first of its classes in the script, and that is not the one of {name}.py")
    features = metric.features[0] if isinstance(metric.features, list) else metric.features
    inputs = {column: [sample_value(feature)] * 2 for column, feature in features.items()}
    parameters = inspect.signature(metric._compute).parameters  # evaluate reads options from it
    options = {"provider": "mock"} if "provider" in parameters else {}  # the mock judge needs neither network nor key
    result: dict[str, object] = metric.compute(**inputs, **options)
    return result


if __name__ == "__main__":
    sys.stdout.write(json.dumps(run_smoke_test(*sys.argv[1:])) + "\n")
