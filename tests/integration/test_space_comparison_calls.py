"""Programs call the comparison endpoints: gradio_client, REST, MCP, large calls, the gallery."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import evaluate
import pytest

from tests.conftest import ROOT
from tests.contract.samples import sample_of
from tests.integration.space_server import Server
from tests.integration.test_space_programs import PRIVATE
from tests.integration.test_space_programs import client
from tests.integration.test_space_programs import log_of
from tests.integration.test_space_programs import post
from tests.integration.test_space_programs import talk
from tests.unit.test_space_comparison_call import two_systems
from tests.unit.test_space_form import each_metric

gradio_client = pytest.importorskip("gradio_client")
pytest.importorskip("gradio")

pytestmark = [pytest.mark.integration, pytest.mark.filterwarnings("always::UserWarning")]

SMALL = {"predictions": [PRIVATE, "b"], "predictions_b": ["a", "c"], "references": ["a", "b"]}


def expected(name: str, systems: dict[str, Any]) -> dict[str, Any]:
    metric = evaluate.load(str(ROOT / "metrics" / name), **sample_of(name).options)
    compared: dict[str, Any] = json.loads(json.dumps(metric.compare(systems)))["systems"]
    return compared


@each_metric
def test_every_client_gets_the_result_of_compare(servers: Callable[[str], Server], name: str) -> None:
    pytest.importorskip("mcp")
    server, endpoint = servers(name), f"{name}_compare"
    arguments, systems = two_systems(name)
    answers = [json.loads(client(server).predict(**arguments, api_name=f"/{endpoint}"))]
    status, text = post(f"{server.url}/api/{endpoint}", json.dumps(arguments).encode())
    assert status == 200
    answers.append(json.loads(text))
    tools, called = asyncio.run(talk(server.url, endpoint, arguments, {}))
    assert not called.isError
    answers += [json.loads(called.content[0].text), called.structuredContent]
    assert [one["systems"] for one in answers] == [expected(name, systems)] * 4
    assert all(one["sentence"] and one["summary"] for one in answers)
    (tool,) = (one for one in tools.tools if one.name == endpoint)
    assert all(one.get("description") for one in tool.inputSchema["properties"].values())
    assert not set(tool.inputSchema["properties"]) & {"api_key", "x_judge_key", "base_url", "judge_cache_dir"}
    assert tool.inputSchema["properties"]["margin"]["exclusiveMinimum"] == 0
    assert tool.inputSchema["properties"]["confidence_level"]["exclusiveMaximum"] == 1
    assert (tool.annotations.readOnlyHint, tool.annotations.openWorldHint) == (True, False)
    assert "sentence" in tool.outputSchema["required"]


def test_bad_input_is_a_readable_422_and_not_logged(servers: Callable[[str], Server]) -> None:
    pytest.importorskip("mcp")
    server = servers("accuracy")
    for change, message in (
        ({"predictions_b": [PRIVATE]}, "predictions has 2 rows, predictions_b 1"),
        ({"ids": [PRIVATE, PRIVATE]}, "1 ID occurs more than once"),
        ({"clusters": ["a", "a"]}, "at least two clusters"),
        ({"references": None}, "references"),
    ):
        given = {**SMALL, **change}
        status, text = post(f"{server.url}/api/accuracy_compare", json.dumps(given).encode())
        assert status == 422
        assert message in json.loads(text)["error"]
        if change.get("references", ""):
            continue
        _, answer = asyncio.run(talk(server.url, "accuracy_compare", given, {}))
        assert answer.isError
    with pytest.raises(gradio_client.exceptions.AppError, match="1 ID occurs more than once"):
        client(server).predict(**SMALL, ids=["x", "x"], api_name="/accuracy_compare")
    status, text = post(f"{server.url}/api/accuracy_compare", json.dumps({"predictions": [PRIVATE]}).encode())
    assert status == 422
    assert "predictions_b, references missing" in json.loads(text)["error"]
    assert PRIVATE not in log_of(server)
    assert "Traceback" not in log_of(server)


def test_large_comparison_runs_in_a_separate_process(servers: Callable[[str], Server]) -> None:
    rows = 9_000
    given = {
        "predictions": [f"answer {index % 7}" for index in range(rows)],
        "predictions_b": [f"answer {index % 5}" for index in range(rows)],
        "references": [f"answer {index % 3}" for index in range(rows)],
        "clusters": [index // 3 for index in range(rows)],
    }
    status, text = post(f"{servers('accuracy').url}/api/accuracy_compare", json.dumps(given).encode())
    assert status == 200
    metric = evaluate.load(str(ROOT / "metrics" / "accuracy"))
    own = {name: given[name] for name in ("predictions", "references")}
    systems = {"A": own, "B": {**own, "predictions": given["predictions_b"]}}
    result = metric.compare(systems, clusters=given["clusters"])
    answer = json.loads(text)
    assert answer["systems"] == json.loads(json.dumps(result))["systems"]
    assert answer["clusters"] == rows / 3
    status, text = post(
        f"{servers('accuracy').url}/api/accuracy_compare", json.dumps({**given, "ids": [1] * rows}).encode()
    )
    assert (status, "occurs more than once" in text) == (422, True)


def test_large_calls_of_the_gallery_run_in_a_separate_process(servers: Callable[[str], Server]) -> None:
    server = servers("gallery")
    texts = [f"answer {index} " + "word " * 100 for index in range(400)]
    given = {"predictions": texts, "references": ["answer 1"] * len(texts)}
    for name, more in (("gallery", {}), ("gallery_compare", {"predictions_b": texts[::-1]})):
        status, text = post(f"{server.url}/api/{name}", json.dumps({**given, **more}).encode())
        assert (status, set(json.loads(text))) == (200, {"results", "notices"})
        assert workers_of(server)


def workers_of(server: Server) -> list[str]:
    """Return the process ids of the server's workers."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has exited
            command, directory = (process / "cmdline").read_bytes(), (process / "cwd").resolve()
            if b"space_ui.workers" in command and directory.is_relative_to(server.place.resolve()):
                found.append(process.name)
    return found


def test_gallery_compares_with_every_metric(servers: Callable[[str], Server]) -> None:
    pytest.importorskip("mcp")
    server = servers("gallery")
    answer = json.loads(client(server).predict(**SMALL, api_name="/gallery_compare"))
    accuracy = {name: SMALL[name] for name in ("predictions", "references")}
    other = {**accuracy, "predictions": SMALL["predictions_b"]}
    found = answer["results"]["accuracy"]["systems"]
    assert found == expected("accuracy", {"A": accuracy, "B": other})
    status, text = post(f"{server.url}/api/gallery_compare", json.dumps(SMALL).encode())
    assert (status, json.loads(text)) == (200, answer)
    tools, called = asyncio.run(talk(server.url, "gallery_compare", SMALL, {}))
    assert called.structuredContent == answer
    (tool,) = (one for one in tools.tools if one.name == "gallery_compare")
    assert all(one.get("description") for one in tool.inputSchema["properties"].values())
    status, text = post(f"{server.url}/api/gallery_compare", json.dumps({**SMALL, "ids_b": [1, 2]}).encode())
    assert (status, json.loads(text)["error"]) == (422, "ids_b needs ids, the ids of the other columns")
    assert PRIVATE not in log_of(server)
