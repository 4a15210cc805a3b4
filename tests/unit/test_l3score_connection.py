"""Certificates, proxies, ambient settings of the openai package, and the key, which appears in no output."""

import contextlib
import json
import logging
import pickle
import re
import shutil
import socket
import ssl
import subprocess
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import certifi
import pytest

from answer_metrics.judge import client
from answer_metrics.judge.engine import JudgeError
from answer_metrics.judge.registry import PROVIDERS
from metrics.l3score.l3score import L3Score
from tests.conftest import ROOT
from tests.judge_server import JudgeServer, Reply, completion, error
from tests.judges import SCORE, TEXTS, always, compute, judge

KEY = "sk-canary+/%5e8d1"
FORMS = (KEY, quote(KEY, safe=""), "canary", "e8d1")
OPENAI_HEADERS = ("openai-organization", "openai-project", "x-other")
pytestmark = [pytest.mark.filterwarnings("ignore:l3score. the model"), pytest.mark.usefixtures("quick_judges")]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate for localhost, with its key in the same file."""
    if not shutil.which("openssl"):
        pytest.skip("needs the openssl command")
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    command = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    subprocess.run(
        ["openssl", *command.split(), "-keyout", str(path), "-out", f"{path}.crt"],  # the system's
        check=True,
        capture_output=True,
    )
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return path


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("localhost", r"the certificate of localhost is not valid \(self.signed certificate\)"),
        ("127.0.0.1", r"the certificate of 127.0.0.1 is not valid \(.*'127.0.0.1'"),
    ],
)
def test_bad_certificate_is_one_sentence(host: str, reason: str, certificate: Path, monkeypatch: Any) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    if host != "localhost":  # trusted, but made for localhost
        monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    message = rf"^Judging stopped: {reason}.*\. Check base_url= and the network\. 0 of the 3"
    with JudgeServer(tls=context) as server:
        with pytest.raises(JudgeError, match=message):
            judge(server, base_url=f"https://{host}:{server.port}/v1")
        assert not server.requests
        monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
        assert judge(server, 1, base_url=f"https://localhost:{server.port}/v1")["L3Score"] == SCORE


def test_authorities_are_only_those_that_the_user_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contexts: list[ssl.SSLContext] = []
    system = []
    make = client._tls_context

    def remember(*options: Any) -> ssl.SSLContext:
        contexts.append(make(*options))
        return contexts[-1]

    monkeypatch.setattr(client, "_tls_context", remember)
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    with JudgeServer() as server:
        for folder in (None, tmp_path):
            if folder:
                monkeypatch.setenv("SSL_CERT_DIR", str(folder))
            judge(server, 1, use_cache=False)
            system.append(ssl.create_default_context())
    system[0].load_verify_locations(certifi.where())  # only without an own choice
    assert [context.cert_store_stats() for context in contexts] == [context.cert_store_stats() for context in system]


@contextlib.contextmanager
def answering(reply: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """A server that gives the same bytes to everyone; yield its address, and what it has received."""
    received: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with contextlib.suppress(OSError):  # closed
                while True:
                    connected, _ = listener.accept()
                    with connected:
                        received.append(connected.recv(65536))
                        connected.sendall(reply)

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}", received
        listener.shutdown(socket.SHUT_RDWR)


def test_server_without_tls_or_without_an_answer_to_it_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "CONNECT_TIMEOUT", 0.5)
    wrong = r"127.0.0.1:\d+ does not speak TLS as expected \(\w+"
    with answering(b"HTTP/1.1 400 Bad Request\r\n\r\n") as (place, _), pytest.raises(JudgeError, match=wrong):
        compute(base_url=f"https://{place}/v1", price=(0, 0))
    late = pytest.raises(JudgeError, match=r"no connection to 127.0.0.1:\d+ within 0.5 seconds\. Check")
    with socket.create_server(("127.0.0.1", 0)) as silent, late:
        compute(base_url=f"https://127.0.0.1:{silent.getsockname()[1]}/v1", price=(0, 0))


@pytest.mark.filterwarnings("ignore::DeprecationWarning:openai")
def test_environment_proxy_is_used_for_other_hosts_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    options: dict[str, Any] = {"api_key": KEY, "max_retries": 0, "price": (0, 0), "on_error": "skip"}
    refusal = b"HTTP/1.1 407 Authenticate\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    with answering(refusal) as (place, asked), JudgeServer() as server:
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, f"http://user:pass@{place}")
        assert judge(server, 1)["individual_scores"] == [SCORE]
        with pytest.raises(JudgeError, match="HTTP 407"):
            judge(server, 1, **options, base_url="http://judge.test/v1")
        with pytest.raises(JudgeError, match=r"no connection to judge.test.* \(the proxy answered 407\)"):
            compute(base_url="https://judge.test/v1", **options)
    assert asked[0].startswith(b"POST http://judge.test/v1/chat/completions HTTP/1.1\r\n")
    assert asked[-1].startswith(b"CONNECT judge.test:443 HTTP/1.1\r\n")
    assert KEY.encode() not in asked[-1]
    assert all(b"proxy-authorization: basic dxnlcjpwyxnz\r\n" in request.lower() for request in asked)
    for scheme in ("http", "https", "all"):
        monkeypatch.setenv(f"{scheme}_proxy", "socks5://127.0.0.1:9")
        refused = f"l3score: the proxy for {scheme} in the environment is not an http:// address"
        with pytest.raises(ValueError, match=refused):
            compute(base_url="http://judge.test/v1", **options)
        monkeypatch.delenv(f"{scheme}_proxy")


def test_keys_and_settings_for_openai_are_sent_to_openai_only(monkeypatch: pytest.MonkeyPatch) -> None:
    ambient = ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_WEBHOOK_SECRET")
    for name in ambient:
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"Authorization: Bearer {KEY}\nX-Other: {KEY}")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with JudgeServer() as server:
        for provider in ("openai", "deepseek", "xai", "openai-compatible"):
            compute(provider=provider, base_url=server.url, price=(0, 0))
        compute(base_url=server.url, api_key="sk-given", use_cache=False)
        assert_clean(*server.headers)
        assert "authorization: bearer sk-given\r\n" in server.headers[-1].lower()
        asked = len(server.headers)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setitem(PROVIDERS, "xai", PROVIDERS["xai"]._replace(base_url=server.url))
        for provider, variable in (("openai", "OPENAI_API_KEY"), ("xai", "XAI_API_KEY")):
            monkeypatch.setenv(variable, f" {KEY}-own\n")
            compute(provider=provider, price=(0, 0), use_cache=False)
        to_openai, to_xai = server.headers[asked].lower(), server.headers[-1].lower()
        for header in (f"authorization: bearer {KEY}-own", *(f"{name}: {KEY}" for name in OPENAI_HEADERS)):
            assert f"\r\n{header}\r\n" in to_openai
        assert to_xai.count("canary") == 1  # its own key


def test_key_comes_by_the_name_of_its_variable_and_the_address_from_openais(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    with JudgeServer(always(Reply(completion(), status=201))) as server:
        for options in ({"api_key_env": "A_KEY"}, {"judges": [{"base_url": server.url, "api_key_env": "A_KEY"}]}):
            metric = pickle.loads(pickle.dumps(L3Score(**options)))  # made here, as for another process
            assert metric.compute(**TEXTS, base_url=server.url, use_cache=False)["L3Score"] == SCORE
            assert f"authorization: bearer {KEY}\r\n" in server.headers[-1].lower()
        with pytest.raises(ValueError, match="set the environment variable B_KEY"):
            compute(base_url=server.url, api_key_env="B_KEY", use_cache=False)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-proxy")
        assert f"|host:127.0.0.1:{server.port}/v1|" in compute(return_signature=True)["signature"]
        assert "authorization: bearer sk-proxy\r\n" in server.headers[-1].lower()
        monkeypatch.setenv("OPENAI_BASE_URL", "localhost:1")
        with pytest.raises(ValueError, match="OPENAI_BASE_URL must be an address"):
            compute()


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
            file = Path(frame.tb_frame.f_code.co_filename)
            if any(file.is_relative_to(ROOT / folder) for folder in ("metrics", "answer_metrics")):
                for value in frame.tb_frame.f_locals.values():
                    yield re.sub(r"\b0x[0-9a-f]+", "", repr(value))  # a memory address may contain a part of the key
            frame = frame.tb_next
        seen = seen.__cause__ or seen.__context__


ECHOES: dict[str, Callable[[str], Reply]] = {
    "401": lambda key: error(401, f"Incorrect API key provided: {key}"),
    "500": lambda key: error(500, f"Authorization: Bearer {key}"),
    "html": lambda key: Reply(f"<html>{key}</html>".encode(), 503, {"content-type": "text/html"}),
    "in a 200": lambda key: Reply({"error": {"message": f"bad {key}", "code": key}}),
    "percent-encoded": lambda key: error(400, f"?key={quote(key, safe='')}"),
    "422": lambda key: Reply({"detail": {"key": key}}, 422),
    "no JSON": lambda key: Reply(f"bad {key}".encode(), 400),
    "cut": lambda key: Reply(json.dumps({"key": key})[:-1].encode(), 400),
    "cut, with slashes escaped": lambda key: Reply(json.dumps({"key": key})[:-1].replace("/", "\\/").encode(), 400),
    "redirect": lambda key: Reply({}, 302, {"location": f"http://127.0.0.1/{key}"}),
}


@pytest.mark.parametrize("key", [KEY, 'sk-"canary/e8d1'], ids=["slash", "quote"])
@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
def test_key_appears_in_no_error_and_no_log(
    echo: Callable[[str], Reply],
    key: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    caplog.set_level(logging.DEBUG)
    with JudgeServer(always(echo(key))) as server:
        with pytest.raises(JudgeError) as caught:
            compute(api_key=key, base_url=server.url, max_retries=1)
        assert key in server.headers[0]
        assert_clean(*traceback_with_locals(caught.value), caplog.text, *capfd.readouterr())
    assert_clean(*(path.read_bytes() if path.is_file() else path for path in tmp_path.rglob("*")))


def test_successful_call_shows_the_key_nowhere(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Nor are the texts stored. A server may repeat the key, even escaped."""
    caplog.set_level(logging.DEBUG)
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    body = json.dumps(completion([("KEY", -0.1)], model="KEY", system_fingerprint="KEY")).replace("KEY", escaped)
    metric = L3Score(api_key=KEY, judge_cache_dir=tmp_path, return_details=True, return_signature=True)
    with JudgeServer(always(Reply(body.encode()))) as server, pytest.warns(UserWarning, match="undecided"):
        result = metric.compute(**TEXTS, base_url=server.url)
    assert result is not None
    assert result["served_models"] == ["[key]"] * 3
    assert f"host:127.0.0.1:{server.port}/v1|" in result["signature"]
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"[key]" in stored
    assert_clean(result, repr(metric), vars(metric), caplog.text, *capfd.readouterr(), pickle.dumps(metric), stored)
    assert not [text for texts in TEXTS.values() for text in texts if text.encode() in stored]


@pytest.mark.parametrize("key", ["x", "Yes", "none", "model", "1"])
def test_placeholder_key_is_not_redacted(key: str) -> None:
    with JudgeServer() as server:
        assert judge(server, 1, api_key=key)["top_tokens"] == [["Yes", "No", " yes", "Y", "The"]]


def test_traceback_with_local_variables_does_not_show_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Callable[[dict[str, Any]], Any]] = [
        lambda options: L3Score(**options),
        lambda options: L3Score().compute(**TEXTS, **options),
        lambda options: L3Score().score_batch(TEXTS, **options),
        lambda options: L3Score().aggregate([], **options),
    ]
    wrong = [(call, {"api_key": KEY, "max_cost": -1}) for call in calls]
    wrong += [(calls[1], {"api_key": f"{KEY} x"}), (calls[1], {"api_key": KEY, "nonsense": 3})]
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY} x")
    wrong.append((calls[1], {}))
    for call, options in wrong:
        with pytest.raises((ValueError, TypeError)) as caught:
            call(options)
        texts = list(traceback_with_locals(caught.value))
        assert len(texts) > 5
        assert_clean(*texts)
