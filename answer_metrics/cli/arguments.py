"""The command line's arguments. Every option of a metric is a flag, with its help and checks."""

import argparse
import collections.abc
import difflib
import functools
import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn

import answer_metrics
from answer_metrics import did_you_mean

RESULT_OPTIONS = {"return_details": False, "return_confidence": True, "return_signature": True}
"""Options of the result, and what they are unless `--set` says otherwise."""
SHOW = ("wrong", "unextracted", "hedged", "truncated")
"""The kinds of rows that `--show` prints."""
_COMMANDS = {
    "score": "score a file",
    "compare": "compare two or more systems",
    "repeats": "score several samples per question: mean, pass@k and variance",
    "label": "draw a random sample for people to label",
    "space": "serve a metric's web page",
    "metrics": "list the metrics",
}
_WITH_METRIC = ("score", "compare", "repeats", "label")
_METRIC = "default: accuracy, or the metric of a scored file; `metrics` lists all, and -m NAME --help its options"
_PRESET = {"dest": "option_preset", "default": argparse.SUPPRESS}
_MISSING = "questions without a prediction: wrong (default in score), ignore, or error (default in compare)"
_WITHOUT_REFERENCE = "predictions without a reference: error (default) or ignore (default with qrels)"
_FILES = "a file, a folder or archive of files, hf://owner/dataset, or - for stdin"
_ALL, _TWO = " ".join(_WITH_METRIC), "score compare"
_ARGUMENTS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    # commands, flags with what follows them ("…" if several), help, settings of argparse
    (_ALL, "-m --metric NAME", _METRIC, {"action": "append"}),
    (_ALL, "--preset NAME", "rules for an output type: free_form, number, multiple_choice, strict, math", _PRESET),
    (_ALL, "--references FILE", "file with the references, matched by id or by position", {}),
    (_ALL, "--on FIELD", "id field by which rows are matched", {}),
    (_ALL, "--columns INPUT=FIELD…", "the field of each input", {}),
    (_ALL, "--missing POLICY", _MISSING, {"choices": ("wrong", "ignore", "error", "raise")}),
    (_ALL, "--without-reference POLICY", _WITHOUT_REFERENCE, {"choices": ("error", "ignore")}),
    (_ALL, "--format NAME", "file format (default: detected)", {}),
    (_ALL, "--encoding NAME", "encoding of text files (default: UTF-8)", {}),
    (_ALL, "--split TEXT", "separator between several references, or retrieved chunks, in one text, such as /", {}),
    (_ALL, "--set OPTION=VALUE…", "any option of the metric", {}),
    (_ALL, "--quiet", "print no progress or notes", {}),
    (_TWO, "--by FIELD", "also score each group of rows", {}),
    (_TWO, "--difference D", "also print how many rows it takes to detect this difference", {"type": float}),
    ("score", "--show N|KIND…", f"print the first N (10) rows that are {', '.join(SHOW)} (default: wrong)", {}),
    ("score", "-o --output FILE", "write rows with scores: .parquet (stores the options, too), .csv or .jsonl", {}),
    ("score", "--human-labels FILE", "the completed file from `label`", {}),
    ("score", "--fail-under SCORE", "exit with 1 if the score is below this", {"type": float}),
    ("score", "--export KIND[=FILE]", "write a record: eval-results (the Hub's YAML) or every-eval-ever (JSON)", {}),
    ("score", "--about KEY=VALUE…", "what the record says about the run: model=… dataset=… task=…", {}),
    ("compare", "--baseline NAME", "the system to compare others with, or all for every pair", {}),
    ("compare", "--repeats", "treat rows with the same id as samples of one question", {}),
    ("compare", "--fail-if-worse", "exit with 1 if a system is significantly worse (by more than --margin)", {}),
    ("compare", "--margin M", "largest difference that does not matter", {"type": float}),
    ("compare", "--human-labels FIELD", "field with human labels", {}),
    ("repeats", "-k K…", "k of pass@k (default: 1, 5, 10, if they fit)", {"type": int, "default": None}),
    ("repeats", "--answers FIELD", "field of answers, for majority@n", {}),
    ("label", "-n N", "number of rows (default: 200)", {"type": int, "default": 200}),
    ("label", "--seed N", "random seed (default: 0)", {"type": int, "default": 0}),
    ("label", "-o --output FILE", "the CSV file to fill in", {"required": True}),
)
_STYLES = {
    "json": "print the result as JSON, and nothing else to stdout",
    "markdown": "print a table in Markdown",
    "latex": "print a table in LaTeX (booktabs)",
    "csv": "print a table in CSV",
}


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command line; `metric` lists names of metrics, and `option_<name>` is an option of theirs that is set."""
    metrics = _named_metrics(arguments)
    parser = _parser(arguments[0] if arguments else "", tuple(metrics))[0]
    if "--version" in arguments:  # which takes as long as everything else here
        print(f"answer-metrics {answer_metrics.__version__}")
        parser.exit()
    args = parser.parse_args(arguments)
    if arguments[0] in _WITH_METRIC:
        args.metric = metrics
        args.missing = "error" if args.missing == "raise" else args.missing
        if len(metrics) > 1 and args.command != "score":
            raise ValueError(f"{args.command} takes one --metric, got {', '.join(metrics)}")
    return args


def value_of(text: str) -> Any:
    """Read a value as JSON if it is a number, a list, true, false or null; otherwise it is text."""
    if re.fullmatch(r"[+-]?(\d+\.|\.\d+)", text):  # which JSON does not write
        return float(text)
    try:
        return json.loads(text)
    except ValueError:
        return text


def pairs(texts: Sequence[str], flag: str) -> dict[str, str]:
    """Read arguments of the form name=value."""
    for text in texts:
        if "=" not in text:
            raise ValueError(f"{flag} takes name=value, got {text!r}")
    return dict(text.split("=", 1) for text in texts)


def with_flags(message: str, args: argparse.Namespace | None) -> str:
    """Return a message with options as the command line writes them: `scale=(1, 5)` is `--scale 1 5`."""
    metrics = getattr(args, "metric", None)
    if not isinstance(metrics, list):
        return message
    own = set().union(*(cls.options.keys() - cls.secrets for cls in map(answer_metrics.metric_class, metrics)))
    names = "|".join({*own, *vars(args)} - RESULT_OPTIONS.keys())
    value = r"\([^()]*\)|\{[^{}]*\}|\[[^][]*\]|\"[^\"]*\"|'[^']*'|[\w.+-]+"
    as_written = r"--[\w-]+(?: \w+=\S*)+"  # such as --columns references=gold
    subject = rf"(?P<before>^|: |but )(?P<name>{'|'.join(own)})(?=(\[\d+\])? (must|has|needs) )"
    assigned = rf"\b(?P<option>{names})=(?P<value>{value})?"

    def as_flag(match: re.Match[str]) -> str:
        name, argument = match["name"] or match["option"], match["value"] or ""
        if not name:
            return match[0]
        flag = f"-{name}" if name == "k" and name in vars(args) else f"--{name.replace('_', '-')}"
        if argument in {"True", "False"}:
            return flag if argument == "True" else flag.replace("--", "--no-")
        words = re.findall(r"[^\s,(){}\[\]\"']+", re.sub(r"[\"']?: *", "=", argument))
        return " ".join([(match["before"] or "") + flag, *words])

    return re.sub(f"{as_written}|{subject}|{assigned}", as_flag, message)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, with the option that was probably meant."""

    command: str | None = None
    """The command of the line, if the parser is that of all commands."""

    def error(self, message: str) -> NoReturn:
        if unknown := re.search(r"unrecognized arguments: (--[\w-]+)", message):
            flag = unknown[1]
            commands = next(action.choices for action in self._actions if isinstance(action.choices, dict))
            others = " and ".join(name for name in commands if flag in _flags(_parser(name)[1]))
            own = [parser for name, parser in commands.items() if name == self.command]
            by_name = {name.removeprefix("--"): name for name in _flags(self, *own)}  # dashes are no likeness
            close = difflib.get_close_matches(flag.removeprefix("--"), by_name, n=1)
            message = f"there is no option {flag}" + (f"; did you mean {by_name[close[0]]}?" if close else "")
            if others:
                message = f"{self.command} has no option {flag}; {others} {'have' if ' ' in others else 'has'}"
        if choice := re.search(r"(?:argument .*: )?invalid choice: '([^']*)' \(choose from (.*)\)", message):
            choices = re.findall(r"[\w-]+", choice[2])
            message = f"there is no {choice[1]!r}{did_you_mean(choice[1], choices)}"
        raise ValueError(message)


def _flags(*parsers: argparse.ArgumentParser) -> set[str]:
    return {flag for parser in parsers for action in parser._actions for flag in action.option_strings}


def _named_metrics(arguments: Sequence[str]) -> list[str]:
    """Find the metrics, on which the options depend: as named, else as noted in a scored file, else accuracy."""
    if not arguments or arguments[0] not in _WITH_METRIC:
        return []
    named = _Parser(add_help=False, allow_abbrev=False)
    named.add_argument("-m", "--metric", choices=answer_metrics.names(), action="append", default=[])
    metrics = list(dict.fromkeys(named.parse_known_args(arguments[1:])[0].metric))
    if metrics or {"-h", "--help"} & set(arguments):
        return metrics
    from answer_metrics.cli.scoring import note_of  # takes a second

    return [next(filter(None, (note_of(argument).get("metric") for argument in arguments[1:])), "accuracy")]


@functools.cache
def _parser(command: str, metrics: tuple[str, ...] = ()) -> tuple[_Parser, Any]:
    """Return the parser of all commands and that of one, the only one with arguments: to add them takes time."""
    parser = _Parser("answer-metrics", description="Score answers in files.", allow_abbrev=False)
    parser.command = command
    parser.add_argument("--version", action="store_true", help="show the version")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name, text in _COMMANDS.items():
        usage = f"answer-metrics {name} FILE … [options]" if name in _WITH_METRIC else None
        commands.add_parser(name, help=text, description=f"{text.capitalize()}.", usage=usage, allow_abbrev=False)
    own: Any = commands.choices.get(command)
    if command in _WITH_METRIC:
        own.add_argument("files", nargs="+" if command in _TWO.split() else 1, metavar="FILE", help=_FILES)
    for names, spec, text, settings in _ARGUMENTS:
        if command not in names.split():
            continue
        flags = [word for word in spec.split() if word.startswith("-")]
        metavar = spec.split()[-1]
        kind: dict[str, Any] = {"metavar": metavar.rstrip("…")}
        if metavar in flags:
            kind = {"action": "store_true"}
        elif metavar.endswith("…"):
            kind |= {"nargs": "+", "default": []}
        own.add_argument(*flags, help=text, **kind | settings)
    if command in {"score", "compare", "repeats"}:
        styles = own.add_mutually_exclusive_group()
        for style, text in _STYLES.items():
            settings = {"dest": "style", "action": "store_const", "const": style, "default": "text"}
            styles.add_argument(f"--{style}", help=text, **settings)
    if command == "space":
        own.add_argument("metric", choices=answer_metrics.names())
    for metric in metrics:
        _add_options(own, metric)
    return parser, own


def _add_options(parser: argparse.ArgumentParser, metric: str) -> None:
    """Add the options of a metric, whose values the metric checks; secrets come from the environment only."""
    cls = answer_metrics.metric_class(metric)
    settings: dict[str, Any]
    group = parser.add_argument_group(f"options of {metric}")
    taken = _flags(parser)
    for name, option in cls.options.items():
        flag = f"--{name.replace('_', '-')}"
        if name in RESULT_OPTIONS or name in cls.secrets or flag in taken:
            continue
        text = f"{option.help} ({option.type_name}; default: {option.default})".replace("%", "%%")
        settings = {"type": value_of, "metavar": "VALUE"}
        if option.accepts(bool) and not option.choices:
            settings = {"action": argparse.BooleanOptionalAction}
        elif option.choices and not option.accepts(collections.abc.Callable):
            settings["metavar"] = "{" + ",".join(option.choices) + "}"
        if option.accepts(tuple) or option.accepts(list):
            settings["nargs"] = "+"
        group.add_argument(flag, dest=f"option_{name}", default=argparse.SUPPRESS, help=text, **settings)
