"""Structured prediction by dual decomposition, with a certificate for every answer."""

__version__ = "0.1.0"
