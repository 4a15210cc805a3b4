"""A dataset on the Hub, read by name through the Hub API from a loopback Hub."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from space_ui.hub import read_dataset
from tests.loopback_hub import LoopbackHub
from tests.unit.test_space_form import load_form

pytestmark = pytest.mark.integration
ACCURACY = load_form("accuracy")
NAMES = ["predictions", "references"]


def parquet(columns: dict[str, list[Any]]) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackHub]:
    with LoopbackHub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        answers: dict[str, list[Any]] = {
            "output": ["Paris", "Rome"],
            "gold": [["paris"], ["Roma", "Rome"]],
            "other": [1, 2],
        }
        splits = {"train": parquet({"output": ["x"], "gold": ["y"]}), "test": parquet(answers)}
        hub.datasets["someone/answers"] = {"default": splits, "small": {"train": parquet(answers)}}
        hub.datasets["someone/large"] = {
            "en + de": {"test": parquet({"output": ["x"] * 20_001, "gold": ["y"] * 20_001})}
        }
        yield hub


def read(mapping: dict[str, str] | None = None, /, **asked: str) -> tuple[int, dict[str, Any]]:
    return read_dataset(ACCURACY, json.dumps(asked).encode(), NAMES, mapping)


@pytest.mark.usefixtures("hub")
def test_dataset_is_read_from_its_default_split() -> None:
    status, answer = read(dataset="someone/answers")
    assert status == 200
    assert answer["rows"] == [["Paris", "paris"], ["Rome", "Roma | Rome"]]
    assert answer["notes"][0] == "From someone/answers, default, test."
    assert answer["names"] == ["output", "gold", "other"]


@pytest.mark.usefixtures("hub")
@pytest.mark.parametrize(
    "address", ["datasets/someone/answers", "https://huggingface.co/datasets/someone/answers/viewer/default/test?row=1"]
)
def test_address_of_a_dataset_is_accepted(address: str) -> None:
    assert read(dataset=address)[1]["notes"][0] == "From someone/answers, default, test."


@pytest.mark.usefixtures("hub")
def test_first_rows_of_a_large_dataset_are_read_with_a_note() -> None:
    answer = read(dataset="someone/large")[1]
    assert len(answer["rows"]) == 20_000
    assert answer["notes"][:2] == ["From someone/large, en + de, test.", "Only its first 20,000 rows."]


@pytest.mark.usefixtures("hub")
def test_configuration_split_and_columns_can_be_chosen() -> None:
    assert read(dataset="someone/answers", split="train")[1]["rows"] == [["x", "y"]]
    chosen = {"predictions": "other", "references": "output"}
    assert read(chosen, dataset="someone/answers", config="small")[1]["rows"] == [["1", "Paris"], ["2", "Rome"]]


@pytest.mark.usefixtures("hub")
@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"dataset": "someone/nothing"}, "The Hub has no public dataset someone/nothing."),
        ({"dataset": "someone/answers", "config": "x"}, "There is no configuration 'x'. Available: default, small."),
        ({"dataset": "someone/answers", "split": "dev"}, "There is no split 'dev'. Available: train, test."),
        ({"dataset": "../.."}, "Enter the name of a dataset on the Hub"),
        ({"dataset": "../../api/whoami-v2"}, "Enter the name of a dataset on the Hub"),
        ({"dataset": "http://127.0.0.1/x"}, "Enter the name of a dataset on the Hub"),
        ({}, "Enter the name of a dataset on the Hub"),
    ],
)
def test_unknown_dataset_is_reported(asked: dict[str, str], message: str) -> None:
    status, answer = read(None, **asked)
    assert status == 422
    assert message in answer["error"]


def test_unreachable_hub_is_reported(hub: LoopbackHub) -> None:
    hub.stop()
    assert read(dataset="someone/answers") == (422, {"error": "The Hub can't be reached from here."})


def test_body_without_a_dataset_name_is_rejected() -> None:
    assert read_dataset(ACCURACY, b"[]", NAMES, None)[0] == 422
