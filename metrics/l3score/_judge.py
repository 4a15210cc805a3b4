"""Many judgements at once: threads, retries, a budget, a progress bar; whatever arrives is kept the moment it does."""

import queue
import random
import threading
import time
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from typing import NamedTuple
from typing import Protocol

Usage = tuple[int, int, int]
Price = Callable[[Usage], float]

_FIRST_WAIT, _MOST_WAIT = 0.5, 16.0
# So many failures in a row, with no success between them, mean that the rest would fail, too.
_GIVE_UP_AFTER = 24
# Seconds for calls in flight to come home, after Ctrl-C and after an error that ends the run.
_GRACE_INTERRUPTED, _GRACE_STOPPED = 1.0, 5.0
# A tokenizer that works on bytes makes at most one token of a byte; a chat template adds a few.
_TEMPLATE_TOKENS = 64
# Of usual text; what a server counts beyond that may be a system prompt of its own.
_BYTES_PER_TOKEN = 4
# A generator of its own: the state of the random module belongs to the user's experiment.
_chance = random.Random()  # noqa: S311  # no secret


class JudgeError(RuntimeError):
    """Judgements could not be had. Those that could are stored. The message never holds a key.

    Attributes:
        spent: The dollars that may have been billed at most; None if unknown.
    """

    def __init__(self, message: str, spent: float | None = None) -> None:
        super().__init__(message)
        self.spent = spent


class Reply(Protocol):
    """What asking once leads to; see `_remote.Reply`."""

    @property
    def kind(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def judgement(self) -> dict[str, Any] | None: ...
    @property
    def usage(self) -> Usage | None: ...
    @property
    def billed(self) -> str: ...
    @property
    def wait(self) -> float | None: ...


class Outcome(NamedTuple):
    """What became of one prompt.

    Attributes:
        judgement: What the judge sent; None if it failed.
        why: Why it failed.
        cost: Dollars spent on it, failed attempts included; None if unknown.
    """

    judgement: dict[str, Any] | None
    why: str
    cost: float | None


class Budget:
    """Dollars that may be spent. A call reserves the most that it can cost before it starts."""

    def __init__(self, limit: float, price: Price) -> None:
        self._limit = limit
        self._price = price
        self._change = threading.Condition()
        self._spent = self._reserved = 0.0
        self._calls = 0
        self._hidden_tokens, self._output = _TEMPLATE_TOKENS, 1
        self._taught = False

    @property
    def committed(self) -> float:
        """Dollars spent, and set aside for calls that never came home."""
        with self._change:
            return self._spent + self._reserved

    def reserve(self, prompt: str, stopped: threading.Event) -> float | None:
        """Dollars set aside for one call; waits for calls in flight to settle. None if the money does not suffice.

        Until a call has shown what this server adds, calls go one at a time.
        """
        length = len(prompt.encode())
        with self._change:
            while not stopped.is_set():
                most = self._price((length + self._hidden_tokens, 0, self._output))
                fits = self._spent + self._reserved + most <= self._limit
                if fits and (self._taught or not self._calls):
                    self._reserved += most
                    self._calls += 1
                    return most
                if not self._calls:
                    return None
                self._change.wait(0.1)
        return None

    def settle(self, reserved: float, cost: float | None, prompt: str, usage: Usage | None) -> None:
        """Replace what a call reserved by what it cost; by what it reserved where that is unknown."""
        with self._change:
            self._calls -= 1
            self._reserved = self._reserved - reserved if self._calls else 0.0
            self._spent += reserved if cost is None else cost
            # Neither an answer without usage nor a lost one keeps the others waiting for ever.
            self._taught = self._taught or usage is not None or cost is None
            if usage is not None:
                # A server that adds a long system prompt, or answers at length, is learned from its first answer.
                tokens_of_prompt = len(prompt.encode()) // _BYTES_PER_TOKEN
                self._hidden_tokens = max(self._hidden_tokens, usage[0] - tokens_of_prompt)
                self._output = max(self._output, usage[2])
            self._change.notify_all()


@dataclass(frozen=True)
class Panel:
    """Judges at work, as many at a time as may be.

    Attributes:
        ask: Asks once, from any thread.
        keep: Called with a prompt and its judgement as soon as it is there, from any thread.
        finish: Called when the last call is over, which after Ctrl-C may be later than the return.
        progress: Makes the progress bar, as tqdm does.
        concurrency: How many calls may be in flight.
        max_retries: How often a call that may work later is repeated.
        price: From token counts to dollars, if known.
        max_cost: Dollars that may be spent at most; needs a price.
        consolation: What becomes of the judgements that arrived before an error; ends its message.
        proven: Whether the judge is known to work; if not, the first prompt is asked alone, so that a wrong key or a
            model without log-probabilities costs one call.
    """

    ask: Callable[[str], Reply]
    keep: Callable[[str, dict[str, Any]], None]
    finish: Callable[[], None]
    progress: Callable[..., Any]
    concurrency: int
    max_retries: int
    price: Price | None = None
    max_cost: float | None = None
    consolation: str = ""
    proven: bool = False

    def judge(self, prompts: Sequence[str]) -> list[Outcome]:
        """Have every prompt judged; no prompt should stand there twice.

        Returns:
            One outcome per prompt.

        Raises:
            JudgeError: The run cannot go on: no key, no quota, no log-probabilities, the budget is used up.
        """
        return _Run(self, prompts).run()


class _Run:
    def __init__(self, panel: Panel, prompts: Sequence[str]) -> None:
        self._panel, self._prompts = panel, prompts
        self._proven = panel.proven
        self._budget = Budget(panel.max_cost, panel.price) if panel.max_cost is not None and panel.price else None
        self._arrived: queue.SimpleQueue[tuple[int, Outcome] | None] = queue.SimpleQueue()
        self._outcomes: dict[int, Outcome] = {}
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._next: Iterator[int] = iter(range(len(prompts)))
        self._threads: list[threading.Thread] = []
        self._working = 0
        self._failures = 0
        self._spent = 0.0
        self._not_before = 0.0
        self._reason = ""

    def run(self) -> list[Outcome]:
        most = min(self._panel.concurrency, len(self._prompts))
        with self._panel.progress(total=len(self._prompts), desc="Judging", unit="call") as bar:
            try:
                self._start(most if self._proven else min(1, most))
                while len(self._outcomes) < len(self._prompts) and self._receive(bar):
                    self._start(most)
            except BaseException:
                self._end(_GRACE_INTERRUPTED)
                raise
            self._end(_GRACE_STOPPED)
            if self._reason:
                while not self._arrived.empty():
                    self._receive(bar)
                raise JudgeError(self._how_far(), self._budget.committed if self._budget else None)
        return [self._outcomes[index] for index in range(len(self._prompts))]

    def _receive(self, bar: Any) -> bool:  # tqdm has no types
        """Take in one outcome; False if the run has been stopped."""
        arrival = self._arrived.get()
        if arrival is None:
            return False
        index, outcome = arrival
        self._outcomes[index] = outcome
        self._spent += outcome.cost or 0.0
        bar.set_postfix_str(f"${self._spent:.4f}" if self._panel.price else "cost unknown", refresh=False)
        bar.update()
        return True

    def _how_far(self) -> str:
        arrived = sum(outcome.judgement is not None for outcome in self._outcomes.values())
        spent = f" for ${self._spent:.4f}" if self._panel.price else ""
        return (
            f"Judging stopped: {self._reason}. {arrived} of the {len(self._prompts)} missing judgements "
            f"arrived{spent}. {self._panel.consolation}"
        )

    def _start(self, count: int) -> None:
        # Threads of our own, as daemons: those of a ThreadPoolExecutor would hold up the interpreter's end.
        while len(self._threads) < count and not self._stopped.is_set():
            thread = threading.Thread(target=self._work, name=f"l3score-{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            with self._lock:
                self._working += 1
            thread.start()

    def _end(self, grace: float) -> None:
        self._stopped.set()
        deadline = time.monotonic() + grace
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _halt(self, reason: str) -> None:
        with self._lock:
            self._reason = self._reason or reason
        self._stopped.set()
        self._arrived.put(None)

    def _work(self) -> None:
        try:
            while not self._stopped.is_set():
                with self._lock:
                    index = next(self._next, None)
                if index is None:
                    return
                outcome = self._judge(self._prompts[index])
                if outcome is not None:
                    self._arrived.put((index, outcome))
        except Exception as error:  # noqa: BLE001  # a thread that dies unseen would leave the caller waiting for ever
            self._halt(f"{type(error).__name__} in a judging thread, a defect of this metric")
        finally:
            with self._lock:
                self._working -= 1
                last = not self._working
            if last:
                self._panel.finish()

    def _judge(self, prompt: str) -> Outcome | None:
        """One prompt, with its retries; None if the run ends before it is judged."""
        spent: float | None = 0.0
        for attempt in range(self._panel.max_retries + 1):
            if self._failures >= _GIVE_UP_AFTER:
                return Outcome(None, f"not asked, as {_GIVE_UP_AFTER} in a row had failed", spent)
            asked = self._ask(prompt)
            if asked is None:
                return None
            reply, cost = asked
            spent = None if spent is None or cost is None else spent + cost
            if reply.judgement is not None:
                self._panel.keep(prompt, reply.judgement)
                with self._lock:
                    self._proven, self._failures = True, 0
                return Outcome(reply.judgement, "", spent)
            if reply.kind == "stop" or (reply.kind == "no-logprobs" and not self._proven):
                self._halt(reply.why)
                return None
            if reply.kind != "again" or attempt == self._panel.max_retries:
                if reply.kind == "again" or not self._proven:
                    # A server that works may refuse many prompts in a row; one that is dead refuses all of them.
                    with self._lock:
                        self._failures += 1
                return Outcome(None, reply.why, spent)
            if self._wait(attempt, reply.wait):
                return None
        raise AssertionError  # the last attempt returns

    def _ask(self, prompt: str) -> tuple[Reply, float | None] | None:
        """One call when it is due and paid for, and its dollars; None if the run ends before it starts."""
        while (early := self._not_before - time.monotonic()) > 0:
            if self._stopped.wait(early):
                return None
        if self._budget is None:
            reply = self._panel.ask(prompt)
            return reply, self._cost(reply)
        reserved = self._budget.reserve(prompt, self._stopped)
        if reserved is None:
            if not self._stopped.is_set():
                self._halt(f"the next call could exceed max_cost={self._panel.max_cost}")
            return None
        reply = self._panel.ask(prompt)
        cost = self._cost(reply)
        # An answer that never arrived may have been billed: the budget, unlike the cost, assumes the worst.
        self._budget.settle(reserved, None if reply.billed == "unknown" else cost, prompt, reply.usage)
        return reply, cost

    def _wait(self, attempt: int, asked: float | None) -> bool:
        """Wait before a retry, as long as the server asks or longer each time; True if the run ended meanwhile."""
        seconds = min(_FIRST_WAIT * 2**attempt, _MOST_WAIT) * _chance.uniform(0.75, 1.0)
        if asked is not None:
            # All threads wait: the limit is the account's. A little apart, so that they do not come back as one.
            seconds = asked + _chance.uniform(0.0, 0.1)
            self._not_before = max(self._not_before, time.monotonic() + asked)
        return self._stopped.wait(seconds)

    def _cost(self, reply: Reply) -> float | None:
        """Dollars of one call; None if it cost something and nobody says what."""
        if reply.billed != "yes":
            return 0.0
        return None if reply.usage is None or self._panel.price is None else self._panel.price(reply.usage)
