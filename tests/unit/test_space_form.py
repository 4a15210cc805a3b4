"""The form of a Space: options, help texts and endpoints derived from each metric as they should be."""

import importlib.util
import inspect
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any
from typing import Literal

import pytest

from scripts.vendor import metric_directories
from space_ui.controls import Control
from space_ui.controls import changed
from space_ui.controls import endpoint
from space_ui.controls import entries
from space_ui.controls import read_controls
from space_ui.form import Form
from tests.conftest import ROOT

METRICS = [path.name for path in metric_directories()]

# Examples warn, of the mock for one, and a page shows that.
pytestmark = pytest.mark.filterwarnings("always::UserWarning")
each_metric = pytest.mark.parametrize("name", METRICS)


def load_module(path: Path, name: str) -> Any:
    """Load a page's script, of which there are several, under a name of its own."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def load_form(name: str) -> Form:
    """Load the description of a metric's Space."""
    form: Form = load_module(ROOT / "metrics" / name / "app.py", f"app_of_{name}").FORM
    return form


def control(name: str, option: str) -> Control:
    return next(one for one in load_form(name).api_controls if one.name == option)


def test_controls_of_accuracy() -> None:
    assert [one.name for one in load_form("accuracy").controls] == [
        "case_sensitive",
        "normalize_text",
        "fuzzy_match",
        "fuzzy_threshold",
        "fuzzy_scorer",
        "match",
        "confidence_level",
        "confidence_method",
        "bootstrap_seed",
    ]
    threshold = control("accuracy", "fuzzy_threshold")
    assert (threshold.kind, threshold.default, threshold.low, threshold.high) == ("number", 0.8, 0, 1)
    assert threshold.help.startswith("Least similarity that counts")
    assert "Defaults" not in threshold.help
    assert control("accuracy", "match").choices == ("equal", "contains")
    assert control("accuracy", "case_sensitive").kind == "flag"
    assert control("accuracy", "confidence_level").open_ends
    seed = control("accuracy", "bootstrap_seed")
    assert (seed.kind, seed.low, seed.high) == ("integer", 0, None)


def test_a_function_is_offered_by_its_names_only() -> None:
    normalizer = control("answer_exact_match", "normalizer")
    assert (normalizer.kind, normalizer.choices, normalizer.default) == ("choice", (None, "default", "squad"), None)
    assert normalizer.shown(None) == "none"
    assert normalizer.given("none") is None
    assert "normalizer" not in {one.name for one in load_form("accuracy").api_controls}


@each_metric
def test_every_control_has_a_help_text_and_an_honest_default(name: str) -> None:
    form = load_form(name)
    for one in form.api_controls:
        assert one.help, one.name
        if one.default is not None:
            assert form.metric.options[one.name].check(one.name, one.default) == one.default


@each_metric
def test_the_description_names_only_what_the_metric_has(name: str) -> None:
    form = load_form(name)
    options = set(form.metric.options)
    assert {*form.common, *form.needs, *form.hidden, *form.fixed, *form.starts, *form.choices} <= options
    assert {other for other, _ in form.needs.values()} <= options
    assert set(form.common) <= {one.name for one in form.controls}
    assert set(form.aliases) | set(form.labels) <= set(form.metric.inputs)


@each_metric
def test_no_control_takes_code_a_path_or_an_address(name: str) -> None:
    taken = {one.name for one in load_form(name).api_controls}
    assert not taken & {"api_key", "base_url", "judge_cache_dir", "extra_body", "sentence_splitter"}


@each_metric
def test_every_example_can_be_computed(name: str) -> None:
    form = load_form(name)
    assert len({example["title"] for example in form.examples}) == len(form.examples)
    for example in form.examples:
        assert set(example) == {"title", "note", "options", "rows"}
        table, *values = form.on_example(example["title"])
        answer = json.loads(form.respond(table, *values))
        assert "json" in answer, answer["html"]
        assert set(form.scores) <= set(json.loads(answer["json"])["result"])


@each_metric
def test_the_endpoint_is_typed_and_documented(name: str) -> None:
    form = load_form(name)
    call = endpoint(form.call, form.metric, form.api_controls)
    assert call.__name__ == name
    parameters = inspect.signature(call).parameters
    assert list(parameters) == [*form.metric.required_inputs(), *(one.name for one in form.api_controls)]
    assert set(call.__annotations__) == {*parameters, "return"}
    for one in form.api_controls:
        assert parameters[one.name].default == one.default
        # Gradio reads the help text of an argument from one line.
        assert f"\n    {one.name}: " in (call.__doc__ or "")


def test_types_of_the_endpoint() -> None:
    hints = endpoint(str, load_form("accuracy").metric, load_form("accuracy").api_controls).__annotations__
    assert hints["predictions"] == list[str]
    assert hints["references"] == list[str] | list[list[str]]
    assert hints["match"] == Literal["equal", "contains"]
    assert hints["fuzzy_threshold"] is float
    form = load_form("answer_exact_match")
    assert endpoint(str, form.metric, form.api_controls).__annotations__["normalizer"] == (
        Literal["default", "squad"] | None
    )


@each_metric
def test_the_form_needs_no_gradio(name: str) -> None:
    code = f"import sys; sys.modules['gradio'] = None; sys.path[:0] = ['metrics/{name}']; import app; app.FORM.controls"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)


def test_entries_of_a_docstring() -> None:
    text = "Args:\n    a (int): One\n        and more.\n    b: Two.\n\nReturns:\n    c, d (float, 0 to 1): Three.\n"
    assert entries(text, "Args") == {"a": ("int", "One and more."), "b": ("", "Two.")}
    assert "c" not in entries(text, "Args")


def test_an_optional_number_is_typed_as_a_text() -> None:
    cost = control("l3score", "max_cost")
    assert (cost.kind, cost.default) == ("number", None)
    assert cost.given(" ") is None
    assert cost.given("0.5") == 0.5
    with pytest.raises(ValueError, match="max_cost must be a number, got 'cheap'"):
        cost.given("cheap")


def test_one_is_not_true() -> None:
    defaults: dict[str, Any] = {"flag": True, "seed": 1}
    assert changed({"flag": True, "seed": 1}, defaults) == {}
    assert changed({"flag": 1, "seed": True}, defaults) == {"flag": 1, "seed": True}


def test_an_option_of_an_unknown_kind_is_a_text() -> None:
    class Metric:
        inputs_description = "Args:\n    tongue (str): The language. Defaults to en.\n"
        options = {"tongue": object()}  # noqa: RUF012  # as a metric has it

        def defaults(self) -> dict[str, str]:
            return {"tongue": "en"}

    (tongue,) = read_controls(Metric())
    assert (tongue.kind, tongue.default, tongue.help, tongue.label) == ("text", "en", "The language.", "Tongue")
