"""The Spaces for programs and agents, heavy calls next to small ones, and what remains of a visitor."""

import asyncio
import gc
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from answer_metrics.files.rows import InputError
from answer_metrics.page import page_tables as tables
from tests.conftest import ROOT
from tests.integration.space_server import Server, serve
from tests.loopback_hub import LoopbackHub

gradio_client = pytest.importorskip("gradio_client")
httpx = pytest.importorskip("httpx")
mcp = pytest.importorskip("mcp")

INPUTS = {"predictions": ["Paris!", "x"], "references": ["paris", "y"]}
LENGTHS = "got 1 predictions, 2 references; all columns must have the same length"


def rest(url: str, name: str, inputs: dict[str, Any], headers: dict[str, str] | None = None) -> tuple[str, str]:
    """Call an endpoint as `curl` does; return the event and its data."""
    sent = httpx.post(f"{url}/gradio_api/call/v2/{name}", json=inputs, headers=headers, timeout=60)
    answer = httpx.get(f"{url}/gradio_api/call/{name}/{sent.json()['event_id']}", timeout=60).text
    event, _, data = answer.rpartition("event: ")[2].partition("\ndata: ")
    return event, data.strip()


@pytest.mark.parametrize("name", ["accuracy", "answer_exact_match", "token_f1", "l3score", "gallery"])
def test_gradio_client_gets_plain_values(servers: Callable[[str], Server], name: str) -> None:
    client = gradio_client.Client(servers(name).url, verbose=False)
    inputs = {**INPUTS, **({"questions": ["a?", "b?"]} if name == "l3score" else {})}
    result = client.predict(**inputs, api_name=f"/{name}")
    key = {"accuracy": "accuracy", "answer_exact_match": "score", "token_f1": "f1", "l3score": "L3Score"}.get(name)
    assert isinstance(result[key] if key else result["results"]["accuracy"]["accuracy"], float)
    scores = {"individual_scores": [0.1, 0.9], "individual_scores_b": [0.8, None]}
    pair = scores if name == "l3score" else {**INPUTS, "predictions_b": ["Paris", "y"]}
    compared = client.predict(**pair, api_name=f"/{name}_compare")
    wins = (compared["results"]["accuracy"] if name == "gallery" else compared)["systems"]["B"]["wins"]
    assert wins == ({"f1": 1, "exact_match": 1} if name == "token_f1" else 1)
    with pytest.raises(Exception, match="1 predictions"):
        client.predict(**{**inputs, "predictions": ["a"]}, api_name=f"/{name}")


def test_rest_returns_json_and_the_sentence_of_the_metric(servers: Callable[[str], Server]) -> None:
    url = servers("accuracy").url
    event, data = rest(url, "accuracy", {**INPUTS, "return_signature": True})
    assert (event, json.loads(data)[0]["signature"]) == ("complete", "accuracy|case:no|norm:v1|fuzzy:no|version:0.3.0")
    event, data = rest(url, "accuracy", {**INPUTS, "predictions": ["a"]})
    assert (event, json.loads(data)["error"]) == ("error", LENGTHS)


def test_agent_lists_scores_and_compares(servers: Callable[[str], Server]) -> None:
    from mcp.client.streamable_http import streamablehttp_client  # an extra

    async def talk() -> None:
        address = f"{servers('accuracy').url}/gradio_api/mcp/"
        async with streamablehttp_client(address) as (read, write, _), mcp.ClientSession(read, write) as session:
            await session.initialize()
            tools = {tool.name: tool for tool in (await session.list_tools()).tools}
            assert tools.keys() == {"accuracy", "accuracy_compare"}
            arguments = tools["accuracy"].inputSchema["properties"]
            assert arguments["match"]["enum"] == ["equal", "contains", "recall"]
            assert arguments["predictions"]["description"] == "The answers to score."
            assert "key" not in str(arguments)
            assert tools["accuracy"].outputSchema["properties"]["accuracy"]["type"] == ["number", "null"]
            scored = await session.call_tool("accuracy", INPUTS)
            assert json.loads(scored.content[0].text)["accuracy"] == scored.structuredContent["accuracy"] == 0.5
            compared = await session.call_tool("accuracy_compare", {**INPUTS, "predictions_b": ["Paris", "y"]})
            assert compared.structuredContent["systems"]["B"]["difference"] == 0.5
            wrong = await session.call_tool("accuracy", {**INPUTS, "predictions": ["a"]})
            assert (wrong.isError, wrong.content[0].text) == (True, LENGTHS)

    asyncio.run(talk())


def test_remote_judge_needs_a_key(servers: Callable[[str], Server]) -> None:
    """The key in the header is used: without a network, the judge cannot be reached, and the key is in no message."""
    url = servers("l3score").url
    inputs = {"questions": ["a?"], "predictions": ["b"], "references": ["c"], "provider": "openai"}
    assert "This judge needs a key: duplicate this Space" in rest(url, "l3score", inputs)[1]
    event, data = rest(url, "l3score", {**inputs, "on_error": "raise"}, {"x-judge-key": "sk-Zq7secret"})
    assert event == "error"
    assert "needs a key" not in data
    assert "Zq7secret" not in data + (servers("l3score").place / "log.txt").read_text(encoding="utf-8")


TEXT = "".join(chr(97 + index * index % 23) for index in range(8_000))
HEAVY: dict[str, Any] = {"predictions": [TEXT] * 100, "references": [TEXT[::-1]] * 100}  # cubic scoring of long texts
HEAVY |= {"fuzzy_match": True, "fuzzy_scorer": "partial_ratio"}


def test_call_that_takes_too_long_is_ended(servers: Callable[[str], Server]) -> None:
    assert "This took more than 30 seconds" in rest(servers("accuracy").url, "accuracy", HEAVY)[1]


def heavy_calls(url: str, waits: float, headers: dict[str, str] | None = None) -> None:
    """Send eight calls that take longer than allowed, leave after some seconds; at 0, never ask for the results."""

    def send(_: int) -> None:
        sent = httpx.post(f"{url}/gradio_api/call/v2/accuracy", json=HEAVY, headers=headers, timeout=60).json()
        if waits:
            with suppress(httpx.TimeoutException):
                httpx.get(f"{url}/gradio_api/call/accuracy/{sent['event_id']}", timeout=waits)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(send, range(8)))


def seconds_of_a_call(url: str, headers: dict[str, str] | None = None) -> float:
    """Return how long 2,500 rows take."""
    started = time.monotonic()
    rows = {"predictions": ["a b"] * 2_500, "references": ["b"] * 2_500}
    assert rest(url, "accuracy", rows, headers)[0] == "complete"
    return time.monotonic() - started


@pytest.mark.parametrize("waits", [0.3, 0])
def test_abandoned_calls_end(servers: Callable[[str], Server], waits: float) -> None:
    url = servers("accuracy").url
    alone = min(seconds_of_a_call(url) for _ in range(2))
    heavy_calls(url, waits)
    assert seconds_of_a_call(url) < 4 * alone + 2


def test_flood_of_one_client_is_its_own(servers: Callable[[str], Server]) -> None:
    url = servers("accuracy").url
    alone = seconds_of_a_call(url, {"x-forwarded-for": "192.0.2.8"})
    flood = Thread(target=heavy_calls, args=(url, 10, {"x-forwarded-for": "192.0.2.7"}))
    flood.start()
    while flood.is_alive():
        assert seconds_of_a_call(url, {"x-forwarded-for": "192.0.2.8"}) < max(20, 4 * alone)


def test_large_bodies_are_refused(servers: Callable[[str], Server]) -> None:
    address = f"{servers('accuracy').url}/gradio_api/call/v2/accuracy"
    assert httpx.post(address, content=b"[" * 26_000_001, timeout=60).status_code == 413
    assert httpx.post(address, content=iter([b"[" * 1_000_000] * 27), timeout=60).status_code >= 400  # no length
    assert rest(servers("accuracy").url, "accuracy", INPUTS)[0] == "complete"
    many = {"predictions": ["a"] * 20_001, "references": ["b"] * 20_001}
    assert "the limit is 20,000" in rest(servers("accuracy").url, "accuracy", many)[1]


def test_datasets_of_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = pa.table({"question": ["Where?"] * 30, "output": ["Paris"] * 30, "answers": [["paris", "x"]] * 30})
    pq.write_table(answers, sink := pa.BufferOutputStream())
    with LoopbackHub() as hub:
        hub.datasets["owner/answers"] = {"default": {"train": b"", "test": sink.getvalue().to_pybytes()}}
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        for address in ("owner/answers", "https://huggingface.co/datasets/owner/answers, default, test"):
            table = tables.read_source("", "", address, 20)
            columns = [tables.Column("predictions", "Prediction"), tables.Column("references", "Reference", "answers")]
            rows = tables.to_rows(table, columns, tables.match_columns(table.names, columns))
            assert rows == [["Paris", "paris | x"]] * 20
        with pytest.raises(InputError, match="The Hub has no public dataset owner/nothing"):
            tables.read_source("", "", "owner/nothing", 20)


MARK = "Zq7" + "Vagabond"
WATCHED = """
import gc, os, runpy, signal, sys
import _gradio_page as space_page
space_page.KEPT = (1, 1)
def search(*_):
    gc.collect()
    held = (one for holder in gc.get_objects() for one in gc.get_referents(holder))
    texts = {id(one): one for one in held if type(one) in (str, bytes)}
    mark = "".join(["Zq7", "Vaga", "bond"])
    found = [one for one in texts.values() if one is not mark and (mark if type(one) is str else mark.encode()) in one]
    with open("found.txt", "w") as file:
        file.write(f"{len(found)} {[str(one)[:200] for one in found]} done")
signal.signal(signal.SIGUSR1, search)
runpy.run_path("app.py", run_name="__main__")
"""


async def call_tool(url: str, inputs: dict[str, Any], headers: dict[str, str]) -> None:
    """Call the tool of accuracy as an agent."""
    from mcp.client.streamable_http import streamablehttp_client  # an extra

    async with (
        streamablehttp_client(f"{url}/gradio_api/mcp/", headers) as (read, write, _),
        mcp.ClientSession(read, write) as session,
    ):
        await session.initialize()
        assert not (await session.call_tool("accuracy", inputs)).isError


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Server]:
    """Serve a Space that, at a signal, counts the texts with the marker among all living objects."""
    with serve(ROOT / "metrics" / "accuracy", tmp_path / "place", code=WATCHED) as server:
        yield server


def living(server: Server) -> str:
    """Return the number and the begin of the living texts that contain the marker."""
    notes = server.place / "space" / "found.txt"
    notes.unlink(missing_ok=True)
    os.kill(server.pid, signal.SIGUSR1)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (notes.exists() and notes.read_text(encoding="utf-8").endswith("done")):
        time.sleep(0.2)
    return notes.read_text(encoding="utf-8")


def test_nothing_of_a_visitor_is_left(browser: Any, watched: Server, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(watched.url)
    page.wait_for_selector(".report")
    (tmp_path / "rows.csv").write_text(f"prediction,reference\n{MARK},x\n", encoding="utf-8")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload", exact=True).first.click()
    chooser.value.set_files(tmp_path / "rows.csv")
    page.locator("p.note", has_text="1 row").wait_for()
    page.get_by_role("button", name="Compute", exact=True).click()
    page.locator(".report tbody", has_text=MARK).wait_for()
    page.get_by_role("button", name="Paste", exact=True).first.click()
    page.locator(".paste textarea:visible").fill(f"{MARK},y,z\na,b\n")
    page.get_by_role("button", name="Load", exact=True).first.click()
    page.locator(".failed").wait_for()
    page.close()
    deadline = time.monotonic() + 20
    while not (found := living(watched)).startswith("0 ") and time.monotonic() < deadline:
        time.sleep(1)
    assert found.startswith("0 "), found
    # Gradio's queue keeps an API call until the next one (SECURITY.md); of these, nothing is logged or written.
    key = {"x-judge-key": f"sk-{MARK}"}
    httpx.post(f"{watched.url}/gradio_api/run/predict", json={"data": [MARK]})
    httpx.post(f"{watched.url}/gradio_api/call/v2/accuracy", json={"predictions": [MARK], "unknown": MARK})
    for predictions in ([MARK], [MARK, "b"]):  # the second call fails
        rest(watched.url, "accuracy", {"predictions": predictions, "references": ["c"]}, key)
    never_fetched = {"predictions": [f"Answer: {MARK}"], "references": ["b"], "extract": "answer_line"}
    assert httpx.post(f"{watched.url}/gradio_api/call/v2/accuracy", json=never_fetched).status_code == 200
    client = gradio_client.Client(watched.url, verbose=False, headers=key)
    client.predict(predictions=[MARK], references=["b"], api_name="/accuracy")
    with pytest.raises(Exception, match="all columns"):
        client.predict(predictions=[MARK], references=[], api_name="/accuracy")
    client.close()
    tool = call_tool(watched.url, {"predictions": [MARK, "b"], "references": [MARK, "c"]}, key)
    with ThreadPoolExecutor(1) as pool:  # the browser has a loop in this thread
        pool.submit(asyncio.run, tool).result()
    deadline = time.monotonic() + 20
    assert MARK not in (watched.place / "log.txt").read_text(encoding="utf-8", errors="replace")
    files = [path for path in (watched.place / "tmp").rglob("*") if path.is_file()]
    left = [path for path in files if MARK.encode() in path.read_bytes()]
    while left and time.monotonic() < deadline:
        time.sleep(1)
        left = [path for path in left if path.exists()]
    assert left == []
    gc.collect()
