"""Cases that are not published, and their errors: other owners' Spaces, tokens, namespaces, the network."""

from __future__ import annotations

from json import JSONDecodeError
from typing import TYPE_CHECKING

import pytest
from huggingface_hub import HfApi
from huggingface_hub.errors import HFValidationError
from huggingface_hub.errors import OfflineModeIsEnabled

from spaces.hub_errors import PublishError
from spaces.hub_errors import translate_errors
from tests.integration import made_up
from tests.integration.publish.conftest import ORG
from tests.integration.publish.conftest import SPACE
from tests.loopback_hub import TOKEN
from tests.loopback_hub import LoopbackHub

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.integration.publish.conftest import Run


def test_changed_content_under_a_published_version_is_rejected(
    hub: LoopbackHub, directory: Path, command: Callable[..., Run]
) -> None:
    command()
    (directory / "_equal.py").write_text("def equal(a, b): return a is b\n", encoding="utf-8")
    for options in ((), ("--dry-run",)):
        done = command(*options)
        assert done.status == 1
        assert "already has the tag v0.1.0" in done.text
        assert "_equal.py" in done.text
        assert "raise VERSION in _version.py" in done.text
    assert len(hub.spaces[SPACE].commits) == 2


def test_interrupted_run_is_completed_by_the_next(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    hub.refuse("tag", 503, "busy")
    assert "reports a server error (503)" in command().text
    assert len(hub.spaces[SPACE].commits) == 2
    hub.allow("tag")
    assert command().status == 0
    assert len(hub.spaces[SPACE].commits) == 2
    assert hub.spaces[SPACE].tags == {"v0.1.0": hub.spaces[SPACE].head.oid}


def test_space_changed_during_publishing_is_not_overwritten(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    hub.add(SPACE, {"theirs.py": b"1"})
    hub.before("commit", lambda: hub.add(SPACE, {"theirs.py": b"2"}))
    done = command("--force")
    assert done.status == 1
    assert "acme/made_up was changed in the meantime (412)" in done.text
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


def test_space_created_during_publishing_is_not_overwritten(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    hub.before("create", lambda: hub.add(SPACE, {"theirs.py": b"1"}))
    done = command()
    assert done.status == 1
    assert "in the meantime (409)" in done.text
    assert "made_up.py" not in hub.spaces[SPACE].head.files


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("hf_wrong", "does not accept the token in HF_TOKEN (401)"),
        (" ", "HF_TOKEN is not set"),
        ("hf_two words", "HF_TOKEN contains characters that are not valid"),
        ("hf_\u00fcber", "HF_TOKEN contains characters that are not valid"),
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


def test_token_with_trailing_newline_is_accepted(command: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN + "\n")
    assert command().status == 0


def test_foreign_namespace_is_rejected(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    done = command(org="strangers")
    assert done.status == 1
    assert "may not write to strangers/made_up (403)" in done.text
    assert "You don't have the rights" in done.text
    assert not hub.spaces


@pytest.mark.parametrize("org", ["", "a/b", "--help-me", "x y"])
def test_invalid_org_name_is_rejected(command: Callable[..., Run], org: str) -> None:
    if org.startswith("--"):
        with pytest.raises(SystemExit):
            command(org=org)
    else:
        assert "ORG must be your name" in command(org=org).text


@pytest.mark.parametrize(
    ("operation", "status", "expected"),
    [
        ("info", 429, "rate limit is reached (429)"),
        ("create", 500, "reports a server error (500)"),
        ("commit", 403, "may not write to acme/made_up (403)"),
        ("commit", 402, "SDK=static"),
        ("tag", 409, "or its tag, was created in the meantime (409)"),
        ("validate", 400, "The Hub rejected acme/made_up: Invalid metadata in README.md. - no because"),
        ("commit", 400, "rejected the request for acme/made_up (400). The Hub says: no because"),
    ],
)
def test_every_hub_error_is_reported_in_one_sentence(
    hub: LoopbackHub, command: Callable[..., Run], operation: str, status: int, expected: str
) -> None:
    # A server may echo the token; it must not be printed.
    hub.refuse(operation, status, f"no because {TOKEN}")
    done = command()
    assert done.status == 1
    assert expected in done.text
    assert done.text.count("\n") == 1


def test_offline_publishing_writes_nothing(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    hub.stop()
    done = command()
    assert done.status == 1
    assert f"No answer from {hub.url} (ConnectError): check the network" in done.text


def test_offline_dry_run_shows_the_files(hub: LoopbackHub, command: Callable[..., Run]) -> None:
    hub.stop()
    done = command("--dry-run")
    assert done.status == 0
    assert f"{SPACE}\n  address    {hub.url}/spaces/{SPACE}\n  files      6, " in done.text
    assert f"Not compared with the Hub. No answer from {hub.url} (ConnectError)" in done.text
    assert "  unknown    the current files of the Space\n" in done.text
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


def test_one_failed_check_stops_all_publishing(hub: LoopbackHub, directory: Path, command: Callable[..., Run]) -> None:
    (directory / "requirements.lock").write_text("x", encoding="utf-8")
    done = command()
    assert done.status == 1
    assert "Nothing was published:\n  made_up/requirements.lock does not belong to a Space" in done.text
    assert not hub.log


def test_unknown_metric_is_rejected(command: Callable[..., Run]) -> None:
    assert "no metric 'acuracy'" in command("acuracy").text
