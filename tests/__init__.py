"""The test suite; the Makefile lists the commands that run it."""
