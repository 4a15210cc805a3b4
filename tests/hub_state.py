"""State of the loopback Hub: Spaces, each with its commits and tags."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from dataclasses import field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def blob_id(content: bytes) -> str:
    """Return git's name of a file's content, which the Hub calls its oid and sends as its ETag."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()  # noqa: S324  # git's own choice


@dataclass(frozen=True)
class Commit:
    """One state of a Space: all its files, by path."""

    oid: str
    message: str
    files: Mapping[str, bytes]


@dataclass
class Space:
    """A Space's history, oldest commit first, and its tags (name to commit id)."""

    sdk: str
    commits: list[Commit] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def head(self) -> Commit:
        """The commit that `main` points to."""
        return self.commits[-1]

    def add(self, message: str, files: Mapping[str, bytes]) -> Commit:
        """Append a commit whose state is exactly `files`."""
        content = "".join(f"{path} {blob_id(files[path])}\n" for path in sorted(files))
        seed = f"{len(self.commits)}\n{message}\n{content}"
        oid = hashlib.sha1(seed.encode()).hexdigest()  # noqa: S324  # only has to look like a commit id
        self.commits.append(Commit(oid, message, dict(files)))
        return self.head

    def find(self, revision: str) -> Commit | None:
        """Return the commit named by `main`, a tag or a commit id."""
        if revision in {"main", "refs/heads/main"}:
            return self.head
        oid = self.tags.get(revision, revision)
        return next((commit for commit in self.commits if commit.oid == oid), None)
