"""The scoring functions of answer_exact_match, which need neither evaluate nor `datasets`."""

from answer_metrics.text.normalization import normalize, normalize_answers

__all__ = ["normalize", "normalize_answers"]
