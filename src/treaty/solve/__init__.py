"""Solvers behind one call, each answer with a certificate."""
