"""Columns and tables: reading what users pass, checking it, and storing results."""
