"""The form of a Space: options, help texts and endpoints derived from each metric."""

import importlib.util
import inspect
import json
import re
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from typing import Literal

import pytest

from metrics.l3score._logprobs import score_top_tokens
from scripts.vendor import metric_directories
from space_ui.controls import Control
from space_ui.controls import build_endpoint
from space_ui.controls import changed
from space_ui.form import Form
from space_ui.usage import code_spans
from space_ui.usage import form_page
from space_ui.usage import links_to_others
from tests.conftest import ROOT

METRICS = [path.name for path in metric_directories()]

# Examples may cause warnings, such as that of the mock, which a page shows.
pytestmark = pytest.mark.filterwarnings("always::UserWarning")
each_metric = pytest.mark.parametrize("name", METRICS)


def load_module(path: Path, name: str) -> Any:
    """Load the script of one of several pages under a unique module name."""
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


def test_controls_follow_the_declared_options() -> None:
    form = load_form("accuracy")
    named = [one.name for one in form.controls]
    assert named == [name for name in form.metric.options if name in named]
    assert {"match", "fuzzy_match", "fuzzy_threshold", "confidence_level", "bootstrap_seed"} <= set(named)
    assert not {"return_details", "return_confidence", "return_signature"} & set(named)
    threshold = control("accuracy", "fuzzy_threshold")
    assert (threshold.kind, threshold.default, threshold.low, threshold.high) == ("number", 0.8, 0, 1)
    assert threshold.help.startswith("Minimum similarity that counts")
    assert threshold.visible_if == ("fuzzy_match", (True,))
    assert control("accuracy", "match").choices[:2] == ("equal", "contains")
    assert control("accuracy", "case_sensitive").kind == "flag"
    assert control("accuracy", "confidence_level").exclusive
    assert control("accuracy", "confidence_level").visible_if is None
    seed = control("accuracy", "bootstrap_seed")
    assert (seed.kind, seed.low, seed.high) == ("integer", 0, None)


def test_callable_option_offers_only_its_named_choices() -> None:
    normalizer = control("answer_exact_match", "normalizer")
    assert (normalizer.kind, normalizer.choices, normalizer.default) == ("choice", (None, "default", "squad"), None)
    assert normalizer.parse(None) is None
    with pytest.raises(ValueError, match="normalizer must be one of none"):
        normalizer.parse("str.lower")
    with pytest.raises(ValueError, match="extract must be one of none"):
        control("accuracy", "extract").parse(r"(\w+)")


@each_metric
def test_every_control_has_label_help_and_a_valid_default(name: str) -> None:
    form = load_form(name)
    for one in form.api_controls:
        assert one.help, one.name
        assert one.label
        if one.default is not None:
            checked = form.metric.options[one.name].check(one.name, one.default)
            assert (list(checked) if one.kind == "json" else checked) == one.default


@each_metric
def test_description_mentions_only_existing_options(name: str) -> None:
    form = load_form(name)
    options = set(form.metric.options)
    assert {*form.common, *form.visible_if, *form.fixed, *form.defaults, *form.choices} <= options
    assert set(form.common) <= {one.name for one in form.controls}
    assert set(form.aliases) | set(form.labels) <= set(form.metric.inputs)


@each_metric
def test_no_control_takes_code_a_path_or_an_address(name: str) -> None:
    taken = {one.name for one in load_form(name).api_controls}
    assert not taken & {"api_key", "base_url", "judge_cache_dir", "extra_body", "sentence_splitter", "judges"}


def computed_examples(form: Form) -> list[dict[str, Any]]:
    """Return the examples of a page except those with recorded results."""
    return [example for example in form.examples if "recorded" not in example]


@each_metric
def test_every_example_can_be_computed(name: str) -> None:
    form = load_form(name)
    assert len({example["title"] for example in form.examples}) == len(form.examples)
    for example in computed_examples(form):
        assert {"title", "note", "options", "rows"} <= set(example)
        sent = {"rows": example["rows"], "options": example["options"], "comparing": example.get("comparing", False)}
        status, answer = form.respond(json.dumps(sent).encode())
        assert status == 200, answer
        saved = json.loads(answer["json"])
        results = saved["comparison"]["systems"]["B"] if sent["comparing"] else saved["result"]
        assert form.scores[0] in results


def test_recorded_judgments_are_marked_as_recorded() -> None:
    form = load_form("l3score")
    example, *others = form.examples
    assert not any("recorded" in other for other in others)
    answer = example["answer"]
    assert answer["notices"] == [example["recorded"]]
    assert example["recorded"].startswith("Recorded, not computed now")
    assert "provider:transformers|model:tiny-judge|" in answer["footnote"]
    assert len(answer["examples"]) == len(example["rows"])
    assert {one["outcome"] for one in answer["examples"]} == {"hit", "near", "miss"}
    result = json.loads(answer["json"])["result"]
    for score, *tops in zip(*(result[key] for key in ("individual_scores", "top_tokens", "top_logprobs")), strict=True):
        assert score_top_tokens(list(zip(*tops, strict=True))).score == pytest.approx(score, abs=1e-12)
    body = json.dumps({"rows": example["rows"], "options": example["options"]}).encode()
    assert "needs a key" in form.respond(body)[1]["error"], "Compute calls a real judge"


@each_metric
def test_endpoint_is_typed_and_documented(name: str) -> None:
    form = load_form(name)
    call = build_endpoint(form.call, form.metric, form.inputs, form.api_controls)
    assert call.__name__ == name
    parameters = inspect.signature(call).parameters
    assert set(parameters) == {*form.inputs, *(one.name for one in form.api_controls)}
    assert set(call.__annotations__) == {*parameters, "return"}
    for one in form.api_controls:
        assert parameters[one.name].default == one.default
        # Gradio reads the help text of an argument from one line.
        assert f"\n    {one.name}: " in (call.__doc__ or "")


def test_endpoint_parameters_have_types() -> None:
    form = load_form("accuracy")
    hints = build_endpoint(str, form.metric, form.inputs, form.api_controls).__annotations__
    assert hints["predictions"] == list[str]
    assert hints["references"] == list[str] | list[list[str]]
    assert hints["match"] == Literal[control("accuracy", "match").choices]
    assert hints["fuzzy_threshold"] is float
    form = load_form("answer_exact_match")
    hints = build_endpoint(str, form.metric, form.inputs, form.api_controls).__annotations__
    assert hints["normalizer"] == Literal["default", "squad"] | None


@each_metric
def test_page_contains_escaped_form_data(name: str) -> None:
    page = form_page(load_form(name))
    data = re.search(r'<script type="application/json" id="form-data">(.*?)</script>', page, re.DOTALL)
    assert data
    described = json.loads(data[1])
    assert described["name"] == name
    assert described["answer"]["examples"]
    assert "ORIGIN/api/" in page
    assert "<h1>" in page
    assert page.count("<h1") == 1


def test_spaces_of_one_owner_link_to_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", "someone/accuracy")
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    links = dict(links_to_others("accuracy"))
    assert links["gallery"] == "https://huggingface.co/spaces/someone/gallery"
    assert set(links) == {*METRICS, "gallery"} - {"accuracy"}
    monkeypatch.delenv("SPACE_ID")
    assert links_to_others("accuracy") == []


def test_markup_in_texts_of_a_page_is_escaped() -> None:
    nasty = "<img src=x onerror=alert(1)>`</script>`"
    form = replace(load_form("accuracy"), facts=(nasty,), title=nasty)
    page = form_page(form)
    assert "<img" not in page
    assert "<code>&lt;/script&gt;</code>" in str(code_spans(nasty))


def test_optional_number_is_parsed() -> None:
    cost = control("l3score", "max_cost")
    assert (cost.kind, cost.default) == ("number", None)
    assert cost.parse(" ") is None
    assert cost.parse(0.5) == 0.5


def test_list_option_is_parsed() -> None:
    cutoffs = Control("k", "json", [1, 5], "Cutoffs.")
    assert cutoffs.parse("1, 10") == [1, 10]
    assert cutoffs.parse("[3]") == [3]
    assert cutoffs.parse("") == [1, 5]
    with pytest.raises(ValueError, match="k must be a list"):
        cutoffs.parse("one")


def test_integer_one_differs_from_true() -> None:
    defaults: dict[str, Any] = {"flag": True, "seed": 1}
    assert changed({"flag": True, "seed": 1}, defaults) == {}
    assert changed({"flag": 1, "seed": True}, defaults) == {"flag": 1, "seed": True}


def test_error_about_an_option_begins_with_its_label() -> None:
    sent = {"rows": [["a", "a"]], "options": {"fuzzy_match": True, "fuzzy_threshold": 5}}
    status, answer = load_form("accuracy").respond(json.dumps(sent).encode())
    assert status == 422
    assert answer["error"] == (
        "Minimum similarity of a near match: fuzzy_threshold must be a number between 0 and 1, got 5 (int)"
    )
