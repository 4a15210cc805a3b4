"""Flatten files that import answer_metrics into one folder that runs without it.

evaluate's loader fetches a metric's script, and beside it only the modules that the script itself names. A flat folder
therefore has a copy of every library module that its files need, imports that point to the copies, and a script that
names all of them. A module becomes one file (`text/tokens.py`: `_tokens.py`), and so does a whole package of `BUNDLED`
(`core/`: `_core.py`), since a load from the Hub costs two requests per file.
"""

import ast
import graphlib
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "answer_metrics"
BUNDLED = ("columns", "contract", "core", "files", "judge", "matching", "statistics")
STANDALONE = ("judge.logprobs",)
"""Modules of bundled packages that stay files of their own, because other projects copy them."""
FOR_LOADER = "\n# For evaluate's loader, which fetches only the modules that a script names.\n"
INSTALLED_WITH_EVALUATE = {"datasets", "evaluate", "huggingface_hub", "numpy", "pandas", "pyarrow", "tqdm"}


class BuildError(ValueError):
    """A directory cannot be built; the message says why."""


class Import(NamedTuple):
    """A `from ... import` statement and the library modules that it imports from, by dotted name."""

    node: ast.ImportFrom
    modules: list[str]


def module_path(name: str) -> Path:
    """Return the path that a library module would have; a package has none."""
    return ROOT.joinpath(PACKAGE, *name.split(".")).with_suffix(".py")


def copy_name(name: str) -> str:
    """Return the name, in a flat folder, of the module that holds a library module."""
    package, _, module = name.rpartition(".")
    return f"_{package if package in BUNDLED and name not in STANDALONE else module}"


@cache
def find_imports(text: str) -> list[Import]:
    """Return each `from ... import` of a module's text, last first, so that lines can be replaced in this order."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    imports = []
    for node in sorted(nodes, key=lambda node: -node.lineno):
        package, _, name = (node.module or "").partition(".")
        if package != PACKAGE or node.level:
            imports.append(Import(node, []))
        elif module_path(name).is_file():
            imports.append(Import(node, [name]))
        else:  # modules of a package: from answer_metrics.text import tokens
            imports.append(Import(node, [f"{name}.{alias.name}".lstrip(".") for alias in node.names]))
    return imports


def find_modules(texts: Iterable[str]) -> dict[str, str]:
    """Return the text, by name, of every library module that texts import, also indirectly, or name in quotes."""
    modules: dict[str, str] = {}
    pending = list(texts)
    while pending:
        text = pending.pop()
        names = {name for statement in find_imports(text) for name in statement.modules}
        names |= {name for name in re.findall(rf'"{PACKAGE}\.([\w.]+)"', text) if module_path(name).is_file()}
        for name in sorted(names - modules.keys()):
            modules[name] = module_path(name).read_text(encoding="utf-8")
            pending.append(modules[name])
    return modules


# ---- copies of library modules


@cache
def _run_git(root: Path, *arguments: str) -> str:
    """Return what a git command prints in a checkout; "" without git or outside a checkout."""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def origin(modules: Iterable[str]) -> str:
    """Return the first line of a copy: its original and the last commit that changed it."""
    paths = [module_path(name).relative_to(ROOT).as_posix() for name in sorted(modules)]
    commit = _run_git(ROOT, "log", "-1", "--abbrev=12", "--format=%h", "--", *paths).strip() or "an unknown commit"
    changes = ", with uncommitted changes" if _run_git(ROOT, "status", "--porcelain", "--", *paths) else ""
    original = paths[0] if len(paths) == 1 else f"{paths[0].rpartition('/')[0]}/"
    return f"# Copied from {original} at {commit}{changes}. Edit that file.\n"


def defined_names(text: str) -> set[str]:
    """Return the names that the top level of a module defines."""
    names = set()
    for statement in ast.parse(text).body:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            names.add(statement.name)
        for target in getattr(statement, "targets", [getattr(statement, "target", None)]):
            names |= {node.id for node in ast.walk(target) if isinstance(node, ast.Name)} if target else set()
    return names


def bundle(modules: Mapping[str, str]) -> str:
    """Join modules of one package into one text, each after those that it imports.

    Raises:
        BuildError: If two of them define the same name.
    """
    # Sorted, since publishing compares files, and the order of a set differs from process to process.
    uses = {
        name: sorted({used for _, names in find_imports(modules[name]) for used in names} & modules.keys())
        for name in sorted(modules)
    }
    parts: list[str] = []
    homes: dict[str, str] = {}
    for name in graphlib.TopologicalSorter(uses).static_order():
        lines = modules[name].splitlines(keepends=True)
        for node, names in find_imports(modules[name]):
            if {*names} & modules.keys() and not node.col_offset:
                lines[node.lineno - 1 : node.end_lineno] = []
        for defined in sorted(defined_names(modules[name])):
            if homes.setdefault(defined, name) != name:
                raise BuildError(f"{homes[defined]} and {name} share a file in a Space, and both define {defined}")
        parts.append(f"# ---- {PACKAGE}/{name.replace('.', '/')}.py\n{''.join(lines)}")
    return "\n\n".join(parts)


def make_copies(modules: Mapping[str, str]) -> dict[str, str]:
    """Return the copies of library modules by file name, with their imports as in the library.

    Raises:
        BuildError: If two modules need the same file name, or do not fit into one file.
    """
    groups: dict[str, dict[str, str]] = {}
    for name, text in modules.items():
        groups.setdefault(copy_name(name), {})[name] = text
    copies = {}
    for copy, members in groups.items():
        if len(members) > 1 and copy.removeprefix("_") not in BUNDLED:
            raise BuildError(f"{' and '.join(sorted(members))} would both be {copy}.py in a Space: rename one")
        text = bundle(members) if copy.removeprefix("_") in BUNDLED else next(iter(members.values()))
        copies[f"{copy}.py"] = origin(members) + text
    return copies


def redirect_imports(text: str, dot: str) -> str:
    """Make a text import the copies beside it: relatively if `dot` is ".", else from Python's path."""
    lines = text.splitlines(keepends=True)
    for node, modules in find_imports(text):
        if not modules or not module_path(modules[0]).is_file():
            continue
        if f"{PACKAGE}.{modules[0]}" == node.module:
            names = ", ".join(alias.name + (f" as {alias.asname}" if alias.asname else "") for alias in node.names)
            line = f"from {dot}{copy_name(modules[0])} import {names}"
        else:
            names = ", ".join(f"_{alias.name} as {alias.asname or alias.name}" for alias in node.names)
            line = f"from {dot} import {names}" if dot else f"import {names}"
        lines[node.lineno - 1 : node.end_lineno] = [f"{' ' * node.col_offset}{line}\n"]
    flat = "".join(lines)
    return re.sub(rf'"{PACKAGE}\.([\w.]+)"', lambda match: f'".{copy_name(match[1])}"', flat)


# ---- a folder


def siblings(text: str) -> set[str]:
    """Return the modules beside a module that it imports relatively."""
    statements = [node for node, _ in find_imports(text) if node.level]
    return {name for node in statements for name in ([node.module] if node.module else [a.name for a in node.names])}


def name_modules(script: str, modules: Iterable[str]) -> str:
    """Add to a script's imports the modules that evaluate's loader has to fetch."""
    statements = [node for node in ast.parse(script).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    imported = {node.module for node in statements if isinstance(node, ast.ImportFrom) and node.level}
    added = [f"from .{module} import __name__ as _\n" for module in sorted({*modules} - imported)]
    lines, end = script.splitlines(keepends=True), statements[-1].end_lineno if statements else 0
    return "".join([*lines[:end], *([FOR_LOADER, *added] if added else []), *lines[end:]])


def check_libraries(name: str, texts: Mapping[str, str], requirements: str) -> None:
    """Check that modules import, when they are loaded, no library that the metric does not require.

    Raises:
        BuildError: Naming the library and the module.
    """
    required = re.findall(r"(?m)^[\w-]+", requirements)
    allowed = {*sys.stdlib_module_names, *INSTALLED_WITH_EVALUATE, *(line.replace("-", "_") for line in required)}
    for path, text in texts.items():
        for node in ast.parse(text).body:
            imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            imported += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            for library in sorted({module.partition(".")[0] for module in imported} - allowed - {PACKAGE}):
                raise BuildError(
                    f"{name}: {path} imports {library} when it is loaded: import it inside a function, or add it to "
                    "requirements.txt"
                )


def flatten(name: str, own: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a directory of this name, given its own, as a folder that needs no package of ours.

    evaluate imports the script and the modules that begin with an underscore, as a package. The other modules run as
    programs, with the folder on Python's path. A module cannot be both, since it finds its siblings in only one way.

    Raises:
        BuildError: If the folder would not load.
    """
    script = f"{name}.py"
    if script in own and (ROOT / PACKAGE / name / "__init__.py").is_file():
        raise BuildError(f"{name} is the name of a package of {PACKAGE}: name the metric differently")
    files = dict(own)
    programs = {path for path in own if path.endswith(".py")}
    loaded = {path for path in programs if path.startswith("_") or path == script}
    for paths, dot in ((loaded, "."), (programs - loaded, "")):
        texts = {path: own[path].decode().replace("\r\n", "\n") for path in sorted(paths)}
        for path, text in texts.items():
            try:
                find_imports(text)
            except SyntaxError as error:
                raise BuildError(f"{name}/{path}, line {error.lineno}: {error.msg}") from None
        modules = find_modules(texts.values())
        if dot and script in texts:
            originals = {f"{PACKAGE}/{module.replace('.', '/')}.py": text for module, text in modules.items()}
            check_libraries(name, {**texts, **originals}, own.get("requirements.txt", b"").decode())
        copies = make_copies(modules)
        for path in copies.keys() & files.keys():
            raise BuildError(f"{name}: {path} is already there, and would also be a copy of a module of {PACKAGE}")
        for folder in {module_path(module).parent for module in modules} - {ROOT / PACKAGE}:  # templates and styles
            resources = [path for path in folder.glob("[!_.]*.*") if path.is_file() and path.suffix != ".py"]
            files |= {path.name: path.read_bytes() for path in resources}
        texts = {path: redirect_imports(text, dot) for path, text in {**texts, **copies}.items()}
        files |= {path: text.encode() for path, text in texts.items()}
        _check_siblings(name, texts, files)
        if script in texts:
            fetched = set[str]().union(*(siblings(text) for path, text in texts.items() if path != "__init__.py"))
            files[script] = name_modules(texts[script], fetched).encode()
    return files


def _check_siblings(name: str, texts: Mapping[str, str], files: Mapping[str, bytes]) -> None:
    """Check that all modules that the texts of a flat folder import are there."""
    for path, text in texts.items():
        for module in sorted(siblings(text)) if path != "__init__.py" else ():
            if f"{module}.py" not in files:
                raise BuildError(f"{name}/{path} imports from .{module}, which is not beside it")
        if re.search(rf"^ *(from|import) {PACKAGE}\b", text, re.MULTILINE):
            raise BuildError(f"{name}/{path} imports {PACKAGE} in a way that cannot be flattened: use from ... import")
