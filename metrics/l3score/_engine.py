"""Concurrent judging on one event loop: pace, budget, retries; every judgment is stored as soon as it arrives.

The loop runs in a thread of its own, one per process, so that scripts, notebooks and running event loops can all wait
for it. What runs on the loop needs no locks.
"""

import asyncio
import contextlib
import itertools
import math
import os
import random
import re
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from ._client import Client, Reply
from ._registry import Price, Usage
from ._store import Busy, Store

# A separate generator, so that the user's random state is unchanged.
_random = random.Random()  # noqa: S311  # not for cryptography
_Result = TypeVar("_Result")


class JudgeError(RuntimeError):
    """Judging failed; judgments that succeeded are stored. The message never contains a key.

    Attributes:
        spent: Upper bound of the dollars billed; None if the price is unknown.
    """

    def __init__(self, message: str, spent: float | None = None) -> None:
        super().__init__(message)
        self.spent = spent


class Outcome(NamedTuple):
    """The outcome of one prompt.

    Attributes:
        judgment: The judgment; None if it failed.
        why: The reason of the failure.
        cost: Dollars spent, including failed attempts; None if unknown.
        cached: Whether the judgment was already stored.
    """

    judgment: dict[str, Any] | None
    why: str
    cost: float | None
    cached: bool = False


def total_cost(costs: Sequence[float | None]) -> float | None:
    """Return the sum of the costs; None if any is unknown."""
    return None if None in costs else math.fsum(cost or 0.0 for cost in costs)


def _add_votes(votes: Mapping[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Add the answers of one call to those of earlier ones; a judgment by log-probabilities is unchanged."""
    if not votes or "yes" not in more:
        return more
    used = [votes["usage"], more["usage"]]
    usage = None if None in used else [sum(counts) for counts in zip(*used, strict=True)]
    counts = {name: votes[name] + more[name] for name in ("yes", "no", "invalid")}
    return {**more, **counts, "usage": usage}


async def _wait(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, at most for a time; return whether it is set."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


# ---- pace

# Calls per second at first, and the number of round trips in which the rate doubles until the first refusal: a gradual
# start finds the server's limit with a few refusals rather than one for every call in flight.
_FIRST_RATE, _ROUND_TRIPS_TO_DOUBLE = 64.0, 2.0
_MIN_RATE, _UNLIMITED = 1 / 60, 5000.0
# After a refusal the rate is cut, by less if the last cut was `_STEADY` seconds ago; then it grows by a share a second.
_CUT, _LATER_CUT, _STEADY, _GROWTH, _FASTEST_GROWTH = 0.5, 0.8, 3.0, 0.04, 0.5
# An overloaded server refuses calls at any rate, which must not reduce the rate to nothing. So the rate is cut again
# only after this many answers, and by less if fewer than this share of them were refusals.
_ANSWERS_BETWEEN_CUTS, _FEW_REFUSALS, _CUT_FOR_FEW = 6, 0.05, 0.95
# The window in seconds for measuring the rate of accepted calls.
_WINDOW = 1.0
_FIRST_PAUSE, _LONGEST_PAUSE, _SHOWN_PAUSE = 0.5, 16.0, 0.5
# Seconds of a round trip before any is measured, and the weight of each new value in moving averages.
_FIRST_ROUND_TRIP, _SMOOTHING = 0.2, 0.2
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


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


class Pace:
    """A rate limiter for calls to one server: one rate for all, adapted to rate-limit errors and headers."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._turnstile = asyncio.Lock()
        self._limited = False
        self._rate = _FIRST_RATE
        self._grown = clock()
        self._next = self._not_before = self._last_cut = self._last_pause = -1.0
        self._round_trip = _FIRST_ROUND_TRIP
        self._refusals_in_a_row = 0
        self._accepted_since_cut = self._refused_since_cut = 0
        self._accepted: deque[float] = deque(maxlen=4096)
        self._in_flight = 0
        self._tokens_per_call = 0.0

    async def enter(self, stopped: asyncio.Event) -> float | None:
        """Wait for the next start; return its time, to be passed to `leave`, or None if the run was stopped."""
        # Only one call waits for the time; all others wait for the lock, so that none wakes up needlessly.
        async with self._turnstile:
            while not stopped.is_set():
                now = self._clock()
                due = max(self._next, self._not_before)
                if now >= due:
                    self._next = max(self._next, now - 0.01) + 1 / self._rate if self._rate < _UNLIMITED else now
                    self._in_flight += 1
                    return now
                await _wait(stopped, min(due - now, 0.5))
        return None

    def leave(
        self, started: float, *, refused: bool, wait: float | None, headers: Mapping[str, str], tokens: int = 0
    ) -> None:
        """Report how a call ended.

        Args:
            started: The return value of `enter`.
            refused: Whether the server refused it because of a rate limit.
            wait: Seconds that the server asks to wait, for any reason.
            headers: The response's header fields.
            tokens: Tokens that the call used.
        """
        now = self._clock()
        self._in_flight -= 1
        if wait is not None:
            self._not_before = max(self._not_before, now + wait * _random.uniform(1.0, 1.1))
        if refused:
            self._slow_down(started, now, wait, headers)
            return
        self._refusals_in_a_row = 0
        self._accepted_since_cut += started > self._last_cut
        self._accepted.append(now)
        self._round_trip += _SMOOTHING * (now - started - self._round_trip)
        if tokens:
            weight = _SMOOTHING if self._tokens_per_call else 1.0
            self._tokens_per_call += (tokens - self._tokens_per_call) * weight
        self._speed_up(now)
        # Reduce the rate to the refill rate before the allowance is used up.
        for refill, left in self._allowances(headers):
            if left < 2 * self._in_flight + 2 and refill < self._rate:
                self._rate, self._limited = max(refill, _MIN_RATE), True

    def waiting(self) -> str:
        """Return the current rate limit for the progress bar; empty if there is none."""
        pause = self._not_before - self._clock()
        if pause > _SHOWN_PAUSE:
            return f"rate limit: waiting {pause:.0f} s"
        return f"rate limit: {self._rate:.1f} calls/s" if self._limited else ""

    def _slow_down(self, started: float, now: float, wait: float | None, headers: Mapping[str, str]) -> None:
        if started <= self._last_cut:
            return  # in flight when the rate was cut
        self._pause(started, now, wait)
        self._refused_since_cut += 1
        answers = self._accepted_since_cut + self._refused_since_cut
        refills = [refill for refill, _ in self._allowances(headers)]
        if self._limited and not refills and self._accepted_since_cut and answers < _ANSWERS_BETWEEN_CUTS:
            return
        cut = _LATER_CUT if self._limited and now - self._last_cut > _STEADY else _CUT
        if self._limited and self._refused_since_cut < _FEW_REFUSALS * answers:
            cut = _CUT_FOR_FEW
        self._accepted_since_cut = self._refused_since_cut = 0
        self._last_cut = self._grown = now
        recent = [time for time in self._accepted if time >= now - _WINDOW]
        measured = len(recent) / max(now - min(recent), self._round_trip) if recent else 0.0
        rate = cut * (min(self._rate, measured) if not self._limited and measured else self._rate)
        if not self._limited and wait is not None and 0 < wait < _WINDOW:
            # A token-bucket server asks to wait until the next call is available.
            rate = max(rate, min(1 / wait, measured))
        self._rate = max(_MIN_RATE, min([rate, *refills]) if self._limited else min(refills or [rate]))
        self._limited = True

    def _pause(self, started: float, now: float, wait: float | None) -> None:
        """Pause all calls, with exponential backoff unless the server gave a time."""
        if started <= self._last_pause:
            return  # in flight when the pause began
        self._last_pause = now
        if wait is None:
            pause = min(_FIRST_PAUSE * 2**self._refusals_in_a_row, _LONGEST_PAUSE) * _random.uniform(0.5, 1.0)
            self._not_before = max(self._not_before, now + pause)
        self._refusals_in_a_row += 1
        self._next = max(self._next, self._not_before)

    def _speed_up(self, now: float) -> None:
        elapsed, self._grown = now - self._grown, now
        if self._limited:
            # Slowly at first, and faster the longer nothing is refused.
            growth = min(_GROWTH * (1 + ((now - self._last_cut) / 10) ** 2), _FASTEST_GROWTH)
            self._rate = min(self._rate * (1 + growth * min(elapsed, 1.0)), _UNLIMITED)
        elif self._rate < _UNLIMITED:
            doublings = min(elapsed / (_ROUND_TRIPS_TO_DOUBLE * max(self._round_trip, 0.001)), 1.0)
            self._rate = min(self._rate * 2**doublings, _UNLIMITED)

    def _allowances(self, headers: Mapping[str, str]) -> list[tuple[float, float]]:
        """Return (refill rate in calls per second, remaining calls), for requests and tokens, if in the headers."""
        found = []
        for resource, per_call in (("requests", 1.0), ("tokens", self._tokens_per_call)):
            limit, left, reset = (
                duration(headers.get(f"x-ratelimit-{name}-{resource}", "")) for name in ("limit", "remaining", "reset")
            )
            if limit and left is not None and reset and left < limit and per_call:
                found.append(((limit - left) / reset / per_call, left / per_call))
        return found


# ---- budget

# Tokens that a chat template adds; the text itself has at most one token per byte.
_TEMPLATE_TOKENS = 64
# Of typical text; tokens beyond that may be a system prompt added by the server.
BYTES_PER_TOKEN = 4
# Hidden tokens that a server may add to any call: a longer system prompt, reasoning.
_HIDDEN_INPUT, _HIDDEN_OUTPUT = 8192, 4096
# The share of the limit that is kept for hidden tokens in the last call.
_MARGIN = 0.05


class Meter:
    """Estimates the cost of a call to one judge from its price and the tokens that it was observed to add.

    Args:
        price: Converts token counts to dollars.
        output: Expected output tokens of a call.
        hidden_output: Maximum output tokens beyond these.
    """

    def __init__(self, price: Price, output: int = 1, hidden_output: int = _HIDDEN_OUTPUT) -> None:
        self._price, self._hidden_output = price, hidden_output
        self._hidden, self._output = _TEMPLATE_TOKENS, output

    def estimate(self, prompt: str) -> tuple[float, float]:
        """Return the maximum dollars for a call as observed so far, and with hidden tokens."""
        read = len(prompt.encode()) + self._hidden
        expected = self._price((read, 0, self._output))
        return expected, self._price((read + _HIDDEN_INPUT, 0, self._output + self._hidden_output))

    def learn(self, prompt: str, usage: Usage) -> None:
        """Update the tokens that the server adds, such as a system prompt or a long answer."""
        self._hidden = max(self._hidden, usage[0] - len(prompt.encode()) // BYTES_PER_TOKEN)
        self._output = max(self._output, usage[2])


class Budget:
    """A dollar budget, shared by the judges of a panel: every call reserves its maximum cost before it starts.

    Args:
        limit: The limit; infinite to only keep count.
    """

    def __init__(self, limit: float = math.inf) -> None:
        self.limit = limit
        self.spent = 0.0
        """Dollars that were billed for certain."""
        self._lost = 0.0
        self._change = asyncio.Condition()
        self._in_flight: dict[int, tuple[float, float]] = {}
        self._numbers = itertools.count()
        self._calibrated = False

    @property
    def max_billed(self) -> float:
        """Upper bound of the dollars billed, including calls whose answer never arrived."""
        in_flight = [expected for expected, _ in list(self._in_flight.values())]
        return math.fsum([self.spent, self._lost, *in_flight])

    async def reserve(self, meter: Meter, prompt: str, stopped: asyncio.Event) -> int | None:
        """Reserve dollars for one call; wait for calls in flight if necessary.

        Calls run concurrently as long as the worst-case costs fit the limit; near the limit they run one at a time,
        as they do until one call has shown how many tokens the server adds.

        Returns:
            The number of the reservation; None if the budget does not suffice, or the run was stopped.
        """
        number = next(self._numbers)
        if math.isinf(self.limit):
            return number
        async with self._change:
            while not stopped.is_set():
                expected, worst = meter.estimate(prompt)
                left = self.limit - self.spent - self._lost
                all_worst = worst + math.fsum(reserved for _, reserved in self._in_flight.values())
                # Keep a margin for hidden tokens, except for the first call, which has to be made.
                margin = min(worst, _MARGIN * self.limit) if self._calibrated else 0.0
                alone = not self._in_flight and expected + margin <= left
                if alone or (self._calibrated and all_worst <= left):
                    self._in_flight[number] = expected, worst
                    return number
                if not self._in_flight:
                    return None
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._change.wait(), 0.5)  # a stop is not announced
        return None

    async def reconcile(self, number: int, meter: Meter, prompt: str, cost: float | None, usage: Usage | None) -> None:
        """Replace the reservation of a call by its cost, or by its expected cost if the cost is unknown."""
        expected, _ = self._in_flight.pop(number, (0.0, 0.0))
        if cost is None:
            self._lost += expected or meter.estimate(prompt)[0]
        else:
            self.spent += cost
        # An answer without usage, or a lost one, must not keep other calls waiting forever.
        self._calibrated = self._calibrated or usage is not None or cost is None
        if usage is not None:
            meter.learn(prompt, usage)
        async with self._change:
            self._change.notify_all()


# ---- one run

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 16.0
# Consecutive failures after which the server is probed with a harmless prompt.
_FAILURES_BEFORE_PROBE, _UNVERIFIED_FAILURES_BEFORE_PROBE = 24, 3
# Attempts at a judge that has not answered yet and breaks the connection.
_UNVERIFIED_TRIES = 3
# Rate-limited prompts get this many times `max_retries` attempts while other prompts succeed.
_RATE_LIMIT_FACTOR = 10
# Seconds to wait for calls in flight: after Ctrl-C, and after other ends of a run.
_GRACE_INTERRUPTED, _GRACE_STOPPED = 1.0, 5.0
# Seconds between checks of a prompt that another process is judging, and between updates of the progress bar.
_POLL, _REFRESH = 0.05, 0.2
# Seconds by which a claim outlasts one call, which may wait for a rate limit. Claims of dead processes end immediately.
_CLAIM_MARGIN = 300.0


@dataclass(frozen=True, kw_only=True)
class Task:
    """One judge, and how it is asked."""

    client: Client
    store: Store  # closed at the end
    concurrency: int  # maximum number of calls in flight
    max_retries: int
    timeout: float  # seconds of one call
    pace: Pace  # shared by all runs that use the same model
    budget: Budget
    meter: Meter | None  # None if the price is unknown
    price: Callable[[Reply], float | None]  # dollars of a reply
    probe: str  # a prompt that any working judge answers
    samples: int = 0  # answers per judgment by votes; 0 for judgments by log-probabilities
    recovery_hint: str = ""  # the end of error messages: what happens to judgments that arrived before the error


class Run:
    """One run of a judge over many prompts: a failure of one is its outcome, a failure of all ends the run.

    As long as it is not known that the judge works, only one call is in flight, so that a wrong key, a dead address or
    a model without log-probabilities costs only a call or two.

    Args:
        task: The judge.
        prompts: Distinct prompts.
    """

    def __init__(self, task: Task, prompts: Sequence[str]) -> None:
        self._task, self._prompts = task, prompts
        self._verified = task.client.verified
        self.outcomes: dict[int, Outcome] = {}
        self.reason = ""
        """Why the run ended early."""
        self.stopped = asyncio.Event()
        self._probing = asyncio.Lock()
        # Shuffled, so that processes that start together judge different prompts.
        self._fresh: Iterator[int] = iter(_random.sample(range(len(prompts)), len(prompts)))
        self._deferred: deque[tuple[float, int]] = deque()
        self._workers: set[asyncio.Task[None]] = set()
        self._polling = self._failures = self._successes = 0
        self._given_up = ""

    async def main(self) -> None:
        """Judge every prompt, then close the client and the store."""
        try:
            self._grow()
            while self._workers:
                await asyncio.wait(self._workers)
        finally:
            await self._task.client.close()
            await self._in_store(self._task.store.close)

    def stop(self, reason: str = "") -> None:
        """Start no more calls."""
        self.reason = self.reason or reason
        self.stopped.set()

    def _grow(self) -> None:
        """Start the workers: one until the judge has answered, then all."""
        count = min(self._task.concurrency if self._verified else 1, len(self._prompts))
        while len(self._workers) < count and not self.stopped.is_set():
            worker = asyncio.create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    def _verify(self) -> None:
        if not self._verified:
            self._verified = True
            self._grow()

    async def _work(self) -> None:
        try:
            while (index := await self._next()) is not None:
                outcome = await self._resolve(index)
                if outcome is not None:
                    self.outcomes[index] = outcome
        except Exception as error:  # noqa: BLE001  # a worker that dies silently would leave its prompt unjudged
            self.stop(f"{type(error).__name__} in a judging task, a bug in this metric")

    async def _next(self) -> int | None:
        """Return the next prompt: a new one, or one that another process was judging; None if nothing is left."""
        while not self.stopped.is_set():
            index = next(self._fresh, None)
            if index is not None:
                return index
            if self._deferred and self._deferred[0][0] <= time.monotonic():
                return self._deferred.popleft()[1]
            if self._polling >= len(self._deferred):
                return None
            self._polling += 1
            await _wait(self.stopped, _POLL * _random.uniform(0.5, 1.0))
            self._polling -= 1
        return None

    async def _in_store(self, action: Callable[..., _Result], *arguments: Any) -> _Result:
        """Use the store; while another process has locked it, other calls go on."""
        while True:
            try:
                return action(*arguments)
            except Busy:
                await asyncio.sleep(_POLL * _random.random())

    async def _resolve(self, index: int) -> Outcome | None:
        """Look in the store, then call the judge; None if the prompt is deferred, or the run has ended."""
        prompt, store = self._prompts[index], self._task.store
        claim = await self._in_store(store.claim, prompt, self._task.timeout + _CLAIM_MARGIN)
        if isinstance(claim, dict):
            return Outcome(claim, "", 0.0, cached=True)
        if claim == "theirs":
            self._deferred.append((time.monotonic() + _POLL, index))
            return None
        outcome = await self._judge(prompt)
        if outcome is None or outcome.judgment is None:
            await self._in_store(store.release, prompt)
        return outcome

    async def _judge(self, prompt: str) -> Outcome | None:
        """Judge one prompt, with retries; None if the run ends before it is judged."""
        task = self._task
        spent: list[float | None] = []
        votes: dict[str, Any] = {}
        tries = refusals = 0
        while True:
            if self._given_up:
                return Outcome(None, self._given_up, total_cost(spent))
            successes = self._successes
            reply = await self._ask(prompt, spent, votes)
            if reply is None:
                return None
            if reply.judgment is not None:
                self._failures = 0
                self._successes += 1
                self._verify()
                votes = _add_votes(votes, reply.judgment)
                if self._missing(votes) <= 0:
                    await self._in_store(task.store.put, prompt, votes)
                    return Outcome(votes, "", total_cost(spent))
                tries += bool(reply.judgment["invalid"])
                if tries <= task.max_retries:
                    continue
                reply = reply._replace(kind="refused", why="the judge answered neither Yes nor No")
            if await self._ends_the_run(reply, tries, spent):
                return None
            refusals += 1
            others_succeed = self._successes > successes and refusals <= _RATE_LIMIT_FACTOR * task.max_retries
            tries += not (reply.kind == "limited" and others_succeed)
            if reply.kind in {"refused", "suspect"} or tries > task.max_retries:
                await self._count_failure(reply, spent)
                return None if self.reason else Outcome(None, reply.why, total_cost(spent))
            pause = min(_FIRST_WAIT * 2**tries / 2, _LONGEST_WAIT) * _random.uniform(0.5, 1.0)
            if reply.kind != "limited" and await _wait(self.stopped, pause):
                return None

    async def _ends_the_run(self, reply: Reply, tries: int, spent: list[float | None]) -> bool:
        """Stop the run for an error that affects all prompts; before the first success, probe the judge to find out."""
        if reply.kind == "fatal" or (reply.kind == "unreachable" and not self._verified):
            self.stop(reply.why)
        elif not self._verified and (
            reply.kind == "suspect" or (reply.kind == "broken" and tries + 1 >= _UNVERIFIED_TRIES)
        ):
            await self._probe(spent)
        return bool(self.reason)

    async def _count_failure(self, reply: Reply, spent: list[float | None]) -> None:
        """After many consecutive failures, probe whether the prompts or the server is the cause."""
        if self._verified and reply.kind == "refused":
            return
        async with self._probing:
            self._failures += 1
            limit = _FAILURES_BEFORE_PROBE if self._verified else _UNVERIFIED_FAILURES_BEFORE_PROBE
            if self._failures >= limit and not self._given_up:
                self._failures = 0
                await self._probe(spent)

    async def _probe(self, spent: list[float | None]) -> None:
        """Send a harmless prompt: an answer means that the judge works; a failure ends the run."""
        reply = await self._ask(self._task.probe, spent, {})
        if reply is None:
            return
        if reply.kind == "answer":
            self._verify()
        elif reply.kind in {"suspect", "fatal", "refused"} or (
            not self._verified and reply.kind in {"broken", "unreachable"}
        ):
            self.stop(reply.why)
        elif reply.kind != "limited":
            self._given_up = f"not asked: many in a row had failed, and so did a harmless question ({reply.why})"

    def _missing(self, votes: Mapping[str, Any]) -> int:
        """Return the number of missing votes; at most 0 for a judge with log-probabilities."""
        counted: int = votes.get("yes", 0) + votes.get("no", 0)
        return self._task.samples - counted

    async def _ask(self, prompt: str, spent: list[float | None], votes: Mapping[str, Any]) -> Reply | None:
        """Make one call as soon as pace and budget allow; None if the run ends before it starts."""
        task = self._task
        reserved = None
        if task.meter is not None:
            reserved = await task.budget.reserve(task.meter, prompt, self.stopped)
            if reserved is None:
                if not self.stopped.is_set():
                    self.stop(f"the next call could exceed max_cost={task.budget.limit}")
                return None
        started = await task.pace.enter(self.stopped)
        cost: float | None = 0.0
        reply = Reply("retry")
        try:
            if started is None:
                return None
            reply = await task.client.ask(prompt, self._missing(votes))
            cost = 0.0 if reply.billed != "yes" else task.price(reply)
            spent.append(cost)
        finally:
            if started is not None:
                tokens = 0 if reply.usage is None else reply.usage[0] + reply.usage[2]
                refused = reply.kind == "limited"
                task.pace.leave(started, refused=refused, wait=reply.wait, headers=reply.headers, tokens=tokens)
            if reserved is not None and task.meter is not None:
                # An answer that never arrived may have been billed; the budget, unlike the cost, assumes that it was.
                known = None if reply.billed == "unknown" else cost
                await task.budget.reconcile(reserved, task.meter, prompt, known, reply.usage)
        return reply


# ---- from synchronous code

# The loop of this process with its process id, and one pace for all runs that use the same model.
_background: tuple[int, asyncio.AbstractEventLoop] | None = None
_paces: dict[tuple[str, str], Pace] = {}
_starting = threading.Lock()


def background_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of this process, in a daemon thread: one for all callers, in any thread or loop."""
    global _background, _starting  # noqa: PLW0603  # one loop per process
    if _background is not None and _background[0] != os.getpid():
        # A forked process has no such thread, its lock may be held by a thread that does not exist, and the paces
        # belong to the other loop.
        _background, _starting = None, threading.Lock()
        _paces.clear()
    with _starting:
        if _background is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="l3score", daemon=True).start()
            _background = os.getpid(), loop
        return _background[1]


def shared_pace(address: str, model: str) -> Pace:
    """Return the pace of all runs of this process that use the same model."""
    background_loop()
    return _paces.setdefault((address, model), Pace())


@contextlib.contextmanager
def _exit_on_sigterm() -> Iterator[None]:
    """Make SIGTERM end a run like Ctrl-C, so that calls in flight are still stored, unless the caller handles it."""

    def exit_process(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, exit_process)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _finish(future: Any, seconds: float) -> bool:
    """Wait for a run, at most for a time; return whether it has ended."""
    with contextlib.suppress(TimeoutError):
        future.result(seconds)
    return bool(future.done())


def judge_prompts(task: Task, prompts: Sequence[str], bar: Any) -> list[Outcome]:
    """Judge distinct prompts, and wait for the outcomes.

    After Ctrl-C and SIGTERM no call starts; what is in flight is stored when it arrives, some of it after the return.

    Args:
        task: The judge.
        prompts: Distinct prompts.
        bar: A progress bar such as tqdm's.

    Returns:
        One outcome per prompt.

    Raises:
        JudgeError: If the run cannot continue: no key, no quota, no log-probabilities, budget exhausted.
    """
    loop = background_loop()
    run = Run(task, prompts)
    shown = 0

    def show() -> None:
        nonlocal shown
        spent = f"${task.budget.spent:.4f}" if task.meter else "cost unknown"
        waiting = task.pace.waiting()
        bar.set_postfix_str(f"{spent}, {waiting}" if waiting else spent, refresh=False)
        bar.update(len(run.outcomes) - shown)
        shown = len(run.outcomes)

    with _exit_on_sigterm():
        future = None
        try:
            future = asyncio.run_coroutine_threadsafe(run.main(), loop)
            while not _finish(future, _REFRESH) and not run.reason:
                show()
        except BaseException as error:
            loop.call_soon_threadsafe(run.stop)
            if future is not None:
                _finish(future, _GRACE_STOPPED if isinstance(error, SystemExit) else _GRACE_INTERRUPTED)
            raise
        _finish(future, _GRACE_STOPPED)
    show()
    if run.reason:
        arrived = sum(outcome.judgment is not None for outcome in list(run.outcomes.values()))
        billed = task.budget.max_billed if task.meter else None
        spent = f" for ${billed:.4f}" if billed is not None else ""
        raise JudgeError(
            f"Judging stopped: {run.reason}. {arrived} of the {len(prompts)} missing judgments arrived{spent}. "
            f"{task.recovery_hint}",
            billed,
        )
    return [run.outcomes[index] for index in range(len(prompts))]
