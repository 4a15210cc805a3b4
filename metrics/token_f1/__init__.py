"""The scoring functions of token_f1, which need neither evaluate nor `datasets`."""

from answer_metrics.text.tokens import make_tokenizer, score_answer

__all__ = ["make_tokenizer", "score_answer"]
