"""Requirements on the files of every metric directory: loading, building, documentation, dependencies."""

import doctest
import inspect
import re
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import evaluate
import pytest

from answer_metrics.core.options import literal
from scripts import document
from spaces.build import metric_directories, write
from tests.conftest import ROOT
from tests.contract.samples import Sample

HEADINGS = [
    "## Description", "## How to use", "### Inputs", "### Output values", "## Examples", "## Limitations",
    "## Differences", "## Citation",
]  # fmt: skip
# Dependencies of evaluate itself, which requirements.txt may list or not.
TRANSITIVE_DEPENDENCIES = {"certifi", "numpy", "pyarrow", "pandas", "huggingface_hub", "datasets", "filelock"}
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def script_path(directory: Path) -> Path:
    return directory / f"{directory.name}.py"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Return a function that builds a directory, each once."""
    folder = tmp_path_factory.mktemp("path with spaces")
    return cache(lambda directory: write(directory, folder / directory.name))


def fetched_files(directory: Path) -> list[Path]:
    """List the script and the helpers that it imports: the files that evaluate downloads."""
    helpers = re.findall(r"^from \.(\w+) import", script_path(directory).read_text(encoding="utf-8"), re.MULTILINE)
    return [script_path(directory), *(directory / f"{helper}.py" for helper in dict.fromkeys(helpers))]


def read_card(directory: Path) -> str:
    return (directory / "README.md").read_text(encoding="utf-8")


def section(card: str, heading: str) -> str:
    return re.split(r"^#+ ", card.partition(f"\n{heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


@pytest.mark.usefixtures("expect_warnings")
def test_built_directory_loads_by_directory_and_by_script(directory: Path, sample: Sample, built: Any) -> None:
    for path in (built(directory), script_path(built(directory))):
        loaded = evaluate.load(str(path))
        assert type(loaded).__module__.endswith(f".{directory.name}")
        used = {base.__module__ for base in type(loaded).__mro__ if "etric" in base.__module__}
        assert not [module for module in used if module.startswith("answer_metrics")]
        assert loaded.compute(**sample.inputs, **sample.options)


def test_directory_holds_exactly_the_helpers_that_the_script_imports(directory: Path, built: Any) -> None:
    assert set(directory.glob("_[a-z]*.py")) == set(fetched_files(directory)[1:])
    folder = built(directory)
    of_programs = re.compile(r"^ *(?:from|import) _[a-z]", re.MULTILINE)
    helpers = {path for path in folder.glob("_[a-z]*.py") if path.stem != "_files"}
    own = {path for path in helpers if not of_programs.search(path.read_text(encoding="utf-8"))}
    assert own == set(fetched_files(folder)[1:])


def test_built_directory_needs_no_package_of_ours(directory: Path, built: Any) -> None:
    for path in built(directory).glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(from|import) answer_metrics", text, re.MULTILINE), path.name


def test_inputs_and_options_are_explicit_parameters_with_described_defaults(loaded: Any) -> None:
    named = {*loaded.inputs, *loaded.options}
    parameters = inspect.signature(loaded._compute).parameters
    kinds = {parameter.kind for parameter in parameters.values()}
    assert kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
    assert named == set(parameters) == set(inspect.signature(loaded.compute).parameters)
    assert {"self", *named} == set(inspect.signature(type(loaded).compute).parameters)
    assert [name for name in parameters if name in loaded.options] == list(loaded.options)
    assert "Score these examples" in loaded.compute.__doc__
    documented = " ".join((type(loaded).__doc__ or "").split())
    for name, option in loaded.options.items():
        assert parameters[name].default == option.default == option.check(option.default), name
        assert option.help, name
        described = f"{name} ({option.type_name}): {option.help} Defaults to {literal(option.default)}."
        assert described in documented, name
    for name, output in loaded.outputs.items():
        assert " ".join(f"{name} ({output.type_name}): {output.help}".split()) in documented, name
    assert {"return_details", "return_confidence", "confidence_level", "return_signature"} <= set(loaded.options)


@pytest.mark.usefixtures("expect_warnings")
def test_doctests_pass(loaded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At least two doctests, run from the repository root, as evaluate's own contract test does."""
    monkeypatch.chdir(ROOT)
    results = doctest.testmod(sys.modules[type(loaded).__module__], verbose=False)
    assert results.attempted >= 2
    assert results.failed == 0


def test_metric_info_is_complete(loaded: Any, name: str) -> None:
    info = loaded.info
    assert info.description.strip()
    assert info.citation.strip().startswith("@")
    assert info.reference_urls
    assert loaded.required_inputs() == list(info.features[0] if isinstance(info.features, list) else info.features)
    assert loaded.name == name


def test_card_has_the_required_headings_in_order(directory: Path) -> None:
    card = re.sub(r"^```.*?^```", "", read_card(directory), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ .*", card, re.MULTILINE)
    assert headings[0].startswith("# ")
    assert headings[1:] == HEADINGS
    for heading in {*HEADINGS} - {"## How to use", "## Description"}:
        assert section(read_card(directory), heading).strip(), f"{heading} is empty"


def test_tables_of_the_card_equal_the_declarations(directory: Path, loaded: Any) -> None:
    assert document.problems(directory, loaded) == []


@pytest.mark.usefixtures("expect_warnings")
def test_every_result_key_is_declared_in_outputs(loaded: Any, sample: Sample) -> None:
    everything = {"return_details": True, "return_confidence": True, "return_signature": True}
    for options in ({}, dict(sample.change), {"fuzzy_match": True}):
        if set(options) <= set(loaded.options):
            result = loaded.compute(**sample.inputs, **{**sample.options, **everything, **options})
            declared = {re.sub(r"@\d+", "@k", key) for key in result}  # one entry for the keys of all cutoffs
            assert declared <= set(loaded.outputs)


def read_requirements(directory: Path) -> dict[str, str]:
    """Return the lines of requirements.txt by library name."""
    lines = (directory / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return {re.split(r"[<>=!~ ]", line)[0]: line for line in lines if line and not line.startswith("#")}


def test_requirements_list_the_imported_libraries(directory: Path, built: Any) -> None:
    required = read_requirements(directory)
    named = {re.sub(r"\[.*", "", library).replace("-", "_") for library in required}
    code = "\n".join(path.read_text(encoding="utf-8") for path in fetched_files(built(directory)))
    needed = set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE)) - sys.stdlib_module_names
    assert needed - TRANSITIVE_DEPENDENCIES <= named
    named_in_code = re.findall(r"(?:import |from |import_module\(\")(\w+)", code)  # some only when they are needed
    assert named - TRANSITIVE_DEPENDENCIES <= set(named_in_code)
    assert {"evaluate", "datasets"} <= named
    for line in required.values():
        assert re.fullmatch(r"[\w-]+(\[\w+\])?>=[\d.]+,<[\d.]+", line), f"{line}: needs a lower and an upper bound"


def test_requirements_of_all_metrics_are_compatible() -> None:
    union: dict[str, str] = {}
    for directory in metric_directories():
        for library, line in read_requirements(directory).items():
            assert union.setdefault(library, line) == line, f"{directory.name} and another metric differ"
    assert set(PYPROJECT["dependency-groups"]["metrics"]) == set(union)
    assert union.items() <= read_requirements(ROOT / "spaces" / "gallery").items()
