"""Options and results; no library is imported."""
