"""Checks before a directory is published as a Space: of its files, and that they load and run alone.

Each check yields sentences that name the file. What runs does so in separate processes, from a copy of exactly the
published files, without network, token or key.
"""

import ast
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]  # its types are a separate package
from evaluate.loading import get_imports
from packaging.requirements import InvalidRequirement, Requirement

from spaces import build
from spaces.files import FRONT_MATTER, SpaceFiles, is_metric, list_files, published_files, version_of
from spaces.flatten import BuildError

SDKS = ("gradio", "static")
# Allowed file types; any other, such as a cache, is rejected rather than uploaded.
SUFFIXES = frozenset(
    {".css", ".csv", ".html", ".jinja", ".js", ".json", ".jsonl", ".md", ".py", ".svg", ".tsv", ".txt"}
)
TAGS = ("evaluate", "metric")  # evaluate finds Spaces with its modules by these tags
MAX_DESCRIPTION = 60  # the Hub's limit

SECRET_NAME = re.compile(
    r"(^|[._-])(id_rsa|id_ed25519|credentials?|secrets?|passwords?|passwd|tokens?|api_?keys?|keys?|env|netrc)([._-]|$)",
    flags=re.IGNORECASE,
)
SECRET_PATTERNS = {
    "a Hugging Face token": r"\bhf_[A-Za-z0-9]{30,}",
    "an API key": r"\b(?:sk|xai|gsk|pplx|nvapi|fw|r8)[-_][A-Za-z0-9_-]{20,}",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})",
    "a GitLab token": r"\bglpat-[A-Za-z0-9_-]{20,}",
    "an AWS access key": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a Google API key": r"\bAIza[A-Za-z0-9_-]{35}",
    "a Slack token": r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
}
SECRET_VARIABLE = re.compile(r"(TOKEN|KEY|SECRET|PASSWORD)$")
MIN_SECRET = 12  # characters: shorter values of variables may be ordinary words of the card

SMOKE_TEST = Path(__file__).with_name("smoke_test.py")
LOAD_SECONDS = 300
START_SECONDS = 120
NOWHERE = "http://127.0.0.1:9"  # nothing listens there, so requests to other hosts fail immediately


def check_directory(directory: Path, sdk: str | None = None) -> list[str]:
    """Return the problems with the files of a directory, one sentence each; nothing is run here.

    `sdk="static"` checks it for publishing as a static page regardless of its card; then it needs no app.
    """
    try:
        files = published_files(directory)
    except BuildError as error:
        return [str(error)]
    problems = [
        f"{path} is not tracked by git: `git add` it if it belongs to the Space, or else remove it"
        for path in list_files(directory, "--others", "--exclude-standard")
    ]
    problems += [*_check_files(directory, files), *find_secrets(files), *_check_card(directory, sdk, files)]
    problems += _check_requirements(files)
    if is_metric(directory):
        try:
            problems += [*_check_version(directory), *_check_imports(directory.name, files)]
        except SyntaxError as error:
            problems.append(f"{error.filename}, line {error.lineno}: {error.msg}")
    return [f"{directory.name}/{sentence}" for sentence in problems]


def _check_files(directory: Path, files: Mapping[str, bytes]) -> Iterator[str]:
    for path, content in files.items():
        if Path(path).suffix not in SUFFIXES:
            yield f"{path} is not of a type that belongs in a Space ({' '.join(sorted(SUFFIXES))})"
        elif b"\0" in content or "\ufffd" in content.decode(errors="replace"):
            yield f"{path} is not text in UTF-8"
        elif (directory / path).is_symlink():
            yield f"{path} is a symbolic link, which would be published as the file it points to"


def find_secrets(files: Mapping[str, bytes], environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield a sentence for each file, given by path, whose name or content looks like a secret, without repeating it.

    The values of environment variables (default: of this process) whose names end in TOKEN, KEY, SECRET or PASSWORD
    must not be published either.
    """
    variables = os.environ if environment is None else environment
    values = {
        name: value.strip()
        for name, value in variables.items()
        if SECRET_VARIABLE.search(name) and len(value.strip()) >= MIN_SECRET
    }
    for path, content in files.items():
        name = Path(path)
        # A module such as _tokens.py is code; its content is searched anyway.
        if name.suffix != ".py" and SECRET_NAME.search(name.stem):
            yield f"{path} is named like a secret, and is not published"
            continue
        for number, line in enumerate(content.decode(errors="replace").splitlines(), start=1):
            for kind, pattern in SECRET_PATTERNS.items():
                if re.search(pattern, line):
                    yield f"{path}, line {number} contains what looks like {kind}: remove it, and revoke it if real"
            for variable, value in values.items():
                if value in line:
                    yield f"{path}, line {number} contains the value of the environment variable {variable}: remove it"


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
    for sentence in _check_settings(card, sdk or card.get("sdk"), files):
        yield f"README.md: {sentence}"
    for tag in TAGS if is_metric(directory) else ():
        if tag not in (card.get("tags") or []):
            yield f"README.md: the tag {tag} is missing: evaluate lists its modules by it"


def _check_settings(card: Mapping[str, Any], sdk: str | None, files: Mapping[str, bytes]) -> Iterator[str]:
    if not isinstance(card.get("title"), str):
        yield "title is missing"
    if sdk not in SDKS:
        yield f"sdk must be one of {', '.join(SDKS)}, not {sdk!r}"
    if sdk == "gradio" and "sdk_version" not in card:
        yield "sdk_version is missing"
    if sdk == "gradio" and card.get("app_file") not in files:
        yield f"app_file must name a file of the Space, not {card.get('app_file')!r}"
    for key in ("sdk_version", "python_version"):
        if key in card and not isinstance(card[key], str):
            yield f"{key} must be quoted: unquoted, YAML reads it as the number {card[key]!r}"
    description = card.get("short_description")
    if not isinstance(description, str) or not 0 < len(description) <= MAX_DESCRIPTION:
        yield f"short_description must be a string of at most {MAX_DESCRIPTION} characters, not {description!r}"


def _check_requirements(files: Mapping[str, bytes]) -> Iterator[str]:
    """Check that each line of requirements.txt is valid, and satisfied in this environment, which runs the checks."""
    for number, line in enumerate(files.get("requirements.txt", b"").decode(errors="replace").splitlines(), start=1):
        text = re.sub(r"(^|\s)#.*", "", line).strip()
        if not text:
            continue
        where = f"requirements.txt, line {number}"
        try:
            requirement = Requirement(text)
            if requirement.marker is not None and not requirement.marker.evaluate():
                continue
            version = metadata.version(requirement.name)
        except InvalidRequirement:
            yield f"{where}: {text!r} is not a requirement that pip can read"
        except metadata.PackageNotFoundError:
            yield f"{where}: {requirement.name} is not installed here, so nothing shows that it exists"
        else:
            if not requirement.specifier.contains(version, prereleases=True):
                yield f"{where}: {text} does not allow {version}, the version that is installed here"


def _check_version(directory: Path) -> Iterator[str]:
    version = version_of(directory)
    if version is None or not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f'_metric.py: VERSION must be three numbers with dots, as in VERSION = "1.2.3", not {version!r}'
    elif version.startswith("0.4."):
        # evaluate 0.4.6 asks for the tag v0.4.6 before main, so such a tag would be what its users get forever.
        yield f"_metric.py: a tag v{version} is one that evaluate takes for its own version: choose 0.5.0 or later"


def _check_imports(name: str, files: Mapping[str, bytes]) -> Iterator[str]:
    """Check that the script names every helper in a line that evaluate sees, also those that only a helper imports."""
    script = f"{name}.py"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / script
        path.write_bytes(files[script])
        seen = {module: kind for kind, module, *_ in get_imports(str(path)) if kind != "library"}
    for module, kind in seen.items():
        if kind == "external":
            yield f"{script}: no comment may follow the import of .{module}: evaluate takes it for an address"
    for file in (script, *(f"{module}.py" for module in seen if f"{module}.py" in files)):
        for node in ast.walk(ast.parse(files[file], file)):
            if not isinstance(node, ast.ImportFrom) or not node.level:
                continue
            modules = {node.module} if node.module else {alias.name for alias in node.names}
            for module in sorted(modules - seen.keys()):
                yield (
                    f"{file}, line {node.lineno}: {script} must import from .{module} itself, at the beginning of a "
                    "line: evaluate fetches no other file"
                )


def check_alone(name: str, space: SpaceFiles) -> list[str]:
    """Return the problems found when the files of a Space are run in isolation, one sentence each.

    `name` is that of the metric's script. The app of a Gradio Space is started: app.py also if the Space uses ZeroGPU,
    whose library is not installed here.
    """
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy" / name
        for path, content in space.files.items():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(content)
        problems = [*_check_load(copy, Path(scratch))] if f"{name}.py" in space.files else []
        if space.sdk == "gradio" and not problems:
            problems += _check_start(copy, Path(scratch))
    return problems


def _check_load(copy: Path, home: Path) -> Iterator[str]:
    command = [sys.executable, "-P", str(SMOKE_TEST), str(copy)]
    options: dict[str, Any] = {"cwd": home, "env": _environment(home), "timeout": LOAD_SECONDS}
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, **options)  # our own script
    except subprocess.TimeoutExpired:
        yield f"{copy.name}: an isolated copy did not load and compute within {LOAD_SECONDS} seconds"
    except subprocess.CalledProcessError as error:
        yield f"{copy.name}: an isolated copy does not load and compute: {_last_line(error.stderr)}"


def _check_start(copy: Path, home: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # The gallery loads the metrics of its owner; here it loads those of the checkout.
    environment = _environment(home) | {"GRADIO_SERVER_PORT": str(port), "METRICS": str(home / "metrics")}
    for directory in build.metric_directories() if not (copy / f"{copy.name}.py").exists() else ():
        build.write(directory, home / "metrics" / directory.name)
    log = home / "log.txt"
    deadline = time.monotonic() + START_SECONDS
    with log.open("wb") as output:
        process = subprocess.Popen(  # as above
            [sys.executable, "app.py"], cwd=copy, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            while process.poll() is None and time.monotonic() < deadline:
                with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}", timeout=5):
                    return
                time.sleep(0.2)
            ended = process.poll() is not None
        finally:
            process.kill()
            process.wait()
    if ended:
        yield f"{copy.name}: app.py does not start: {_last_line(log.read_text(encoding='utf-8', errors='replace'))}"
    else:
        yield f"{copy.name}: app.py shows no page after {START_SECONDS} seconds"


def _environment(home: Path) -> dict[str, str]:
    """Return the environment variables of an isolated process: separate caches, no tokens and no keys."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
    offline = {"HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1", "HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE}
    directories = {"HOME": str(home), "HF_HOME": str(home / "hf"), "NO_PROXY": "127.0.0.1,localhost"}
    return kept | offline | directories | {"PYTHONDONTWRITEBYTECODE": "1", "GRADIO_ANALYTICS_ENABLED": "False"}


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1]
