"""The client for remote judges: all code that depends on the `openai` package and on servers' responses.

Added to the package are a deadline for the whole call, a limit on the size of answers, no settings from the environment
for servers that are not OpenAI's, and requests that adapt to what a server accepts. Answers are read from the raw JSON,
since the package does not validate them.
"""

import asyncio
import contextlib
import email.utils
import functools
import ipaddress
import json
import math
import os
import re
import socket
import ssl
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from answer_metrics.core.options import Secret
from answer_metrics.judge.logprobs import MAX_LOGPROB, Prompt, plain_word
from answer_metrics.judge.registry import STANDARD_TIERS, Usage

CONNECT_TIMEOUT = 8.0  # seconds for DNS lookup, connecting and the TLS handshake together
MAX_BODY_BYTES = 8 * 2**20  # far more than any verdict, or eight samples of a reasoning model, needs
_MAX_CONNECTIONS = 1000  # `max_concurrency` is at most this
_KEEP_ALIVE = 30.0

NO_LOGPROBS = "the judge returned no log-probabilities, which the score needs. Choose another model or server"
NO_VERDICT = "the judge answered neither Yes nor No"
_REASONING = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL | re.IGNORECASE)
_VERDICT_FIELDS = {"verdict", "answer", "final_answer", "judgment"}
_VERDICT_LINE = re.compile(
    r"(?:answer|verdict|judge?ment)\W{0,4}(?:is\W{1,4}|[:\uff1a]\W{0,8})(\w+)\W*$", re.IGNORECASE | re.MULTILINE
)
_NO_QUOTA = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"}
_SUCCESS, _REDIRECTS, _TRANSIENT = range(200, 300), range(300, 400), {408, 409, 425}
_UNAUTHORIZED, _RATE_LIMITED, _SERVER_ERROR = 401, 429, 500
_BAD_REQUEST = {400, 403, 422}  # errors that may be about a field of the request
_ADVICE = {
    402: "the account has no quota left, or not enough for this prompt",
    403: "the server refused the key or the prompt. Check what the key may use",
    404: "the server does not know the model or the address. Check model= and base_url=",
}
_MOST_WAIT = 120.0  # the longest that a server may ask for, in seconds
_EXCERPT = 200
_MAX_TOKENS = 10**12  # plausible, and fits in a column
_LOG_OF_ZERO = -9999.0  # as servers send it
# Self-hosted servers accept any word as a key ("x", "none"), and such a word may be in any answer.
_SHORTEST_SECRET = 8
_LENGTH_FIELDS = ("max_completion_tokens", "max_tokens")
_LENGTH_NAMES = {*_LENGTH_FIELDS, "max_output_tokens"}  # what errors call them
_LENGTHS = (1, 4, 16, 64, 256, 1024, 4096)  # limits to try if a server requires a longer answer
# Codes of errors about the value of a field, rather than about the field: OpenAI's and pydantic's.
_BAD_VALUE = {"integer_below_min_value", "greater_than_equal", "greater_than"}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|xai|key|pk)-[\w*.-]+")

# An answer; a rate limit; a transient failure, or no answer; no connection; a failure of this prompt; of any prompt.
Kind = Literal["answer", "limited", "retry", "unreachable", "refused", "fatal"]


class Fault(NamedTuple):
    """An error as a server describes it. The message is for people: decisions are based on the other fields."""

    message: str = ""
    codes: frozenset[str] = frozenset()  # the API's error code, type and status
    field: str = ""  # the field of the request that the error is about
    wait: float | None = None  # seconds that the server asks to wait
    no_quota: bool = False


class Reply(NamedTuple):
    """The result of one request."""

    kind: Kind
    why: str = ""  # one sentence about the failure; never contains the key
    judgment: dict[str, Any] | None = None  # of an answer, or of cut votes; JSON-serializable, see `read_body`
    usage: Usage | None = None  # tokens billed; None if the server did not report them
    billed: Literal["yes", "no", "unknown"] = "no"
    wait: float | None = None  # seconds that the server asks to wait
    headers: Mapping[str, str] = {}
    priced: bool = True  # whether list prices apply; they do not for other service tiers
    fault: Fault = Fault()  # an error that may be about a field of the request


_FILTERED = Reply("refused", "the provider's content filter refused the prompt")


# ---- reading answers


def read_body(body: object, votes: Prompt | None = None) -> Reply:
    """Interpret the parsed body of a response with a status of success, which may still be a failure.

    A judgment has "top", the candidates for the first token, or, if answers to the prompt `votes` were sampled, the
    numbers of "yes", "no", "invalid" and "cut".
    """
    if not isinstance(body, dict):
        return Reply("retry", "the server answered with something other than a JSON object", billed="unknown")
    usage = _usage(body.get("usage"))
    choices = body.get("choices")
    # OpenRouter reports a model that failed while it was answering in the choices.
    errors = [choice.get("error") for choice in _dicts(choices)] if choices else [body.get("error")]
    if errors and all(errors):
        code = str(_dict(errors[0]).get("code"))
        reply = read_fault(int(code) if code.isdecimal() else 500, parse_fault({"error": errors[0]}))
        return reply._replace(usage=usage, billed="no" if usage is None else "yes")
    if not choices or _dicts(choices) != choices:
        why = "the server answered without choices"
        if usage is None:
            return Reply("retry", why, billed="unknown")
        return Reply("refused", why, usage=usage, billed="yes")  # asked again it would be billed again
    served = {"usage": usage, "model": _text(body.get("model")), "fingerprint": _text(body.get("system_fingerprint"))}
    reply = _read_votes(choices, served, votes) if votes else _read_choice(choices[0], served)
    is_standard = body.get("service_tier") in (None, *STANDARD_TIERS)
    return reply._replace(usage=usage, billed="yes", priced=is_standard)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _read_choice(choice: dict[str, Any], served: dict[str, Any]) -> Reply:
    if _is_refusal(choice):
        return _FILTERED
    content = _dict(choice.get("logprobs")).get("content")
    positions = _dicts(content)
    # A judge may begin with a line break, a quote or a mark: its answer is the first token with a word.
    wordy = (place for place in positions if plain_word(_token(place) or "?") and place.get("top_logprobs"))
    first = next(wordy, positions[0] if positions else {})
    top = [(_token(candidate), _logprob(candidate.get("logprob"))) for candidate in _dicts(first.get("top_logprobs"))]
    if any(token is not None and logprob is None for token, logprob in top):
        return Reply("refused", "the judge gave a log-probability that is not a number of at most 0")
    if any(token is not None for token, _ in top):
        # A number without a token counts, too: what is not listed gets the remaining mass.
        listed = [(token or "", logprob) for token, logprob in top if logprob is not None]
        return Reply("answer", judgment={"top": listed, **served})
    if content == [] and not _content(choice):
        return Reply("refused", "the judge's answer is empty")
    return Reply("refused", NO_LOGPROBS)


def _read_votes(choices: list[dict[str, Any]], served: dict[str, Any], prompt: Prompt) -> Reply:
    # Without a verdict, a reply may have been cut off by the limit on its length.
    counts = Counter(
        read_verdict(_content(choice), prompt) or ("cut" if choice.get("finish_reason") == "length" else "")
        for choice in choices
    )
    yes, no, cut = counts["yes"], counts["no"], counts["cut"]
    judgment = {"yes": yes, "no": no, "invalid": len(choices) - yes - no, "cut": cut, **served}
    if yes or no:
        return Reply("answer", judgment=judgment)
    if any(map(_is_refusal, choices)):
        return _FILTERED
    if cut:
        return Reply("refused", "the judge hit its token limit before it answered", judgment)
    wrote = shorten_message(next(filter(None, map(_content, choices)), ""))
    return Reply("retry", f"{NO_VERDICT}{f', but {wrote!r}' if wrote else ''}")


def read_verdict(text: str, prompt: Prompt) -> str:
    """Return "yes" or "no" as a judge wrote it, or "".

    A verdict is the whole reply, the value of "verdict", "answer" or the only field of JSON, or what stands after
    "Final answer:" or a similar mark at the end. Reasoning before `</think>` and code fences are left out.
    """
    text = _REASONING.sub("", text).strip()
    fenced = _FENCED.search(text)
    parsed = _parse(fenced[1] if fenced else text)
    if isinstance(parsed, dict):
        named = [value for name, value in parsed.items() if plain_word(name) in _VERDICT_FIELDS or len(parsed) == 1]
        candidates = named[-1:]
    else:
        candidates = [parsed, *_VERDICT_LINE.findall(text)[-1:]]
    for word in (plain_word(value) for value in candidates if isinstance(value, str)):
        if word in prompt.yes_words or word in prompt.no_words:
            return "yes" if word in prompt.yes_words else "no"
    return ""


def _content(choice: dict[str, Any]) -> str:
    content = _dict(choice.get("message")).get("content")
    return content if isinstance(content, str) else ""


def _is_refusal(choice: dict[str, Any]) -> bool:
    refusals = [_dict(choice.get(part)).get("refusal") for part in ("logprobs", "message")]
    return choice.get("finish_reason") == "content_filter" or any(refusals)


def _usage(value: object) -> Usage | None:
    counts = _dict(value)
    hit = _dict(counts.get("prompt_tokens_details")).get("cached_tokens")
    cached = hit or counts.get("prompt_cache_hit_tokens") or 0  # the latter is DeepSeek's
    values = (counts.get("prompt_tokens"), cached, counts.get("completion_tokens"), counts.get("total_tokens") or 0)
    read, cached, written, total = (_count(value) for value in values)
    if read is None or cached is None or written is None:
        return None
    # xAI does not count reasoning tokens as completion tokens, but in the total.
    return read, min(read, cached), max(written, (total or 0) - read)


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= _MAX_TOKENS else None


def _token(candidate: dict[str, Any]) -> str | None:
    """Return the text of a candidate, decoded from its bytes if the server identifies tokens by number."""
    token, data = _text(candidate.get("token")), candidate.get("bytes")
    if token is not None and token.startswith("token_id:") and isinstance(data, list):
        with contextlib.suppress(TypeError, ValueError):
            return bytes(data).decode(errors="replace")
    return token


def _logprob(value: object) -> float | None:
    """Return a finite float; None for NaN, and above 0, where it is no logarithm of a probability."""
    if type(value) not in {int, float} or not value <= MAX_LOGPROB:  # type: ignore[operator]
        return None
    return _LOG_OF_ZERO if value < -sys.float_info.max else float(value)  # type: ignore[arg-type,operator]


def _text(value: object) -> str | None:
    # JSON escapes can contain lone surrogates.
    return value.encode(errors="replace").decode() if isinstance(value, str) else None


# ---- reading errors


def parse_fault(body: object) -> Fault:
    """Read the body of an error in the form of OpenAI, of Google (a list, `details`) or of FastAPI (`detail`)."""
    body = body[0] if isinstance(body, list) and body else body
    if isinstance(_dict(body).get("detail"), list):
        first = next(iter(_dicts(_dict(body)["detail"])), {})
        names = [part for part in first.get("loc") or () if isinstance(part, str)]
        return Fault(str(first.get("msg", "")), frozenset([str(first.get("type"))]), names[-1] if names else "")
    fault = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(fault, dict):
        return Fault(fault if isinstance(fault, str) else "")
    codes = frozenset(str(fault[name]) for name in ("code", "type", "status") if fault.get(name) is not None)
    details = _dicts(fault.get("details"))
    waits = [item["retryDelay"] for item in details if isinstance(item.get("retryDelay"), str)]
    # Google has one status for all limits: only their names tell a day's from a minute's.
    limits = [str(limit.get("quotaId")) for item in details for limit in _dicts(item.get("violations"))]
    message = str(fault.get("message") or fault.get("detail") or "")
    no_quota = bool(codes & _NO_QUOTA) or any("PerDay" in limit for limit in limits)
    return Fault(message, codes, str(fault.get("param") or ""), duration(waits[0]) if waits else None, no_quota)


def read_fault(status: int, fault: Fault) -> Reply:
    """Interpret an HTTP error."""
    message = shorten_message(fault.message)
    detail = f" ({message})" if message else ""
    if status == _UNAUTHORIZED or "invalid_api_key" in fault.codes:
        # Without the message, since some repeat a part of the key.
        return Reply("fatal", f"the key was refused (HTTP {status}). Check the key and what it may use")
    if fault.no_quota:
        return Reply("fatal", f"the account has no quota left{detail}. Top it up, then run again")
    if "model_not_found" in fault.codes:
        return Reply("fatal", f"the server does not know the model{detail}. Check model= and base_url=")
    if fault.wait is not None and fault.wait > _MOST_WAIT:
        why = f"the server asks to wait {fault.wait:.0f} seconds (HTTP {status}){detail}. Run again then"
        return Reply("fatal", why)
    kind: Kind = "limited" if status == _RATE_LIMITED else "refused"
    if status in _TRANSIENT or status >= _SERVER_ERROR:
        kind = "retry"
    advice = f"{_ADVICE[status]} (HTTP {status})" if status in _ADVICE else f"HTTP {status}"
    return Reply(kind, advice + detail, wait=fault.wait, fault=fault if status in _BAD_REQUEST else Fault())


def duration(text: str) -> float | None:
    """Parse a duration in headers and errors to seconds: `6m0s`, `120ms`, `1.5`; None for anything else."""
    parts = _DURATION.findall(text)
    if parts and _DURATION.sub("", text).strip() == "":
        return math.fsum(float(count) * _SECONDS[unit] for count, unit in parts)
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if 0 <= seconds < math.inf else None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait according to the headers: retry-after-ms, or retry-after in seconds or as a date."""
    milliseconds, text = duration(headers.get("retry-after-ms", "")), headers.get("retry-after", "")
    if milliseconds:
        return milliseconds / 1000
    try:
        date = email.utils.parsedate_to_datetime(text)
        return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - time.time())
    except (ValueError, OverflowError):
        return duration(text) or None


def shorten_message(message: str) -> str:
    """Return the beginning of a server's message on one line; empty for a web page."""
    line = " ".join(message.encode(errors="replace").decode().split())
    return "" if line.startswith("<") else _LOOKS_LIKE_A_KEY.sub("[key]", line)[:_EXCERPT]


def _parse(text: str) -> object:
    """Return parsed JSON, or the text if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # the latter from JSON that is nested too deeply
        return text


# ---- the connection


class _BadBody(Exception):  # never leaves this module
    """A body that is too long or damaged."""


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
        import certifi  # only remote judges need it, since some Python builds have no root certificates

        context.load_verify_locations(certifi.where())
    return context


@dataclass(kw_only=True, eq=False, repr=False)
class Client:
    """A client for one server and one kind of request. Made in any thread, used on one event loop."""

    address: str
    key: Secret
    fields: Mapping[str, object]  # of the request, without the messages
    fixed: Collection[str]  # names of fields that are never changed, since the caller gave them
    timeout: float  # seconds after which a call without a complete answer is abandoned
    is_openai: bool
    votes: Prompt | None  # the prompt, if answers are sampled

    def __post_init__(self) -> None:
        try:
            import aiohttp  # as openai
            import httpx2  # as openai
            import openai  # takes a second or two, and stored judgments do not need it
        except ImportError as error:
            message = f"remote judges need one more package: pip install 'openai[aiohttp]' ({error})"
            raise ImportError(message) from None
        self._aiohttp, self._httpx2, self._openai = aiohttp, httpx2, openai
        in_transport = (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, aiohttp.ClientError)
        self._failures = (openai.OpenAIError, *in_transport, _BadBody, ValueError, OSError)
        parts = urlsplit(self.address)
        self.host = parts.hostname or ""
        self._place = f"{self.host}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
        self._connect_timeout = min(CONNECT_TIMEOUT, 0.9 * self.timeout)
        # Each character as it is, behind the backslashes of JSON in JSON, by its number as in JSON, or percent-encoded.
        forms = (rf"(?:\\{{0,4}}(?:{re.escape(sign)}|u{ord(sign):04x})|%{ord(sign):02x})" for sign in self.key)
        self._key_pattern = Secret("".join(forms) if len(self.key) >= _SHORTEST_SECRET else "")
        self._fields = self.fields  # as the server accepts them
        self._accepted = self._tried_both_limits = False
        self._api = self._connect()

    def _connect(self) -> Any:
        openai, httpx2 = self._openai, self._httpx2
        trusted = not is_loopback(self.host)  # a proxy must not get requests to this computer
        for scheme, url in urllib.request.getproxies().items() if trusted else ():
            if scheme in {"http", "https", "all"} and "://" in url and urlsplit(url).scheme not in {"http", "https"}:
                raise ValueError(f"the proxy for {scheme} in the environment is not an http:// address")
        # The transport takes None for 100, and closes what is above max_keepalive_connections after each call. "pool"
        # is its limit on everything before the request is sent.
        most = _MAX_CONNECTIONS
        limits = httpx2.Limits(max_connections=most, max_keepalive_connections=most, keepalive_expiry=_KEEP_ALIVE)
        http_client = openai.DefaultAioHttpClient(
            limits=limits,
            follow_redirects=False,
            trust_env=trusted,
            verify=_tls_context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")),
            event_hooks={"response": [self._read_limited]},
        )
        authorization = Secret(f"Bearer {self.key}")
        headers = {"Authorization": authorization, "Accept-Encoding": "identity", "User-Agent": "l3score"}
        if not self.is_openai:  # OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS are for OpenAI only
            custom = os.environ.get("OPENAI_CUSTOM_HEADERS", "").splitlines()
            names = ["OpenAI-Organization", "OpenAI-Project", *(line.partition(":")[0].strip() for line in custom)]
            known = set(map(str.lower, headers))
            headers |= {name: openai.Omit() for name in names if name and name.lower() not in known}
        return openai.AsyncOpenAI(
            api_key=self.key,
            base_url=self.address,
            max_retries=0,  # the package's own retries would be billed without being counted
            timeout=httpx2.Timeout(self.timeout, connect=self._connect_timeout, pool=self._connect_timeout),
            http_client=http_client,
            default_headers=headers,
        )

    async def _read_limited(self, response: Any) -> None:
        """Read a body of at most `MAX_BODY_BYTES`, decompressed, before the package does, which has no limit."""
        body = bytearray()
        try:
            async for part in response.aiter_bytes():
                body += part
                if len(body) > MAX_BODY_BYTES:
                    raise _BadBody(f"the server answered with more than {MAX_BODY_BYTES // 2**20} MiB")
        except self._httpx2.DecodingError:
            raise _BadBody("the server answered with compressed data that is damaged") from None
        response._content = bytes(body)  # as `aread` leaves it

    async def close(self) -> None:
        """Close the connections."""
        await self._api.close()

    # ---- one call

    async def ask(self, prompt: str, samples: int = 0) -> Reply:
        """Make one call; until one has been answered, fields that the server refuses are left out or changed."""
        fields = asked = self._fields
        while True:
            reply = await self._send(fields, prompt, samples)
            named, reason = self._named_field(fields, reply.fault, prompt), shorten_message(reply.fault.message)
            if not named or (self._accepted and fields == self._fields):
                break
            if named in self.fixed:
                why = f"the server refuses {named!r} of extra_body ({reason or 'without a reason'})"
                return Reply("fatal", f"{why}. Leave it out")
            if named.endswith("logprobs"):
                why = f"the server refuses to give these log-probabilities ({reason})"
                return Reply("fatal", f"{why}. Choose another top_logprobs= or model=")
            changed = self._fields if self._accepted else _adapt(fields, named, reply.fault, asked)
            if changed is None:
                break
            fields = changed
        if reply.kind == "answer" and not self._accepted:
            self._keep(fields, reply.usage)
        return reply

    async def _send(self, fields: Mapping[str, object], prompt: str, samples: int) -> Reply:
        request = {**fields, "messages": [{"role": "user", "content": prompt}]}
        if self.votes and "n" in fields:
            request["n"] = samples
        try:
            # The package's timeouts are for each read.
            async with asyncio.timeout(self.timeout):
                response = await self._api.post("/chat/completions", cast_to=self._httpx2.Response, body=request)
        except self._openai.APIStatusError as error:
            response = error.response
        except self._failures as error:
            return self._read_failure(error)
        return self._read_response(response.status_code, response.headers, response.content)

    def _read_response(self, status: int, headers: Mapping[str, str], content: bytes) -> Reply:
        if status in _REDIRECTS:
            target = urlsplit(headers.get("location", ""))
            address = self._mask_key(f"{target.hostname or ''}{target.path}" or "nowhere")
            why = f"the server redirects to {shorten_message(address)!r} (HTTP {status}), which is not followed"
            return Reply("fatal", f"{why}. If you trust that address, make it base_url=")
        # Some servers repeat the key, and their response may be stored or shown.
        body = _parse(self._mask_key(content.decode(json.detect_encoding(content), "replace")))
        if status not in _SUCCESS:
            fault = parse_fault(body)
            reply = read_fault(status, fault._replace(wait=fault.wait or retry_after(headers)))
        elif isinstance(body, str):
            why = "the server answered with something that is not valid JSON (a web page?)"
            reply = Reply("retry", why, billed="unknown")
        else:
            reply = read_body(body, self.votes)
        return reply._replace(headers=headers)

    def _read_failure(self, error: BaseException) -> Reply:
        """Interpret a failure without an answer. The transport reports most as a timeout: the cause tells more."""
        cause, inner = error, error.__cause__ or error.__context__
        while inner is not None and not isinstance(cause, (self._aiohttp.ClientError, _BadBody, TimeoutError)):
            cause, inner = inner, inner.__cause__ or inner.__context__
        if isinstance(cause, _BadBody):
            return Reply("retry", str(cause), billed="unknown")
        if refused := self._why_unreachable(cause):
            return Reply("unreachable", f"{refused}. Check base_url= and the network")
        if isinstance(cause, TimeoutError):
            return Reply("retry", f"no answer from {self.host} within {self.timeout:g} seconds", billed="unknown")
        return Reply("retry", f"the connection to {self.host} broke ({_reason(cause)})", billed="unknown")

    def _why_unreachable(self, cause: BaseException) -> str:
        """Return the reason if there was no connection; empty if the request may have been sent."""
        aiohttp = self._aiohttp
        if isinstance(cause, aiohttp.ConnectionTimeoutError):
            return f"no connection to {self._place} within {self._connect_timeout:g} seconds"
        if isinstance(cause, aiohttp.ClientHttpProxyError):
            return f"no connection to {self._place} (the proxy answered {cause.status})"
        if isinstance(cause, aiohttp.ClientConnectorCertificateError):
            fault = cause.certificate_error
            return f"the certificate of {cause.host} is not valid ({getattr(fault, 'verify_message', fault)})"
        if not isinstance(cause, aiohttp.ClientConnectorError):
            return ""
        if isinstance(cause.os_error, ssl.SSLError):
            why = cause.os_error.reason or "no reason given"
            return f"{cause.host}:{cause.port} does not speak TLS as expected ({why})"
        if isinstance(cause, aiohttp.ClientConnectorDNSError):
            return f"the host {cause.host} cannot be found ({_reason(cause.os_error)})"
        return f"no connection to {cause.host}:{cause.port} ({_reason(cause.os_error)})"

    # ---- adapting the request

    def _named_field(self, fields: Mapping[str, object], fault: Fault, prompt: str) -> str:
        """Return the field of the request that an error is about; "" if that is not certain."""
        names = {fault.field}
        if not fault.field:  # a message may quote the prompt
            known = {*fields, *_LENGTH_NAMES} - {"model", "n"}
            names = {name for name in known if _has_word(fault.message, name) and not _has_word(prompt, name)}
        length = _length_field(fields)
        own = {length if name in _LENGTH_NAMES else name for name in names} & {*fields}
        own = {"top_logprobs"} if own == {"logprobs", "top_logprobs"} else own
        return own.pop() if len(own) == 1 else ""

    def _keep(self, fields: Mapping[str, object], usage: Usage | None) -> None:
        """Send the fields that were answered from now on."""
        length = _length_field(fields)
        limit = fields.get(length)
        is_longer = not self.votes and usage is not None and isinstance(limit, int) and usage[2] > limit
        # Some servers silently ignore one name of the limit; the length of the answer shows it.
        self._accepted = not is_longer or length in self.fixed or self._tried_both_limits
        self._tried_both_limits = not self._accepted
        self._fields = fields if self._accepted else _renamed(fields, length)

    def changes(self) -> list[str]:
        """Return what was changed in the request for the server to accept it, as in `without temperature`."""
        return [
            f"with {name}={self._fields[name]!r}" if name in self._fields else f"without {name}"
            for name in dict.fromkeys([*self.fields, *self._fields])
            if self._fields.get(name) != self.fields.get(name)
        ]

    def _mask_key(self, text: str) -> str:
        return re.sub(self._key_pattern, "[key]", text, flags=re.IGNORECASE) if self._key_pattern else text


def _adapt(fields: Mapping[str, object], named: str, fault: Fault, asked: Collection[str]) -> dict[str, object] | None:
    """Return a request without the refused field, or with another limit on the length; None if it has to stay."""
    if named not in _LENGTH_FIELDS:
        return None if named == "model" else {name: value for name, value in fields.items() if name != named}
    # An error that calls the limit otherwise than the request did means its value.
    called_otherwise = fault.field in _LENGTH_NAMES - {named} or not (fault.field or _has_word(fault.message, named))
    if not (called_otherwise or fault.codes & _BAD_VALUE):
        # Never without a limit, if the server knows neither name: the answer could be long, and expensive.
        return _renamed(fields, named) if named in asked else None
    limit = fields[named]
    longer = next((length for length in _LENGTHS if isinstance(limit, int) and length > limit), None)
    return None if longer is None else {**fields, named: longer}


def _length_field(fields: Mapping[str, object]) -> str:
    return next((name for name in _LENGTH_FIELDS if name in fields), "")


def _renamed(fields: Mapping[str, object], length: str) -> dict[str, object]:
    other = _LENGTH_FIELDS[1 - _LENGTH_FIELDS.index(length)]
    return {other if name == length else name: value for name, value in fields.items()}


def _has_word(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _reason(error: BaseException) -> str:
    """Return the cause of a failure, without text that a server may have put into it."""
    if isinstance(error, socket.gaierror):
        return str(error.strerror)
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)  # asyncio and aiohttp add addresses to it
    return type(error).__name__
