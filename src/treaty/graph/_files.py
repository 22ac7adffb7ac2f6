"""Graph files by suffix: ``.fg`` and ``.uai`` for reading and writing, ``.mrf`` for reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from treaty._streams import writing
from treaty.errors import UsageError
from treaty.graph._evidence import read_evidence
from treaty.graph._fg import read_fg, write_fg
from treaty.graph._graph import FactorGraph
from treaty.graph._mrf import read_mrf
from treaty.graph._source import Source
from treaty.graph._uai import read_uai
from treaty.graph._uai_write import write_uai

__all__ = ["read_graph", "read_graphs", "write_graph"]

READERS: dict[str, Callable[[Source], Iterator[FactorGraph]]] = {
    "fg": read_fg,
    "uai": read_uai,
    "mrf": read_mrf,
}
WRITERS: dict[str, Callable[[FactorGraph], str]] = {"fg": write_fg, "uai": write_uai}


def read_graph(
    origin: str | Path | IO[Any],
    format: str | None = None,  # noqa: A002 - what users call it, and --format on the command line
    evidence: str | Path | IO[Any] | None = None,
) -> FactorGraph:
    r"""Read a graph; if the file holds several, the first.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream; gzip and xz are decompressed.
    format
        ``"fg"``, ``"uai"`` or ``"mrf"``; by default detected from the suffix, or else from the
        first line.
    evidence
        A file of observed states (``.uai.evid``), see `read_evidence`.

    Raises
    ------
    InputError
        When the file is invalid, with file, line and cause.

    Examples
    --------
    >>> import io
    >>> read_graph(io.StringIO("2\n1\n0.5\n-0.2\nXOR 2 1 -2"))
    <FactorGraph: 2 variables, 1 factors>
    """
    graph = next(read_graphs(origin, format))
    if evidence is not None:
        graph.observe(read_evidence(evidence, graph))
    return graph


def read_graphs(
    origin: str | Path | IO[Any],
    format: str | None = None,  # noqa: A002
) -> Iterator[FactorGraph]:
    """Read the graphs of a file one at a time (``.fg`` and ``.mrf`` files may hold several).

    See `read_graph` for the parameters.
    """
    if format is not None and format not in READERS:
        raise UsageError(f"cannot read the format {format!r}; expected one of {', '.join(READERS)}")
    source = Source(origin)
    return READERS[format or _suffix(origin) or _guess(source)](source)


def write_graph(
    graph: FactorGraph,
    target: str | Path | IO[str],
    format: str | None = None,  # noqa: A002
) -> None:
    """Write a graph to a file.

    Parameters
    ----------
    graph
        The graph. `UsageError` is raised for a factor that the format cannot store.
    target
        A path (``.gz`` and ``.xz`` are compressed), ``"-"`` for standard output, or a text stream.
    format
        ``"fg"`` (exact) or ``"uai"`` (potentials, with rounding); by default from the suffix.

    Examples
    --------
    >>> import sys
    >>> from treaty.graph import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([0.75, 1.25]))
    >>> write_graph(graph, sys.stdout, format="fg")
    2
    1
    0.75
    1.25
    ATMOSTONE 2 1 2
    """
    chosen = format or _suffix(target)
    if chosen not in WRITERS:
        raise UsageError(
            f"cannot write {str(target)!r}: expected the suffix or format {' or '.join(WRITERS)}, "
            f"got {chosen or 'neither'}"
        )
    text = WRITERS[chosen](graph)
    with writing(target) as write:
        write(text)


def _suffix(place: str | Path | IO[Any]) -> str | None:
    """Return the format given by the suffix of a path, if any."""
    if not isinstance(place, str | Path):
        return None
    suffixes = [suffix.lower() for suffix in Path(place).suffixes]
    if suffixes and suffixes[-1] in (".gz", ".xz"):
        suffixes.pop()
    suffix = suffixes[-1].removeprefix(".") if suffixes else None
    return suffix if suffix in READERS else None


def _guess(source: Source) -> str:
    """Detect the format from the first line: a word, one count, or pairs of numbers."""
    first = next(line for line in source.lines if line.strip()).split()
    if first[0].isalpha():
        return "uai"
    return "fg" if len(first) == 1 else "mrf"
