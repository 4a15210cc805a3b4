"""Publishing to the loopback Hub as `make publish` does, without starting what is published; what is checked before."""

import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import answer_metrics
from spaces import build, checks, publish
from spaces.checks import check_directory, find_secrets
from spaces.files import PublishError, SpaceFiles, published_files, read_space, version_of
from spaces.smoke_test import run_smoke_test
from tests import made_up
from tests.conftest import ROOT
from tests.loopback_hub import TOKEN, LoopbackHub, Refusal

ORG = "acme"
SPACE = f"{ORG}/{made_up.NAME}"
Command = Callable[..., str]

pytest.importorskip("huggingface_hub", "1.0", reason="`make publish` installs the pinned version")


@pytest.fixture
def hub() -> Iterator[LoopbackHub]:
    with LoopbackHub(org=ORG) as hub:
        yield hub


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made_up.write(tmp_path)


@pytest.fixture
def command(hub: LoopbackHub, directory: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> Command:
    """Run the command on the made-up metric, in this process and without the slow checks, and return its output.

    Its status is 1 if it printed an error, and otherwise 0; the token is nowhere.
    """
    monkeypatch.setattr(publish, "check_alone", lambda *_: [])
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(time, "sleep", lambda _: None)

    def run(*options: str, org: str = ORG, metric: Path | str = directory, is_dirty: bool = False) -> str:
        if isinstance(metric, Path) and not is_dirty:
            made_up.commit(metric)
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


def test_new_version_changes_files(hub: LoopbackHub, directory: Path, command: Command, monkeypatch: Any) -> None:
    monkeypatch.setenv("HF_TOKEN", f"{TOKEN}\n")
    command()
    first = hub.spaces[SPACE].head
    hub.add(SPACE, {"stale.py": b"old\n", "sub/stale.txt": b"old\n"})
    (directory / "_metric.py").write_text('VERSION = "0.2.0"\n', encoding="utf-8")
    (directory / "_more.py").write_text("X = 1\n", encoding="utf-8")
    made_up.git(directory, "add", ".")

    dry = command("--dry-run")
    lines = [f"{SPACE}\n  address    {hub.url}/spaces/{SPACE}\n  files      7, ", "; gradio Space"]
    lines += ["  added      1: _more.py", "  changed    1: _metric.py", "  deleted    2: stale.py, sub/stale.txt"]
    lines += ["  unchanged  5", "  tag        v0.2.0\n", "This was a dry run: nothing was written."]
    assert not [line for line in lines if line not in dry]
    assert len(hub.spaces[SPACE].commits) == 3

    assert f"{SPACE}: 2 files written, 2 deleted, tag v0.2.0. See {hub.url}" in command()
    space = hub.spaces[SPACE]
    assert set(space.head.files) == {".gitattributes", "_more.py", *made_up.FILES}
    assert len(space.commits) == 4
    assert space.tags == {"v0.1.0": first.oid, "v0.2.0": space.head.oid}
    del space.tags["v0.2.0"]  # as after a run that was ended between the two
    asked = len(hub.requests("GET", "/runtime"))
    assert f"{SPACE}: no change, tag v0.2.0. See" in command()
    assert len(hub.requests("GET", "/runtime")) == asked  # what runs is the same
    assert space.tags == {"v0.1.0": first.oid, "v0.2.0": space.head.oid}
    (directory / "_metric.py").write_text('VERSION = "0.3.0"\n', encoding="utf-8")
    plan = publish.make_plans
    monkeypatch.setattr(publish, "make_plans", lambda *args: [*plan(*args), hub.add(SPACE, {"a.md": b"a"})][:1])
    assert f"{SPACE} was changed in the meantime (412), and nothing was overwritten" in command()


def test_dry_run_needs_no_token_and_no_network(hub: Any, command: Command, directory: Path, monkeypatch: Any) -> None:
    monkeypatch.delenv("HF_TOKEN")
    (directory.parent / "token").write_text(TOKEN, encoding="utf-8")
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(directory.parent / "token"))
    for network in (True, False):
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


def test_free_account_gets_static_pages(hub: LoopbackHub, command: Command, gallery: Path, monkeypatch: Any) -> None:
    hub.free_account = True
    monkeypatch.setattr(publish, "GALLERY", gallery)
    assert re.search(r"\(402\).*FREE=1", command())
    assert not hub.spaces

    assert command("gallery", "--free").count("See ") == 2
    space = hub.spaces[SPACE]
    assert space.sdk == "static"
    assert not hub.requests("GET", f"{SPACE}/runtime")  # a static page runs nothing
    assert "app.py" not in space.head.files
    assert f'href="{hub.url}/spaces/{ORG}/gallery"' in space.head.files["index.html"].decode()
    app = hub.spaces[f"{ORG}/gallery"]
    assert app.sdk == "gradio"
    assert b"@spaces.GPU" in app.head.files["zero_gpu_app.py"]
    assert app.head.files["app.py"] == (gallery / "app.py").read_bytes()
    # An existing Space is not created again, which the Hub would answer with 402.
    assert app.head.message.startswith(f"Publish {ORG}/gallery from commit ")
    assert command("gallery", "--free").count("up to date") == 2
    assert "use the same SDK or FREE as before" in command()
    for names, link in ((("gallery",), f'href="{hub.url}/spaces/{ORG}/gallery"'), ((), "")):
        hub.spaces.clear()
        command(*names, "--sdk", "static")
        page = hub.spaces[SPACE].head.files["index.html"].decode()
        assert re.findall(r'href="[^"]*/gallery"', page) == [link] * bool(link)
    for path in ("data.csv", *OLD):
        hub.spaces.clear()
        hub.add(f"{ORG}/gallery", {path: b"1"})
        message = ": 4 files written, 1 deleted. See" if path in OLD else "would lose data.csv"
        assert message in command("gallery", "--free")
        assert (SPACE in hub.spaces) == (path in OLD)  # if one is refused, none is written


OLD = ("_space.py", "space_ui/__init__.py")  # of earlier layouts
LINK = 'See the [interface](../../docs/contract.md#inputs) and `evaluate.load("<org>/made_up", k=1)`.\n'


def test_links_in_cards_get_the_address_of_the_repository(
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
    for origin, options, expected in (
        ("https://github.com/me/metrics.git", (), "https://github.com/me/metrics"),
        ("https://user:secret@github.com/me/metrics", (), "https://github.com/me/metrics"),
        ("git@gitlab.com:me/group/metrics.git", (), "https://gitlab.com/me/group/metrics"),
        ("/home/me/metrics", ("--repository", "https://x.org/m/"), "https://x.org/m"),
    ):
        hub.spaces.clear()
        made_up.git(directory, "config", "remote.origin.url", origin)
        command(*options)
        card = hub.spaces[SPACE].head.files["README.md"].decode()
        assert LINK.replace("../..", f"{expected}/blob/main").replace("<org>", ORG) in card
        assert "<org>" not in card


def test_changes_under_a_published_version_are_rejected(hub: LoopbackHub, directory: Path, command: Command) -> None:
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
        assert "(_equal.py): raise VERSION in answer_metrics/contract/metric.py" in done
    assert len(hub.spaces[SPACE].commits) == 2


def test_unrelated_space_of_the_same_name_is_left_alone(hub: LoopbackHub, command: Command) -> None:
    for path in ("data.csv", "app.py"):
        hub.spaces.clear()
        hub.add(SPACE, {"README.md": b"my own app", path: b"precious"})
        hub.spaces[SPACE].tags["latest"] = hub.spaces[SPACE].head.oid
        for options in ((), ("--dry-run",)):
            assert f"{SPACE} was not published from here and would lose {path}" in command(*options)
        assert hub.spaces[SPACE].head.files[path] == b"precious"
        assert "6 files written" in command("--force")
        assert set(hub.spaces[SPACE].head.files) == {".gitattributes", *made_up.FILES}


# What is wrong with the token, the owner, or the Hub's answers to an operation; None: there is no network
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"token": "hf_wrong"}, "does not accept the token in HF_TOKEN (401)"), ({"token": " "}, "HF_TOKEN is not set"),
    ({"token": "hf_two words"}, "HF_TOKEN contains characters that are not valid"),
    ({"org": "strangers"}, "may not write to strangers/made_up (403): check the spelling of ORG"),
    ({"whoami": 403}, "that the token has write access to acme."),
    ({"org": ""}, "ORG must be your name"), ({"org": "a/b"}, "ORG must be your"), ({"org": "é"}, "ORG must be your"),
    ({"org": "x" * 97}, "The Hub rejected " + "x" * 97),
    ({"network": None}, "(ConnectError): check the network"), ({"info": 429}, "rate limit is reached (429)"),
    ({"commit": 402}, "SDK=static"), ({"commit": 404}, "does not find acme/made_up (404)"),
    ({"validate": 400}, "The Hub rejected acme/made_up: Invalid metadata in README.md. - no because"),
    ({"commit": 400}, "rejected the request for acme/made_up (400). The Hub says: no because"),
]  # fmt: skip


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


def test_failed_checks_and_unknown_metrics_stop_all_publishing(
    hub: LoopbackHub, directory: Path, gallery: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [path.name for path in publish.find_directories([])] == [*answer_metrics.names(), "gallery"]
    for name in ("acuracy", "_template"):
        assert f"There is no metric '{name}' to publish." in command(name)
    monkeypatch.setattr(publish, "check_alone", lambda name, _: [f"{name}: does not start"])
    monkeypatch.setattr(publish, "GALLERY", gallery)
    both = "Nothing was published:\n  made_up: does not start\n  gallery: does not start\n"
    assert both in command("gallery")
    for path in (directory, gallery):
        (path / "results.json").write_text("{}", encoding="utf-8")
    first, *others = command("gallery").splitlines()
    assert (first, [line.partition(" is not tracked by git")[0] for line in others]) == (
        "Nothing was published:",
        ["  made_up/results.json", "  gallery/results.json"],
    )
    assert not hub.log


FAILED = "is published but does not run (BUILD_ERROR): No module named x. Its logs are at "
WAITED = "is published but not running after 0 seconds: look at "


def test_publishing_waits_until_the_space_runs_or_fails(
    hub: LoopbackHub, command: Command, gallery: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    previous: dict[str, object] = {"stage": "RUNNING", "sha": "the previous commit"}
    stages: list[dict[str, object]] = [{"stage": stage} for stage in ("BUILDING", "APP_STARTING", "RUNNING")]
    failed: list[dict[str, object]] = [{"stage": "BUILD_ERROR", "errorMessage": "No module\nnamed x"}]
    runs = ([previous, *stages], "60", "is running, "), (failed, "60", FAILED), (stages[:1], "0.2", WAITED)
    stopped: list[dict[str, object]] = [{"stage": "PAUSED"}]
    paused = (stopped, "60", "is published but does not run (PAUSED). Its logs are at ")
    for answers, wait, text in (*runs, paused, ([], "0", "See ")):
        hub.spaces.clear()
        hub.log.clear()
        hub.runtimes[SPACE] = list(answers)
        done = command("--wait", wait)
        assert text in done
        assert ("not running" in done) == (text == WAITED)
        assert hub.spaces[SPACE].tags
        assert len(hub.requests("GET", "/runtime")) == len(answers) or text == WAITED
    monkeypatch.setattr(publish, "GALLERY", gallery)
    hub.spaces.clear()
    hub.runtimes |= {SPACE: failed, f"{ORG}/gallery": [{"stage": "RUNNING"}]}
    done = command("gallery", "--wait", "60")
    assert (FAILED in done, f"{ORG}/gallery is running, " in done) == (True, True)  # of several, each is waited for


IMPORT = "from ._equal import equal\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("README.md", '"6.31.0"', "6.3", "sdk_version must be quoted"),
        ("README.md", 'sdk_version: "6.31.0"\n', "", "sdk_version is missing"),
        ("README.md", '"3.12"', "3.12", "python_version must be quoted"),
        ("README.md", "  - evaluate\n", "", "the tag evaluate is missing"),
        ("README.md", "The share of equal texts\n---", "''\n---", "at most 60 characters"),
        ("README.md", "  - metric\n", "", "the tag metric is missing"),
        ("README.md", "The share of equal texts\n---", "x" * 61 + "\n---", "at most 60 characters"),
        ("README.md", "app_file: app.py", "app_file: absent.py", "app_file must name a file"),
        ("README.md", "title: Made up\n", "", "title is missing"),
        ("README.md", "title: Made up", "title: [", "not valid YAML"),
        ("README.md", "---\ntitle", "title", "does not begin with front matter"),
        ("_metric.py", "0.1.0", "0.4.10", "evaluate takes for its own version"),
        ("_metric.py", "0.1.0", "one", "VERSION must be three numbers with dots"),
        ("made_up.py", IMPORT, "from ._equal import equal  # ours\n", "no comment may follow the import of ._equal"),
        ("made_up.py", "import datasets\n", "import datasets(\n", "line 3"),
        ("_equal.py", "def equal", "from ._more import X\n\n\ndef equal", "imports from ._more, which is not beside"),
        ("requirements.txt", "datasets", "datasets >=", "is not a requirement that pip can read"),
        ("requirements.txt", "datasets", "dataasets", "dataasets is not installed here"),
    ],
)
def test_each_problem_names_its_file(directory: Path, file: str, old: str, new: str, expected: str) -> None:
    made_up.edit(directory / file, old, new)
    (found,) = check_directory(directory)
    assert expected in found
    assert found.startswith("made_up/" + file)


def test_smallest_metric_and_what_is_unusual_but_works_pass(directory: Path) -> None:
    assert check_directory(directory) == []
    assert version_of(directory) == "0.1.0"
    odd = '"""Text with\nfrom ._absent import x\n"""\nimport os.path as p\nfrom ._equal import (\n    equal,\n)\n'
    made_up.edit(directory / "made_up.py", IMPORT, odd)
    made_up.edit(directory / "_equal.py", "def equal", "from ._metric import VERSION\n\n\ndef equal")
    made_up.edit(directory / "README.md", "The share of equal texts\n---", "x" * 60 + "\n---")
    (directory / "requirements.txt").write_text('# ours\n\nabsent; python_version < "3"\n', encoding="utf-8")
    for ending in "css csv html jinja js json jsonl md py svg tsv txt".split():
        (directory / f"x.{ending}").write_text("", encoding="utf-8")
    made_up.git(directory, "add", ".")
    assert check_directory(directory) == []
    assert {path.name for path in directory.glob("x.*")} <= set(published_files(directory))


def test_static_space_needs_a_card_but_no_app(directory: Path) -> None:
    (directory / "app.py").unlink()
    assert "app_file" in check_directory(directory)[0]
    assert check_directory(directory, sdk="static") == []
    made_up.edit(directory / "README.md", "---\ntitle", "title")
    with pytest.raises(PublishError, match=r"^made_up/README.md has no front matter$"):
        read_space(directory, ORG)
    (directory / "README.md").unlink()
    assert check_directory(directory) == ["made_up/README.md, the card, is missing"]


def test_only_what_git_tracks_is_published(directory: Path) -> None:
    for name in (".env", "key.txt", "made_up-results.json", "data/.cache/key.txt", "data/__pycache__/x.py"):
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text("1", encoding="utf-8")
    assert set(published_files(directory)) == set(made_up.FILES)
    paths = [sentence.partition(" is not tracked by git: `git add` it")[0] for sentence in check_directory(directory)]
    assert paths == ["made_up/key.txt", "made_up/made_up-results.json"]
    (directory / ".gitignore").write_text("key.txt\n*.json\n", encoding="utf-8")
    made_up.git(directory, "add", ".")
    assert check_directory(directory) == []
    assert set(published_files(directory)) == set(made_up.FILES)
    of_page = {"app.py", "budget.py", "examples.json", "recorded.json", "packages.txt"}
    for name in of_page:
        (directory / name).write_text("{}", encoding="utf-8")
    made_up.git(directory, "add", "--force", *of_page)
    assert set(published_files(directory)) - set(published_files(directory, app=False)) == of_page
    made_up.git(directory, "rm", "-qf", *(of_page - {"app.py"}))
    (directory / "app.py").unlink()
    made_up.edit(directory / "requirements.txt", "datasets\n", "datasets\n# ours: x\n# Optional, for y: datasets # z\n")
    published = published_files(directory)
    assert set(published) == {*made_up.FILES} - {"app.py"}
    # a Space installs what is optional; only a page reads workbooks
    assert published["requirements.txt"] == b"evaluate\ndatasets\n# ours: x\ndatasets # z\n"
    with pytest.raises(PublishError, match="is not in a git checkout, and only files that git tracks are published"):
        check_directory(Path(tempfile.gettempdir()))


def test_tracked_files_must_be_text_of_known_types(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (directory / "cache.sqlite").write_bytes(b"SQLite")
    (directory / "data.csv").write_bytes(b"\xff\xfe")
    (directory / "link.md").symlink_to(directory / "README.md")
    (directory / "made_up.py").open("a").write(f"# {SECRET}\n")
    made_up.edit(directory / "README.md", "# Metric card", "# Use twelve-chars")
    monkeypatch.setenv("A_JUDGE_KEY", "twelve-chars")
    made_up.git(directory, "add", ".")
    of_variable = "made_up/README.md, line 13 contains the value of the environment variable A_JUDGE_KEY: remove it"
    assert of_variable in check_directory(directory)
    monkeypatch.delenv("A_JUDGE_KEY")
    problems = [sentence.partition(" is ")[2].split(" (")[0] for sentence in check_directory(directory)]
    link = "a symbolic link, which would be published as the file it points to"
    assert problems[:3] == ["not of a type that belongs in a Space", "not text in UTF-8", link]
    assert "made_up/made_up.py, line 19 contains what looks like a" in check_directory(directory)[3]


SECRET = "hf" + "_" + "a" * 30  # built here, so that secret scanners do not report this file


def test_secrets_are_found_without_showing_them() -> None:
    assert list(find_secrets({"key.txt": b"1"}, {})) == ["key.txt is named like a secret, and is not published"]
    others = {"SHORT_TOKEN": "eleven-char", "HOME": "/home/someone/else"}
    files = {"README.md": b"eleven-char\n/home/someone/else\nuse twelve-chars\n"}
    for name in ("MY_JUDGE_KEY", "HF_TOKEN", "CLIENT_SECRET", "PASSWORD"):
        problem = f"README.md, line 3 contains the value of the environment variable {name}: remove it"
        assert list(find_secrets(files, {**others, name: " twelve-chars "})) == [problem]
    for kind in ("", "RSA ", "EC ", "OPENSSH "):
        assert len(list(find_secrets({"a.md": f"x -----BEGIN {kind}PRIVATE{' '}KEY-----".encode()}, {}))) == 1
    (found,) = find_secrets({"app.py": f"X = '{SECRET}'\n".encode()}, {})
    assert found.startswith("app.py, line 1 contains what looks like a")
    assert SECRET not in found


def test_only_committed_files_are_published(
    hub: LoopbackHub, directory: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("spaces.files.ROOT", directory.parent)
        (directory.parent / "answer_metrics").mkdir()
        (directory.parent / "answer_metrics" / "x.py").write_text("", encoding="utf-8")  # whose copies are published
        assert "answer_metrics/ changed since the last commit" in command(is_dirty=True)
    made_up.edit(directory / "_equal.py", "a == b", "b == a")
    dirty = command(is_dirty=True)
    assert "made_up/_equal.py changed since the last commit, and only what is committed is published" in dirty
    made_up.edit(directory / "app.py", "A page", "The page")
    assert "made_up/_equal.py and 1 more changed since" in command(is_dirty=True)
    assert writes(hub) == 0
    assert "This was a dry run" in command("--dry-run", is_dirty=True)
    command()
    head = made_up.git(directory, "rev-parse", "--short=12", "HEAD")
    assert hub.spaces[SPACE].head.message == f"Publish v0.1.0 from commit {head}"


SLOW = "import time; time.sleep(60)\n"
NAMES = "PATH HF_HUB_OFFLINE HF_EVALUATE_OFFLINE HTTP_PROXY HTTPS_PROXY HOME HF_HOME NO_PROXY "
NAMES += "PYTHONDONTWRITEBYTECODE GRADIO_ANALYTICS_ENABLED LANG METRICS HF_TOKEN"
ABSENT = f"import os, sys\nabsent = [name for name in {NAMES.split()} if name not in os.environ]\n"
LOAD = f"{ABSENT}sys.exit(f'1\\n{{absent}} {{len(sys.argv)}} {{sys.argv[1][-12:]}} {{sys.flags.safe_path}}')"
START = f"{ABSENT}print(1)\nprint(absent, os.getcwd()[-9:], os.listdir(os.environ['METRICS']))"


@pytest.mark.parametrize(
    ("name", "smoke_test", "app", "sdk", "problem"),
    [
        ("made_up", "", made_up.APP, "gradio", ""),
        ("made_up", "", "import gradioo", "static", ""),
        ("page", LOAD, "import none", "gradio", "app.py does not start: ModuleNotFoundError: No module named 'none'"),
        ("page", LOAD, START, "gradio", "app.py does not start: ['HF_TOKEN'] copy/page ['made_up']"),
        ("page", "", "", "gradio", "app.py does not start: no message"),
        ("page", "", SLOW, "gradio", "app.py shows no page after 0.3 seconds"),
        ("made_up", SLOW, SLOW, "gradio", "an isolated copy did not load and compute within 0.3 seconds"),
        ("made_up", LOAD, SLOW, "gradio",
         "an isolated copy does not load and compute: ['METRICS', 'HF_TOKEN'] 2 copy/made_up True"),
    ],
    ids=range(8),
)  # fmt: skip
def test_a_copy_runs_alone_or_is_rejected(
    directory: Path, monkeypatch: pytest.MonkeyPatch, name: str, smoke_test: str, app: str, sdk: str, problem: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setattr(checks, "START_SECONDS", 0.3 if app == SLOW else 60)
    monkeypatch.setattr(checks, "LOAD_SECONDS", 0.3 if smoke_test == SLOW else 60)
    monkeypatch.setattr(checks, "SMOKE_TEST", directory / "smoke.py")
    monkeypatch.setattr(build, "metric_directories", lambda: [directory])
    (directory / "smoke.py").write_text(smoke_test, encoding="utf-8")
    files = {path: text.encode() for path, text in {**made_up.FILES, "app.py": app}.items()}
    assert checks.check_alone(name, SpaceFiles(SPACE, sdk, files, None)) == [f"{name}: {problem}"] * bool(problem)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_smoke_test_computes_on_two_equal_examples_and_refuses_another_class(directory: Path) -> None:
    for name, score in (("l3score", "L3Score"), ("ranked_retrieval", "map"), ("recorded_score", "score")):
        computed: Any = run_smoke_test(f"{ROOT / 'metrics' / name}/")
        assert computed[score] > 0.98
    made_up.edit(directory / "made_up.py", "import evaluate\n", "import evaluate\nfrom evaluate import Metric\n")
    with pytest.raises(SystemExit, match=r"that is not the one of made_up\.py"):
        run_smoke_test(str(directory / "made_up.py"))


def test_only_versions_0_4_are_those_of_evaluate(directory: Path) -> None:
    for version, is_refused in (
        ("0.40.0", False),
        ("0.41.2", False),
        ("0.5.0", False),
        ("1.4.0", False),
        ("0.4.0", True),
    ):
        made_up.edit(directory / "_metric.py", version_of(directory) or "", version)
        assert bool(check_directory(directory)) == is_refused, version
