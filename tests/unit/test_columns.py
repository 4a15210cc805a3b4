"""Input columns: every kind of string column and list column, and every kind of bad value."""

import enum
from array import array
from collections import UserList
from collections import deque
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from metrics._shared._columns import ReferenceColumn
from metrics._shared._columns import StringColumn
from metrics._shared._columns import StringListColumn
from metrics._shared._strings import call_for_each
from metrics._shared._strings import describe
from metrics._shared._strings import map_strings
from metrics._shared._tabular import LONG_LIST
from metrics._shared._tabular import plain_list


class City(enum.StrEnum):
    PARIS = "Paris"


class OldCity(str, enum.Enum):  # noqa: UP042  # the common form before StrEnum
    PARIS = "Paris"


class Shouting(str):
    __slots__ = ()

    def __str__(self) -> str:
        return self.upper()


def is_plain(value: Any) -> bool:
    return all(map(is_plain, value)) if type(value) is list else type(value) is str


COLUMNS = {
    "list": ["a", "b"],
    "tuple": ("a", "b"),
    "generator": (text for text in "ab"),
    "dict keys": {"a": 1, "b": 2}.keys(),
    "deque": deque("ab"),
    "UserList": UserList("ab"),
    "numpy strings": np.array(["a", "b"]),
    "numpy objects": np.array(["a", "b"], dtype=object),
    "numpy variable-width strings": np.array(["a", "b"], dtype=np.dtypes.StringDType()),
    "list of numpy strings": list(np.array(["a", "b"])),
    "pandas objects": pd.Series(["a", "b"], dtype=object),
    "pandas strings": pd.Series(["a", "b"], dtype="string"),
    "pandas, filtered": pd.Series(["x", "a", "b"])[1:],
    "pandas categories": pd.Series(["a", "b"], dtype="category"),
    "pandas index": pd.Index(["a", "b"]),
    "Arrow array": pa.array(["a", "b"]),
    "Arrow chunks": pa.chunked_array([["a"], ["b"]]),
    "Arrow large strings": pa.array(["a", "b"], pa.large_string()),
    "Arrow dictionary": pa.array(["a", "b"]).dictionary_encode(),
    "datasets column": datasets.Dataset.from_dict({"x": ["a", "b"]})["x"],
    "datasets column as a list": datasets.Dataset.from_dict({"x": ["a", "b"]})["x"][:],
    "iterable datasets column": datasets.Dataset.from_dict({"x": ["a", "b"]}).to_iterable_dataset()["x"],
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_string_columns_of_any_type_become_lists_of_str(column: Any) -> None:
    strings = StringColumn().check("x", plain_list("x", column))
    assert strings == ["a", "b"]
    assert is_plain(strings)


class PolarsLikeColumn:
    """The only method of a polars Series that is used."""

    def to_list(self) -> list[str]:
        return ["a", "b"]


def test_column_with_to_list_becomes_a_list() -> None:
    assert plain_list("x", PolarsLikeColumn()) == ["a", "b"]


@pytest.mark.parametrize("text", [City.PARIS, OldCity.PARIS, Shouting("Paris"), np.str_("Paris")])
def test_subclass_of_str_becomes_str_of_the_same_value(text: str) -> None:
    """This holds even if its `__str__` returns something else."""
    for column in (StringColumn(), ReferenceColumn()):
        (result,) = column.check("x", [text])
        assert (result, type(result)) == ("Paris", str)
    ((result,),) = StringListColumn().check("x", [[text]])
    assert (result, type(result)) == ("Paris", str)


LISTS = {
    "lists": [["a", "b"], ["c"]],
    "tuples": (("a", "b"), ("c",)),
    "mixed sequences": [("a", "b"), ["c"]],
    "numpy array of arrays": np.array([np.array(["a", "b"]), np.array(["c"])], dtype=object),
    "list of object arrays": [np.array(["a", "b"], dtype=object), np.array(["c"], dtype=object)],
    "pandas lists": pd.Series([["a", "b"], ["c"]]),
    "pandas cells that are Series": [pd.Series(["a", "b"]), pd.Series(["c"])],
    "Arrow lists": pa.array([["a", "b"], ["c"]]),
    "Arrow list views": pa.array([["a", "b"], ["c"]], pa.list_view(pa.string())),
    "Arrow lists of a dictionary of views": pa.ListArray.from_arrays(
        [0, 2, 3], pa.array(["a", "b", "c"]).dictionary_encode().cast(pa.dictionary(pa.int32(), pa.string_view()))
    ),
    "datasets column": datasets.Dataset.from_dict({"x": [["a", "b"], ["c"]]})["x"],
}


@pytest.mark.parametrize("column", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("kind", [StringListColumn(), ReferenceColumn()], ids=["StringListColumn", "ReferenceColumn"])
def test_list_columns_of_any_type_become_lists_of_lists(column: Any, kind: StringListColumn) -> None:
    lists = kind.check("x", plain_list("x", column))
    assert lists == [["a", "b"], ["c"]]
    assert is_plain(lists)


def test_two_dimensional_array_becomes_lists() -> None:
    assert ReferenceColumn().check("x", plain_list("x", np.array([["a", "b"], ["c", "d"]]))) == [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (None, "x is missing"),
        ("ab", "x is a bare str"),
        (np.str_("ab"), "x is a bare str_"),
        (b"ab", "x is a bare bytes"),
        ({"a": "b"}, "x is a dict"),
        ({"a", "b"}, "x is a set"),
        (frozenset("ab"), "x is a frozenset"),
        (pd.DataFrame({"a": ["x"], "b": ["y"]}), "x is a DataFrame"),  # iterating would give its column names
        (pa.table({"a": ["x"]}), "x is a Table"),
        (3, r"x is 3 \(int\)"),
        (np.array("a"), r"x is array\('a'"),
        (len, "x is <built-in function len>"),
    ],
)
def test_value_that_is_not_a_column_is_rejected(column: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        plain_list("x", column)


NOT_STRINGS = [
    (None, "None, not a string; a missing text"),
    (float("nan"), "nan (float), not a string; a missing text"),
    (np.float64("nan"), "np.float64(nan) (float64), not a string; a missing text"),
    (pd.NA, "<NA> (NAType), not a string; a missing text"),
    (pd.NaT, "NaT (NaTType), not a string; a missing text"),
    (1, "1 (int), not a string; for class labels"),
    (True, "True (bool), not a string; for class labels"),
    (np.int64(1), "np.int64(1) (int64), not a string; for class labels"),
    (1.5, "1.5 (float), not a string"),
    (b"a", "b'a' (bytes), not a string"),
    (["a"], "['a'] (list), not a string"),
    (np.array(["a", "b"]), "array(['a', 'b'], dtype='<U1') (ndarray), not a string"),
    (np.array([["a"]]), "array([['a']], dtype='<U1') (ndarray), not a string"),
    ({"a": 1}, "{'a': 1} (dict), not a string"),
    (pd.Series(["a", "b"]), "(Series), not a string"),
    ("\ud800a", "contains a lone surrogate, U+D800 at character 0"),
    ("ab\udc80", "contains a lone surrogate, U+DC80 at character 2"),
]


@pytest.mark.parametrize(("value", "message"), NOT_STRINGS, ids=[f"{row[0]!a}"[:30] for row in NOT_STRINGS])
def test_bad_value_is_rejected_with_its_index(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r"^x\[1\] ") as caught:
        StringColumn().check("x", ["fine", value, "fine"])
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(("value", "message"), NOT_STRINGS, ids=[f"{row[0]!a}"[:30] for row in NOT_STRINGS])
@pytest.mark.parametrize("kind", [StringListColumn(), ReferenceColumn()], ids=["StringListColumn", "ReferenceColumn"])
def test_bad_value_in_a_list_is_rejected_with_both_indices(kind: StringListColumn, value: Any, message: str) -> None:
    if kind.allow_empty:
        message = message.replace("for class labels", "pass chunk ids as strings")
    with pytest.raises(ValueError, match=r"^x\[1\]\[2\] ") as caught:
        kind.check("x", [["fine"], ["fine", "fine", value], [None]])
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "value", ["ab", None, 3, {"a"}, {"a": "b"}, (c for c in "ab"), np.array("a"), b"ab", array("u", "ab")]
)
def test_row_that_is_not_a_list_is_rejected(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^x\[1\] is .*, not a list of strings"):
        StringListColumn().check("x", [["a"], value])


def test_empty_list_is_accepted_but_empty_references_are_rejected() -> None:
    assert StringListColumn().check("x", [[], ["a"]]) == [[], ["a"]]
    empties: list[Any] = [[], (), np.array([], dtype=object)]
    for empty in empties:
        with pytest.raises(ValueError, match=r"^x\[1\] is an empty list"):
            ReferenceColumn().check("x", [["a"], empty])


@pytest.mark.parametrize(
    ("column", "index"), [(["a", ["b"]], 1), ([["a"], ["b"], "c"], 2), (["a", np.array(["b"])], 1), ([["a"], None], 1)]
)
def test_strings_and_lists_mixed_in_references_are_rejected(column: Any, index: int) -> None:
    with pytest.raises(ValueError, match=rf"^x\[{index}\] is .*one\s+string per\s+example, or a list"):
        ReferenceColumn().check("x", column)


def test_long_values_are_shortened_in_messages() -> None:
    assert len(describe(["a" * 10**6])) < 100
    with pytest.raises(ValueError, match="not a string") as caught:
        StringColumn().check("x", [["word"] * 10**5])
    assert len(str(caught.value)) < 200


def test_checking_does_not_modify_the_column() -> None:
    column = [("a", "b"), ["c"]]
    ReferenceColumn().check("x", column)
    assert column == [("a", "b"), ["c"]]


@pytest.mark.parametrize(
    ("kind", "column", "arrow"),
    [
        (StringColumn(), ["a", ""], ["a", ""]),
        (StringColumn(), [], []),
        (StringListColumn(), [["a"], []], [["a"], []]),
        (StringListColumn(), [], []),
        (ReferenceColumn(), ["a", "b"], [["a"], ["b"]]),
        (ReferenceColumn(), [["a", "b"]], [["a", "b"]]),
        (ReferenceColumn(), [], []),
    ],
)
def test_to_arrow_encodes_values_in_the_declared_type(
    kind: StringColumn | StringListColumn, column: list[Any], arrow: list[Any]
) -> None:
    array = kind.to_arrow(column)
    assert array.type == kind.arrow_type
    assert array.to_pylist() == arrow


def test_map_strings_calls_the_function_once_per_column() -> None:
    calls: list[list[str]] = []

    def upper(texts: list[str]) -> list[str]:
        calls.append(texts)
        return [text.upper() for text in texts]

    assert map_strings(upper, ["a", "b"]) == ["A", "B"]
    assert map_strings(upper, [["a", "b"], [], ["c"]]) == [["A", "B"], [], ["C"]]
    assert map_strings(upper, []) == []
    assert calls == [["a", "b"], ["a", "b", "c"], []]


def test_user_function_that_does_not_return_a_string_is_rejected() -> None:
    assert call_for_each(str.upper, ["a"], option="f") == ["A"]
    with pytest.raises(ValueError, match=r"^f returned None for 'a', not a string"):
        call_for_each(lambda _: None, ["a"], option="f")  # type: ignore[arg-type, return-value]


def test_values_up_to_60_characters_are_shown_in_full() -> None:
    shown = "x" * (60 - len("''"))
    assert describe(shown) == f"'{shown}' (str)"
    longer = describe(shown + "x")
    assert longer == f"'{shown[:56]}... (str)"
    assert len(longer) == len("... (str)") + 57


def test_map_strings_handles_a_single_row() -> None:
    assert map_strings(lambda texts: [text.upper() for text in texts], ["a"]) == ["A"]
    assert map_strings(lambda texts: [text.upper() for text in texts], [["a"]]) == [["A"]]


def test_references_of_str_subclasses_are_accepted_and_integers_rejected() -> None:
    assert ReferenceColumn().check("references", [np.str_("a"), np.str_("b")]) == ["a", "b"]
    with pytest.raises(ValueError, match=r"^references\[1\] is 5 \(int\), not a string"):
        ReferenceColumn().check("references", [np.str_("a"), 5])


def test_references_of_one_type_are_returned_unchanged() -> None:
    assert ReferenceColumn().check("references", ["a", "b"]) == ["a", "b"]
    assert ReferenceColumn().check("references", [["a"], ["b", "c"]]) == [["a"], ["b", "c"]]
    with pytest.raises(ValueError, match=r"^references\[1\] is \['b'\] \(list\), but references\[0\] is 'a' \(str\)"):
        ReferenceColumn().check("references", ["a", ["b"], ["c"]])


@pytest.mark.parametrize("length", [2, 2 * LONG_LIST])
def test_set_of_references_is_rejected_at_any_length(length: int) -> None:
    with pytest.raises(ValueError, match=r"x\[0\] is \{'a'\} \(set\)"):
        ReferenceColumn("").check("x", plain_list("x", [{"a"}] * length))
    assert ReferenceColumn("").arrow_strings([{"a"}] * length) is None
