"""Solvers behind one call, each answer with a certificate."""

from treaty.solve._solution import Solution, Status, Trace
from treaty.solve._solve import METHODS, solve, solve_many

__all__ = ["METHODS", "Solution", "Status", "Trace", "solve", "solve_many"]
