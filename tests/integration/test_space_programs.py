"""Programs call a Space: gradio_client, REST, MCP, many clients at once, and in a separate environment."""

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
PRIVATE = "my-secret-row"


def client(server: Server, **headers: str) -> Any:
    return gradio_client.Client(server.url, verbose=False, headers=headers or None)


def post(url: str, body: bytes, **headers: str) -> tuple[int, str]:
    """Post JSON, and return status and body."""
    request = urllib.request.Request(url, body, {"Content-Type": "application/json", **headers})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  # a local address
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def log_of(server: Server) -> str:
    return (server.place / "log.txt").read_text(encoding="utf-8", errors="replace")


def expected(name: str, **options: Any) -> dict[str, Any]:
    metric = evaluate.load(str(ROOT / "metrics" / name), **sample_of(name).options)
    result: dict[str, Any] = json.loads(json.dumps(metric.compute(**INPUTS[name], **options)))
    return result


def scores_of(result: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key not in {"warnings", "failed"}}


@each_metric
def test_gradio_client_gets_the_scores_of_compute(servers: Callable[[str], Server], name: str) -> None:
    answer = client(servers(name)).predict(**INPUTS[name], api_name=f"/{name}")
    assert scores_of(json.loads(answer)) == scores_of(expected(name))


@each_metric
def test_rest_call_returns_the_result_at_once(servers: Callable[[str], Server], name: str) -> None:
    status, text = post(f"{servers(name).url}/api/{name}", json.dumps(INPUTS[name]).encode())
    assert status == 200
    assert scores_of(json.loads(text)) == scores_of(expected(name))


def test_gallery_endpoint_returns_scores(servers: Callable[[str], Server]) -> None:
    inputs = {"predictions": ["Paris!"], "references": ["paris"]}
    answer = json.loads(client(servers("gallery")).predict(**inputs, api_name="/gallery"))
    assert answer["results"]["accuracy"]["accuracy"] == 1.0
    status, text = post(f"{servers('gallery').url}/api/gallery", json.dumps(inputs).encode())
    assert (status, json.loads(text)) == (200, answer)


def test_scoring_and_comparing_are_the_only_public_endpoints(servers: Callable[[str], Server]) -> None:
    api = client(servers("accuracy")).view_api(return_format="dict")
    assert list(api["named_endpoints"]) == ["/accuracy", "/accuracy_compare"]
    assert api["unnamed_endpoints"] == {}
    parameters = {one["parameter_name"]: one for one in api["named_endpoints"]["/accuracy"]["parameters"]}
    assert parameters["fuzzy_threshold"]["parameter_default"] == 0.8
    assert parameters["match"]["python_type"]["type"].startswith("Literal['equal', 'contains'")


BAD = [
    ({"predictions": "abc"}, "predictions is a bare str"),
    ({"predictions": [1, 2]}, "not a string"),
    ({"fuzzy_threshold": 7}, "fuzzy_threshold must be a number between 0 and 1"),
    ({"match": "nearly"}, 'match must be one of "equal", "contains"'),
    ({"predictions": ["a"] * 20_001}, "20,001 rows"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_input_is_rejected_with_a_clear_error(
    servers: Callable[[str], Server], change: dict[str, Any], message: str
) -> None:
    server = servers("accuracy")
    given = {**INPUTS["accuracy"], **change}
    with pytest.raises(gradio_client.exceptions.AppError, match=message):
        client(server).predict(**given, api_name="/accuracy")
    status, text = post(f"{server.url}/api/accuracy", json.dumps(given).encode())
    assert status == 422
    assert message in json.loads(text)["error"]
    assert "Traceback" not in log_of(server)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"predictions": [PRIVATE]}, "references missing. The arguments are predictions, references, "),
        ({"predictions": [PRIVATE], "references": ["a"], "fuzzy": PRIVATE}, "fuzzy unknown"),
        ([PRIVATE], "must be a JSON object"),
        (None, "isn't valid JSON"),
    ],
    ids=["missing", "unknown", "list", "not JSON"],
)
@pytest.mark.parametrize("path", ["/api/accuracy", "/gradio_api/call/v2/accuracy"])
def test_wrong_fields_are_a_422_and_not_logged(
    servers: Callable[[str], Server], path: str, body: Any, message: str
) -> None:
    server = servers("accuracy")
    content = f"{{{PRIVATE}\n".encode() if body is None else json.dumps(body).encode()
    status, text = post(server.url + path, content)
    assert status == 422
    assert message in json.loads(text)["error"]
    assert PRIVATE not in log_of(server)


def test_rest_call_through_gradios_queue_returns_the_result(servers: Callable[[str], Server]) -> None:
    address = f"{servers('accuracy').url}/gradio_api/call/v2/accuracy"
    status, text = post(address, json.dumps({**INPUTS["accuracy"], "match": "contains"}).encode())
    assert status == 200
    with urllib.request.urlopen(f"{address}/{json.loads(text)['event_id']}", timeout=30) as answer:  # noqa: S310
        data = next(line for line in answer.read().decode().splitlines() if line.startswith("data: "))
    assert json.loads(json.loads(data.removeprefix("data: "))[0]) == expected("accuracy", match="contains")


def test_body_that_is_too_large_is_refused(servers: Callable[[str], Server]) -> None:
    for path in ("/api/accuracy", "/space/score", "/gradio_api/call/v2/accuracy"):
        with contextlib.suppress(OSError):
            assert post(servers("accuracy").url + path, b"[" * 27_000_000)[0] == 413


def test_upload_and_deep_link_of_gradio_are_refused(servers: Callable[[str], Server]) -> None:
    url = servers("accuracy").url
    for path in ("upload", "deep_link"):
        assert post(f"{url}/gradio_api/{path}", b"{}")[0] == 403
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(f"{url}/gradio_api/deep_link?session_hash=abc", timeout=30)  # noqa: S310


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b"\xff", b"[" * 100_000])
@pytest.mark.parametrize("route", ["open", "hub", "quote", "score"])
def test_page_route_rejects_unreadable_bodies(servers: Callable[[str], Server], route: str, body: bytes) -> None:
    status, answer = post(f"{servers('accuracy').url}/space/{route}", body)[:2]
    assert status == 422, answer
    assert "error" in json.loads(answer)


@pytest.mark.parametrize("name", ["page.py", "..%2Fapp.py", "nothing.js", "page.html", "x" * 1000])
def test_only_assets_are_served(servers: Callable[[str], Server], name: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match=r"40[34]"):
        urllib.request.urlopen(f"{servers('accuracy').url}/assets/{name}", timeout=30)  # noqa: S310


def test_body_of_undeclared_length_is_cut_off() -> None:
    """A chunked body has no Content-Length."""
    from space_ui.guard import RequestLimitMiddleware  # noqa: PLC0415  # needs Gradio

    async def read(scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG001
        while (message := await receive())["type"] == "http.request":
            seen.append(len(message["body"]))
        seen.append(message["type"])

    async def endless_body() -> dict[str, Any]:  # as a server does
        return {"type": "http.request", "body": b"x" * 1_000_000, "more_body": True}

    seen: list[Any] = []
    scope = {"type": "http", "path": "/space/score", "headers": [(b"transfer-encoding", b"chunked")]}
    asyncio.run(RequestLimitMiddleware(read)(scope, endless_body, None))
    assert seen == [*[1_000_000] * 26, "http.disconnect"]


async def talk(url: str, name: str, arguments: dict[str, Any], headers: dict[str, str]) -> tuple[Any, Any]:
    """List the tools of an MCP server, and call one."""
    from mcp import ClientSession  # noqa: PLC0415  # an extra of gradio that may be missing
    from mcp.client.streamable_http import streamablehttp_client  # noqa: PLC0415

    async with (
        streamablehttp_client(f"{url}/gradio_api/mcp/", headers=headers) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        return await session.list_tools(), await session.call_tool(name, arguments)


@each_metric
def test_mcp_tool_is_documented_and_returns_the_scores(servers: Callable[[str], Server], name: str) -> None:
    pytest.importorskip("mcp")
    tools, answer = asyncio.run(talk(servers(name).url, name, INPUTS[name], {}))
    tool, comparing = tools.tools
    assert (tool.name, comparing.name) == (name, f"{name}_compare")
    properties = tool.inputSchema["properties"]
    assert all(one.get("description") for one in properties.values()), properties
    assert not set(properties) & {"api_key", "x_judge_key", "base_url", "judge_cache_dir", "extra_body"}
    assert not answer.isError
    assert scores_of(json.loads(answer.content[0].text)) == scores_of(expected(name))
    assert scores_of(answer.structuredContent) == scores_of(expected(name))
    assert tool.annotations.readOnlyHint
    assert tool.annotations.openWorldHint is (name == "l3score")
    assert {key for key in expected(name) if "@" not in key} <= set(tool.outputSchema["properties"])


def test_mcp_schema_lists_option_bounds_and_results(servers: Callable[[str], Server]) -> None:
    pytest.importorskip("mcp")
    tools, _ = asyncio.run(talk(servers("accuracy").url, "accuracy", INPUTS["accuracy"], {}))
    properties = tools.tools[0].inputSchema["properties"]
    assert (properties["fuzzy_threshold"]["minimum"], properties["fuzzy_threshold"]["maximum"]) == (0, 1)
    assert properties["confidence_level"]["exclusiveMaximum"] == 1
    assert properties["bootstrap_seed"]["minimum"] == 0
    results = tools.tools[0].outputSchema["properties"]
    assert (results["accuracy"]["minimum"], results["accuracy"]["maximum"]) == (0, 1)
    assert results["correct"]["type"] == "integer"


def test_mcp_reports_bad_input(servers: Callable[[str], Server]) -> None:
    pytest.importorskip("mcp")
    given = {**INPUTS["accuracy"], "fuzzy_threshold": 7}
    _, answer = asyncio.run(talk(servers("accuracy").url, "accuracy", given, {}))
    assert answer.isError
    assert "fuzzy_threshold must be a number between 0 and 1" in answer.content[0].text


def test_mcp_result_includes_warnings(servers: Callable[[str], Server]) -> None:
    """Gradio answers MCP calls inside `warnings.catch_warnings`, which must not lose the warnings of other calls."""
    pytest.importorskip("mcp")
    server = servers("accuracy")
    empty: dict[str, Any] = {"predictions": [], "references": []}

    def has_warnings(_: int) -> bool:
        return "warnings" in json.loads(post(f"{server.url}/api/accuracy", json.dumps(empty).encode())[1])

    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(asyncio.run, talk(server.url, "accuracy", empty, {})) for _ in range(6)]
        assert all(pool.map(has_warnings, range(24)))
    for call in calls:
        assert "warnings" in json.loads(call.result()[1].content[0].text)
    assert all(map(has_warnings, range(4)))


@pytest.mark.parametrize("data", [[PRIVATE], [{"x": PRIVATE}] * 40, PRIVATE])
def test_rejected_request_is_not_logged(servers: Callable[[str], Server], data: Any) -> None:
    server = servers("accuracy")
    with urllib.request.urlopen(f"{server.url}/config") as answer:  # noqa: S310  # our own server
        functions = json.load(answer)["dependencies"]
    for function in functions:
        body = json.dumps({"data": data, "fn_index": function["id"], "session_hash": "abc"}).encode()
        for path in ("run/predict", "queue/join"):
            post(f"{server.url}/gradio_api/{path}", body)
    post(f"{server.url}/space/score", json.dumps({"rows": data}).encode())
    time.sleep(2)
    assert PRIVATE not in log_of(server)


def test_judge_key_in_a_header_is_stored_nowhere(servers: Callable[[str], Server]) -> None:
    server = servers("l3score")
    with pytest.raises(gradio_client.exceptions.AppError, match="needs a key"):
        client(server).predict(**INPUTS["l3score"], provider="openai", api_name="/l3score")
    # No request leaves this machine, so the judgment fails; the attempt shows that the key arrived.
    try:
        answer = client(server, **{"x-judge-key": KEY}).predict(
            **INPUTS["l3score"], provider="openai", return_details=True, api_name="/l3score"
        )
        assert json.loads(answer)["failed"] == len(INPUTS["l3score"]["questions"])
    except gradio_client.exceptions.AppError as error:
        answer = str(error)
        assert "connect" in answer.lower() or "reach" in answer.lower(), answer
    assert KEY not in answer
    for path in server.place.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("change", [{"base_url": "http://127.0.0.1:1"}, {"judge_cache_dir": "/tmp/x"}])  # noqa: S108
def test_address_and_path_are_not_arguments(servers: Callable[[str], Server], change: dict[str, str]) -> None:
    with pytest.raises(TypeError, match="not a valid key-word argument"):
        client(servers("l3score")).predict(**INPUTS["l3score"], **change, api_name="/l3score")
    with pytest.raises(gradio_client.exceptions.AppError, match="provider must be one of"):
        client(servers("l3score")).predict(**INPUTS["l3score"], provider="transformers", api_name="/l3score")


def test_eight_concurrent_clients_get_their_own_results(servers: Callable[[str], Server]) -> None:
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
def test_space_runs_with_only_its_requirements_and_gradio(name: str, tmp_path: Path) -> None:
    """Takes a minute or two each: installs only what the Hub installs for a Space."""
    directory = ROOT / "metrics" / name
    front_matter = yaml.safe_load((directory / "README.md").read_text(encoding="utf-8").split("---")[1])
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    wanted = ["-r", str(directory / "requirements.txt"), f"gradio=={front_matter['sdk_version']}"]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
    with serve(directory, tmp_path / "run", str(python), GRADIO_TEMP_DIR=str(tmp_path / "run" / "tmp")) as server:
        answer = client(server).predict(**INPUTS[name], api_name=f"/{name}")
    assert scores_of(json.loads(answer)) == scores_of(expected(name))
