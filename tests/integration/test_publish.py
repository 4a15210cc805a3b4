"""Publishing to the loopback Hub, by the command that `make publish` runs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from json import JSONDecodeError
from typing import TYPE_CHECKING
from typing import NamedTuple

import pytest
from huggingface_hub import HfApi
from huggingface_hub.errors import HFValidationError
from huggingface_hub.errors import OfflineModeIsEnabled

from scripts.vendor import ROOT
from spaces import publish
from spaces.hub_errors import PublishError
from spaces.hub_errors import translate_errors
from spaces.published_files import version_of
from spaces.static_page import Link
from spaces.static_page import render_page
from tests.integration import made_up
from tests.integration.clean_process import METRICS
from tests.integration.clean_process import computed_locally
from tests.integration.clean_process import environment
from tests.integration.clean_process import load_and_compute
from tests.integration.clean_process import sdk_of
from tests.loopback_hub import GITATTRIBUTES
from tests.loopback_hub import TOKEN
from tests.loopback_hub import LoopbackHub

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from pathlib import Path

ORG = "acme"
SPACE = f"{ORG}/{made_up.NAME}"


class Run(NamedTuple):
    """What a run of the command left: its exit status and all it printed."""

    status: int
    text: str


@pytest.fixture
def hub() -> Iterator[LoopbackHub]:
    with LoopbackHub(orgs=(ORG,)) as hub:
        yield hub


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made_up.write(tmp_path)


@pytest.fixture
def command(
    hub: LoopbackHub, directory: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Run]:
    """Run the command on the made-up metric, in this process and without the slow checks; watch for the token."""
    monkeypatch.setattr(publish, "check_isolated", lambda *_: [])
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    def run(*options: str, org: str = ORG, metric: Path = directory) -> Run:
        status = publish.main([org, str(metric), *options])
        captured = capfd.readouterr()
        text = captured.out + captured.err
        secret = os.environ.get("HF_TOKEN", "").strip() or TOKEN
        assert secret not in text
        assert TOKEN not in text
        assert not any(TOKEN in request.path for request in hub.log)
        assert "Traceback" not in text
        return Run(status, text)

    return run


def writes(hub: LoopbackHub) -> list[str]:
    return [
        request.path.rpartition("/")[0].rpartition("/")[2]
        for kind in ("/create", "/commit/.*", "/tag/.*")
        for request in hub.requests("POST", kind)
    ]


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
    assert len(published.commits) == 2  # the Hub's own and ours
    assert published.head.files[".gitattributes"] == GITATTRIBUTES
    card = published.head.files["README.md"].decode()
    assert '"org/' not in card
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


@pytest.fixture
def gallery(tmp_path: Path) -> Path:
    """A Space without a metric."""
    gallery = tmp_path / "spaces" / "gallery"
    gallery.mkdir(parents=True)
    card = made_up.CARD.replace("tags:\n  - evaluate\n  - metric\n", "")
    (gallery / "README.md").write_text(card, encoding="utf-8")
    (gallery / "app.py").write_text("print(1)\n", encoding="utf-8")
    (gallery / "space_ui").mkdir()
    (gallery / "space_ui" / "__init__.py").write_text('"""The page."""\n', encoding="utf-8")
    return gallery


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


def test_published_version_with_other_content_is_rejected(
    hub: LoopbackHub, directory: Path, command: Callable[..., Run]
) -> None:
    command()
    (directory / "_equal.py").write_text("def equal(a, b): return a is b\n", encoding="utf-8")
    for options in ((), ("--dry-run",)):
        done = command(*options)
        assert done.status == 1
        assert "tag v0.1.0 already" in done.text
        assert "_equal.py" in done.text
        assert "raise VERSION in _version.py" in done.text
    assert len(hub.spaces[SPACE].commits) == 2


def test_interrupted_run_is_completed_by_the_next(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    hub.refuse("tag", 503, "busy")
    assert "reports an error of its own (503)" in command().text
    assert len(hub.spaces[SPACE].commits) == 2
    hub.allow("tag")
    assert command().status == 0
    assert len(hub.spaces[SPACE].commits) == 2
    assert hub.spaces[SPACE].tags == {"v0.1.0": hub.spaces[SPACE].head.oid}


def test_space_changed_meanwhile_is_not_overwritten(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    hub.add(SPACE, {"theirs.py": b"1"})
    hub.before("commit", lambda: hub.add(SPACE, {"theirs.py": b"2"}))
    done = command("--force")
    assert done.status == 1
    assert "Somebody else changed acme/made_up in the meantime (412)" in done.text
    assert hub.spaces[SPACE].head.files["theirs.py"] == b"2"
    assert not hub.spaces[SPACE].tags


@pytest.mark.parametrize("path", ["data.csv", "app.py"])
def test_unrelated_space_of_the_same_name_is_left_alone(
    hub: LoopbackHub, command: Callable[..., Run], path: str
) -> None:
    hub.add(SPACE, {"README.md": b"my own app", path: b"precious"})
    for options in ((), ("--dry-run",)):
        done = command(*options)
        assert done.status == 1
        assert f"{SPACE} was not published from here and would lose {path}" in done.text
        assert "FORCE=1" in done.text
    assert hub.spaces[SPACE].head.files[path] == b"precious"
    assert command("--force").status == 0
    assert set(hub.spaces[SPACE].head.files) == {".gitattributes", *made_up.FILES}


def test_unrelated_gallery_is_left_alone(hub: LoopbackHub, command: Callable[..., Run], gallery: Path) -> None:
    """Another's app.py would only be changed, and a gallery has no tag by which to know it."""
    hub.add(f"{ORG}/gallery", {"README.md": b"my own app", "app.py": b"precious"})
    assert "was not published from here and would lose app.py" in command(metric=gallery).text
    assert hub.spaces[f"{ORG}/gallery"].head.files["app.py"] == b"precious"
    assert command("--force", metric=gallery).status == 0


def test_new_empty_space_is_used(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    hub.add(SPACE, {"README.md": b"---\nsdk: gradio\n---\n"})
    assert command().status == 0


def test_space_created_meanwhile_is_not_overwritten(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    hub.before("create", lambda: hub.add(SPACE, {"theirs.py": b"1"}))
    done = command()
    assert done.status == 1
    assert "in the meantime (409)" in done.text
    assert "made_up.py" not in hub.spaces[SPACE].head.files


def test_free_account_is_told_of_the_free_ways(hub: LoopbackHub, command: Callable[..., Run], tmp_path: Path) -> None:
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

    # Nothing asks for the creation of what exists: the Hub's answer would be 402 again.
    commits = len(space.commits)
    assert "up to date" in command("--sdk", "static").text
    assert len(space.commits) == commits
    assert "SDK or FREE must be what it was" in command().text


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


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("hf_wrong", "does not accept the token in HF_TOKEN (401)"),
        (" ", "HF_TOKEN is not set"),
        ("hf_two words", "HF_TOKEN holds characters that no token has"),
        ("hf_\u00fcber", "HF_TOKEN holds characters that no token has"),
    ],
)
def test_bad_token_is_rejected(
    hub: LoopbackHub, command: Callable[..., Run], monkeypatch: pytest.MonkeyPatch, token: str, expected: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)
    done = command()
    assert done.status == 1
    assert expected in done.text
    assert not hub.spaces


def test_token_with_line_end_is_accepted(command: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN + "\n")
    assert command().status == 0


def test_foreign_namespace_is_rejected(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    done = command(org="strangers")
    assert done.status == 1
    assert "may not write to strangers/made_up (403)" in done.text
    assert "You don't have the rights" in done.text
    assert not hub.spaces


@pytest.mark.parametrize("org", ["", "a/b", "--help-me", "x y"])
def test_org_that_is_not_a_name_is_rejected(command: Callable[..., Run], org: str) -> None:
    if org.startswith("--"):
        with pytest.raises(SystemExit):
            command(org=org)
    else:
        assert "ORG must be your name" in command(org=org).text


@pytest.mark.parametrize(
    ("operation", "status", "expected"),
    [
        ("info", 429, "rate limit is reached (429)"),
        ("create", 500, "reports an error of its own (500)"),
        ("commit", 403, "may not write to acme/made_up (403)"),
        ("commit", 402, "SDK=static"),
        ("tag", 409, "or its tag, in the meantime (409)"),
        ("validate", 400, "The Hub rejected acme/made_up: Invalid metadata in README.md. - no because"),
        ("commit", 400, "rejected the request for acme/made_up (400). The Hub says: no because"),
    ],
)
def test_each_answer_of_the_hub_is_one_sentence(
    hub: LoopbackHub, command: Callable[..., Run], operation: str, status: int, expected: str
) -> None:
    # A server that repeats the token must not make us print it.
    hub.refuse(operation, status, f"no because {TOKEN}")
    done = command()
    assert done.status == 1
    assert expected in done.text
    assert done.text.count("\n") == 1


def test_without_a_network_nothing_is_published(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    hub.stop()
    done = command()
    assert done.status == 1
    assert f"No answer from {hub.url} (ConnectError): check the network" in done.text


def test_without_a_network_a_dry_run_shows_the_files(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    hub.stop()
    done = command("--dry-run")
    assert done.status == 0
    assert f"{SPACE}\n  address    {hub.url}/spaces/{SPACE}\n  files      6, " in done.text
    assert f"Not compared with the Hub. No answer from {hub.url} (ConnectError)" in done.text
    assert "  unknown    what the Space holds now\n" in done.text
    assert "  tag        v0.1.0" in done.text
    assert len(done.text.splitlines()) <= 12  # ten for the Space


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OfflineModeIsEnabled("offline"), "HF_HUB_OFFLINE is set"),
        (JSONDecodeError("Expecting value", "<html>", 0), "The server at http://127.0.0.1:9 is not a Hub"),
        (HFValidationError("too long"), "acme/x is not a valid name for a Space: too long"),
    ],
)
def test_errors_of_the_client_are_translated(error: Exception, expected: str) -> None:
    with (
        pytest.raises(PublishError, match=expected),
        translate_errors(HfApi(endpoint="http://127.0.0.1:9"), "acme/x"),
    ):
        raise error


def test_one_problem_stops_all_publishing(hub: LoopbackHub, directory: Path, command: Callable[..., Run]) -> None:
    (directory / "requirements.lock").write_text("x", encoding="utf-8")
    done = command()
    assert done.status == 1
    assert "Nothing was published:\n  made_up/requirements.lock does not belong to a Space" in done.text
    assert not hub.log


def test_unknown_metric_is_rejected(command: Callable[..., Run]) -> None:
    assert "no metric 'acuracy'" in command("acuracy").text


def test_without_names_everything_is_published() -> None:
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


def test_free_and_sdk_exclude_each_other(command: Callable[..., Run]) -> None:
    with pytest.raises(SystemExit):
        command("--free", "--sdk", "static")


# ---- until it runs


@pytest.fixture
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)


def test_publishing_waits_until_the_space_runs(
    hub: LoopbackHub,
    command: Callable[..., Run],
    without_pauses: None,  # noqa: ARG001
) -> None:
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


def test_space_that_is_still_building_is_reported(
    hub: LoopbackHub,
    command: Callable[..., Run],
    without_pauses: None,  # noqa: ARG001
) -> None:
    for stage in ("BUILDING", "RUNNING"):
        hub.spaces.clear()
        hub.runtimes[SPACE] = [{"stage": stage, "sha": "the previous commit"}]
        done = command("--wait", "0.2")
        assert done.status == 1
        assert f"{SPACE} is published but not running after 0 seconds: look at {hub.url}/spaces/{SPACE}" in done.text


def test_wait_of_zero_asks_for_no_runtime(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    assert command("--wait", "0").status == 0
    assert not hub.requests("GET", "/runtime")


# ---- make publish


def publish_line(*arguments: str, **variables: str) -> list[str]:
    """What `make publish` would run, after the name of the module."""
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


def test_make_passes_publishing_options_on() -> None:
    given = publish_line("ORG=acme", "METRIC=accuracy", "SDK=static", "FORCE=1", "DRY_RUN=1")
    assert given == ['"acme"', "accuracy", "--dry-run", "--sdk", "static", "--force"]
    assert publish_line("ORG=acme", "FREE=1", "FORCE=0", DRY_RUN="1") == ['"acme"', "--dry-run", "--free"]
