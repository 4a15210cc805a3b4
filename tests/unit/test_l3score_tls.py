"""Remote judges over TLS and through a proxy, against servers on 127.0.0.1 with a generated certificate."""

import json
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from metrics.l3score._http import Transport
from metrics.l3score._http_body import TransportError
from tests.judge_server import Reply
from tests.judge_server import completion

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="needs the openssl command")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate for localhost, with its key in the same file."""
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    command = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    subprocess.run(
        ["openssl", *command.split(), "-keyout", str(path), "-out", f"{path}.crt"],  # noqa: S607  # the system's
        check=True,
        capture_output=True,
    )
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return path


@pytest.fixture
def tls_port(certificate: Path) -> Iterator[int]:
    """Answer Yes to every request over TLS until the test ends."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                raw, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(raw, server_side=True) as connected:
                    while connected.recv(65536):
                        connected.sendall(Reply(completion()).encoded())
            except OSError:
                continue

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join(5)


def test_trusted_server_is_called_over_one_connection(
    certificate: Path, tls_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    transport = Transport(f"https://localhost:{tls_port}/v1", {})
    for _ in range(3):
        response = transport.post("/chat/completions", {"model": "m"}, 5.0)
        assert response.status == 200
        assert json.loads(response.text)["model"] == "judge-2026-11-01"
    assert len(transport._connections) == 1
    transport.close()


def test_untrusted_certificate_is_rejected_with_the_reason(tls_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    transport = Transport(f"https://localhost:{tls_port}/v1", {})
    with pytest.raises(TransportError, match=r"the certificate of localhost is not valid \(self.signed") as caught:
        transport.post("/chat/completions", {}, 5.0)
    assert caught.value.stage == "connect"


def test_certificate_of_another_host_is_rejected(
    certificate: Path, tls_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    with pytest.raises(TransportError, match=r"the certificate of 127.0.0.1 is not valid"):
        Transport(f"https://127.0.0.1:{tls_port}/v1", {}).post("/chat/completions", {}, 5.0)


def test_environment_proxy_is_used_for_other_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that records requests and refuses them."""
    listener = socket.create_server(("127.0.0.1", 0))
    asked: list[bytes] = []

    def serve() -> None:
        for _ in range(2):
            connected, _ = listener.accept()
            with connected:
                asked.append(connected.recv(65536))
                connected.sendall(b"HTTP/1.1 407 Authenticate\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    proxy = f"http://user:pass@127.0.0.1:{listener.getsockname()[1]}"
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setenv("https_proxy", proxy)
    plain = Transport("http://judge.test/v1", {"Authorization": "Bearer k"})
    assert plain.post("/chat/completions", {}, 5.0).status == 407
    with pytest.raises(TransportError, match=r"the proxy answered 'HTTP/1\.1 407"):
        Transport("https://judge.test/v1", {"Authorization": "Bearer k"}).post("/chat/completions", {}, 5.0)
    thread.join(5)
    listener.close()
    assert asked[0].startswith(b"POST http://judge.test/v1/chat/completions HTTP/1.1\r\nHost: judge.test\r\n")
    assert asked[1].startswith(b"CONNECT judge.test:443 HTTP/1.1\r\n")
    assert b"Bearer" not in asked[1]
    assert all(b"Proxy-Authorization: Basic dXNlcjpwYXNz\r\n" in one for one in asked)
