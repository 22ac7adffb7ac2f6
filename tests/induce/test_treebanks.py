"""Real sentences: what is read of them, and how far a search comes."""

import pytest

from treaty.induce import Corpus, EdgeConstraint, branch_and_bound, viterbi_em

pytestmark = pytest.mark.data


def test_short_sentences_of_the_penn_sample(data_folder) -> None:
    path = data_folder / "treebanks" / "ptb-sample" / "all.conllu"
    corpus = Corpus.read(path, tags="universal")
    assert (len(corpus), len(corpus.tokens)) == (537, 3704)  # as the manifest says
    assert len(corpus.tags) == 13
    few = Corpus.read(path, tags="universal", most=200)
    for rule in (None, EdgeConstraint.read("universal")):
        found = branch_and_bound(few, constraint=rule, node_limit=640, seed=1)
        local = viterbi_em(few, restarts=50, constraint=rule, seed=1)
        assert found.objective >= local.objective
        assert found.bound < -1000
        assert rule is None or rule.met(found.counts, few.tags) >= 0.75


def test_twenty_sentences_of_ewt_to_a_tenth(data_folder) -> None:
    path = data_folder / "treebanks" / "english-ewt" / "dev.conllu"
    corpus = Corpus.read(path, tags="coarse3", most=20)
    found = branch_and_bound(corpus, node_limit=300_000, seed=1)
    assert found.gap <= 0.1
