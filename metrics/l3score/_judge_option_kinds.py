"""Kinds of options that only judges have; see `_options.py` for those of all metrics."""

import json
import math
import numbers
import os
from collections.abc import Callable
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ._options import Integer
from ._options import OptionKind
from ._options import did_you_mean
from ._pickling import Secret
from ._providers import check_provider
from ._providers import resolve_address


class Key(OptionKind):
    """An API key, or None. Error messages never show it."""

    type_label = "str"

    def check(self, name: str, value: Any) -> str | None:
        """Return the key, or raise a `ValueError`."""
        if value is None:
            return None
        if not isinstance(value, str):
            raise ValueError(f"{name} must be a string or None, got a {type(value).__name__}")
        if not value.strip():
            raise ValueError(f"{name} is empty; leave it out to use the provider's environment variable")
        return value


class Text(OptionKind):
    """A non-empty string, or None if `optional`; `also` is an additional check."""

    type_label = "str"

    def __init__(self, *, optional: bool = False, also: Callable[[str], object] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.optional, self.also = optional, also

    def check(self, name: str, value: Any) -> str | None:
        """Return the string, or raise a `ValueError`."""
        if value is None and self.optional:
            return None
        if not isinstance(value, str) or not value:
            raise ValueError(
                f"{name} must be a string{' or None' if self.optional else ''}, got {value!r} ({type(value).__name__})"
            )
        if self.also:
            self.also(value)
        return str.__str__(value)


class Model(OptionKind):
    """The name of a model, or a pair of a loaded model and its tokenizer."""

    type_label = "str, or pair of a model and its tokenizer"

    def check(self, name: str, value: Any) -> Any:
        """Return the value, or raise a `ValueError`."""
        if value is None:
            return None
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if (isinstance(value, str) and value) or (isinstance(value, (tuple, list)) and len(value) == 2):  # noqa: PLR2004  # a pair
            return value
        raise ValueError(
            f'{name} must be the name of a model or None, or with provider="transformers" a pair of a loaded model and '
            f"its tokenizer, got a {type(value).__name__}"
        )


class Dollars(OptionKind):
    """A positive number of dollars, or None."""

    type_label = "float, above 0"

    def check(self, name: str, value: Any) -> float | None:
        """Return the number as a `float`, or raise a `ValueError`."""
        if value is None:
            return None
        if isinstance(value, numbers.Real) and not isinstance(value, bool) and 0 < float(value) < math.inf:
            return float(value)
        raise ValueError(f"{name} must be a positive number of dollars or None, got {value!r} ({type(value).__name__})")


class Price(OptionKind):
    """Dollars per million input and per million output tokens, or None."""

    type_label = "pair of float, at least 0"

    def check(self, name: str, value: Any) -> tuple[float, float] | None:
        """Return the pair as floats, or raise a `ValueError`."""
        if value is None:
            return None
        if isinstance(value, (tuple, list)) and len(value) == 2:  # noqa: PLR2004  # a pair
            numeric = [isinstance(number, numbers.Real) and not isinstance(number, bool) for number in value]
            if all(numeric) and all(0 <= float(number) < math.inf for number in value):
                return float(value[0]), float(value[1])
        raise ValueError(
            f"{name} must be a pair of numbers, dollars per million input tokens and per million output tokens, or "
            f"None, got {value!r}"
        )


class Folder(OptionKind):
    """A directory, or None."""

    type_label = "str"

    def check(self, name: str, value: Any) -> str | None:
        """Return the path as a string, or raise a `ValueError`."""
        if value is None:
            return None
        if isinstance(value, (str, os.PathLike)) and os.fspath(value):
            return os.path.expanduser(str(value))  # noqa: PTH111  # kept as a string, like every option
        raise ValueError(f"{name} must be a path or None, got {value!r} ({type(value).__name__})")


class Fields(OptionKind):
    """Fields for the body of a request: a JSON-serializable dictionary, or None."""

    type_label = "dict"

    def check(self, name: str, value: Any) -> dict[str, Any] | None:
        """Return the dictionary, or raise a `ValueError`."""
        if value is None:
            return None
        try:
            plain = json.loads(json.dumps(value)) if isinstance(value, dict) else None
        except (TypeError, ValueError):
            plain = None
        if not isinstance(plain, dict):
            raise ValueError(f"{name} must be a JSON-serializable dictionary or None, got a {type(value).__name__}")
        return plain


class Juror(dict[str, Any]):
    """The settings of one judge of a panel; its key is not pickled and is masked in the repr."""

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, ({name: value for name, value in self.items() if name != "api_key"},)

    def __repr__(self) -> str:
        return repr({name: "***" if name == "api_key" else value for name, value in self.items()})


class Jurors(OptionKind):
    """The judges of a panel, or None."""

    type_label = "list of dict"
    kinds: Mapping[str, OptionKind] = MappingProxyType(
        {
            "name": Text(),
            "provider": Text(also=check_provider),
            "model": Model(),
            "base_url": Text(optional=True, also=lambda address: resolve_address("openai", address)),
            "api_key": Key(),
            "extra_body": Fields(),
            "price": Price(),
            "top_logprobs": Integer(2),
        }
    )

    def check(self, name: str, value: Any) -> list[Juror] | None:
        """Return the settings of each judge, or raise a `ValueError`."""
        if value is None:
            return None
        if not isinstance(value, (list, tuple)) or not value or not all(isinstance(juror, Mapping) for juror in value):
            raise ValueError(f"{name} must be a list of dictionaries, one for each judge, or None")
        jurors = []
        for index, given in enumerate(value):
            for key in given:
                if key not in self.kinds:
                    hint = did_you_mean(str(key), self.kinds)
                    raise ValueError(
                        f"{name}[{index}] has no setting {key!r}{hint}; its settings are {', '.join(self.kinds)}"
                    )
            checked = {key: self.kinds[key].check(f"{name}[{index}][{key!r}]", item) for key, item in given.items()}
            if checked.get("api_key") is not None:
                checked["api_key"] = Secret(checked["api_key"])
            jurors.append(Juror(checked))
        return jurors
