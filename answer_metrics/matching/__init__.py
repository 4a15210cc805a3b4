"""Answers: extraction, values, and the rules by which an answer matches a reference."""
