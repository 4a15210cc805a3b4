"""The loopback Hub itself, tested with the real clients."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from huggingface_hub import CommitOperationAdd
from huggingface_hub import CommitOperationDelete
from huggingface_hub import HfApi
from huggingface_hub.errors import EntryNotFoundError
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.errors import RepositoryNotFoundError
from huggingface_hub.errors import RevisionNotFoundError

from tests.integration import made_up
from tests.integration.clean_process import load_and_compute
from tests.loopback_hub import TOKEN
from tests.loopback_hub import LoopbackHub

if TYPE_CHECKING:
    from collections.abc import Iterator

SPACE = "org/made_up"
CARD = b"---\ntitle: Made up\nsdk: gradio\n---\n"


@pytest.fixture
def hub() -> Iterator[LoopbackHub]:
    with LoopbackHub() as hub:
        yield hub


@pytest.fixture
def api(hub: LoopbackHub) -> HfApi:
    return HfApi(endpoint=hub.url, token=TOKEN)


def files_of(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def status(error: pytest.ExceptionInfo[HfHubHTTPError]) -> int:
    return error.value.response.status_code


def test_space_can_be_created_updated_and_downloaded(hub: LoopbackHub, api: HfApi, tmp_path: Path) -> None:
    api.create_repo(SPACE, repo_type="space", space_sdk="gradio")
    first = api.space_info(SPACE).sha
    operations = [CommitOperationAdd("README.md", CARD), CommitOperationAdd("a/b.py", b"x = 1\n")]
    commit = api.create_commit(SPACE, operations, commit_message="m", repo_type="space", parent_commit=first)
    api.create_tag(SPACE, tag="v1", repo_type="space", revision=commit.oid)
    api.create_commit(SPACE, [CommitOperationDelete("a/b.py")], commit_message="n", repo_type="space")

    assert [file.path for file in api.list_repo_tree(SPACE, repo_type="space", recursive=True)] == [
        ".gitattributes",
        "README.md",
    ]
    assert "a/b.py" in api.list_repo_files(SPACE, repo_type="space", revision="v1")
    assert {tag.name: tag.target_commit for tag in api.list_repo_refs(SPACE, repo_type="space").tags} == {
        "v1": commit.oid
    }
    for revision in ("v1", commit.oid):
        path = api.hf_hub_download(SPACE, "a/b.py", repo_type="space", revision=revision, cache_dir=tmp_path)
        assert Path(path).read_bytes() == b"x = 1\n"
    copy = Path(api.snapshot_download(SPACE, repo_type="space", revision="v1", local_dir=tmp_path / "copy"))
    assert (copy / "README.md").read_bytes() == CARD
    assert api.whoami()["orgs"][0]["name"] == "org"
    assert len(hub.spaces[SPACE].commits) == 3


def test_unchanged_file_creates_no_commit(hub: LoopbackHub, api: HfApi) -> None:
    hub.add(SPACE, {"README.md": CARD})
    api.create_commit(SPACE, [CommitOperationAdd("README.md", CARD)], commit_message="m", repo_type="space")
    assert len(hub.spaces[SPACE].commits) == 2
    assert not hub.requests("POST", "/commit/main")


def test_commit_on_an_outdated_parent_is_rejected(hub: LoopbackHub, api: HfApi) -> None:
    old = hub.add(SPACE, {"a.py": b"1"}).oid
    hub.add(SPACE, {"a.py": b"2"})
    with pytest.raises(HfHubHTTPError) as error:
        api.create_commit(
            SPACE, [CommitOperationAdd("a.py", b"3")], commit_message="m", repo_type="space", parent_commit=old
        )
    assert status(error) == 412
    assert hub.spaces[SPACE].head.files["a.py"] == b"2"


def test_hub_errors_raise_the_clients_exceptions(hub: LoopbackHub, api: HfApi, tmp_path: Path) -> None:
    with pytest.raises(RepositoryNotFoundError):
        api.space_info(SPACE)
    hub.add(SPACE, {"README.md": CARD})
    with pytest.raises(RevisionNotFoundError):
        api.list_repo_files(SPACE, repo_type="space", revision="v9")
    with pytest.raises(EntryNotFoundError):
        api.hf_hub_download(SPACE, "absent.py", repo_type="space", cache_dir=tmp_path)
    with pytest.raises(HfHubHTTPError) as error:
        api.create_repo(SPACE, repo_type="space", space_sdk="gradio")
    assert status(error) == 409
    with pytest.raises(HfHubHTTPError) as error:
        api.create_repo("strangers/made_up", repo_type="space", space_sdk="gradio")
    assert status(error) == 403
    api.create_tag(SPACE, tag="v1", repo_type="space")
    with pytest.raises(HfHubHTTPError) as error:
        api.create_tag(SPACE, tag="v1", repo_type="space")
    assert status(error) == 409
    with pytest.raises(ValueError, match="short_description"):
        api.create_commit(
            SPACE,
            [CommitOperationAdd("README.md", b"---\nsdk: static\nshort_description: " + b"x" * 61 + b"\n---\n")],
            commit_message="m",
            repo_type="space",
        )


@pytest.mark.parametrize("token", ["hf_wrong", None])
def test_writing_requires_a_valid_token(hub: LoopbackHub, token: str | None) -> None:
    hub.add(SPACE, {"README.md": CARD})
    stranger = HfApi(endpoint=hub.url, token=token or False)
    for write in (
        lambda: stranger.create_tag(SPACE, tag="v1", repo_type="space"),
        lambda: stranger.create_repo("org/new", repo_type="space", space_sdk="static"),
        lambda: stranger.create_commit(
            SPACE, [CommitOperationAdd("a.py", b"1")], commit_message="m", repo_type="space"
        ),
    ):
        with pytest.raises(HfHubHTTPError) as error:
            write()
        assert status(error) == 401
    assert len(hub.spaces[SPACE].commits) == 2


def test_free_account_can_create_only_static_spaces(hub: LoopbackHub, api: HfApi) -> None:
    hub.free_account = True
    with pytest.raises(HfHubHTTPError) as error:
        api.create_repo(SPACE, repo_type="space", space_sdk="gradio")
    assert status(error) == 402
    api.create_repo(SPACE, repo_type="space", space_sdk="static")
    assert hub.spaces[SPACE].sdk == "static"


def test_refusals_hooks_and_request_log_work(hub: LoopbackHub, api: HfApi) -> None:
    hub.add(SPACE, {"README.md": CARD})
    seen: list[str] = []
    hub.before("info", lambda: seen.append("info"))
    api.space_info(SPACE)
    api.space_info(SPACE)
    assert seen == ["info"]
    hub.refuse("refs", 503, "closed")
    with pytest.raises(HfHubHTTPError, match="closed"):
        api.list_repo_refs(SPACE, repo_type="space")
    assert [request.status for request in hub.log] == [200, 200, 503]
    assert all(request.with_token for request in hub.log)
    assert TOKEN not in repr(hub.log)


def test_stopped_hub_is_unreachable(hub: LoopbackHub) -> None:
    port = urlsplit(hub.url).port
    hub.stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


def test_evaluate_loads_main_tags_and_commits(hub: LoopbackHub, tmp_path: Path) -> None:
    directory = made_up.write(tmp_path / "metrics")
    old = hub.add(SPACE, files_of(directory))
    hub.spaces[SPACE].tags["v0.1.0"] = old.oid
    hub.add(SPACE, {"_version.py": b'VERSION = "0.2.0"\n'})
    for revision, version in ((None, "0.2.0"), ("v0.1.0", "0.1.0"), (old.oid, "0.1.0")):
        home = tmp_path / version / str(revision)
        result = load_and_compute(SPACE, home, revision=revision, HF_ENDPOINT=hub.url)
        assert result == {"made_up": 1.0, "version": version}
    assert not any(request.with_token for request in hub.log)
    # evaluate first asks for a tag named after its own version, then for main.
    assert hub.requests("HEAD", r"/resolve/v0\.4\.\d+/made_up\.py")[0].status == 404
