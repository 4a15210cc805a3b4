r"""Compare mathematical expressions by their values, without a computer algebra system.

An expression is read into a structure: a value, a list, a tuple or interval with its brackets, a matrix, a relation.
Values are compared exactly, or at a few points if they have variables (https://en.wikipedia.org/wiki/Schwartz-Zippel_lemma).
What cannot be read is left to others.
"""

import cmath
import functools
import math
import re
import zlib
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

Scalar = Any  # Fraction, float or complex


class UnreadableError(ValueError):
    """An expression that is not read here."""


class Expression(NamedTuple):
    """What an expression says: its kind, such as "(" and ")" for an open interval, and its parts."""

    kind: str
    """"value", "list", "=", a relation ("<", "<=", "!="), brackets ("[)"), "matrix", "row", ":" or "..."."""
    parts: tuple[Any, ...]
    """Expressions; of a value, its value at each point."""
    is_decimal: bool = False
    """Whether a value is written with decimals, and so may be rounded."""


_POINTS = 3
_LONGEST_READ = 300
_MOST_BITS = 100_000
_COMPUTED: dict[str, Callable[[Any], Any]] = {
    "sin": cmath.sin, "cos": cmath.cos, "tan": cmath.tan, "ln": cmath.log, "exp": cmath.exp,
    "arcsin": cmath.asin, "arccos": cmath.acos, "arctan": cmath.atan,
    "cot": lambda x: 1 / cmath.tan(x), "sec": lambda x: 1 / cmath.cos(x), "csc": lambda x: 1 / cmath.sin(x),
}  # fmt: skip
_CONSTANTS = {"pi": math.pi, "e": math.e, "i": 1j, "infty": math.inf}
_WORDS_OF_FORMULAS = "|".join(
    sorted([*_COMPUTED, "log", "sqrt", "pi", "infty", "frac", "binom", "cdot", "times", "div"], key=len)
)
_TOKEN = re.compile(rf"\s*(\d+(?:\.\d+)?|\.\d+|\\[a-zA-Z]+|(?:{_WORDS_OF_FORMULAS})(?![a-zA-Z])|\\\\|\\[^\s]|[^\s])")
_RELATIONS = {"=": "=", "<": "<", ">": ">", "\\le": "<=", "\\ge": ">=", "\\ne": "!=", "\\in": "in", "\\approx": "~"}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_OPENERS, _CLOSERS = {"(", "[", "{", "\\{"}, {")", "]", "}", "\\}"}
_MATRIX = re.compile(
    r"\\begin\{[pbvB]?(?:matrix|array)\}(?:\{[lcr|]*\})?(.*)\\end\{[pbvB]?(?:matrix|array)\}", re.DOTALL
)
_MATRIX_NAME = re.compile(r"\{[pbvB]?(?:matrix|array)\}")
_PLAIN_WORD = re.compile(rf"(?<![\\a-zA-Z])(?!(?:{_WORDS_OF_FORMULAS})(?![a-zA-Z]))[^\W\d_]{{3,}}")


def same_value(prediction: str, reference: str) -> bool | None:
    r"""Return whether two expressions are equal in value; None if one cannot be read.

    >>> same_value(r"\frac{1}{\sqrt{2}}", r"\frac{\sqrt{2}}{2}"), same_value("x^2-1", "(x-1)(x+1)")
    (True, True)
    >>> same_value("<4", "4"), same_value("10^{-20}", "10^{-30}")
    (False, False)
    """
    try:
        return _same(read_expression(prediction), read_expression(reference))
    except (UnreadableError, ArithmeticError, ValueError, RecursionError):
        return None


# ---- reading


@functools.lru_cache(maxsize=20_000)  # references repeat
def read_expression(text: str) -> Expression:
    """Read an expression whose spelling is cleaned.

    Raises:
        UnreadableError: If it is anything else.
    """
    if len(text) > _LONGEST_READ or _PLAIN_WORD.search(_MATRIX_NAME.sub("", text)):
        raise UnreadableError(text)
    if matrix := _MATRIX.fullmatch(text.strip()):
        rows = [row.split("&") for row in matrix[1].split("\\\\") if row.strip()]
        return Expression("matrix", tuple(Expression("row", tuple(map(read_expression, row))) for row in rows))
    return _read_tokens(_TOKEN.findall(text))


def _read_tokens(tokens: Sequence[str]) -> Expression:
    """Read tokens as a list, a relation, a union, a ratio, a tuple or a value, in this order."""
    for separators, kind in (({",", ";"}, "list"), ({"\\cup"}, "list"), ({":"}, ":")):
        members, _ = _split(tokens, separators)
        if len(members) > 1:
            return Expression(kind, tuple(map(_read_tokens, members)))
    members, relations = _split(tokens, _RELATIONS.keys())
    if relations:
        return _read_relation(members, [_RELATIONS[relation] for relation in relations])
    if tokens and tokens[0] in _OPENERS and tokens[-1] in _CLOSERS and _closing(tokens, 0) == len(tokens) - 1:
        inside, _ = _split(tokens[1:-1], {",", ";"})
        if tokens[0] == "\\{":
            return Expression("list", tuple(map(_read_tokens, inside)))
        if len(inside) > 1:
            return Expression(tokens[0] + tokens[-1], tuple(map(_read_tokens, inside)))
    if list(tokens) in (["\\ldots"], ["…"], [".", ".", "."]):
        return Expression("...", ())
    is_decimal = any("." in token for token in tokens)
    return Expression("value", tuple(_Parser(tokens, point).value() for point in range(_POINTS)), is_decimal)


def _read_relation(members: list[Sequence[str]], relations: list[str]) -> Expression:
    """Read a chain of relations: an interval if it bounds a variable, else the difference of both sides."""
    first, *others = members
    if "~" in relations or relations[-1] == "in" or (len(others) > 1 and set(relations) == {"="}):
        return _read_tokens(members[-1])
    if set(relations) == {"="}:
        right = _read_tokens(others[0])
        difference = _difference(first, others[0]) if right.kind == "value" else None
        return Expression("=", (right, "".join(first), difference))
    if not first and len(others) == 1:
        return Expression(relations[0], (_read_tokens(others[0]),))
    variable = [place for place, member in enumerate(members) if len(member) == 1 and member[0].isalpha()]
    if len(variable) == 1 and not {"!=", "="} & set(relations) and len(members) <= 3:
        return _interval(members, relations, variable[0])
    if len(members) > 2:
        raise UnreadableError("a chain")
    if relations[0] == "!=":
        return Expression("!=", tuple(sorted(map(_read_tokens, members), key=repr)))
    if relations[0].startswith(">"):
        return Expression(_MIRRORED[relations[0]], (_difference(others[0], first),))
    return Expression(relations[0], (_difference(first, others[0]),))


def _interval(members: list[Sequence[str]], relations: list[str], place: int) -> Expression:
    """Return the interval in which inequalities hold a variable."""
    bounds = [Expression("value", (sign * math.inf,) * _POINTS) for sign in (-1, 1)]
    brackets = ["(", ")"]
    for side, relation in enumerate(relations):
        is_left = side + 1 == place
        smaller = relation if is_left else _MIRRORED[relation]  # bound < variable
        end = int(smaller.startswith(">"))
        bounds[end] = _read_tokens(members[side] if is_left else members[side + 1])
        brackets[end] = "[]"[end] if "=" in smaller else brackets[end]
    return Expression("".join(brackets), tuple(bounds))


def _difference(left: Sequence[str], right: Sequence[str]) -> Expression:
    return Expression("value", tuple(_Parser(left, at).value() - _Parser(right, at).value() for at in range(_POINTS)))


def _split(tokens: Sequence[str], separators: Any) -> tuple[list[Sequence[str]], list[str]]:
    """Split tokens at separators outside all brackets; also return the separators."""
    depth = 0
    places = []
    for place, token in enumerate(tokens):
        depth += (token in _OPENERS) - (token in _CLOSERS)
        if depth == 0 and token in separators:
            places.append(place)
    parts = [tokens[before + 1 : end] for before, end in pairwise([-1, *places, len(tokens)])]
    return parts, [tokens[place] for place in places]


def _closing(tokens: Sequence[str], start: int) -> int:
    """Return the place of the bracket that closes another, of any form: intervals mix them."""
    depth = 0
    for place in range(start, len(tokens)):
        depth += (tokens[place] in _OPENERS) - (tokens[place] in _CLOSERS)
        if depth == 0:
            return place
    raise UnreadableError("unbalanced brackets")


_PLUS_MINUS, _TIMES, _DIVIDED = {"+", "-"}, {"*", "\\cdot", "\\times", "cdot", "times"}, {"/", "\\div"}
_CLOSING_BRACKET = {"(": ")", "{": "}", "[": "]", "|": "|"}


class _Parser:
    """A parser by recursive descent that computes at one point."""

    def __init__(self, tokens: Sequence[str], point: int) -> None:
        self.tokens, self.point, self.place = [*tokens, ""], point, 0

    @property
    def next(self) -> str:
        return self.tokens[self.place]

    def take(self, options: Collection[str] | None = None) -> str:
        """Take the next token, if it is one of some; else return an empty text."""
        token = self.next
        if not token or (options is not None and token not in options):
            return ""
        self.place += 1
        return token

    def value(self) -> Scalar:
        """Compute the value of all tokens."""
        value = self.sum()
        if self.next:
            raise UnreadableError(self.next)
        return value

    def sum(self) -> Scalar:
        value = Fraction(0) + self.product()  # no negative zeros, which are on the other side of a branch cut
        while self.next in _PLUS_MINUS:
            value += self.product()
        return value

    def product(self) -> Scalar:
        value = self.signed()
        while True:
            if self.take(_TIMES):
                value *= self.signed()
            elif self.take(_DIVIDED):
                value /= self.signed()
                if self.begins_factor():  # 1/2x
                    raise UnreadableError("ambiguous division")
            elif self.begins_factor():
                value *= self.factor()
            else:
                return value

    def begins_factor(self) -> bool:
        name = self.next.removeprefix("\\")
        return (name.isalpha() and self.next not in _TIMES | _DIVIDED) or self.next in {"(", "{", "["}

    def signed(self) -> Scalar:
        sign = 1
        while token := self.take(_PLUS_MINUS):
            sign = -sign if token == "-" else sign
        return sign * self.factor()

    def factor(self) -> Scalar:
        """Compute a number, a variable, a group or a function, with powers; a mixed number is a sum."""
        is_whole = self.next.isdigit()
        value = self.base()
        if is_whole and (self.next.isdigit() or self.next in {"\\frac", "frac"}):  # 3 1/2
            part = self.base()
            if isinstance(part, Fraction) and part.denominator == 1 and self.take({"/"}) and self.next.isdigit():
                part /= self.base()
            elif not isinstance(part, Fraction) or self.tokens[self.place - 1].isdigit():
                raise UnreadableError("two numbers without a sign")
            value += part
        while self.take({"!"}):
            value = Fraction(math.factorial(_small_integer(value)))
        return power(value, self.exponent()) if self.take({"^"}) else value

    def exponent(self) -> Scalar:
        if self.take({"-"}):
            return -self.exponent()
        value = self.base()
        return power(value, self.exponent()) if self.take({"^"}) else value

    def base(self) -> Scalar:
        token = self.take()
        name = token.removeprefix("\\")
        if token.removeprefix(".")[:1].isdigit():
            return Fraction(token)
        if token in _CLOSING_BRACKET:
            value = self.sum()
            if self.take() != _CLOSING_BRACKET[token]:
                raise UnreadableError("brackets")
            return abs(value) if token == "|" else value
        if name == "frac":
            above = self.argument()
            return above / self.argument()
        if name == "binom":
            return Fraction(math.comb(_small_integer(self.base()), _small_integer(self.base())))
        if name == "sqrt":
            degree = self.base() if self.next == "[" else Fraction(2)
            value = self.base()
            is_odd = isinstance(degree, Fraction) and degree.denominator == 1 and degree % 2 == 1
            is_negative = is_odd and not isinstance(value, complex) and value < 0
            return -power(-value, 1 / degree) if is_negative else power(value, 1 / degree)
        if name in _COMPUTED or name == "log":
            return self.function(name)
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if not (name.isascii() and name.isalpha()) or (len(name) > 1 and token == name):
            raise UnreadableError(token)
        return self.variable(token)

    def argument(self) -> Scalar:
        r"""Compute an argument of a command: a group, or one character, as in `\\frac12`."""
        token = self.next
        if token.isdigit() and len(token) > 1:
            self.tokens[self.place : self.place + 1] = [token[0], token[1:]]
        return self.base()

    def variable(self, name: str) -> float:
        """Return the value of a variable at the point; no two are alike."""
        if self.take({"_"}):
            end = _closing(self.tokens, self.place) if self.next in _OPENERS else self.place
            name += "_" + "".join(self.tokens[self.place : end + 1]).strip("{}")
            self.place = min(end + 1, len(self.tokens) - 1)
        share = zlib.crc32(f"{name} {self.point}".encode()) / 2**32
        return (0.5 + share, -0.5 - share, 2 + 3 * share)[self.point]

    def function(self, name: str) -> Scalar:
        r"""Compute a function of what follows: "(…)", "{…}", or factors as in `\cos 2x`."""
        exponent, logarithm = Fraction(1), Fraction(10)
        while mark := self.take({"^", "_"}):
            if mark == "^":
                exponent = self.exponent()
            else:
                logarithm = self.base()
        if exponent == -1:
            raise UnreadableError("an inverse or a power")
        is_group = self.next in {"(", "{"}
        argument = self.base() if is_group else self.signed()
        while not is_group and self.begins_factor() and self.next.removeprefix("\\") not in {*_COMPUTED, "log"}:
            argument *= self.factor()
        value = cmath.log(argument) / cmath.log(logarithm) if name == "log" else _COMPUTED[name](argument)
        return power(value, exponent)


def _small_integer(value: Scalar) -> int:
    if not isinstance(value, Fraction) or value.denominator != 1 or not 0 <= value <= _LONGEST_READ:
        raise UnreadableError("not a small integer")
    return int(value)


def power(base: Scalar, exponent: Scalar) -> Scalar:
    """Return a power, exact where it is rational."""
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        if exponent.denominator > 1:
            return power(float(base), float(exponent))
        if (base.numerator.bit_length() + base.denominator.bit_length()) * abs(exponent) > _MOST_BITS:
            raise UnreadableError("an enormous number")
        return base**exponent.numerator
    return complex(base) ** complex(exponent) if not isinstance(base, complex) and base < 0 else base**exponent


# ---- comparing

_SAME, _ROUNDED = 1e-11, 1.5e-6  # relative
_LAST_DECIMAL = 5.01e-7  # six decimals, as Math-Verify rounds


def _same(prediction: Expression, reference: Expression) -> bool:
    """Return whether two expressions are equal; one of them may have a name, as in "x = 5"."""
    kind, parts, wanted = prediction.kind, prediction.parts, reference.parts
    if (kind == "=") != (reference.kind == "="):
        return _same(*(each.parts[0] if each.kind == "=" else each for each in (prediction, reference)))
    if kind == "=" and parts[2] and wanted[2]:
        return _is_multiple(parts[2], wanted[2])
    if kind == "=":
        return bool(parts[1] == wanted[1]) and _same(parts[0], wanted[0])
    if kind != reference.kind or len(parts) != len(wanted):
        return False
    if kind == "value":
        is_rounded = prediction.is_decimal or reference.is_decimal
        return all(_is_close(*pair, is_rounded=is_rounded) for pair in zip(parts, wanted, strict=True))
    if kind in _MIRRORED:
        return _is_multiple(parts[0], wanted[0], positive=True)
    if kind != "list":
        return all(map(_same, parts, wanted))
    rest = list(wanted)
    for part in parts:
        if (equal := next((other for other in rest if _same(part, other)), None)) is None:
            return False
        rest.remove(equal)
    return True


def _is_close(first: Scalar, second: Scalar, *, is_rounded: bool = False, tolerance: float = _SAME) -> bool:
    largest = max(abs(first), abs(second))
    if first == second or not largest < math.inf:
        return bool(first == second)
    rounded = min(_ROUNDED * largest, _LAST_DECIMAL) if is_rounded else 0
    return bool(abs(first - second) <= max(rounded, tolerance * largest))


def _is_multiple(first: Expression, second: Expression, *, positive: bool = False) -> bool:
    """Return whether two differences are the same but for a constant factor: `y = x` is `2y = 2x`."""
    ratios = [left / right for left, right in zip(first.parts, second.parts, strict=True)]
    is_same = all(_is_close(ratios[0], ratio, tolerance=1e-9) for ratio in ratios) and ratios[0] != 0
    return is_same and (not positive or (not isinstance(ratios[0], complex) and ratios[0] > 0))
