"""The command line: score files, compare them, and what else one does with files of answers.

`arguments.py` declares the commands, `commands.py` runs them; it is imported after the arguments are parsed, so that
--help is immediate.
"""

import os
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import NoReturn

from answer_metrics.cli.arguments import parse, with_flags


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0, 1 if `--fail-under` or `--fail-if-worse` applies, 2 for bad input, or 130 after Ctrl-C."""
    args = None
    try:
        args = parse(list(sys.argv[1:] if arguments is None else arguments))
        from answer_metrics.cli import commands  # takes a second

        with warnings.catch_warnings():
            warnings.simplefilter("default", UserWarning)
            warnings.showwarning = lambda message, *_: print(
                f"warning: {with_flags(str(message), args)}", file=sys.stderr
            )
            code = int(getattr(commands, args.command)(args))
        sys.stdout.flush()
    except BrokenPipeError:  # who reads the output, such as `head`, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130  # as in a shell
    except (ValueError, TypeError, OSError, ImportError) as error:
        print(f"answer-metrics: {with_flags(str(error), args)}", file=sys.stderr)
        return 2
    return code


def run() -> NoReturn:
    """Run as a program."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that unfinished files are removed
    sys.exit(main())


if __name__ == "__main__":
    run()
