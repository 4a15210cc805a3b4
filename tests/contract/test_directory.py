"""What the files of a metric directory must hold to: loading, vendoring, documentation, requirements."""

import ast
import doctest
import inspect
import re
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

import evaluate
import pytest
import yaml  # type: ignore[import-untyped]  # its types are a package of their own

from scripts import document
from scripts import vendor
from scripts.vendor import metric_directories
from tests.conftest import ROOT
from tests.contract.samples import Sample

HEADINGS = [
    "## Description",
    "## How to use",
    "### Inputs",
    "### Output values",
    "### Values from popular papers",
    "## Examples",
    "## Limitations and bias",
    "## Differences",
    "## Edge cases",
    "## Citation",
    "## Further references",
]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
COMES_ALONG = {"numpy", "pyarrow", "pandas", "huggingface_hub", "datasets", "filelock"}
"""What evaluate itself depends on: a metric may name it or not."""


def script_of(directory: Path) -> Path:
    return directory / f"{directory.name}.py"


def code_of(directory: Path) -> list[Path]:
    """The script and the helpers that it names: what evaluate fetches."""
    helpers = re.findall(r"^from \.(\w+) import", script_of(directory).read_text(encoding="utf-8"), re.MULTILINE)
    return [script_of(directory), *(directory / f"{helper}.py" for helper in dict.fromkeys(helpers))]


def imports_of(path: Path) -> list[ast.Import | ast.ImportFrom]:
    tree = ast.parse(path.read_bytes(), filename=str(path))
    return [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]


def keywords_of(loaded: Any) -> dict[str, inspect.Parameter]:
    """The options of `_compute`: its parameters without the inputs."""
    parameters = dict(inspect.signature(loaded._compute).parameters)
    return {name: parameters[name] for name in parameters if name not in loaded.inputs}


def card_of(directory: Path) -> str:
    return (directory / "README.md").read_text(encoding="utf-8")


def section(card: str, heading: str) -> str:
    """The text below a heading, up to the next."""
    return re.split(r"^#+ ", card.partition(f"\n{heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


# ---- code


def test_loads_from_a_copy_alone(directory: Path, sample: Sample, tmp_path: Path, expect_warnings: None) -> None:  # noqa: ARG001
    copy = tmp_path / "a place with blanks" / directory.name
    shutil.copytree(directory, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (copy, script_of(copy)):
        loaded = evaluate.load(str(path))
        assert type(loaded).__module__.endswith(f".{directory.name}")
        assert loaded.compute(**sample.inputs, **sample.options)


def test_script_imports_in_the_form_that_the_loader_reads(directory: Path) -> None:
    script = script_of(directory)
    lines = script.read_text(encoding="utf-8").splitlines()
    for node in imports_of(script):
        line = lines[node.lineno - 1]
        if isinstance(node, ast.Import):
            assert len(node.names) == 1, f"line {node.lineno}: one module per line"
        elif node.level:
            assert re.fullmatch(r"from \._\w+ import (\w+)( as \1)?", line), f"line {node.lineno}: {line!r}"
            assert (directory / f"{node.module}.py").is_file()
    for line in lines:
        # The loader reads line by line, also what stands in texts.
        if re.match(r"(import|from)\s", line):
            assert "#" not in line
            assert "," not in line


def test_helpers_are_those_that_the_script_needs(directory: Path) -> None:
    assert set(directory.glob("_*.py")) == set(code_of(directory)[1:])


def test_copies_equal_their_originals(directory: Path) -> None:
    assert list(vendor.problems(directory)) == []
    for path, text in vendor.vendored(directory).items():
        original = vendor.SHARED / path.relative_to(directory)
        assert text.partition("\n")[2] == original.read_text(encoding="utf-8")


def test_options_are_explicit(loaded: Any) -> None:
    parameters = list(inspect.signature(loaded._compute).parameters.values())
    assert {parameter.kind for parameter in parameters} <= {
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.KEYWORD_ONLY,
    }
    assert set(loaded.inputs) <= {parameter.name for parameter in parameters}
    assert list(loaded.options) == list(keywords_of(loaded))
    for name, parameter in keywords_of(loaded).items():
        assert parameter.default is not inspect.Parameter.empty, name
        assert loaded.options[name].check(name, parameter.default) == parameter.default, name


def test_options_do_not_collide_with_evaluates_own(loaded: Any) -> None:
    taken = {*inspect.signature(evaluate.load).parameters, *inspect.signature(evaluate.Metric.__init__).parameters}
    assert not taken & set(loaded.options)


def test_options_that_all_metrics_have(loaded: Any) -> None:
    assert {"return_details", "return_confidence", "confidence_level", "return_signature"} <= set(loaded.options)
    defaults = loaded.defaults()
    assert defaults["confidence_level"] == 0.95
    assert defaults["return_signature"] is False


def test_doctests(loaded: Any, monkeypatch: pytest.MonkeyPatch, expect_warnings: None) -> None:  # noqa: ARG001
    """As evaluate's own contract test runs them: at least two, from the root of the repository."""
    monkeypatch.chdir(ROOT)
    results = doctest.testmod(sys.modules[type(loaded).__module__], verbose=False)
    assert results.attempted >= 2
    assert results.failed == 0


def test_docstring_names_every_option(loaded: Any) -> None:
    for name, parameter in keywords_of(loaded).items():
        entry = re.search(rf"^    {name} \(.*?(?=^    \w+ \(|^$)", type(loaded).__doc__ or "", re.MULTILINE | re.DOTALL)
        assert entry, f"{name} is not described"
        default = parameter.default
        shown = f'"{default}"' if isinstance(default, str) else str(default)
        assert f"Defaults to {shown}" in " ".join(entry[0].split()), name
        assert loaded.options[name].help, name


def test_compute_shows_inputs_and_options(loaded: Any) -> None:
    """In `help(metric)` and `metric.compute?`."""
    expected = {*loaded.inputs, *loaded.options}
    assert set(inspect.signature(loaded.compute).parameters) == expected
    assert set(inspect.signature(type(loaded).compute).parameters) == {"self", *expected}
    assert "return_details (bool)" in loaded.compute.__doc__


def test_metric_info(loaded: Any, name: str) -> None:
    info = loaded.info
    assert info.description.strip()
    assert info.citation.strip().startswith("@")
    assert info.reference_urls
    assert loaded.required_inputs() == list(info.features[0] if isinstance(info.features, list) else info.features)
    assert loaded.label == name


# ---- card


def test_front_matter(directory: Path) -> None:
    match = re.match(r"---\n(.*?\n)---\n", card_of(directory), flags=re.DOTALL)
    assert match, "the card begins with a front matter"
    front = yaml.safe_load(match[1])
    assert {"evaluate", "metric"} <= set(front["tags"])
    assert front["sdk"] in {"gradio", "static"}
    assert 0 < len(front["short_description"]) <= 60
    for key in ("sdk_version", "python_version"):
        assert isinstance(front.get(key, ""), str), f"{key} must be quoted"


def test_headings(directory: Path) -> None:
    card = re.sub(r"^```.*?^```", "", card_of(directory), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ .*", card, re.MULTILINE)
    assert headings[0].startswith("# ")
    # A card may have further parts inside of these.
    assert [heading for heading in headings[1:] if heading in HEADINGS or heading.startswith("## ")] == HEADINGS
    for heading in HEADINGS:
        if heading not in {"## How to use", "## Description"}:
            assert section(card_of(directory), heading).strip(), f"{heading} is empty"


def test_tables_of_the_card_follow_from_the_declarations(directory: Path, loaded: Any) -> None:
    assert document.problems(directory, loaded) == []


def test_card_names_every_key(loaded: Any, sample: Sample, expect_warnings: None) -> None:  # noqa: ARG001
    everything = {"return_details": True, "return_confidence": True, "return_signature": True}
    for options in ({}, dict(sample.change), {"fuzzy_match": True}):
        if set(options) <= set(loaded.options):
            result = loaded.compute(**sample.inputs, **{**sample.options, **everything, **options})
            assert set(result) <= set(loaded.outputs), "not declared in outputs"


# ---- requirements


def requirements_of(directory: Path) -> dict[str, str]:
    """The lines of requirements.txt by the library that each is about."""
    lines = (directory / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return {re.split(r"[<>=!~\[ ]", line)[0]: line for line in lines if line and not line.startswith("#")}


def test_requirements(directory: Path, sample: Sample) -> None:
    required = requirements_of(directory)
    named = {library.replace("-", "_") for library in required}
    modules: set[str] = set()
    for path in code_of(directory):
        # A library may also be imported by its name in quotes.
        tree = ast.parse(path.read_bytes())
        modules |= {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)} & named
        for node in imports_of(path):
            if isinstance(node, ast.Import):
                modules |= {alias.name.partition(".")[0] for alias in node.names}
            elif node.module and not node.level:
                modules.add(node.module.partition(".")[0])
    needed = {module for module in modules if module not in sys.stdlib_module_names} - sample.optional
    assert needed - COMES_ALONG == named - COMES_ALONG
    assert {"evaluate", "datasets"} <= named
    for line in required.values():
        assert re.fullmatch(r"[\w-]+>=[\d.]+,<[\d.]+", line), f"{line}: give both ends"


def test_requirements_of_all_metrics_together() -> None:
    """The development environment and the gallery need what each of them needs."""
    union: dict[str, str] = {}
    for directory in metric_directories():
        for library, line in requirements_of(directory).items():
            assert union.setdefault(library, line) == line, f"{directory.name} and another metric differ"
    assert set(PYPROJECT["dependency-groups"]["metrics"]) == set(union)
    assert requirements_of(ROOT / "spaces" / "gallery") == union
