"""The key appears in no output of the metric."""

import json
import logging
import pickle
import re
import traceback
from collections.abc import Callable
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from metrics.l3score._outcomes import JudgeError
from metrics.l3score._providers import PROVIDERS
from metrics.l3score.l3score import L3Score
from tests.conftest import ROOT
from tests.judge_server import JudgeServer
from tests.judge_server import Reply
from tests.judge_server import completion
from tests.judge_server import error

KEY = "sk-canary+/%5e8d1"
FORMS = (KEY, KEY.replace("+", "%2B"), "canary", "e8d1")
pytestmark = pytest.mark.usefixtures("quick_remote_judge")

INPUTS = {"questions": ["a question"], "predictions": ["a prediction"], "references": ["a reference"]}


def assert_clean(*texts: object) -> None:
    for text in map(str, texts):
        for form in FORMS:
            assert form not in text


def traceback_with_locals(error_: BaseException) -> Iterator[str]:
    """The traceback with the local variables of our frames, through all causes and contexts."""
    seen: BaseException | None = error_
    while seen is not None:
        yield from (repr(seen), str(seen), repr(vars(seen)))
        yield "".join(traceback.format_exception(seen))
        frame = seen.__traceback__
        while frame is not None:
            if Path(frame.tb_frame.f_code.co_filename).is_relative_to(ROOT / "metrics"):
                for value in frame.tb_frame.f_locals.values():
                    yield re.sub(r"\b0x[0-9a-f]+", "", repr(value))  # a memory address may contain a part of the key
            frame = frame.tb_next
        seen = seen.__cause__ or seen.__context__


ECHOES = [
    pytest.param(error(401, f"Incorrect API key provided: {KEY}"), id="401"),
    pytest.param(error(400, f"your key {KEY} is odd", code=KEY), id="400"),
    pytest.param(error(500, f"Authorization: Bearer {KEY}"), id="500"),
    pytest.param(Reply(f"<html>{KEY}</html>".encode(), 503, {"content-type": "text/html"}), id="html"),
    pytest.param(Reply(f"Bearer {KEY}".encode(), 503, {"content-type": "text/plain"}), id="text"),
    pytest.param(Reply({"error": {"message": f"bad {KEY}", "code": KEY}}), id="in a 200"),
    pytest.param(Reply({"error": KEY}), id="a bare string in a 200"),
    pytest.param(Reply({"detail": {"key": KEY}}, 422), id="422"),
    pytest.param(Reply(f'{{"key": "{KEY}"'.encode()), id="malformed"),
    pytest.param(Reply(broken=True), id="broken"),
    pytest.param(error(429, f"{KEY} is out of quota", code="insufficient_quota"), id="quota"),
]


@pytest.mark.parametrize("reply", ECHOES)
def test_key_appears_in_no_error_and_no_log(
    reply: Reply, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    with JudgeServer(lambda _request, _number: reply) as server:
        with pytest.raises(JudgeError) as caught:
            L3Score().compute(**INPUTS, api_key=KEY, base_url=server.url, max_retries=1)
        assert KEY in server.headers[0]
        assert_clean(*traceback_with_locals(caught.value), caplog.text, *capfd.readouterr())
        result = None
        if "Judging stopped" not in str(caught.value):
            result = L3Score().compute(
                **INPUTS, api_key=KEY, base_url=server.url, max_retries=0, on_error="skip", return_details=True
            )
        assert_clean(result, caplog.text, *capfd.readouterr())
    for path in tmp_path.rglob("*"):
        assert_clean(path.read_bytes() if path.is_file() else path)


def test_key_appears_in_no_result_store_repr_or_pickle(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    metric = L3Score(api_key=KEY)
    with JudgeServer() as server:
        result = metric.compute(
            **INPUTS, base_url=server.url, judge_cache_dir=tmp_path, return_details=True, return_signature=True
        )
    assert_clean(result, repr(metric), vars(metric), caplog.text, pickle.dumps(metric))
    assert result is not None
    assert f"host:127.0.0.1:{server.port}/v1|" in result["signature"]
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert stored
    assert_clean(stored)
    for text in ("a question", "a prediction", "a reference"):
        assert text.encode() not in stored


@pytest.mark.parametrize("url", [f"http://user:{FORMS[2]}@127.0.0.1:9/v1", f"http://127.0.0.1:9/v1?key={FORMS[2]}"])
def test_url_with_credentials_is_rejected_without_repeating_it(url: str) -> None:
    with pytest.raises(ValueError, match="base_url must not contain") as caught:
        L3Score().compute(**INPUTS, base_url=url)
    assert_clean(caught.value)


@pytest.mark.parametrize("key", ["sk-canary\nnext", "sk-canary e8d1", "sk-cänary", b"sk-canary", 7, "  "])
def test_malformed_key_is_rejected_without_repeating_it(key: Any) -> None:
    with JudgeServer() as server, pytest.raises(ValueError, match="api_key") as caught:
        L3Score().compute(**INPUTS, api_key=key, base_url=server.url)
    assert_clean(caught.value)
    assert not server.requests


def test_key_is_read_from_argument_or_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider, variable in (("openai", "OPENAI_API_KEY"), ("deepseek", "DEEPSEEK_API_KEY"), ("xai", "XAI_API_KEY")):
        monkeypatch.delenv(variable, raising=False)
        with pytest.raises(ValueError, match=rf"api_key= or set the environment variable {variable}"):
            L3Score().compute(**INPUTS, provider=provider, price=(0, 0))
        with JudgeServer() as server:
            own = PROVIDERS[provider]._replace(base_url=server.url)
            monkeypatch.setitem(PROVIDERS, provider, own)
            monkeypatch.setenv(variable, f" {KEY}\n")
            L3Score().compute(**INPUTS, provider=provider, price=(0, 0))
            assert f"Bearer {KEY}\r\n" in server.headers[0]


def test_environment_key_is_not_sent_to_other_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_WEBHOOK_SECRET"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"Authorization: Bearer {KEY}\nX-Other: {KEY}")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with JudgeServer() as server:
        for provider in ("openai", "deepseek", "xai", "openai-compatible"):
            L3Score().compute(**INPUTS, provider=provider, base_url=server.url, price=(0, 0))
        assert len(server.headers) == 4
        assert_clean(*server.headers)
        L3Score().compute(**INPUTS, base_url=server.url, api_key="sk-given", use_cache=False)
        assert "Bearer sk-given\r\n" in server.headers[-1]
        assert_clean(server.headers[-1])


def test_unpickled_metric_has_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    rebuilt = pickle.loads(pickle.dumps(L3Score(api_key=KEY, model="gpt-4o")))  # noqa: S301  # made here
    assert rebuilt._loaded_options == {"model": "gpt-4o"}
    with pytest.raises(ValueError, match="OPENAI_API_KEY"):
        rebuilt.compute(**INPUTS, use_cache=False)


def test_successful_call_shows_the_key_nowhere(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    metric = L3Score(api_key=KEY)
    with JudgeServer(lambda _request, _number: Reply(completion(system_fingerprint="fp"))) as server:
        result = metric.compute(**INPUTS, base_url=server.url, return_details=True, judge_cache_dir=tmp_path)
        assert KEY in server.headers[-1]
    printed = capfd.readouterr()
    assert "Judging" in printed.err  # the progress bar
    stored = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert stored
    assert_clean(result, metric, caplog.text, printed.out, printed.err, *stored)


@pytest.mark.parametrize("status", [200, 400])
def test_escaped_echo_of_the_key_is_redacted(status: int, tmp_path: Path) -> None:
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    body = (
        error(400, "KEY").body if status == 400 else completion([("KEY", -0.1)], model="KEY", system_fingerprint="KEY")
    )
    raw = json.dumps(body).replace("KEY", escaped).encode()
    with JudgeServer(lambda _request, _number: Reply(raw, status)) as server:
        result = L3Score().compute(
            **INPUTS, api_key=KEY, base_url=server.url, on_error="skip", return_details=True, judge_cache_dir=tmp_path
        )
    assert result is not None
    assert "[key]" in str(result)
    assert_clean(result)
    for path in tmp_path.iterdir():
        assert_clean(path.read_bytes())


def test_traceback_with_local_variables_does_not_show_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Callable[[dict[str, Any]], Any]] = [
        lambda options: L3Score(**options),
        lambda options: L3Score().compute(**INPUTS, **options),
        lambda options: L3Score().score_batch(INPUTS, **options),
        lambda options: L3Score().aggregate([], **options),
    ]
    wrong = [(call, {"api_key": KEY, "max_cost": -1}) for call in calls]
    wrong += [(calls[1], {"api_key": f"{KEY} x"}), (calls[1], {"api_key": KEY, "nonsense": 3})]
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY} x")
    wrong.append((calls[1], {}))
    for call, options in wrong:
        with pytest.raises((ValueError, TypeError)) as caught:
            call(options)
        shown = list(traceback_with_locals(caught.value))
        assert len(shown) > 5
        assert_clean(*shown)
