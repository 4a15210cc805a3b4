"""The arguments of the command line. Every option of a metric is an option here, with its help and its checks."""

import argparse
import collections.abc
import difflib
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
    "compare": "compare the answers of two systems or more",
    "repeats": "several samples of each question: their mean, pass@k, and what varies",
    "label": "draw rows for people to label",
    "space": "serve the page of a metric",
    "metrics": "list the metrics",
}
_WITH_METRIC = ("score", "compare", "repeats", "label")
_FILES = (
    "CSV, TSV, JSON, JSON Lines, Parquet, Arrow, lines of text, a folder of them, hf://owner/dataset, - for standard "
    "input; or what Inspect, lm-evaluation-harness, LightEval, SQuAD, KILT and TREC write"
)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command line; `metric` lists names of metrics, and `option_<name>` is an option of theirs that is set."""
    metrics = _named_metrics(arguments)
    parser, commands = _parser(arguments)
    if "--version" in arguments:  # which takes as long as everything else here
        print(f"answer-metrics {answer_metrics.__version__}")
        parser.exit()
    for metric in metrics:
        _add_options(commands[arguments[0]], metric)
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


# ---- the parser


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, with the option that was probably meant."""

    command: str | None = None
    """The command of the line, if the parser is that of all commands."""

    def error(self, message: str) -> NoReturn:
        unknown = re.search(r"unrecognized arguments: (--[\w-]+)", message)
        if unknown:
            message = self._unknown(unknown[1])
        choice = re.search(r"(?:argument .*: )?invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if choice:
            choices = re.findall(r"[\w-]+", choice[2])
            message = f"there is no {choice[1]!r}{did_you_mean(choice[1], choices)}"
        raise ValueError(message)

    def _unknown(self, flag: str) -> str:
        """Return the message about an option that the command does not have."""
        commands = next(action.choices for action in self._actions if isinstance(action.choices, dict))
        others = [name for name, parser in commands.items() if flag in _flags(parser)]
        if others:
            return (
                f"{self.command} has no option {flag}; {' and '.join(others)} {'has' if len(others) == 1 else 'have'}"
            )
        own = [commands[self.command]] if self.command in commands else commands.values()
        by_name = {name.removeprefix("--"): name for name in _flags(self, *own)}  # dashes are no likeness
        close = difflib.get_close_matches(flag.removeprefix("--"), by_name, n=1)
        return f"there is no option {flag}" + (f"; did you mean {by_name[close[0]]}?" if close else "")


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


def _parser(arguments: Sequence[str]) -> tuple[_Parser, dict[str, _Parser]]:
    parser = _Parser("answer-metrics", description="Score answers in files.", allow_abbrev=False)
    parser.command = arguments[0] if arguments else None
    parser.add_argument("--version", action="store_true", help="show the version")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    made = {
        name: commands.add_parser(name, help=text, description=f"{text.capitalize()}.", allow_abbrev=False)
        for name, text in _COMMANDS.items()
    }
    for name in _WITH_METRIC:
        _add_reading(made[name], "+" if name in {"score", "compare"} else 1)
    for name in ("score", "compare", "repeats"):
        _add_printing(made[name])
    for name in ("score", "compare"):
        made[name].add_argument("--by", metavar="FIELD", help="the same for each group of rows, such as the subjects")
        difference = "also say how many rows show such a difference between two systems"
        made[name].add_argument("--difference", type=float, metavar="D", help=difference)
    _add_score(made["score"])
    _add_compare(made["compare"])
    made["repeats"].add_argument("-k", type=int, nargs="+", metavar="K", help="the k of pass@k; 1, 5, 10 if they fit")
    made["repeats"].add_argument("--answers", metavar="FIELD", help="the field of answers, for majority@n")
    made["label"].add_argument("-n", type=int, default=200, help="number of rows; 200 by default")
    made["label"].add_argument("--seed", type=int, default=0, help="seed of the draw; 0 by default")
    made["label"].add_argument("-o", "--output", metavar="FILE", required=True, help="the CSV file to fill in")
    made["space"].add_argument("metric", choices=answer_metrics.names())
    return parser, made


def _add_reading(parser: argparse.ArgumentParser, number: Any) -> None:
    parser.add_argument("files", nargs=number, metavar="FILE", help=_FILES)
    metric = (
        "accuracy, or that of a scored file, by default; `score` takes several; with --help, also lists its options"
    )
    parser.add_argument("-m", "--metric", choices=answer_metrics.names(), action="append", help=metric)
    preset = "what the model wrote: `preset` among the metric's options"
    parser.add_argument("--preset", dest="option_preset", default=argparse.SUPPRESS, metavar="NAME", help=preset)
    parser.add_argument("--references", metavar="FILE", help="the file that has the references, by id or by position")
    parser.add_argument("--on", metavar="FIELD", help="the field of ids, by which rows belong together")
    parser.add_argument("--columns", nargs="+", default=[], metavar="INPUT=FIELD", help="which field is which input")
    missing = (
        "what a question without a prediction counts as: wrong (the default of score), ignore, which leaves it out, or "
        "error (that of compare, which also asks it of rows that only some systems have)"
    )
    parser.add_argument("--missing", choices=("wrong", "ignore", "error", "raise"), help=missing)
    unreferenced = "what to do about a prediction without a reference; an error by default, but not with TREC's qrels"
    parser.add_argument("--without-reference", choices=("error", "ignore"), help=unreferenced)
    parser.add_argument("--format", help="the format of the files; recognized by default")
    parser.add_argument("--encoding", help="the encoding of text files, such as cp1252; UTF-8 by default")
    parser.add_argument("--split", metavar="TEXT", help="what separates several references in one text, such as /")
    parser.add_argument("--set", nargs="+", default=[], metavar="OPTION=VALUE", help="any option of the metric")
    parser.add_argument("--quiet", action="store_true", help="print no progress and no remarks")


def _add_printing(parser: argparse.ArgumentParser) -> None:
    styles = parser.add_mutually_exclusive_group()
    for style, text in (
        ("json", "print the result as JSON, and nothing else on standard output"),
        ("markdown", "print a table in Markdown"),
        ("latex", "print a table in LaTeX (booktabs)"),
        ("csv", "print a table in CSV"),
    ):
        styles.add_argument(f"--{style}", dest="style", action="store_const", const=style, default="text", help=text)


def _add_score(parser: argparse.ArgumentParser) -> None:
    show = f"print the first N rows (10 by default) of these kinds: {', '.join(SHOW)}; wrong by default"
    parser.add_argument("--show", nargs="+", default=[], metavar="N|KIND", help=show)
    output = "write the rows with their scores: .parquet (which notes how they were scored), .csv or .jsonl"
    parser.add_argument("-o", "--output", metavar="FILE", help=output)
    parser.add_argument("--human-labels", metavar="FILE", help="the file that `label` wrote, filled in")
    parser.add_argument("--fail-under", type=float, metavar="SCORE", help="exit with 1 if the score is lower")
    export = "a record for others: eval-results (the Hub's YAML) or every-eval-ever (JSON), printed, or written to FILE"
    parser.add_argument("--export", metavar="KIND[=FILE]", help=export)
    about = "what the record says of the run: model=owner/name dataset=owner/name task=name …"
    parser.add_argument("--about", nargs="+", default=[], metavar="KEY=VALUE", help=about)


def _add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--baseline", metavar="NAME", help="the system that others are compared with, or all")
    parser.add_argument("--repeats", action="store_true", help="rows with the same id are samples of one question")
    worse = "exit with 1 if a system is significantly worse than the baseline, with --margin by more than that"
    parser.add_argument("--fail-if-worse", action="store_true", help=worse)
    parser.add_argument("--margin", type=float, metavar="M", help="the largest difference that does not matter")
    parser.add_argument("--human-labels", metavar="FIELD", help="the field of labels from people")


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
