"""Interpretation of a judge's responses and errors. Pure functions."""

import email.utils
import json
import math
import re
import time
from collections import Counter
from collections.abc import Mapping
from datetime import UTC
from typing import Any
from typing import Literal
from typing import NamedTuple

from ._logprobs import plain_word
from ._prices import Usage

NO_LOGPROBS = "the judge gave no log-probabilities, without which there is no score. Choose another model or server"

_NO_QUOTA = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"}
_BAD_REQUEST, _TRANSIENT, _RATE_LIMITED = {400, 422}, {408, 409, 425}, 429
_UNAUTHORIZED, _PAYMENT_REQUIRED, _FORBIDDEN, _NOT_FOUND, _SERVER_ERROR = 401, 402, 403, 404, 500
# These may concern one prompt (flagged, too expensive, routed elsewhere) or all of them.
_SUSPECT = {
    _PAYMENT_REQUIRED: "the account has no quota left, or not enough for this prompt",
    _FORBIDDEN: "the key was refused, or the prompt. Check what the key may use",
    _NOT_FOUND: "the server does not know the model or the address. Check model= and base_url=",
}
_LONGEST_WAIT = 120.0
_EXCERPT = 200
# An upper bound for plausible counts that fit in a column.
_MAX_TOKENS = 10**12
# The service tiers that list prices are for.
STANDARD_TIERS = frozenset({"auto", "default", "standard"})
# The value that servers send for the logarithm of 0.
_LOG_OF_ZERO = -9999.0

_FLAGGED = re.compile(
    r"flagged|moderation|content.?(?:policy|filter|management)|safety|usage guidelines", re.IGNORECASE
)
_LOGPROBS_FORBIDDEN = re.compile(r"not allowed to request logprobs", re.IGNORECASE)
_UNKNOWN_MODEL = re.compile(
    r"\bmodels?\b.*(?:not (?:be )?found|does(?: not|n't) exist|unknown)", re.IGNORECASE | re.DOTALL
)
_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|xai|key|pk)-[\w*.-]+")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}

Kind = Literal["answer", "limited", "retry", "broken", "unreachable", "refused", "suspect", "fatal"]


class Reply(NamedTuple):
    """The result of one request.

    Attributes:
        kind: "answer"; "limited" (a rate limit), "retry" (a transient failure), "broken" (no answer arrived),
            "unreachable" (no connection); "refused" (will not work for this prompt); "suspect" (may not work for any
            prompt); or "fatal" (will not work for any prompt).
        why: One sentence about the failure. Never contains the key.
        judgment: The judgment of an answer, JSON-serializable, see `read_body`.
        usage: Tokens billed; None if the server did not report them.
        billed: Whether it was billed; "unknown" if the answer never arrived.
        wait: Seconds that the server asks to wait.
        headers: The header fields of the response, by lower-case name.
        priced: Whether list prices apply; they do not for other service tiers.
    """

    kind: Kind
    why: str = ""
    judgment: dict[str, Any] | None = None
    usage: Usage | None = None
    billed: Literal["yes", "no", "unknown"] = "no"
    wait: float | None = None
    headers: Mapping[str, str] = {}
    priced: bool = True


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
        return Reply("refused", "the judge answered with nothing")
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


def duration(text: str) -> float | None:
    """Parse a duration in rate-limit headers to seconds: `6m0s`, `120ms`, `1.5`; None for anything else."""
    parts = _DURATION.findall(text)
    if parts and _DURATION.sub("", text).strip() == "":
        return math.fsum(float(count) * _SECONDS[unit] for count, unit in parts)
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if 0 <= seconds < math.inf else None


def shorten(message: str) -> str:
    """Return the beginning of a server's message on one line; empty for a web page."""
    line = " ".join(message.encode(errors="replace").decode().split())
    return "" if line.startswith("<") else _LOOKS_LIKE_A_KEY.sub("[key]", line)[:_EXCERPT]


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
