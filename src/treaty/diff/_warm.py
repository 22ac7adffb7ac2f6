"""What is kept of examples between epochs."""

from __future__ import annotations

from treaty._native import diff as native
from treaty.errors import UsageError

__all__ = ["WarmStarts"]


class WarmStarts:
    """Multipliers and active sets of examples, to start from when they are seen again.

    Parameters
    ----------
    most
        Number of examples that are kept; then those that were not used for the longest time go.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> from treaty.diff import lp_sparsemap
    >>> graph, warm = FactorGraph(), WarmStarts(most=1000)
    >>> _ = graph.exactly_one(graph.variables([0.2, 0.1]))
    >>> _ = lp_sparsemap(graph, [[0.3, 0.1], [0.0, 0.5]], warm=warm, keys=[17, 4])
    >>> len(warm)
    2
    """

    def __init__(self, most: int = 10_000) -> None:
        if isinstance(most, bool) or not isinstance(most, int) or not 0 <= most < 2**40:
            raise UsageError(f"WarmStarts: most must be a number of examples, not {most!r}")
        self.most = most
        self.native = native.SmoothStarts(most)

    def __len__(self) -> int:
        return len(self.native)

    def clear(self) -> None:
        """Forget all examples."""
        self.native.clear()

    def __repr__(self) -> str:
        return f"<WarmStarts: {len(self)} of at most {self.most} examples>"
