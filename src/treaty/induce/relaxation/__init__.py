"""The method of Gormley & Eisner (2013): Viterbi EM as a mathematical program, relaxed and bounded.

`treaty.induce.branch_and_bound` runs it, by its relaxations other than ``"chords"``.
`RelaxationSearch` is the search itself, `RelaxedParser` the E-step under posterior constraints and
`relaxed_viterbi_em` the local search that has it.

What is here and not in the paper, so that bounds hold and searches end: rows that give each word
one head and the root one child; probabilities with a floor, whose loss is made good
(``_program.py``); what sum-to-one implies for a box, also from below (``box_of``); arcs and
decisions to divide when the relaxed parses alone keep a bound up (``choose_branch``); and bounds
computed from the multipliers of the linear programs, so that nothing rests on the solver's word.
"""

from treaty.induce.relaxation._filters import possible_products
from treaty.induce.relaxation._posterior import RelaxedParser, relaxed_viterbi_em
from treaty.induce.relaxation._search import RelaxationSearch

__all__ = ["RelaxationSearch", "RelaxedParser", "possible_products", "relaxed_viterbi_em"]
