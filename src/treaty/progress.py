"""How long work is going: one event for training, solving, searching and commands alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

__all__ = ["OnProgress", "Progress"]


@dataclass(frozen=True, slots=True)
class Progress:
    """A moment of a long piece of work.

    Parameters
    ----------
    stage
        What is being done, such as ``"trees"`` or ``"ad3"``.
    done, total
        How many steps of the stage are done and how many there are in all; None if nobody knows.
        Epochs are part of the count, so that the time left is in proportion to ``total - done``.
    scores
        What was measured on the way: scores on dev data after an epoch, or objective and bound of a
        search.
    epoch, epochs
        Which pass over the data this is, from 1, where there are several.
    seconds
        Time since the stage began.

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
        """The share of the stage that is done, from 0 to 1; None if nobody knows."""
        if self.total is None:
            return None
        return min(1.0, self.done / self.total) if self.total > 0 else 1.0

    @property
    def seconds_left(self) -> float | None:
        """How long the rest of the stage will take if it goes on like this."""
        if not self.share or self.seconds <= 0.0:
            return None
        return round(self.seconds * (1.0 / self.share - 1.0), 6)


OnProgress = Callable[[Progress], object]
"""What is called now and then; a solver stops early when it returns False."""
