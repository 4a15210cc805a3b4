"""HTTP client for remote judges: one connection per thread, a deadline for the whole call, a limit on response size.

The standard library's client makes about four times as many short calls per second as clients with connection pools and
middleware, since its threads share nothing (measured by `benchmarks/judge_faults.py`).
"""

import base64
import http.client
import io
import ipaddress
import json
import os
import select
import socket
import ssl
import threading
import time
import urllib.request
from collections.abc import Mapping
from typing import Any
from typing import NamedTuple
from urllib.parse import unquote
from urllib.parse import urlsplit

from ._http_body import MAX_BODY_BYTES
from ._http_body import TransportError
from ._http_body import decode_body

# Seconds for DNS lookup, connecting and the TLS handshake together.
CONNECT_TIMEOUT = 8.0
# Responses below this status, such as 103 Early Hints, precede the final one.
_FINAL = 200


class Response(NamedTuple):
    """The response of a server.

    Attributes:
        status: HTTP status.
        headers: Header fields, by lower-case name.
        text: The decoded body.
    """

    status: int
    headers: Mapping[str, str]
    text: str


class _Socket:
    """A connected socket with one deadline for all operations, which `http.client` does not support."""

    def __init__(self, connected: socket.socket) -> None:
        self.connected = connected
        self.deadline = 0.0

    def apply_deadline(self) -> None:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.connected.settimeout(left)

    def sendall(self, data: bytes) -> None:
        self.apply_deadline()
        self.connected.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self))

    def close(self) -> None:
        self.connected.close()

    def is_stale(self) -> bool:
        """Return whether the server closed the idle connection, which makes it readable (end of file)."""
        if hasattr(select, "poll"):
            poll = select.poll()
            poll.register(self.connected, select.POLLIN)
            return bool(poll.poll(0))
        return bool(select.select([self.connected], [], [], 0)[0])


class _Reader(io.RawIOBase):
    def __init__(self, owner: _Socket) -> None:
        self._owner = owner
        # Keeps the socket open after `http.client` has closed it, which it does before the body is read.
        self._raw: Any = owner.connected.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._owner.apply_deadline()
        count: int | None = self._raw.readinto(buffer)
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class Transport:
    """POST requests to one server. Thread-safe, with one connection per thread.

    Proxies are taken from the environment, except for loopback addresses. Redirects are not followed.

    Args:
        address: Base URL of the API.
        headers: Header fields of every request.
    """

    def __init__(self, address: str, headers: Mapping[str, str]) -> None:
        parts = urlsplit(address)
        self.host = parts.hostname or ""
        self._secure = parts.scheme == "https"
        self._port = parts.port or (443 if self._secure else 80)
        self._path = parts.path.rstrip("/")
        self._proxy = None if is_loopback(self.host) else _proxy_for(parts.scheme, self.host)
        if self._proxy and not self._secure:
            self._path = f"http://{parts.netloc}{self._path}"
            headers = {**headers, **self._proxy.headers}
        fields = {
            "Host": parts.netloc,
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "User-Agent": "l3score",
            **headers,
        }
        self._head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self._context = _tls_context() if self._secure else None
        self._local = threading.local()
        self._lock = threading.Lock()
        self._connections: set[_Socket] = set()
        self._addresses: list[Any] = []

    def post(self, path: str, body: Mapping[str, object], timeout: float) -> Response:
        """Send one request and wait at most `timeout` seconds for the complete response.

        Raises:
            TransportError: If there is no usable response.
        """
        deadline = time.monotonic() + timeout
        connection = self._connection(deadline)
        data = json.dumps(body).encode()
        head = f"POST {self._path}{path} HTTP/1.1\r\n{self._head}Content-Length: {len(data)}\r\n\r\n"
        try:
            # One send: every system call is a chance to be preempted by hundreds of other threads.
            connection.sendall(head.encode("latin-1") + data)
            response = http.client.HTTPResponse(connection, method="POST")  # type: ignore[arg-type]  # makefile suffices
            response.begin()
            while response.status < _FINAL:
                # `http.client` skips only 100, and would take the final response for that of the next request.
                response.headers = None  # type: ignore[assignment]  # begin() reads the next one
                response.begin()
            received = response.read(MAX_BODY_BYTES + 1)
            fields = {name.lower(): value for name, value in response.getheaders()}
            text = decode_body(received, fields)
        except TransportError:
            self._drop(connection)
            raise
        except TimeoutError:
            self._drop(connection)
            raise TransportError(f"no answer from {self.host} within {timeout:g} seconds", "timeout") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._drop(connection)
            reason = f"the connection to {self.host} broke ({_cause(error)})"
            raise TransportError(reason, "exchange") from None
        if response.will_close:
            self._drop(connection)
        return Response(response.status, fields, text)

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            connections, self._connections = self._connections, set()
        for connection in connections:
            connection.close()

    def _connection(self, deadline: float) -> _Socket:
        """Return this thread's connection, or a new one if the server closed it."""
        connection: _Socket | None = getattr(self._local, "connection", None)
        if connection is not None and connection.is_stale():
            self._drop(connection)
            connection = None
        if connection is None:
            # Connecting counts toward the deadline of the call.
            connection = _Socket(self._connect(min(deadline, time.monotonic() + CONNECT_TIMEOUT)))
            self._local.connection = connection
            with self._lock:
                self._connections.add(connection)
        connection.deadline = deadline
        return connection

    def _drop(self, connection: _Socket) -> None:
        connection.close()
        self._local.connection = None
        with self._lock:
            self._connections.discard(connection)

    def _connect(self, deadline: float) -> socket.socket:
        """Connect to the server, directly or through the proxy, before the deadline."""
        host, port = (self._proxy.host, self._proxy.port) if self._proxy else (self.host, self._port)
        failure: Exception = OSError("no address")
        for family, kind, protocol, _, address in self._resolve(host, port, deadline):
            connected = socket.socket(family, kind, protocol)
            try:
                connected.settimeout(max(0.001, deadline - time.monotonic()))
                connected.connect(address)
                connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if self._context is not None:
                    if self._proxy:
                        self._open_tunnel(connected, self._proxy)
                    connected.settimeout(max(0.001, deadline - time.monotonic()))
                    connected = self._context.wrap_socket(connected, server_hostname=self.host)
            except (OSError, ValueError) as error:
                connected.close()
                failure = error
                if isinstance(error, ssl.SSLError):
                    break
            else:
                return connected
        with self._lock:
            self._addresses.clear()
        if isinstance(failure, ssl.SSLCertVerificationError):
            reason = f"the certificate of {host} is not valid ({failure.verify_message})"
        elif isinstance(failure, ssl.SSLError):
            reason = f"{host}:{port} does not speak TLS as expected ({failure.reason or 'no reason given'})"
        elif isinstance(failure, TimeoutError):
            reason = f"no connection to {host}:{port} within {CONNECT_TIMEOUT:g} seconds"
        else:
            reason = f"no connection to {host}:{port} ({_cause(failure)})"
        raise TransportError(reason, "connect")

    def _resolve(self, host: str, port: int, deadline: float) -> list[Any]:
        """Resolve the host once for all threads, in a separate thread since getaddrinfo cannot be interrupted."""
        with self._lock:
            if self._addresses:
                return list(self._addresses)
            found: list[Any] = []
            errors: list[OSError] = []

            def look_up() -> None:
                try:
                    found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
                except (OSError, UnicodeError) as error:
                    errors.append(error if isinstance(error, OSError) else OSError("not a host name"))

            thread = threading.Thread(target=look_up, daemon=True)
            thread.start()
            thread.join(max(0.0, deadline - time.monotonic()))
            if not found:
                why = _cause(errors[0]) if errors else "the look-up took too long"
                raise TransportError(f"the host {host} cannot be found ({why})", "connect")
            self._addresses = list(found)
            return list(found)

    def _open_tunnel(self, connected: socket.socket, proxy: "_Proxy") -> None:
        fields = "".join(f"{name}: {value}\r\n" for name, value in proxy.headers.items())
        target = f"{self.host}:{self._port}"
        connected.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{fields}\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head and len(head) < 2**16:
            # Byte by byte, so as not to consume any of the TLS handshake.
            piece = connected.recv(1)
            if not piece:
                break
            head += piece
        status = head.split(b"\r\n", 1)[0].decode("latin-1")
        if " 200" not in status:
            raise OSError(f"the proxy answered {status[:60]!r}")


class _Proxy(NamedTuple):
    host: str
    port: int
    headers: dict[str, str]


def is_loopback(host: str) -> bool:
    """Return whether a host is a loopback address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _proxy_for(scheme: str, host: str) -> _Proxy | None:
    proxies = urllib.request.getproxies()
    url = proxies.get(scheme) or proxies.get("all")
    if not url or urllib.request.proxy_bypass(host):
        return None
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError(f"l3score: the proxy for {scheme} in the environment is not an http:// address")
    headers = {}
    if parts.username:
        given = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Proxy-Authorization"] = "Basic " + base64.b64encode(given.encode()).decode()
    return _Proxy(parts.hostname, parts.port or 80, headers)


def _tls_context() -> ssl.SSLContext:
    context = ssl.create_default_context()
    if not (os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")):
        try:
            # Some Python builds come without root certificates.
            import certifi  # noqa: PLC0415  # only https needs it
        except ImportError:
            return context
        context.load_verify_locations(certifi.where())
    return context


def _cause(error: Exception) -> str:
    """Return the cause of a failure, without text that a server may have put into it."""
    if isinstance(error, OSError) and error.strerror:
        return str(error.strerror)
    if isinstance(error, OSError) and error.args and str(error).startswith("the proxy answered"):
        return str(error)
    return type(error).__name__
