r"""Mathematics: one spelling for LaTeX that means the same, and equivalence by Math-Verify in processes of its own.

A computer algebra system can take for ever, and is therefore asked in a process that can be ended: a plain `python -c`,
since `multiprocessing` needs `if __name__ == "__main__"`, and does not start in every thread or notebook.
"""

import atexit
import contextlib
import functools
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TextIO, cast

from answer_metrics.core.patterns import compile_later
from answer_metrics.matching.expressions import same_value
from answer_metrics.matching.numbers import DELIMITERS, single_number
from answer_metrics.matching.units import unit_after, unit_named
from answer_metrics.matching.values import last_number, number_of

_LONGEST = 2_000
_LONGEST_AMOUNT = 60

# ---- what is mathematics

_COMMAND = compile_later(
    r"\\(?!(?:text|textbf|textit|mathrm|mathbf|boxed|item|section)\b)[a-zA-Z]+|\\[^\w\s]|[_^]\{?[\w-]"
)
_WRAPPED = re.compile(
    r"\\(?:text(?:bf|it|rm|normal)?|math(?:rm|bf|it|sf)|mbox|operatorname\*?)\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
)
_PROSE = re.compile(r"(?<![\\a-zA-Z{])[^\W\d_]{2,}[,;:]?\s+[^\W\d_]{2,}")
_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc log ln exp lim max min gcd lcm mod pi sqrt arcsin arccos arctan inf deg".split()
)
_PROSE_WORD = re.compile(rf"(?<![\\a-zA-Z{{])(?!(?:{'|'.join(_FUNCTIONS)})(?![a-zA-Z]))[^\W\d_]{{2,}}")
_OPERATION = compile_later(
    r"[\w)\]}]\s*[-+*/=<>≤≥≠±^|−]\s*[\w(\[{√π∞\\-]|\A\s*[-−]\s*[(a-z]|\A\s*[\[({].*,.*[\])}]\s*\Z|[√π∞±]"
    r"|\A\s*(?:[<>]=?|[≤≥≠])\s*[-−\d(]|[\w)\]}]!|\|[^|\s][^|]*\||\b[a-zA-Z]'+(?:\(|\Z)"
)
# Every formula has one of these; most prose has none.
_SIGN = re.compile(r"[\\_^+*/=<>≤≥≠±|−√π∞\-\[({!']")
# Names, scores, dates, ranges, checklists and tags have signs, too.
_NO_FORMULA = re.compile(
    r"[\s\d]+(?:[-/:.,–][\s\d]*)*|[A-Z]{1,2}[-\s/]?\d+[a-z]?|[A-Z]\s?[-/]\s?[A-Z]"
    r"|(?:(?:[-*] )?\[[ xX]\][^\n]*\n?)+|<([a-z]+)>[^<>]*</\1>"
)


def is_formula(text: str) -> bool:
    """Return whether a text is a formula without prose: with LaTeX commands, or signs between numbers and letters."""
    if not _SIGN.search(text):
        return False
    text = plain = text.strip()
    if "\\" in text or "$" in text:
        text = _undelimited(text)
        plain = _WRAPPED.sub("", text)
    if len(text) > _LONGEST or _PROSE.search(plain):
        return False
    if _COMMAND.search(text):
        return True
    is_plain = not _PROSE_WORD.search(plain) and not _NO_FORMULA.fullmatch(text.strip())
    return is_plain and _OPERATION.search(text) is not None


def _undelimited(text: str) -> str:
    return match[1] if (match := DELIMITERS.fullmatch(text)) else text


def has_factorial(text: str) -> bool:
    """Return whether a text is a formula with a factorial, whose sign is no exclamation mark."""
    return "!" in text and _FACTORIAL.search(text) is not None and is_formula(text)


_FACTORIAL = re.compile(r"[\w)\]}]!")


# ---- spelling

_DROPPED = re.compile(
    r"\\(?:left|right|displaystyle|textstyle|limits|[Bb]igg?[lr]?|quad|qquad|mathstrut|strut)(?![a-zA-Z])\.?"
    r"|(?<!\\)\\[,!;:> ]|~|\\(?:h|v)space\{[^}]*\}|\\phantom\{[^}]*\}"
)
_UNIT_COMMAND = compile_later(
    r"(?<=[\d}a-z$])(?<!_\d)(?<!_\{\d\})(?<!_\{\d\d\})"  # not \text{H}_2\text{O}
    r"\s*(?:\\[,;: ]|~|\s)*(?:\\(?:text|mathrm|mbox|textbf)\s*\{(?!\s*[iej]\s*\})\s*[^{}\d]*\}"
    r"(?:\s*\^\s*\{?[-\d]+\}?)?"
    r"|\s?(?:cm|mm|km|kg)|\s(?:degrees?|m|inch(?:es)?|in|ft|feet|square\s\w+|units?|dollars?|cents?|minutes?|hours?|days?"
    r"|(?:[a-z]+\s)?[a-z]{3,}s)\.?)\s*\Z"
)
_SYNONYMS = {
    r"\leq": r"\le", r"\geq": r"\ge", r"\neq": r"\ne", r"\lt": "<", r"\gt": ">", "≤": r"\le", "≥": r"\ge", "≠": r"\ne",
    "π": r"\pi", "∞": r"\infty", "√": r"\sqrt", "×": r"\times", "·": r"\cdot", "−": "-", "–": "-", "±": r"\pm",
    "+/-": r"\pm", "∈": r"\in", "**": "^", "<=": r"\le", ">=": r"\ge", "!=": r"\ne",
    "∪": r"\cup", "∩": r"\cap", "∅": r"\emptyset", r"\varnothing": r"\emptyset", r"\lbrace": r"\{", r"\rbrace": r"\}",
    r"\land": r"\wedge", r"\to": r"\rightarrow", r"\colon": ":", r"\dots": r"\ldots", r"\cdots": r"\ldots",
}  # fmt: skip
# Roots and scripts of Unicode, synonyms and units as everybody would write them, in this order.
_ROOTS = {"√": r"\sqrt{", "∛": r"\sqrt[3]{", "∜": r"\sqrt[4]{"}
_SMALL_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ₀₁₂₃₄₅₆₇₈₉", "0123456789+-n0123456789")
_SYNONYM = "|".join(re.escape(name) + ("(?![a-zA-Z])" if name[0] == "\\" else "") for name in _SYNONYMS)
_CLEANED: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(r"\\ce\s*\{((?:[^{}]|\{[^{}]*\})*)\}"), r"\1"),
    (re.compile(r"([√∛∜])\s*(\d+(?:\.\d+)?|[a-zA-Z]|\(([^()]*)\))"), lambda x: f"{_ROOTS[x[1]]}{x[3] or x[2]}}}"),
    (re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ]+"), lambda match: f"^{{{match[0].translate(_SMALL_DIGITS)}}}"),
    (re.compile("[₀₁₂₃₄₅₆₇₈₉]+"), lambda match: f"_{{{match[0].translate(_SMALL_DIGITS)}}}"),
    (re.compile(_SYNONYM), lambda match: f"{_SYNONYMS[match[0]]} "),
    (_UNIT_COMMAND, ""),
    (re.compile(r"\\[dtc]frac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree|°"), ""),
    (_DROPPED, ""),
    (_WRAPPED, r"\1"),
    (re.compile(r"\\?[$%]"), ""),
]
# Commas that part members, as in (3,100) and 1, 200, rather than thousands.
_LIST = re.compile(r",\s|[(\[{].*,.*[)\]}]")
_THOUSANDS = re.compile(r"(?<![\d.])(?!0)\d{1,3}(?:\{?,\}?\\?!?\d{3})+(?![\d])")
_NAME = re.compile(r"\A(?:[a-zA-Z]|[a-zA-Z]\([a-z]\))\s*(?:=|\\in)\s*(?=[^=]+\Z)")


def _slash(match: re.Match[str]) -> str:
    above, below = match[1] or match[2], match[3] or match[4]
    if _ABOVE.fullmatch(above) and _BELOW.fullmatch(below):
        is_mixed = match.string[: match.start()].rstrip()[-1:].isdigit() and above[0].isdigit()
        return f"{'_' if is_mixed else ''}{above}/{below}"  # 12\frac{3}{5} is not 123/5
    return f"\\frac{{{above}}}{{{below}}}"


def _trim_decimal(match: re.Match[str]) -> str:
    decimals = match[2].rstrip("0")
    return (match[1].lstrip("0") or "0") + (f".{decimals}" if decimals else "")


_ABOVE, _BELOW = re.compile(r"\d+|\d*(?:[a-zA-Z]|\\pi|\\sqrt\{\w+\})"), re.compile(r"\d+|[a-zA-Z]")
_SPELLED: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(r"\\sqrt\s*(\w)"), r"\\sqrt{\1}"),
    (re.compile(r"(?<=\d)\s+(?=\d+/)"), "_"),  # 12 3/5 is not 123/5
    (re.compile(r"(?<![\\a-zA-Z])(pi|sqrt|infty)(?![a-zA-Z])"), r"\\\1"),  # -2*pi, as in code
    (re.compile(r"(?<=[\w})])\s*\*\s*(?=[a-zA-Z\\(])"), ""),
    (re.compile(
        r"\\frac\s*(?:\{((?:[^{}]|(?<=\\sqrt)\{[^{}]+\})+)\}|(\w|\\[a-zA-Z]+))\s*(?:\{([^{}]+)\}|(\w|\\[a-zA-Z]+))"
    ), _slash),
    (re.compile(r"(?<![\w.])(\d*)\.(\d+)"), _trim_decimal),  # .5, 0.50 and 0.5 are 0.5, and 3.0 is 3
    (re.compile(rf"\\({'|'.join(_FUNCTIONS)})(?![a-zA-Z])"), r"\1"),
    (re.compile(r"\s+"), ""),
    (re.compile(r"([_^])\{(\w)\}"), r"\1\2"),
    (re.compile(r"\+(?=\\infty)"), ""),
    (re.compile(r"(?<=sin|cos|tan|cot|sec|csc|log)\((\d*(?:[a-z]|\\[a-z]+))\)(?![\^\d(a-z])"), r"\1"),
]  # fmt: skip


@functools.lru_cache(maxsize=20_000)
def spell(text: str, *, keep_name: bool = False) -> str:
    r"""Write an expression as everybody would: `\dfrac12`, `\frac{1}{2}` and `1/2` are one text.

    Signs, relations, brackets and their order stay; an `x=` at the beginning only if it is to be kept.

    >>> spell(r"$x = \dfrac12$") == spell("1/2")
    True
    """
    text = clean(text)
    for pattern, replacement in _SPELLED:
        text = pattern.sub(replacement, text)
    return text if keep_name else _NAME.sub("", text)


@functools.lru_cache(maxsize=20_000)
def clean(text: str) -> str:
    """Unify commands, roots, scripts and thousands; remove delimiters, spaces, a unit, percent and degrees."""
    text = text.strip().rstrip(".").strip()
    text = _undelimited(_undelimited(text)).rstrip(" .")
    for pattern, replacement in _CLEANED:
        text = pattern.sub(replacement, text)
    if _LIST.search(text.replace("{,}", "").replace(",\\!", "")):
        return text
    return _THOUSANDS.sub(lambda match: re.sub(r"\D", "", match.group()), text)


def same_spelling(prediction: str, reference: str) -> bool:
    """Return whether two expressions, or their members in any order, are spelled alike; "x=" counts if both have it."""
    if len(prediction) + len(reference) > 2 * _LONGEST or _units_differ(prediction, reference):
        return False
    keep = all(_NAME.match(text.strip().strip("$ ")) for text in (prediction, reference))
    spellings = spell(prediction, keep_name=keep), spell(reference, keep_name=keep)
    for script, on_line in _SCRIPTS if spellings[0] != spellings[1] else ():
        if sum(bool(script.search(spelling)) for spelling in spellings) == 1:
            spellings = script.sub(on_line, spellings[0]), script.sub(on_line, spellings[1])
    if spellings[0] == spellings[1] != "":
        return True
    members, wanted = _members(prediction), _members(reference)
    return len(wanted) > 1 and members == wanted


# Where one side has no subscripts or charges, those of the other are read on the line: C_{6}H_6 and C6H6, Na^+ and Na+.
_SCRIPTS = (
    (re.compile(r"(?<=[a-zA-Z)\]])(?<!log)(?<!lim)(?<!max)(?<!min)(?<!sum)_(?:\{(\d+)\}|(\d))"), r"\1\2"),
    (re.compile(r"(?<=[\w)\]])\^(?:\{(\d*[-+])\}|([-+]))"), r"\1\2"),
)


def _units_differ(prediction: str, reference: str) -> bool:
    r"""Return whether both sides carry a unit, and not the same: `5\,\mathrm{cm}` and `5\text{ m}`."""
    first, second = map(_unit_of, (prediction, reference))
    return bool(first and second and first != second)


@functools.lru_cache(maxsize=20_000)
def _unit_of(text: str) -> tuple[Any, ...]:
    """Return what the unit of an amount, or else at the end of a text, measures, and how large it is."""
    number = number_of(text) if len(text) <= _LONGEST_AMOUNT else None
    if number and number.unit:
        return number.unit, number.factor
    text = text.strip().rstrip(".")
    if sign := _UNIT_SIGN.search(text):
        return _SIGNED[sign.lastgroup or ""]
    match = _UNIT_COMMAND.search(text.strip("$ "))
    words = _NO_UNIT.sub("", match.group()).strip() if match else ""
    words = re.sub(r"\bin\b", "inch", words)
    after = unit_after(f" {words}", 0)
    unit = after[0] if after else unit_named(words)
    return (unit.measure, unit.size) if unit else ()


_NO_UNIT = re.compile(r"\\[a-zA-Z]+|\\[,;: ]|[{}$~]")
_SIGNED = {"degrees": ("degrees", 1), "percent": ("%", 1), "dollars": ("$", 1)}
_UNIT_SIGN = re.compile(
    r"(?P<degrees>(?:\^\s*\{?\s*\\circ\s*\}?|\\degree|°)\$?\Z)|(?P<percent>%\$?\Z)|(?P<dollars>\A\$?\\\$|\\\$\$?\Z)"
)


def _members(text: str) -> list[str]:
    """Return the spelling of each of several expressions without brackets around them, sorted."""
    return [] if _BRACKETS.search(text) else sorted(map(spell, _COMMA.split(text.strip(" $."))))


_BRACKETS = re.compile(r"[(\[]|\\\{")
_COMMA = re.compile(r"\s*,\s*(?:and\s|or\s)?|\s(?:and|or)\s|\\text\{\s*(?:and|or)\s*\}")
_SPAN = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)", re.DOTALL)
_FORMULA_END = re.compile(r"[.!?]\s|\n\s*\n")
_EQUALS = re.compile(r"(?<![<>!:])=")
_NEARLY = re.compile(r"≈|\\approx")
_JOINT = re.compile(r"(?<=[^\s$])(?:\$|\\\))\s*,?\s*(?:and|or|,)\s*(?:\$|\\\()(?=[^\s$])")  # $x=2$ or $x=3$


def stated_formulas(text: str) -> list[str]:
    """Return the formulas that a text states in its last sentence with one, and the right sides of equations."""
    formulas = [_undelimited(text.strip())] if is_formula(text) else _formulas_in(text[-_LONGEST:])
    parts = [part for formula in formulas for part in _NEARLY.split(formula)]
    return [*formulas, *(part if _NAME.match(part.strip()) else _EQUALS.split(part)[-1] for part in parts)]


def _formulas_in(text: str) -> list[str]:
    text = _JOINT.sub(", ", text)
    if spans := list(_SPAN.finditer(text)):
        start = max((end.end() for end in _FORMULA_END.finditer(text, 0, spans[-1].start())), default=0)
        return [next(filter(None, span.groups())) for span in spans if span.start() >= start]
    last = _FORMULA_END.split(text.strip().rstrip("."))[-1]
    pieces = (piece.strip(" ,;:*.'’s") for piece in _PROSE_WORD.split(last))
    return [piece for piece in pieces if is_formula(piece)]


# ---- equivalence, in processes that can be ended

SECONDS = 5.0
"""How long Math-Verify may think about a pair."""
_START_SECONDS = 60.0
_LONGEST_ASKED = 400
_PAIRS_PER_WORKER = 200

# It ends with its standard input, which closes when the parent ends, or else by the alarm. The limit of memory is for
# expressions that explode.
_WORKER = textwrap.dedent(r"""
    import functools, itertools, json, logging, re, signal, sys
    logging.disable(logging.CRITICAL)
    out, sys.stdout = sys.stdout, sys.stderr
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    except (ImportError, OSError, ValueError):
        pass  # on Windows, or below a lower limit; the time still ends what explodes
    sys.set_int_max_str_digits(100_000)
    from math_verify import parse, verify

    @functools.lru_cache(1000)  # references repeat
    def readings(text):
        is_marked = any(mark in text for mark in ("$", "\\(", "\\[", "\\boxed"))
        is_prose = re.search(r"(?<![\\a-zA-Z{])[a-zA-Z]{2,}[,;:]?\s+[a-zA-Z]{2,}", text)
        written = (text,) if is_marked else (text, f"${text}$") if is_prose else (f"${text}$", text)
        parsed = filter(None, (parse(each, parsing_timeout=None) for each in written))
        # 2,5 is two numbers in LaTeX, and one in many languages.
        return list(parsed if re.fullmatch(r"[-+]?[\d.,\s]+", text) else itertools.islice(parsed, 1))

    verify(*readings(r"\frac{x}{2}"), *readings("$x/2$"), timeout_seconds=None)  # what is imported late
    print("ready", file=out, flush=True)
    for line in sys.stdin:
        prediction, reference = json.loads(line)
        hasattr(signal, "alarm") and signal.alarm(60)
        try:
            pairs = itertools.product(readings(reference), readings(prediction))
            verdict = any(verify(*pair, timeout_seconds=None) for pair in pairs)
        except Exception:
            verdict = False
        print(int(verdict), file=out, flush=True)
        hasattr(signal, "alarm") and signal.alarm(0)
""")


Worker = subprocess.Popen[str]
_idle: list[Worker] = []
if hasattr(os, "register_at_fork"):  # the parent goes on talking to them
    os.register_at_fork(after_in_child=_idle.clear)


def _start() -> Worker:
    worker = subprocess.Popen(  # our own interpreter and program
        [sys.executable, "-P", "-c", _WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        start_new_session=True,  # an interrupt in a terminal is not for it
    )
    if _read_line(worker, _START_SECONDS) != "ready":
        _end(worker)
        raise RuntimeError("Math-Verify does not start; to see why, run: python -c 'import math_verify'")
    return worker


def _read_line(worker: Worker, seconds: float) -> str:
    """Read a line, or an empty text if the process ends or takes too long, which ends it."""
    timer = threading.Timer(seconds, worker.kill)  # pipes cannot be waited for on Windows
    timer.daemon = True
    timer.start()
    try:
        return cast("TextIO", worker.stdout).readline().strip()
    finally:
        timer.cancel()


def _end(worker: Worker) -> None:
    worker.kill()
    for pipe in (worker.stdin, worker.stdout):
        with contextlib.suppress(OSError):
            cast("TextIO", pipe).close()
    worker.wait()


@atexit.register
def end_workers() -> None:
    """End the processes that wait for the next question."""
    while _idle:
        _end(_idle.pop())


def _ask(pair: tuple[str, str]) -> bool | None:
    """Return the verdict on a pair, or None if it took too long."""
    try:
        worker = _idle.pop()  # atomic, as is append
    except IndexError:
        worker = _start()
    answer = ""
    try:
        questions = cast("TextIO", worker.stdin)
        questions.write(json.dumps(pair) + "\n")
        questions.flush()
        answer = _read_line(worker, SECONDS)
    except BrokenPipeError:  # somebody else ended it
        return _ask(pair)
    finally:  # also in an interrupted cell
        if answer:
            _idle.append(worker)
        else:
            _end(worker)
    return bool(int(answer)) if answer else None


def equivalent_pairs(pairs: Sequence[tuple[str, str]]) -> list[bool | None]:
    """Ask Math-Verify which predictions equal their references, by the ends of long texts; None: it took too long."""
    math_verify_version()
    ends = [(prediction[-_LONGEST_ASKED:], reference[-_LONGEST_ASKED:]) for prediction, reference in pairs]
    distinct = list(dict.fromkeys(ends))
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    workers = max(1, min(len(distinct) // _PAIRS_PER_WORKER, processors))
    with ThreadPoolExecutor(workers) as pool:
        ask_all = pool.map if workers > 1 else map  # few pairs are asked here, where an interrupt stops at once
        verdicts = dict(zip(distinct, ask_all(_ask, distinct), strict=True))
    return [verdicts[pair] for pair in ends]


@functools.cache
def math_verify_version() -> str:
    """Return the version of Math-Verify, or raise an `ImportError` with the command that installs it."""
    try:
        return importlib.metadata.version("math-verify")
    except importlib.metadata.PackageNotFoundError:
        command = 'pip install "math-verify[antlr4_13_2]"'
        raise ImportError(f'equivalent="math" needs Math-Verify: {command}') from None


_SYMBOLS = re.compile(r"[\d\\^_=<>+*/√π∞≤≥±²³∛-]")
# What Math-Verify drops while it parses: it takes `\\neq 4` for 4.
_DROPPED_SYMBOL = re.compile(
    r"\\ne(?![a-zA-Z])|\\ldots|\\notin|\\nmid|(?<![a-z}\d])\s*(?:[<>]|\\[lg]e(?![a-zA-Z]))|:|\?"
)
_CONJUNCTION = re.compile(r"\\text\{\s*(?:and|or)\s*\}|\s(?:and|or)\s")
_ONLY_WORD = re.compile(r"[^\W\d_]{3,}")
_DECIMAL_COMMA = re.compile(r"\A([-+−]?\d+),(\d+)\Z")  # 2,5 is two numbers, or one


def decide(prediction: str, reference: str) -> bool | None:
    """Return whether an answer equals a reference as mathematics, or None if Math-Verify must be asked."""
    if not prediction or not (_SYMBOLS.search(prediction) or _SYMBOLS.search(reference)):
        return False
    if _units_differ(prediction, reference):
        return False
    prediction = prediction[-_LONGEST:]
    formulas = [prediction]
    if _PROSE.search(_WRAPPED.sub("", prediction)):
        is_number = single_number(reference) and not _SPAN.search(prediction)
        number = last_number(prediction) if is_number else None
        formulas = [*stated_formulas(prediction), *filter(None, [number])] or [prediction]
    verdicts = [_decide_formula(formula, reference) for formula in formulas]
    texts = [_DECIMAL_COMMA.sub(r"\1.\2", text.strip("$ ")) for text in (prediction, reference)]
    if ("," in prediction) != ("," in reference) and "," not in "".join(texts):
        verdicts.append(same_value(*map(clean, texts)))
    return True if True in verdicts else None if None in verdicts else False


def _decide_formula(formula: str, reference: str) -> bool | None:
    if len(formula) > _LONGEST_ASKED:
        return None
    first, second = (clean(_CONJUNCTION.sub(",", text)) for text in (formula, reference))
    verdict = same_value(first, second)
    if verdict is False and ("%" in formula) != ("%" in reference):
        percent, other = (first, second) if "%" in formula else (second, first)
        return same_value(f"({percent})/100", other)
    if verdict is None and bool(_ONLY_WORD.fullmatch(first)) != bool(_ONLY_WORD.fullmatch(second)):
        return False
    if verdict is None and sorted(_DROPPED_SYMBOL.findall(first)) != sorted(_DROPPED_SYMBOL.findall(second)):
        return False
    if verdict is None and "=" in first:  # a calculation, of which only the result is read
        return same_value(first.rpartition("=")[2], second) or None
    return verdict
