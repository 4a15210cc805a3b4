"""Scores as functions of column sums: intervals, comparisons, samples, human labels."""
