"""Checks that evaluate's loader, which parses a script line by line, will fetch everything that Python imports."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING
from typing import NamedTuple

from evaluate.loading import get_imports

from scripts import vendor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Import(NamedTuple):
    """One imported module; `level` is the number of leading dots."""

    line: int
    level: int
    module: str


def check_imports(directory: Path) -> Iterator[str]:
    """Yield a sentence for each import of a metric that will fail after evaluate has fetched it. Runs nothing."""
    path = directory / f"{directory.name}.py"
    imports = list(_imports(path))
    seen = [(kind, module) for kind, module, *_ in get_imports(str(path))]
    yield from _check_lines(path.name, imports, seen)
    siblings = {sibling.stem for sibling in directory.glob("*.py")}
    fetched = {module for kind, module in seen if kind != "library"}
    for found in imports:
        for sentence in _check_import(found, siblings, fetched):
            yield f"{path.name}, line {found.line}: {sentence}"
    named = set(vendor.helpers(directory))
    for helper in sorted(named & siblings):
        for found in _imports(directory / f"{helper}.py"):
            for sentence in _check_import(found, siblings, named):
                yield f"{helper}.py, line {found.line}: {sentence}"


def _check_lines(name: str, imports: list[Import], seen: list[tuple[str, str]]) -> Iterator[str]:
    libraries = {found.module.partition(".")[0] for found in imports if found.level == 0}
    for kind, module in seen:
        if kind == "external":
            yield f"{name}: no comment may follow the import of .{module}: evaluate takes it for an address"
        elif kind == "library" and not module.isidentifier():
            yield f"{name}: evaluate reads {module!r} as one library's name: import one module per line"
        elif kind == "library" and module not in libraries:
            yield f"{name}: evaluate takes a line of a text for an import of {module}: use triple double quotes"


def _check_import(found: Import, siblings: set[str], fetched: set[str]) -> Iterator[str]:
    if found.level == 0:
        if found.module.partition(".")[0] in siblings:
            yield f"{found.module} is a sibling: write from .{found.module} import ..."
    elif found.level > 1 or not found.module or "." in found.module:
        yield "evaluate fetches a helper only for from ._helper import ..."
    elif found.module not in siblings or not found.module.startswith("_"):
        yield f"there is no helper {found.module}.py whose name begins with an underscore"
    elif found.module not in fetched:
        yield "evaluate does not see this import: it must begin a line outside of any text"


def _imports(path: Path) -> Iterator[Import]:
    """Yield every import of a file, at any level."""
    for node in ast.walk(ast.parse(path.read_bytes(), filename=path.name)):
        if isinstance(node, ast.ImportFrom):
            yield Import(node.lineno, node.level, node.module or "")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, 0, alias.name)
