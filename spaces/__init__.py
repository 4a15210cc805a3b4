"""Checks and publishing of Spaces. A package, or else Hugging Face's package `spaces` would be imported instead."""
