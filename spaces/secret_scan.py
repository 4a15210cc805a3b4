"""Search the files of a Space for possible secrets, which are never repeated in messages."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping

SECRET_NAME = re.compile(
    r"(^|[._-])(id_rsa|id_ed25519|credentials?|secrets?|passwords?|passwd|tokens?|api_?keys?|keys?|env|netrc)([._-]|$)",
    flags=re.IGNORECASE,
)
SECRET_SUFFIXES = frozenset({".key", ".p12", ".pem", ".pfx"})
SECRET_PATTERNS = {
    "a Hugging Face token": r"\bhf_[A-Za-z0-9]{30,}",
    "an API key": r"\b(?:sk|xai|gsk|pplx|nvapi|fw|r8)[-_][A-Za-z0-9_-]{20,}",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})",
    "a GitLab token": r"\bglpat-[A-Za-z0-9_-]{20,}",
    "an AWS access key": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a Google API key": r"\bAIza[A-Za-z0-9_-]{35}",
    "a Slack token": r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
}
SECRET_VARIABLE = re.compile(r"(TOKEN|KEY|SECRET|PASSWORD)$")
MIN_SECRET = 12  # characters: shorter values of variables may be ordinary words of the card


def find_secrets(files: Mapping[str, bytes], environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield a sentence for each file whose name or content looks like a secret.

    Args:
        files: Contents by path.
        environment: Environment variables (default: those of this process); the values of those named `..._TOKEN`,
            `..._KEY`, `..._SECRET` and `..._PASSWORD` must not be published.
    """
    variables = os.environ if environment is None else environment
    values = {
        name: value.strip()
        for name, value in variables.items()
        if SECRET_VARIABLE.search(name) and len(value.strip()) >= MIN_SECRET
    }
    for path, content in files.items():
        name = Path(path)
        # A module such as _tokens.py is code; its content is searched anyway.
        if name.suffix in SECRET_SUFFIXES or (name.suffix != ".py" and SECRET_NAME.search(name.stem)):
            yield f"{path} is named like a secret, and is not published"
            continue
        text = content.decode(errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            for kind, pattern in SECRET_PATTERNS.items():
                if re.search(pattern, line):
                    found = f"{path}, line {number} contains what looks like {kind}"
                    yield f"{found}: remove it, and revoke it if it is real"
            for variable, value in values.items():
                if value in line:
                    yield f"{path}, line {number} contains the value of the environment variable {variable}: remove it"
