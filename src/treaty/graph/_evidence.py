"""Evidence files (``.uai.evid``): states of observed variables.

The number of observed variables, then the index and the state of each. Older files have the number
of samples (1) before that. An empty file has no evidence. Variables are counted as in the graph's
file: a categorical variable is one, and so is a binary one (states 0 and 1).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO, Any

from treaty.graph._graph import FactorGraph
from treaty.graph._source import Source, Unreadable, count
from treaty.graph._variables import Categorical, Variable

__all__ = ["evidence_beside", "read_evidence"]

COMPRESSED = (".gz", ".xz")


def read_evidence(
    origin: str | Path | IO[Any], graph: FactorGraph
) -> dict[Variable | Categorical, int]:
    r"""Read an evidence file of a graph.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream; gzip and xz are decompressed.
    graph
        The graph that the evidence is about.

    Returns
    -------
    dict
        The state of each observed variable, for `FactorGraph.observe`.

    Raises
    ------
    InputError
        When the file is invalid or does not fit the graph, with file, line and cause.

    Examples
    --------
    >>> import io
    >>> graph = FactorGraph()
    >>> weather = graph.categorical([0.0, 0.0, 0.0], name="weather")
    >>> read_evidence(io.StringIO("1\n0 2\n"), graph)
    {weather(3 states): 2}
    """
    source = Source(origin, empty=True)
    fields = list(re.finditer(r"\S+", source.text))
    reader = _Reader([field[0] for field in fields], graph.whole_variables)
    try:
        return reader.read()
    except Unreadable as error:
        at = reader.position
        place = fields[at].start() if at < len(fields) else len(source.text)
        source.fail(source.line_at(place), error.message, error.text)


class _Reader:
    """The fields of an evidence file; `position` is where an error is."""

    def __init__(self, fields: list[str], variables: list[Variable | Categorical]) -> None:
        self.fields = fields
        self.variables = variables
        self.position = 0

    def read(self) -> dict[Variable | Categorical, int]:
        numbers = []
        for field in self.fields:
            numbers.append(count(field))
            self.position += 1
        evidence: dict[Variable | Categorical, int] = {}
        for position in range(self._first_pair(numbers), len(numbers), 2):
            self.position = position
            variable, state = self._pair(*numbers[self.position : self.position + 2])
            if evidence.setdefault(variable, state) != state:
                raise Unreadable(f"variable {numbers[self.position]} is observed in two states")
        return evidence

    def _first_pair(self, numbers: list[int]) -> int:
        """Find where pairs begin: one form has an odd length, the other an even one."""
        self.position = len(numbers)
        if not numbers or len(numbers) == 1 + 2 * numbers[0]:
            return 1
        if len(numbers) == 1:
            raise Unreadable(
                f"the file ends, expected {numbers[0]} pairs of a variable and its state"
            )
        if numbers[0] == 1 and len(numbers) == 2 + 2 * numbers[1]:
            return 2
        self.position = 0
        raise Unreadable(
            "expected the number of observed variables, then a variable and its state for each "
            f"(here {(len(numbers) - 1) // 2} pairs follow); several samples are not supported",
            self.fields[0],
        )

    def _pair(self, index: int, state: int) -> tuple[Variable | Categorical, int]:
        if index >= len(self.variables):
            raise Unreadable(
                f"expected a variable of the graph, 0 to {len(self.variables) - 1}", str(index)
            )
        variable = self.variables[index]
        states = len(variable) if isinstance(variable, Categorical) else 2
        if state >= states:
            self.position += 1
            raise Unreadable(f"expected a state of variable {index}, 0 to {states - 1}", str(state))
        return variable, state


def evidence_beside(path: str | Path) -> Path | None:
    """Find the evidence file of a graph file: its name with ``.evid``, possibly compressed.

    Examples
    --------
    >>> evidence_beside("no such file.uai")
    """
    path = Path(path)
    if path.suffix.lower() in COMPRESSED:
        path = path.with_suffix("")
    candidates = [Path(f"{path}.evid{suffix}") for suffix in ("", *COMPRESSED)]
    return next((candidate for candidate in candidates if candidate.is_file()), None)
