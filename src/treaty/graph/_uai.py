"""UAI files of Markov networks: categorical variables and tables of potentials (not logarithms).

The reader is native, see ``native/graph/uai.hpp`` for the format.
"""

from __future__ import annotations

from collections.abc import Iterator

from treaty._native.graph import read_uai as read_native
from treaty.graph._graph import FactorGraph
from treaty.graph._source import MOST_FREE_STATES, Source

__all__ = ["read_uai"]


def read_uai(source: Source) -> Iterator[FactorGraph]:
    """Read the network: its objective is the logarithm of the product of the potentials.

    Zeros forbid configurations; in the table of a single variable they become evidence.
    """
    reading = read_native(source.text.encode(), MOST_FREE_STATES)
    graph = reading.graph
    if graph is None:
        source.fail(source.line_at(reading.offset), reading.error, reading.text or None)
    yield FactorGraph._of(graph)
