"""Results as records that others read: the Hub's `.eval_results/*.yaml`, and Every Eval Ever's JSON.

Formats: https://huggingface.co/docs/hub/eval-results and https://github.com/evaleval/every_eval_ever (schema 0.3.0).
"""

import json
import math
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import yaml  # type: ignore[import-untyped]  # its types are a separate package

from answer_metrics import did_you_mean
from answer_metrics.cli.report import Run
from answer_metrics.files.rows import plural

_ABOUT = {
    "eval-results": ("dataset task", "model date notes unit"),
    "every-eval-ever": ("model dataset organization", "task split relationship deployment availability"),
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
        raise ValueError(f"--export must be {' or '.join(_ABOUT)}, not {kind!r}")
    required, optional = map(str.split, _ABOUT[kind])
    if missing := [name for name in required if name not in about]:
        raise ValueError(f"--export {kind} needs --about {' '.join(f'{name}=…' for name in missing)}")
    keys = required + optional
    if unknown := next((name for name in about if name not in keys), None):
        raise ValueError(f"--about {unknown}=…: --export {kind} has no such key{did_you_mean(unknown, keys)}")
    for name in about.keys() & _CHOICES.keys():
        if about[name] not in _CHOICES[name]:
            raise ValueError(f"--about {name}={about[name]}: the {name} is {' or '.join(_CHOICES[name])}")


def record(kind: str, run: Run, metric: Any, about: Mapping[str, str]) -> str:
    """Write a run whose result has intervals and a signature; `about` says what the result cannot say itself."""
    level = float(metric.resolve_options({}).confidence_level)
    if kind == "every-eval-ever":
        return json.dumps(_every_eval_ever(run, metric, about, level), indent=2, ensure_ascii=False) + "\n"
    factor = 100 if about.get("unit") == "percent" else 1
    low, high = run.result[f"{run.score}_confidence_interval"]
    interval = f"{level * 100:.10g}% interval {factor * low:.6g} to {factor * high:.6g}"
    rows = plural(run.total, "row")
    entry = {
        "dataset": {"id": about["dataset"], "task_id": about["task"]},
        "value": round(factor * run.result[run.score], 6),
        "date": about.get("date", datetime.now(UTC).date().isoformat()),
        # the format has no field for an interval
        "notes": "; ".join(filter(None, (about.get("notes"), rows, interval, run.result["signature"]))),
    }
    return str(yaml.safe_dump([entry], sort_keys=False, allow_unicode=True, width=1_000))


def _every_eval_ever(run: Run, metric: Any, about: Mapping[str, str], level: float) -> dict[str, Any]:
    now, task, model = str(int(time.time())), about.get("task", about["dataset"]), about["model"]
    dataset = {"dataset_name": about["dataset"], "source_type": "hf_dataset", "hf_repo": about["dataset"]}
    dataset |= {"hf_split": about["split"]} if "split" in about else {}
    results = []
    for name, scale in metric.scales().items():
        if (bounds := run.result.get(f"{name}_confidence_interval")) is None:
            continue
        interval = {"lower": bounds[0], "upper": bounds[1], "confidence_level": level}
        uncertainty = {"confidence_interval": interval, "num_samples": run.total}
        config = {
            "metric_id": f"answer_metrics.{metric.name}.{name}",
            "metric_name": name,
            "metric_unit": "proportion" if (scale.low, scale.high) == (0, 1) else "points",
            "lower_is_better": not scale.higher_is_better,
            "score_type": "continuous",
            "min_score": scale.low if math.isfinite(scale.low) else "-Infinity",
            "max_score": scale.high if math.isfinite(scale.high) else "Infinity",
            "evaluation_description": " ".join(metric.description.split()),
        }
        details = {"score": run.result[name], "uncertainty": uncertainty}
        source = {"source_data": {**dataset, "samples_number": run.total}}
        results.append({"evaluation_name": task, **source, "metric_config": config, "score_details": details})
    signed = {"signature": run.result["signature"]}
    access = {"deployment_type": "deployment", "model_availability": "availability"}
    availability = {name: about.get(key, "unknown") for name, key in access.items()}
    return {
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
        "eval_library": {"name": "answer-metrics", "version": metric.version, "additional_details": signed},
        "model_info": {"name": model.rpartition("/")[2], "id": model, "additional_details": availability},
        "evaluation_results": results,
    }
