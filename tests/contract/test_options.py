"""Options of every metric: at loading and per call, unknown ones and invalid values."""

import math
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import evaluate
import pytest

from tests.contract.samples import Sample, compute

pytestmark = pytest.mark.usefixtures("expect_warnings")


def test_options_at_loading_apply_unless_a_call_overrides_them(directory: Path, loaded: Any, sample: Sample) -> None:
    default, changed = compute(loaded, sample), compute(loaded, sample, **sample.change)
    assert default != changed, "sample.change must change the result"
    configured = evaluate.load(str(directory), **sample.options, **sample.change)
    assert configured.compute(**sample.inputs) == changed
    assert configured.compute(**sample.inputs) == changed
    reset = {name: loaded.options[name].default for name in sample.change}
    assert configured.compute(**sample.inputs, **reset) == default
    # Another object of the same class is not affected.
    assert compute(loaded, sample) == default


def test_repr_shows_metric_and_loading_options_on_one_line(directory: Path, name: str) -> None:
    loaded = evaluate.load(str(directory), return_signature=True)
    called = f"{name}(return_signature=True)"
    assert repr(loaded) == f"<metric {called}, 0 examples added; help() lists its inputs and options>"


def test_arguments_of_evaluate_load_are_accepted(directory: Path, loaded: Any, sample: Sample, tmp_path: Path) -> None:
    arguments = {"keep_in_memory": True, "cache_dir": str(tmp_path), "seed": 3, "experiment_id": "test"}
    assert compute(evaluate.load(str(directory), **arguments), sample) == compute(loaded, sample)


@pytest.mark.parametrize("unknown", ["fuzzy", "kwargs", "Return_Details", "prediction"])
def test_unknown_option_is_rejected(directory: Path, loaded: Any, sample: Sample, name: str, unknown: str) -> None:
    """Before anything is computed: the examples that were added stay."""
    expected = compute(loaded, sample)
    loaded.add_batch(**sample.inputs)
    steps = partial(loaded.score_batch, sample.inputs), partial(loaded.aggregate, {})
    for call in (loaded.compute, partial(evaluate.load, str(directory)), *steps):
        options = ", ".join(sorted(loaded.options))
        with pytest.raises(TypeError, match=rf"^{name} has no option '{unknown}'.* its options are {options}, and"):
            call(**{unknown: True})
    with pytest.raises(ValueError, match="return_details"):
        loaded.compute(return_details="yes")
    assert loaded.compute(**sample.options) == expected


def wrong_values(option: Any) -> list[Any]:
    """Return values that an option does not accept: of another type, out of range, or an unknown choice."""
    bounds = [bound + step for bound, step in ((option.low, -1), (option.high, 1)) if bound is not None]
    return [b"?", *bounds, *(["?"] if option.choices else []), *([math.nan] if option.accepts(float) else [])]


def test_invalid_option_value_raises_value_error(loaded: Any, sample: Sample, name: str) -> None:
    expected = compute(loaded, sample)
    for option, declared in loaded.options.items():
        for value in wrong_values(declared):
            for call in (partial(compute, loaded, sample), type(loaded)):
                with pytest.raises(ValueError, match=rf"^{name}: .*{option}") as caught:
                    call(**{option: value})
                assert declared.custom or repr(value) in str(caught.value)
    assert compute(loaded, sample) == expected


def test_option_without_effect_warns_and_names_the_missing_option(loaded: Any, sample: Sample, name: str) -> None:
    conditional = {option: (kind.needs[0], kind.needs[1:]) for option, kind in loaded.options.items() if kind.needs}
    assert "confidence_level" in conditional
    for option, (needed, values) in conditional.items():
        given = {option: loaded.options[option].default, **sample.options}
        enabled = {needed: values[0]}
        if loaded.options[needed].default not in values:
            for call in (partial(loaded.compute, **given), type(loaded)(**given).compute):
                with pytest.warns(UserWarning, match=f"{name}: {option} has no effect without {needed}="):
                    call(**sample.inputs)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            loaded.compute(**sample.inputs, **{**given, **enabled})
        assert not [warning for warning in caught if f"{option} has no effect" in str(warning.message)]


def fail(text: str) -> str:
    raise KeyError(text[:3])


def test_function_that_raises_is_named_with_its_row_and_cause(loaded: Any, sample: Sample, name: str) -> None:
    for option in {"normalizer", "extract"} & set(loaded.options):
        with pytest.raises(ValueError, match=rf"^{name}: {option} failed on predictions\[0\].*: KeyError: ") as caught:
            compute(loaded, sample, **{option: fail})
        assert isinstance(caught.value.__cause__, KeyError)
    if "normalizer" in loaded.options:
        several = {**sample.inputs, "references": [["fine", "bad"]] * sample.rows}
        with pytest.raises(ValueError, match=r"normalizer failed on references\[0\]\[1\], 'bad': KeyError"):
            loaded.compute(**several, normalizer=lambda text: fail(text) if text == "bad" else text)
