"""The pace of calls to a judge, in simulated time: servers that limit a rate, and servers that refuse at any rate."""

import heapq
from collections.abc import Callable
from itertools import count
from typing import NamedTuple

import pytest

from metrics.l3score._pace import Pace

ROUND_TRIP = 0.15
Server = Callable[[float, int], float | None]
"""Maps the time and number of a call to the seconds to wait if it is refused; None if it is accepted."""


class NotDueError(Exception):
    """No call may start before this many seconds have passed."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


class Clock:
    """Simulated time, and an event that is never set and advances the time when waited for."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def is_set(self) -> bool:
        return False

    def wait(self, seconds: float) -> bool:
        raise NotDueError(seconds)


class Run(NamedTuple):
    seconds: float
    calls: int
    refused: int


def simulate(server: Server, accepted: int, in_flight: int) -> Run:
    """Simulate calls until `count` are accepted, with a number of calls in flight."""
    clock = Clock()
    pace = Pace(clock)
    numbers = count(1)
    flying: list[tuple[float, float, float | None]] = []
    left, refused = accepted, 0
    while left:
        end = flying[0][0] if flying else float("inf")
        if len(flying) < min(in_flight, left):
            try:
                start = pace.enter(clock)  # type: ignore[arg-type]  # all that it needs of an event
            except NotDueError as early:
                if clock.now + early.seconds < end:
                    clock.now += early.seconds
                    continue
            else:
                assert start is not None
                heapq.heappush(flying, (start + ROUND_TRIP, start, server(start, next(numbers))))
                continue
        end, start, wait = heapq.heappop(flying)
        clock.now = max(clock.now, end)
        pace.leave(start, refused=wait is not None, wait=wait or None, headers={})
        refused += wait is not None
        left -= wait is None
    return Run(clock.now, next(numbers) - 1, refused)


def bucket(per_second: float, size: float) -> Server:
    """A server that allows a number of calls per second, and reports when the next one is allowed."""
    tokens, last = size, 0.0

    def answer(now: float, _number: int) -> float | None:
        nonlocal tokens, last
        tokens, last = min(size, tokens + (now - last) * per_second), now
        if tokens >= 1:
            tokens -= 1
            return None
        return (1 - tokens) / per_second

    return answer


def every(step: int, wait: float) -> Server:
    """A server that refuses some calls at any rate; with a wait of 0 it does not say for how long."""
    return lambda _now, number: wait if number % step == 0 else None


@pytest.mark.parametrize("size", [1, 8, 100])
def test_rate_limit_is_used_and_rarely_hit(size: int) -> None:
    run = simulate(bucket(500 / 60, size), 600, 64)
    assert run.refused <= 0.15 * run.calls
    assert run.seconds <= 1.7 * (600 - size) * 60 / 500


@pytest.mark.parametrize("wait", [0.0, 0.2])
def test_constant_refusals_do_not_reduce_the_rate_to_zero(wait: float) -> None:
    assert simulate(every(3, wait), 30, 16).seconds < 40
    assert simulate(every(2, wait), 20, 16).seconds < 80


def test_rare_refusal_barely_reduces_the_rate() -> None:
    assert simulate(every(50, 0.0), 1000, 64).seconds < 80


def test_burst_of_refusals_causes_one_pause() -> None:
    """All calls in flight are refused at once; pauses grow only for consecutive refusals."""
    run = simulate(lambda now, _number: 0.0 if now < ROUND_TRIP else None, 64, 64)
    assert run.seconds < 10
