"""What a metric is: declarations, the two steps, and what evaluate needs."""
