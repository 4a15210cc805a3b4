"""Translation of errors of the Hub and the network into messages that say what to do."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

import httpx2
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.errors import HFValidationError
from huggingface_hub.errors import OfflineModeIsEnabled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from huggingface_hub import HfApi

# Fields: {space}, its owner {org}, {endpoint}, {status}, and the Hub's message, {detail}.
MESSAGES: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: (
        "The Hub does not accept the token in HF_TOKEN (401): create one with write access at "
        "{endpoint}/settings/tokens and set HF_TOKEN to it."
    ),
    HTTPStatus.PAYMENT_REQUIRED: (
        "The Hub runs Gradio Spaces only for accounts with a paid plan (402), and {space} is one. Without a plan, add "
        "FREE=1: metrics become free static pages, from which evaluate.load works just as well, and the gallery stays "
        "interactive on ZeroGPU (two such Spaces per personal account that has a verified email and is 30 days old). "
        "SDK=static publishes pages only.{detail}"
    ),
    HTTPStatus.FORBIDDEN: (
        "The token in HF_TOKEN may not write to {space} (403): check the spelling of ORG, your role in it, and that "
        "the token has write access to {org}.{detail}"
    ),
    HTTPStatus.CONFLICT: (
        "{space}, or its tag, was created in the meantime (409): look at {endpoint}/spaces/{space}, then run "
        "the same command again."
    ),
    HTTPStatus.PRECONDITION_FAILED: (
        "{space} was changed in the meantime (412), and nothing was overwritten: look at "
        "{endpoint}/spaces/{space}/commits/main, then run the same command again."
    ),
    HTTPStatus.TOO_MANY_REQUESTS: "The Hub's rate limit is reached (429): wait a few minutes, then run this again.",
}
SERVER_ERROR = "The Hub reports a server error ({status}): run the same command again later.{detail}"
REJECTED = "The Hub rejected the request for {space} ({status}).{detail}"


class PublishError(Exception):
    """Publishing cannot continue; the message is for the user."""


class HubUnreachableError(PublishError):
    """The Hub cannot be reached: no network, a wrong address, or offline mode."""


@contextmanager
def translate_errors(api: HfApi, space: str) -> Iterator[None]:
    """Turn errors of the Hub and the network into a `PublishError` that says what to do."""
    try:
        yield
    except HfHubHTTPError as error:
        raise PublishError(_message(api, space, error)) from None
    except OfflineModeIsEnabled:
        raise HubUnreachableError("HF_HUB_OFFLINE is set, and publishing needs the network: unset it.") from None
    except (httpx2.TransportError, httpx2.InvalidURL) as error:
        raise HubUnreachableError(
            f"No answer from {api.endpoint} ({type(error).__name__}): check the network and HF_ENDPOINT, then run the "
            "same command again; what has been published stays."
        ) from None
    except json.JSONDecodeError:
        raise HubUnreachableError(
            f"The server at {api.endpoint} is not a Hub: check the network and HF_ENDPOINT."
        ) from None
    except HFValidationError as error:
        raise PublishError(f"{space} is not a valid name for a Space: {error}") from None
    except ValueError as error:  # raised by huggingface_hub if the Hub rejects a card
        raise PublishError(f"The Hub rejected {space}: {' '.join(str(error).split())}") from None


def _message(api: HfApi, space: str, error: HfHubHTTPError) -> str:
    status = error.response.status_code
    detail = f" The Hub says: {error.server_message}" if error.server_message else ""
    fallback = SERVER_ERROR if status >= HTTPStatus.INTERNAL_SERVER_ERROR else REJECTED
    return MESSAGES.get(status, fallback).format(
        space=space, org=space.partition("/")[0], endpoint=api.endpoint, status=status, detail=detail
    )
