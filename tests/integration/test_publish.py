"""Publishing to the loopback Hub, by the command that `make publish` runs."""

from __future__ import annotations

import os
import subprocess
import sys
from json import JSONDecodeError
from typing import TYPE_CHECKING
from typing import NamedTuple

import pytest
from huggingface_hub import HfApi
from huggingface_hub.errors import HFValidationError
from huggingface_hub.errors import OfflineModeIsEnabled

from scripts.vendor import ROOT
from spaces import publish
from spaces.checks import version_of
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


class Outcome(NamedTuple):
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
) -> Callable[..., Outcome]:
    """Run the command on the made-up metric in this process, without the slow trial, and watch for the token."""
    monkeypatch.setattr(publish, "problems_alone", lambda _: [])
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    def run(*options: str, org: str = ORG, metric: Path = directory) -> Outcome:
        status = publish.main([org, str(metric), *options])
        captured = capfd.readouterr()
        text = captured.out + captured.err
        secret = os.environ.get("HF_TOKEN", "").strip() or TOKEN
        assert secret not in text
        assert TOKEN not in text
        assert not any(TOKEN in request.path for request in hub.log)
        assert "Traceback" not in text
        return Outcome(status, text)

    return run


def writes(hub: LoopbackHub) -> list[str]:
    return [
        request.path.rpartition("/")[0].rpartition("/")[2]
        for kind in ("/create", "/commit/.*", "/tag/.*")
        for request in hub.requests("POST", kind)
    ]


@pytest.mark.parametrize("metric", [None, *METRICS], ids=lambda path: path.name if path else made_up.NAME)
def test_what_is_published_loads_and_computes(
    hub: LoopbackHub, command: Callable[..., Outcome], directory: Path, metric: Path | None, tmp_path: Path
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


def test_a_new_version_replaces_changes_and_removes(
    hub: LoopbackHub, directory: Path, command: Callable[..., Outcome]
) -> None:
    command()
    first = hub.spaces[SPACE].head
    hub.add(SPACE, {"stale.py": b"old\n", "sub/stale.txt": b"old\n"})
    (directory / "_version.py").write_text('VERSION = "0.2.0"\n', encoding="utf-8")
    (directory / "_more.py").write_text("X = 1\n", encoding="utf-8")

    dry = command("--dry-run")
    assert dry.status == 0
    for line in ("  + _more.py (6 bytes)", "  ~ _version.py (18 bytes)", "  - stale.py", "  - sub/stale.txt"):
        assert line in dry.text
    assert "= 5 unchanged: README.md" in dry.text
    assert "tag v0.2.0" in dry.text
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
    (gallery / "space_ui" / "page.py").write_text("print(0)\n", encoding="utf-8")
    return gallery


def test_a_space_without_a_metric_has_no_version(
    hub: LoopbackHub, command: Callable[..., Outcome], gallery: Path
) -> None:
    assert command(metric=gallery).status == 0
    space = hub.spaces[f"{ORG}/gallery"]
    assert not space.tags
    assert "up to date" in command(metric=gallery).text
    (gallery / "app.py").write_text("print(2)\n", encoding="utf-8")
    assert "1 written, 0 deleted. See" in command(metric=gallery).text
    assert len(space.commits) == 3


def test_a_dry_run_needs_no_token_and_writes_nothing(
    hub: LoopbackHub, command: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN")
    outcome = command("--dry-run")
    assert outcome.status == 0
    assert f"{SPACE} (gradio, to be created)" in outcome.text
    assert "nothing was written" in outcome.text
    assert not hub.spaces
    assert not writes(hub)


def test_one_version_is_one_state(hub: LoopbackHub, directory: Path, command: Callable[..., Outcome]) -> None:
    command()
    (directory / "_equal.py").write_text("def equal(a, b): return a is b\n", encoding="utf-8")
    for options in ((), ("--dry-run",)):
        outcome = command(*options)
        assert outcome.status == 1
        assert "tag v0.1.0 already" in outcome.text
        assert "_equal.py" in outcome.text
        assert "raise VERSION in _version.py" in outcome.text
    assert len(hub.spaces[SPACE].commits) == 2


def test_a_run_that_broke_off_before_the_tag_is_finished(hub: LoopbackHub, command: Callable[..., Outcome]) -> None:
    hub.refuse("tag", 503, "busy")
    assert "trouble of its own (503)" in command().text
    assert len(hub.spaces[SPACE].commits) == 2
    hub.allow("tag")
    assert command().status == 0
    assert len(hub.spaces[SPACE].commits) == 2
    assert hub.spaces[SPACE].tags == {"v0.1.0": hub.spaces[SPACE].head.oid}


def test_a_race_is_refused(hub: LoopbackHub, command: Callable[..., Outcome]) -> None:
    hub.add(SPACE, {"theirs.py": b"1"})
    hub.before("commit", lambda: hub.add(SPACE, {"theirs.py": b"2"}))
    outcome = command("--force")
    assert outcome.status == 1
    assert "Somebody else changed acme/made_up while this ran (412)" in outcome.text
    assert hub.spaces[SPACE].head.files["theirs.py"] == b"2"
    assert not hub.spaces[SPACE].tags


@pytest.mark.parametrize("path", ["data.csv", "app.py"])
def test_an_unrelated_space_of_the_same_name_is_left_alone(
    hub: LoopbackHub, command: Callable[..., Outcome], path: str
) -> None:
    hub.add(SPACE, {"README.md": b"my own app", path: b"precious"})
    for options in ((), ("--dry-run",)):
        outcome = command(*options)
        assert outcome.status == 1
        assert f"{SPACE} holds what was not published from here, and would lose {path}" in outcome.text
        assert "FORCE=1" in outcome.text
    assert hub.spaces[SPACE].head.files[path] == b"precious"
    assert command("--force").status == 0
    assert set(hub.spaces[SPACE].head.files) == {".gitattributes", *made_up.FILES}


def test_an_unrelated_gallery_is_left_alone(hub: LoopbackHub, command: Callable[..., Outcome], gallery: Path) -> None:
    """Another's app.py would only be changed, and a gallery has no tag by which to know it."""
    hub.add(f"{ORG}/gallery", {"README.md": b"my own app", "app.py": b"precious"})
    assert "holds what was not published from here, and would lose app.py" in command(metric=gallery).text
    assert hub.spaces[f"{ORG}/gallery"].head.files["app.py"] == b"precious"
    assert command("--force", metric=gallery).status == 0


def test_a_fresh_space_is_taken(hub: LoopbackHub, command: Callable[..., Outcome]) -> None:
    hub.add(SPACE, {"README.md": b"---\nsdk: gradio\n---\n"})
    assert command().status == 0


def test_a_space_made_meanwhile_is_not_overwritten(hub: LoopbackHub, command: Callable[..., Outcome]) -> None:
    hub.before("create", lambda: hub.add(SPACE, {"theirs.py": b"1"}))
    outcome = command()
    assert outcome.status == 1
    assert "while this ran (409)" in outcome.text
    assert "made_up.py" not in hub.spaces[SPACE].head.files


def test_a_free_account_is_told_of_static(hub: LoopbackHub, command: Callable[..., Outcome], tmp_path: Path) -> None:
    hub.free_account = True
    outcome = command()
    assert outcome.status == 1
    assert "(402)" in outcome.text
    assert "SDK=static" in outcome.text
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
    assert "SDK= must be what it was" in command().text


def test_the_page_obeys_no_html_of_the_card() -> None:
    page = publish.page(
        "<m>", "---\nsdk: static\n---\n# T\n\n<script>x</script>\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"
    )
    assert "<script>" not in page
    assert "<td>2</td>" in page
    assert "<title>&lt;m&gt;</title>" in page


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("hf_wrong", "does not accept the token in HF_TOKEN (401)"),
        (" ", "HF_TOKEN is not set"),
        ("hf_two words", "HF_TOKEN holds characters that no token has"),
        ("hf_\u00fcber", "HF_TOKEN holds characters that no token has"),
    ],
)
def test_a_token_that_does_not_work(
    hub: LoopbackHub, command: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch, token: str, expected: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)
    outcome = command()
    assert outcome.status == 1
    assert expected in outcome.text
    assert not hub.spaces


def test_a_token_with_a_line_end_works(command: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN + "\n")
    assert command().status == 0


def test_a_foreign_namespace(hub: LoopbackHub, command: Callable[..., Outcome]) -> None:
    outcome = command(org="strangers")
    assert outcome.status == 1
    assert "may not write to strangers/made_up (403)" in outcome.text
    assert "You don't have the rights" in outcome.text
    assert not hub.spaces


@pytest.mark.parametrize("org", ["", "a/b", "--help-me", "x y"])
def test_org_must_be_a_name(command: Callable[..., Outcome], org: str) -> None:
    if org.startswith("--"):
        with pytest.raises(SystemExit):
            command(org=org)
    else:
        assert "ORG must be your name" in command(org=org).text


@pytest.mark.parametrize(
    ("operation", "status", "expected"),
    [
        ("info", 429, "asks for a pause (429)"),
        ("create", 500, "trouble of its own (500)"),
        ("commit", 403, "may not write to acme/made_up (403)"),
        ("commit", 402, "SDK=static"),
        ("tag", 409, "or its tag, while this ran (409)"),
        ("validate", 400, "The Hub refuses acme/made_up: Invalid metadata in README.md. - no because"),
        ("commit", 400, "refuses what was asked for acme/made_up (400). The Hub says: no because"),
    ],
)
def test_what_the_hub_may_answer(
    hub: LoopbackHub, command: Callable[..., Outcome], operation: str, status: int, expected: str
) -> None:
    # A server that repeats the token must not make us print it.
    hub.refuse(operation, status, f"no because {TOKEN}")
    outcome = command()
    assert outcome.status == 1
    assert expected in outcome.text
    assert outcome.text.count("\n") == 1


def test_without_a_network(hub: LoopbackHub, command: Callable[..., Outcome]) -> None:
    hub.stop()
    for options in ((), ("--dry-run",)):
        outcome = command(*options)
        assert outcome.status == 1
        assert f"No answer from {hub.url} (ConnectError): check the network" in outcome.text


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OfflineModeIsEnabled("offline"), "HF_HUB_OFFLINE is set"),
        (JSONDecodeError("Expecting value", "<html>", 0), "What answers at http://127.0.0.1:9 is no Hub"),
        (HFValidationError("too long"), "acme/x cannot be the name of a Space: too long"),
    ],
)
def test_other_errors_in_plain_words(error: Exception, expected: str) -> None:
    with (
        pytest.raises(publish.Stop, match=expected),
        publish.plain_words(HfApi(endpoint="http://127.0.0.1:9"), "acme/x"),
    ):
        raise error


def test_problems_stop_everything(hub: LoopbackHub, directory: Path, command: Callable[..., Outcome]) -> None:
    (directory / "requirements.lock").write_text("x", encoding="utf-8")
    outcome = command()
    assert outcome.status == 1
    assert "Nothing was published:\n  made_up/requirements.lock is of no kind" in outcome.text
    assert not hub.log


def test_an_unknown_metric(command: Callable[..., Outcome]) -> None:
    assert "no metric 'acuracy'" in command("acuracy").text


def test_everything_is_published_by_default() -> None:
    found = publish.directories([])
    assert found[: len(METRICS)] == METRICS
    assert all(path == publish.GALLERY for path in found[len(METRICS) :])
