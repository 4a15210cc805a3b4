"""Every Python block of the documents runs and gives the values in its comments, and every link resolves.

A comment `# -> value` at the end of a statement is compared with the repr of the expression before it. A block whose
info string is `python no-run` is only compiled. The blocks of one document share their variables.
"""

import ast
import re
import tokenize
import warnings
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

PLACES = ("*.md", "[!.]*/*.md", "benchmarks/results/*.md", "metrics/[!_]*/*.md", "spaces/*/*.md")
DOCUMENTS = sorted(path for place in PLACES for path in ROOT.glob(place))
_BLOCK = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<code>.*?)^(?P=fence)[ ]*$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(<?(?P<address>[^)>\s]+)>?(?:\s+\"[^\"]*\")?\)|!\[[^\]]*\]\((?P<image>[^)\s]+)\)")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks_of(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the first line's number, the info string and the code of each block."""
    for match in _BLOCK.finditer(text):
        yield text.count("\n", 0, match.start("code")) + 1, match["info"].strip(), match["code"]


def promises_of(code: str) -> dict[int, str]:
    """Return the values promised after `# ->` by line number."""
    comments = (token for token in tokenize.generate_tokens(StringIO(code).readline) if token.type == tokenize.COMMENT)
    return {token.start[0]: token.string[4:].strip() for token in comments if token.string.startswith("# ->")}


def run(code: str, names: dict[str, Any], place: str, line: int) -> None:
    """Run a block statement by statement and compare what was promised."""
    tree = ast.parse("\n" * (line - 1) + code, filename=place)
    promises = {line - 1 + number: promised for number, promised in promises_of(code).items()}
    for statement in tree.body:
        promised = promises.pop(statement.end_lineno or 0, None)
        if promised is None:
            exec(compile(ast.Module([statement], []), place, "exec"), names)  # our own documents
            continue
        where = f"{place}, line {statement.end_lineno}"
        assert isinstance(statement, ast.Expr), f"{where}: a value is promised for what is no expression"
        value = eval(compile(ast.Expression(statement.value), place, "eval"), names)  # our own documents
        assert repr(value) == promised, where
    assert not promises, f"{place}: no statement ends in line {', '.join(map(str, promises))}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_python_blocks_run_and_give_the_promised_values(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {"__name__": "document"}
    ran = 0
    for line, info, code in blocks_of(document.read_text(encoding="utf-8")):
        if not info.startswith("python"):
            continue
        assert info in {"python", "python no-run"}, f"{name_of(document)}, line {line}: {info}"
        compile(code, f"{name_of(document)}, line {line}", "exec")
        if info == "python":
            here = re.sub(r"""(["'])<org>/(\w+)\1""", r"\1metrics/\2\1", code)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # examples may cause warnings
                run(here, names, name_of(document), line)
            ran += 1
    if document.parent.parent == ROOT / "metrics":
        assert ran, "a card needs a Python example"


def anchors_of(text: str) -> set[str]:
    """Return the anchors that GitHub creates from the headings."""
    prose = _BLOCK.sub("", text)
    headings = re.findall(r"^#+ +(.*?) *$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_resolve_and_blocks_are_closed(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    prose = _BLOCK.sub("", text)
    assert not re.search(r"^`{3,}", prose, re.MULTILINE), "a block of code is not closed"
    prose = re.sub(r"`[^`\n]*`", "", prose)  # inline code may look like a link
    for match in _LINK.finditer(prose):
        address = match["address"] or match["image"]
        if re.match(r"[a-z]+:|\.\./\.\./actions/", address):  # the web, and GitHub's own pages of the repository
            continue
        path, _, anchor = address.partition("#")
        target = (document.parent / path).resolve() if path else document
        assert target.exists(), f"{address} does not exist"
        assert target.is_relative_to(ROOT), f"{address} leads out of the repository"
        if document.parent.parent == ROOT / "metrics":
            # Publishing replaces `../../` by the repository's address.
            is_published = target.is_relative_to(document.parent) or path.startswith("../../docs/")
            assert is_published, f"{address} is not published"
        if anchor and target.suffix == ".md":
            assert anchor in anchors_of(target.read_text(encoding="utf-8")), f"{address}: no such heading"


def test_wrong_promised_value_is_reported() -> None:
    names: dict[str, Any] = {}
    run("x = 1\n(\n    x + 1\n)  # -> 2\n", names, "here", 1)
    with pytest.raises(AssertionError, match="here, line 12"):
        run("\nx + 1  # -> 3\n", names, "here", 11)
    for code in ("y = 2  # -> 2\n", "[\n    1,  # -> 1\n]\n"):
        with pytest.raises(AssertionError, match=r"no expression|no statement ends in line 2"):
            run(code, names, "here", 1)
