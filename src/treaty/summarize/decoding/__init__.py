"""Summaries as problems, and their best answers."""
