"""Files: one reader per format, found by content or name."""
