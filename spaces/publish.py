"""Publish metric directories as Spaces on the Hugging Face Hub: `make publish ORG=...`.

All checks that do not write run first, for all directories: static checks of the files, whether each metric loads and
each app starts in isolation, and the current state of each Space. Each Space then gets one commit, which the Hub
rejects if the Space has changed in the meantime, and one tag.

The token is taken from the environment variable HF_TOKEN and is never shown.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from huggingface_hub import HfApi

from spaces.build import published_directories
from spaces.checks import check_alone, check_directory
from spaces.files import (
    REPOSITORY_LINK,
    PublishError,
    SpaceFiles,
    clean_commit,
    is_metric,
    read_space,
    repository_address,
)
from spaces.flatten import ROOT
from spaces.hub import HubUnreachableError, Plan, apply_plan, make_plan, translate_errors, wait_until_running

GALLERY = ROOT / "spaces" / "gallery"


def find_directories(names: Sequence[str]) -> list[Path]:
    """Return the directories to publish: those named, or every metric and the gallery."""
    if not names:
        return published_directories()
    known = {GALLERY.name: GALLERY}
    directories = [known.get(name, ROOT / "metrics" / name) for name in names]  # joining an absolute path returns it
    for name, path in zip(names, directories, strict=True):
        if not path.is_dir() or path.name.startswith("_"):
            raise PublishError(f"There is no metric {name!r} to publish.")
    return directories


def read_spaces(directories: Sequence[Path], arguments: argparse.Namespace, endpoint: str) -> list[SpaceFiles]:
    """Check the directories and return their Spaces, or raise a `PublishError` that lists all problems."""
    sdks = {path: "static" if arguments.free and is_metric(path) else arguments.sdk for path in directories}
    _stop_at([sentence for path, sdk in sdks.items() for sentence in check_directory(path, sdk)])
    gallery = f"{endpoint}/spaces/{arguments.org}/{GALLERY.name}" if arguments.free or GALLERY in directories else None
    address = arguments.repository or repository_address(ROOT)
    options = {"zero_gpu": arguments.free, "gallery": gallery, "repository": address and address.rstrip("/")}
    spaces = [read_space(path, arguments.org, sdk, **options) for path, sdk in sdks.items()]
    if not arguments.dry_run:
        spaces = [replace(space, commit=clean_commit(path)) for path, space in zip(sdks, spaces, strict=True)]
        unknown = (
            "links to documents of this repository, whose address git does not know: add "
            "REPOSITORY=https://github.com/you/repository"
        )
        linking = [space.space for space in spaces if REPOSITORY_LINK.encode() in space.files["README.md"]]
        _stop_at([f"{name}/README.md {unknown}" for name in linking])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = pool.map(check_alone, [path.name for path in directories], spaces)
        _stop_at([sentence for outcome in outcomes for sentence in outcome])
    return spaces


def _stop_at(problems: Sequence[str]) -> None:
    if problems:
        raise PublishError("\n  ".join(["Nothing was published:", *problems]))


def make_plans(api: HfApi, spaces: Sequence[SpaceFiles], arguments: argparse.Namespace) -> list[Plan]:
    """Compare each Space with the Hub; a dry run that cannot reach the Hub only shows the files to publish."""
    try:
        return [make_plan(api, target, force=arguments.force) for target in spaces]
    except HubUnreachableError as error:
        if not arguments.dry_run:
            raise
        _print(f"Not compared with the Hub. {error}")
        return [Plan(target, f"{api.endpoint}/spaces/{target.space}", is_compared=False) for target in spaces]


def run(arguments: argparse.Namespace) -> None:
    """Check, plan and, unless it is a dry run, publish and wait until the Spaces run."""
    token = os.environ.get("HF_TOKEN", "").strip()
    if not re.fullmatch(r"[\w-][\w.-]*", arguments.org, flags=re.ASCII):
        raise PublishError("ORG must be your name or your organization's on the Hub: make publish ORG=...")
    if not token and not arguments.dry_run:
        raise PublishError("HF_TOKEN is not set: set it to a token with write access (or preview with DRY_RUN=1).")
    if not re.fullmatch(r"[!-~]*", token):
        raise PublishError("HF_TOKEN contains characters that are not valid in a token: copy it again.")
    # Without a token the client would look for one on disk; False prevents that.
    api = HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None, token=token or False)
    spaces = read_spaces(find_directories(arguments.metrics), arguments, api.endpoint)
    if not arguments.dry_run:
        with translate_errors(api, arguments.org):
            api.whoami()
    plans = make_plans(api, spaces, arguments)
    if arguments.dry_run:
        _print("\n".join([*map(str, plans), "This was a dry run: nothing was written."]))
        return
    published = []
    for plan in plans:
        if not plan.has_changes and not plan.needs_tag:
            _print(f"{plan.target.space} is up to date: nothing was written.")
            continue
        published.append((plan, apply_plan(api, plan)))
        written = f"{len(plan.added) + len(plan.changed)} files written, {len(plan.deleted)} deleted"
        tag = f", tag {plan.target.tag}" if plan.needs_tag else ""
        _print(f"{plan.target.space}: {written if plan.has_changes else 'no change'}{tag}. See {plan.url}")
    _wait(api, published, arguments.wait)


def _wait(api: HfApi, published: Sequence[tuple[Plan, str]], seconds: float) -> None:
    failures = []
    for plan, commit in published:
        if plan.target.sdk == "static" or not plan.has_changes or not seconds:
            continue
        try:
            taken = wait_until_running(api, plan, commit, seconds)
        except PublishError as error:
            failures.append(str(error))
        else:
            _print(f"{plan.target.space} is running, {taken:.0f} seconds later.")
    if failures:
        raise PublishError("\n".join(failures))


def _print(text: str, stream: TextIO | None = None) -> None:
    token = os.environ.get("HF_TOKEN", "").strip()
    # Messages of the Hub are printed too, so the token is masked to be safe.
    print(text.replace(token, "[token]") if token else text, file=stream, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m spaces.publish", description="Publish metrics as Spaces.")
    parser.add_argument("org", metavar="ORG", help="your name, or your organization's, on the Hub")
    parser.add_argument("metrics", metavar="METRIC", nargs="*", help="default: all metrics and the gallery")
    parser.add_argument("--dry-run", action="store_true", help="show the changes without publishing")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--sdk", choices=["static"], help="static: a page made of the card replaces the app")
    kind.add_argument(
        "--free", action="store_true", help="publish without a paid plan: static metrics, and the gallery on ZeroGPU"
    )
    parser.add_argument(
        "--repository", metavar="URL", help="the address that cards link to; default: that of the git remote origin"
    )
    parser.add_argument("--force", action="store_true", help="publish over a Space that was not made by this command")
    parser.add_argument("--wait", type=float, default=900, metavar="SECONDS", help="for Spaces to run; 0: do not wait")
    try:
        run(parser.parse_args(argv))
    except PublishError as error:
        _print(str(error), sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
