"""What is to be done to a Space: planned from its files and what the Hub holds, shown, then applied in one commit."""

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

FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---\n", flags=re.DOTALL)
SDK_SETTING = re.compile(r"^(sdk|sdk_version|python_version|app_file):.*\n", flags=re.MULTILINE)
# The Hub itself puts this into every repository.
KEPT = frozenset({".gitattributes"})
# A Space that somebody created on the Hub's page holds no more than this.
NEW_SPACE = frozenset({*KEPT, "README.md"})
# What tells a Space of ours without a version, the gallery, from others: its page, today and in the first layout.
OUR_PAGES = frozenset({"space_ui/__init__.py", "_space.py"})
# What only the app of a Space uses.
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
    """A Space as it is to be: its name with owner, its SDK, its hardware if not the default, its files by path."""

    space: str
    sdk: str
    files: Mapping[str, bytes]
    tag: str | None  # None: a Space without a version
    hardware: SpaceHardware | None = None


@dataclass(frozen=True)
class Plan:
    """What is to be done to one Space. Paths are those in the Space."""

    target: SpaceFiles
    url: str
    head: str | None = None  # the commit that the plan was made for; None: the Space does not exist yet
    added: Sequence[str] = ()
    changed: Sequence[str] = ()
    deleted: Sequence[str] = ()
    unchanged: Sequence[str] = ()
    tagged_at: str | None = None  # the commit that has this tag already
    is_compared: bool = True  # False: the Hub could not be asked what the Space holds

    @property
    def has_changes(self) -> bool:
        """Whether the Space's files are to change."""
        return bool(self.added or self.changed or self.deleted)

    @property
    def needs_tag(self) -> bool:
        """Whether the tag is to be created."""
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
            lines.append("  unknown    what the Space holds now")
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

    A card calls its metric `<org>/<m>`, which becomes its real name. With `sdk="static"` the card says so,
    and a page made of the card and the first example takes the place of the app; evaluate loads scripts from such a
    Space just as well.

    Args:
        directory: A metric, or a page of its own.
        org: The owner on the Hub.
        sdk: `"static"`, `"gradio"`, or what the card says.
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
    stated = re.search(r"^sdk: *[\"']?(\w+)", settings, flags=re.MULTILINE)
    own = stated[1] if stated else ""
    hardware = None
    if sdk == "static" and own != "static":
        card = f"---\n{SDK_SETTING.sub('', settings)}sdk: static\napp_file: index.html\n---\n{body}"
        files = {path: content for path, content in files.items() if not APP_ONLY.fullmatch(path)}
        files["index.html"] = render_page(
            directory.name, body, links, worked_example(directory, f"{org}/{directory.name}")
        ).encode()
    elif sdk not in {None, own}:
        raise PublishError(f"{directory.name}/README.md says sdk: {own}, which cannot be published with SDK={sdk}")
    elif own == "gradio" and zero_gpu:
        hardware = SpaceHardware.ZERO_A10G
        card = re.sub(r"^app_file:.*$", "app_file: zero_gpu_app.py", card, count=1, flags=re.MULTILINE)
        files["zero_gpu_app.py"] = ZERO_GPU_APP.encode()
    files["README.md"] = card.encode()
    tag = None if version is None else f"v{version}"
    return SpaceFiles(f"{org}/{directory.name}", sdk or own, dict(sorted(files.items())), tag, hardware)


def make_plan(api: HfApi, target: SpaceFiles, *, force: bool = False) -> Plan:
    """Compare files with what their Space holds. Writes nothing.

    Raises:
        PublishError: The Space would lose files and shows no sign of having been published from here (unless `force`),
            or its version is published already with other content.
    """
    space, files = target.space, target.files
    head, existing, tags = None, {}, {}
    with translate_errors(api, space):
        try:
            # Asked before any creation: the Hub answers 402 to that even where the Space exists already.
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
            f"{space} has the tag {target.tag} already, at {plan.tagged_at[:7]}, and differs from it by now "
            f"({differences}): raise VERSION in _version.py (and SDK or FREE must be what it was), then publish again."
        )
    return plan


def apply_plan(api: HfApi, plan: Plan) -> str:
    """Bring a Space to what its plan says, in one commit and one tag, and return the commit it then stands at.

    The Hub rejects the commit if the Space has changed since the plan was made.
    """
    target, head = plan.target, plan.head
    with translate_errors(api, target.space):
        if head is None:
            api.create_repo(target.space, repo_type="space", space_sdk=target.sdk, space_hardware=target.hardware)
            # The Hub begins every repository with a commit of its own.
            head = api.space_info(target.space).sha
        if plan.has_changes:
            # Not upload_folder: it splits a commit in two when the Hub rejects it, and guards only the first.
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
    """Wait until a Gradio Space runs this commit and return how long that took, in seconds.

    Raises:
        PublishError: It was built or started in vain, or the time is up.
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
