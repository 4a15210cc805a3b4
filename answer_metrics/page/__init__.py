"""The page of a metric: its Space."""
