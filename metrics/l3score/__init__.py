"""The scoring functions of l3score, which need neither evaluate nor `datasets`."""

from answer_metrics.judge.logprobs import score_top_tokens

__all__ = ["score_top_tokens"]
