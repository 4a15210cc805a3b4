# Vendored: edit metrics/_shared/space_ui/space.py and run `make vendor`.
"""The base class of all Spaces, those of the metrics and the gallery. No Gradio here.

Nothing is stored between calls, no input is written to a file or a log, and every error becomes a message.
"""

import json
import logging
import traceback
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from http import HTTPStatus
from typing import Any
from typing import NamedTuple

from .controls import Control
from .pairing import columns_of_second
from .pairing import columns_of_two
from .pairing import pair_rows
from .permalink import unpack_link
from .rows import Column
from .rows import InputError
from .rows import Limits
from .rows import Row
from .rows import check_rows
from .upload import Upload
from .upload import read_upload

SECONDS = 30.0
"""Time limit of a call."""
KEY_HEADER = "x_judge_key"  # as an argument; in HTTP it is x-judge-key
_LOG = logging.getLogger("space")
RESAMPLING_SECONDS = 1e-4
"""Upper bound of the time per row for comparing two systems, in addition to scoring them."""
_PER_CHARACTER = 2e-6  # seconds, measured on 200 rows of every metric, with a safety margin


class Request(NamedTuple):
    """A parsed request of the page."""

    rows: list[Row]
    options: dict[str, Any]
    comparing: bool = False


@dataclass(frozen=True, kw_only=True)
class Space:
    """The content and the operations of a Space."""

    title: str
    facts: tuple[str, ...] = ()
    """Facts shown in the header, a few words each."""
    limits: Limits = field(default_factory=Limits)

    # ---- content

    @property
    def name(self) -> str:
        """The name in code, and of downloads."""
        raise NotImplementedError

    @property
    def columns(self) -> list[Column]:
        """The columns of the page."""
        raise NotImplementedError

    @property
    def controls(self) -> list[Control]:
        """The options that the page shows."""
        return []

    @property
    def examples(self) -> list[dict[str, Any]]:
        """The examples that a visitor can load: title, note, options, rows."""
        raise NotImplementedError

    @property
    def compared_columns(self) -> tuple[str, ...]:
        """The columns that exist for each system in a comparison; empty if the Space does not compare."""
        return ()

    @property
    def comparison_columns(self) -> list[Column]:
        """The columns of one system in a comparison."""
        return self.columns

    def clean(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Check options from a page or a link.

        Raises:
            ValueError: For a value that an option does not accept.
        """
        del options
        return {}

    def estimate(self, request: Request) -> float:
        """Estimate the seconds that a call takes."""
        return _PER_CHARACTER * sum(len(cell) for row in request.rows for cell in row)

    def estimate_cost(self, request: Request) -> str:
        """Estimate the cost of a call, as a sentence."""
        del request
        return "This costs nothing."

    def answer(self, request: Request, key: str = "") -> dict[str, Any]:
        """Score rows, and describe the result for the page.

        Raises:
            ValueError: For input that can't be scored.
        """
        raise NotImplementedError

    def call(self, **arguments: Any) -> str:
        """Handle an API call; return JSON text.

        Raises:
            InputError: For bad input.
        """
        raise NotImplementedError

    def compare(self, **arguments: Any) -> str:
        """Handle an API call that compares two systems; return JSON text.

        Raises:
            InputError: For bad input.
        """
        raise NotImplementedError

    def estimate_call(self, arguments: Mapping[str, Any]) -> float:
        """Estimate the seconds that an API call takes."""
        return _PER_CHARACTER * len(str(arguments))

    def estimate_comparison(self, arguments: Mapping[str, Any]) -> float:
        """Estimate the seconds that an API call takes that compares two systems."""
        return self.estimate_call(arguments)

    def answer_program(self, work: Callable[[], dict[str, Any]], key: str = "") -> str:
        """Run the work of an API call; return its result as JSON text.

        Raises:
            InputError: For bad input, with the metric's message.
        """
        try:
            return json.dumps(work(), ensure_ascii=False)
        except (ValueError, TypeError) as error:
            raise InputError(self.message(error, key)) from None
        except Exception as error:  # noqa: BLE001  # its message may contain a visitor's texts or key
            log_exception(error)
            raise InputError(f"internal error ({type(error).__name__})") from None

    # ---- requests of the page

    def chosen(self, names: Sequence[str], *, second: bool = False) -> list[Column]:
        """Return the named columns; with `second`, those of a file of the second system."""
        comparing = not {column.name for column in self.columns}.issuperset(names)
        columns = self.second_columns if second else self.columns_for(comparing=comparing)
        return [column for name in names for column in columns if column.name == name]

    def columns_for(self, *, comparing: bool) -> list[Column]:
        """Return the columns of the page, or of the comparison page."""
        if not comparing or not self.compared_columns:
            return self.columns
        return columns_of_two(self.comparison_columns, self.compared_columns)

    @property
    def second_columns(self) -> list[Column]:
        """The columns of a file of the second system."""
        return columns_of_second(self.comparison_columns, self.compared_columns)

    def parse(self, body: bytes) -> Request:
        """Parse and check a request of the page.

        Raises:
            ValueError: If it is invalid, or exceeds the limits.
        """
        sent = _object(body)
        rows, options = sent.get("rows"), sent.get("options", {})
        if not isinstance(options, dict):
            raise InputError("options must be an object.")
        comparing = bool(sent.get("comparing"))
        checked = check_rows(rows, self.columns_for(comparing=comparing), self.limits, minimum=1)
        return Request(checked, self.clean(options), comparing)

    def respond(self, body: bytes, key: str = "") -> tuple[int, dict[str, Any]]:
        """Handle a request of the page; return an HTTP status and the result, or `{"error": ...}`."""
        return self.guard(lambda: self.answer(self.parse(body), key), key)

    def read(
        self,
        content: bytes,
        filename: str,
        names: Sequence[str],
        mapping: Mapping[str, str] | None,
        *,
        second: bool = False,
    ) -> tuple[int, dict[str, Any]]:
        """Read a file as rows of the named columns; with `second`, a file of the second system."""

        def upload() -> dict[str, Any]:
            found: Upload = read_upload(content, self.chosen(names, second=second), self.limits, filename, mapping)
            return found._asdict()

        return self.guard(upload)

    def pair(self, body: bytes) -> tuple[int, dict[str, Any]]:
        """Merge the rows of a file of the second system with those of the first."""

        def paired() -> dict[str, Any]:
            sent = _object(body)
            columns, seconds = self.columns_for(comparing=True), self.second_columns
            rows = check_rows(sent.get("rows"), columns, self.limits)
            if not rows:
                raise InputError("There are no rows of system A yet: load its file first.")
            others = check_rows(sent.get("second"), seconds, self.limits, keep_empty=True)
            merged, notes = pair_rows(rows, columns, others, seconds)
            return {"rows": merged, "notes": notes}

        return self.guard(paired)

    def open_link(self, packed: str) -> tuple[int, dict[str, Any]]:
        """Read the rows and options of a permalink."""

        def unpack() -> dict[str, Any]:
            rows, options, comparing = unpack_link(packed, self.columns_for, self.limits)
            return {"rows": rows, "options": self.clean(options), "comparing": comparing}

        return self.guard(unpack)

    def guard(self, work: Any, key: str = "") -> tuple[int, dict[str, Any]]:
        """Run the work of a request, and turn every error into a message without the visitor's key."""
        try:
            return HTTPStatus.OK, work()
        except ValueError as error:
            return HTTPStatus.UNPROCESSABLE_ENTITY, {"error": self.message(error, key)}
        except Exception as error:  # noqa: BLE001  # the visitor always gets a response
            log_exception(error)
            message = f"Something went wrong here ({type(error).__name__}); your rows are not the cause."
            return HTTPStatus.INTERNAL_SERVER_ERROR, {"error": message}

    def message(self, error: Exception, key: str) -> str:
        """Return the message of an error, with the key redacted."""
        text = str(error).removeprefix(f"{self.name}: ")
        return text.replace(key, "(key)") if key else text


def _object(body: bytes) -> dict[str, Any]:
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict) or "rows" not in sent:
        raise InputError('The body must be JSON: {"rows": [["…", "…"]], "options": {}}.')
    return sent


def log_exception(error: BaseException) -> None:
    """Log the origin of an unexpected error, without its message, which may contain a visitor's texts or key."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    _LOG.error("%s in %s", type(error).__name__, " < ".join(f"{frame.name}:{frame.lineno}" for frame in frames))
