"""What belongs to all Spaces: checks before publishing, and the publishing itself.

A package, unlike the other directories of code: Hugging Face publishes one named `spaces`, which would come first.
"""
