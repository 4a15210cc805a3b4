"""Tests that need a server, a second process or a fresh cache."""
