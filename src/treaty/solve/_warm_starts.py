"""What is kept of examples between epochs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError

__all__ = ["WarmStarts", "item_keys"]


class WarmStarts:
    """Multipliers and active sets of examples, to start from when they are seen again.

    Parameters
    ----------
    most
        Number of examples that are kept; then those that were not used for the longest time go.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph, warm = FactorGraph(), WarmStarts(most=1000)
    >>> _ = graph.exactly_one(graph.variables([0.2, 0.1]))
    >>> _ = graph.batch([[0.3, 0.1], [0.0, 0.5]], warm=warm, keys=[17, 4])
    >>> warm
    <WarmStarts: 2 of at most 1000 examples>
    """

    def __init__(self, most: int = 10_000) -> None:
        if isinstance(most, bool) or not isinstance(most, int) or not 0 <= most < 2**40:
            raise UsageError(f"WarmStarts: most must be a number of examples, not {most!r}")
        self.most = most
        self._stores: dict[Callable[[int], Any], Any] = {}

    def store(self, kind: Callable[[int], Any]) -> Any:
        """Return the native store of one kind of solver."""
        return self._stores.setdefault(kind, kind(self.most))

    def __len__(self) -> int:
        return max(map(len, self._stores.values()), default=0)

    def clear(self) -> None:
        """Forget all examples."""
        self._stores.clear()

    def __repr__(self) -> str:
        return f"<WarmStarts: {len(self)} of at most {self.most} examples>"


def item_keys(
    keys: npt.ArrayLike | None, warm: WarmStarts | None, items: int
) -> npt.NDArray[np.int64]:
    """Check the keys of a batch; by default they are the numbers of the items."""
    if warm is None:
        if keys is not None:
            raise UsageError("keys are of use only with warm=WarmStarts(...)")
        return np.empty(0, np.int64)
    if not isinstance(warm, WarmStarts):
        raise UsageError(f"warm must be a WarmStarts, not {warm!r}")
    given = np.arange(items) if keys is None else np.asarray(keys)
    if given.shape != (items,) or (items and given.dtype.kind not in "iu"):
        raise UsageError(
            f"keys: expected an integer for each of the {items} items, got an array of shape "
            f"{given.shape} of {given.dtype}"
        )
    if len(np.unique(given)) != items:
        raise UsageError("keys: two items of the batch have the same key")
    return given.astype(np.int64)
