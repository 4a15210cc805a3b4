"""Publishing to the loopback Hub with the command that `make publish` runs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from scripts.vendor import ROOT
from spaces import publish
from spaces.published_files import version_of
from spaces.static_page import Link
from spaces.static_page import render_page
from tests.integration import made_up
from tests.integration.clean_process import METRICS
from tests.integration.clean_process import computed_locally
from tests.integration.clean_process import environment
from tests.integration.clean_process import load_and_compute
from tests.integration.clean_process import sdk_of
from tests.integration.publish.conftest import ORG
from tests.integration.publish.conftest import SPACE
from tests.integration.publish.conftest import writes
from tests.loopback_hub import GITATTRIBUTES
from tests.loopback_hub import TOKEN
from tests.loopback_hub import LoopbackHub

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.integration.publish.conftest import Run


@pytest.mark.parametrize("metric", [None, *METRICS], ids=lambda path: path.name if path else made_up.NAME)
def test_published_metric_loads_and_computes(
    hub: LoopbackHub, command: Callable[..., Run], directory: Path, metric: Path | None, tmp_path: Path
) -> None:
    metric = metric or directory
    space = f"{ORG}/{metric.name}"
    options = () if sdk_of(metric) is None else ("--sdk", "static")
    done = subprocess.run(
        [sys.executable, "-m", "spaces.publish", ORG, str(metric), *options],
        env=environment(tmp_path / "publisher", HF_ENDPOINT=hub.url, HF_TOKEN=TOKEN),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert f"{space}: " in done.stdout
    assert TOKEN not in done.stdout + done.stderr

    published = hub.spaces[space]
    tag = f"v{version_of(metric)}"
    assert published.tags == {tag: published.head.oid}
    assert len(published.commits) == 2  # the Hub's first commit and ours
    assert published.head.files[".gitattributes"] == GITATTRIBUTES
    card = published.head.files["README.md"].decode()
    assert "<org>" not in card
    assert f'"{space}"' in card
    for revision in (None, tag):
        home = tmp_path / str(revision)
        assert load_and_compute(space, home, revision=revision, HF_ENDPOINT=hub.url) == computed_locally(metric)

    before = writes(hub)
    assert "up to date: nothing was written" in command(*options, metric=metric).text
    assert writes(hub) == before


def test_new_version_adds_changes_and_deletes_files(
    hub: LoopbackHub, directory: Path, command: Callable[..., Run]
) -> None:
    command()
    first = hub.spaces[SPACE].head
    hub.add(SPACE, {"stale.py": b"old\n", "sub/stale.txt": b"old\n"})
    (directory / "_version.py").write_text('VERSION = "0.2.0"\n', encoding="utf-8")
    (directory / "_more.py").write_text("X = 1\n", encoding="utf-8")

    dry = command("--dry-run")
    assert dry.status == 0
    for line in (
        f"  address    {hub.url}/spaces/{SPACE}",
        "; gradio Space",
        "  added      1: _more.py",
        "  changed    1: _version.py",
        "  deleted    2: stale.py, sub/stale.txt",
        "  unchanged  5",
        "  tag        v0.2.0",
    ):
        assert line in dry.text
    assert len(hub.spaces[SPACE].commits) == 3

    assert command().status == 0
    space = hub.spaces[SPACE]
    assert set(space.head.files) == {".gitattributes", "_more.py", *made_up.FILES}
    assert len(space.commits) == 4
    assert space.tags == {"v0.1.0": first.oid, "v0.2.0": space.head.oid}


def test_space_without_a_metric_gets_no_tag(hub: LoopbackHub, command: Callable[..., Run], gallery: Path) -> None:
    assert command(metric=gallery).status == 0
    space = hub.spaces[f"{ORG}/gallery"]
    assert not space.tags
    assert "up to date" in command(metric=gallery).text
    (gallery / "app.py").write_text("print(2)\n", encoding="utf-8")
    assert "1 files written, 0 deleted. See" in command(metric=gallery).text
    assert len(space.commits) == 3


def test_dry_run_needs_no_token_and_writes_nothing(
    hub: LoopbackHub, command: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN")
    done = command("--dry-run")
    assert done.status == 0
    assert f"{SPACE}\n  address    {hub.url}/spaces/{SPACE}\n" in done.text
    assert "  create     the Space\n" in done.text
    assert "nothing was written" in done.text
    assert not hub.spaces
    assert not writes(hub)


def test_free_account_gets_a_hint_about_free_options(
    hub: LoopbackHub, command: Callable[..., Run], tmp_path: Path
) -> None:
    hub.free_account = True
    done = command()
    assert done.status == 1
    assert "(402)" in done.text
    assert "SDK=static" in done.text
    assert not hub.spaces

    assert command("--sdk", "static").status == 0
    space = hub.spaces[SPACE]
    assert space.sdk == "static"
    card = space.head.files["README.md"].decode()
    assert "sdk: static\napp_file: index.html\n---" in card
    assert "sdk_version" not in card
    assert "  - metric\n" in card
    html = space.head.files["index.html"].decode()
    assert "<h1>Metric card</h1>" in html
    assert "evaluate.load(&quot;acme/made_up&quot;)" in html
    assert "short_description" not in html
    assert load_and_compute(SPACE, tmp_path / "home", HF_ENDPOINT=hub.url) == {"made_up": 1.0, "version": "0.1.0"}

    # An existing Space is not created again, which the Hub would answer with 402.
    commits = len(space.commits)
    assert "up to date" in command("--sdk", "static").text
    assert len(space.commits) == commits
    assert "use the same SDK or FREE as before" in command().text


def test_static_page_shows_html_of_the_card_as_text() -> None:
    page = render_page(
        "<m>",
        "# T\n\n<script>x</script>\n\n## How to use\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n",
        (Link("A <b>", "https://example.org/?a=1&b=2"),),
    )
    assert "<script>" not in page
    assert "<td>2</td>" in page
    assert "<title>&lt;m&gt;</title>" in page
    assert '<a href="#how-to-use">How to use</a>' in page
    assert '<h2 id="how-to-use">How to use</h2>' in page
    assert '<a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="noopener">A &lt;b&gt;</a>' in page


def test_everything_is_published_by_default() -> None:
    found = publish.find_directories([])
    assert found[: len(METRICS)] == METRICS
    assert all(path == publish.GALLERY for path in found[len(METRICS) :])


# ---- the layout of the first release


def test_space_of_the_first_layout_is_cleaned_up(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    old = ("_answer.py", "_form.py", "_space.css", "_space.js", "_space.py", "_report.py", "app.py")
    commit = hub.add(SPACE, dict.fromkeys(old, b"old"))
    hub.spaces[SPACE].tags["v0.0.9"] = commit.oid
    done = command()
    assert done.status == 0
    assert "6 deleted" in done.text
    assert set(hub.spaces[SPACE].head.files) == {".gitattributes", *made_up.FILES}


def test_gallery_of_the_first_layout_is_cleaned_up(
    hub: LoopbackHub, command: Callable[..., Run], gallery: Path
) -> None:
    hub.add(f"{ORG}/gallery", dict.fromkeys(("_answer.py", "_space.css", "_space.py", "app.py"), b"old"))
    assert command(metric=gallery).status == 0
    files = hub.spaces[f"{ORG}/gallery"].head.files
    assert set(files) == {".gitattributes", "README.md", "app.py", "space_ui/__init__.py"}


# ---- without a paid plan


def test_free_publishes_static_metrics_and_the_gallery_on_zero_gpu(
    hub: LoopbackHub, command: Callable[..., Run], gallery: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.free_account = True
    monkeypatch.setattr(publish, "GALLERY", gallery)
    done = command("gallery", "--free")
    assert done.status == 0, done.text
    metric = hub.spaces[SPACE]
    assert metric.sdk == "static"
    assert "app.py" not in metric.head.files
    assert f'href="{hub.url}/spaces/{ORG}/gallery"' in metric.head.files["index.html"].decode()
    page = hub.spaces[f"{ORG}/gallery"]
    assert page.sdk == "gradio"
    assert "app_file: zero_gpu_app.py" in page.head.files["README.md"].decode()
    assert b"@spaces.GPU" in page.head.files["zero_gpu_app.py"]
    assert b"app.py" in page.head.files["zero_gpu_app.py"]
    assert page.head.files["app.py"] == (gallery / "app.py").read_bytes()
    assert "up to date" in command("gallery", "--free").text


def test_free_and_sdk_are_mutually_exclusive(command: Callable[..., Run]) -> None:
    with pytest.raises(SystemExit):
        command("--free", "--sdk", "static")


# ---- until it runs


@pytest.fixture
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)


@pytest.mark.usefixtures("without_pauses")
def test_publishing_waits_until_the_space_runs(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    states: list[dict[str, object]] = [{"stage": stage} for stage in ("BUILDING", "APP_STARTING", "RUNNING")]
    states.insert(0, {"stage": "RUNNING", "sha": "the previous commit"})
    hub.runtimes[SPACE] = list(states)
    done = command()
    assert done.status == 0
    assert f"{SPACE} is running, " in done.text
    assert len(hub.requests("GET", "/runtime")) == len(states)


@pytest.mark.parametrize("stage", ["BUILD_ERROR", "RUNTIME_ERROR", "CONFIG_ERROR", "PAUSED"])
def test_space_that_fails_after_publishing_is_reported(
    hub: LoopbackHub, command: Callable[..., Run], stage: str
) -> None:
    hub.runtimes[SPACE] = [{"stage": stage, "errorMessage": "No module\nnamed x"}]
    done = command()
    assert done.status == 1
    assert f"{SPACE} is published but does not run ({stage}): No module named x. Its logs are at {hub.url}" in done.text
    assert hub.spaces[SPACE].tags


@pytest.mark.usefixtures("without_pauses")
def test_space_that_is_still_building_is_reported(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    for stage in ("BUILDING", "RUNNING"):
        hub.spaces.clear()
        hub.runtimes[SPACE] = [{"stage": stage, "sha": "the previous commit"}]
        done = command("--wait", "0.2")
        assert done.status == 1
        assert f"{SPACE} is published but not running after 0 seconds: look at {hub.url}/spaces/{SPACE}" in done.text


def test_wait_of_zero_does_not_query_the_runtime(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    assert command("--wait", "0").status == 0
    assert not hub.requests("GET", "/runtime")


# ---- make publish


def publish_line(*arguments: str, **variables: str) -> list[str]:
    """Return the arguments that `make publish` passes to the module."""
    shown = subprocess.run(
        ["make", "-n", "publish", *arguments],  # noqa: S607
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **variables},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.replace("\\\n", " ")
    (line,) = [line for line in shown.splitlines() if "-m spaces.publish" in line]
    return line.partition("-m spaces.publish")[2].split()


def test_make_ignores_publishing_options_of_the_environment() -> None:
    variables = {"FORCE": "1", "SDK": "static", "METRIC": "accuracy", "FREE": "1", "ORG": "somebody"}
    assert publish_line("ORG=acme", **variables) == ['"acme"']
    assert publish_line(**variables) == ['""']


def test_make_passes_publishing_options_through() -> None:
    given = publish_line("ORG=acme", "METRIC=accuracy", "SDK=static", "FORCE=1", "DRY_RUN=1")
    assert given == ['"acme"', "accuracy", "--dry-run", "--sdk", "static", "--force"]
    assert publish_line("ORG=acme", "FREE=1", "FORCE=0", DRY_RUN="1") == ['"acme"', "--dry-run", "--free"]
