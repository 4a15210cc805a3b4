"""Say under which licence everything stands that is installed here, and fail for what is not permissive.

Run in an environment that has been installed from constraints.txt. A package that needs a look stands in `LOOKED_AT`
with what was found; anything else whose licence is neither permissive nor there is a failure.
"""

import re
import sys
from collections import Counter
from importlib import metadata

PERMISSIVE = re.compile(
    r"\b(MIT|BSD|0BSD|Apache|ISC|PSF|Python Software Foundation|Zlib|HPND|CNRI-Python|Unlicense|CC0|Public Domain|"
    r"MIT-CMU|Historical Permission)\b",
    re.IGNORECASE,
)
OTHERS = re.compile(r"\b(A?GPL|LGPL|MPL|Mozilla|GNU|EUPL|CDDL|EPL|Eclipse|SSPL|BUSL|Proprietary)", re.IGNORECASE)
LOOKED_AT = {
    "certifi": "MPL-2.0: the file of certificates, used as it is; no duty on who only imports it",
    "hypothesis": "MPL-2.0: for the tests only",
    "orjson": "MPL-2.0 AND (Apache-2.0 OR MIT): with Gradio, for the Spaces only; used as it is",
    "pathspec": "MPL-2.0: with mypy, for the checks only",
    "tqdm": "MPL-2.0 AND MIT: used as it is by datasets and by us; no duty on who only imports it",
}
_LONGEST = 80


def licence(package: metadata.Distribution) -> str:
    """Read what a package says of its licence: the expression, else the classifiers, else the free text."""
    about = package.metadata
    classifiers = [
        line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if line.startswith("License ::")
    ]
    expression, free = about.get_all("License-Expression") or [], about.get_all("License") or []
    text = "; ".join(expression or classifiers or free) or "not said"
    return " ".join(text.split())[:_LONGEST]


def main() -> int:
    """Print the table of what is not permissive, and a count of the rest."""
    rest: Counter[str] = Counter()
    unknown = 0
    for package in sorted(metadata.distributions(), key=lambda one: one.name.lower()):
        said = licence(package)
        if PERMISSIVE.search(said) and not OTHERS.search(said):
            rest[said] += 1
            continue
        found = LOOKED_AT.get(package.name.lower())
        unknown += found is None
        print(f"{package.name} {package.version}: {said} ({found or 'NOT LOOKED AT YET'})")
    print(
        f"{rest.total()} packages are permissive: {', '.join(f'{count} {name}' for name, count in rest.most_common(8))}"
    )
    return int(unknown > 0)


if __name__ == "__main__":
    sys.exit(main())
