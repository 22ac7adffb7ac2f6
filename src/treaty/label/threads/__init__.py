"""Dependencies between the posts of a thread: a grid of pairs of posts, labeled by a CRF."""

from treaty.label.threads._linker import LinkedThread, ThreadLinker
from treaty.label.threads._models import ORDERS

__all__ = ["ORDERS", "LinkedThread", "ThreadLinker"]
