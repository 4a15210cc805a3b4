"""Concurrent judging: threads, retries, budget and pacing; every judgment is stored as soon as it arrives."""

import queue
import random
import threading
import time
from collections import deque
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from typing import Protocol

from ._budget import Budget
from ._budget import Meter
from ._interruption import exit_on_sigterm
from ._outcomes import JudgeError
from ._outcomes import Outcome
from ._outcomes import add_votes
from ._outcomes import total_cost
from ._pace import Pace
from ._replies import Reply

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 16.0
# Consecutive failures after which the server is probed with a harmless prompt.
_FAILURES_BEFORE_PROBE, _UNVERIFIED_FAILURES_BEFORE_PROBE = 24, 3
# Attempts at a judge that has not answered yet and breaks the connection.
_UNVERIFIED_TRIES = 3
# Rate-limited prompts get this many times `max_retries` attempts while other prompts succeed.
_RATE_LIMIT_FACTOR = 10
# Seconds to wait for calls in flight: after Ctrl-C, and after other ends of a run.
_GRACE_INTERRUPTED, _GRACE_STOPPED = 1.0, 5.0
# Seconds between checks of a prompt that another process is judging.
_POLL = 0.05
# Seconds by which a claim outlasts one call, which may wait for a rate limit. Claims of dead processes end immediately.
_CLAIM_MARGIN = 300.0
# A separate generator, so that the user's random state is unchanged.
_random = random.Random()  # noqa: S311  # not for cryptography


class JudgmentStore(Protocol):
    """The storage of judgments; see `_store.Store`."""

    def claim(self, prompt: str, seconds: float) -> dict[str, Any] | str: ...
    def put(self, prompt: str, judgment: dict[str, Any]) -> None: ...
    def release(self, prompt: str) -> None: ...


@dataclass(frozen=True, kw_only=True)
class JudgePool:
    """The settings for concurrent calls to one judge.

    Attributes:
        ask: Makes one call, thread-safe: (prompt, number of missing samples) -> reply.
        store: The store of judgments.
        finish: Called after the last call, which after Ctrl-C may be later than the return.
        bar: A progress bar such as tqdm's.
        concurrency: Maximum number of calls in flight.
        max_retries: Maximum number of retries of a call.
        samples: Number of answers per judgment by votes; 0 for judgments by log-probabilities.
        timeout: Maximum duration of one call in seconds.
        pace: Decides when calls may start; shared by all runs that use the same server.
        budget: The budget in dollars.
        meter: Estimates the cost of a call; None if the price is unknown.
        price: Returns the cost of a reply in dollars; None if unknown.
        probe: A prompt that any working judge answers.
        recovery_hint: The end of error messages: what happens to judgments that arrived before the error.
        verified: Whether the judge is known to work; if not, only one call is in flight until one has succeeded, so
            that a wrong key, a dead address or a model without log-probabilities costs only a call or two.
    """

    ask: Callable[[str, int], Reply]
    store: JudgmentStore
    finish: Callable[[], None]
    bar: Any
    concurrency: int
    max_retries: int
    timeout: float
    pace: Pace
    budget: Budget
    meter: Meter | None
    price: Callable[[Reply], float | None]
    probe: str
    samples: int = 0
    recovery_hint: str = ""
    verified: bool = False


class JudgeRun:
    """One run of a judge over many prompts.

    Args:
        pool: The judge and its settings.
        prompts: Distinct prompts.
    """

    def __init__(self, pool: JudgePool, prompts: Sequence[str]) -> None:
        self._pool, self._prompts = pool, prompts
        self._verified = pool.verified
        self._arrived: queue.SimpleQueue[tuple[int, Outcome] | None] = queue.SimpleQueue()
        self._outcomes: dict[int, Outcome] = {}
        self._stopped = threading.Event()
        self._lock, self._probing = threading.Lock(), threading.Lock()
        # Shuffled, so that processes that start together judge different prompts.
        self._fresh: Iterator[int] = iter(_random.sample(range(len(prompts)), len(prompts)))
        self._deferred: deque[tuple[float, int]] = deque()
        self._threads: list[threading.Thread] = []
        self._working = self._polling = 0
        self._failures = self._successes = 0
        self._reason = self._given_up = ""

    def run(self) -> list[Outcome]:
        """Judge every prompt.

        Returns:
            One outcome per prompt.

        Raises:
            JudgeError: If the run cannot continue: no key, no quota, no log-probabilities, budget exhausted.
        """
        max_threads = min(self._pool.concurrency, len(self._prompts))
        with exit_on_sigterm():
            try:
                self._start(max_threads if self._verified else min(1, max_threads))
                while len(self._outcomes) < len(self._prompts) and self._receive():
                    if self._verified:
                        self._start(max_threads)
            except BaseException as error:
                self._end(_GRACE_STOPPED if isinstance(error, SystemExit) else _GRACE_INTERRUPTED)
                raise
            self._end(_GRACE_STOPPED)
        if self._reason:
            while not self._arrived.empty():
                self._receive()
            raise JudgeError(self._progress_message(), self._pool.budget.max_billed if self._pool.meter else None)
        return [self._outcomes[index] for index in range(len(self._prompts))]

    def _receive(self) -> bool:
        """Wait briefly for one outcome and record it; return False if the run was stopped."""
        try:
            arrival = self._arrived.get(timeout=1.0)
        except queue.Empty:
            self._pool.bar.set_postfix_str(self._postfix())
            return True
        if arrival is None:
            return False
        index, outcome = arrival
        self._outcomes[index] = outcome
        self._pool.bar.set_postfix_str(self._postfix(), refresh=False)
        self._pool.bar.update()
        return True

    def _postfix(self) -> str:
        spent = f"${self._pool.budget.spent:.4f}" if self._pool.meter else "cost unknown"
        waiting = self._pool.pace.waiting()
        return f"{spent}, {waiting}" if waiting else spent

    def _progress_message(self) -> str:
        arrived = sum(outcome.judgment is not None for outcome in self._outcomes.values())
        spent = f" for ${self._pool.budget.max_billed:.4f}" if self._pool.meter else ""
        return (
            f"Judging stopped: {self._reason}. {arrived} of the {len(self._prompts)} missing judgments "
            f"arrived{spent}. {self._pool.recovery_hint}"
        )

    def _start(self, count: int) -> None:
        # Daemon threads, since the threads of a ThreadPoolExecutor would block interpreter shutdown.
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
            while (index := self._next()) is not None:
                outcome = self._resolve(index)
                if outcome is not None:
                    self._arrived.put((index, outcome))
        except Exception as error:  # noqa: BLE001  # a thread that dies silently would leave the caller waiting forever
            self._halt(f"{type(error).__name__} in a judging thread, a defect of this metric")
        finally:
            with self._lock:
                self._working -= 1
                last = not self._working
            if last:
                self._pool.finish()

    def _next(self) -> int | None:
        """Return the next prompt: a new one, or one that another process was judging; None if nothing is left."""
        while not self._stopped.is_set():
            with self._lock:
                index = next(self._fresh, None)
                if index is not None:
                    return index
                if self._deferred and self._deferred[0][0] <= time.monotonic():
                    return self._deferred.popleft()[1]
                if self._polling >= len(self._deferred):
                    return None
                self._polling += 1
            self._stopped.wait(_POLL * _random.uniform(0.5, 1.0))
            with self._lock:
                self._polling -= 1
        return None

    def _resolve(self, index: int) -> Outcome | None:
        """Look in the store, then call the judge; None if the prompt is deferred, or the run has ended."""
        prompt = self._prompts[index]
        claim = self._pool.store.claim(prompt, self._pool.timeout + _CLAIM_MARGIN)
        if isinstance(claim, dict):
            return Outcome(claim, "", 0.0, cached=True)
        if claim == "theirs":
            with self._lock:
                self._deferred.append((time.monotonic() + _POLL, index))
            return None
        outcome = self._judge(prompt)
        if outcome is None or outcome.judgment is None:
            self._pool.store.release(prompt)
        return outcome

    def _judge(self, prompt: str) -> Outcome | None:
        """Judge one prompt, with retries; None if the run ends before it is judged."""
        spent: list[float | None] = []
        votes: dict[str, Any] = {}
        tries = refusals = 0
        while True:
            if self._given_up:
                return Outcome(None, self._given_up, total_cost(spent))
            successes = self._successes
            reply = self._ask(prompt, spent, votes)
            if reply is None:
                return None
            if reply.judgment is not None:
                with self._lock:
                    self._verified, self._failures = True, 0
                    self._successes += 1
                votes = add_votes(votes, reply.judgment)
                if self._missing(votes) <= 0:
                    self._pool.store.put(prompt, votes)
                    return Outcome(votes, "", total_cost(spent))
                tries += bool(reply.judgment["invalid"])
                if tries <= self._pool.max_retries:
                    continue
                reply = reply._replace(kind="refused", why="the judge answered neither Yes nor No")
            if self._ends_the_run(reply, tries, spent):
                return None
            refusals += 1
            others_succeed = self._successes > successes and refusals <= _RATE_LIMIT_FACTOR * self._pool.max_retries
            tries += not (reply.kind == "limited" and others_succeed)
            if reply.kind in {"refused", "suspect"} or tries > self._pool.max_retries:
                self._count_failure(reply, spent)
                return None if self._stopped.is_set() and self._reason else Outcome(None, reply.why, total_cost(spent))
            if reply.kind != "limited" and self._stopped.wait(
                min(_FIRST_WAIT * 2**tries / 2, _LONGEST_WAIT) * _random.uniform(0.5, 1.0)
            ):
                return None

    def _ends_the_run(self, reply: Reply, tries: int, spent: list[float | None]) -> bool:
        """Stop the run for an error that affects all prompts; before the first success, probe the judge to find out."""
        if reply.kind == "fatal" or (reply.kind == "unreachable" and not self._verified):
            self._halt(reply.why)
        elif not self._verified and (
            reply.kind == "suspect" or (reply.kind == "broken" and tries + 1 >= _UNVERIFIED_TRIES)
        ):
            self._probe(spent)
        return bool(self._reason)

    def _count_failure(self, reply: Reply, spent: list[float | None]) -> None:
        """After many consecutive failures, probe whether the prompts or the server is the cause."""
        if self._verified and reply.kind == "refused":
            return
        with self._probing:
            with self._lock:
                self._failures += 1
                limit = _FAILURES_BEFORE_PROBE if self._verified else _UNVERIFIED_FAILURES_BEFORE_PROBE
                if self._failures < limit or self._given_up:
                    return
                self._failures = 0
            self._probe(spent)

    def _probe(self, spent: list[float | None]) -> None:
        """Send a harmless prompt: an answer means that the judge works; a failure ends the run."""
        reply = self._ask(self._pool.probe, spent, {})
        if reply is None:
            return
        if reply.kind == "answer":
            self._verified = True
        elif reply.kind in {"suspect", "fatal", "refused"} or (
            not self._verified and reply.kind in {"broken", "unreachable"}
        ):
            self._halt(reply.why)
        elif reply.kind != "limited":
            self._given_up = f"not asked: many in a row had failed, and so did a harmless question ({reply.why})"

    def _missing(self, votes: Mapping[str, Any]) -> int:
        """Return the number of missing votes; at most 0 for a judge with log-probabilities."""
        counted: int = votes.get("yes", 0) + votes.get("no", 0)
        return self._pool.samples - counted

    def _ask(self, prompt: str, spent: list[float | None], votes: Mapping[str, Any]) -> Reply | None:
        """Make one call as soon as pace and budget allow; None if the run ends before it starts."""
        pool = self._pool
        reserved = None
        if pool.meter is not None:
            reserved = pool.budget.reserve(pool.meter, prompt, self._stopped)
            if reserved is None:
                if not self._stopped.is_set():
                    self._halt(f"the next call could exceed max_cost={pool.budget.limit}")
                return None
        started = pool.pace.enter(self._stopped)
        cost: float | None = 0.0
        reply = Reply("retry")
        try:
            if started is None:
                return None
            reply = pool.ask(prompt, self._missing(votes))
            cost = 0.0 if reply.billed != "yes" else pool.price(reply)
            spent.append(cost)
        finally:
            if started is not None:
                tokens = 0 if reply.usage is None else reply.usage[0] + reply.usage[2]
                refused = reply.kind == "limited"
                pool.pace.leave(started, refused=refused, wait=reply.wait, headers=reply.headers, tokens=tokens)
            if reserved is not None and pool.meter is not None:
                # An answer that never arrived may have been billed; the budget, unlike the cost, assumes that it was.
                known = None if reply.billed == "unknown" else cost
                pool.budget.reconcile(reserved, pool.meter, prompt, known, reply.usage)
        return reply
