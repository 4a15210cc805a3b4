"""Publishing to the loopback Hub and loading from it, with all checks, as `make publish` does."""

import json
from importlib.util import find_spec
from pathlib import Path

from spaces.files import version_of
from spaces.smoke_test import run_smoke_test
from tests.conftest import ROOT
from tests.integration.clean_process import run_clean
from tests.loopback_hub import GITATTRIBUTES, TOKEN, LoopbackHub

ORG = "acme"


def test_published_metric_loads_and_computes(tmp_path: Path) -> None:
    metric = ROOT / "metrics" / "token_f1"
    space = f"{ORG}/{metric.name}"
    options = ["--repository", "https://example.org/metrics", *([] if find_spec("gradio") else ["--sdk", "static"])]
    with LoopbackHub(org=ORG) as hub:
        settings = {"HF_ENDPOINT": hub.url, "HF_TOKEN": TOKEN}
        printed = run_clean(tmp_path / "home", "-m", "spaces.publish", ORG, str(metric), *options, **settings)
        assert f"{space}: " in printed
        assert TOKEN not in printed

        published = hub.spaces[space]
        tag = f"v{version_of(metric)}"
        assert published.tags == {tag: published.head.oid}
        assert len(published.commits) == 2  # the Hub's first commit and ours
        assert published.head.files[".gitattributes"] == GITATTRIBUTES
        card = published.head.files["README.md"].decode()
        assert "<org>" not in card
        assert f'"{space}"' in card
        assert "](https://example.org/metrics/blob/main/docs/contract.md)" in card
        loaded = run_clean(tmp_path / "other", str(ROOT / "spaces" / "smoke_test.py"), space, tag, HF_ENDPOINT=hub.url)
        assert json.loads(loaded) == run_smoke_test(str(metric))

        again = run_clean(tmp_path / "home", "-m", "spaces.publish", ORG, str(metric), *options, **settings)
        assert f"{space} is up to date: nothing was written" in again
        assert len(published.commits) == 2
