"""The scoring functions of precision_recall_f1, which need neither evaluate nor `datasets`."""

from answer_metrics.text.retrieval import RougeMatcher, match_exact, match_query

__all__ = ["RougeMatcher", "match_exact", "match_query"]
