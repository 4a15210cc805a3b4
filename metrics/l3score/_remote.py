"""Client of an OpenAI-compatible API that adapts its requests to what the server accepts."""

import json
import re
from collections.abc import Collection
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote
from urllib.parse import urlsplit

from ._http import Response
from ._http import Transport
from ._http_body import TransportError
from ._replies import Reply
from ._replies import read_body
from ._replies import read_error
from ._replies import retry_after
from ._replies import shorten

LENGTH_FIELDS = ("max_completion_tokens", "max_tokens")
_BAD_REQUEST = {400, 422}
_REDIRECTS = range(300, 400)
_OK = 200
_SHORTEST_SECRET = 8
# Limits to try if a server requires a longer answer without saying how long.
_LENGTHS = (1, 4, 16, 64, 256, 1024, 4096)

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

# Requests that a server accepts, for the rest of this process: (address, original request) -> (adapted request, fields
# that the server refused).
_accepted: dict[tuple[str, str], tuple[Mapping[str, object], set[str]]] = {}


class Remote:
    """A remote judge. Thread-safe.

    Args:
        address: Base URL of the API.
        key: The key to send.
        headers: Additional header fields.
        fields: The request's fields, without the messages.
        fixed: Fields given by the caller, which are never dropped or changed.
        timeout: Seconds after which a call without a complete answer is abandoned.
        votes: Whether answers are sampled instead of using log-probabilities.
    """

    def __init__(
        self,
        *,
        address: str,
        key: str,
        headers: Mapping[str, str],
        fields: Mapping[str, object],
        fixed: Collection[str],
        timeout: float,
        votes: bool = False,
    ) -> None:
        self._transport = Transport(address, {"Authorization": f"Bearer {key}", **headers})
        self._address, self._timeout, self._votes = address, timeout, votes
        self._fixed = frozenset(fixed)
        forms = {key, quote(key, safe=""), json.dumps(key)[1:-1], key.replace("/", "\\/")}
        # Self-hosted servers accept any word as a key ("x", "none"), and such a word may be in any answer.
        self._key_forms = forms if len(key) >= _SHORTEST_SECRET else set()
        self._id = (address, json.dumps([fields, sorted(self._fixed)], sort_keys=True))
        self._fields: Mapping[str, object]
        self._refused: set[str]
        self._fields, self._refused = _accepted.get(self._id, (fields, set()))

    def __repr__(self) -> str:
        return f"Remote({self._transport.host})"

    @property
    def verified(self) -> bool:
        """Whether this server has already answered this kind of request in this process."""
        return self._id in _accepted

    def ask(self, prompt: str, samples: int = 0) -> Reply:
        """Make one call; a request that the server refuses because of a parameter is repeated without it.

        Args:
            prompt: The user message.
            samples: Number of answers to sample, if the server supports it.
        """
        while True:
            fields = self._fields
            reply = self._send(fields, prompt, samples)
            if reply is not None:
                break
        if reply.kind == "answer":
            limit = fields.get(LENGTH_FIELDS[0])
            if not self._votes and reply.usage is not None and isinstance(limit, int) and reply.usage[2] > limit:
                # Some servers silently ignore max_completion_tokens; the length of the answer shows it.
                self._adapt(LENGTH_FIELDS[0], fields)
            _accepted[self._id] = self._fields, self._refused
        return reply

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def _send(self, fields: Mapping[str, object], prompt: str, samples: int) -> Reply | None:
        """Send one request; None if it should be repeated immediately with the adapted fields."""
        request = {**fields, "messages": [{"role": "user", "content": prompt}]}
        if self._votes and "n" in fields:
            request["n"] = samples
        try:
            response = self._transport.post("/chat/completions", request, self._timeout)
        except TransportError as error:
            if error.stage == "connect":
                return Reply("unreachable", f"{error.reason}. Check base_url= and the network")
            return Reply("broken", error.reason, billed="unknown")
        if response.status in _REDIRECTS:
            return self._refuse_redirect(response)
        if response.status != _OK:
            reply = self._read_error(response, fields)
            return None if reply is None else reply._replace(headers=response.headers)
        try:
            body = json.loads(response.text)
            if "\\" in response.text or self._mask_key(response.text) != response.text:
                # Some servers repeat the key, and their response may be stored or shown. Serialized again, the text
                # has no escapes that could hide the key.
                body = json.loads(self._mask_key(json.dumps(body, ensure_ascii=False)))
            reply = read_body(body, votes=self._votes)
        except (ValueError, RecursionError):  # the latter from JSON that is nested too deeply
            why = "the server answered with something that is not valid JSON (a web page?)"
            reply = Reply("retry", why, billed="unknown")
        return reply._replace(headers=response.headers)

    def _refuse_redirect(self, response: Response) -> Reply:
        target = urlsplit(response.headers.get("location", ""))
        where = f"{target.hostname}{target.path}" if target.hostname else target.path or "nowhere"
        why = f"the server redirects to {shorten(self._mask_key(where))!r} (HTTP {response.status})"
        return Reply("fatal", f"{why}, which is not followed. If you trust that address, make it base_url=")

    def _read_error(self, response: Response, fields: Mapping[str, object]) -> Reply | None:
        """Interpret an HTTP error; None if the request was adapted and should be repeated."""
        fault = _fault(response.text)
        message = self._mask_key(_string(fault.get("message")) or "")
        named = _string(fault.get("param"))
        parameter = None
        if response.status in _BAD_REQUEST:
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
        return read_error(response.status, code, parameter, message, retry_after(response.headers))

    def _lengthen(self, fields: Mapping[str, object], message: str, named: str | None) -> bool:
        """Raise the length limit if the server says that it is too low; False if the error is about something else."""
        field = next((name for name in LENGTH_FIELDS if name in fields), None)
        if field is None or field in self._fixed or _CONTEXT.search(message):
            return False
        limit = fields[field]
        about_length = named in {*LENGTH_FIELDS, "max_output_tokens"} or "tokens" in message
        minimum = _MIN_LENGTH.search(message) if about_length else None
        if not isinstance(limit, int) or not (minimum or _TOO_SHORT.search(message)):
            return False
        if self._fields is not fields:
            return True  # another thread got the same error first
        longer = int(minimum[1]) if minimum else next((length for length in _LENGTHS if length > limit), 0)
        if not limit < longer <= _LENGTHS[-1]:
            return False
        self._fields = {**fields, field: longer}
        return True

    def _adapt(self, name: str, fields: Mapping[str, object], *, refused: bool = False) -> bool:
        """Rename or drop a field that the server refused or seems to ignore; False if that is not possible."""
        if name not in self._fields:
            return True  # another thread got the same error first
        if name in {"model", "logprobs", "top_logprobs", "response_format", *self._fixed}:
            return False
        if refused:
            self._refused.add(name)
        kept = {field: value for field, value in self._fields.items() if field != name}
        if name in LENGTH_FIELDS:
            other = LENGTH_FIELDS[1 - LENGTH_FIELDS.index(name)]
            if other in self._refused:
                return False  # never without a limit: the answer could be long, and expensive
            kept[other] = fields[name]
        self._fields = kept
        return True

    def _mask_key(self, text: str) -> str:
        for form in self._key_forms:
            text = text.replace(form, "[key]")
        return text


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
