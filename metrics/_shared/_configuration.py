"""Options of a loaded metric, given at loading or per call: checking, resolving, pickling and the signature."""

import functools
import inspect
from collections.abc import Mapping
from typing import Any
from typing import ClassVar
from typing import Generic
from typing import TypeVar

import evaluate

from ._buffering import BufferedInputs
from ._options import OptionKind
from ._options import ScoringOptions
from ._options import did_you_mean
from ._options import without_effect
from ._pickling import Secret
from ._user_warnings import warn

OptionsT = TypeVar("OptionsT", bound=ScoringOptions)


class ConfiguredMetric(BufferedInputs, Generic[OptionsT]):
    """Takes the options of a metric at loading and per call."""

    version: ClassVar[str]
    options_type: type[OptionsT]
    options: ClassVar[Mapping[str, OptionKind]]
    """The kind of each option, from `options_type`."""
    secrets: ClassVar[frozenset[str]] = frozenset()
    """Options that are never stored: they are not pickled and are masked in tracebacks."""
    compute: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs = self._mask_secrets(kwargs)
        parameters = inspect.signature(evaluate.EvaluationModule.__init__).parameters.values()
        known = {parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD}
        self._load_arguments = {name: value for name, value in kwargs.items() if name in known and name != "hash"}
        self._loaded_options: dict[str, Any] = {}
        super().__init__(*args, **{name: value for name, value in kwargs.items() if name in known})
        # evaluate copies methods onto every instance, which would lose the signature that `metric.compute?` shows.
        self.compute.__func__.__signature__ = inspect.signature(type(self).compute)
        self._loaded_options = self._check_options({k: value for k, value in kwargs.items() if k not in known})

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild through `evaluate.load` from the script in evaluate's cache: a fresh process cannot import it.

        Added examples and secrets are not pickled.
        """
        options = {name: value for name, value in self._loaded_options.items() if name not in self.secrets}
        return functools.partial(evaluate.load, inspect.getfile(type(self)), **self._load_arguments, **options), ()

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Return the default of every option."""
        return {name: getattr(cls.options_type, name) for name in cls.options}

    def _mask_secrets(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: Secret(value) if name in self.secrets and isinstance(value, str) else value
            for name, value in options.items()
        }

    def _check_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Check the given options and return them."""
        for name in given:
            if name not in self.options:
                raise TypeError(
                    f"{self.label} has no option {name!r}{did_you_mean(name, self.options) or ';'} "
                    f"its options are {', '.join(sorted(self.options))}, and its inputs {', '.join(self.inputs)}"
                )
        checked = {}
        for name, value in given.items():
            try:
                checked[name] = self.options[name].check(name, value)
            except ValueError as error:
                raise ValueError(f"{self.label}: {error}") from None
        return checked

    def resolve_options(self, given: Mapping[str, Any]) -> OptionsT:
        """Resolve every option: from this call, else from loading, else the default.

        Raises:
            TypeError: For an unknown option.
            ValueError: For a bad value, or for incompatible values.
        """
        chosen = {**self._loaded_options, **self._check_options(given)}
        options = self.options_type(**chosen)
        self.check_options(options)
        for message in without_effect(self.options, chosen, options):
            warn(f"{self.label}: {message}")
        if options.return_signature:
            self._signature(options)  # fail on an unsignable option before anything is scored
        return options

    def check_options(self, options: OptionsT) -> None:
        """Raise a `ValueError` for incompatible values of two or more options."""

    def _signature(self, options: OptionsT) -> str:
        """Return the signature, in the style of sacreBLEU (https://aclanthology.org/W18-6319)."""
        try:
            fields = {**self.signature_fields(options), "version": self.version}
        except ValueError as error:
            raise ValueError(f"{self.label}: {error}") from None
        for name, value in fields.items():
            if isinstance(value, bool):
                fields[name] = "yes" if value else "no"
        return "|".join([self.label, *(f"{name}:{value}" for name, value in fields.items())])

    def signature_fields(self, options: OptionsT) -> dict[str, Any]:
        """Return everything that can change a score, by its name in the signature."""
        raise NotImplementedError
