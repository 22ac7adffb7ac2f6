"""Which post of a thread depends on which: a grid of pairs of posts, labeled by a CRF."""

from treaty.label.threads._linker import LinkedThread, ThreadLinker
from treaty.label.threads._models import ORDERS

__all__ = ["ORDERS", "LinkedThread", "ThreadLinker"]
