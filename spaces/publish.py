"""Publish metric directories as Spaces on the Hugging Face Hub: `make publish ORG=...`.

All checks that do not write run first, for all directories: static checks of the files, whether each metric loads and
each app starts in isolation, and the current state of each Space. Each Space then gets one commit, which the Hub
rejects if the Space has changed in the meantime, and one tag.

The token is taken from the environment variable HF_TOKEN and is never shown.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from huggingface_hub import HfApi

from scripts.vendor import ROOT
from scripts.vendor import metric_directories
from spaces.checks import SDKS
from spaces.checks import check_directory
from spaces.hub_errors import HubUnreachableError
from spaces.hub_errors import PublishError
from spaces.hub_errors import translate_errors
from spaces.isolated_checks import check_isolated
from spaces.plans import Plan
from spaces.plans import SpaceFiles
from spaces.plans import apply_plan
from spaces.plans import make_plan
from spaces.plans import read_space
from spaces.plans import wait_until_running
from spaces.published_files import is_metric
from spaces.static_page import Link

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Sequence
    from pathlib import Path

GALLERY = ROOT / "spaces" / "gallery"


def find_directories(names: Sequence[str]) -> list[Path]:
    """Return the directories to publish: those named, or every metric and the gallery."""
    if not names:
        return [*metric_directories(), *([GALLERY] if GALLERY.is_dir() else [])]
    known = {GALLERY.name: GALLERY}
    found = [known.get(name, ROOT / "metrics" / name) for name in names]  # joining an absolute path returns it
    for name, path in zip(names, found, strict=True):
        if not path.is_dir() or path.name.startswith("_"):
            raise PublishError(f"There is no metric {name!r} to publish.")
    return found


def read_token(environment: Mapping[str, str]) -> str | None:
    """Return the token, if there is one, after checking that it is a valid header value."""
    token = environment.get("HF_TOKEN", "").strip()
    if token and not (token.isascii() and token.isprintable() and " " not in token):
        raise PublishError("HF_TOKEN contains characters that are not valid in a token: copy it again.")
    return token or None


def read_spaces(directories: Sequence[Path], arguments: argparse.Namespace, endpoint: str) -> list[SpaceFiles]:
    """Check the directories and return their Spaces, or raise a `PublishError` that lists all problems."""
    sdks = {path: "static" if arguments.free and is_metric(path) else arguments.sdk for path in directories}
    found = [sentence for path, sdk in sdks.items() for sentence in check_directory(path, sdk)]
    if found:
        raise PublishError(_list_problems(found))
    links = (Link("Try it in the gallery", f"{endpoint}/spaces/{arguments.org}/{GALLERY.name}"),)
    spaces = [
        read_space(path, arguments.org, sdk, links=links if GALLERY in directories else ())
        for path, sdk in sdks.items()
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = pool.map(check_isolated, [path.name for path in directories], spaces)
        found = [sentence for outcome in outcomes for sentence in outcome]
    if found:
        raise PublishError(_list_problems(found))
    if arguments.free:  # after the checks, since the library of ZeroGPU is not installed here
        return [read_space(path, arguments.org, sdk, zero_gpu=True, links=links) for path, sdk in sdks.items()]
    return spaces


def _list_problems(sentences: Sequence[str]) -> str:
    return "Nothing was published:\n" + "\n".join(f"  {sentence}" for sentence in sentences)


def make_plans(api: HfApi, spaces: Sequence[SpaceFiles], arguments: argparse.Namespace) -> list[Plan]:
    """Compare each Space with the Hub; a dry run that cannot reach the Hub only shows the files to publish."""
    try:
        return [make_plan(api, target, force=arguments.force) for target in spaces]
    except HubUnreachableError as error:
        if not arguments.dry_run:
            raise
        _print(f"Not compared with the Hub. {error}", None)
        return [Plan(target, f"{api.endpoint}/spaces/{target.space}", is_compared=False) for target in spaces]


def run(arguments: argparse.Namespace, token: str | None) -> None:
    """Check, plan and, unless it is a dry run, publish and wait until the Spaces run."""
    if not re.fullmatch(r"[\w-][\w.-]*", arguments.org, flags=re.ASCII):
        raise PublishError("ORG must be your name or your organization's on the Hub: make publish ORG=...")
    if token is None and not arguments.dry_run:
        raise PublishError("HF_TOKEN is not set: set it to a token with write access (or preview with DRY_RUN=1).")
    directories = find_directories(arguments.metrics)
    # Without a token the client would look for one on disk; False prevents that.
    api = HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None, token=token or False)
    spaces = read_spaces(directories, arguments, api.endpoint)
    if token is not None and not arguments.dry_run:
        with translate_errors(api, arguments.org):
            api.whoami()
    plans = make_plans(api, spaces, arguments)
    if arguments.dry_run:
        for plan in plans:
            _print(str(plan), token)
        _print("This was a dry run: nothing was written.", token)
        return
    published = []
    for plan in plans:
        if not plan.has_changes and not plan.needs_tag:
            _print(f"{plan.target.space} is up to date: nothing was written.", token)
            continue
        published.append((plan, apply_plan(api, plan)))
        written = f"{len(plan.added) + len(plan.changed)} files written, {len(plan.deleted)} deleted"
        tag = f", tag {plan.target.tag}" if plan.needs_tag else ""
        _print(f"{plan.target.space}: {written if plan.has_changes else 'no change'}{tag}. See {plan.url}", token)
    _wait(api, published, arguments.wait, token)


def _wait(api: HfApi, published: Sequence[tuple[Plan, str]], seconds: float, token: str | None) -> None:
    failures = []
    for plan, commit in published:
        if plan.target.sdk == "static" or not plan.has_changes or not seconds:
            continue
        try:
            taken = wait_until_running(api, plan, commit, seconds)
        except PublishError as error:
            failures.append(str(error))
        else:
            _print(f"{plan.target.space} is running, {taken:.0f} seconds later.", token)
    if failures:
        raise PublishError("\n".join(failures))


def _print(text: str, token: str | None) -> None:
    # Messages of the Hub are printed too, so the token is masked to be safe.
    sys.stdout.write((text.replace(token, "[token]") if token else text) + "\n")
    sys.stdout.flush()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m spaces.publish", description="Publish metrics as Spaces.")
    parser.add_argument("org", metavar="ORG", help="your name, or your organization's, on the Hub")
    parser.add_argument("metrics", metavar="METRIC", nargs="*", help="what to publish (default: all, and the gallery)")
    parser.add_argument("--dry-run", action="store_true", help="show the changes without publishing")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--sdk", choices=SDKS, help="static: a page made of the card replaces the app")
    kind.add_argument(
        "--free", action="store_true", help="publish without a paid plan: static metrics, and the gallery on ZeroGPU"
    )
    parser.add_argument("--force", action="store_true", help="publish over a Space that was not made by this command")
    parser.add_argument("--wait", type=float, default=900, metavar="SECONDS", help="for Spaces to run; 0: do not wait")
    token = None
    try:
        token = read_token(os.environ)
        run(parser.parse_args(argv), token)
    except PublishError as error:
        sys.stdout.flush()
        text = str(error)
        sys.stderr.write((text.replace(token, "[token]") if token else text) + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
