"""How the time of a function grows with the size of its input."""

import math
import time
from collections.abc import Callable
from typing import TypeVar

Input = TypeVar("Input")

STEP = 4


def growth(run: Callable[[Input], object], make: Callable[[int], Input], size: int) -> float:
    """Fit the exponent k in time ~ size^k over three sizes: 1 is linear, 2 is quadratic.

    Measures the CPU time of this process, the minimum of three runs, so that a busy machine matters little.
    """
    sizes = [size, size * STEP, size * STEP**2]
    seconds = []
    for each in sizes:
        prepared = make(each)
        seconds.append(min(_seconds(run, prepared) for _ in range(3)))
    return math.log(seconds[-1] / seconds[0]) / math.log(sizes[-1] / sizes[0])


def _seconds(run: Callable[[Input], object], prepared: Input) -> float:
    start = time.process_time()
    run(prepared)
    return max(time.process_time() - start, 1e-6)
