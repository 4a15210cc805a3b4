"""What must hold before a directory is published as a Space; the contract tests hold every metric to it.

`problems` reads files only. `problems_alone` runs the metric, in a process of its own and from a copy alone. Both
return sentences that name the file, and an empty list for a directory that may be published.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Any

import yaml  # type: ignore[import-untyped]  # its types are a package of their own
from evaluate.loading import get_imports

from scripts import vendor

if TYPE_CHECKING:
    from collections.abc import Iterator

# What a Space is made of: another kind of file, such as a cache, is refused rather than uploaded. That says nothing of
# what a text holds, such as a key: in a checkout it is git that tells what is meant to be published.
SUFFIXES = frozenset({".css", ".csv", ".html", ".js", ".json", ".jsonl", ".md", ".py", ".svg", ".tsv", ".txt"})
SDKS = ("gradio", "static")
# evaluate lists a Space among its modules by these.
TAGS = ("evaluate", "metric")
LONGEST_DESCRIPTION = 60  # the Hub's limit
COLOURS = frozenset({"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"})  # the Hub's list
FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---\n", flags=re.DOTALL)

TRIAL = Path(__file__).with_name("trial.py")
TRIAL_SECONDS = 300


def is_metric(directory: Path) -> bool:
    """Tell a metric, which has a script of the directory's own name, from a Space that is only a page."""
    return (directory / f"{directory.name}.py").is_file()


def files_of(directory: Path) -> dict[str, bytes]:
    """Return the files that are published, by their paths in the Space: those that git tracks.

    Where git tracks none, in a new directory or outside a checkout, they are all but hidden ones and Python's caches.
    """
    tracked = _tracked(directory)
    everything = sorted(directory / path for path in tracked) if tracked else sorted(directory.rglob("*"))
    paths = (path.relative_to(directory) for path in everything if path.is_file())
    wanted = (path for path in paths if not any(part.startswith(".") or part == "__pycache__" for part in path.parts))
    return {path.as_posix(): (directory / path).read_bytes() for path in wanted}


def _tracked(directory: Path) -> list[str]:
    """Return the paths in a directory that git tracks; none without git or outside a checkout."""
    try:
        done = subprocess.run(["git", "ls-files", "-z"], cwd=directory, capture_output=True, text=True, check=False)  # noqa: S607 - the user's own git
    except OSError:
        return []
    return [path for path in done.stdout.split("\0") if path]


def version_of(directory: Path) -> str | None:
    """Return `VERSION` from the directory's `_version.py`, without running it; None where there is no such text."""
    path = directory / "_version.py"
    if not path.is_file():
        return None
    for statement in _parse(path).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="VERSION")], value=ast.Constant(value=str(version))):
                return version
            case _:
                pass
    return None


def problems(directory: Path, sdk: str | None = None) -> list[str]:
    """Return what keeps a directory from being published, as far as its files show.

    `sdk="static"` is for publishing it as a page, whatever its card says: then it needs no form.
    """
    found = [*_about_files(directory), *_about_card(directory, sdk), *vendor.problems(directory)]
    if is_metric(directory):
        try:
            found += [*_about_version(directory), *_about_script(directory), *_about_helpers(directory)]
        except SyntaxError as error:
            found.append(f"{error.filename}, line {error.lineno}: {error.msg}")
    return [f"{directory.name}/{sentence}" for sentence in found]


def problems_alone(directory: Path) -> list[str]:
    """Return what goes wrong when a copy of a metric, with nothing beside it, is loaded and computes."""
    if not is_metric(directory):
        return []
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "copy" / directory.name
        for path, content in files_of(directory).items():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(content)
        # No token and no keys: what is tried out here is code.
        environment = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
        environment |= {"HOME": place, "HF_HOME": place, "HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"}
        try:
            done = subprocess.run(  # noqa: S603 - our own script on a directory that we are about to publish
                [sys.executable, "-P", str(TRIAL), str(copy)],
                env=environment,
                cwd=place,
                capture_output=True,
                text=True,
                timeout=TRIAL_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return [f"{directory.name}: a copy alone did not load and compute within {TRIAL_SECONDS} seconds"]
    if done.returncode == 0:
        return []
    last = (done.stderr.strip().splitlines() or ["no message"])[-1]
    return [f"{directory.name}: a copy alone does not load and compute: {last}"]


def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes(), filename=path.name)


def _about_files(directory: Path) -> Iterator[str]:
    for path, content in files_of(directory).items():
        if Path(path).suffix not in SUFFIXES:
            yield f"{path} is of no kind that belongs into a Space ({' '.join(sorted(SUFFIXES))})"
        elif b"\0" in content or not _is_utf8(content):
            yield f"{path} is not text in UTF-8"
        elif (directory / path).is_symlink():
            yield f"{path} is a symbolic link, which would be published as what it points to"


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _about_card(directory: Path, sdk: str | None) -> Iterator[str]:
    path = directory / "README.md"
    if not path.is_file():
        yield "README.md is missing: a Space begins with its card"
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    match = FRONT_MATTER.match(text)
    try:
        card = yaml.safe_load(match[1]) if match else None
    except yaml.YAMLError as error:
        yield f"README.md: the front matter is not valid YAML: {' '.join(str(error).split())}"
        return
    if not isinstance(card, dict):
        yield "README.md does not begin with a front matter between two lines of ---"
        return
    for sentence in _about_front_matter(directory, card, sdk or card.get("sdk")):
        yield f"README.md: {sentence}"


def _about_front_matter(directory: Path, card: dict[str, Any], sdk: str | None) -> Iterator[str]:
    if not isinstance(card.get("title"), str):
        yield "title is missing"
    yield from _about_sdk(directory, card, sdk)
    description = card.get("short_description")
    if not isinstance(description, str) or not 0 < len(description) <= LONGEST_DESCRIPTION:
        yield f"short_description must be a text of at most {LONGEST_DESCRIPTION} characters, not {description!r}"
    for key in ("colorFrom", "colorTo"):
        if card.get(key, "gray") not in COLOURS:
            yield f"{key} must be one of {', '.join(sorted(COLOURS))}, not {card[key]!r}"
    tags = card.get("tags") or []
    for tag in TAGS if is_metric(directory) else ():
        if tag not in tags:
            yield f"the tag {tag} is missing: evaluate lists its modules by it"


def _about_sdk(directory: Path, card: dict[str, Any], sdk: str | None) -> Iterator[str]:
    if sdk not in SDKS:
        yield f"sdk must be one of {', '.join(SDKS)}, not {sdk!r}"
    if sdk == "gradio":
        if "sdk_version" not in card:
            yield "sdk_version is missing"
        if not isinstance(card.get("app_file"), str) or not (directory / card["app_file"]).is_file():
            yield f"app_file must name a file of the directory, not {card.get('app_file')!r}"
    for key in ("sdk_version", "python_version"):
        if key in card and not isinstance(card[key], str):
            yield f"{key} must be quoted: unquoted, YAML reads it as the number {card[key]!r}"


def _about_version(directory: Path) -> Iterator[str]:
    version = version_of(directory)
    if version is None:
        yield '_version.py must say VERSION = "1.2.3"'
    elif not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"_version.py: VERSION must be three numbers with dots, not {version!r}"
    elif version.startswith("0.4."):
        # evaluate 0.4.6 asks for the tag v0.4.6 before main, so such a tag would be what its users get for ever.
        yield f"_version.py: a tag v{version} is one that evaluate takes for its own version: choose 0.5.0 or later"


def _about_script(directory: Path) -> Iterator[str]:
    """Compare the imports that Python sees with those that evaluate's loader, which reads line by line, will see."""
    path = directory / f"{directory.name}.py"
    imports = list(_imports(_parse(path)))
    seen = [(kind, module) for kind, module, *_ in get_imports(str(path))]
    libraries = {module.partition(".")[0] for _, level, module in imports if level == 0}
    for kind, module in seen:
        if kind == "external":
            yield f"{path.name}: no comment may follow the import of .{module}: evaluate takes it for an address"
        elif kind == "library" and not module.isidentifier():
            yield f"{path.name}: evaluate reads {module!r} as one library's name: import one module per line"
        elif kind == "library" and module not in libraries:
            yield f"{path.name}: evaluate takes a line of a text for an import of {module}: use triple double quotes"
    siblings = _siblings(directory)
    fetched = {module for kind, module in seen if kind != "library"}
    for line, level, module in imports:
        for sentence in _about_import(level, module, siblings, fetched):
            yield f"{path.name}, line {line}: {sentence}"


def _about_import(level: int, module: str, siblings: set[str], fetched: set[str]) -> Iterator[str]:
    if level == 0:
        if module.partition(".")[0] in siblings:
            yield f"{module} is a sibling: write from .{module} import ..."
    elif level > 1 or not module or "." in module:
        yield "evaluate fetches a helper only for from ._helper import ..."
    elif module not in siblings or not module.startswith("_"):
        yield f"there is no helper {module}.py whose name begins with an underscore"
    elif module not in fetched:
        yield "evaluate does not see this import: it must begin a line outside of any text"


def _about_helpers(directory: Path) -> Iterator[str]:
    """Look at the helpers that the script needs: they import siblings only in the form that the loader reads."""
    siblings = _siblings(directory)
    named = set(vendor.helpers(directory))
    for path in sorted(directory / f"{module}.py" for module in named & siblings):
        for line, level, module in _imports(_parse(path)):
            for sentence in _about_import(level, module, siblings, named):
                yield f"{path.name}, line {line}: {sentence}"


def _siblings(directory: Path) -> set[str]:
    return {path.stem for path in directory.glob("*.py")}


def _imports(tree: ast.Module) -> Iterator[tuple[int, int, str]]:
    """Yield line, level (number of leading dots) and module of every import, wherever it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield node.lineno, node.level, node.module or ""
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, 0, alias.name
