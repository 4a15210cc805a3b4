"""Rewards for TRL: `GRPOTrainer(reward_funcs=reward("accuracy", preset="strict"), ...)`."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import answer_metrics
from answer_metrics.integrations import get_fields


def reward(
    name: str, references: str = "answer", *, label: str | None = None, **options: Any
) -> Callable[..., list[float | None]]:
    """Return a reward function: the score of each completion, 0 to 1, or None if it has none.

    `references` is the dataset's column of references; among the options of the metric, other inputs name their
    columns, too (`questions="question"`). The trainer logs the reward as `label`, by default `<name>_reward`. Without
    `preset` and `match`, `accuracy` takes `preset="strict"`, and warns that it does.

    Of a conversation, the text of the last assistant message is scored; without a text the score is 0.
    """
    if name == "accuracy" and options.keys().isdisjoint({"preset", "match"}):
        warnings.warn('accuracy uses preset="strict", since neither preset nor match is set', stacklevel=2)
        options["preset"] = "strict"
    inputs = answer_metrics.metric_class(name).inputs
    columns = {"references": references} | {key: options.pop(key) for key in inputs if key in options}
    metric = answer_metrics.load(name, **options)

    def score(completions: list[Any], completion_ids: Any = None, **fields: Any) -> list[float | None]:
        texts = list(map(_answer_text, completions))
        dataset = {name: values for name, values in fields.items() if isinstance(values, list)}  # no trainer's objects
        batch = {"predictions": texts, **get_fields(dataset, "column of the dataset", **columns)}
        scores = metric.row_scores(metric.score_batch(batch))
        return [score if text.strip() else 0.0 for score, text in zip(scores, texts, strict=True)]

    score.__name__ = label or f"{name}_reward"
    return score


def _answer_text(completion: str | Sequence[Mapping[str, Any]] | None) -> str:
    """Return the text of a completion, "" if it has none: all of it, or the last message of the assistant."""
    if completion is None or isinstance(completion, str):
        return completion or ""
    content = next((message.get("content") for message in reversed(completion) if message["role"] == "assistant"), None)
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part["text"] for part in content if part.get("type") == "text")
