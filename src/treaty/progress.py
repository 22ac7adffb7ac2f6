"""Progress events, the same for training, solving, searching and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

__all__ = ["OnProgress", "Progress"]


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a long-running task.

    Parameters
    ----------
    stage
        What is being done, such as ``"trees"`` or ``"ad3"``.
    done, total
        Number of steps of the stage done and in total; None if unknown. Epochs are included, so
        the remaining time is proportional to ``total - done``.
    scores
        Measurements so far: scores on dev data after an epoch, or objective and bound of a search.
    epoch, epochs
        The current pass over the data, from 1, and the number of passes, where there are several.
    seconds
        Time since the start of the stage.

    Examples
    --------
    >>> moment = Progress("trees", done=1500, total=5000, epoch=2, epochs=5, seconds=6.0)
    >>> moment.share, moment.seconds_left
    (0.3, 14.0)
    """

    stage: str
    done: int
    total: int | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    epoch: int | None = None
    epochs: int | None = None
    seconds: float = 0.0

    @property
    def share(self) -> float | None:
        """Fraction of the stage that is done, from 0 to 1; None if unknown."""
        if self.total is None:
            return None
        return min(1.0, self.done / self.total) if self.total > 0 else 1.0

    @property
    def seconds_left(self) -> float | None:
        """Estimated time for the rest of the stage, at the current speed."""
        if not self.share or self.seconds <= 0.0:
            return None
        return round(self.seconds * (1.0 / self.share - 1.0), 6)


OnProgress = Callable[[Progress], object]
"""Called from time to time; a solver stops early when it returns False."""
