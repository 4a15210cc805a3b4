"""The arguments of the command line. Every option of a metric is an option here, with its help and its checks."""

import argparse
import collections.abc
import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn

import answer_metrics
from answer_metrics import did_you_mean

RESULT_OPTIONS = {"return_details": False, "return_confidence": True, "return_signature": True}
"""Options of the result, and what they are unless `--set` says otherwise."""
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


def parse(given: Sequence[str]) -> argparse.Namespace:
    """Parse a command line; `metric` is the name of the metric, and `option_<name>` an option of it that was given."""
    metric = _named_metric(given)
    parser, commands = _parser()
    if "--version" in given:  # which takes as long as everything else here
        print(f"answer-metrics {answer_metrics.__version__}")
        parser.exit()
    if metric:
        _add_options(commands[given[0]], metric)
    return parser.parse_args(given, argparse.Namespace(metric=metric))


def value_of(text: str) -> Any:
    """Read a value as JSON if it is a number, a list, true, false or null; otherwise it is text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def pairs(given: Sequence[str], flag: str) -> dict[str, str]:
    """Read arguments of the form name=value."""
    for one in given:
        if "=" not in one:
            raise ValueError(f"{flag} takes name=value, got {one!r}")
    return dict(one.split("=", 1) for one in given)


# ---- the parser


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, with the option that was probably meant."""

    def error(self, message: str) -> NoReturn:
        unknown = re.search(r"unrecognized arguments: (--[\w-]+)", message)
        if unknown:
            commands = next(action.choices for action in self._actions if isinstance(action.choices, dict))
            hint = did_you_mean(unknown[1], _flags(self, *commands.values()), otherwise="").replace("'", "")
            message = f"there is no option {unknown[1]}{hint}"
        choice = re.search(r"(?:argument .*: )?invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if choice:
            known = re.findall(r"[\w-]+", choice[2])
            message = f"there is no {choice[1]!r}{did_you_mean(choice[1], known)}"
        raise ValueError(message)


def _flags(*parsers: argparse.ArgumentParser) -> set[str]:
    return {flag for one in parsers for action in one._actions for flag in action.option_strings}


def _named_metric(given: Sequence[str]) -> str | None:
    """Find the metric, on which the options depend: as named, else as noted in a scored file, else accuracy."""
    if not given or given[0] not in _WITH_METRIC:
        return None
    named = _Parser(add_help=False, allow_abbrev=False)
    named.add_argument("-m", "--metric", choices=answer_metrics.names())
    found: str | None = named.parse_known_args(given[1:])[0].metric
    if found or {"-h", "--help"} & set(given):
        return found
    from answer_metrics.cli.scoring import note_of  # takes a second

    return next(filter(None, (note_of(one).get("metric") for one in given[1:])), "accuracy")


def _parser() -> tuple[_Parser, dict[str, _Parser]]:
    parser = _Parser("answer-metrics", description="Score answers in files.", allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="show the version")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    made = {
        name: commands.add_parser(name, help=text, description=f"{text.capitalize()}.", allow_abbrev=False)
        for name, text in _COMMANDS.items()
    }
    for name in _WITH_METRIC:
        _add_reading(made[name], "+" if name == "compare" else 1)
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
    metric = "accuracy, or that of a scored file, by default; with --help, also lists its options"
    parser.add_argument("-m", "--metric", choices=answer_metrics.names(), default=argparse.SUPPRESS, help=metric)
    preset = "what the model wrote: `preset` among the metric's options"
    parser.add_argument("--preset", dest="option_preset", default=argparse.SUPPRESS, metavar="NAME", help=preset)
    parser.add_argument("--references", metavar="FILE", help="the file that has the references, by id or by position")
    parser.add_argument("--on", metavar="FIELD", help="the field of ids, by which rows belong together")
    parser.add_argument("--columns", nargs="+", default=[], metavar="INPUT=FIELD", help="which field is which input")
    parser.add_argument("--format", help="the format of the files; recognized by default")
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
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N rows that are wrong")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the rows with their scores: a .parquet file")
    parser.add_argument("--human-labels", metavar="FILE", help="the file that `label` wrote, filled in")
    parser.add_argument("--fail-under", type=float, metavar="SCORE", help="exit with 1 if the score is lower")
    export = "a record for others: eval-results (the Hub's YAML) or every-eval-ever (JSON), printed, or written to FILE"
    parser.add_argument("--export", metavar="KIND[=FILE]", help=export)
    about = "what the record says of the run: model=owner/name dataset=owner/name task=name …"
    parser.add_argument("--about", nargs="+", default=[], metavar="KEY=VALUE", help=about)


def _add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--baseline", metavar="NAME", help="the system that others are compared with, or all")
    parser.add_argument("--repeats", action="store_true", help="rows with the same id are samples of one question")
    parser.add_argument(
        "--missing", choices=("raise", "wrong"), default="raise", help="how rows count that a system lacks"
    )
    parser.add_argument("--margin", type=float, metavar="M", help="the largest difference that does not matter")
    parser.add_argument("--human-labels", metavar="FIELD", help="the field of labels from people")


def _add_options(parser: argparse.ArgumentParser, metric: str) -> None:
    """Add the options of a metric, whose values the metric checks; secrets come from the environment only."""
    cls = answer_metrics.metric_class(metric)
    group = parser.add_argument_group(f"options of {metric}")
    taken = _flags(parser)
    for name, option in cls.options.items():
        flag = f"--{name.replace('_', '-')}"
        if name in RESULT_OPTIONS or name in cls.secrets or flag in taken:
            continue
        text = f"{option.help} ({option.type_label}; default: {option.default})".replace("%", "%%")
        how: dict[str, Any] = {"type": value_of, "metavar": "VALUE"}
        if option.accepts(bool) and not option.choices:
            how = {"action": argparse.BooleanOptionalAction}
        elif option.choices and not option.accepts(collections.abc.Callable):
            how["metavar"] = "{" + ",".join(option.choices) + "}"
        if option.accepts(tuple) or option.accepts(list):
            how["nargs"] = "+"
        group.add_argument(flag, dest=f"option_{name}", default=argparse.SUPPRESS, help=text, **how)
