"""Structured prediction by dual decomposition, with a certificate for every answer.

Names are imported when they are first used, so ``import treaty`` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from treaty._lazy import imported

if TYPE_CHECKING:
    __version__: str
    from treaty.errors import (
        InputError,
        LimitError,
        ModelError,
        OutputError,
        SolverError,
        TreatyError,
        UsageError,
    )
    from treaty.graph import (
        Categorical,
        Factor,
        FactorGraph,
        Literal,
        Variable,
        read_graph,
        read_graphs,
        write_graph,
    )
    from treaty.learn import Model, load, models
    from treaty.progress import Progress
    from treaty.solve import Certificate, Solution, Status, Trace, solve_many
    from treaty.tasks import annotate

__all__ = [
    "Categorical",
    "Certificate",
    "Factor",
    "FactorGraph",
    "InputError",
    "LimitError",
    "Literal",
    "Model",
    "ModelError",
    "OutputError",
    "Progress",
    "Solution",
    "SolverError",
    "Status",
    "Trace",
    "TreatyError",
    "UsageError",
    "Variable",
    "annotate",
    "load",
    "models",
    "read_graph",
    "read_graphs",
    "solve_many",
    "write_graph",
]

_HOMES = {
    "treaty.errors": (
        "InputError",
        "LimitError",
        "ModelError",
        "OutputError",
        "SolverError",
        "TreatyError",
        "UsageError",
    ),
    "treaty.graph": (
        "Categorical",
        "Factor",
        "FactorGraph",
        "Literal",
        "Variable",
        "read_graph",
        "read_graphs",
        "write_graph",
    ),
    "treaty.learn": ("Model", "load", "models"),
    "treaty.progress": ("Progress",),
    "treaty.solve": ("Certificate", "Solution", "Status", "Trace", "solve_many"),
    "treaty.tasks": ("annotate",),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":  # pyproject.toml has it
        return import_module("importlib.metadata").version(__name__)
    return imported(__name__, _HOMES, name)


def load_ipython_extension(shell: Any) -> None:
    """Register the magics of IPython, which calls it for ``%load_ext treaty``."""
    import_module("treaty.integrations.jupyter").load_ipython_extension(shell)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
