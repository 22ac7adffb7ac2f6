"""Answers made visible: terminal tables, text for other programs, and plots."""

from treaty.show._convergence import check_plot, plot_convergence
from treaty.show._plain import as_csv, as_json, as_text
from treaty.show._table import certificate, solution_table

__all__ = [
    "as_csv",
    "as_json",
    "as_text",
    "certificate",
    "check_plot",
    "plot_convergence",
    "solution_table",
]
