"""Publish metric directories as Spaces on the Hugging Face Hub: `make publish ORG=...`.

Everything that can be found out without writing is found out first, for all directories: the offline checks, then what
each Space holds now. A Space then gets one commit, which the Hub refuses if anybody else was faster, and one tag.

The token is taken from the environment variable HF_TOKEN and shown nowhere.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import os
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

import httpx2
from huggingface_hub import CommitOperationAdd
from huggingface_hub import CommitOperationDelete
from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.errors import HFValidationError
from huggingface_hub.errors import OfflineModeIsEnabled
from huggingface_hub.errors import RepositoryNotFoundError
from huggingface_hub.hf_api import RepoFile
from markdown_it import MarkdownIt

from scripts.vendor import ROOT
from scripts.vendor import metric_directories
from spaces.checks import FRONT_MATTER
from spaces.checks import SDKS
from spaces.checks import files_of
from spaces.checks import problems
from spaces.checks import problems_alone
from spaces.checks import version_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping
    from collections.abc import Sequence
    from pathlib import Path

GALLERY = ROOT / "spaces" / "gallery"
# The Hub puts it into every repository by itself.
LEFT_ALONE = frozenset({".gitattributes"})
# A Space that somebody made on the Hub's page holds no more than this.
FRESH = frozenset({*LEFT_ALONE, "README.md"})
# What a Space of ours without a version holds, and hardly any other.
FORM = "space_ui/page.py"

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
  :root {{ color-scheme: light dark; --line: light-dark(#d0d4dc, #3a404c); --tint: light-dark(#f5f6f8, #1c2027); }}
  body {{ font: 1rem/1.6 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 1.5rem; }}
  h1, h2, h3 {{ line-height: 1.25; margin: 2em 0 .6em; }}
  h1 {{ margin-top: .5em; }}
  a {{ color: light-dark(#3538a8, #a5b4fc); }}
  p code, li code {{ overflow-wrap: anywhere; }}
  code {{ font-size: .9em; }}
  pre {{ overflow-x: auto; padding: 1rem; border-radius: .5rem; background: var(--tint); }}
  table {{ display: block; overflow-x: auto; border-collapse: collapse; }}
  th, td {{ border-bottom: 1px solid var(--line); padding: .4rem .8rem .4rem 0; }}
  th, td {{ text-align: left; vertical-align: top; }}
  td:first-child code {{ white-space: nowrap; }}
</style>
<main>
{body}</main>
</html>
"""


# What an answer of the Hub means here, and what to do.
WORDS: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: (
        "The Hub does not accept the token in HF_TOKEN (401): make one that may write at {endpoint}/settings/tokens "
        "and set HF_TOKEN to it."
    ),
    HTTPStatus.PAYMENT_REQUIRED: (
        "The Hub runs Gradio Spaces only for accounts with a paid plan (402): get one for {org}, or publish {space} "
        "with SDK=static, a free page made of the card, from which evaluate.load works just as well."
    ),
    HTTPStatus.FORBIDDEN: (
        "The token in HF_TOKEN may not write to {space} (403): check the spelling of ORG, your role in it, and that "
        "the token has write access to {org}.{said}"
    ),
    HTTPStatus.CONFLICT: (
        "Somebody else made {space}, or its tag, while this ran (409): look at {endpoint}/spaces/{space}, then run "
        "the same command again."
    ),
    HTTPStatus.PRECONDITION_FAILED: (
        "Somebody else changed {space} while this ran (412), and nothing was written over it: look at "
        "{endpoint}/spaces/{space}/commits/main, then run the same command again."
    ),
    HTTPStatus.TOO_MANY_REQUESTS: "The Hub asks for a pause (429): wait some minutes, then run the same command again.",
}
TROUBLE = "The Hub has trouble of its own ({status}): run the same command again later.{said}"
REFUSED = "The Hub refuses what was asked for {space} ({status}).{said}"


class Stop(Exception):  # noqa: N818 - the end of the run in words for the person who started it
    """Publishing cannot go on: what every function here raises for what is wrong."""


@dataclass(frozen=True)
class Plan:
    """What is to be done to one Space. Paths are those in the Space."""

    space: str
    sdk: str
    files: Mapping[str, bytes]
    head: str | None  # the commit that the plan was made for; None: the Space is yet to be created
    added: tuple[str, ...]
    changed: tuple[str, ...]
    deleted: tuple[str, ...]
    unchanged: tuple[str, ...]
    tag: str | None  # None: a Space without a version
    tagged_at: str | None  # the commit that has this tag already

    @property
    def is_commit(self) -> bool:
        """Whether the Space's files are to change."""
        return bool(self.added or self.changed or self.deleted)

    @property
    def is_tag(self) -> bool:
        """Whether the tag is to be made."""
        return self.tag is not None and self.tagged_at is None

    def __str__(self) -> str:
        lines = [f"{self.space} ({self.sdk}{', to be created' if self.head is None else ''})"]
        for sign, paths in (("+", self.added), ("~", self.changed)):
            lines += [f"  {sign} {path} ({len(self.files[path]):,} bytes)" for path in paths]
        lines += [f"  - {path}" for path in self.deleted]
        if self.unchanged:
            lines.append(f"  = {len(self.unchanged)} unchanged: {', '.join(self.unchanged)}")
        if self.tag is not None:
            lines.append(f"  tag {self.tag}{'' if self.is_tag else ', as it is'}")
        return "\n".join(lines)


def contents(directory: Path, org: str, sdk: str | None) -> tuple[str, dict[str, bytes]]:
    """Return the sdk and the files of a directory as they are published under `org`.

    A card calls its metric `org/<m>`, which becomes its real name. With `sdk="static"` the card says so, and a page
    made of the card stands where the form would be; evaluate loads the scripts from such a Space just as well.
    """
    files = files_of(directory)
    card = files["README.md"].decode().replace('"org/', f'"{org}/')
    match = FRONT_MATTER.match(card)
    if match is None:
        raise Stop(f"{directory.name}/README.md has no front matter")
    stated = re.search(r"^sdk: *[\"']?(\w+)", match[1], flags=re.MULTILINE)
    own = stated[1] if stated else ""
    if sdk == "static" and own != "static":
        settings = re.sub(r"^(sdk|sdk_version|python_version|app_file):.*\n", "", match[1], flags=re.MULTILINE)
        card = f"---\n{settings}sdk: static\napp_file: index.html\n---\n{card[match.end() :]}"
        files["index.html"] = page(directory.name, card).encode()
    elif sdk not in {None, own}:
        raise Stop(f"{directory.name}/README.md says sdk: {own}, which cannot be published with SDK={sdk}")
    files["README.md"] = card.encode()
    return sdk or own, files


def page(title: str, card: str) -> str:
    """Return the card as a page that fetches nothing. HTML in the card is shown, not obeyed."""
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(FRONT_MATTER.sub("", card))
    return PAGE.format(title=html.escape(title), body=body)


def plan(api: HfApi, directory: Path, org: str, sdk: str | None, *, force: bool = False) -> Plan:
    """Compare a directory with its Space. Writes nothing.

    A Space that shows no sign of ours may be somebody's unrelated work, of which only `force` lets something go.
    """
    space = f"{org}/{directory.name}"
    sdk, files = contents(directory, org, sdk)
    version = version_of(directory)
    tag = None if version is None else f"v{version}"
    head, there, tags = None, {}, {}
    with plain_words(api, space):
        try:
            # Asked before any creation: the Hub answers 402 to that even where the Space exists already.
            head = api.space_info(space).sha
        except RepositoryNotFoundError:
            pass
        else:
            there = _files_there(api, space, head)
            tags = {ref.name: ref.target_commit for ref in api.list_repo_refs(space, repo_type="space").tags}
    tagged_at = tags.get(tag or "")
    made = Plan(
        space=space,
        sdk=sdk,
        files=files,
        head=head,
        added=tuple(path for path in files if path not in there),
        changed=tuple(path for path in files if path in there and there[path] != git_name(files[path])),
        deleted=tuple(path for path in there if path not in files and path not in LEFT_ALONE),
        unchanged=tuple(path for path in files if there.get(path) == git_name(files[path])),
        tag=tag,
        tagged_at=tagged_at,
    )
    lost = {*made.deleted, *made.changed} - FRESH
    # The gallery has no version, and so never a tag: what tells it from others is the form.
    is_ours = FORM in there if tag is None else any(re.fullmatch(r"v\d+\.\d+\.\d+", name) for name in tags)
    if lost and not force and not is_ours:
        raise Stop(
            f"{space} holds what was not published from here, and would lose {', '.join(sorted(lost))}: rename or move "
            "that Space, or publish over it with FORCE=1."
        )
    if made.tagged_at is not None and (made.is_commit or made.tagged_at != head):
        what = ", ".join((*made.added, *made.changed, *made.deleted)) or "other commits"
        raise Stop(
            f"{space} has the tag {tag} already, at {made.tagged_at[:7]}, and differs from it by now ({what}): raise "
            "VERSION in _version.py (and SDK= must be what it was), then publish again."
        )
    return made


def carry_out(api: HfApi, todo: Plan) -> str:
    """Bring a Space to what its plan says and return one sentence about it."""
    if not todo.is_commit and not todo.is_tag:
        return f"{todo.space} is up to date: nothing was written."
    head = todo.head
    with plain_words(api, todo.space):
        if head is None:
            api.create_repo(todo.space, repo_type="space", space_sdk=todo.sdk)
            # The Hub begins every repository with a commit of its own.
            head = api.space_info(todo.space).sha
        if todo.is_commit:
            written = [CommitOperationAdd(path, todo.files[path]) for path in (*todo.added, *todo.changed)]
            gone = [CommitOperationDelete(path) for path in todo.deleted]
            message = f"Publish {todo.tag}" if todo.tag else "Publish"
            commit = api.create_commit(
                todo.space, [*written, *gone], commit_message=message, repo_type="space", parent_commit=head
            )
            head = commit.oid
        if todo.tag is not None and todo.is_tag:
            api.create_tag(todo.space, tag=todo.tag, revision=head, repo_type="space")
    done = (
        f"{len(todo.added) + len(todo.changed)} written, {len(todo.deleted)} deleted" if todo.is_commit else "no change"
    )
    return f"{todo.space}: {done}{f', tag {todo.tag}' if todo.is_tag else ''}. See {api.endpoint}/spaces/{todo.space}"


def git_name(content: bytes) -> str:
    """Return git's name of a content, by which the Hub lists its files."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _files_there(api: HfApi, space: str, head: str | None) -> dict[str, str]:
    entries = api.list_repo_tree(space, repo_type="space", revision=head, recursive=True)
    return {entry.path: entry.blob_id for entry in entries if isinstance(entry, RepoFile)}


@contextmanager
def plain_words(api: HfApi, space: str) -> Iterator[None]:
    """Turn what the Hub and the network answer into one sentence that says what to do."""
    try:
        yield
    except HfHubHTTPError as error:
        raise Stop(_words(api, space, error)) from None
    except OfflineModeIsEnabled:
        raise Stop("HF_HUB_OFFLINE is set, and publishing needs the network: unset it.") from None
    except (httpx2.TransportError, httpx2.InvalidURL) as error:
        raise Stop(
            f"No answer from {api.endpoint} ({type(error).__name__}): check the network and HF_ENDPOINT, then run the "
            "same command again; what is published already stays."
        ) from None
    except json.JSONDecodeError:
        raise Stop(f"What answers at {api.endpoint} is no Hub: check the network and HF_ENDPOINT.") from None
    except HFValidationError as error:
        raise Stop(f"{space} cannot be the name of a Space: {error}") from None
    except ValueError as error:  # huggingface_hub's way to say that the Hub refused the card
        raise Stop(f"The Hub refuses {space}: {' '.join(str(error).split())}") from None


def _words(api: HfApi, space: str, error: HfHubHTTPError) -> str:
    status = error.response.status_code
    said = f" The Hub says: {error.server_message}" if error.server_message else ""
    unknown = TROUBLE if status >= HTTPStatus.INTERNAL_SERVER_ERROR else REFUSED
    template = WORDS.get(status, unknown)
    return template.format(space=space, org=space.partition("/")[0], endpoint=api.endpoint, status=status, said=said)


def directories(names: Sequence[str]) -> list[Path]:
    """Return the directories to publish: those named, or every metric and the gallery."""
    if not names:
        return [*metric_directories(), *([GALLERY] if GALLERY.is_dir() else [])]
    known = {GALLERY.name: GALLERY}
    found = [known.get(name, ROOT / "metrics" / name) for name in names]  # an absolute path stays what it is
    for name, path in zip(names, found, strict=True):
        if not path.is_dir() or path.name.startswith("_"):
            raise Stop(f"There is no metric {name!r} to publish.")
    return found


def token_from(environment: Mapping[str, str]) -> str | None:
    """Return the token, if there is one, in a form that no HTTP library will stumble over and print."""
    token = environment.get("HF_TOKEN", "").strip()
    if token and not (token.isascii() and token.isprintable() and " " not in token):
        raise Stop("HF_TOKEN holds characters that no token has: copy it again.")
    return token or None


def run(arguments: argparse.Namespace, token: str | None) -> None:
    """Check, plan and, unless it is a dry run, write."""
    if not re.fullmatch(r"[\w-][\w.-]*", arguments.org, flags=re.ASCII):
        raise Stop("ORG must be your name or your organisation's on the Hub: make publish ORG=...")
    if token is None and not arguments.dry_run:
        raise Stop("HF_TOKEN is not set: set it to a token that may write (or look first, with DRY_RUN=1).")
    wanted = directories(arguments.metrics)
    found = [sentence for directory in wanted for sentence in problems(directory, arguments.sdk)]
    found = found or [sentence for directory in wanted for sentence in problems_alone(directory)]
    if found:
        raise Stop("Nothing was published:\n" + "\n".join(f"  {sentence}" for sentence in found))
    # Without a token of its own the client would look for one on the disk; False forbids that.
    api = HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None, token=token or False)
    if token is not None:
        with plain_words(api, arguments.org):
            api.whoami()
    plans = [plan(api, directory, arguments.org, arguments.sdk, force=arguments.force) for directory in wanted]
    for todo in plans:
        if arguments.dry_run:
            _say(str(todo), token)
        else:
            _say(carry_out(api, todo), token)
    if arguments.dry_run:
        _say("This was a dry run: nothing was written.", token)


def _say(text: str, token: str | None) -> None:
    # Nothing here puts the token into a text; what the Hub says back, is printed too.
    sys.stdout.write((text.replace(token, "[token]") if token else text) + "\n")
    sys.stdout.flush()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m spaces.publish", description="Publish metrics as Spaces.")
    parser.add_argument("org", metavar="ORG", help="your name, or your organisation's, on the Hub")
    parser.add_argument("metrics", metavar="METRIC", nargs="*", help="what to publish (default: all, and the gallery)")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    parser.add_argument("--sdk", choices=SDKS, help="static: a page made of the card in place of the form")
    parser.add_argument("--force", action="store_true", help="publish over a Space that was not made by this command")
    token = None
    try:
        token = token_from(os.environ)
        run(parser.parse_args(argv), token)
    except Stop as stop:
        sys.stdout.flush()
        text = str(stop)
        sys.stderr.write((text.replace(token, "[token]") if token else text) + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
