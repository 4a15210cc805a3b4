"""Concurrent calls to remote judges: pace, budget, retries; every judgment is stored as soon as it arrives.

Each call of the metric has an event loop in a thread of its own, so that scripts, notebooks and running event loops can
all wait for it. What runs on the loop needs no locks.
"""

import asyncio
import contextlib
import math
import random
import signal
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import wait
from dataclasses import dataclass
from typing import Any, TypeVar

from answer_metrics.core.messages import warn
from answer_metrics.judge.client import NO_VERDICT, Reply, duration
from answer_metrics.judge.judges import BYTES_PER_TOKEN, Outcome, RemoteJudge
from answer_metrics.judge.options import JudgeOptions
from answer_metrics.judge.registry import Price, Usage
from answer_metrics.judge.store import Busy

# A separate generator, so that the user's random state is unchanged.
_random = random.Random()  # not for cryptography
_Result = TypeVar("_Result")


class JudgeError(RuntimeError):
    """Judging failed; judgments that succeeded are stored. The message never contains a key."""

    def __init__(self, message: str, spent: float | None = None) -> None:
        super().__init__(message)
        self.spent = spent  # upper bound of the dollars billed; None if the price is unknown


def recovery_hint(options: JudgeOptions) -> str:
    """Return the end of error messages: what became of judgments that arrived before the error."""
    stored = "What arrived is stored: the next run asks and pays only for the rest."
    return stored if options.use_cache else "What arrived is lost, as use_cache=False."


def _add_votes(votes: Mapping[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Add the answers of one call to those of earlier ones."""
    if not votes:
        return more
    used = [votes["usage"], more["usage"]]
    usage = None if None in used else [sum(counts) for counts in zip(*used, strict=True)]
    counts = {name: votes[name] + more[name] for name in ("yes", "no", "invalid", "cut")}
    return {**more, **counts, "usage": usage}


async def _wait(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, at most some seconds; return whether it is set."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


# ---- pace

# Calls per second at first. Until a limit is met, each accepted call raises the rate, by more the more there were, so
# that a few calls meet a low limit rather than all that may be in flight.
_FIRST_RATE, _TRUST = 64.0, 16
# Afterwards it grows with each accepted call, twice as much after `_STEADY` seconds without a refusal.
_GROWTH, _STEADY = 0.04, 10.0
# An overloaded server refuses calls at any rate: below this, pauses do the work.
_MIN_RATE = 1.0
_CALLS_BETWEEN_CUTS = 3
_MEASURABLE = 0.25  # the shortest time in seconds in which accepted calls show a rate
_FIRST_PAUSE, _LONGEST_PAUSE, _SHOWN_PAUSE = 0.5, 16.0, 1.0
_SMOOTHING = 0.2  # the weight of each new value in a moving average


class Pace:
    """A rate limiter for the calls to one model: a refusal halves the rate, which then grows slowly."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock  # the time in seconds
        self._turnstile = asyncio.Lock()  # held by the call that starts next
        self._next = -math.inf  # when it may start
        self._rate = _FIRST_RATE  # calls per second
        self._limited = False  # whether a limit was met
        self._cut_at = clock()  # when the rate was cut
        self._accepted = 0  # calls accepted since then
        self._pause = _FIRST_PAUSE  # seconds to wait after the next refusal that does not say how long
        self._in_flight = 0  # calls that have started and not ended
        self._tokens_per_call = 0.0  # moving average; 0 until a call has reported them

    async def enter(self, stopped: asyncio.Event) -> float | None:
        """Wait for the next start; return its time, or None if the run was stopped."""
        # Only one call waits for the time; all others wait for the lock, so that none wakes up needlessly.
        async with self._turnstile:
            while not stopped.is_set():
                now = self._clock()
                if now >= self._next:
                    self._next = max(self._next, now - 0.01) + 1 / self._rate
                    self._in_flight += 1
                    return now
                await _wait(stopped, min(self._next - now, 0.5))
        return None

    def leave(self, started: float, reply: Reply) -> None:
        """Report how the call ended that `enter` started."""
        self._in_flight -= 1
        now, wait = self._clock(), reply.wait
        if reply.kind != "limited":
            self._accepted += 1
            self._pause = max(self._pause / 2, _FIRST_PAUSE)
            steady = (now - self._cut_at) / _STEADY
            self._rate += _GROWTH * (1 + steady) if self._limited else 1 + (self._accepted / _TRUST) ** 2
        elif started > self._cut_at:  # else it was in flight when the rate was cut
            if wait is None:
                wait, self._pause = self._pause, min(2 * self._pause, _LONGEST_PAUSE)
            if not self._limited and self._accepted:
                # So far the number of calls in flight was the limit: what the server accepted shows its rate.
                self._rate = min(self._rate, self._accepted / max(now - self._cut_at, _MEASURABLE))
            if not self._limited or self._accepted >= _CALLS_BETWEEN_CUTS:  # fewer do not show that it is too high
                self._rate = max(self._rate / 2, min(self._rate, _MIN_RATE))
                self._limited, self._cut_at, self._accepted = True, now, 0
        if wait is not None:
            self._next = max(self._next, now + wait * _random.uniform(1.0, 1.1))
        if reply.usage is not None:
            tokens, weight = reply.usage[0] + reply.usage[2], _SMOOTHING if self._tokens_per_call else 1.0
            self._tokens_per_call += (tokens - self._tokens_per_call) * weight
        # Reduce the rate to the refill rate before the allowance is used up.
        for refill, left in self._allowances(reply.headers):
            if left < 2 * self._in_flight + 2 and refill < self._rate:
                self._rate, self._limited = refill, True

    def waiting(self) -> str:
        """Return the current rate limit for the progress bar; empty if there is none."""
        pause = self._next - self._clock()
        if pause > _SHOWN_PAUSE:
            return f"rate limit: waiting {pause:.0f} s"
        return f"rate limit: {self._rate:.1f} calls/s" if self._limited else ""

    def _allowances(self, headers: Mapping[str, str]) -> Iterator[tuple[float, float]]:
        """Yield (refill rate in calls per second, remaining calls), for requests and tokens, if in the headers."""
        for resource, per_call in (("requests", 1.0), ("tokens", self._tokens_per_call)):
            limit, left, reset = (
                duration(headers.get(f"x-ratelimit-{name}-{resource}", "")) for name in ("limit", "remaining", "reset")
            )
            if limit and left is not None and reset and left < limit and per_call:
                yield (limit - left) / reset / per_call, left / per_call


# ---- budget

# A call reserves this many times what calls like it have cost, and more while there have been few.
_RESERVE, _RESERVE_AT_FIRST = 2.0, 20.0


@dataclass(kw_only=True, eq=False)
class Meter:
    """What the calls of a run cost, and are expected to cost from the tokens that earlier ones have used."""

    price: Price | None  # None if it is unknown
    listed: bool  # whether the price holds for the default service tier only
    output: float  # mean output tokens of a call; at first those expected
    _calls: int = 0  # that have reported their tokens
    _added: float = 0.0  # mean input tokens of a call beyond those of its prompt: a template, a system prompt

    def cost(self, reply: Reply) -> float | None:
        """Return the dollars of a call; None if they are unknown."""
        if reply.billed == "no":
            return 0.0
        if self.price is None or reply.usage is None or (self.listed and not reply.priced):
            return None
        return self.price(reply.usage)

    def estimate(self, prompt: str) -> tuple[float, float]:
        """Return the dollars that a call is expected to cost, and those to reserve for it."""
        if self.price is None:
            return 0.0, 0.0
        read = max(len(prompt.encode()) / BYTES_PER_TOKEN + self._added, 0.0)
        expected = self.price((math.ceil(read), 0, math.ceil(self.output)))
        return expected, expected * (_RESERVE + _RESERVE_AT_FIRST / max(self._calls, 1))

    def learn(self, prompt: str, usage: Usage) -> None:
        """Add a call to the means."""
        self._calls += 1
        self._added += (usage[0] - len(prompt.encode()) / BYTES_PER_TOKEN - self._added) / self._calls
        self.output += (usage[2] - self.output) / self._calls


class Budget:
    """A dollar budget, shared by the judges of a panel: every call reserves dollars before it starts."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.spent = 0.0  # dollars that were billed for certain
        self._lost = 0.0  # dollars that were reserved for calls whose answer never arrived
        self._reserved: list[float] = []  # dollars for each call in flight
        self._settled = asyncio.Event()  # set when a call ends
        self._turnstile = asyncio.Lock()  # held by the call that reserves next

    @property
    def max_billed(self) -> float:
        """Upper bound of the dollars billed, including calls whose answer never arrived."""
        return math.fsum([self.spent, self._lost, *self._reserved])

    async def reserve(self, meter: Meter, prompt: str, stopped: asyncio.Event) -> float | None:
        """Reserve dollars for one call, perhaps after calls in flight; None if they do not suffice, or it stopped."""
        async with self._turnstile:  # only one call waits for the dollars, as in `Pace.enter`
            while not stopped.is_set():
                expected, dollars = meter.estimate(prompt)
                left = self.limit - self.max_billed
                # A call alone may use up the rest. A sum of many floats may be off in the last digits.
                if dollars > left and not self._reserved and expected <= left * (1 + 1e-9):
                    dollars = left
                if dollars <= left:
                    self._reserved.append(dollars)
                    return dollars
                if not self._reserved:
                    return None
                self._settled.clear()
                await _wait(self._settled, 0.5)  # a stop is not announced
        return None

    def settle(self, dollars: float, cost: float | None) -> float:
        """Replace a reservation by the cost of the call; if that is unknown, all may be billed, which is returned."""
        self._reserved.remove(dollars)
        self._settled.set()
        lost = dollars if cost is None else 0.0
        self.spent += cost or 0.0
        self._lost += lost
        return lost


# ---- one run

_FIRST_WAIT, _LAST_WAIT = 0.5, 16.0
# Failures in a row after which a harmless question shows whether the prompts or the judge is the cause: before the
# judge has answered, and later.
_DOUBT_AT_FIRST, _DOUBT = 1, 24
_FIRST_TRIES = 3  # attempts at a judge that has not answered yet
# The most calls for one prompt besides those for its votes, as a multiple of `max_retries + 1`: rate limits use up no
# retries while others succeed.
_PATIENCE = 10
# Seconds of refusals without any answer, including the wait that the server asks for, after which a run ends.
_LIMIT_LIFTS = 150.0
_GRACE = 5.0  # seconds to wait for calls in flight at the end of a run
# Seconds between checks of a prompt that another process is judging, and between updates of the progress bar.
_POLL, _REFRESH = 0.05, 0.2
# Seconds by which a claim outlasts one call, which may wait for a rate limit. Claims of dead processes end immediately.
_CLAIM_MARGIN = 300.0


class Run:
    """The calls for the missing prompts of one judge: a failure of one is its outcome, a failure of all ends the run.

    Until the judge has answered, only one call is in flight, so that a wrong key, a dead address or a model without
    log-probabilities costs only a call or two. Then and later, a harmless question tells a bad prompt from a bad judge.
    """

    def __init__(self, judge: RemoteJudge, pace: Pace, budget: Budget) -> None:
        self.judge, self._store, self._options = judge, judge.store, judge.options
        self._client = judge.connect()
        self.pace = pace  # shared by the judges of a panel that ask the same model
        self._budget = budget  # shared by the judges of a panel
        self.meter = Meter(price=judge.price, listed=judge.options.price is None, output=judge.output_tokens)
        self.outcomes: dict[str, Outcome] = {}  # by prompt
        self.reason = ""  # why the run ended early
        self._is_partial = False  # whether it did since the judge stopped answering; what was judged before is a result
        self.answers = 0  # calls that brought a judgment
        self._stopped = asyncio.Event()  # set when no call may start any more
        # Prompts that no worker has taken, or that another process is judging. Shuffled, so that processes that start
        # together judge different prompts.
        self._left = deque(_random.sample([*judge.missing], len(judge.missing)))
        self._failed_in_a_row = 0  # prompts since the last of them
        self._refused_since: float | None = None  # when rate limits began that no answer has ended
        self._doubting = asyncio.Lock()  # held while a harmless question is asked

    async def go_on(self) -> None:
        """Judge all other prompts, then close the client and the store."""
        try:
            await asyncio.gather(*(self.work() for _ in range(min(self._options.max_concurrency, len(self._left)))))
        finally:
            await self._client.close()
            await self._in_store(self._store.close)

    def stop(self, reason: str = "", *, is_partial: bool = False) -> None:
        """Start no more calls."""
        if not self.reason:
            self.reason, self._is_partial = reason, is_partial
        self._stopped.set()

    def finish(self) -> None:
        """Give the judge its outcomes, and if the run ended early the error: why, how far it came, what it cost."""
        judge, outcomes = self.judge, dict(self.outcomes)
        if judge.price is not None and any(outcome.cost is None for outcome in outcomes.values()):
            warn("l3score: Cost is None: the server did not always report the billed tokens, or billed another tier")
        if changes := self._client.changes():
            warn(f"l3score: {self._client.host} did not accept the request as it is, only {', '.join(changes)}")
        if self.reason:
            arrived = sum(outcome.judgment is not None for outcome in outcomes.values())
            billed = self._budget.max_billed if judge.price else None
            spent = f" for ${billed:.4f}" if billed is not None else ""
            how_far = f"{arrived} of the {len(judge.missing)} missing judgments arrived{spent}"
            message = f"Judging stopped: {self.reason}. {how_far}. {recovery_hint(self._options)}"
            judge.error, judge.is_partial = JudgeError(message, billed), self._is_partial
        why = f"not asked: {self.reason}" if self._is_partial else str(judge.error)
        judge.outcomes |= {text: Outcome(None, why) for text in judge.missing} | outcomes

    async def work(self, *, until_answered: bool = False) -> None:
        """Judge one prompt after the other: all, or until the judge has answered or is known not to."""
        try:
            while self._left and not (self._stopped.is_set() or (until_answered and self.answers)):
                prompt = self._left.popleft()
                outcome = await self._resolve(prompt)
                if outcome is not None:
                    self.outcomes[prompt] = outcome
        except Exception as error:  # a worker that dies silently would leave its prompt unjudged
            self.stop(f"{type(error).__name__} in a judging task, a bug in this metric")

    async def _in_store(self, action: Callable[..., _Result], *arguments: Any) -> _Result:
        """Use the store; while another process has locked it, other calls go on."""
        while True:
            try:
                return action(*arguments)
            except Busy:
                await asyncio.sleep(_POLL * _random.random())

    async def _resolve(self, prompt: str) -> Outcome | None:
        """Look in the store, then call the judge; None if another process is doing so, or the prompt was not asked."""
        claim = await self._in_store(self._store.claim, prompt, self._options.request_timeout + _CLAIM_MARGIN)
        if isinstance(claim, dict):
            return Outcome(claim, paid=True)
        if claim == "theirs":
            await _wait(self._stopped, _POLL * _random.uniform(0.5, 1.0))
            self._left.append(prompt)
            return None
        outcome = await self._ask_repeatedly(prompt)
        if outcome is None or outcome.judgment is None:
            await self._in_store(self._store.release, prompt)
        return outcome

    async def _ask_repeatedly(self, prompt: str) -> Outcome | None:
        """Judge one prompt, with retries; None if the run ends before it is asked."""
        outcome, votes, failures = Outcome(), dict[str, Any](), 0
        answers_before, most = self.answers, self._options.max_retries
        for _ in range(_PATIENCE * (most + 1) + self._options.samples):
            answers = self.answers
            reply = await self._ask(prompt, outcome, self._missing(votes))
            if reply is None:
                break
            if reply.judgment is not None:
                votes = _add_votes(votes, reply.judgment)
                if self._missing(votes) <= 0 and ("top" in votes or votes["yes"] or votes["no"]):
                    await self._in_store(self._store.put, prompt, votes)
                    outcome.judgment, outcome.why = votes, ""
                    return outcome
                failures += reply.judgment["invalid"] > reply.judgment["cut"]
                if self._missing(votes) > 0:
                    reply = reply._replace(kind="answer", why=reply.why or NO_VERDICT)
            else:
                failures += not (reply.kind == "limited" and self.answers > answers)
            outcome.why = reply.why
            is_tried = self.answers or reply.kind == "limited"
            if reply.kind == "refused" or failures > (most if is_tried else min(most, _FIRST_TRIES - 1)):
                alone = reply.kind != "refused" and self.answers == answers_before
                if not await self._doubt(reply, outcome, alone=alone):
                    return outcome
                votes, failures = votes if self._missing(votes) > 0 else {}, 0
            pause = min(_FIRST_WAIT * 2**failures / 2, _LAST_WAIT) * _random.uniform(0.5, 1.0)
            if reply.kind in {"retry", "unreachable"} and await _wait(self._stopped, pause):
                break
        return outcome if outcome.why and (self._is_partial or not self.reason) else None

    def _missing(self, votes: Mapping[str, Any]) -> int:
        """Return the number of missing votes; at most 0 for a judge with log-probabilities."""
        # Answers that the limit on tokens cut off count as given: the next ones would be cut off, too.
        counted: int = sum(votes.get(name, 0) for name in ("yes", "no", "cut"))
        return (self._options.samples if self._options.scoring == "votes" else 0) - counted

    async def _doubt(self, reply: Reply, outcome: Outcome, *, alone: bool) -> bool:
        """After a failure that may be the judge's, ask a harmless question; return whether a limit has lifted since."""
        # `alone`: the prompt used up its tries, and nothing else was answered meanwhile.
        before = self.answers
        async with self._doubting:
            self._failed_in_a_row += 1
            doubtful = self._failed_in_a_row >= (_DOUBT if self.answers else _DOUBT_AT_FIRST)
            if self._stopped.is_set() or not (doubtful or (alone and self.answers == before)):
                return False
            self._failed_in_a_row, has_waited = 0, False
            question = self.judge.prompt.fill("What is the capital of France?", "Paris", "Paris")
            harmless = await self._ask(question, outcome, self._missing({}))
            while harmless is not None and harmless.kind == "limited":  # at most until the limit should have lifted
                has_waited = True
                harmless = await self._ask(question, outcome, self._missing({}))
            if harmless is None or harmless.kind == "answer":
                return has_waited
            if self.answers:
                self.stop(f"a prompt failed, and so did a harmless question ({harmless.why})", is_partial=True)
            else:
                advice = ". Check base_url=" if harmless.kind == "retry" else ""
                self.stop((reply if reply.kind == harmless.kind else harmless).why + advice)
            return False

    async def _ask(self, prompt: str, outcome: Outcome, samples: int) -> Reply | None:
        """Make one call as soon as budget and pace allow, and add its cost; None if the run ends before it starts."""
        reserved = await self._budget.reserve(self.meter, prompt, self._stopped)
        if reserved is None:
            if not self._stopped.is_set():
                self.stop(f"the next call could exceed max_cost={self._budget.limit}")
            return None
        cost: float | None = 0.0
        try:
            started = await self.pace.enter(self._stopped)
            if started is None:
                return None
            cost = None
            reply = await self._client.ask(prompt, samples)
            cost = self.meter.cost(reply)
        finally:  # a call that ends in an exception may be billed
            lost = self._budget.settle(reserved, cost)
        self.pace.leave(started, reply)
        if reply.usage is not None:
            self.meter.learn(prompt, reply.usage)
        outcome.lost += lost
        if reply.billed != "unknown":  # then it may have been billed, which the budget, unlike the cost, assumes
            outcome.cost = None if cost is None or outcome.cost is None else outcome.cost + cost
        # The conclusions for the whole run.
        if reply.kind == "answer":
            self.answers += 1
            self._failed_in_a_row, self._refused_since = 0, None
        elif reply.kind == "fatal" or (reply.kind == "unreachable" and not self.answers):
            self.stop(reply.why)
        elif reply.kind == "limited":
            self._refused_since = self._refused_since or started
            refused_for = time.monotonic() - self._refused_since
            if refused_for + (reply.wait or 0.0) > _LIMIT_LIFTS:
                why = f"for {refused_for:.0f} seconds the server only refused calls: {reply.why}"
                self.stop(why, is_partial=True)
        return reply


# ---- from synchronous code


@contextlib.contextmanager
def _exit_on_sigterm() -> Iterator[None]:
    """Make SIGTERM end a run like Ctrl-C, so that calls in flight are still stored, unless the caller handles it."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def ask_judges(judges: Sequence[RemoteJudge], max_cost: float | None, bar: Any) -> None:
    """Ask judges about their missing prompts side by side, with a progress bar like tqdm's, and add the outcomes."""
    if not judges:
        return
    budget, paces = Budget(math.inf if max_cost is None else max_cost), defaultdict[tuple[str, str], Pace](Pace)
    runs = [Run(judge, paces[judge.address, judge.model], budget) for judge in judges]
    loop = asyncio.new_event_loop()

    def show() -> None:
        spent = f"${budget.spent:.4f}" if all(judge.price for judge in judges) else "cost unknown"
        waiting = dict.fromkeys(run.pace.waiting() for run in runs)
        bar.set_postfix_str(", ".join(filter(None, [spent, *waiting])), refresh=False)
        bar.n = sum(len(run.outcomes) for run in runs)
        bar.update(0)

    async def carry_out() -> None:
        await asyncio.gather(*(run.work(until_answered=True) for run in runs))
        if any(run.reason and not run.answers for run in runs):
            for run in runs:
                run.stop("another judge of the panel failed before it answered")
        await asyncio.gather(*(run.go_on() for run in runs))

    def run_loop() -> None:
        loop.run_forever()
        loop.close()

    with _exit_on_sigterm():
        threading.Thread(target=run_loop, name="l3score", daemon=True).start()
        future = asyncio.run_coroutine_threadsafe(carry_out(), loop)
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(loop.stop))
        try:
            while not wait([future], _REFRESH).done and not all(run.reason for run in runs):
                show()
        except BaseException:  # Ctrl-C, SIGTERM: what is in flight is stored if it arrives in time
            for run in runs:
                loop.call_soon_threadsafe(run.stop)
            wait([future], _GRACE)
            raise
        if wait([future], _GRACE).done:
            future.result()  # an error is one of this metric
    show()
    for run in runs:
        run.finish()
