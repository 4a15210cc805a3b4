"""Columns and tables: read and check inputs, store results."""
