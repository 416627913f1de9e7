"""Plugins of the test run."""
