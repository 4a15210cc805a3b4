"""The interface of judges: a server, a model in this process, or the mock."""

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from typing import NamedTuple
from typing import Protocol

from ._budget import Budget
from ._outcomes import Outcome
from ._store import Store

VOTES_VERSION = "votes-1"


class Source(NamedTuple):
    """The texts that a prompt was built from."""

    references: tuple[str, ...]
    prediction: str


@dataclass(frozen=True)
class Run:
    """The context that a judge runs in.

    Attributes:
        store: The store of this judge's judgments.
        bar: The progress bar.
        budget: The budget in dollars, shared by all judges of a call.
        recovery_hint: The end of error messages: what happens to judgments that arrived before the error.
    """

    store: Store
    bar: Any
    budget: Budget
    recovery_hint: str


class Judge(Protocol):
    """One judge, configured by the options of a single judge."""

    reads_prompt: bool
    """Whether the judgment depends on the prompt only; the mock compares the texts instead."""

    def check(self) -> None:
        """Raise a `ValueError` for incompatible options."""

    def check_access(self) -> None:
        """Raise a `ValueError` if the key is missing or malformed. Stored judgments need no key."""

    def signature_fields(self) -> dict[str, Any]:
        """Return the fields that identify this judge, by their names in the signature."""

    def store_settings(self) -> list[object]:
        """Return everything besides the prompt that can change a judgment."""

    def judge(self, sources: Mapping[str, Source], run: Run) -> Iterator[tuple[str, Outcome]]:
        """Judge prompts that are not in the store; see `JudgeRun.run` for errors."""

    def estimate(self, prompts: Sequence[str]) -> tuple[list[int], list[int], list[float | None]]:
        """Estimate input tokens, output tokens and dollars of each prompt."""
