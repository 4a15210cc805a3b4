"""The metric contract: declarations, the two scoring steps, and evaluate's interface."""
