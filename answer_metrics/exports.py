"""Results as records that others read: the Hub's `.eval_results/*.yaml`, and Every Eval Ever's JSON.

Formats: https://huggingface.co/docs/hub/eval-results and https://github.com/evaleval/every_eval_ever (schema 0.3.0).
"""

import difflib
import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import yaml  # type: ignore[import-untyped]  # its types are a separate package

_ABOUT: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "eval-results": (
        ("dataset", "task"),
        ("model", "revision", "date", "source", "name", "user", "notes", "unit"),
    ),
    "every-eval-ever": (
        ("model", "dataset", "organization"),
        ("task", "split", "relationship", "deployment", "availability"),
    ),
}
"""What `about` must and may say, by the kind of record."""


def check(kind: str, about: Mapping[str, str]) -> None:
    """Raise a `ValueError` for an unknown kind of record, and for `about` that lacks something or has it unknown."""
    if kind not in _ABOUT:
        raise ValueError(f"--export knows {' and '.join(_ABOUT)}, not {kind!r}")
    required, optional = _ABOUT[kind]
    if missing := [name for name in required if name not in about]:
        raise ValueError(f"--export {kind} needs --about {' '.join(f'{name}=…' for name in missing)}")
    known = [*required, *optional]
    if unknown := next((name for name in about if name not in known), None):
        close = difflib.get_close_matches(unknown, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"it knows {', '.join(known)}"
        raise ValueError(f"--about {unknown}=…: --export {kind} has no such key; {hint}")
    if about.get("unit", "share") not in {"share", "percent"}:
        raise ValueError(f"--about unit={about['unit']}: the unit is share or percent, as the leaderboard has it")


def record(kind: str, metric: Any, result: Mapping[str, Any], about: Mapping[str, str]) -> str:
    """Write a result of `aggregate` that has intervals and a signature.

    Args:
        kind: eval-results or every-eval-ever.
        metric: The metric, loaded with the options of the result.
        result: The result.
        about: What it cannot say itself, such as the model; see `check`.
    """
    write: Callable[..., str] = {"eval-results": _eval_results, "every-eval-ever": _every_eval_ever}[kind]
    return write(metric, result, about)


def _level(metric: Any) -> float:
    return float(metric.resolve_options({}).confidence_level)


def _eval_results(metric: Any, result: Mapping[str, Any], about: Mapping[str, str]) -> str:
    """Return one entry; the format has no field for an interval, so that it stands in the notes."""
    score = metric.main_score
    factor = 100 if about.get("unit") == "percent" else 1
    low, high = result[f"{score}_confidence_interval"]
    rows = f"{result['total']} rows; " if "total" in result else ""
    interval = f"{_level(metric) * 100:.10g}% interval {factor * low:.6g} to {factor * high:.6g}"
    notes = f"{rows}{interval}; {result['signature']}"
    entry: dict[str, Any] = {
        "dataset": {"id": about["dataset"], "task_id": about["task"]},
        "value": round(factor * result[score], 6),
        "date": about.get("date", datetime.now(UTC).date().isoformat()),
        "notes": f"{about['notes']}; {notes}" if "notes" in about else notes,
    }
    if "revision" in about:
        entry["dataset"]["revision"] = about["revision"]
    if "source" in about:
        entry["source"] = {"url": about["source"]} | {key: about[key] for key in ("name", "user") if key in about}
    return str(yaml.safe_dump([entry], sort_keys=False, allow_unicode=True, width=1_000))


def _every_eval_ever(metric: Any, result: Mapping[str, Any], about: Mapping[str, str]) -> str:
    """Return a record with one result per score that has an interval."""
    now = str(int(time.time()))
    task, model = about.get("task", about["dataset"]), about["model"]
    source = {"dataset_name": about["dataset"], "source_type": "hf_dataset", "hf_repo": about["dataset"]}
    source |= {"hf_split": about["split"]} if "split" in about else {}
    counted: dict[str, Any] = {"samples_number": result["total"]} if "total" in result else {}
    scores = [name for name in result if f"{name}_confidence_interval" in result]
    record_ = {
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
        "model_info": {
            "name": model.rpartition("/")[2],
            "id": model,
            "additional_details": {
                "deployment_type": about.get("deployment", "unknown"),
                "model_availability": about.get("availability", "unknown"),
            },
        },
        "evaluation_results": [
            {
                "evaluation_name": task,
                "source_data": {**source, **counted},
                "metric_config": _metric_config(metric, name),
                "score_details": _score_details(metric, result, name),
            }
            for name in scores
            if result[name] is not None
        ],
    }
    return json.dumps(record_, indent=2, ensure_ascii=False)


def _metric_config(metric: Any, name: str) -> dict[str, Any]:
    scale = getattr(metric, "scales", {}).get(name)
    return {
        "metric_id": f"answer_metrics.{metric.label}.{name}",
        "metric_name": name,
        "metric_unit": "proportion",
        "lower_is_better": False if scale is None else not scale.higher_is_better,
        "score_type": "continuous",
        "min_score": 0 if scale is None else scale.low,
        "max_score": 1 if scale is None else scale.high,
        "evaluation_description": " ".join(metric.description.split()),
    }


def _score_details(metric: Any, result: Mapping[str, Any], name: str) -> dict[str, Any]:
    low, high = result[f"{name}_confidence_interval"]
    interval = {"lower": low, "upper": high, "confidence_level": _level(metric)}
    rows = {"num_samples": result["total"]} if "total" in result else {}
    return {"score": result[name], "uncertainty": {"confidence_interval": interval, **rows}}
