"""Columns and tables: as users give them, checked, and as they are stored."""
