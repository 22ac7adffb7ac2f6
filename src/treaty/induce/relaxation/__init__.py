"""The method of Gormley & Eisner (2013): Viterbi EM as a mathematical program, relaxed and bounded.

`branch_and_bound` is the method, `estimate_tree` tells how long it would take, `RelaxedParser` is
the E-step under posterior constraints and `relaxed_viterbi_em` the local search that has it.
`treaty.induce.branch_and_bound` bounds without linear programs and is far faster.

What is here and not in the paper, so that bounds hold and searches end: rows that give each word
one head and the root one child; probabilities with a floor, whose loss is made good
(``_program.py``); what sum-to-one implies for a box, also from below (``box_of``); arcs and
decisions to divide when the relaxed parses alone keep a bound up (``choose_branch``); and bounds
computed from the multipliers of the linear programs, so that nothing rests on the solver's word.
"""

from treaty.induce.relaxation._branch_and_bound import branch_and_bound, prepare
from treaty.induce.relaxation._estimate import TreeEstimate, estimate_tree
from treaty.induce.relaxation._filters import possible_products
from treaty.induce.relaxation._local import relaxed_viterbi_em
from treaty.induce.relaxation._posterior import RelaxedParser
from treaty.induce.relaxation._search import Limits, Search

__all__ = [
    "Limits",
    "RelaxedParser",
    "Search",
    "TreeEstimate",
    "branch_and_bound",
    "estimate_tree",
    "possible_products",
    "prepare",
    "relaxed_viterbi_em",
]
