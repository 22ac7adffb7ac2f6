"""Solvers behind one call, each answer with a certificate."""

from treaty.solve._check import Check, check
from treaty.solve._solution import Solution, Status, Trace
from treaty.solve._solve import METHODS, solve, solve_many

__all__ = ["METHODS", "Check", "Solution", "Status", "Trace", "check", "solve", "solve_many"]
