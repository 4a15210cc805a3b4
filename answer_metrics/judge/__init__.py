"""Judge models: prompts, providers, calls, stored judgments, scores."""
