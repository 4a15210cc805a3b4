"""The scoring functions of ranked_retrieval, which need neither evaluate nor `datasets`."""

from ._ranking import find_first_ranks, score_names, score_ranking

__all__ = ["find_first_ranks", "score_names", "score_ranking"]
