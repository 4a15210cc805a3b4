"""The page's controls, uploads and calls in a stand-in for Gradio, which tests/integration runs in a browser."""

import asyncio
import gzip
import hashlib
import importlib
import inspect
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache, partial
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar
from unittest.mock import Mock

import pandas as pd
import pytest

from answer_metrics.files.rows import InputError
from answer_metrics.page import page_tables as tables
from answer_metrics.page.page_tables import SYSTEMS
from tests.conftest import ROOT
from tests.records import changed, record, recorded, steady
from tests.unit.test_recorded import draw_options, draw_table
from tests.unit.test_space import METRICS, options_of, space_of

MODULES = ("calls", "gradio_page")


class Component:
    """A component, an update or an event; `drawn` has all in order, and None where `with` begins and ends."""

    drawn: ClassVar[list[Any]] = []

    def __init__(self, *values: Any, **properties: Any) -> None:
        self.values, self.properties = values, {"value": values[0] if values else None, **properties}
        self.drawn.append(self)

    def __enter__(self) -> "Component":
        Component.drawn.append(None)
        return self

    def __exit__(self, *_: object) -> None:
        Component.drawn.append(None)

    def __getattr__(self, event: str) -> Any:
        if event.startswith("__"):
            raise AttributeError(event)
        return partial(type(event, (Component,), {}), self)


class Refused(Exception):
    """Gradio's error, which a caller gets."""

    def __init__(self, message: str, *, print_exception: bool) -> None:
        assert not print_exception  # it may repeat texts
        super().__init__(message)


def load_page() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        code = "".join((ROOT / "answer_metrics" / "page" / f"{name}.py").read_text("utf-8") for name in MODULES)
        imports = re.findall(r"^(?:from|import) ((?:gradio|starlette)[\w.]*)", code, re.MULTILINE)
        for name in sorted({".".join(name.split(".")[:end]) for name in imports for end in (1, 2, 3)}):
            patch.setitem(sys.modules, name, module := ModuleType(name))
            module.__file__ = ""
            module.__getattr__ = cache(lambda kind: type(kind, (Component,), {}))  # type: ignore[method-assign]
        vars(sys.modules["gradio"]).update(update=dict, Error=Refused, themes=Component())
        vars(sys.modules["gradio.context"]).update(LocalContext=SimpleNamespace(event_id=ContextVar("event_id")))
        yield importlib.import_module("answer_metrics.page.gradio_page")
        for name in MODULES:
            del sys.modules[f"answer_metrics.page.{name}"]


gradio_page = pytest.fixture(load_page, scope="module", name="gradio_page")


def draw(gradio_page: Any, name: str) -> Any:
    Component.drawn.clear()
    page = gradio_page.Page(space_of(name))
    page.build()
    page.drawn = [*Component.drawn]
    return page


RECORDED = (*METRICS, "gallery")


def structure(value: Any, places: dict[Any, int]) -> Any:
    """Describe components, events and their properties, with a hash of texts and of HTML without its random names."""
    if isinstance(value, Component):
        return f"#{places.get(value, '')}"
    if isinstance(value, partial):
        return [value.func.__name__, *structure(value.args, places)]
    if isinstance(value, dict):
        return {str(name): structure(item, places) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [structure(item, places) for item in value]
    if callable(value):
        return value.__name__
    if isinstance(value, str) and " " in value and "=>" not in value:
        value = re.sub(r'(?:id|href)="[^"]*"', "", steady(value))
        return hashlib.sha1(value.encode()).hexdigest()[:8]
    return value


def layout(page: Any) -> list[str]:
    """Return a line for each component and event of a page, and what the script in the browser gets."""
    places = {component: place for place, component in enumerate(page.drawn)}
    lines = [each and [type(each).__name__, each.values, each.properties] for each in page.drawn]
    return [json.dumps(structure(line, places), sort_keys=True) for line in [*lines, page.settings()]]


def fire(page: Any, component: Any, event: str = "click", request: Any = None) -> dict[Any, Any]:
    """Let a handler answer an event with what its inputs have now; show its answer in its outputs, and return it."""
    events = [each for each in page.drawn if type(each).__name__ == event and each.values[0] is component]
    (properties,) = [each.properties for each in events if "fn" in each.properties]
    takes = properties["inputs"]
    values = [each.properties["value"] for each in (takes if isinstance(takes, list) else [takes])]
    frames = [
        isinstance(each, dict) and "data" in each and pd.DataFrame(each["data"], None, each["headers"])
        for each in values
    ]
    inputs = [value if frame is False else frame for value, frame in zip(values, frames, strict=True)]
    answer: dict[Any, Any] = asyncio.run(properties["fn"](request, *inputs))
    assert answer.keys() <= {*properties["outputs"]}
    for output, value in answer.items():
        own = (
            value.properties if isinstance(value, Component) else value if isinstance(value, dict) else {"value": value}
        )
        output.properties |= {name: item for name, item in own.items() if name != "value" or value is not None}
    return answer


def written(frame: pd.DataFrame, form: str) -> str:
    """Return a table as the content of a file, in JSONL with cells that are missing."""
    texts: dict[str, str] = {"csv": frame.to_csv(index=False), "tsv": frame.to_csv(index=False, sep="\t")}
    records = frame.map(lambda cell: None if cell in {"a", "none", "<y>"} else cell).to_dict("records")
    texts |= {"json": json.dumps(frame.to_dict("list")), "jsonl": "\n".join(map(json.dumps, records))}
    return texts[form]


def visit(page: Any, name: str, folder: Path) -> Iterator[Any]:
    """Do in a drawn order what visitors may do, and yield what the components then show."""
    places = {component: place for place, component in enumerate(page.drawn)}
    dice, space = random.Random(name), page.space
    sent: dict[str, Any] = {}

    async def run(_: object, method: str, *call: Any) -> Any:
        return json.loads(json.dumps(getattr(space, method)(*call)))

    def do(component: Any, event: str = "click") -> Any:
        page.sent.properties["value"] = sent
        answer = fire(page, component, event)
        sent.update(answer.pop(page.sent, None) or {})
        shown = {places[each]: getattr(value, "properties", value) for each, value in answer.items()}
        return places[component], sent, shown

    page.runner.run = run
    for step in range(20):
        part = dice.choice((page.parts[0], page.parts[-1]))
        action = dice.choice(("edit", "edit", "example", "paste", "upload", "upload", "add", "link", "steps"))
        chosen = dice.choice(({}, draw_options(space, dice)))
        systems = dice.choice(("AB", "AB", "ABC", "ABCDEFGH")) if part.compares else "A"
        table = draw_table(part.columns, dice, systems, chosen)
        shown = {column.name: dice.choice((column.heading, column.heading, column.name)) for column in part.columns}
        own = pd.DataFrame({shown[key]: cells[:6] for key, cells in table.items()})
        names = dice.choice(("", "x, y", " one ,two,three, four", "same,same"))
        options = page.options_of({"options": chosen})
        sent = {"options": options, "names": names, "card": dice.randrange(len(part.examples) - 1)}
        sent |= {"paste": "", "hub": "", "fields": {}}
        for button in part.uploads:
            button.properties["value"] = None
        if action == "edit" or (action == "add" and dice.random() < 0.8):
            part.table.properties["value"] = {"headers": [*own], "data": own.values.tolist()}
        if action == "example":
            yield do(part.example)
        elif action == "paste":
            sent["paste"] = written(own, dice.choice(("csv", "tsv", "json", "jsonl")))
            yield do(part.load_text)
        elif action in {"upload", "add"}:
            paths = []
            for system in ("AB" if part.compares else "A") if action == "upload" else "B":
                end = SYSTEMS[system] if part.compares else ""
                read = [column for column in part.columns if column.name in table and column.system in {"", system}]
                fields = {column.name: dice.choice(("", "", "", "my ")) + column.base for column in read}
                content = pd.DataFrame({fields[key]: table[key][:6] for key in fields})
                paths.append(folder / f"{name} {step}{end}.{(form := dice.choice(('csv', 'json', 'jsonl')))}")
                paths[-1].write_text(written(content, form), "utf-8")
                sent["fields"] |= fields
            button = part.uploads[action == "add" and part.compares]
            button.properties["value"] = [*map(str, paths)] if part.compares else str(paths[0])
            yield do(button, "upload")
            yield do(part.choose)
        elif action == "link":
            rows = own.reindex(columns=[shown[column.name] for column in part.columns], fill_value="").values.tolist()
            comparing = part.compares and dice.choice((True, dict(zip("ABC", names.split(","), strict=False))))
            sent["link"] = tables.pack_link(rows, {**chosen, "x": 1}, comparing=comparing)
            yield do(page.open)
        elif action == "steps" and part.steps:
            yield do(part.check)
            rows = re.findall(r'name="row-(\d+)" value="right"', str(part.step.properties["value"]))
            labels = {row: dice.random() < 0.7 for row in rows[dice.choice((0, 0, 0, 1)) :]}
            sent |= {"rows": len(rows), "labels": labels}
            yield do(part.correct)
            yield do(part.others)
        yield do(part.button)


@pytest.mark.parametrize("name", RECORDED)
def test_visitors_see_what_was_recorded(gradio_page: Any, name: str, tmp_path: Path) -> None:
    page = draw(gradio_page, name)
    assert changed("page", f"{name} visited", recorded(partial(visit, page, name, tmp_path), words=True)) == []


@pytest.mark.parametrize("name", RECORDED)
def test_layout_is_the_one_that_was_recorded(gradio_page: Any, name: str) -> None:
    """`python -m tests.unit.test_page` records the layouts of today."""
    assert changed("page", name, map(json.dumps, layout(draw(gradio_page, name)))) == []


@pytest.mark.parametrize("name", [*METRICS, "gallery"])
def test_cards_and_controls_have_the_options_of_their_examples(gradio_page: Any, name: str) -> None:
    page = draw(gradio_page, name)
    space: Any = page.space
    settings = json.loads(json.dumps(page.settings()))
    assert {*settings["values"]} == {*settings["offered"]} == {*space.options}
    for part in page.parts:
        for example, card in zip(part.examples, settings["cards"][part.method], strict=False):
            assert space.chosen(card, part.method) == space.chosen(options_of(space, example), part.method)
    html = str(gradio_page.PARTS.options([page.control(option) for option in space.options], space.common))
    drawn = {block.partition('"')[0]: block for block in html.split('data-name="')[1:]}
    assert {*drawn} == {*space.options}
    for option, block in drawn.items():
        choices = settings["offered"][option]
        assert block.count('type="radio"') == len(choices) == len(space.offered(option))
        assert page.opening[option] in choices or not choices
        assert ('type="checkbox"' in block) is isinstance(page.opening[option], bool)
        assert ('type="number"' in block) is (type(page.opening[option]) in {int, float})
        needed, *allowed = page.needs.get(option, ["", ""])
        assert (option in page.with_effect({})) is (page.defaults.get(needed, "") in allowed)


@pytest.mark.parametrize("name", METRICS)
def test_endpoints_describe_what_they_take(gradio_page: Any, name: str) -> None:
    page = draw(gradio_page, name)
    space: Any = page.space

    async def run(_: object, *call: Any) -> Any:
        return {"call": call, "rest": 1 % min(call[1].values())}

    page.runner.run = run
    for endpoint, (method, text, parameters) in space.endpoints().items():
        function = page.endpoint(endpoint, method, text, parameters)
        taken = inspect.signature(function).parameters
        names = ["request", *(parameter[0] for parameter in parameters)]
        assert [*taken] == names + ["x_judge_key"] * (name == "l3score" and method == "call")
        for parameter, _, default, text in parameters:
            assert text or parameter == "preset"  # its cards say it
            assert f"    {parameter}: {text}\n" in f"{function.__doc__}\n"
            assert taken[parameter].default is default
        values, keys = [*range(1, len(names))], [" sk-1 "] * (len(taken) - len(names))
        sent = (method, dict(zip(names[1:], values, strict=True)), *(key.strip() for key in keys))
        assert asyncio.run(function(None, *values, *keys)) == {"call": sent, "rest": 0}
        with pytest.raises(Refused, match=r"^Something went wrong here \(ZeroDivisionError\)\.$"):
            asyncio.run(function(None, 0, *values[1:], *keys))


def load(part: Any, source: int | None, *uploads: Any, paste: str = "", names: str = "", **more: Any) -> dict[str, Any]:
    """Load rows as the page does, and return its note, rows and names, and what its button and accordion become."""
    frame = pd.DataFrame(more.get("rows", []), columns=[column.heading for column in part.columns])
    sent = {"paste": paste, "hub": "", "names": names, "fields": more.get("fields", {})}
    files = [*uploads, *[None] * (len(part.uploads) - len(uploads))]
    answer = asyncio.run(part.load(source, None, sent, frame, *files))
    table = answer.get(part.table, {}).get("value")
    return {
        "note": answer[part.note], "rows": table and [row for row in table["data"] if any(row)],
        "names": answer[part.page.sent].get("names"), "ready": answer[part.button].properties["interactive"],
        "opened": 'aria-expanded="true"' in str(answer.get(part.mapping)),
        "emptied": [place for place, upload in enumerate(part.uploads) if answer.get(upload, upload) is None],
        "fields": re.findall(r'<select name="(\w+)"', str(answer.get(part.mapping))),
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
    assert ready["fields"] == ["predictions", "references", "questions", "choices", "ids", "groups"]
    assert [load(single, place, one, paste="a\tb")["emptied"] for place in (0, -1, None)] == [[], [0], []]
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
    third = load(pair, 1, None, [two], names="x", rows=[*rows, [" "] * len(pair.columns)])
    assert (third["emptied"], both["emptied"]) == ([0], [1])
    assert third["fields"] == ["references", "questions", "choices", "predictions_c", "ids", "groups", "clusters"]
    sparse = [[*rows[0][:3], "Which?", *rows[0][4:]], rows[1]]
    assert load(pair, 1, None, [two], rows=sparse)["rows"][1] == ["Rome", "Lyon", "rome", "", "Lyon"]
    again = load(pair, None, None, [two], names="x", rows=rows, fields={"predictions_b": "output"})
    assert again["rows"] == [["Paris", "Oslo", "paris"], ["Rome", "Lyon", "rome"]]
    assert (again["names"], again["fields"]) == ("x, two", [])
    long = tmp_path / f"a, {'b' * 50}.csv"
    long.write_text("output\nOslo\nLyon\n", "utf-8")
    assert load(pair, 1, None, [str(long)], rows=rows)["names"] == f"A, B, a  {'b' * 37}"
    assert third["rows"] == [[*row, row[1]] for row in both["rows"]]
    assert third["names"] == "x, B, two"
    with pytest.raises(InputError, match="Upload the file of system A first"):
        load(pair, 1, None, [two])
    with pytest.raises(InputError, match=r"odd.json: .* Upload this file alone"):
        load(pair, 0, [one, odd])
    (tmp_path / "blank.json").write_text('[{"output": " ", "gold": ""}, {"output": "a", "gold": "b"}]', "utf-8")
    (tmp_path / "blank.csv").write_text("output,gold\n,\na,b\n ,\n", "utf-8")
    for name, count, blank in (("blank.json", "2 rows", "1 row"), ("blank.csv", "1 row", "2 lines")):
        note = f"{count}: Prediction from “output”, Reference from “gold”; {blank} without text left out"
        assert note in load(single, 0, str(tmp_path / name))["note"]
    with pytest.raises(InputError, match="There are no rows, only a header"):
        load(single, -1, paste="output,gold\n")


def test_a_space_links_those_of_its_owner(gradio_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, hub, link in (
        ("", "http://h", ""),
        ("me", "", "https://huggingface.co"),
        ("me", "http://h", "http://h"),
    ):
        monkeypatch.setenv("SPACE_ID", f"{owner}/x" if owner else "")
        monkeypatch.setenv("HF_ENDPOINT", hub)
        if not hub:
            monkeypatch.delenv("HF_ENDPOINT")
        page = draw(gradio_page, "token_f1")
        (masthead,) = (str(each.values[0]) for each in page.drawn if each and "<h1" in str(each.values))
        links = {re.sub(r"\w+$", "", address) for address in re.findall(r'href="([^"]*)"', masthead)}
        assert links == ({f"{link}/spaces/me/"} if owner else set())


def test_calls_have_the_options_that_apply(gradio_page: Any) -> None:
    page = draw(gradio_page, "accuracy")
    single, pair = page.parts
    with pytest.raises(InputError, match="There are no rows yet"):
        page.space.score([["", ""]], {})

    async def echo(_: object, *call: Any) -> Any:
        return call

    page.runner.run = echo

    def call(handler: Any, *columns: str, names: str = "", labels: Any = None, **options: Any) -> Any:
        frame = pd.DataFrame([["a", *[None] * (len(columns) - 1)]], columns=columns)
        sent = {"options": {**page.opening, **options}, "names": names, **(labels or {})}
        return asyncio.run(handler(None, sent, frame))

    assert gradio_page.rows_of(pd.DataFrame([[5, 1.5]], columns=["gold", "output"]), single.columns[:2]) == [
        ["1.5", "5"]
    ]
    method, rows, plain = call(single.compute, "Reference", "Prediction")[single.report]
    assert (method, [[row[0], row[1]] for row in rows]) == ("score", [["", "a"]])
    fuzzy = call(single.compute, "Prediction", "Reference", fuzzy_match=True)[single.report][2]
    assert fuzzy.keys() - plain.keys() == {"fuzzy_threshold", "fuzzy_scorer"}
    for headings in (("Prediction A", "Prediction B", "Reference"), ("output", "output_b", "gold")):
        compared = call(pair.compute, *headings, names="x, y")[pair.report]
        assert (compared[0], compared[1][0][:3], compared[3]) == ("compare", ["a", "", ""], {"A": "x", "B": "y"})
    for columns, message in ((("Prediction", "x"), "has no column Reference"), (("x", "x"), "has no column")):
        with pytest.raises(InputError, match=f"The table {message}"):
            call(single.compute, *columns)
    with pytest.raises(InputError, match="1 row unlabeled: label all drawn rows"):
        call(single.correct_score, "Prediction", "Reference", labels={"rows": 3, "labels": {"1": True, "2": False}})
    link = tables.pack_link([["a", "b", "a"]], {"match": "recall", "preset": "number"}, comparing={"A": "x"})
    opened = asyncio.run(page.open_link(None, {"link": link}))
    assert opened[pair.report][:2] == ("compare", [["a", "b", "a", *[""] * (len(pair.columns) - 3)]])
    assert opened[pair.report][3] == {"A": "x"}
    back = opened[page.sent]
    assert (back["part"], back["names"]) == ("compare", "x")
    assert {name: back["options"][name] for name in ("match", "preset", "numbers")} == {
        "match": "recall", "preset": "number", "numbers": "value",
    }  # fmt: skip
    assert opened[page.tabs].properties["selected"] == "compare"
    alone = asyncio.run(page.open_link(None, {"link": tables.pack_link([["a", "b"]], {})}))
    back = alone[page.sent]
    assert (alone[single.report][0], alone[single.report][3], back["part"], back["names"]) == (
        "score",
        None,
        "score",
        "",
    )
    judge = draw(gradio_page, "l3score")
    judge.runner.run = echo
    (place,) = [place for place, example in enumerate(judge.parts[0].examples) if "result" in example]
    for card in (place, 1 - place):
        (shown,) = asyncio.run(judge.parts[0].show_example(None, {"card": card, "options": {"a": 1}})).values()
        example = judge.parts[0].examples[card]
        assert shown == ("score", example["rows"], {"a": 1}, example if card == place else None)


def test_large_calls_run_while_their_client_waits(gradio_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, page = sys.modules["answer_metrics.page.calls"], draw(gradio_page, "accuracy")
    assert (calls.SECONDS, calls.OPEN, calls.LISTEN) == (30, 8, 10)
    monkeypatch.setattr(calls, "LISTEN", 0.05)
    assert (calls.LIGHT, calls.LIGHT_CELL, calls.LIGHT_TEXTS) == (60_000, 1_000, 6_000)
    threads = [gradio_page.Runner(space_of(name)).threads._max_workers for name in ("accuracy", "l3score")]
    assert (threads, page.runner.processes.total_tokens) == ([2, 8], 2)  # the machine's cores; a judge is waited for
    cells = {"é" * 999: True, "a" * 999: True, "a" * 1_000: False, '"' * 999: True, "\\" * 999: True}
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

    calls.LocalContext.event_id.set("e")
    for path, is_open, listening, runs in (
        ("/run/score", True, {}, True), ("/run/score", False, {"s": True}, False), ("/queue/join", True, {}, False),
        ("/queue/join", False, {"s": True}, True), ("/call/score", False, {"e": False, "s": False}, False),
        ("/call/score", False, {"e": False, "s": True}, True), ("/call/score", False, {"e": True}, True),
        ("/call/score", True, {"": True}, False),
    ):  # fmt: skip
        streams = {name: Request("/queue/data", is_open=value) for name, value in listening.items()}
        monkeypatch.setattr(calls, "LISTENING", streams)
        session = "" if "" in listening else "s"  # where requests without a session are noted
        caller = SimpleNamespace(session_hash=session, client=None, request=Request(path, is_open=is_open))
        with nullcontext() if runs else pytest.raises(InputError, match="No client waits for the result"):
            assert asyncio.run(page.runner.run(caller, "score", ["a" * 1_000])) == "score"
    judge, call = gradio_page.Runner(space_of("l3score")), ("offered", "provider")
    caller.request = Request("/run/score", is_open=True)
    assert asyncio.run(judge.run(caller, *call)) == ["mock", "openai", "deepseek", "xai"]  # in a thread
    caller.request = Request("/run/score", is_open=False)
    with pytest.raises(InputError, match="No client waits for the result"):  # else it would pay a judge
        asyncio.run(judge.run(caller, *call))


@pytest.mark.filterwarnings("ignore:accuracy:UserWarning")
def test_a_visitor_scores_checks_and_compares_rows(gradio_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda _: "id")
    monkeypatch.setattr("secrets.randbelow", lambda below: below - 7)
    page = draw(gradio_page, "accuracy")
    space, (single, pair) = page.space, page.parts

    async def run(_: object, method: str, *call: Any) -> Any:
        return getattr(space, method)(*call)

    page.runner.run = run
    panel = {name: component.properties for name, component in vars(single).items() if isinstance(component, Component)}
    opened = panel["report"]["value"]
    assert opened == space.score(single.examples[0]["rows"], page.opening)
    page.sent.properties["value"] = {"options": {**page.opening, "preset": ""}, "card": 2}
    fire(page, single.example)
    assert panel["report"]["value"] == space.score(single.examples[2]["rows"], {**page.opening, "preset": ""}) != opened
    answers = [f"It was Paris {number}" if number % 4 else "Paris" for number in range(45)]
    rows = [[answer, "Paris", *[""] * (len(single.columns) - 2)] for answer in answers]
    single.table.properties["value"] = {"headers": [column.heading for column in single.columns], "data": rows}
    options = {**page.opening, "preset": "", "match": "contains", "extract": "", "numbers": "text"}
    page.sent.properties["value"] = {"options": options, "names": "", "card": 0}
    fire(page, single.button)
    chosen = {"preset": None, "match": "contains"}
    assert panel["report"]["value"] == space.score(rows, chosen)
    fire(page, single.check)
    assert panel["correct"]["visible"] is True
    drawn = [int(row) - 1 for row in re.findall(r"<legend>Row (\d+)<", panel["step"]["value"])]
    metric = space.metric
    inputs = {"predictions": answers, "references": ["Paris"] * 45}
    scored = metric.score_batch(inputs, **chosen)
    assert drawn == metric.label_sample(scored, 30, seed=2**31 - 7, **chosen)
    assert "30 of 45 rows" in panel["step"]["value"]
    labels = {str(row): row % 4 == 0 for row in drawn}
    page.sent.properties["value"] |= {"rows": 30, "labels": labels}
    fire(page, single.correct)
    people = [labels.get(str(row)) for row in range(45)]
    corrected = metric.aggregate(scored, human_labels=people, return_confidence=True, **chosen)
    low, high = corrected["accuracy_corrected_confidence_interval"]
    values = [
        f"{round(100 * value, 1):g}" for value in (corrected["accuracy_corrected"], low, high, corrected["accuracy"])
    ]
    assert re.findall(r"([\d.]+)(?:%|–)", panel["corrected"]["value"])[:5] == [values[0], "95", *values[1:]]
    fire(page, single.others)
    assert (panel["corrected"]["value"], panel["correct"]["visible"]) == ("", False)
    cells = dict(re.findall(r'<th scope="row">(.*?)</th>\s*<td><b>(.*?)</b>', panel["step"]["value"]))
    names = space.words["preset"][2]
    assert cells == {
        names[name]: f"{100 * metric.compute(**inputs, preset=name or None)['accuracy']:.3g}%" for name in space.presets
    }
    assert panel["step"]["value"].count('class="chosen"') == 1
    single.table.properties["value"]["data"] = []
    for button, output in ((single.button, "report"), (single.check, "step"), (single.others, "step")):
        fire(page, button)
        assert 'role="alert">There are no rows yet' in panel[output]["value"]
    fire(page, pair.example)
    assert pair.report.properties["value"] == space.compare(pair.examples[0]["rows"], options)
    assert page.read_card().properties["value"].startswith("\n## Description\n")
    monkeypatch.setattr(type(space), "score", Mock(side_effect=KeyError))
    assert "Something went wrong here (KeyError)" in page.first_report()


def test_a_large_call_is_answered_by_a_process(gradio_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, runner = sys.modules["answer_metrics.page.calls"], gradio_page.Runner(space_of("accuracy"))
    inputs = {"predictions": ["It is Paris", "b"], "references": ["Paris", "c"]}

    async def run_process(command: list[str], *, input: bytes, **options: Any) -> Any:
        assert options == {"stderr": subprocess.DEVNULL, "cwd": runner.space.directory, "check": False}
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", command[2:])
            patch.setattr(sys, "path", [*sys.path])
            patch.setattr(sys, "stdin", io.StringIO(input.decode()))
            patch.setattr(sys, "stdout", written := io.StringIO())
            exec(command[2], {})
        return SimpleNamespace(stdout=written.getvalue().encode())

    async def run_late(*_: Any, **__: Any) -> Any:
        await asyncio.sleep(60)

    async def run_out(*_: Any, **__: Any) -> Any:
        return SimpleNamespace(stdout=b"")

    monkeypatch.setattr("anyio.run_process", run_process)
    result = asyncio.run(runner.in_process("call", {**inputs, "match": "contains"}))
    assert result == space_of("accuracy").call({**inputs, "match": "contains"})
    for process, call, message in (
        (run_process, {**inputs, "match": "x"}, "^match must be one of"), (run_out, {}, "^Something went wrong here.$"),
        (run_late, {}, "^This took more than 0.01 seconds"),
    ):  # fmt: skip
        monkeypatch.setattr("anyio.run_process", process)
        monkeypatch.setattr(calls, "SECONDS", 0.01 if process is run_late else 30)
        with pytest.raises(InputError, match=message):
            asyncio.run(runner.in_process("call", call))


def test_bodies_are_limited_assets_compressed_and_listeners_noted(
    gradio_page: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls = sys.modules["answer_metrics.page.calls"]
    (tmp_path / "a.js").write_bytes(b"x" * 99)
    (tmp_path / "a.css").write_bytes(b"y" * 99)
    monkeypatch.setattr(calls, "ASSETS", {path.name: path for path in tmp_path.iterdir()})
    monkeypatch.setattr(calls, "HTTPException", type("Refused", (Exception,), {}))
    monkeypatch.setattr(calls, "Request", lambda scope, _: SimpleNamespace(query_params=scope.get("query", {})))
    monkeypatch.setattr(calls, "LISTENING", {})
    bodies: list[bytes] = []

    async def app(_: Any, receive: Any, __: Any) -> str:
        bodies.append((await receive()).get("body", b"") + (await receive()).get("body", b""))
        return "app"

    async def sent(_: Any) -> None: ...

    def ask(path: str, *body: bytes, method: str = "GET", encoding: bytes = b"br, gzip", **scope: Any) -> Any:
        messages = iter([*({"body": part} for part in body), {}, {}])

        async def receive() -> Any:
            return next(messages)

        scope |= {"path": path, "method": method, "headers": [(b"accept-encoding", encoding)]}
        return asyncio.run(calls.guard(app)(scope, receive, sent))

    monkeypatch.setattr(calls.Response, "__call__", lambda self, *_: asyncio.sleep(0, self), raising=False)
    for name, kind, content in (("a.js", "text/javascript", b"x" * 99), ("a.css", "text/css", b"y" * 99)):
        response = ask(f"/assets/{name}")
        assert gzip.decompress(response.values[0]) == content
        headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        headers["Cache-Control"] = "max-age=31536000, immutable"
        assert response.properties == {"value": response.values[0], "media_type": kind, "headers": headers}
        assert ask(f"/assets/{name}", encoding=b"br") == ask(f"/{name}x") == "app"
    calls.LISTENING.clear()
    for path, method, query in (
        ("/gradio_api/call/score/e1", "GET", {}), ("/gradio_api/queue/data", "GET", {"session_hash": "s1"}),
        ("/gradio_api/call/score/e2", "POST", {}), ("/gradio_api/file", "GET", {"session_hash": "s2"}),
    ):  # fmt: skip
        ask(path, method=method, query=query)
    assert calls.LISTENING.keys() - {""} == {"e1", "s1"}
    assert calls.BODY == 26_000_000
    monkeypatch.setattr(calls, "BODY", 10)
    ask("/call/score", b"12345", b"67890", method="POST")
    assert bodies[-1] == b"1234567890"
    with pytest.raises(calls.HTTPException, match="413"):
        ask("/call/score", b"12345", b"678901", method="POST")


def test_a_call_ends_when_its_client_leaves_and_few_wait(gradio_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, runner = sys.modules["answer_metrics.page.calls"], gradio_page.Runner(space_of("accuracy"))
    gone = asyncio.Event()

    async def is_disconnected() -> bool:
        return gone.is_set()

    async def never(*_: Any) -> None:
        await asyncio.sleep(60)

    runner.in_process = never
    open_request = SimpleNamespace(url=SimpleNamespace(path="/run/score"), is_disconnected=is_disconnected)
    caller = SimpleNamespace(session_hash="s", client=SimpleNamespace(host="h"), request=open_request)

    async def ask_often() -> list[Any]:
        callers = [*[caller] * (calls.OPEN + 2), SimpleNamespace(**{**vars(caller), "client": None})]
        asked = [asyncio.ensure_future(runner.run(each, "score", ["a" * 1_000])) for each in callers]
        await asyncio.sleep(0.1)
        gone.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    answers = [str(answer) for answer in asyncio.run(ask_often())]
    waiting = "8 large calls of yours are already waiting. Wait for one of them."
    left = "The client has left."
    assert answers == [*[left] * (calls.OPEN + 1), waiting, left]  # another client waits for none of these


def test_a_space_serves_its_page_and_its_tools(gradio_page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = SimpleNamespace(CallToolRequest="call", ListToolsRequest="list")
    monkeypatch.setitem(sys.modules, "mcp", mcp := ModuleType("mcp"))
    mcp.types, mcp.__spec__ = messages, ModuleSpec("mcp", None)  # type: ignore[attr-defined]
    space, tools = space_of("accuracy"), [SimpleNamespace(name=name, outputSchema=None) for name in ("accuracy",)]
    replies = [("{'a': [1.5, None], 'é': True}", False), ("'It isn\\'t'", True), ('"It\'s"', True), ("plain", True)]

    async def answer(reply: tuple[str, bool]) -> Any:
        root = SimpleNamespace(content=[SimpleNamespace(text=reply[0])], isError=reply[1], structuredContent=None)
        return SimpleNamespace(root=root)

    async def listed(_: Any) -> Any:
        return SimpleNamespace(root=SimpleNamespace(tools=tools))

    server = SimpleNamespace(request_handlers={"call": answer, "list": listed})
    monkeypatch.setattr(Component, "mcp_server_obj", SimpleNamespace(mcp_server=server), raising=False)
    variables = {"GRADIO_ANALYTICS_MAX_EVENTS": "1", "GRADIO_ANALYTICS_CACHE_FREQUENCY": str(sys.maxsize)}
    variables["FORWARDED_ALLOW_IPS"] = "*"
    for name in variables:
        monkeypatch.setenv(name, "")
    Component.drawn.clear()
    gradio_page.launch(space)
    calls = [each for each in Component.drawn if type(each).__name__ in {"launch", "block_thread"}]
    assert [type(each).__name__ for each in calls] == ["launch", "block_thread"]
    served = calls[0].properties
    assert variables.items() <= os.environ.items()
    assert gradio_page.BlocksConfig.config_for_block(1, 2) == {}
    assert served["css_paths"] == gradio_page.HERE / "page.css"
    assert structure({**served, "head": "", "css_paths": "", "theme": ""}, {}) == {
        **dict.fromkeys(("head", "css_paths", "theme"), ""), "footer_links": ["api"], "max_file_size": "20mb",
        "value": "#", "mcp_server": True, "prevent_thread_lock": True, "state_session_capacity": 100,
        **dict.fromkeys(("ssr_mode", "run_history", "enable_monitoring"), False),
        "app_kwargs": {"middleware": ["#", "#"]},
    }  # fmt: skip
    middleware = [each.values[0] for each in served["app_kwargs"]["middleware"]]
    assert middleware == [gradio_page.guard, gradio_page.GZipMiddleware]
    for name in ("report.css", "report.js", "page.js"):
        assert (gradio_page.HERE / name).read_text(encoding="utf-8") in served["head"]
    call, list_tools = (server.request_handlers[kind] for kind in ("call", "list"))
    roots = [asyncio.run(call(reply)).root for reply in replies]
    assert [root.content[0].text for root in roots] == ['{"a": [1.5, null], "é": true}', "It isn't", "It's", "plain"]
    assert [root.structuredContent for root in roots] == [{"a": [1.5, None], "é": True}, None, None, None]
    asyncio.run(list_tools(None))
    assert tools[0].outputSchema == space.output_schema("call")
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.delattr(Component, "mcp_server_obj")
    gradio_page.launch(space)
    launched = [each for each in Component.drawn if type(each).__name__ in {"launch", "block_thread"}][2:]
    assert (len(launched), launched[0].properties["mcp_server"]) == (2, False)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "metrics" / "l3score"))  # as pytest does
    with contextmanager(load_page)() as module:
        parts = {name: [*map(json.dumps, layout(draw(module, name)))] for name in RECORDED}
        with tempfile.TemporaryDirectory() as folder:
            for name in RECORDED:
                visits = partial(visit, draw(module, name), name, Path(folder))
                parts[f"{name} visited"] = recorded(visits, words=True)
        record("page", parts)
