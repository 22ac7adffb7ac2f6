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
        found = branch_and_bound(few, constraint=rule, iterations=640, seed=1)
        local = viterbi_em(few, restarts=50, constraint=rule, seed=1)
        assert found.objective >= local.objective
        assert found.bound < -1000
        assert rule is None or rule.met(found.counts, few.tags) >= 0.75


def test_twenty_sentences_of_ewt_to_a_tenth(data_folder) -> None:
    path = data_folder / "treebanks" / "english-ewt" / "dev.conllu"
    corpus = Corpus.read(path, tags="coarse3", most=20)
    found = branch_and_bound(corpus, iterations=300_000, seed=1)
    assert found.relative_gap <= 0.1


@pytest.mark.parametrize("constraint", [None, EdgeConstraint.read("universal")])
def test_linear_programs_bound_real_sentences_from_above(data_folder, constraint) -> None:
    path = data_folder / "treebanks" / "ptb-sample" / "all.conllu"
    corpus = Corpus.read(path, tags="universal", max_length=10, most=20)
    best = viterbi_em(corpus, restarts=500, constraint=constraint).objective
    found = branch_and_bound(corpus, relaxation="mccormick", iterations=9, constraint=constraint)
    assert found.bound >= max(best, found.objective)
    if constraint is not None:
        assert constraint.met(found.counts, corpus.tags) >= constraint.share - 1e-9
