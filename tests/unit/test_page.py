"""The page's controls, uploads and calls in a stand-in for Gradio, which tests/integration runs in a browser."""

import asyncio
import importlib
import inspect
import json
import re
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from answer_metrics.files.rows import InputError
from answer_metrics.page import page_tables as tables
from tests.conftest import ROOT
from tests.unit.test_space import METRICS, options_of, space_of

MODULES = ("calls", "gradio_page")


class Component:
    """A component, or an update of one."""

    def __init__(self, *values: Any, **properties: Any) -> None:
        self.properties = {"value": values[0] if values else None, **properties}

    def __enter__(self) -> "Component":
        return self

    def __exit__(self, *_: object) -> None: ...

    def __getattr__(self, event: str) -> Any:
        return lambda *_, **__: Component()


@pytest.fixture(scope="module")
def gradio_page() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        code = "".join((ROOT / "answer_metrics" / "page" / f"{name}.py").read_text("utf-8") for name in MODULES)
        imports = re.findall(r"^(?:from|import) ((?:gradio|starlette)[\w.]*)", code, re.MULTILINE)
        for name in sorted({".".join(name.split(".")[:end]) for name in imports for end in (1, 2, 3)}):
            patch.setitem(sys.modules, name, module := ModuleType(name))
            module.__file__ = ""
            module.__getattr__ = cache(lambda kind: type(kind, (Component,), {}))  # type: ignore[method-assign]
        vars(sys.modules["gradio"]).update(update=dict, Error=RuntimeError)
        vars(sys.modules["gradio.context"]).update(LocalContext=SimpleNamespace(event_id=ContextVar("event_id")))
        yield importlib.import_module("answer_metrics.page.gradio_page")
        for name in MODULES:
            del sys.modules[f"answer_metrics.page.{name}"]


def draw(gradio_page: Any, name: str) -> Any:
    page = gradio_page.Page(space_of(name))
    page.build()
    return page


@pytest.mark.parametrize("name", [*METRICS, "gallery"])
def test_cards_and_controls_have_the_options_of_their_examples(gradio_page: Any, name: str) -> None:
    page = draw(gradio_page, name)
    space: Any = page.space
    settings = json.loads(json.dumps(page.settings()))
    assert {*settings["names"]} == {*page.controls} == {*space.options}
    for part in page.parts:
        for example, card in zip(part.examples, settings["cards"][part.method], strict=False):
            assert space.chosen(card, part.method) == space.chosen(options_of(space, example), part.method)
    for option, control in page.controls.items():
        kind, properties = type(control).__name__, control.properties
        assert properties["value"] == (page.opening[option] if kind != "Radio" else properties["value"])
        assert (kind == "Radio") is (bool(space.offered(option)) and option != "preset")
        needed, *allowed = page.needs.get(option, ["", ""])
        assert properties.get("visible", True) is (page.opening.get(needed, "") in allowed and option != "preset")


@pytest.mark.parametrize("name", METRICS)
def test_endpoints_describe_what_they_take_and_return(gradio_page: Any, name: str) -> None:
    page = draw(gradio_page, name)
    space: Any = page.space
    for endpoint, (method, text, parameters) in space.endpoints().items():
        function = page.endpoint(endpoint, method, text, parameters)
        taken = inspect.signature(function).parameters
        names = ["request", *(parameter[0] for parameter in parameters)]
        assert [*taken] == names + ["x_judge_key"] * (name == "l3score" and method == "call")
        for parameter, _, default, text in parameters:
            assert text or parameter == "preset"  # its cards say it
            assert f"    {parameter}: {text}\n" in f"{function.__doc__}\n"
            assert taken[parameter].default is default
    inputs = tables.to_inputs(space.examples[0]["rows"], space.rows)
    result = space.call({name: column for name, column in inputs.items() if any(column)})
    schema = space.output_schema("call")["properties"]
    types = {float: "number", int: "integer", str: "string", dict: "object", list: "array", type(None): "null"}
    for key in result.keys() - {"warnings", *(key for key in result if "@" in key)}:
        assert types[type(result[key])] in schema[key]["type"], key
        assert schema[key]["description"]


def load(part: Any, source: int | None, *uploads: Any, paste: str = "", names: str = "", **more: Any) -> dict[str, Any]:
    """Load rows as the page does, and return its note, rows and names, and what its button and accordion become."""
    frame = pd.DataFrame(more.get("rows", []), columns=[column.heading for column in part.columns])
    fields = [more.get("fields", {}).get(column.name, "") for column in part.columns]
    files = [*uploads, *[None] * (len(part.uploads) - len(uploads))]
    answer = asyncio.run(part.load(source, None, paste, "", names, frame, *files, *fields))
    table = answer.get(part.table, {}).get("value")
    return {
        "note": answer[part.note], "rows": table and [row for row in table["data"] if any(row)],
        "names": answer.get(part.names), "ready": answer[part.button].properties["interactive"],
        "opened": part.mapping in answer and answer[part.mapping].properties["open"],
    }  # fmt: skip


def test_uploads(gradio_page: Any, tmp_path: Path) -> None:
    for name, text in {
        "one.csv": "output,gold\nParis,paris\nRome,rome\n", "two.csv": "output\nOslo\nLyon\n",
        "odd.json": '[{"mine": "x", "yours": "Paris"}, {"mine": null, "yours": "Rome"}]',
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text, encoding="utf-8")
    one, two, odd = (str(tmp_path / name) for name in ("one.csv", "two.csv", "odd.json"))
    single, pair = draw(gradio_page, "accuracy").parts
    ready = load(single, 0, one, paste="not,read\n1,2\n")
    assert ready["rows"] == [["Paris", "paris"], ["Rome", "rome"]]
    assert (ready["ready"], ready["opened"], ready["names"]) == (True, False, "")
    assert "2 rows: Prediction from “output”, Reference from “gold”" in ready["note"]
    assert load(single, -1, one, paste="output,gold\na,b\n")["rows"] == [["a", "b"]]
    waiting = load(single, 0, odd)
    assert (waiting["rows"], waiting["ready"], waiting["opened"]) == (None, False, True)
    chosen = load(single, None, odd, fields={"predictions": "mine", "references": "yours"})
    assert (chosen["rows"], chosen["ready"]) == ([["x", "Paris"], [tables.MISSING, "Rome"]], True)
    assert "1 missing prediction counted as wrong" in chosen["note"]
    both = load(pair, 0, [one, two], names="x, y")
    assert both["rows"] == [["Paris", "Oslo", "paris"], ["Rome", "Lyon", "rome"]]
    assert both["names"] == "one, two"
    rows = [[*row, *[""] * (len(pair.columns) - 3)] for row in both["rows"]]
    third = load(pair, 1, None, [two], names="x", rows=rows)
    assert third["rows"] == [[*row, row[1]] for row in both["rows"]]
    assert third["names"] == "x, B, two"
    with pytest.raises(InputError, match="Upload the file of system A first"):
        load(pair, 1, None, [two])
    with pytest.raises(InputError, match=r"odd.json: .* Upload this file alone"):
        load(pair, 0, [one, odd])


def test_calls_have_the_options_that_apply(gradio_page: Any) -> None:
    page = draw(gradio_page, "accuracy")
    single, pair = page.parts
    with pytest.raises(InputError, match="There are no rows yet"):
        page.space.score([["", ""]], {})

    async def echo(_: object, *call: Any) -> Any:
        return call

    page.runner.run = echo

    def call(handler: Any, *columns: str, before: tuple[Any, ...] = (), names: str = "", **options: Any) -> Any:
        frame = pd.DataFrame([["a", *[None] * (len(columns) - 1)]], columns=columns)
        values = [{**page.opening, **options}[name] for name in page.controls]
        return asyncio.run(handler(None, *before, frame, names, *values))

    method, rows, plain = call(single.compute, "Reference", "Prediction")[single.report]
    assert (method, [[row[0], row[1]] for row in rows]) == ("score", [["", "a"]])
    fuzzy = call(single.compute, "Prediction", "Reference", fuzzy_match=True)[single.report][2]
    assert fuzzy.keys() - plain.keys() == {"fuzzy_threshold", "fuzzy_scorer"}
    compared = call(pair.compute, "Prediction A", "Prediction B", "Reference", names="x, y")[pair.report]
    assert (compared[0], compared[3]) == ("compare", {"A": "x", "B": "y"})
    for columns, message in ((("Prediction", "x"), "has no column Reference"), (("x", "x"), "has no column")):
        with pytest.raises(InputError, match=f"The table {message}"):
            call(single.compute, *columns)
    with pytest.raises(InputError, match="1 row left: only all that were drawn are a random sample"):
        call(
            single.correct_score, "Prediction", "Reference", before=('{"rows": 3, "labels": {"1": true, "2": false}}',)
        )
    link = tables.pack_link([["a", "b", "a"]], {"match": "recall", "preset": "number"}, comparing={"A": "x"})
    opened = asyncio.run(page.open_link(None, link))
    assert opened[pair.report][:2] == ("compare", [["a", "b", "a", *[""] * (len(pair.columns) - 3)]])
    assert {name: opened[page.controls[name]] for name in ("match", "preset", "numbers")} == {
        "match": "recall", "preset": "number", "numbers": "value",
    }  # fmt: skip
    assert opened[page.tabs].properties["selected"] == "compare"


def test_large_calls_run_while_their_client_waits(gradio_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, page = sys.modules["answer_metrics.page.calls"], draw(gradio_page, "accuracy")
    monkeypatch.setattr(calls, "LISTEN", 0.05)
    for name, limit in (("LIGHT", 60_000), ("LIGHT_CELL", 1_000), ("LIGHT_TEXTS", 6_000)):
        assert getattr(calls, name) == limit
    cells = {"a" * 999: True, "a" * 1_000: False, '"' * 999: True, "\\" * 999: True}
    assert {cell: calls.is_light([cell]) for cell in cells} == cells
    assert [calls.is_light(["a"] * number) for number in (2_999, 3_000)] == [True, False]
    assert [calls.is_light(["a" * 990] * number) for number in (60, 61)] == [True, False]

    async def in_process(method: str, *_: Any) -> str:
        return method

    page.runner.in_process = in_process

    class Request:
        def __init__(self, path: str, *, is_open: bool) -> None:
            self.url, self.is_open = SimpleNamespace(path=path), is_open

        async def is_disconnected(self) -> bool:
            return not self.is_open

    for path, is_open, listening, runs in (
        ("/run/score", True, None, True), ("/run/score", False, True, False), ("/queue/join", True, None, False),
        ("/queue/join", False, True, True), ("/call/score", False, False, False), ("/call/score", False, True, True),
    ):  # fmt: skip
        stream = listening is not None and Request("/queue/data", is_open=listening)
        monkeypatch.setattr(calls, "LISTENING", {"s": stream} if stream else {})
        caller = SimpleNamespace(session_hash="s", client=None, request=Request(path, is_open=is_open))
        with nullcontext() if runs else pytest.raises(InputError, match="No client waits for the result"):
            assert asyncio.run(page.runner.run(caller, "score", ["a" * 1_000])) == "score"
