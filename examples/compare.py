"""Compare two systems, and correct a score by human labels. Offline, no key, a few seconds.

    python examples/compare.py

The answers of the first system are in qa_sample.jsonl, those of the second in qa_second_system.jsonl, in a different
order; the rows are matched by their ids.
"""

import json
import textwrap
import warnings
from pathlib import Path
from typing import Any

import evaluate

HERE = Path(__file__).resolve().parent
METRICS = HERE.parent / "metrics"
LABELS = 30


def read(name: str) -> list[dict[str, Any]]:
    """Read a file of one JSON object per line."""
    with (HERE / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def main() -> None:
    """Compare two systems, then correct the score of the first by human labels."""
    sample, second = read("qa_sample.jsonl"), read("qa_second_system.jsonl")
    references = {row["id"]: row["references"] for row in sample}
    systems = {
        name: {
            "id": [row["id"] for row in rows],
            "predictions": [row["prediction"] for row in rows],
            "references": [references[row["id"]] for row in rows],
        }
        for name, rows in (("first", sample), ("second", second))
    }
    accuracy = evaluate.load(str(METRICS / "accuracy"))

    print("Is the second system better? One line for a paper:\n")
    result = accuracy.compare(systems, on="id", margin=0.05)
    print(result)

    found = result["systems"]["second"]
    low, high = (100 * end for end in found["difference_confidence_interval"])
    print(
        f"\nIn one sentence: the second system is better by {100 * found['difference']:.1f} points,\n95% CI "
        f"{low:.1f} to {high:.1f}; p = {found['p_value']:.2g}.\n\nHow would people have scored the first system?\n"
    )

    scored = accuracy.score_batch(systems["first"])
    drawn = accuracy.label_sample(scored, LABELS)
    labels = [int(row["is_right"]) if index in drawn else None for index, row in enumerate(sample)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        corrected = accuracy.aggregate(scored, human_labels=labels, return_details=False)
    low, high = corrected["accuracy_corrected_confidence_interval"]
    right = sum(row["is_right"] for row in sample) / len(sample)
    summary = (
        f"Accuracy counts {corrected['accuracy']:.1%} of the first system's answers as right. People labeled a random "
        f"sample of {corrected['labels']} of the {corrected['total']} answers and agree with the metric on "
        f"{corrected['agreement']:.1%} of them (kappa {corrected['kappa']:.2f}); of those that people call right, the "
        f"metric finds {corrected['sensitivity']:.1%}. The corrected score is {corrected['accuracy_corrected']:.1%}, "
        f"95% CI {low:.1%} to {high:.1%}. Labels of all {corrected['total']} answers give {right:.1%}."
    )
    print(textwrap.fill(summary, 80))


if __name__ == "__main__":
    main()
