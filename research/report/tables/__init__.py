"""Tables and figures of run lines: a module for each file of docs/results.

A module has ``KEY``, the names that tell its runs apart, functions that make Markdown of a list of
runs, and ``draw`` if it has figures.
"""
