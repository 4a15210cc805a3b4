"""The endpoints that compare two systems: of every metric, and of the gallery."""

import inspect
import json
import re
from typing import Any

import evaluate
import pytest

from space_ui.comparison_call import comparison_controls
from space_ui.comparison_call import comparison_inputs
from space_ui.comparison_call import describe_comparison
from space_ui.comparison_schema import COMPARISON_SCHEMA
from space_ui.comparison_schema import COMPARISON_TABLE
from space_ui.comparison_usage import comparison_code
from space_ui.controls import build_endpoint
from space_ui.rows import InputError
from tests.conftest import ROOT
from tests.contract.samples import sample_of
from tests.unit.test_space_form import each_metric
from tests.unit.test_space_form import load_form
from tests.unit.test_space_form import load_module

pytestmark = pytest.mark.filterwarnings("always::UserWarning")
INPUTS: dict[str, Any] = {"predictions": ["a", "x", "c"], "predictions_b": ["a", "b", "y"], "references": list("abc")}


def compare(name: str = "accuracy", **arguments: Any) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(load_form(name).compare(**(arguments or INPUTS)))
    return result


def two_systems(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return arguments of the endpoint, and the systems that they stand for."""
    inputs = {key: list(values) for key, values in sample_of(name).inputs.items()}
    other = {**inputs, "predictions": inputs["predictions"][::-1]}
    if name == "l3score":
        metric = evaluate.load(f"metrics/{name}", provider="mock")
        scored = [metric.compute(**one, return_details=True)["individual_scores"] for one in (inputs, other)]
        systems = {system: {f"{name}_individual_scores": one} for system, one in zip("AB", scored, strict=True)}
        return {"individual_scores": scored[0], "individual_scores_b": scored[1]}, systems
    return {**inputs, "predictions_b": other["predictions"]}, {"A": inputs, "B": other}


@each_metric
def test_endpoint_returns_the_result_of_compare_with_a_summary(name: str) -> None:
    arguments, systems = two_systems(name)
    metric = evaluate.load(f"metrics/{name}", **({"provider": "mock"} if name == "l3score" else {}))
    called = compare(name, **arguments)
    assert called.pop("summary").startswith(f"{called['score']}: B 0.")
    assert re.match(r"B .* A \(95% CI of the difference ", called.pop("sentence"))
    called.pop("warnings", None)
    expected = json.loads(json.dumps(metric.compare(systems)))
    if name == "l3score":
        del expected["signature"]  # the signature of the scores is unknown
    assert called == expected


@each_metric
def test_endpoint_is_typed_and_documented(name: str) -> None:
    form = load_form(name)
    inputs, controls = comparison_inputs(form), comparison_controls(form)
    call = build_endpoint(form.compare, form.metric, inputs, controls, name="x", description=describe_comparison(form))
    assert call.__name__ == "x"
    parameters = inspect.signature(call).parameters
    assert set(parameters) == {*inputs, *(one.name for one in controls)}
    assert not set(parameters) & {"api_key", "x_judge_key", "return_details", "provider", "model"}
    assert all(f"\n    {one}: " in (call.__doc__ or "") for one in parameters)
    needed = [one for one in parameters if parameters[one].default is inspect.Parameter.empty]
    compared = form.judged_column or "predictions"
    assert needed[needed.index(compared) + 1] == f"{compared}_b"
    assert {"ids", "ids_b", "clusters", "margin"} <= set(parameters) - set(needed)


def test_rows_of_b_are_matched_by_id() -> None:
    shuffled = {**INPUTS, "predictions_b": ["y", "a", "b"], "ids": ["p", "q", "r"], "ids_b": ["r", "p", "q"]}
    assert compare(**shuffled) == compare()
    numbers = {**shuffled, "ids": [1, 2, 3], "ids_b": [3, 1, 2]}
    assert compare(**numbers) == compare()


def test_scores_are_matched_by_id() -> None:
    judged = compare("l3score", individual_scores=[0.9, None, 0.1], individual_scores_b=[0.4, 0.3, 0.2])
    assert judged["systems"]["B"]["left_out"] == 1
    shuffled = {"individual_scores": [0.9, None, 0.1], "individual_scores_b": [0.2, 0.4, 0.3]}
    assert compare("l3score", **shuffled, ids=[1, 2, 3], ids_b=[3, 1, 2]) == judged


def test_clusters_are_kept_together_and_counted() -> None:
    called = compare(**INPUTS, clusters=["u", "u", "v"])
    assert called["clusters"] == 2
    assert called["systems"]["B"]["test"] == "exact permutation test of clusters"
    assert "in 2 clusters" in called["summary"]
    assert ", 2 clusters)" in called["sentence"]


def test_margin_adds_noninferior_and_equivalent() -> None:
    found = compare(**INPUTS, margin=0.1)["systems"]["B"]
    assert (found["noninferior"], found["equivalent"]) == (False, False)
    assert "noninferior" not in compare()["systems"]["B"]


def test_endpoint_accepts_the_options_of_the_metric() -> None:
    arguments = {**INPUTS, "predictions": ["A", "B", "C"], "case_sensitive": True}
    assert compare(**arguments)["systems"]["A"]["accuracy"] == 0.0
    assert compare(**arguments, confidence_level=0.5)["confidence_level"] == 0.5


def test_systems_without_a_common_score_are_not_called_equal() -> None:
    called = compare("l3score", individual_scores=[None, 0.5], individual_scores_b=[0.5, None])
    assert called["sentence"] == "No row has scores from both systems, so nothing can be compared."


BAD: list[tuple[dict[str, Any], str]] = [
    ({"predictions_b": None}, "predictions_b missing"),
    ({"predictions_b": "abc"}, "predictions_b is a bare str"),
    ({"predictions_b": "abc", "ids": [1, 2, 3], "ids_b": [1, 2, 3]}, "predictions_b is a bare str"),
    ({"predictions_b": ["a", 2, "c"]}, r"^predictions_b\[1\] is 2 \(int\)"),
    ({"predictions": ["a", 2, "c"]}, r"^predictions\[1\] is 2 \(int\)"),
    (
        {"predictions_b": ["a"]},
        "predictions has 3 rows, predictions_b 1; give the same examples in the same order, or ids",
    ),
    ({"ids": ["1", "2"]}, "ids has 2 values, predictions 3"),
    ({"ids": ["1", "2", "3"], "ids_b": ["1"]}, "ids_b has 1 values, predictions_b 3"),
    ({"ids": ["1", "2", "2"]}, "1 ID occurs more than once: “2”. For several samples of one question"),
    ({"ids": ["1", " ", "2"]}, "1 of 3 rows have no ID, the first is row 2"),
    ({"ids": list("abc"), "ids_b": list("aac")}, "1 ID of system B occurs more than once: “a”"),
    ({"ids": list("abc"), "ids_b": list("abd")}, "1 ID of system A is not in system B: “c”"),
    ({"ids": list("abc"), "ids_b": list("xyz")}, "3 IDs of system A are not in system B: “a”, “b”, “c”. Both"),
    ({"ids_b": ["1", "2", "3"]}, "ids_b needs ids"),
    ({"ids": "abc"}, "ids must be a list with one value per row, got str"),
    ({"ids": [1.5, 2, 3]}, r"ids\[0\] is 1.5 \(float\), not a string or an integer"),
    ({"clusters": "abc"}, "clusters must be a list with one value per row, got str"),
    ({"clusters": ["a", "b"]}, "clusters has 2 values, predictions 3"),
    ({"clusters": ["a", "a", "a"]}, "at least two clusters"),
    ({"margin": 2}, "margin must be a number above 0 and at most 1, got 2"),
    ({"match": "nearly"}, 'match must be one of "equal"'),
    ({"fuzzy_threshold": 7}, "fuzzy_threshold must be a number between 0 and 1"),
    ({"return_details": True}, "no option return_details"),
    ({"predictions_b": ["a"] * 20_001}, "20,001 rows"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_input_is_rejected_with_a_hint(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare(**{**INPUTS, **change})


def test_missing_scores_are_rejected() -> None:
    for scores in ([0.5, 2], [0.5, "1"], "ab"):
        with pytest.raises(InputError, match="individual_scores_b"):
            compare("l3score", individual_scores=[0.1, 0.2], individual_scores_b=scores)
    with pytest.raises(InputError, match="individual_scores has 2 rows, individual_scores_b 1"):
        compare("l3score", individual_scores=[0.1, 0.2], individual_scores_b=[0.1])
    with pytest.raises(InputError, match="no option provider"):
        compare("l3score", individual_scores=[0.1], individual_scores_b=[0.1], provider="openai")


def test_large_comparisons_are_detected() -> None:
    form = load_form("accuracy")
    few = form.estimate_comparison(INPUTS)
    many = form.estimate_comparison({name: values * 2000 for name, values in INPUTS.items()})
    assert few < 0.01
    assert many > 0.3
    assert form.estimate_comparison({**INPUTS, "predictions_b": None}) < 0.01
    scores = {"individual_scores": [0.5] * 6000, "individual_scores_b": [0.5] * 6000}
    assert load_form("l3score").estimate_comparison(scores) > 0.3


@each_metric
def test_schema_and_table_list_every_key(name: str) -> None:
    arguments, _ = two_systems(name)
    clusters = [str(index // 2) for index in range(len(next(iter(arguments.values()))))]
    called = compare(name, **arguments, clusters=clusters, margin=0.1)
    called.pop("warnings", None)
    assert set(called) - {"margin"} <= set(COMPARISON_SCHEMA["properties"])
    described = COMPARISON_SCHEMA["properties"]["systems"]["properties"]["B"]["properties"]
    scores = set(called["systems"]["A"])
    assert set(called["systems"]["B"]) - scores - {"adjusted_p_value"} == set(described)
    named = {row["name"] for row in COMPARISON_TABLE}
    assert {f'systems["B"]["{key}"]' for key in described} <= named


@each_metric
def test_code_on_the_page_calls_the_endpoint_with_its_arguments(name: str) -> None:
    form = load_form(name)
    code = comparison_code(form)
    assert [heading.removeprefix("Comparison: ") for heading in code] == [
        "Python",
        "REST",
        "JavaScript",
        "gradio_client",
        "MCP",
    ]
    curl = code["Comparison: REST"]
    assert f"/api/{name}_compare" in curl
    payload = json.loads(curl.partition("-d '")[2].rpartition("'")[0].replace("'\"'\"'", "'"))
    assert compare(name, **payload)["sentence"]


def test_gallery_compares_with_every_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    gallery = load_module(ROOT / "spaces" / "gallery" / "app.py", "app_of_gallery_for_comparisons").GALLERY
    chunks = {"retrieved_contexts": [["a"], ["b"], ["c"]], "retrieved_contexts_b": [["b"], ["a"], ["c"]]}
    chunks["ground_truth_contexts"] = [["a"], ["b"], ["c"]]
    arguments = {**INPUTS, "questions": ["q"] * 3, **chunks}
    called = json.loads(gallery.compare(**arguments))
    assert called["notices"] == []
    metrics = {"accuracy": "accuracy", "exact match": "answer_exact_match", "retrieval MAP": "ranked_retrieval"}
    for title, name in metrics.items():
        own = arguments
        if name == "ranked_retrieval":
            columns = ("retrieved_contexts", "retrieved_contexts_b", "ground_truth_contexts")
            own = dict(zip(INPUTS, (chunks[one] for one in columns), strict=True))
        expected = compare(name, **{key: own[key] for key in INPUTS})
        assert called["results"][title]["systems"]["B"]["difference"] == expected["systems"]["B"]["difference"]
    assert called["results"]["L3Score, demo judge"]["sentence"]
    by_id = {"predictions_b": ["y", "a", "b"], "ids": [1, 2, 3], "ids_b": [3, 1, 2]}
    short = json.loads(gallery.compare(**{**INPUTS, **by_id}))["results"]["accuracy"]
    assert short == called["results"]["accuracy"]
    grouped = json.loads(gallery.compare(**INPUTS, clusters=["u", "u", "v"]))["results"]["accuracy"]
    assert grouped["clusters"] == 2
    bad: list[tuple[dict[str, Any], str]] = [
        ({"predictions_b": None}, "predictions and predictions_b are needed"),
        ({"predictions_b": ["a"]}, "columns differ in length: predictions 3, predictions_b 1"),
        ({"predictions_b": ["a", 2, "c"]}, r"predictions\[1\] is of type int, not a string"),
        ({"ids_b": [1, 2, 3]}, "ids_b needs ids"),
        ({"clusters": "abc"}, "clusters must be a list"),
    ]
    for change, message in bad:
        with pytest.raises(InputError, match=message):
            gallery.compare(**{**INPUTS, **change})
