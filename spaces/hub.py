"""Spaces on the Hub: compared with local files, then changed in one commit; errors say what to do."""

import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus

import httpx2
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled, RepositoryNotFoundError
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.sha import git_hash

from spaces.files import PublishError, SpaceFiles

KEPT = frozenset({".gitattributes"})  # which the Hub adds to every repository
NEW_SPACE = frozenset({*KEPT, "README.md"})  # all files of a Space that was created on the Hub's website
# Files that identify our Space without a version, the gallery: its page, in this and in earlier layouts.
OUR_PAGES = frozenset({"_space.py", "space.py", "space_ui/__init__.py"})
# Fields: {space}, its owner {org}, {endpoint}, {status}, and the Hub's message, {detail}.
MESSAGES: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: (
        "The Hub does not accept the token in HF_TOKEN (401): create one with write access at "
        "{endpoint}/settings/tokens and set HF_TOKEN to it."
    ),
    HTTPStatus.PAYMENT_REQUIRED: (
        "The Hub runs Gradio Spaces only for accounts with a paid plan (402), and {space} is one. Without a plan, add "
        "FREE=1: metrics become free static pages, from which evaluate.load works just as well, and the gallery stays "
        "interactive on ZeroGPU (two such Spaces per personal account that has a verified email and is 30 days old). "
        "SDK=static publishes pages only.{detail}"
    ),
    HTTPStatus.FORBIDDEN: (
        "The token in HF_TOKEN may not write to {space} (403): check the spelling of ORG, your role in it, and that "
        "the token has write access to {org}.{detail}"
    ),
    HTTPStatus.NOT_FOUND: (
        "The Hub does not find {space} (404): it was deleted or renamed in the meantime, or the token in HF_TOKEN may "
        "not see it.{detail}"
    ),
    HTTPStatus.CONFLICT: (
        "{space}, or its tag, was created in the meantime (409): look at {endpoint}/spaces/{space}, then run "
        "the same command again."
    ),
    HTTPStatus.PRECONDITION_FAILED: (
        "{space} was changed in the meantime (412), and nothing was overwritten: look at "
        "{endpoint}/spaces/{space}/commits/main, then run the same command again."
    ),
    HTTPStatus.TOO_MANY_REQUESTS: "The Hub's rate limit is reached (429): wait a few minutes, then run this again.",
}
SERVER_ERROR = "The Hub reports a server error ({status}): run the same command again later.{detail}"
REJECTED = "The Hub rejected the request for {space} ({status}).{detail}"


class HubUnreachableError(PublishError):
    """The Hub cannot be reached: no network, a wrong address, or offline mode."""


@contextmanager
def translate_errors(api: HfApi, space: str) -> Iterator[None]:
    """Turn errors of the Hub and the network into a `PublishError` that says what to do."""
    try:
        yield
    except HfHubHTTPError as error:
        status = error.response.status_code
        detail = f" The Hub says: {error.server_message}" if error.server_message else ""
        message = MESSAGES.get(status, SERVER_ERROR if status >= HTTPStatus.INTERNAL_SERVER_ERROR else REJECTED)
        fields = {"space": space, "org": space.partition("/")[0], "endpoint": api.endpoint, "status": status}
        raise PublishError(message.format(detail=detail, **fields)) from None
    except OfflineModeIsEnabled:
        raise HubUnreachableError("HF_HUB_OFFLINE is set, and publishing needs the network: unset it.") from None
    except (httpx2.TransportError, httpx2.InvalidURL) as error:
        raise HubUnreachableError(
            f"No answer from {api.endpoint} ({type(error).__name__}): check the network and HF_ENDPOINT, then run the "
            "same command again; what has been published stays."
        ) from None
    except json.JSONDecodeError:
        raise HubUnreachableError(
            f"The server at {api.endpoint} is not a Hub: check the network and HF_ENDPOINT."
        ) from None
    except ValueError as error:  # raised by huggingface_hub for an invalid name, and if the Hub rejects a card
        raise PublishError(f"The Hub rejected {space}: {' '.join(str(error).split())}") from None


@dataclass(frozen=True)
class Plan:
    """The changes to one Space. Paths are relative to the Space."""

    target: SpaceFiles
    url: str
    head: str | None = None  # the commit that the plan was made for; None: the Space does not exist yet
    added: Sequence[str] = ()
    changed: Sequence[str] = ()
    deleted: Sequence[str] = ()
    unchanged: Sequence[str] = ()
    tagged_at: str | None = None  # the commit that already has this tag
    is_compared: bool = True  # False: the Hub could not be reached for the current state

    @property
    def has_changes(self) -> bool:
        """Whether files of the Space will change."""
        return bool(self.added or self.changed or self.deleted)

    @property
    def needs_tag(self) -> bool:
        """Whether the tag will be created."""
        return self.target.tag is not None and self.tagged_at is None

    def __str__(self) -> str:
        target = self.target
        size = sum(map(len, target.files.values()))
        hardware = f" on {target.hardware.value}" if target.hardware else ""
        lines = [
            target.space,
            f"  address    {self.url}",
            f"  files      {len(target.files)}, {size:,} bytes; {target.sdk} Space{hardware}",
        ]
        if not self.is_compared:
            lines.append("  unknown    the current files of the Space")
        elif self.head is None:
            lines.append("  create     the Space")
        for verb in ("added", "changed", "deleted"):
            paths = getattr(self, verb)
            if paths:
                lines.append(f"  {verb:<10} {len(paths)}: {_shorten(paths)}")
        if self.unchanged:
            lines.append(f"  unchanged  {len(self.unchanged)}")
        if target.tag is not None:
            lines.append(f"  tag        {target.tag}{'' if self.needs_tag else ', exists'}")
        return "\n".join(lines)


def _shorten(paths: Sequence[str], shown: int = 6) -> str:
    rest = len(paths) - shown
    return ", ".join(paths[:shown]) + (f" and {rest} more" if rest > 0 else "")


def make_plan(api: HfApi, target: SpaceFiles, *, force: bool = False) -> Plan:
    """Compare files with the current state of their Space. Writes nothing.

    Raises:
        PublishError: If the Space would lose files and was not published by this command (unless `force`), or its
            version is already published with different content.
    """
    space, files = target.space, target.files
    head, existing, tags = None, {}, {}
    with translate_errors(api, space):
        try:
            # Checked before any creation, which fails with 402 even if the Space exists.
            head = api.space_info(space).sha
        except RepositoryNotFoundError:
            pass
        else:
            entries = api.list_repo_tree(space, repo_type="space", revision=head, recursive=True)
            existing = {entry.path: entry.blob_id for entry in entries if isinstance(entry, RepoFile)}
            tags = {ref.name: ref.target_commit for ref in api.list_repo_refs(space, repo_type="space").tags}
    plan = Plan(
        target=target,
        url=f"{api.endpoint}/spaces/{space}",
        head=head,
        added=[path for path in files if path not in existing],
        changed=[path for path in files if path in existing and existing[path] != git_hash(files[path])],
        deleted=[path for path in existing if path not in files and path not in KEPT],
        unchanged=[path for path in files if existing.get(path) == git_hash(files[path])],
        tagged_at=tags.get(target.tag or ""),
    )
    lost = {*plan.deleted, *plan.changed} - NEW_SPACE
    if target.tag is None:
        is_ours = not OUR_PAGES.isdisjoint(existing)
    else:
        is_ours = any(re.fullmatch(r"v\d+\.\d+\.\d+", name) for name in tags)
    if lost and not force and not is_ours:
        raise PublishError(
            f"{space} was not published from here and would lose {_shorten(sorted(lost))}: rename or move that Space, "
            "or publish over it with FORCE=1."
        )
    if plan.tagged_at is not None and (plan.has_changes or plan.tagged_at != head):
        differences = _shorten([*plan.added, *plan.changed, *plan.deleted]) or "other commits"
        raise PublishError(
            f"{space} already has the tag {target.tag}, at {plan.tagged_at[:7]}, and differs from it now "
            f"({differences}): raise VERSION in answer_metrics/contract/metric.py "
            "(and use the same SDK or FREE as before), "
            "then publish again."
        )
    return plan


def apply_plan(api: HfApi, plan: Plan) -> str:
    """Apply a plan to its Space, in one commit and one tag, and return the head commit.

    The Hub rejects the commit if the Space has changed since the plan was made.
    """
    target, head = plan.target, plan.head
    with translate_errors(api, target.space):
        if head is None:
            api.create_repo(target.space, repo_type="space", space_sdk=target.sdk, space_hardware=target.hardware)
            # The Hub creates an initial commit in every repository.
            head = api.space_info(target.space).sha
        if plan.has_changes:
            # Not upload_folder, which may split the changes into two commits and sets parent_commit only for the first.
            adds = [CommitOperationAdd(path, content) for path, content in target.files.items()]
            deletes = [CommitOperationDelete(path) for path in plan.deleted]
            commit = api.create_commit(
                target.space,
                [*adds, *deletes],
                commit_message=f"Publish {target.tag or target.space} from commit {target.commit}",
                repo_type="space",
                parent_commit=head,
            )
            head = commit.oid
        if target.tag is not None and plan.needs_tag:
            api.create_tag(target.space, tag=target.tag, revision=head, repo_type="space")
    return str(head)


def wait_until_running(api: HfApi, plan: Plan, commit: str, seconds: float, poll_interval: float = 5.0) -> float:
    """Wait until a Gradio Space runs this commit, and return the time in seconds.

    Raises:
        PublishError: If building or starting failed, or on timeout.
    """
    space = plan.target.space
    start = time.monotonic()
    while (left := seconds - (time.monotonic() - start)) > 0:
        with translate_errors(api, space):
            try:
                runtime = api.wait_for_space(space, timeout=left, poll_interval=poll_interval)
            except TimeoutError:
                break
        if runtime.stage != "RUNNING":
            reason = " ".join(str(runtime.raw.get("errorMessage") or "").split())
            raise PublishError(
                f"{space} is published but does not run ({runtime.stage}){f': {reason}' if reason else ''}. "
                f"Its logs are at {plan.url}?logs=container"
            )
        # The Hub may still show the previous commit for a moment.
        if runtime.raw.get("sha", commit) == commit:
            return time.monotonic() - start
        time.sleep(poll_interval)
    raise PublishError(f"{space} is published but not running after {seconds:.0f} seconds: look at {plan.url}")
