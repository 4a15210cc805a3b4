"""Texts: normalization, tokens, equality, retrieved chunks."""
