"""Checks and publishing of Spaces.

A package, unlike the other code directories: otherwise Hugging Face's package `spaces` would be imported instead.
"""
