"""Grammar induction: the dependency model with valence, and optimal grammars with certificates."""

from treaty.induce._branch_and_bound import branch_and_bound, start_search
from treaty.induce._chords import sentence_bound
from treaty.induce._constraints import EdgeConstraint
from treaty.induce._corpus import Corpus
from treaty.induce._em import em, harmonic_grammar, viterbi_em
from treaty.induce._estimate import TreeEstimate, estimate_tree
from treaty.induce._features import Counts, Features
from treaty.induce._grammar import Grammar
from treaty.induce._induced import Induced, Moment
from treaty.induce._parser import GrammarParser
from treaty.induce._search import Search, Settings
from treaty.induce._tagset import Tagset
from treaty.induce._viterbi import Parses, expected_counts, viterbi

__all__ = [
    "Corpus",
    "Counts",
    "EdgeConstraint",
    "Features",
    "Grammar",
    "GrammarParser",
    "Induced",
    "Moment",
    "Parses",
    "Search",
    "Settings",
    "Tagset",
    "TreeEstimate",
    "branch_and_bound",
    "em",
    "estimate_tree",
    "expected_counts",
    "harmonic_grammar",
    "sentence_bound",
    "start_search",
    "viterbi",
    "viterbi_em",
]
