"""What belongs to all Spaces: checks before publishing, and the publishing itself."""
