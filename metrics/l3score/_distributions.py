# Vendored: edit metrics/_shared/_distributions.py and run `make vendor`.
"""Quantiles and tail probabilities for intervals and tests, without SciPy."""

import functools
import math
from statistics import NormalDist

_SMALLEST = 1e-100
"""Lower bound of quantiles: near level 0 they round to 0, and callers divide by them."""
_MANY_DEGREES = 10_000
_LARGE = 30
_HALF = 0.5
_EPSILON = 1e-16


def normal_quantile(level: float) -> float:
    """Return z such that a standard normal variable lies within -z and z with probability `level` (0 < level < 1)."""
    z = -NormalDist().inv_cdf((1 - level) / 2)  # (1 + level) / 2 can round to 1
    return max(z, _SMALLEST)


@functools.lru_cache(maxsize=256)
def student_t_quantile(level: float, degrees: int) -> float:
    """Return t such that Student's t lies within -t and t with probability `level`.

    Newton's method on the log tail probability as a function of log t, which is nearly linear for few degrees of
    freedom. From 10,000 degrees of freedom on, the expansion in powers of 1 / degrees (Abramowitz and Stegun, 26.7.5).
    Relative error below 1e-11.

    Args:
        level: Strictly between 0 and 1.
        degrees: Degrees of freedom, at least 1.
    """
    z = normal_quantile(level)
    if degrees >= _MANY_DEGREES:
        return _large_sample_quantile(z, degrees)
    tail = (1 - level) / 2
    low, high = 0.0, math.inf
    t = z
    for _ in range(200):
        current = student_t_tail(t, degrees)
        if current > tail:
            low = t
        else:
            high = t
        slope = t * _density(t, degrees) / current
        following = t * math.exp(min((math.log(current) - math.log(tail)) / slope, 50.0))
        if not low < following < high:
            following = (low + high) / 2 if high < math.inf else 2 * low
        if abs(following - t) <= 1e-15 * t:
            break
        t = following
    return t


def student_t_tail(t: float, degrees: int) -> float:
    """Return the probability that Student's t exceeds `t` (t >= 0)."""
    a, square = degrees / 2, t * t / degrees
    x = 1 / (1 + square)
    if x < (a + 1) / (a + 2.5):
        return _incomplete_beta(a, 0.5, x, square / (1 + square)) / 2
    return (1 - _incomplete_beta(0.5, a, square / (1 + square), x)) / 2


def binomial_tail(successes: int, total: int, p: float) -> float:
    """Return the probability of at least `successes` in `total` trials (1 <= successes <= total, 0 < p < 1).

    Terms are summed outward from about the largest until they are negligible, so the cost grows with the square root
    of `total`.
    """
    peak = max(successes, math.floor(total * p))
    log_peak = (
        math.lgamma(total + 1)
        - math.lgamma(peak + 1)
        - math.lgamma(total - peak + 1)
        + peak * math.log(p)
        + (total - peak) * math.log1p(-p)
    )
    first = math.exp(log_peak)
    odds = p / (1 - p)
    terms = [first]
    term = first
    for k in range(peak, total):
        term *= (total - k) / (k + 1) * odds
        terms.append(term)
        if term <= first * 1e-18:
            break
    term = first
    for k in range(peak, successes, -1):
        term *= k / (total - k + 1) / odds
        terms.append(term)
        if term <= first * 1e-18:
            break
    return math.fsum(terms)


def _density(t: float, degrees: int) -> float:
    log_density = -(degrees + 1) / 2 * math.log1p(t * t / degrees) - math.log(math.pi * degrees) / 2
    return math.exp(log_density) * _gamma_ratio(degrees / 2)


def _gamma_ratio(a: float) -> float:
    """Return gamma(a + 1/2) / gamma(a); for large a by its series, since subtracting large logarithms loses digits."""
    if a < _LARGE:
        return math.gamma(a + 0.5) / math.gamma(a)
    series = 1 - 1 / (8 * a) + 1 / (128 * a**2) + 5 / (1024 * a**3) - 21 / (32768 * a**4) - 399 / (262144 * a**5)
    return math.sqrt(a) * (series + 869 / (4194304 * a**6) + 39325 / (33554432 * a**7))


def _incomplete_beta(a: float, b: float, x: float, y: float) -> float:
    """Return the regularized incomplete beta function for a or b = 1/2, y = 1 - x (Lentz's continued fraction)."""
    if x == 0:
        return 0.0
    larger = max(a, b)
    # 1 / B(a, 1/2) = gamma(a + 1/2) / (gamma(a) sqrt(pi))
    log_x = math.log1p(-y) if y < _HALF else math.log(x)
    log_y = math.log1p(-x) if x < _HALF else math.log(y)
    front = math.exp(a * log_x + b * log_y) * _gamma_ratio(larger) / math.sqrt(math.pi) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 10_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + numerator * d)
            c = 1 + numerator / c
            step = c * d
            fraction *= step
        if abs(step - 1) < _EPSILON:
            break
    return front * fraction


def _large_sample_quantile(z: float, degrees: int) -> float:
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / degrees**power for power, term in enumerate(terms))
