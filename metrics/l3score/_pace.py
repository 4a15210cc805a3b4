"""Pacing of calls: one rate for all threads, adapted to rate-limit errors and headers."""

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from collections.abc import Mapping

from ._replies import duration

# Initial calls per second, and the number of round trips in which the rate doubles until the first refusal. A gradual
# start finds the server's limit with a few refusals rather than one for every call in flight.
_FIRST_RATE, _ROUND_TRIPS_TO_DOUBLE = 64.0, 2.0
_UNLIMITED = 5000.0
# After a refusal the rate is cut, at most once per round trip, and then grows by this share per second.
_CUT, _LATER_CUT, _GROWTH, _FASTEST_GROWTH = 0.5, 0.8, 0.04, 0.5
# A refusal this many seconds after the previous one indicates that the rate is nearly right.
_STEADY = 3.0
_MIN_RATE = 1 / 60
# An overloaded server refuses calls at any rate, which must not reduce the rate to nothing. So the rate is cut again
# only after this many answers, and by less if fewer than this share of them were refusals.
_ANSWERS_BETWEEN_CUTS, _FEW_REFUSALS, _CUT_FOR_FEW = 6, 0.05, 0.95
# The window in seconds for measuring the rate of accepted calls.
_WINDOW = 1.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 16.0
# Seconds of a round trip before any is measured, and the weight of each new value in moving averages.
_FIRST_ROUND_TRIP, _SMOOTHING = 0.2, 0.2
# Shorter pauses are not shown.
_SHOWN_PAUSE = 0.5
_ALLOWANCE_FIELDS = ("limit", "remaining", "reset")
# A separate generator, so that the user's random state is unchanged.
_random = random.Random()  # noqa: S311  # not for cryptography


class Pace:
    """A thread-safe rate limiter for calls to one server."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._turnstile = threading.Lock()
        self._lock = threading.Lock()
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

    def enter(self, stopped: threading.Event) -> float | None:
        """Wait for the next start.

        Returns:
            The start time, to be passed to `leave`; None if the run was stopped.
        """
        # Only one thread waits for the time; all others wait for the lock, so that none wakes up needlessly.
        with self._turnstile:
            while True:
                if stopped.is_set():
                    return None
                with self._lock:
                    now = self._clock()
                    due = max(self._next, self._not_before)
                    if now >= due:
                        self._next = max(self._next, now - 0.01) + 1 / self._rate if self._rate < _UNLIMITED else now
                        self._in_flight += 1
                        return now
                stopped.wait(min(due - now, 0.5))

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
        with self._lock:
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
                self._tokens_per_call += (tokens - self._tokens_per_call) * (
                    _SMOOTHING if self._tokens_per_call else 1.0
                )
            self._speed_up(now)
            self._read_allowance(headers)

    def waiting(self) -> str:
        """Return the current rate limit for the progress bar; empty if there is none."""
        with self._lock:
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

    def _read_allowance(self, headers: Mapping[str, str]) -> None:
        """Reduce the rate to the refill rate before the allowance is used up."""
        for refill, left in self._allowances(headers):
            if left < 2 * self._in_flight + 2 and refill < self._rate:
                self._rate, self._limited = max(refill, _MIN_RATE), True

    def _allowances(self, headers: Mapping[str, str]) -> list[tuple[float, float]]:
        """Return (refill rate in calls per second, remaining calls), for requests and tokens, if in the headers."""
        found = []
        for resource, per_call in (("requests", 1.0), ("tokens", self._tokens_per_call)):
            limit, left, reset = (
                duration(headers.get(f"x-ratelimit-{name}-{resource}", "")) for name in _ALLOWANCE_FIELDS
            )
            if limit and left is not None and reset and left < limit and per_call:
                found.append(((limit - left) / reset / per_call, left / per_call))
        return found
