"""Plans for publishing Spaces: computed from local files and the Hub, shown, then applied in one commit."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from huggingface_hub import CommitOperationAdd
from huggingface_hub import CommitOperationDelete
from huggingface_hub import SpaceHardware
from huggingface_hub.errors import RepositoryNotFoundError
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.sha import git_hash

from spaces.hub_errors import PublishError
from spaces.hub_errors import translate_errors
from spaces.published_files import FRONT_MATTER
from spaces.published_files import published_files
from spaces.published_files import version_of
from spaces.static_page import Link
from spaces.static_page import render_page
from spaces.worked_example import worked_example

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Sequence
    from pathlib import Path

    from huggingface_hub import HfApi

SDK_SETTING = re.compile(r"^(sdk|sdk_version|python_version|app_file):.*\n", flags=re.MULTILINE)
# The Hub adds this file to every repository.
KEPT = frozenset({".gitattributes"})
# All files of a Space that was created on the Hub's website.
NEW_SPACE = frozenset({*KEPT, "README.md"})
# Files that identify our Space without a version, the gallery: its page, in the current and in the first layout.
OUR_PAGES = frozenset({"space_ui/__init__.py", "_space.py"})
# Files that only the app of a Space uses.
APP_ONLY = re.compile(r"(app\.py|examples\.json|recorded\.json|packages\.txt|space_ui/.*)")

ZERO_GPU_APP = '''"""Start app.py on ZeroGPU, which hosts only Spaces that declare a function for the GPU."""

import runpy

import spaces


@spaces.GPU
def unused() -> None:
    """Declared for ZeroGPU, never called."""


runpy.run_path("app.py", run_name="__main__")
'''


@dataclass(frozen=True)
class SpaceFiles:
    """The target state of a Space: name with owner, SDK, files by path, tag, and hardware if not the default."""

    space: str
    sdk: str
    files: Mapping[str, bytes]
    tag: str | None  # None: a Space without a version
    hardware: SpaceHardware | None = None


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


def read_space(
    directory: Path, org: str, sdk: str | None, *, zero_gpu: bool = False, links: tuple[Link, ...] = ()
) -> SpaceFiles:
    """Return a directory as it is published under `org`.

    `<org>/<m>` in the card is replaced by the metric's real name. With `sdk="static"` a page made of the card and the
    first example replaces the app; evaluate loads scripts from such a Space as well.

    Args:
        directory: A metric, or the gallery.
        org: The owner on the Hub.
        sdk: `"static"` or `"gradio"`; None: the SDK in the card.
        zero_gpu: Host a Gradio Space on ZeroGPU.
        links: Links for the page of a static Space.
    """
    files = published_files(directory)
    version = version_of(directory)
    card = files["README.md"].decode().replace('"<org>/', f'"{org}/')
    match = FRONT_MATTER.match(card)
    if match is None:
        raise PublishError(f"{directory.name}/README.md has no front matter")
    settings, body = match[1], card[match.end() :]
    declared = re.search(r"^sdk: *[\"']?(\w+)", settings, flags=re.MULTILINE)
    card_sdk = declared[1] if declared else ""
    hardware = None
    if sdk == "static" and card_sdk != "static":
        card = f"---\n{SDK_SETTING.sub('', settings)}sdk: static\napp_file: index.html\n---\n{body}"
        files = {path: content for path, content in files.items() if not APP_ONLY.fullmatch(path)}
        files["index.html"] = render_page(
            directory.name, body, links, worked_example(directory, f"{org}/{directory.name}")
        ).encode()
    elif sdk not in {None, card_sdk}:
        raise PublishError(f"{directory.name}/README.md says sdk: {card_sdk}, which cannot be published with SDK={sdk}")
    elif card_sdk == "gradio" and zero_gpu:
        hardware = SpaceHardware.ZERO_A10G
        card = re.sub(r"^app_file:.*$", "app_file: zero_gpu_app.py", card, count=1, flags=re.MULTILINE)
        files["zero_gpu_app.py"] = ZERO_GPU_APP.encode()
    files["README.md"] = card.encode()
    tag = None if version is None else f"v{version}"
    return SpaceFiles(f"{org}/{directory.name}", sdk or card_sdk, dict(sorted(files.items())), tag, hardware)


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
            f"({differences}): raise VERSION in _version.py (and use the same SDK or FREE as before), then publish "
            "again."
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
                commit_message=f"Publish {target.tag}" if target.tag else "Publish",
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
    while True:
        with translate_errors(api, space):
            try:
                left = max(0.0, seconds - (time.monotonic() - start))
                runtime = api.wait_for_space(space, timeout=left, poll_interval=poll_interval)
            except TimeoutError:
                break
        # The Hub may still show the previous commit for a moment.
        if runtime.stage == "RUNNING" and runtime.raw.get("sha", commit) == commit:
            return time.monotonic() - start
        if runtime.stage != "RUNNING":
            reason = " ".join(str(runtime.raw.get("errorMessage") or "").split())
            raise PublishError(
                f"{space} is published but does not run ({runtime.stage}){f': {reason}' if reason else ''}. "
                f"Its logs are at {plan.url}?logs=container"
            )
        if time.monotonic() - start >= seconds:
            break
        time.sleep(poll_interval)
    raise PublishError(f"{space} is published but not running after {seconds:.0f} seconds: look at {plan.url}")
