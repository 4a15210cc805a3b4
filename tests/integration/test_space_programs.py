"""A Space as programs meet it: gradio_client, REST, MCP, many at once, and in an environment of its own."""

import asyncio
import contextlib
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import pytest
import yaml  # type: ignore[import-untyped]  # its types are a package of their own

from tests.conftest import ROOT
from tests.contract.samples import sample_of
from tests.integration.space_server import Server
from tests.integration.space_server import serve
from tests.unit.test_space_form import METRICS
from tests.unit.test_space_form import each_metric

gradio_client = pytest.importorskip("gradio_client")
pytest.importorskip("gradio")

pytestmark = [pytest.mark.integration, pytest.mark.filterwarnings("always::UserWarning")]

INPUTS = {name: dict(sample_of(name).inputs) for name in METRICS}
KEY = "sk-visitor-abcdef0123456789"


def client(server: Server, **headers: str) -> Any:
    return gradio_client.Client(server.url, verbose=False, headers=headers or None)


def expected(name: str, **options: Any) -> dict[str, Any]:
    metric = evaluate.load(str(ROOT / "metrics" / name), **sample_of(name).options)
    result: dict[str, Any] = json.loads(json.dumps(metric.compute(**INPUTS[name], **options)))
    return result


def as_the_metric_says(result: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key not in {"warnings", "failed"}}


@each_metric
def test_gradio_client(servers: Callable[[str], Server], name: str) -> None:
    answer = client(servers(name)).predict(**INPUTS[name], api_name=f"/{name}")
    assert as_the_metric_says(json.loads(answer)) == as_the_metric_says(expected(name))


def test_the_only_public_endpoint_is_the_metric(servers: Callable[[str], Server]) -> None:
    api = client(servers("accuracy")).view_api(return_format="dict")
    assert list(api["named_endpoints"]) == ["/accuracy"]
    assert api["unnamed_endpoints"] == {}
    parameters = {one["parameter_name"]: one for one in api["named_endpoints"]["/accuracy"]["parameters"]}
    assert parameters["fuzzy_threshold"]["parameter_default"] == 0.8
    assert parameters["match"]["python_type"]["type"] == "Literal['equal', 'contains']"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"predictions": "abc"}, "predictions is a bare str"),
        ({"predictions": [1, 2]}, "not a string"),
        ({"fuzzy_threshold": 7}, "fuzzy_threshold must be a number between 0 and 1"),
        ({"match": "nearly"}, 'match must be one of "equal", "contains"'),
        ({"predictions": ["a"] * 2001}, "2,001 rows"),
    ],
)
def test_bad_input_is_told_in_words(servers: Callable[[str], Server], change: dict[str, Any], words: str) -> None:
    with pytest.raises(gradio_client.exceptions.AppError, match=words):
        client(servers("accuracy")).predict(**{**INPUTS["accuracy"], **change}, api_name="/accuracy")
    assert "Traceback" not in (servers("accuracy").place / "log.txt").read_text(encoding="utf-8")


def test_rest(servers: Callable[[str], Server]) -> None:
    address = f"{servers('accuracy').url}/gradio_api/call/v2/accuracy"
    body = json.dumps({**INPUTS["accuracy"], "match": "contains"}).encode()
    asked = urllib.request.Request(address, body, {"Content-Type": "application/json"})  # noqa: S310  # this machine's
    with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310
        event = json.load(answer)["event_id"]
    with urllib.request.urlopen(f"{address}/{event}", timeout=30) as answer:  # noqa: S310
        data = next(line for line in answer.read().decode().splitlines() if line.startswith("data: "))
    assert json.loads(json.loads(data.removeprefix("data: "))[0]) == expected("accuracy", match="contains")


def test_a_body_that_is_too_large_is_refused(servers: Callable[[str], Server]) -> None:
    address = f"{servers('accuracy').url}/gradio_api/call/v2/accuracy"
    asked = urllib.request.Request(address, b"[" * 9_000_000, {"Content-Type": "application/json"})  # noqa: S310
    with pytest.raises(OSError, match=r"413|reset|Broken pipe"):
        urllib.request.urlopen(asked, timeout=30)  # noqa: S310


def test_no_file_can_be_left_here(servers: Callable[[str], Server]) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    asked = urllib.request.Request(f"{servers('accuracy').url}/gradio_api/upload", body, headers)  # noqa: S310
    with pytest.raises(OSError, match="403"):
        urllib.request.urlopen(asked, timeout=30)  # noqa: S310


def test_a_body_of_undeclared_length_is_cut_off() -> None:
    """One that comes in chunks has no Content-Length to go by."""
    from space_ui.page import _Doorkeeper  # noqa: PLC0415  # needs Gradio

    async def read(scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG001
        while (message := await receive())["type"] == "http.request":
            read_.append(len(message["body"]))
        read_.append(message["type"])

    async def endless() -> dict[str, Any]:  # as a server does
        return {"type": "http.request", "body": b"x" * 1_000_000, "more_body": True}

    read_: list[Any] = []
    asyncio.run(_Doorkeeper(read)({"type": "http", "headers": [(b"transfer-encoding", b"chunked")]}, endless, None))
    assert read_ == [*[1_000_000] * 8, "http.disconnect"]


async def talk(url: str, name: str, arguments: dict[str, Any], headers: dict[str, str]) -> tuple[Any, Any]:
    """List the tools of an MCP server, and call one."""
    from mcp import ClientSession  # noqa: PLC0415  # gradio's extra: not everyone who tests has it
    from mcp.client.streamable_http import streamablehttp_client  # noqa: PLC0415

    async with (
        streamablehttp_client(f"{url}/gradio_api/mcp/", headers=headers) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        return await session.list_tools(), await session.call_tool(name, arguments)


@each_metric
def test_mcp(servers: Callable[[str], Server], name: str) -> None:
    pytest.importorskip("mcp")
    tools, answer = asyncio.run(talk(servers(name).url, name, INPUTS[name], {}))
    (tool,) = tools.tools
    assert tool.name == name
    properties = tool.inputSchema["properties"]
    assert all(one.get("description") for one in properties.values()), properties
    assert not set(properties) & {"api_key", "x_judge_key", "base_url", "judge_cache_dir", "extra_body"}
    assert not answer.isError
    assert as_the_metric_says(json.loads(answer.content[0].text)) == as_the_metric_says(expected(name))


def test_mcp_tells_what_is_wrong(servers: Callable[[str], Server]) -> None:
    pytest.importorskip("mcp")
    given = {**INPUTS["accuracy"], "fuzzy_threshold": 7}
    _, answer = asyncio.run(talk(servers("accuracy").url, "accuracy", given, {}))
    assert answer.isError
    assert "fuzzy_threshold must be a number between 0 and 1" in answer.content[0].text


@pytest.mark.parametrize("data", [["my-secret-row"], [{"x": "my-secret-row"}] * 40, "my-secret-row"])
def test_what_gradio_refuses_is_not_logged(servers: Callable[[str], Server], data: Any) -> None:
    server = servers("accuracy")
    with urllib.request.urlopen(f"{server.url}/config") as answer:  # noqa: S310  # our own server
        functions = json.load(answer)["dependencies"]
    for function in functions:
        body = json.dumps({"data": data, "fn_index": function["id"], "session_hash": "abc"}).encode()
        for path in ("run/predict", "queue/join"):
            address, head = f"{server.url}/gradio_api/{path}", {"Content-Type": "application/json"}
            request = urllib.request.Request(address, body, head)  # noqa: S310
            with contextlib.suppress(urllib.error.HTTPError):
                urllib.request.urlopen(request).close()  # noqa: S310
    time.sleep(2)
    assert b"my-secret-row" not in (server.place / "log.txt").read_bytes()


def test_the_judges_key_comes_in_a_header_and_stays_nowhere(servers: Callable[[str], Server]) -> None:
    server = servers("l3score")
    with pytest.raises(gradio_client.exceptions.AppError, match="needs a key"):
        client(server).predict(**INPUTS["l3score"], provider="openai", api_name="/l3score")
    # Nothing leaves this machine, so the judgement fails; that it was tried shows that the key arrived.
    answer = client(server, **{"x-judge-key": KEY}).predict(
        **INPUTS["l3score"], provider="openai", return_details=True, api_name="/l3score"
    )
    result = json.loads(answer)
    assert result["failed"] == len(INPUTS["l3score"]["questions"])
    assert KEY not in answer
    for path in server.place.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("change", [{"base_url": "http://127.0.0.1:1"}, {"judge_cache_dir": "/tmp/x"}])  # noqa: S108
def test_no_address_and_no_path(servers: Callable[[str], Server], change: dict[str, str]) -> None:
    with pytest.raises(TypeError, match="not a valid key-word argument"):
        client(servers("l3score")).predict(**INPUTS["l3score"], **change, api_name="/l3score")
    with pytest.raises(gradio_client.exceptions.AppError, match="provider must be one of"):
        client(servers("l3score")).predict(**INPUTS["l3score"], provider="transformers", api_name="/l3score")


def test_eight_users_at_once(servers: Callable[[str], Server]) -> None:
    server = servers("accuracy")

    def ask(user: int) -> list[float]:
        mine = client(server)
        return [
            json.loads(
                mine.predict(
                    predictions=[str(user)] * 8,
                    references=[str(user if index < user else -1) for index in range(8)],
                    api_name="/accuracy",
                )
            )["accuracy"]
            for _ in range(5)
        ]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == [[user / 8] * 5 for user in range(8)]


@each_metric
def test_in_an_environment_of_its_requirements_and_gradio_alone(name: str, tmp_path: Path) -> None:
    """A minute or two each: what the Hub installs for a Space, and nothing of ours."""
    directory = ROOT / "metrics" / name
    front_matter = yaml.safe_load((directory / "README.md").read_text(encoding="utf-8").split("---")[1])
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    wanted = ["-r", str(directory / "requirements.txt"), f"gradio=={front_matter['sdk_version']}"]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
    with serve(directory, tmp_path / "run", str(python), GRADIO_TEMP_DIR=str(tmp_path / "run" / "tmp")) as server:
        answer = client(server).predict(**INPUTS[name], api_name=f"/{name}")
    assert as_the_metric_says(json.loads(answer)) == as_the_metric_says(expected(name))
