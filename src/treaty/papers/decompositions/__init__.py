"""The decompositions and integer programs of the parsing papers, for study and comparison.

One model, arcs with scores for consecutive siblings and grandparents, in four forms: a tree and
head automata (Koo et al. 2010), many small logic factors (Martins et al. 2011), and programs with
multi- and single-commodity flows (Martins et al. 2009) for HiGHS. The parser uses none of them: it
has its own native form of the first.
"""

from treaty.papers.decompositions._flows import FlowSolution, flow_program
from treaty.papers.decompositions._graphs import ArcGraph, small_components, tree_and_automata
from treaty.papers.decompositions._model import SiblingModel

__all__ = [
    "ArcGraph",
    "FlowSolution",
    "SiblingModel",
    "flow_program",
    "small_components",
    "tree_and_automata",
]
