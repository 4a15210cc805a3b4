"""What every judge can do: a server, a model in this process, or none."""

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
    """What a prompt was made of."""

    references: tuple[str, ...]
    prediction: str


@dataclass(frozen=True)
class Run:
    """What judges of one call share.

    Attributes:
        store: Where judgments of this judge are kept.
        bar: The progress bar.
        budget: What may be spent.
        recovery_hint: What becomes of judgments that arrived before an error.
    """

    store: Store
    bar: Any
    budget: Budget
    recovery_hint: str


class Judge(Protocol):
    """One judge, made from options that are not those of a panel."""

    reads_prompt: bool
    """Whether equal prompts have equal judgments; the mock looks at the texts themselves."""

    def check(self) -> None:
        """Raise a `ValueError` for options that do not go together."""

    def check_access(self) -> None:
        """Raise a `ValueError` if it cannot be asked: no key, or a malformed one. What is stored needs no key."""

    def signature_fields(self) -> dict[str, Any]:
        """Return what tells this judge from others, by the name it has in the signature."""

    def store_settings(self) -> list[object]:
        """Return what can change a judgment besides the prompt."""

    def judge(self, sources: Mapping[str, Source], run: Run) -> Iterator[tuple[str, Outcome]]:
        """Judge prompts that are not in the store; see `JudgeRun.run` for errors."""

    def estimate(self, prompts: Sequence[str]) -> tuple[list[int], list[int], list[float | None]]:
        """Estimate input tokens, output tokens and dollars of each prompt."""
