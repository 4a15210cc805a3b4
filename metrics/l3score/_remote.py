"""One request to a judge with an OpenAI-compatible API, and everything that can come back."""

import email.utils
import json
import math
import re
import time
from collections.abc import Collection
from collections.abc import Mapping
from dataclasses import InitVar
from dataclasses import dataclass
from typing import Any
from typing import Literal
from typing import NamedTuple
from urllib.parse import quote

# The score needs the first token only, and every further one costs.
_ANSWER_LENGTH = 1
_LENGTH_FIELDS = ("max_completion_tokens", "max_tokens")
_NO_QUOTA = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"}
_BAD_REQUEST, _TRANSIENT = {400, 422}, {408, 409, 429}
_PAYMENT_REQUIRED, _NOT_FOUND, _SERVER_ERROR = 402, 404, 500
_LONGEST_WAIT = 120.0
_EXCERPT = 200
_SHORTEST_SECRET = 8
# No request has as many tokens; a number beyond it is no count, and would not fit into a column.
_MOST_TOKENS = 10**12

# An error that is about a field, and not about the value or the prompt that it came with.
_UNKNOWN_FIELD = re.compile(
    r"unsupported|unrecogni[sz]ed|unknown|unexpected|does(?: not|n't) support"
    r"|not (?:be )?(?:supported|recogni[sz]ed|permitted|allowed)",
    re.IGNORECASE,
)

# What a server was found to accept, for the rest of this process: (address, request as first written) -> request, and
# the fields that it refused.
_learned: dict[tuple[str, str], tuple[Mapping[str, object], set[str]]] = {}

Usage = tuple[int, int, int]


class Reply(NamedTuple):
    """What one request led to.

    Attributes:
        kind: "answer"; "again" (may work later); "failed" (will not, for this prompt); "no-logprobs"; or "stop" (will
            not for any prompt).
        why: One sentence for people, unless it is an answer. Never holds the key.
        judgement: Of an answer: candidate tokens, token counts, served model; JSON-serialisable.
        usage: Tokens billed: input, of it from the provider's cache, output; None if the server did not say.
        billed: Whether it cost money: certainly, not, or unknown (the answer never arrived).
        wait: Seconds that the server asks to wait.
    """

    kind: Literal["answer", "again", "failed", "no-logprobs", "stop"]
    why: str = ""
    judgement: dict[str, Any] | None = None
    usage: Usage | None = None
    billed: Literal["yes", "no", "unknown"] = "no"
    wait: float | None = None


def read_body(body: object) -> Reply:
    """Understand what came with status 200, which may hide failures that the SDK does not raise."""
    if not isinstance(body, dict):
        return Reply("again", "the server answered with something other than a JSON object")
    usage = _usage(body.get("usage"))
    choices = body.get("choices")
    if not choices and body.get("error"):
        fault = body["error"] if isinstance(body["error"], dict) else {"message": body["error"]}
        code = str(fault.get("code"))
        reply = read_error(int(code) if code.isdecimal() else 500, code, None, str(fault.get("message", "")), None)
        return reply._replace(usage=usage, billed="no" if usage is None else "yes")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return Reply("again", "the server answered without choices", usage=usage, billed="yes")
    return _read_choice(choices[0], body, usage)


def _read_choice(choice: dict[str, Any], body: dict[str, Any], usage: Usage | None) -> Reply:
    logprobs = choice.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    top = _top_tokens(content)
    if top:
        judgement = {
            "top": top,
            "usage": usage,
            "model": _text(body.get("model")),
            "fingerprint": _text(body.get("system_fingerprint")),
        }
        return Reply("answer", "", judgement, usage, "yes")
    if choice.get("finish_reason") == "content_filter" or (isinstance(logprobs, dict) and logprobs.get("refusal")):
        return Reply("failed", "the provider's content filter refused the prompt", usage=usage, billed="yes")
    message = choice.get("message")
    if content == [] and not (isinstance(message, dict) and message.get("content")):
        return Reply("failed", "the judge answered with nothing", usage=usage, billed="yes")
    why = "the judge gave no log-probabilities, without which there is no score. Choose another model or server"
    return Reply("no-logprobs", why, usage=usage, billed="yes")


def read_error(status: int, code: str, parameter: str | None, message: str, wait: float | None) -> Reply:
    """Understand an HTTP error.

    Args:
        status: HTTP status.
        code: The API's own code, if any.
        parameter: The parameter that the API complains about, if any.
        message: Its message, free of the key.
        wait: Seconds that it asks to wait, if it does.
    """
    said = f" ({_excerpt(message)})" if _excerpt(message) else ""
    stop = ""
    if status in {401, 403}:
        # What the server says is left out: some repeat the key.
        stop = f"the key was refused (HTTP {status}). Check the key and what it may use"
    elif code in _NO_QUOTA or status == _PAYMENT_REQUIRED:
        stop = f"the account has no quota left{said}. Top it up, then run again"
    elif status == _NOT_FOUND or code == "model_not_found":
        stop = f"the server does not know the model or the address{said}. Check model= and base_url="
    elif status in _BAD_REQUEST and (parameter or "").endswith("logprobs"):
        stop = f"the server refuses to give these log-probabilities{said}. Choose another top_logprobs= or model="
    elif wait is not None and wait > _LONGEST_WAIT:
        stop = f"the server asks to wait {wait:.0f} seconds (HTTP {status}){said}. Run again then"
    if stop:
        return Reply("stop", stop)
    return Reply(
        "again" if status in _TRANSIENT or status >= _SERVER_ERROR else "failed", f"HTTP {status}{said}", wait=wait
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait that response headers ask for: retry-after-ms, or retry-after in seconds or as a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return seconds if seconds > 0 else None
    try:
        date = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, date.timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _named_field(fields: Mapping[str, object], parameter: str | None, message: str) -> str | None:
    """The field of the request that an error is about."""
    if parameter is not None:
        return parameter if parameter in fields else None
    named = (name for name in fields if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message))
    return next((name for name in named if name != "model"), None)


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    details = value.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    # DeepSeek has a name of its own for what came from its cache.
    counts = [
        value.get("prompt_tokens"),
        cached or value.get("prompt_cache_hit_tokens") or 0,
        value.get("completion_tokens"),
    ]
    given, cached, written = (count if type(count) is int and 0 <= count <= _MOST_TOKENS else None for count in counts)
    if given is None or cached is None or written is None:
        return None
    return given, min(given, cached), written


def _top_tokens(content: object) -> list[tuple[str, float]]:
    """The well-formed candidates for the first token, as the server ordered them."""
    first = content[0] if isinstance(content, list) and content else None
    candidates = first.get("top_logprobs") if isinstance(first, dict) else None
    pairs = [
        (_text(candidate.get("token")), _finite(candidate.get("logprob")))
        for candidate in (candidates if isinstance(candidates, list) else ())
        if isinstance(candidate, dict)
    ]
    return [(token, logprob) for token, logprob in pairs if token is not None and logprob is not None]


def _finite(value: object) -> float | None:
    """A finite number; None for anything else, a whole number beyond all floats among it."""
    try:
        number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _text(value: object) -> str | None:
    """A text that any file can hold: JSON's escapes can write half a character, a lone surrogate."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else None


def _excerpt(message: str) -> str:
    """The beginning of a server's message on one line; nothing of a web page."""
    line = " ".join(message.encode(errors="replace").decode().split())
    return "" if line.startswith("<") else line[:_EXCERPT]


@dataclass(kw_only=True, repr=False, eq=False)
class Remote:
    """A judge behind an OpenAI-compatible API. Safe to use from many threads.

    Attributes:
        address: Base URL of the API.
        key: The key to send.
        foreign: Whether the address is not the provider's own: then nothing else from the environment is sent, either.
        model: Name of the model.
        top_logprobs: How many candidates to ask for.
        length_field: Name of the field that limits the answer's length.
        extra_body: Further fields of the request.
        fixed: Those among them that are the caller's: they are never left out.
        timeout: Seconds after which a request without an answer is given up.
    """

    address: str
    key: InitVar[str]
    foreign: bool
    model: str
    top_logprobs: int
    length_field: str
    extra_body: Mapping[str, object]
    fixed: Collection[str]
    timeout: float

    def __post_init__(self, key: str) -> None:
        try:
            import openai  # noqa: PLC0415  # takes 0.6 s, and only remote judges need it
        except ImportError:
            raise ImportError("a remote judge needs one more package: pip install openai") from None

        self._sdk = openai
        # Retries are ours: the SDK's sleep through Ctrl-C and repeat a call that has no quota.
        self._client = openai.OpenAI(api_key=key, base_url=self.address, max_retries=0, timeout=self.timeout)
        if self.foreign:
            # OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS are meant for OpenAI.
            self._client.organization = self._client.project = None
            self._client._custom_headers = {}  # noqa: SLF001  # the SDK has no other way to say so
        forms = {key, quote(key, safe=""), json.dumps(key)[1:-1], key.replace("/", "\\/")}
        # Servers of one's own take any word for a key ("x", "none"), and such a word may stand in any answer.
        self._forms_of_key = forms if len(key) >= _SHORTEST_SECRET else set()
        request = {
            "model": self.model,
            "temperature": 0,
            "logprobs": True,
            "top_logprobs": self.top_logprobs,
            self.length_field: _ANSWER_LENGTH,
            **self.extra_body,
        }
        self._id = (self.address, json.dumps([request, sorted(self.fixed)], sort_keys=True))
        self._fields: Mapping[str, object]
        self._refused: set[str]
        self._fields, self._refused = _learned.get(self._id, (request, set()))

    @property
    def proven(self) -> bool:
        """Whether this server has answered with log-probabilities in this process already."""
        return self._id in _learned

    def ask(self, prompt: str) -> Reply:
        """One judgement; a request that the server refuses for one parameter is repeated without it."""
        while True:
            fields = self._fields
            reply = self._send(fields, prompt)
            if reply is not None:
                break
        if reply.kind == "answer":
            if reply.usage is not None and reply.usage[2] > _ANSWER_LENGTH and _LENGTH_FIELDS[0] in fields:
                # Some servers ignore max_completion_tokens without a word; the length of the answer shows it.
                self._adapt(_LENGTH_FIELDS[0])
            _learned[self._id] = self._fields, self._refused
        return reply

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _send(self, fields: Mapping[str, object], prompt: str) -> Reply | None:
        """One request; None if it is worth repeating at once, with other fields."""
        body = {**fields, "messages": [{"role": "user", "content": prompt}]}
        try:
            # The typed method makes pydantic objects of request and answer: twice the processor time for nothing.
            text = self._client.post("/chat/completions", body=body, cast_to=str)
            # Some servers repeat the key, and what they send may be stored or shown. Written anew, it has no escapes.
            plain = json.dumps(json.loads(text), ensure_ascii=False)
            return read_body(json.loads(self._without_key(plain)))
        except self._sdk.APIStatusError as error:
            return self._read_error(error, fields)
        except self._sdk.APITimeoutError:
            return Reply("again", "no answer in time", billed="unknown")
        except self._sdk.APIConnectionError as error:
            cause = type(error.__cause__).__name__
            return Reply(
                "again", f"the connection failed ({cause})", billed="no" if cause == "ConnectError" else "unknown"
            )
        except (ValueError, RecursionError):  # the latter from JSON that is nested too deeply
            return Reply("again", "the server answered with something that is not JSON (a web page?)", billed="unknown")

    def _read_error(self, error: Any, fields: Mapping[str, object]) -> Reply | None:  # the SDK comes late, untyped
        """Understand an HTTP error; None if other fields are a way out."""
        fault = error.body if isinstance(error.body, dict) else {"message": error.body or ""}
        message = self._without_key(str(fault.get("message") or ""))
        parameter = None
        if error.status_code in _BAD_REQUEST:
            parameter = _named_field(fields, error.param, message)
            if parameter is not None and (error.param == parameter or _UNKNOWN_FIELD.search(message)):
                if parameter in self.fixed:
                    said = _excerpt(message) or "without a reason"
                    return Reply("stop", f"the server refuses {parameter!r} of extra_body ({said}). Leave it out")
                if self._adapt(parameter, refused=True):
                    return None
        wait = retry_after(error.response.headers)
        return read_error(error.status_code, error.code or "", parameter, message, wait)

    def _adapt(self, name: str, *, refused: bool = False) -> bool:
        """Rename or leave out one field, which the server refused or seems to ignore; False if that is no way out."""
        if name not in self._fields:
            return True  # another thread met the same refusal first
        if name in {"model", "logprobs", "top_logprobs", *self.fixed}:
            return False
        if refused:
            self._refused.add(name)
        kept = {field: value for field, value in self._fields.items() if field != name}
        if name in _LENGTH_FIELDS:
            other = _LENGTH_FIELDS[1 - _LENGTH_FIELDS.index(name)]
            if other in self._refused:
                return False  # never without a limit: the answer could be long, and dear
            kept[other] = _ANSWER_LENGTH
        self._fields = kept
        return True

    def _without_key(self, text: str) -> str:
        for form in self._forms_of_key:
            text = text.replace(form, "[key]")
        return text
