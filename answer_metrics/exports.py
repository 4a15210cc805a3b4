"""Results as records that others read: the Hub's `.eval_results/*.yaml`, and Every Eval Ever's JSON.

Formats: https://huggingface.co/docs/hub/eval-results and https://github.com/evaleval/every_eval_ever (schema 0.3.0).
"""

import json
import math
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import yaml  # type: ignore[import-untyped]  # its types are a separate package

from answer_metrics import did_you_mean

_ABOUT: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "eval-results": (
        ("dataset", "task"),
        ("model", "revision", "date", "source", "name", "user", "org", "notes", "unit"),
    ),
    "every-eval-ever": (
        ("model", "dataset", "organization"),
        ("task", "split", "relationship", "deployment", "availability"),
    ),
}
"""What `about` must and may say, by the kind of record."""
_CHOICES = {
    "unit": ("share", "percent"),
    "relationship": ("first_party", "third_party", "collaborative", "other"),
    "deployment": ("self_deployed", "externally_managed", "unknown"),
    "availability": ("open_weights", "closed_weights", "unknown"),
}


def check(kind: str, about: Mapping[str, str]) -> None:
    """Raise a `ValueError` for an unknown kind of record, and for `about` that lacks something or has it unknown."""
    if kind not in _ABOUT:
        raise ValueError(f"--export knows {' and '.join(_ABOUT)}, not {kind!r}")
    required, optional = _ABOUT[kind]
    if missing := [name for name in required if name not in about]:
        raise ValueError(f"--export {kind} needs --about {' '.join(f'{name}=…' for name in missing)}")
    known = [*required, *optional]
    if unknown := next((name for name in about if name not in known), None):
        raise ValueError(f"--about {unknown}=…: --export {kind} has no such key{did_you_mean(unknown, known)}")
    for name in about.keys() & _CHOICES.keys():
        if about[name] not in _CHOICES[name]:
            raise ValueError(f"--about {name}={about[name]}: the {name} is {' or '.join(_CHOICES[name])}")


def record(kind: str, metric: Any, result: Mapping[str, Any], about: Mapping[str, str]) -> str:
    """Write a result of `aggregate` that has intervals and a signature; `about` says what it cannot say itself."""
    level = float(metric.resolve_options({}).confidence_level)
    write: Callable[..., str] = {"eval-results": _eval_results, "every-eval-ever": _every_eval_ever}[kind]
    return write(metric, result, about, level)


def _eval_results(metric: Any, result: Mapping[str, Any], about: Mapping[str, str], level: float) -> str:
    """Return one entry; the format has no field for an interval, so that it stands in the notes."""
    score = metric.main_score
    factor = 100 if about.get("unit") == "percent" else 1
    low, high = result[f"{score}_confidence_interval"]
    rows = f"{result['total']} rows; " if "total" in result else ""
    notes = f"{level * 100:.10g}% interval {factor * low:.6g} to {factor * high:.6g}; {result['signature']}"
    entry: dict[str, Any] = {
        "dataset": {"id": about["dataset"], "task_id": about["task"]},
        "value": round(factor * result[score], 6),
        "date": about.get("date", datetime.now(UTC).date().isoformat()),
        "notes": f"{about['notes']}; {rows}{notes}" if "notes" in about else f"{rows}{notes}",
    }
    if "revision" in about:
        entry["dataset"]["revision"] = about["revision"]
    if "source" in about:
        named = {key: about[key] for key in ("name", "user", "org") if key in about}
        entry["source"] = {"url": about["source"], **named}
    return str(yaml.safe_dump([entry], sort_keys=False, allow_unicode=True, width=1_000))


def _every_eval_ever(metric: Any, result: Mapping[str, Any], about: Mapping[str, str], level: float) -> str:
    """Return a record with one result per score that has an interval."""
    now = str(int(time.time()))
    task, model = about.get("task", about["dataset"]), about["model"]
    source = {"dataset_name": about["dataset"], "source_type": "hf_dataset", "hf_repo": about["dataset"]}
    source |= {"hf_split": about["split"]} if "split" in about else {}
    scales = metric.scales()
    results = []
    for name, scale in scales.items():
        if result.get(f"{name}_confidence_interval") is None:
            continue
        low, high = result[f"{name}_confidence_interval"]
        uncertainty = {"confidence_interval": {"lower": low, "upper": high, "confidence_level": level}}
        results.append(
            {
                "evaluation_name": task,
                "source_data": source | ({"samples_number": result["total"]} if "total" in result else {}),
                "metric_config": {
                    "metric_id": f"answer_metrics.{metric.label}.{name}",
                    "metric_name": name,
                    "metric_unit": "proportion" if (scale.low, scale.high) == (0, 1) else "points",
                    "lower_is_better": not scale.higher_is_better,
                    "score_type": "continuous",
                    "min_score": scale.low if math.isfinite(scale.low) else "-Infinity",
                    "max_score": scale.high if math.isfinite(scale.high) else "Infinity",
                    "evaluation_description": " ".join(metric.description.split()),
                },
                "score_details": {
                    "score": result[name],
                    "uncertainty": uncertainty | ({"num_samples": result["total"]} if "total" in result else {}),
                },
            }
        )
    details = {"deployment_type": about.get("deployment", "unknown")}
    details["model_availability"] = about.get("availability", "unknown")
    found = {
        "schema_version": "0.3.0",
        "evaluation_id": f"{task}/{model}/{now}",
        "evaluation_timestamp": now,
        "retrieved_timestamp": now,
        "source_metadata": {
            "source_name": "answer-metrics",
            "source_type": "evaluation_run",
            "source_organization_name": about["organization"],
            "evaluator_relationship": about.get("relationship", "other"),
        },
        "eval_library": {
            "name": "answer-metrics",
            "version": metric.version,
            "additional_details": {"signature": result["signature"]},
        },
        "model_info": {"name": model.rpartition("/")[2], "id": model, "additional_details": details},
        "evaluation_results": results,
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"
