"""The checker of summaries, which is no twin of what it checks."""

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.cuts.test_rules import RULES, parsed
from tests.summarize.random_problems import random_problem, random_scores

from treaty.summarize import Problem, Rules, Source, broken_rules, decode, objective_of


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=100)
def test_no_decoded_summary_breaks_a_rule(seed):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=3, longest=10)
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    cuts = np.array([rng.uniform(-1, 2) for _ in problem.source_of])
    words, sentences = rng.randint(0, 12), rng.choice([None, 1, 2])
    found = decode(problem, concepts, cuts, words=words, sentences=sentences, iterations=50)
    assert broken_rules(problem, found.keep, words=words, sentences=sentences) == []


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=100)
def test_whatever_the_checker_allows_can_be_scored(seed):
    """Of any set of words: if no rule is broken and nothing is tied, it is a summary."""
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=1, longest=6, rules=Rules(RULES.never, doubtful=True))
    keep = np.array([rng.random() < 0.6 for _ in problem.source_of])
    heads = problem.heads
    for _ in keep:  # punctuation goes with its head, as it does in every summary
        keep = np.where(problem.is_word | (heads < 0), keep, keep[heads])
    free = np.zeros(len(keep))
    words = all(problem.is_word[h] for h in heads if h >= 0)
    root = [t for t in np.flatnonzero(heads < 0) if not problem.is_word[t]]
    if words and not root:
        is_summary = objective_of(problem, keep, np.zeros(len(problem.concepts)), free) == 0.0
        assert (broken_rules(problem, keep) == []) == is_summary


def test_the_checker_names_what_is_wrong():
    cats = parsed("Cats do +n't sleep", "NOUN:4:nsubj", "AUX:4:aux", "PART:4:advmod", "VERB:0:root")
    problem = Problem.of([Source(1, 2, cats)], reduce_to=None)
    where = "document 2, sentence 3: "
    assert broken_rules(problem, [1, 1, 1, 0])[0] == where + "'sleep' is cut from the root (root)"
    assert where + 'a part of "do n\'t" is cut' in broken_rules(problem, [1, 1, 0, 1])
    assert where + "'n't' is cut from 'sleep' (negation)".replace(
        "'n't'", '"n\'t"'
    ) in broken_rules(problem, [1, 1, 0, 1])
    assert broken_rules(problem, [0, 0, 0, 0]) == []
    assert broken_rules(problem, [1, 1, 1, 1], words=2, sentences=0) == [
        "3 words are kept, more than the limit of 2",
        "1 sentences are kept, more than the limit of 0",
    ]
