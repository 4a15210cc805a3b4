"""A judge behind an OpenAI-compatible API: what is sent, and what a server teaches about it."""

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
# What is tried where a server wants more room for its answer, and does not say how much.
_LENGTHS = (1, 4, 16, 64, 256, 1024, 4096)

# An error that is about a field, and not about the value or the prompt that it came with.
_UNKNOWN_FIELD = re.compile(
    r"unsupported|unrecogni[sz]ed|unknown|unexpected|does(?: not|n't) support"
    r"|not (?:be )?(?:supported|recogni[sz]ed|permitted|allowed)",
    re.IGNORECASE,
)
_TOO_SHORT = re.compile(r"could not finish the message|output limit was reached", re.IGNORECASE)
_LEAST_LENGTH = re.compile(
    r"(?:>=|at least|greater than or equal to|minimum(?: value)?(?: is| of|:)?)\s*(\d{1,4})\b", re.IGNORECASE
)
_CONTEXT = re.compile(r"context (?:length|window)", re.IGNORECASE)

# What a server was found to accept, for the rest of this process: (address, request as first written) -> request, and
# the fields that it refused.
_learned: dict[tuple[str, str], tuple[Mapping[str, object], set[str]]] = {}


class Remote:
    """A remote judge. Safe to use from many threads.

    Args:
        address: Base URL of the API.
        key: The key to send.
        headers: Further header fields.
        fields: The request's fields, without the messages.
        fixed: Those among them that are the caller's: they are never left out or changed.
        timeout: Seconds after which a call without a complete answer is given up.
        votes: Whether answers are sampled, rather than read from log-probabilities.
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
        # Servers of one's own take any word for a key ("x", "none"), and such a word may stand in any answer.
        self._forms_of_key = forms if len(key) >= _SHORTEST_SECRET else set()
        self._id = (address, json.dumps([fields, sorted(self._fixed)], sort_keys=True))
        self._fields: Mapping[str, object]
        self._refused: set[str]
        self._fields, self._refused = _learned.get(self._id, (fields, set()))

    def __repr__(self) -> str:
        return f"Remote({self._transport.host})"

    @property
    def verified(self) -> bool:
        """Whether this server has answered this kind of request in this process already."""
        return self._id in _learned

    def ask(self, prompt: str, samples: int = 0) -> Reply:
        """Ask once; a request that the server refuses for one parameter is repeated without it.

        Args:
            prompt: The user message.
            samples: How many answers to sample, where the server takes that.
        """
        while True:
            fields = self._fields
            reply = self._send(fields, prompt, samples)
            if reply is not None:
                break
        if reply.kind == "answer":
            limit = fields.get(LENGTH_FIELDS[0])
            if not self._votes and reply.usage is not None and isinstance(limit, int) and reply.usage[2] > limit:
                # Some servers ignore max_completion_tokens without a word; the length of the answer shows it.
                self._adapt(LENGTH_FIELDS[0], fields)
            _learned[self._id] = self._fields, self._refused
        return reply

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def _send(self, fields: Mapping[str, object], prompt: str, samples: int) -> Reply | None:
        """Send one request; None if it is worth repeating at once, with other fields."""
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
                # Some servers repeat the key, and what they send may be stored or shown. Written anew, it has no
                # escapes.
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
        """Understand an HTTP error; None if other fields are a way out."""
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
                    said = shorten(message) or "without a reason"
                    return Reply("fatal", f"the server refuses {parameter!r} of extra_body ({said}). Leave it out")
                if self._adapt(parameter, fields, refused=True):
                    return None
        code = fault.get("code")
        code = "" if code is None else self._mask_key(str(code))
        return read_error(response.status, code, parameter, message, retry_after(response.headers))

    def _lengthen(self, fields: Mapping[str, object], message: str, named: str | None) -> bool:
        """Allow a longer answer where the server says that it needs one; False if that is not what it says."""
        field = next((name for name in LENGTH_FIELDS if name in fields), None)
        if field is None or field in self._fixed or _CONTEXT.search(message):
            return False
        limit = fields[field]
        about_length = named in {*LENGTH_FIELDS, "max_output_tokens"} or "tokens" in message
        least = _LEAST_LENGTH.search(message) if about_length else None
        if not isinstance(limit, int) or not (least or _TOO_SHORT.search(message)):
            return False
        if self._fields is not fields:
            return True  # another thread met the same refusal first
        longer = int(least[1]) if least else next((length for length in _LENGTHS if length > limit), 0)
        if not limit < longer <= _LENGTHS[-1]:
            return False
        self._fields = {**fields, field: longer}
        return True

    def _adapt(self, name: str, fields: Mapping[str, object], *, refused: bool = False) -> bool:
        """Rename or leave out one field, which the server refused or seems to ignore; False if that is no way out."""
        if name not in self._fields:
            return True  # another thread met the same refusal first
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
        for form in self._forms_of_key:
            text = text.replace(form, "[key]")
        return text


def _fault(text: str) -> dict[str, Any]:
    """Give the error object of a body, or one whose message is the body."""
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
    """The field of the request that an error is about."""
    if parameter is not None:
        return parameter if parameter in fields else None
    named = (name for name in fields if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message))
    return next((name for name in named if name != "model"), None)
