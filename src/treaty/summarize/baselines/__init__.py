"""Summaries to compare with."""
