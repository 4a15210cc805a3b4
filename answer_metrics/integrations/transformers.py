"""`compute_metrics` for transformers' `Seq2SeqTrainer` with `predict_with_generate=True`."""

from collections.abc import Callable
from typing import Any

import numpy as np

import answer_metrics
from answer_metrics.integrations import headline


def compute_metrics(tokenizer: Any, *names: str, **options: Any) -> Callable[[Any], dict[str, float]]:
    """Return a function from token ids to `<score>`, `<score>_low` and `<score>_high` of each metric in `names`.

    The tokenizer decodes predictions and labels, in which -100 is padding; all metrics must have all the options. The
    function raises a `ValueError` for logits.
    """
    scalars = {**options, "return_details": False, "return_confidence": True}
    metrics = [answer_metrics.load(name, **scalars) for name in names]

    def decode(ids: Any) -> list[str]:
        if isinstance(ids, tuple) or np.ndim(ids) != 2 or not np.issubdtype(ids.dtype, np.integer):
            raise ValueError(
                "the trainer passes logits, not token ids: set predict_with_generate=True in Seq2SeqTrainingArguments, "
                "or give Trainer preprocess_logits_for_metrics (docs/integrations.md, transformers)"
            )
        padded = np.where(ids < 0, tokenizer.pad_token_id, ids)
        return list(tokenizer.batch_decode(padded, skip_special_tokens=True))

    def compute(evaluated: Any) -> dict[str, float]:
        rows = {"predictions": decode(evaluated.predictions), "references": decode(evaluated.label_ids)}
        results = [headline(metric, metric.compute(**rows)) for metric in metrics]
        return {name: value for result in results for name, value in result.items()}

    return compute
