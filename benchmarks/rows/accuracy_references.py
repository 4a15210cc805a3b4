"""`accuracy` on Arrow columns with three references per prediction, against a loop that normalizes unequal texts."""

from collections.abc import Callable
from typing import Any

from benchmarks.inputs import answers
from benchmarks.ours import load
from benchmarks.row import Row
from benchmarks.row import Side
from benchmarks.row import agree


def inputs(size: int) -> dict[str, Any]:
    """Generate the pairs of the other rows, with two references of other pairs added to each."""
    pairs = answers(size)
    references = pairs["references"]
    several = [[references[index - 1], references[index - 2], text] for index, text in enumerate(references)]
    return {"predictions": pairs["predictions"], "references": several}


def ours(columns: dict[str, Any]) -> Callable[[], Any]:
    """The scalars of `compute`."""
    import pyarrow as pa

    metric = load("accuracy")
    arrow = {name: pa.array(column) for name, column in columns.items()}
    return lambda: metric.compute(**arrow, return_details=False)["accuracy"]


def normalizing(columns: dict[str, Any]) -> Callable[[], Any]:
    """The earlier `accuracy` on Python strings: if no reference equals the prediction, all are normalized."""
    from itertools import chain
    from itertools import compress

    from metrics._shared._normalization import normalize_column
    from metrics._shared._strings import unflatten

    predictions, references = columns["predictions"], columns["references"]

    def run() -> float:
        unequal = [one not in several for one, several in zip(predictions, references, strict=True)]
        given, several = list(compress(predictions, unequal)), list(compress(references, unequal))
        forms = unflatten(normalize_column(list(chain.from_iterable(several))), several)
        found = sum(form in accepted for form, accepted in zip(normalize_column(given), forms, strict=True))
        return (unequal.count(False) + found) / len(predictions)

    return run


ROW = Row(
    metric="accuracy",
    what="compute(return_details=False) of Arrow columns, three references",
    unit="pairs",
    inputs=inputs,
    sizes=(100_000, 1_000_000),
    smoke=500,
    ours=Side("accuracy", ours),
    peers=(Side("normalizing every unequal text, from lists", normalizing, at_least=5),),
    compare=agree,
)
