"""Factor graphs: variables, factors, evidence, and their files."""

from treaty.graph._evidence import evidence_beside, read_evidence
from treaty.graph._factors import Factor
from treaty.graph._files import read_graph, read_graphs, write_graph
from treaty.graph._graph import FactorGraph
from treaty.graph._variables import Categorical, Literal, Variable

__all__ = [
    "Categorical",
    "Factor",
    "FactorGraph",
    "Literal",
    "Variable",
    "evidence_beside",
    "read_evidence",
    "read_graph",
    "read_graphs",
    "write_graph",
]
