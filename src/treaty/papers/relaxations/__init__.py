"""The method of Gormley & Eisner (2013): Viterbi EM as a mathematical program, relaxed and bounded.

`treaty.induce.branch_and_bound` runs it, for all relaxations but ``"chords"``. `RelaxationSearch`
is the search itself, `RelaxedParser` the E-step under posterior constraints, and
`relaxed_viterbi_em` the local search that uses it.

Differences from the paper, so that bounds are valid and searches end: rows that give each word one
head and the root one child; probabilities with a floor, whose loss is compensated
(``_program.py``); bounds of a box implied by sum-to-one, also from below (``box_of``); branching on
arcs and decisions when only the relaxed parses keep a bound up (``choose_branch``); and bounds
computed from the multipliers of the linear programs, so that nothing depends on trusting the
solver.
"""

from treaty.papers.relaxations._filters import possible_products
from treaty.papers.relaxations._posterior import RelaxedParser, relaxed_viterbi_em
from treaty.papers.relaxations._search import RelaxationSearch

__all__ = ["RelaxationSearch", "RelaxedParser", "possible_products", "relaxed_viterbi_em"]
