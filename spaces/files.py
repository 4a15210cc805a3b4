"""The files of a Space: those of a directory that git tracks, as they are published under an owner's name."""

import html
import itertools
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from huggingface_hub import SpaceHardware
from markdown_it import MarkdownIt

from spaces.build import build_files
from spaces.flatten import ROOT, flatten

# The settings of a Space, at the top of its card.
FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---\n", flags=re.DOTALL)
SDK_SETTING = re.compile(r"^(sdk|sdk_version|python_version|app_file):.*\n", flags=re.MULTILINE)
# Files that only the app of a Space uses.
APP_ONLY = re.compile(r"(app|budget)\.py|(examples|recorded)\.json|packages\.txt")

# How a card links to a document of the repository.
REPOSITORY_LINK = "](../../"

STATIC_PAGE = Template("""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 1rem/1.6 system-ui, sans-serif; max-width: 56rem; margin: auto; overflow-wrap: anywhere; }
  a { color: light-dark(#2a4fa8, #9db5f5); }
  pre, table { display: block; overflow-x: auto; overflow-wrap: normal; }
  pre { padding: 1rem; border-radius: .5rem; border: 1px solid light-dark(#d0d0d0, #444); }
  th, td { padding: .4rem .9rem .4rem 0; text-align: left; vertical-align: top; }
</style>
<main>
$link
$card
</main>
</html>
""")

ZERO_GPU_APP = '''"""Start app.py on ZeroGPU, which hosts only Spaces that declare a function for the GPU."""

import runpy

import spaces


@spaces.GPU
def unused() -> None:
    """Declared for ZeroGPU, never called."""


runpy.run_path("app.py", run_name="__main__")
'''


class PublishError(Exception):
    """Publishing cannot continue; the message is for the user."""


@dataclass(frozen=True)
class SpaceFiles:
    """The target state of a Space: name with owner, SDK, files by path, tag, and hardware if not the default."""

    space: str
    sdk: str
    files: Mapping[str, bytes]
    tag: str | None  # None: a Space without a version
    hardware: SpaceHardware | None = None
    commit: str | None = None  # of the repository, from which the files were built


def is_metric(directory: Path) -> bool:
    """Return whether a directory is a metric, which has a script named like the directory."""
    return (directory / f"{directory.name}.py").is_file()


def published_files(directory: Path, *, app: bool = True) -> dict[str, bytes]:
    """Return what is published of a directory: the files that git tracks, as they are now, flattened."""
    paths = [path for path in list_files(directory, "--cached") if app or not APP_ONLY.fullmatch(path)]
    own = {path: (directory / path).read_bytes() for path in paths if (directory / path).is_file()}
    files = flatten(directory.name, own)
    required = "requirements.txt"
    if required in files:  # a Space installs what its page offers
        files[required] = re.sub(rb"(?m)^# Optional, [^:\n]*: ", b"", files[required])
        files[required] += b"openpyxl>=3.1,<4\n" if "app.py" in files else b""  # the page reads workbooks
    return files


def list_files(directory: Path, *options: str) -> list[str]:
    """Return the paths that `git ls-files` lists in a directory, without hidden files.

    Raises:
        PublishError: Without git, or outside a checkout.
    """
    command = ["git", "ls-files", "-z", *options]
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise PublishError(
            f"{directory.name} is not in a git checkout, and only files that git tracks are published."
        ) from None
    paths = sorted(path for path in done.stdout.split("\0") if path)
    return [path for path in paths if not any(part.startswith((".", "__pycache__")) for part in path.split("/"))]


def clean_commit(directory: Path) -> str:
    """Return the commit that a directory, and the library if the directory is in this repository, are at.

    Raises:
        PublishError: If either has changes that are not committed.
    """
    folders = [directory, ROOT / "answer_metrics"] if directory.is_relative_to(ROOT) else [directory]
    command = ["git", "status", "--porcelain", "--", *map(str, folders)]
    changes = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True).stdout.splitlines()
    if changes:
        several = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
        raise PublishError(
            f"{changes[0][3:]}{several} changed since the last commit, and only what is committed is published: commit "
            "or stash it first."
        )
    command = ["git", "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True).stdout.strip()


def repository_address(directory: Path) -> str | None:
    """Return the address on the web of the repository that a directory was cloned from, without credentials."""
    command = ["git", "config", "--get", "remote.origin.url"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    address = re.fullmatch(r"(?:\w+://)?(?:[^@/]*@)?([\w.-]+\.\w+)(?::\d+)?[:/](.+?)(?:\.git)?/?\n?", done.stdout)
    return f"https://{address[1]}/{address[2]}" if address else None


def version_of(directory: Path) -> str | None:
    """Return `VERSION` from a module of the built directory, without running it; None if there is none."""
    modules = (content for path, content in build_files(directory).items() if re.fullmatch(r"_\w+\.py", path))
    version = re.search(r'^VERSION = "(.*)"$', b"\n".join(modules).decode(), flags=re.MULTILINE)
    return version[1] if version else None


def read_space(
    directory: Path,
    org: str,
    sdk: str | None = None,
    *,
    zero_gpu: bool = False,
    gallery: str | None = None,
    repository: str | None = None,
) -> SpaceFiles:
    """Return a directory as it is published under `org`.

    `<org>/<m>` in the card is replaced by the metric's real name, and links to documents of the repository by their
    addresses. With `sdk="static"` a page made of the card replaces
    the app; evaluate loads scripts from such a Space as well.

    Args:
        directory: A metric, or the gallery.
        org: The owner on the Hub.
        sdk: `"static"`; None: the SDK in the card.
        zero_gpu: Host a Gradio Space on ZeroGPU.
        gallery: The gallery's address, for a link on a static page.
        repository: The repository's address; None leaves its links as they are.
    """
    files = published_files(directory)
    card = files["README.md"].decode().replace('"<org>/', f'"{org}/')
    if repository:
        card = card.replace(REPOSITORY_LINK, f"]({repository}/blob/main/")
    match = FRONT_MATTER.match(card)
    if match is None:
        raise PublishError(f"{directory.name}/README.md has no front matter")
    settings, body = match[1], card[match.end() :]
    declared = re.search(r"^sdk: *[\"']?(\w+)", settings, flags=re.MULTILINE)
    card_sdk = declared[1] if declared else ""
    hardware = None
    if sdk == "static" and card_sdk != "static":
        card = f"---\n{SDK_SETTING.sub('', settings)}sdk: static\napp_file: index.html\n---\n{body}"
        files = {**published_files(directory, app=False), "README.md": b""}
        files["index.html"] = static_page(directory.name, body, gallery).encode()
    elif card_sdk == "gradio" and zero_gpu:
        hardware = SpaceHardware.ZERO_A10G
        card = re.sub(r"^app_file:.*$", "app_file: zero_gpu_app.py", card, count=1, flags=re.MULTILINE)
        files["zero_gpu_app.py"] = ZERO_GPU_APP.encode()
    files["README.md"] = card.encode()
    version = version_of(directory)
    tag = None if version is None else f"v{version}"
    return SpaceFiles(f"{org}/{directory.name}", sdk or card_sdk, dict(sorted(files.items())), tag, hardware)


def static_page(title: str, card: str, gallery: str | None = None) -> str:
    """Render a card, Markdown without front matter, as a page that fetches nothing. HTML in the card is escaped."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(card)
    for opening, content in itertools.pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", re.sub(r"[^\w\- ]", "", content.content.lower()).replace(" ", "-"))
    body = markdown.renderer.render(tokens, markdown.options, {})
    # What scrolls must be reachable by keyboard; an empty cell is not a heading.
    for old, new in (("<pre>", '<pre tabindex="0">'), ("<table>", '<table tabindex="0">'), ("<th></th>", "<td></td>")):
        body = body.replace(old, new)
    link = f'<p><a href="{html.escape(gallery)}" target="_blank">Try it in the gallery</a></p>' if gallery else ""
    return STATIC_PAGE.substitute(title=html.escape(title), link=link, card=body)
