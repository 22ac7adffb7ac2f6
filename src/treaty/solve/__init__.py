"""Solvers behind one call, each answer with a certificate."""

from treaty.solve._certificate import Certificate, Certified, Status
from treaty.solve._check import Check, check
from treaty.solve._relaxation import Relaxation, linear_relaxation
from treaty.solve._solution import Solution, Trace
from treaty.solve._solve import METHODS, options_of, solve, solve_many

__all__ = [
    "METHODS",
    "Certificate",
    "Certified",
    "Check",
    "Relaxation",
    "Solution",
    "Status",
    "Trace",
    "check",
    "linear_relaxation",
    "options_of",
    "solve",
    "solve_many",
]
