"""What ties the sentences of a problem, and summaries that heed it."""

import itertools
import random

import numpy as np
import pytest
from tests.summarize.random_problems import random_problem, random_scores
from tests.summarize.test_references import ANN, CATS, SHE
from tests.summarize.test_rules import RULES, parsed

from treaty.summarize import Problem, Source, broken_rules, decode, objective_of
from treaty.summarize._coherence import coherent
from treaty.text import stemmer

BUT = parsed("But Bo sang", "CCONJ:3:cc", "PROPN:3:nsubj", "VERB:0:root")
DOGS = parsed("Twelve dogs slept in Ulm", "NUM:2:nummod", "NOUN:3:nsubj", "VERB:0:root",
              "ADP:5:case", "PROPN:3:obl")  # fmt: skip


def problem_of(*sentences):
    sources = [Source(0, n, sentence) for n, sentence in enumerate(sentences)]
    return coherent(Problem.of(sources, reduce_to=None, rules=RULES), stemmer("en"))


def test_sentences_are_tied():
    found = problem_of(ANN, SHE, BUT, DOGS, DOGS)
    assert (found.needs, found.leans, found.alike) == (((1, 0),), ((4, 1),), ((3, 4),))
    assert found.only([1, 2, 4]).leans == ((2, 0),) and found.only([0, 2]).leans == ((2, -1),)


def test_sentences_that_cannot_be_understood_are_left_out():
    assert len(problem_of(CATS, SHE).sources) == 1


def test_an_opener_is_cut_where_its_sentence_is_missing():
    problem = problem_of(ANN, BUT).only([1])
    scores = np.zeros(len(problem.source_of))
    found = decode(problem, np.ones(len(problem.concepts)), scores, words=9)
    assert found.keep.tolist() == [False, True, True]


@pytest.mark.parametrize("seed", range(30))
def test_summaries_are_coherent(seed):
    """Against all sets of sentences, by the objective's own definition."""
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=4, longest=5)
    size = len(problem.sources)
    pairs = list(itertools.combinations(range(size), 2))
    tokens = [(t, n) for t in range(len(problem.source_of)) for n in range(-1, size)]
    object.__setattr__(problem, "alike", tuple(rng.sample(pairs, min(2, len(pairs)))))
    object.__setattr__(problem, "leans", tuple(rng.sample(tokens, 2)))
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    words = rng.randint(3, 12)
    best = 0.0
    for taken in itertools.product([False, True], repeat=size):
        keep = np.array(taken)[problem.source_of]
        if (keep & problem.counts).sum() <= words:
            best = max(best, objective_of(problem, keep, concepts, None))
    for method in ("ilp", "exact", "ad3"):
        found = decode(problem, concepts, words=words, method=method)
        assert broken_rules(problem, found.keep, words=words) == []
        assert found.objective <= best + 1e-9 <= found.bound + 2e-6
        if method != "ad3":
            assert found.objective == pytest.approx(best)
