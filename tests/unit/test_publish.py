"""Publishing to the loopback Hub with the command that `make publish` runs, without starting what is published."""

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from json import JSONDecodeError
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi
from huggingface_hub.errors import OfflineModeIsEnabled

from scripts.vendor import metric_directories
from spaces import publish
from spaces.files import PublishError, static_page
from spaces.hub import translate_errors
from tests import made_up
from tests.conftest import ROOT
from tests.loopback_hub import TOKEN, LoopbackHub, Refusal

ORG = "acme"
SPACE = f"{ORG}/{made_up.NAME}"


Command = Callable[..., str]


@pytest.fixture
def hub() -> Iterator[LoopbackHub]:
    with LoopbackHub(org=ORG) as hub:
        yield hub


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made_up.write(tmp_path)


@pytest.fixture
def command(
    hub: LoopbackHub, directory: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Command:
    """Run the command on the made-up metric, in this process and without the slow checks, and return its output.

    Its status is 1 if it printed an error, and otherwise 0; the token is nowhere.
    """
    monkeypatch.setattr(publish, "check_alone", lambda *_: [])
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(time, "sleep", lambda _: None)

    def run(*options: str, org: str = ORG, metric: Path | str = directory) -> str:
        status = publish.main([org, str(metric), *options])
        captured = capfd.readouterr()
        text: str = captured.out + captured.err
        assert status == bool(captured.err), text
        for secret in {os.environ.get("HF_TOKEN", "").strip() or TOKEN, TOKEN}:
            assert secret not in text
        assert not any(TOKEN in request.path for request in hub.log)
        assert "Traceback" not in text
        return text

    return run


@pytest.fixture
def gallery(tmp_path: Path) -> Path:
    gallery = tmp_path / "spaces" / "gallery"
    gallery.mkdir(parents=True)
    card = made_up.CARD.replace("tags:\n  - evaluate\n  - metric\n", "")
    for name, text in {"README.md": card, "app.py": "print(1)\n", "space.py": "X = 1\n"}.items():
        (gallery / name).write_text(text, encoding="utf-8")
    made_up.git(tmp_path, "add", ".")
    return gallery


def writes(hub: LoopbackHub) -> int:
    return len(hub.requests("POST", "/create|/commit/.*|/tag/.*"))


def test_new_version_adds_changes_and_deletes_files(
    hub: LoopbackHub, directory: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", f"{TOKEN}\n")
    command()
    first = hub.spaces[SPACE].head
    hub.add(SPACE, {"stale.py": b"old\n", "sub/stale.txt": b"old\n"})
    (directory / "_metric.py").write_text('VERSION = "0.2.0"\n', encoding="utf-8")
    (directory / "_more.py").write_text("X = 1\n", encoding="utf-8")
    made_up.git(directory, "add", ".")

    dry = command("--dry-run")
    for line in (
        f"{SPACE}\n  address    {hub.url}/spaces/{SPACE}\n  files      7, ",
        "; gradio Space",
        "  added      1: _more.py",
        "  changed    1: _metric.py",
        "  deleted    2: stale.py, sub/stale.txt",
        "  unchanged  5",
        "  tag        v0.2.0\n",
        "This was a dry run: nothing was written.",
    ):
        assert line in dry
    assert len(hub.spaces[SPACE].commits) == 3

    assert "See" in command()
    space = hub.spaces[SPACE]
    assert set(space.head.files) == {".gitattributes", "_more.py", *made_up.FILES}
    assert len(space.commits) == 4
    assert space.tags == {"v0.1.0": first.oid, "v0.2.0": space.head.oid}


def test_space_without_a_metric_gets_no_tag(hub: LoopbackHub, command: Command, gallery: Path) -> None:
    name = f"{ORG}/gallery"
    hub.add(name, {"space_ui/__init__.py": b"of an earlier layout", "app.py": b"old"})
    assert "3 files written, 1 deleted. See" in command(metric=gallery)
    assert set(hub.spaces[name].head.files) == {".gitattributes", "README.md", "app.py", "space.py"}
    assert "up to date" in command(metric=gallery)
    (gallery / "app.py").write_text("print(2)\n", encoding="utf-8")
    assert "1 files written, 0 deleted. See" in command(metric=gallery)
    assert not hub.spaces[name].tags


@pytest.mark.parametrize("network", [True, False])
def test_dry_run_needs_no_token_and_no_network(
    hub: LoopbackHub, command: Command, directory: Path, monkeypatch: pytest.MonkeyPatch, *, network: bool
) -> None:
    """Nor does it send the token of `hf auth login`."""
    monkeypatch.delenv("HF_TOKEN")
    (directory.parent / "token").write_text(TOKEN, encoding="utf-8")
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(directory.parent / "token"))
    if not network:
        hub.stop()
    done = command("--dry-run")
    assert f"{SPACE}\n  address    {hub.url}/spaces/{SPACE}\n  files      6, " in done
    assert "  tag        v0.1.0" in done
    assert ("  create     the Space\n" in done) == network
    assert ("  unknown    the current files of the Space\n" in done) != network
    assert (f"Not compared with the Hub. No answer from {hub.url} (ConnectError)" in done) != network
    assert not any(request.with_token for request in hub.log)
    assert not writes(hub)


def test_everything_is_published_by_default() -> None:
    assert publish.find_directories([]) == [*metric_directories(), publish.GALLERY]
    assert len(metric_directories()) >= 6


# ---- without a paid plan


def test_free_account_gets_a_hint_and_static_pages(
    hub: LoopbackHub, command: Command, gallery: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.free_account = True
    monkeypatch.setattr(publish, "GALLERY", gallery)
    assert re.search(r"\(402\).*FREE=1", command())
    assert not hub.spaces

    assert command("gallery", "--free").count("See ") == 2
    space = hub.spaces[SPACE]
    assert space.sdk == "static"
    assert "app.py" not in space.head.files
    card = space.head.files["README.md"].decode()
    assert "sdk: static\napp_file: index.html\n---" in card
    assert "sdk_version" not in card
    assert "  - metric\n" in card
    page = space.head.files["index.html"].decode()
    assert '<h1 id="metric-card">Metric card</h1>' in page
    assert "evaluate.load(&quot;acme/made_up&quot;)" in page
    assert "short_description" not in page
    assert f'href="{hub.url}/spaces/{ORG}/gallery"' in page

    assert not hub.requests("GET", f"{SPACE}/runtime")  # a page has nothing to start
    app = hub.spaces[f"{ORG}/gallery"]
    assert app.sdk == "gradio"
    assert "app_file: zero_gpu_app.py" in app.head.files["README.md"].decode()
    assert b"@spaces.GPU" in app.head.files["zero_gpu_app.py"]
    assert app.head.files["app.py"] == (gallery / "app.py").read_bytes()
    # An existing Space is not created again, which the Hub would answer with 402.
    assert command("gallery", "--free").count("up to date") == 2
    assert "use the same SDK or FREE as before" in command()


def test_static_page_shows_html_of_the_card_as_text() -> None:
    page = static_page(
        "<m>", "# T\n\n<script>x</script>\n\n## How to use\n\n| a | b |\n| --- | --- |\n| 1 | $2 |\n", "a&b"
    )
    assert "<script>" not in page
    assert "<td>$2</td>" in page
    assert "<title>&lt;m&gt;</title>" in page
    assert '<h2 id="how-to-use">How to use</h2>' in page
    assert '<a href="a&amp;b"' in page


# ---- links to documents


LINK = 'See the [interface](../../docs/contract.md#inputs) and `evaluate.load("<org>/made_up", k=1)`.\n'


@pytest.mark.parametrize(
    ("origin", "options", "expected"),
    [
        ("https://github.com/me/metrics.git", (), "https://github.com/me/metrics"),
        ("https://user:secret@github.com/me/metrics", (), "https://github.com/me/metrics"),
        ("git@gitlab.com:me/group/metrics.git", (), "https://gitlab.com/me/group/metrics"),
        ("ssh://git@git.example.org:2222/me/metrics", (), "https://git.example.org/me/metrics"),
        ("/home/me/metrics", ("--repository", "https://x.org/m/"), "https://x.org/m"),
    ],
)
def test_links_to_documents_get_the_address_of_the_repository(
    hub: LoopbackHub,
    directory: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    origin: str,
    options: tuple[str, ...],
    expected: str,
) -> None:
    made_up.edit(directory / "README.md", "# Metric card\n", f"# Metric card\n\n{LINK}")
    made_up.git(directory, "remote", "add", "origin", origin)
    monkeypatch.setattr(publish, "ROOT", directory)
    command(*options)
    card = hub.spaces[SPACE].head.files["README.md"].decode()
    assert LINK.replace("../..", f"{expected}/blob/main").replace("<org>", ORG) in card
    assert "<org>" not in card


def test_card_with_links_needs_the_address_of_the_repository(
    hub: LoopbackHub, directory: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up.edit(directory / "README.md", "# Metric card\n", f"# Metric card\n\n{LINK}")
    monkeypatch.setattr(publish, "ROOT", directory)
    for origin in ("", "/home/me/metrics", "../metrics"):
        if origin:
            made_up.git(directory, "config", "remote.origin.url", origin)
        assert "links to documents of this repository, whose address git does not know: add REPOS" in command()
    assert not hub.spaces
    assert "dry run" in command("--dry-run")


# ---- what is not published


def test_changed_content_under_a_published_version_is_rejected(
    hub: LoopbackHub, directory: Path, command: Command
) -> None:
    """Also if the same content was committed again: the tag is not at the newest commit."""
    command()
    head = hub.spaces[SPACE].head
    hub.add(SPACE, {"README.md": head.files["README.md"]})
    assert "(other commits): raise VERSION" in command()
    hub.spaces[SPACE].commits.pop()
    (directory / "_equal.py").write_text("def equal(a, b): return a is b\n", encoding="utf-8")
    for options in ((), ("--dry-run",)):
        done = command(*options)
        assert "already has the tag v0.1.0" in done
        assert "(_equal.py): raise VERSION in metrics/_shared/_metric.py" in done
    assert len(hub.spaces[SPACE].commits) == 2


@pytest.mark.parametrize("path", ["data.csv", "app.py"])
def test_unrelated_space_of_the_same_name_is_left_alone(hub: LoopbackHub, command: Command, path: str) -> None:
    hub.add(SPACE, {"README.md": b"my own app", path: b"precious"})
    for options in ((), ("--dry-run",)):
        assert f"{SPACE} was not published from here and would lose {path}" in command(*options)
    assert hub.spaces[SPACE].head.files[path] == b"precious"
    assert "6 files written" in command("--force")
    assert set(hub.spaces[SPACE].head.files) == {".gitattributes", *made_up.FILES}


def test_interrupted_run_is_completed_by_the_next(hub: LoopbackHub, command: Command) -> None:
    hub.add(SPACE, {})  # as created on the Hub's website
    hub.refusals["tag"] = Refusal(503, "busy")
    assert "reports a server error (503)" in command()
    del hub.refusals["tag"]
    assert f"{SPACE}: no change, tag v0.1.0" in command()
    assert len(hub.spaces[SPACE].commits) == 2
    assert hub.spaces[SPACE].tags == {"v0.1.0": hub.spaces[SPACE].head.oid}


@pytest.mark.parametrize(("operation", "status"), [("commit", "(412)"), ("create", "(409)")])
def test_races_are_lost_without_damage(hub: LoopbackHub, command: Command, operation: str, status: str) -> None:
    if operation == "commit":
        hub.add(SPACE, {"theirs.py": b"1"})
    hub.hooks[operation] = lambda: hub.add(SPACE, {"theirs.py": b"2"})
    assert f"in the meantime {status}" in command("--force")
    assert hub.spaces[SPACE].head.files["theirs.py"] == b"2"
    assert "made_up.py" not in hub.spaces[SPACE].head.files
    assert not hub.spaces[SPACE].tags


# What is wrong with the token, the owner, or the Hub's answers to an operation; None: there is no network
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"token": "hf_wrong"}, "does not accept the token in HF_TOKEN (401)"),
    ({"token": " "}, "HF_TOKEN is not set"),
    ({"token": "hf_two words"}, "HF_TOKEN contains characters that are not valid"),
    ({"org": "strangers"}, "may not write to strangers/made_up (403): check the spelling of ORG"),
    ({"org": ""}, "ORG must be your name"),
    ({"org": "a/b"}, "ORG must be your name"),
    ({"org": "x" * 97}, "The Hub rejected " + "x" * 97),
    ({"network": None}, "(ConnectError): check the network"),
    ({"info": 429}, "rate limit is reached (429)"),
    ({"create": 500}, "reports a server error (500)"),
    ({"commit": 402}, "SDK=static"),
    ({"commit": 404}, "does not find acme/made_up (404)"),
    ({"tag": 409}, "or its tag, was created in the meantime (409)"),
    ({"validate": 400}, "The Hub rejected acme/made_up: Invalid metadata in README.md. - no because"),
    ({"commit": 400}, "rejected the request for acme/made_up (400). The Hub says: no because"),
]


@pytest.mark.parametrize(("wrong", "expected"), REFUSED, ids=range(len(REFUSED)))
def test_every_refusal_is_reported_in_one_sentence(
    hub: LoopbackHub, command: Command, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any], expected: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", wrong.get("token", TOKEN))
    for operation in wrong.keys() - {"token", "org", "network"}:
        # A server may echo the token; it must not be printed.
        hub.refusals[operation] = Refusal(wrong[operation], f"no because {TOKEN}")
    if "network" in wrong:
        hub.stop()
    done = command(org=wrong.get("org", ORG))
    assert expected in done
    assert done.count("\n") == 1
    assert not any(space.tags for space in hub.spaces.values())


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OfflineModeIsEnabled("offline"), "HF_HUB_OFFLINE is set"),
        (JSONDecodeError("Expecting value", "<html>", 0), "The server at http://127.0.0.1:9 is not a Hub"),
    ],
)
def test_errors_of_the_client_are_translated(error: Exception, expected: str) -> None:
    api = HfApi(endpoint="http://127.0.0.1:9")
    with pytest.raises(PublishError, match=expected), translate_errors(api, "acme/x"):
        raise error


def test_failed_checks_and_unknown_metrics_stop_all_publishing(
    hub: LoopbackHub, directory: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no metric 'acuracy'" in command("acuracy")
    monkeypatch.setattr(publish, "check_alone", lambda name, _: [f"{name}: does not start"])
    assert "Nothing was published:\n  made_up: does not start\n" in command()
    (directory / "results.json").write_text("{}", encoding="utf-8")
    assert "Nothing was published:\n  made_up/results.json is not tracked by git" in command()
    assert not hub.log


# ---- until it runs


FAILED = "is published but does not run ({}): No module named x. Its logs are at "
WAITED = "is published but not running after 0 seconds: look at "
# The stage of the Space in answer to each request, the time to wait, output
STAGES: list[tuple[list[str], str, str]] = [
    (["previous", "BUILDING", "APP_STARTING", "RUNNING"], "60", "is running, "),
    (["BUILD_ERROR"], "60", FAILED),
    (["BUILDING"], "0.2", WAITED),
    (["previous"], "0.2", WAITED),
    ([], "0", "See "),
]


@pytest.mark.parametrize(("stages", "wait", "text"), STAGES, ids=range(len(STAGES)))
def test_publishing_waits_until_the_space_runs_or_fails(
    hub: LoopbackHub, command: Command, stages: list[str], wait: str, text: str
) -> None:
    hub.runtimes[SPACE] = [{"stage": stage, "errorMessage": "No module\nnamed x"} for stage in stages]
    for state in hub.runtimes[SPACE]:
        if state["stage"] == "previous":
            state |= {"stage": "RUNNING", "sha": "the previous commit"}
    assert text.format(*stages) in command("--wait", wait)
    assert hub.spaces[SPACE].tags
    assert len(hub.requests("GET", "/runtime")) == len(stages) or text == WAITED


# ---- make publish


def test_make_passes_options_of_the_command_line_only() -> None:
    def arguments(*given: str, **variables: str) -> list[str]:
        environment = {"PATH": os.environ["PATH"], **variables}
        command = ["make", "-n", "publish", *given]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        (line,) = (line for line in done.stdout.replace("\\\n", " ").splitlines() if "-m spaces.publish" in line)
        return line.partition("-m spaces.publish")[2].split()

    variables = {"FORCE": "1", "SDK": "static", "METRIC": "accuracy", "FREE": "1", "ORG": "somebody"}
    assert arguments("ORG=acme", **variables) == ['"acme"']
    assert arguments(**variables) == ['""']
    given = arguments("ORG=acme", "METRIC=accuracy", "SDK=static", "FORCE=1", "DRY_RUN=1", "REPOSITORY=https://x.org/m")
    repository = ["--repository", '"https://x.org/m"']
    assert given == ['"acme"', "accuracy", "--dry-run", "--sdk", "static", *repository, "--force"]
    assert arguments("ORG=acme", "FREE=1", "FORCE=0", DRY_RUN="1") == ['"acme"', "--dry-run", "--free"]
    with pytest.raises(SystemExit):
        publish.main(["acme", "--free", "--sdk", "static"])
