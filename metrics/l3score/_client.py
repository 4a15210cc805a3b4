"""The client of remote judges: all that is known of the `openai` package, and of what servers answer.

The package sends the requests, over its aiohttp transport. What it lacks is added here: a deadline for the whole call,
a limit on the size of answers, no settings from the environment for servers that are not OpenAI's, and requests that
adapt to what a server accepts. Answers are read from the raw JSON, since the package does not validate them.
"""

import asyncio
import email.utils
import functools
import ipaddress
import json
import math
import os
import re
import socket
import ssl
import time
import urllib.request
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from datetime import UTC
from typing import Any, Literal, NamedTuple
from urllib.parse import quote, urlsplit

from ._logprobs import plain_word
from ._options import Secret
from ._registry import STANDARD_TIERS, Usage

# Seconds for DNS lookup, connecting and the TLS handshake together.
CONNECT_TIMEOUT = 8.0
# Far more than any verdict, or eight samples of a reasoning model, needs.
MAX_BODY_BYTES = 8 * 2**20
# The most connections of one run: `max_concurrency` is at most this.
_MAX_CONNECTIONS = 1000
_KEEP_ALIVE = 30.0
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS

NO_LOGPROBS = "the judge gave no log-probabilities, without which there is no score. Choose another model or server"
_NO_QUOTA = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"}
_OK, _REDIRECTS, _BAD_REQUEST, _TRANSIENT = 200, range(300, 400), {400, 422}, {408, 409, 425}
_UNAUTHORIZED, _PAYMENT_REQUIRED, _FORBIDDEN, _NOT_FOUND, _RATE_LIMITED, _SERVER_ERROR = 401, 402, 403, 404, 429, 500
# These may concern one prompt (flagged, too expensive, routed elsewhere) or all of them.
_SUSPECT = {
    _PAYMENT_REQUIRED: "the account has no quota left, or not enough for this prompt",
    _FORBIDDEN: "the server refused the key or the prompt. Check what the key may use",
    _NOT_FOUND: "the server does not know the model or the address. Check model= and base_url=",
}
_LONGEST_WAIT = 120.0
_EXCERPT = 200
# An upper bound for plausible counts that fit in a column.
_MAX_TOKENS = 10**12
# The value that servers send for the logarithm of 0.
_LOG_OF_ZERO = -9999.0
# Self-hosted servers accept any word as a key ("x", "none"), and such a word may be in any answer.
_SHORTEST_SECRET = 8
_LENGTH_FIELDS = ("max_completion_tokens", "max_tokens")
# Limits to try if a server requires a longer answer without saying how long.
_LENGTHS = (1, 4, 16, 64, 256, 1024, 4096)

_FLAGGED = re.compile(
    r"flagged|moderation|content.?(?:policy|filter|management)|safety|usage guidelines", re.IGNORECASE
)
_LOGPROBS_FORBIDDEN = re.compile(r"not allowed to request logprobs", re.IGNORECASE)
_UNKNOWN_MODEL = re.compile(
    r"\bmodels?\b.*(?:not (?:be )?found|does(?: not|n't) exist|unknown)", re.IGNORECASE | re.DOTALL
)
_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|xai|key|pk)-[\w*.-]+")
# Errors about an unsupported field rather than about its value or the prompt.
_UNKNOWN_FIELD = re.compile(
    r"unsupported|unrecogni[sz]ed|unknown|unexpected|does(?: not|n't) support"
    r"|not (?:be )?(?:supported|recogni[sz]ed|permitted|allowed)",
    re.IGNORECASE,
)
_TOO_SHORT = re.compile(r"could not finish the message|output limit was reached", re.IGNORECASE)
_MIN_LENGTH = re.compile(
    r"(?:>=|at least|greater than or equal to|minimum(?: value)?(?: is| of|:)?)\s*(\d{1,4})\b", re.IGNORECASE
)
_CONTEXT = re.compile(r"context (?:length|window)", re.IGNORECASE)

Kind = Literal["answer", "limited", "retry", "broken", "unreachable", "refused", "suspect", "fatal"]


class Reply(NamedTuple):
    """The result of one request.

    `kind` is "answer"; "limited" (a rate limit), "retry" (a transient failure), "broken" (no answer arrived),
    "unreachable" (no connection); "refused" (will not work for this prompt), "suspect" (may not work for any prompt) or
    "fatal" (will not work for any prompt).
    """

    kind: Kind
    why: str = ""  # one sentence about the failure; never contains the key
    judgment: dict[str, Any] | None = None  # of an answer, JSON-serializable, see `read_body`
    usage: Usage | None = None  # tokens billed; None if the server did not report them
    billed: Literal["yes", "no", "unknown"] = "no"
    wait: float | None = None  # seconds that the server asks to wait
    headers: Mapping[str, str] = {}
    priced: bool = True  # whether list prices apply; they do not for other service tiers


# ---- reading answers


def read_body(body: object, *, votes: bool = False) -> Reply:
    """Interpret a response with status 200, which may still be a failure.

    Args:
        body: The parsed body.
        votes: Whether answers were sampled. A judgment then has "yes" and "no", the numbers of these answers, instead
            of "top", the candidates for the first token.
    """
    if not isinstance(body, dict):
        return Reply("retry", "the server answered with something other than a JSON object")
    usage = _usage(body.get("usage"))
    choices = body.get("choices")
    fault = _choice_error(choices) if choices else body.get("error")
    if fault:
        fault = fault if isinstance(fault, dict) else {"message": fault}
        code = str(fault.get("code"))
        reply = read_error(int(code) if code.isdecimal() else 500, code, None, str(fault.get("message", "")), None)
        return reply._replace(usage=usage, billed="no" if usage is None else "yes")
    if not isinstance(choices, list) or not choices or not all(isinstance(choice, dict) for choice in choices):
        reply = Reply("retry", "the server answered without choices")
    else:
        served = {
            "usage": usage,
            "model": _text(body.get("model")),
            "fingerprint": _text(body.get("system_fingerprint")),
        }
        reply = _read_votes(choices, served) if votes else _read_choice(choices[0], served)
    is_standard = body.get("service_tier") in (None, *STANDARD_TIERS)
    return reply._replace(usage=usage, billed="yes", priced=is_standard)


def _choice_error(choices: object) -> object:
    """Return the error of a model that failed while it was answering, as OpenRouter reports it."""
    listed = choices if isinstance(choices, list) else []
    errors = [choice.get("error") for choice in listed if isinstance(choice, dict)]
    return errors[0] if errors and all(errors) else None


def _read_choice(choice: dict[str, Any], served: dict[str, Any]) -> Reply:
    logprobs = choice.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    if _is_refusal(choice, logprobs):
        return Reply("refused", "the provider's content filter refused the prompt")
    top, malformed = _top_tokens(content)
    if malformed:
        return Reply("refused", "the judge gave a log-probability that is not a number")
    if top:
        return Reply("answer", judgment={"top": top, **served})
    if content == [] and not _content(choice):
        return Reply("refused", "the judge's answer is empty")
    return Reply("suspect", NO_LOGPROBS)


def _read_votes(choices: list[dict[str, Any]], served: dict[str, Any]) -> Reply:
    """Count the answers of a structured reply, or of a plain one that is a single word."""
    counts = Counter(_vote(choice) for choice in choices)
    yes, no = counts["yes"], counts["no"]
    judgment = {"yes": yes, "no": no, "invalid": len(choices) - yes - no, **served}
    if yes or no:
        return Reply("answer", judgment=judgment)
    if any(_is_refusal(choice, None) for choice in choices):
        return Reply("refused", "the provider's content filter refused the prompt")
    if any(choice.get("finish_reason") == "length" for choice in choices):
        return Reply("retry", "the judge reached the limit on its tokens before it answered")
    return Reply("retry", "the judge answered neither Yes nor No")


def _vote(choice: dict[str, Any]) -> str:
    text = _content(choice)
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = text
    if isinstance(parsed, dict) and len(parsed) == 1:
        parsed = next(iter(parsed.values()))
    return plain_word(parsed) if isinstance(parsed, str) else ""


def _content(choice: dict[str, Any]) -> str:
    message = choice.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, str) else ""


def _is_refusal(choice: dict[str, Any], logprobs: object) -> bool:
    message = choice.get("message")
    return (
        choice.get("finish_reason") == "content_filter"
        or bool(isinstance(logprobs, dict) and logprobs.get("refusal"))
        or bool(isinstance(message, dict) and message.get("refusal"))
    )


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    details = value.get("prompt_tokens_details")
    hit = details.get("cached_tokens") if isinstance(details, dict) else None
    # DeepSeek reports cached tokens under a different name.
    read = _count(value.get("prompt_tokens"))
    cached = _count(hit or value.get("prompt_cache_hit_tokens") or 0)
    written = _count(value.get("completion_tokens"))
    if read is None or cached is None or written is None:
        return None
    # xAI does not count reasoning tokens as completion tokens, but in the total.
    total = _count(value.get("total_tokens"))
    return read, min(read, cached), max(written, (total or 0) - read)


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= _MAX_TOKENS else None


def _top_tokens(content: object) -> tuple[list[tuple[str, float]], bool]:
    """Return the candidates for the first token in the server's order, and whether any has an invalid log-probability.

    Dropping such a candidate, or one without a text, would change the score: next to a single No, Yes would get all
    remaining mass.
    """
    first = content[0] if isinstance(content, list) and content else None
    listed = first.get("top_logprobs") if isinstance(first, dict) else None
    candidates = [item for item in (listed if isinstance(listed, list) else ()) if isinstance(item, dict)]
    parsed = [(_token(candidate), _logprob(candidate.get("logprob"))) for candidate in candidates]
    named = any(token is not None for token, _ in parsed)
    top = [(token or "", logprob) for token, logprob in parsed if named and logprob is not None]
    return top, any(token is not None and logprob is None for token, logprob in parsed)


def _token(candidate: dict[str, Any]) -> str | None:
    """Return the text of a candidate, decoded from its bytes if the server identifies tokens by number."""
    token, data = _text(candidate.get("token")), candidate.get("bytes")
    if token is not None and token.startswith("token_id:") and isinstance(data, list):
        try:
            return bytes(data).decode(errors="replace")
        except (TypeError, ValueError):
            return token
    return token


def _logprob(value: object) -> float | None:
    """Return a finite float, or None for anything else, including integers too large for a float."""
    if value == -math.inf:
        return _LOG_OF_ZERO
    try:
        number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _text(value: object) -> str | None:
    """Return a string that can be encoded: JSON escapes can contain lone surrogates."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else None


# ---- reading errors


def read_error(status: int, code: str, parameter: str | None, message: str, wait: float | None) -> Reply:
    """Interpret an HTTP error.

    Args:
        status: HTTP status.
        code: The API's error code, if any.
        parameter: The parameter that the error is about, if any.
        message: The error message, without the key.
        wait: Seconds that the server asks to wait, if any.
    """
    detail = f" ({shorten(message)})" if shorten(message) else ""
    fatal = _why_fatal(status, code, parameter, message, wait)
    if fatal:
        # Messages about a key are omitted, since some repeat a part of it.
        return Reply("fatal", fatal.format(detail=detail, status=status, wait=wait))
    suspect = _SUSPECT.get(status)
    if suspect and not (status == _FORBIDDEN and _FLAGGED.search(message)):
        return Reply("suspect", f"{suspect} (HTTP {status}){detail}")
    if status == _RATE_LIMITED:
        kind: Kind = "limited"
    else:
        kind = "retry" if status in _TRANSIENT or status >= _SERVER_ERROR else "refused"
    return Reply(kind, f"HTTP {status}{detail}", wait=wait)


def _why_fatal(status: int, code: str, parameter: str | None, message: str, wait: float | None) -> str:
    """Return the reason why an error affects every prompt, as a format string; empty if it may not."""
    bad_request = status in _BAD_REQUEST
    reasons = {
        "the key was refused (HTTP {status}). Check the key and what it may use": (
            status == _UNAUTHORIZED or code == "invalid_api_key"
        ),
        "the account has no quota left{detail}. Top it up, then run again": code in _NO_QUOTA,
        "the server refuses to give these log-probabilities{detail}. Choose another top_logprobs= or model=": (
            _LOGPROBS_FORBIDDEN.search(message) or (bad_request and (parameter or "").endswith("logprobs"))
        ),
        "the server does not know the model{detail}. Check model= and base_url=": (
            code == "model_not_found" or (status == _NOT_FOUND and _UNKNOWN_MODEL.search(message))
        ),
        "the server asks to wait {wait:.0f} seconds (HTTP {status}){detail}. Run again then": (
            wait is not None and wait > _LONGEST_WAIT
        ),
    }
    return next((reason for reason, applies in reasons.items() if applies), "")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait according to the headers: retry-after-ms, or retry-after in seconds or as a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return seconds if 0 < seconds < math.inf else None
    try:
        date = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        return max(0.0, date.timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def shorten(message: str) -> str:
    """Return the beginning of a server's message on one line; empty for a web page."""
    line = " ".join(message.encode(errors="replace").decode().split())
    return "" if line.startswith("<") else _LOOKS_LIKE_A_KEY.sub("[key]", line)[:_EXCERPT]


def _fault(text: str) -> dict[str, Any]:
    """Return the error object of a body, or one with the body as its message."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return {"message": text}
    if not isinstance(body, dict):
        return {"message": text}
    fault = body.get("error", body)
    if isinstance(fault, dict):
        return fault
    return {"message": fault if isinstance(fault, str) else ""}


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None if value is None else str(value)


def _named_field(fields: Mapping[str, object], parameter: str | None, message: str) -> str | None:
    """Return the field of the request that an error is about."""
    if parameter is not None:
        return parameter if parameter in fields else None
    named = (name for name in fields if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message))
    return next((name for name in named if name != "model"), None)


def _decode(data: bytes, content_type: str) -> str:
    """Decode a body: as JSON in UTF-8, -16 or -32, else with the declared charset."""
    declared = content_type.lower().partition("charset=")[2].split(";")[0].strip(" \"'")
    for name in (json.detect_encoding(data), declared or "utf-8"):
        try:
            return data.decode(name).removeprefix("\ufeff")
        except (LookupError, UnicodeError):
            continue
    return data.decode("utf-8", "replace")


# ---- the connection


class _BadBody(Exception):  # noqa: N818  # never leaves this module
    """A body that is too long, damaged, or in an encoding that was not requested."""


def is_loopback(host: str) -> bool:
    """Return whether a host is a loopback address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@functools.lru_cache(maxsize=4)
def _tls_context(*configured: str | None) -> ssl.SSLContext:
    """Return a context for the values of SSL_CERT_FILE and SSL_CERT_DIR; making one takes longer than a call."""
    context = ssl.create_default_context()  # reads both variables
    if not any(configured):
        try:
            # Some Python builds come without root certificates.
            import certifi  # noqa: PLC0415  # only remote judges need it
        except ImportError:
            return context
        context.load_verify_locations(certifi.where())
    return context


def _check_proxies() -> None:
    for scheme, url in urllib.request.getproxies().items():
        if scheme in {"http", "https", "all"} and "://" in url and urlsplit(url).scheme not in {"http", "https"}:
            raise ValueError(f"l3score: the proxy for {scheme} in the environment is not an http:// address")


async def _limited(body: Any, encoding: str) -> AsyncIterator[bytes]:
    """Decompress a body, and fail if it is longer than `MAX_BODY_BYTES` before or after that."""
    too_long = f"the server answered with more than {MAX_BODY_BYTES // 2**20} MiB"
    unpacker = None if encoding in {"", "identity"} else zlib.decompressobj(_GZIP_OR_ZLIB)
    received = unpacked = 0
    async for part in body:
        received += len(part)
        if received > MAX_BODY_BYTES:
            raise _BadBody(too_long)
        if unpacker is None:
            yield part
            continue
        try:
            plain = unpacker.decompress(part, MAX_BODY_BYTES + 1 - unpacked)
        except zlib.error:
            raise _BadBody(f"the server answered with {encoding} data that is damaged") from None
        unpacked += len(plain)
        if unpacked > MAX_BODY_BYTES:
            raise _BadBody(f"{too_long}, compressed")
        yield plain


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


# Requests that a server accepts, for the rest of this process: (address, original request) -> (adapted request, fields
# that the server refused).
_accepted: dict[tuple[str, str], tuple[Mapping[str, object], set[str]]] = {}


class Client:
    """A client for one server and one kind of request. Made in any thread, used on one event loop.

    Making the first one imports `openai`, which takes a second or two.

    Args:
        address: Base URL of the API.
        key: The key to send.
        fields: The request's fields, without the messages.
        fixed: Fields given by the caller, which are never dropped or changed.
        timeout: Seconds after which a call without a complete answer is abandoned.
        is_openai: Whether this is OpenAI's own server, which gets the caller's OPENAI_ORG_ID, OPENAI_PROJECT_ID and
            OPENAI_CUSTOM_HEADERS.
        votes: Whether answers are sampled instead of using log-probabilities.

    Raises:
        ImportError: If `openai` or aiohttp is not installed.
        ValueError: For a proxy of another kind than HTTP in the environment.
    """

    def __init__(
        self,
        *,
        address: str,
        key: str,
        fields: Mapping[str, object],
        fixed: Collection[str],
        timeout: float,
        is_openai: bool,
        votes: bool = False,
    ) -> None:
        key = Secret(key)
        try:
            import aiohttp  # noqa: PLC0415  # as openai
            import httpx2  # noqa: PLC0415  # as openai
            import openai  # noqa: PLC0415  # takes a second or two, and stored judgments do not need it
        except ImportError as error:
            message = f"remote judges need one more package: pip install 'openai[aiohttp]' ({error})"
            raise ImportError(message) from None
        self._aiohttp, self._httpx2, self._openai = aiohttp, httpx2, openai
        parts = urlsplit(address)
        self.host = parts.hostname or ""
        self._place = f"{self.host}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
        self._address, self._timeout, self._votes = address, timeout, votes
        self._connect_timeout = min(CONNECT_TIMEOUT, 0.9 * timeout)
        self._fixed = frozenset(fixed)
        forms = {key, quote(key, safe=""), json.dumps(key)[1:-1], key.replace("/", "\\/")}
        self._key_forms = {Secret(form) for form in forms} if len(key) >= _SHORTEST_SECRET else set()
        self._id = (address, json.dumps([fields, sorted(self._fixed)], sort_keys=True))
        self._fields: Mapping[str, object]
        self._refused: set[str]
        self._fields, self._refused = _accepted.get(self._id, (fields, set()))
        self._api = self._connect(key, is_openai=is_openai)

    def __repr__(self) -> str:
        return f"Client({self.host})"

    @property
    def verified(self) -> bool:
        """Whether this server has already answered this kind of request in this process."""
        return self._id in _accepted

    def _connect(self, key: str, *, is_openai: bool) -> Any:
        openai, httpx2 = self._openai, self._httpx2
        trusted = not is_loopback(self.host)  # a proxy must not get requests to this computer
        if trusted:
            _check_proxies()
        # The transport takes None for 100, and closes what is above max_keepalive_connections after each call. "pool"
        # is its limit on everything before the request is sent.
        limits = httpx2.Limits(
            max_connections=_MAX_CONNECTIONS,
            max_keepalive_connections=_MAX_CONNECTIONS,
            keepalive_expiry=_KEEP_ALIVE,
        )
        wait = httpx2.Timeout(self._timeout, connect=self._connect_timeout, pool=self._connect_timeout)
        http_client = openai.DefaultAioHttpClient(
            limits=limits,
            timeout=wait,
            follow_redirects=False,
            trust_env=trusted,
            verify=_tls_context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")),
            event_hooks={"response": [self._guard]},
        )
        headers = {"Authorization": f"Bearer {key}", "Accept-Encoding": "identity", "User-Agent": "l3score"}
        if not is_openai:
            custom = os.environ.get("OPENAI_CUSTOM_HEADERS", "").splitlines()
            names = ["OpenAI-Organization", "OpenAI-Project", *(line.partition(":")[0].strip() for line in custom)]
            known = set(map(str.lower, headers))
            headers |= {name: openai.Omit() for name in names if name and name.lower() not in known}
        return openai.AsyncOpenAI(
            api_key=key,
            base_url=self._address,
            max_retries=0,  # the package's own retries would be billed without being counted
            timeout=wait,
            http_client=http_client,
            default_headers={
                name: Secret(value) if isinstance(value, str) else value for name, value in headers.items()
            },
        )

    async def _guard(self, response: Any) -> None:
        """Limit the body of a response before it is read."""
        encoding = response.headers.pop("content-encoding", "").strip().lower()
        if encoding not in {"", "identity", "gzip", "x-gzip", "deflate"}:
            raise _BadBody(f"the server answered in the encoding {encoding[:20]!r}, which was not requested")
        stream = response.stream

        class Limited(self._httpx2.AsyncByteStream):  # type: ignore[name-defined]
            def __aiter__(self) -> AsyncIterator[bytes]:
                return _limited(stream, encoding)

            async def aclose(self) -> None:
                await stream.aclose()

        response.stream = Limited()

    async def close(self) -> None:
        """Close the connections."""
        await self._api.close()

    # ---- one call

    async def ask(self, prompt: str, samples: int = 0) -> Reply:
        """Make one call; a request that the server refuses because of a parameter is repeated without it.

        Args:
            prompt: The user message.
            samples: Number of answers to sample, if the server supports it.
        """
        while True:
            fields = self._fields
            reply = await self._send(fields, prompt, samples)
            if reply is not None:
                break
        if reply.kind == "answer":
            limit = fields.get(_LENGTH_FIELDS[0])
            if not self._votes and reply.usage is not None and isinstance(limit, int) and reply.usage[2] > limit:
                # Some servers silently ignore max_completion_tokens; the length of the answer shows it.
                self._adapt(_LENGTH_FIELDS[0], fields)
            _accepted[self._id] = self._fields, self._refused
        return reply

    async def _send(self, fields: Mapping[str, object], prompt: str, samples: int) -> Reply | None:
        """Send one request; None if it should be repeated immediately with the adapted fields."""
        request = {**fields, "messages": [{"role": "user", "content": prompt}]}
        if self._votes and "n" in fields:
            request["n"] = samples
        try:
            # The package's timeouts are for each read.
            async with asyncio.timeout(self._timeout):
                response = await self._api.post("/chat/completions", cast_to=self._httpx2.Response, body=request)
        except TimeoutError:
            return Reply("broken", f"no answer from {self.host} within {self._timeout:g} seconds", billed="unknown")
        except self._openai.APIStatusError as error:
            response = error.response
        except (self._openai.OpenAIError, self._httpx2.HTTPError, self._httpx2.StreamError, _BadBody) as error:
            return self._read_failure(error)
        except (self._aiohttp.ClientError, self._httpx2.InvalidURL, ValueError, OSError) as error:
            return self._read_failure(error)
        headers, text = response.headers, _decode(response.content, response.headers.get("content-type", ""))
        if response.status_code in _REDIRECTS:
            return self._refuse_redirect(response.status_code, headers.get("location", ""))
        if response.status_code != _OK:
            reply = self._read_error(response.status_code, headers, text, fields)
            return None if reply is None else reply._replace(headers=headers)
        try:
            body = json.loads(text)
            if "\\" in text or self._mask_key(text) != text:
                # Some servers repeat the key, and their response may be stored or shown. Serialized again, the text
                # has no escapes that could hide the key.
                body = json.loads(self._mask_key(json.dumps(body, ensure_ascii=False)))
            reply = read_body(body, votes=self._votes)
        except (ValueError, RecursionError):  # the latter from JSON that is nested too deeply
            why = "the server answered with something that is not valid JSON (a web page?)"
            reply = Reply("retry", why, billed="unknown")
        return reply._replace(headers=headers)

    def _refuse_redirect(self, status: int, location: str) -> Reply:
        target = urlsplit(location)
        where = f"{target.hostname}{target.path}" if target.hostname else target.path or "nowhere"
        why = f"the server redirects to {shorten(self._mask_key(where))!r} (HTTP {status})"
        return Reply("fatal", f"{why}, which is not followed. If you trust that address, make it base_url=")

    def _read_error(
        self, status: int, headers: Mapping[str, str], text: str, fields: Mapping[str, object]
    ) -> Reply | None:
        """Interpret an HTTP error; None if the request was adapted and should be repeated."""
        fault = _fault(text)
        message = self._mask_key(_string(fault.get("message")) or "")
        named = _string(fault.get("param"))
        parameter = None
        if status in _BAD_REQUEST:
            if self._lengthen(fields, message, named):
                return None
            parameter = _named_field(fields, named, message)
            if parameter is not None and (named == parameter or _UNKNOWN_FIELD.search(message)):
                if parameter in self._fixed:
                    reason = shorten(message) or "without a reason"
                    return Reply("fatal", f"the server refuses {parameter!r} of extra_body ({reason}). Leave it out")
                if self._adapt(parameter, fields, refused=True):
                    return None
        code = fault.get("code")
        code = "" if code is None else self._mask_key(str(code))
        return read_error(status, code, parameter, message, retry_after(headers))

    def _read_failure(self, error: BaseException) -> Reply:
        """Interpret a failure without an answer. The transport reports most as a timeout: the cause tells more."""
        aiohttp, causes = self._aiohttp, list(_causes(error))
        why = next((str(cause) for cause in causes if isinstance(cause, _BadBody)), "")
        if why:
            return Reply("broken", why, billed="unknown")
        cause = next((cause for cause in causes if isinstance(cause, aiohttp.ClientError)), causes[-1])
        refused = self._why_unreachable(cause)
        if refused:
            return Reply("unreachable", f"{refused}. Check base_url= and the network")
        if isinstance(cause, TimeoutError):
            return Reply("broken", f"no answer from {self.host} within {self._timeout:g} seconds", billed="unknown")
        return Reply("broken", f"the connection to {self.host} broke ({_reason(cause)})", billed="unknown")

    def _why_unreachable(self, cause: BaseException) -> str:
        """Return the reason if there was no connection; empty if the request may have been sent."""
        aiohttp = self._aiohttp
        if isinstance(cause, aiohttp.ConnectionTimeoutError):
            return f"no connection to {self._place} within {self._connect_timeout:g} seconds"
        if isinstance(cause, aiohttp.ClientHttpProxyError):
            return f"no connection to {self._place} (the proxy answered {cause.status})"
        if not isinstance(cause, aiohttp.ClientConnectorError):
            return ""
        untrusted = isinstance(cause, aiohttp.ClientConnectorCertificateError)
        fault = cause.certificate_error if untrusted else cause.os_error
        if untrusted:
            why = f"the certificate of {cause.host} is not valid ({getattr(fault, 'verify_message', fault)})"
        elif isinstance(fault, ssl.SSLError):
            why = f"{cause.host}:{cause.port} does not speak TLS as expected ({fault.reason or 'no reason given'})"
        elif isinstance(cause, aiohttp.ClientConnectorDNSError):
            why = f"the host {cause.host} cannot be found ({_reason(fault)})"
        else:
            why = f"no connection to {cause.host}:{cause.port} ({_reason(fault)})"
        return why

    # ---- adapting the request

    def _lengthen(self, fields: Mapping[str, object], message: str, named: str | None) -> bool:
        """Raise the length limit if the server says that it is too low; False if the error is about something else."""
        field = next((name for name in _LENGTH_FIELDS if name in fields), None)
        if field is None or field in self._fixed or _CONTEXT.search(message):
            return False
        limit = fields[field]
        about_length = named in {*_LENGTH_FIELDS, "max_output_tokens"} or "tokens" in message
        minimum = _MIN_LENGTH.search(message) if about_length else None
        if not isinstance(limit, int) or not (minimum or _TOO_SHORT.search(message)):
            return False
        if self._fields is not fields:
            return True  # another call got the same error first
        longer = int(minimum[1]) if minimum else next((length for length in _LENGTHS if length > limit), 0)
        if not limit < longer <= _LENGTHS[-1]:
            return False
        self._fields = {**fields, field: longer}
        return True

    def _adapt(self, name: str, fields: Mapping[str, object], *, refused: bool = False) -> bool:
        """Rename or drop a field that the server refused or seems to ignore; False if that is not possible."""
        if name not in self._fields:
            return True  # another call got the same error first
        if name in {"model", "logprobs", "top_logprobs", "response_format", *self._fixed}:
            return False
        if refused:
            self._refused.add(name)
        kept = {field: value for field, value in self._fields.items() if field != name}
        if name in _LENGTH_FIELDS:
            other = _LENGTH_FIELDS[1 - _LENGTH_FIELDS.index(name)]
            if other in self._refused:
                return False  # never without a limit: the answer could be long, and expensive
            kept[other] = fields[name]
        self._fields = kept
        return True

    def _mask_key(self, text: str) -> str:
        for form in self._key_forms:
            text = text.replace(form, "[key]")
        return text


def _reason(error: BaseException) -> str:
    """Return the cause of a failure, without text that a server may have put into it."""
    if isinstance(error, socket.gaierror):
        return str(error.strerror)
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)  # asyncio and aiohttp add addresses to it
    return type(error).__name__
