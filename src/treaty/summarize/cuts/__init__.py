"""Compression of sentences: arcs, rules, and their checks."""
