"""The tests: see the Makefile for how to run which of them."""
