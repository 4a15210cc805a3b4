"""The dollar budget of a run: every call reserves its maximum cost before it starts."""

import math
import threading
from typing import NamedTuple

from ._prices import Price
from ._prices import Usage

# Tokens that a chat template adds; the text itself has at most one token per byte.
TEMPLATE_TOKENS = 64
# Of typical text; tokens beyond that may be a system prompt added by the server.
BYTES_PER_TOKEN = 4
# Hidden tokens that a server may add to any call: a longer system prompt, reasoning.
_HIDDEN_INPUT, _HIDDEN_OUTPUT = 8192, 4096
# The share of the limit that is kept for hidden tokens in the last call.
_MARGIN = 0.05


class Reservation(NamedTuple):
    """Dollars reserved for one call.

    Attributes:
        expected: The maximum cost of such a call as observed so far.
        worst: The same plus hidden tokens.
    """

    expected: float
    worst: float


class Meter:
    """Estimates the cost of a call to one judge from its price and the tokens that it was observed to add.

    Args:
        price: Converts token counts to dollars.
        output: Expected output tokens of a call.
        hidden_output: Maximum output tokens beyond these.
    """

    def __init__(self, price: Price, output: int = 1, hidden_output: int = _HIDDEN_OUTPUT) -> None:
        self._price, self._hidden_output = price, hidden_output
        self._hidden, self._output = TEMPLATE_TOKENS, output

    def estimate(self, prompt: str) -> Reservation:
        """Estimate the dollars for a call with this prompt."""
        read = len(prompt.encode()) + self._hidden
        expected = self._price((read, 0, self._output))
        return Reservation(expected, self._price((read + _HIDDEN_INPUT, 0, self._output + self._hidden_output)))

    def learn(self, prompt: str, usage: Usage) -> None:
        """Update the tokens that the server adds, such as a system prompt or a long answer."""
        self._hidden = max(self._hidden, usage[0] - len(prompt.encode()) // BYTES_PER_TOKEN)
        self._output = max(self._output, usage[2])


class Budget:
    """A dollar budget, shared by threads.

    Args:
        limit: The limit; infinite to only keep count.
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
        """Dollars that were billed for certain."""
        with self._change:
            return self._spent

    @property
    def max_billed(self) -> float:
        """Upper bound of the dollars billed, including calls whose answer never arrived."""
        with self._change:
            return math.fsum([self._spent, self._lost, *(call.expected for call in self._in_flight.values() if call)])

    def reserve(self, meter: Meter, prompt: str, stopped: threading.Event) -> int | None:
        """Reserve dollars for one call; wait for calls in flight if necessary.

        Calls run concurrently as long as the worst-case costs fit the limit; near the limit they run one at a time,
        as they do until one call has shown how many tokens the server adds.

        Returns:
            The number of the reservation; None if the budget does not suffice, or the run was stopped.
        """
        with self._change:
            if math.isinf(self.limit):
                self._last += 1
                self._in_flight[self._last] = None
                return self._last
            while not stopped.is_set():
                needed = meter.estimate(prompt)
                left = self.limit - self._spent - self._lost
                worst = needed.worst + math.fsum(call.worst for call in self._in_flight.values() if call)
                # Keep a margin for hidden tokens, except for the first call, which has to be made.
                margin = min(needed.worst, _MARGIN * self.limit) if self._calibrated else 0.0
                alone = not self._in_flight and needed.expected + margin <= left
                if alone or (self._calibrated and worst <= left):
                    self._last += 1
                    self._in_flight[self._last] = needed
                    return self._last
                if not self._in_flight:
                    return None
                self._change.wait(0.1)
        return None

    def reconcile(self, number: int, meter: Meter, prompt: str, cost: float | None, usage: Usage | None) -> None:
        """Replace the reservation of a call by its cost, or by its expected cost if the cost is unknown."""
        with self._change:
            reserved = self._in_flight.pop(number)
            if cost is None:
                self._lost += (reserved or meter.estimate(prompt)).expected
            else:
                self._spent += cost
            # An answer without usage, or a lost one, must not keep other calls waiting forever.
            self._calibrated = self._calibrated or usage is not None or cost is None
            if usage is not None:
                meter.learn(prompt, usage)
            self._change.notify_all()
