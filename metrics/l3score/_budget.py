"""Dollars that a run may spend: every call sets aside what it can cost before it starts."""

import math
import threading
from typing import NamedTuple

from ._prices import Price
from ._prices import Usage

# A tokenizer that works on bytes makes at most one token of a byte; a chat template adds a few.
TEMPLATE_TOKENS = 64
# Of usual text; what a server counts beyond that may be a system prompt of its own.
BYTES_PER_TOKEN = 4
# Tokens that a server may add to any call, unseen until then: a longer system prompt, a thought.
_SURPRISE_INPUT, _SURPRISE_OUTPUT = 8192, 4096
# The share of the limit that stays for a surprise in the last call.
_MARGIN = 0.05


class Reservation(NamedTuple):
    """Dollars set aside for one call.

    Attributes:
        expected: The most that such a call has cost so far.
        worst: The same with tokens that nobody has seen yet.
    """

    expected: float
    worst: float


class Meter:
    """What a call to one judge costs: a price, and what the judge was seen to add to a prompt.

    Args:
        price: From token counts to dollars.
        output: Output tokens that a call is expected to have.
        surprise: Output tokens that it may have beyond these.
    """

    def __init__(self, price: Price, output: int = 1, surprise: int = _SURPRISE_OUTPUT) -> None:
        self._price, self._surprise = price, surprise
        self._hidden, self._output = TEMPLATE_TOKENS, output

    def estimate(self, prompt: str) -> Reservation:
        """Dollars for a call with this prompt."""
        read = len(prompt.encode()) + self._hidden
        expected = self._price((read, 0, self._output))
        return Reservation(expected, self._price((read + _SURPRISE_INPUT, 0, self._output + self._surprise)))

    def learn(self, prompt: str, usage: Usage) -> None:
        """Remember what a server adds, like a system prompt or an answer at length."""
        self._hidden = max(self._hidden, usage[0] - len(prompt.encode()) // BYTES_PER_TOKEN)
        self._output = max(self._output, usage[2])


class Budget:
    """Dollars that may be spent.

    Args:
        limit: The most; infinite to keep count only.
    """

    def __init__(self, limit: float = math.inf) -> None:
        self.limit = limit
        self._change = threading.Condition()
        self._spent = self._lost = 0.0
        self._in_flight: dict[int, Reservation | None] = {}
        self._last = 0
        self._calibrated = math.isinf(limit)

    @property
    def spent(self) -> float:
        """Dollars that were certainly billed."""
        with self._change:
            return self._spent

    @property
    def max_billed(self) -> float:
        """Dollars spent, and those that calls may have cost whose answer never arrived."""
        with self._change:
            return math.fsum([self._spent, self._lost, *(one.expected for one in self._in_flight.values() if one)])

    def reserve(self, meter: Meter, prompt: str, stopped: threading.Event) -> int | None:
        """Set dollars aside for one call; wait for calls in flight if need be.

        Calls run side by side as long as the limit holds even if each of them cost the worst; near the limit they go
        one at a time, as they do until one has shown what this server adds.

        Returns:
            The number of the reservation; None if the money does not suffice, or the run was stopped.
        """
        with self._change:
            if math.isinf(self.limit):
                self._last += 1
                self._in_flight[self._last] = None
                return self._last
            while not stopped.is_set():
                asked = meter.estimate(prompt)
                left = self.limit - self._spent - self._lost
                worst = asked.worst + math.fsum(one.worst for one in self._in_flight.values() if one)
                # A surprise is possible as long as there is a margin for it; a first call has to be made.
                margin = min(asked.worst, _MARGIN * self.limit) if self._calibrated else 0.0
                alone = not self._in_flight and asked.expected + margin <= left
                if alone or (self._calibrated and worst <= left):
                    self._last += 1
                    self._in_flight[self._last] = asked
                    return self._last
                if not self._in_flight:
                    return None
                self._change.wait(0.1)
        return None

    def reconcile(self, number: int, meter: Meter, prompt: str, cost: float | None, usage: Usage | None) -> None:
        """Replace what a call reserved by what it cost; by what it was expected to cost where that is unknown."""
        with self._change:
            reserved = self._in_flight.pop(number)
            if cost is None:
                self._lost += (reserved or meter.estimate(prompt)).expected
            else:
                self._spent += cost
            # Neither an answer without usage nor a lost one keeps the others waiting for ever.
            self._calibrated = self._calibrated or usage is not None or cost is None
            if usage is not None:
                meter.learn(prompt, usage)
            self._change.notify_all()
