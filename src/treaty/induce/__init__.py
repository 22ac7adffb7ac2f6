"""Grammar induction: the dependency model with valence, and the best grammar with a proof."""

from treaty.induce._corpus import Corpus
from treaty.induce._features import Counts, Features
from treaty.induce._grammar import Grammar
from treaty.induce._tagset import Tagset
from treaty.induce._viterbi import Parses, expected_counts, viterbi

__all__ = [
    "Corpus",
    "Counts",
    "Features",
    "Grammar",
    "Parses",
    "Tagset",
    "expected_counts",
    "viterbi",
]
