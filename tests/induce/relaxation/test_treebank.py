"""The relaxations on real sentences."""

import pytest

from treaty.induce import Corpus, EdgeConstraint, viterbi_em
from treaty.induce.relaxation import branch_and_bound

pytestmark = pytest.mark.data


@pytest.mark.parametrize("constraint", [None, EdgeConstraint.read("universal")])
def test_bounds_of_real_sentences_are_above_their_answers(data_folder, constraint):
    path = data_folder / "treebanks" / "ptb-sample" / "all.conllu"
    corpus = Corpus.read(path, tags="universal", max_length=10, most=20)
    best = viterbi_em(corpus, restarts=500, constraint=constraint).objective
    found = branch_and_bound(corpus, node_limit=9, constraint=constraint)
    assert found.bound >= max(best, found.objective)
    if constraint is not None:
        assert constraint.met(found.counts, corpus.tags) >= constraint.share - 1e-9
