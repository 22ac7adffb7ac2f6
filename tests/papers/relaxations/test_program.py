"""The mathematical program of a corpus against all its parses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.reference import (
    count_tree,
    frequencies,
    parses,
    random_sentences,
    random_tree,
)
from tests.papers.relaxations.points import point_of, times

from treaty.errors import UsageError
from treaty.induce._features import Layout
from treaty.papers.relaxations._program import build_program


def holds(program, x, tolerance=1e-9):
    """Whether a point meets all rows and bounds."""
    return (
        np.all(x >= program.lower - tolerance)
        and np.all(x <= program.upper + tolerance)
        and np.allclose(times(program.equal, x), program.equal_right, atol=tolerance)
        and np.all(times(program.at_most, x) <= program.at_most_right + tolerance)
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_every_parse_is_a_point_with_the_counts_of_the_model(seed, lengths):
    random = np.random.default_rng(seed)
    sentences = random_sentences(random, lengths)
    times = random.integers(1, 4, len(lengths))
    layout = Layout(3)
    program = build_program(3, sentences, times)
    for _ in range(5):
        heads = [random_tree(n, random) for n in lengths]
        counts = sum(
            often * count_tree(sentence.tolist(), own, 3).flat
            for often, sentence, own in zip(times, sentences, heads, strict=True)
        )
        x = point_of(program, frequencies(counts), heads)
        assert holds(program, x)
        k = program.parameters
        assert np.allclose(x[k : 2 * k], counts[program.live])
        assert not counts[np.setdiff1d(np.arange(layout.size), program.live)].any()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_counts_never_leave_their_range_and_the_best_parameters_are_above_the_floor(seed):
    random = np.random.default_rng(seed)
    sentences = random_sentences(random, (3, 4), n_tags=2)
    program = build_program(2, sentences)
    k = program.parameters
    for _, counts in parses(2, sentences):
        own = counts[program.live]
        assert np.all(program.lower[k : 2 * k] <= own)
        assert np.all(own <= program.upper[k : 2 * k])
        probability = frequencies(counts)
        assert np.all(probability[counts > 0] > program.floor)


def test_posterior_constraints_cut_off_what_breaks_them_and_nothing_else():
    layout = Layout(2)
    sentences = [np.array([0, 1, 0])]
    wanted = np.zeros(layout.size)
    wanted[layout.child(1, np.arange(2), 0)] = 1.0
    wanted[layout.root(1)] = 1.0
    program = build_program(2, sentences, kinds=wanted, least=2.25)
    verdicts = []
    for heads, counts in parses(2, sentences):
        x = point_of(program, frequencies(counts), heads)
        verdicts.append(holds(program, x))
        assert verdicts[-1] == (counts @ wanted >= 2.25)
    assert True in verdicts and False in verdicts


def test_an_empty_corpus_is_refused():
    with pytest.raises(UsageError, match="at least one sentence"):
        build_program(2, [])
    with pytest.raises(UsageError, match="none may be empty"):
        build_program(2, [[0], []])
