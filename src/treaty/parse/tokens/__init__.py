"""Tokens and sentences of raw text."""
