"""Static checks of a directory before it is published as a Space; nothing is run here.

Each check yields sentences that name the file. `spaces.isolated_checks` runs the metric and its page.
"""

from __future__ import annotations

import json
import re
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Any

import yaml  # type: ignore[import-untyped]  # its types are a separate package
from packaging.requirements import InvalidRequirement
from packaging.requirements import Requirement

from scripts import vendor
from spaces.loader_checks import check_imports
from spaces.published_files import FRONT_MATTER
from spaces.published_files import SUFFIXES
from spaces.published_files import is_metric
from spaces.published_files import published_files
from spaces.published_files import unexpected_files
from spaces.published_files import version_of
from spaces.secret_scan import find_secrets

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping

SDKS = ("gradio", "static")
# evaluate finds Spaces with its modules by these tags.
TAGS = ("evaluate", "metric")
MAX_DESCRIPTION = 60  # the Hub's limit
COLORS = frozenset({"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"})  # the Hub's list


def check_directory(directory: Path, sdk: str | None = None) -> list[str]:
    """Return the problems that prevent publishing a directory, one sentence each.

    `sdk="static"` checks it for publishing as a static page regardless of its card; then it needs no app.
    """
    files = published_files(directory)
    found = [
        *unexpected_files(directory),
        *find_secrets(files),
        *_check_files(directory, files),
        *_check_card(directory, sdk, files),
        *_check_examples(files),
        *_check_requirements(files),
        *vendor.problems(directory),
    ]
    if is_metric(directory):
        try:
            found += [*_check_version(directory), *check_imports(directory)]
        except SyntaxError as error:
            found.append(f"{error.filename}, line {error.lineno}: {error.msg}")
    return [f"{directory.name}/{sentence}" for sentence in found]


def _check_files(directory: Path, files: Mapping[str, bytes]) -> Iterator[str]:
    for path, content in files.items():
        if Path(path).suffix not in SUFFIXES:
            yield f"{path} is not of a type that belongs in a Space ({' '.join(sorted(SUFFIXES))})"
        elif b"\0" in content or not _is_utf8(content):
            yield f"{path} is not text in UTF-8"
        elif (directory / path).is_symlink():
            yield f"{path} is a symbolic link, which would be published as the file it points to"


def _check_examples(files: Mapping[str, bytes]) -> Iterator[str]:
    """Check that examples.json is a list of examples; starting the page shows whether it can display them."""
    if "examples.json" not in files:
        return
    try:
        examples = json.loads(files["examples.json"])
    except ValueError as error:
        yield f"examples.json is not valid JSON: {error}"
        return
    if not isinstance(examples, list) or not examples:
        yield "examples.json must be a list of at least one example"
        return
    for index, example in enumerate(examples):
        if not isinstance(example, dict) or not isinstance(example.get("title"), str) or not example.get("rows"):
            yield f"examples.json: example {index} needs a title and rows"


def _check_requirements(files: Mapping[str, bytes]) -> Iterator[str]:
    """Check that each line of requirements.txt is valid, and satisfied in this environment, which runs the checks."""
    for number, line in enumerate(files.get("requirements.txt", b"").decode(errors="replace").splitlines(), start=1):
        text = re.sub(r"(^|\s)#.*", "", line).strip()
        if not text:
            continue
        where = f"requirements.txt, line {number}"
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            yield f"{where}: {text!r} is not a requirement that pip reads"
            continue
        if requirement.marker is not None and not requirement.marker.evaluate():
            continue
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            yield f"{where}: {requirement.name} is not installed here, so nothing shows that it exists"
            continue
        if not requirement.specifier.contains(version, prereleases=True):
            yield f"{where}: {text} does not allow {version}, the version that is installed here"


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _check_card(directory: Path, sdk: str | None, files: Mapping[str, bytes]) -> Iterator[str]:
    if "README.md" not in files:
        yield "README.md, the card, is missing"
        return
    match = FRONT_MATTER.match(files["README.md"].decode(errors="replace"))
    try:
        card = yaml.safe_load(match[1]) if match else None
    except yaml.YAMLError as error:
        yield f"README.md: the front matter is not valid YAML: {' '.join(str(error).split())}"
        return
    if not isinstance(card, dict):
        yield "README.md does not begin with front matter between two lines of ---"
        return
    for sentence in _check_front_matter(card, sdk or card.get("sdk"), files, needs_tags=is_metric(directory)):
        yield f"README.md: {sentence}"


def _check_front_matter(
    card: Mapping[str, Any], sdk: str | None, files: Mapping[str, bytes], *, needs_tags: bool
) -> Iterator[str]:
    if not isinstance(card.get("title"), str):
        yield "title is missing"
    yield from _check_sdk(card, sdk, files)
    description = card.get("short_description")
    if not isinstance(description, str) or not 0 < len(description) <= MAX_DESCRIPTION:
        yield f"short_description must be a string of at most {MAX_DESCRIPTION} characters, not {description!r}"
    for key in ("colorFrom", "colorTo"):
        if card.get(key, "gray") not in COLORS:
            yield f"{key} must be one of {', '.join(sorted(COLORS))}, not {card[key]!r}"
    tags = card.get("tags") or []
    for tag in TAGS if needs_tags else ():
        if tag not in tags:
            yield f"the tag {tag} is missing: evaluate lists its modules by it"


def _check_sdk(card: Mapping[str, Any], sdk: str | None, files: Mapping[str, bytes]) -> Iterator[str]:
    if sdk not in SDKS:
        yield f"sdk must be one of {', '.join(SDKS)}, not {sdk!r}"
    if sdk == "gradio":
        if "sdk_version" not in card:
            yield "sdk_version is missing"
        if card.get("app_file") not in files:
            yield f"app_file must name a file of the Space, not {card.get('app_file')!r}"
    for key in ("sdk_version", "python_version"):
        if key in card and not isinstance(card[key], str):
            yield f"{key} must be quoted: unquoted, YAML reads it as the number {card[key]!r}"


def _check_version(directory: Path) -> Iterator[str]:
    version = version_of(directory)
    if version is None:
        yield '_version.py must say VERSION = "1.2.3"'
    elif not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"_version.py: VERSION must be three numbers with dots, not {version!r}"
    elif version.startswith("0.4."):
        # evaluate 0.4.6 asks for the tag v0.4.6 before main, so such a tag would be what its users get forever.
        yield f"_version.py: a tag v{version} is one that evaluate takes for its own version: choose 0.5.0 or later"
