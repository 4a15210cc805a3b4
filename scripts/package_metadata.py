"""What the package requires, as pip reads it: the lines of metrics/*/requirements.txt, so that each is written once.

A hook of Hatchling, which builds the package. `pip install answer-metrics` gets what every metric needs; libraries that
few users need are extras.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

EXTRAS = {"judge": ("genai-prices", "openai"), "math": ("math-verify",)}
"""Libraries that are installed by an extra only, by the extra's name."""
SPACE = ["gradio[mcp]>=6,<7", "pandas>=2.2"]
"""What a page needs; on the Hub, Gradio's version is that of the card."""


def requirements(root: Path) -> list[str]:
    """Return the distinct lines of all requirements.txt, also those behind "# Optional, for …:"; no other comments."""
    files = sorted(root.glob("metrics/[!_]*/requirements.txt"))
    texts = [re.sub(r"(?m)^# Optional, [^:\n]*: ", "", file.read_text(encoding="utf-8")) for file in files]
    lines = [line.partition("#")[0].strip() for text in texts for line in text.splitlines()]
    return sorted({line for line in lines if line})


class PackageMetadata(MetadataHookInterface):
    """Fills in the dependencies and the extras of pyproject.toml."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add them; see Hatchling's documentation of metadata hooks."""
        lines = requirements(Path(self.root))
        extras = {name: [line for line in lines if line.startswith(libraries)] for name, libraries in EXTRAS.items()}
        extras["space"] = SPACE
        optional = {line for lines in extras.values() for line in lines}
        metadata["dependencies"] = [line for line in lines if line not in optional]
        metadata["optional-dependencies"] = {**extras, "all": sorted(optional)}
