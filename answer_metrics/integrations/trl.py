"""Rewards for TRL: `GRPOTrainer(reward_funcs=reward("accuracy", match="recall"), ...)`."""

from collections.abc import Callable
from typing import Any

import answer_metrics


def reward(name: str, references: str = "answer", **options: Any) -> Callable[..., list[float | None]]:
    """Return a reward function: the score of each completion, 0 to 1, or None if it has none.

    `references` is the column of the dataset that has them, `options` are those of the metric `name`.
    """
    metric = answer_metrics.load(name, **options)

    def score(completions: list[Any], **columns: Any) -> list[float | None]:
        texts = [one if isinstance(one, str) else one[-1]["content"] for one in completions]  # or a conversation
        batch = {"predictions": texts, "references": columns[references]}
        scores: list[float | None] = metric.row_scores(metric.score_batch(batch))
        return scores

    score.__name__ = f"{name}_reward"  # which the trainer logs
    return score
