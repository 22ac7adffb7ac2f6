"""The graph of a sentence against all trees of it, and against the parser's own decoder."""

from __future__ import annotations

import itertools

import pytest
from tests.parse.constrained import PARSERS, SHORT, Every, best_of, trees
from tests.parse.treebank import treebank

from treaty.errors import UsageError
from treaty.parse import ORDERS, AtMostOne, Root
from treaty.text import Sentence, Token


@pytest.mark.parametrize("order", ORDERS)
def test_best_tree_of_the_graph_is_the_best_of_all_trees(order, objective):
    parser = PARSERS[order]
    found = parser.graph(SHORT, constraints=[Every()])
    assert len(found.arcs) == 16
    score, tree = best_of(found, objective)
    exact = found.solve("exact")
    assert exact.status == "OPTIMAL"
    assert exact.objective == pytest.approx(score, abs=1e-6)
    assert exact.sentence.heads == list(tree[1:])
    relaxed = found.solve()
    assert relaxed.objective - 1e-6 <= score <= relaxed.bound + 1e-6


@pytest.mark.parametrize("order", ORDERS)
def test_graph_scores_trees_as_the_parser_does(order):
    parser = PARSERS[order]
    for parse in parser.predict(treebank(6, seed=2)):
        found = parser.graph(parse.sentence).solve("exact")
        assert found.objective <= parse.bound + 1e-6
        assert found.objective >= parse.objective - 1e-6
        if parse.status == "OPTIMAL":
            assert found.objective == pytest.approx(parse.objective, abs=1e-6)
        if parse.sentence.heads == found.sentence.heads:
            assert found.sentence.tokens == parse.sentence.tokens  # labels too


@pytest.mark.parametrize("order", ORDERS)
def test_labels_of_the_graph_are_the_labelers(order):
    parser = PARSERS[order]
    for parse in parser.predict(treebank(4, seed=3)):
        found = parser.graph(parse.sentence, labels=True).solve("exact")
        if parse.status == "OPTIMAL" and found.sentence.heads == parse.sentence.heads:
            assert [t.deprel for t in found.sentence] == [t.deprel for t in parse.sentence]
            assert found.objective == pytest.approx(parse.objective, abs=1e-6)


def sorted_trees(found, objective):
    free = found.graph.copy()
    for variable in list(free)[:-1]:
        free.free(variable)
    scored = [(objective(free, values), list(tree[1:])) for tree, values in trees(found)]
    return sorted(scored, key=lambda one: -one[0])


@pytest.mark.parametrize("order", ["first", "third"])
def test_k_best_trees_are_those_of_enumeration(order, objective):
    found = PARSERS[order].graph(SHORT, constraints=[Every()])
    expected = sorted_trees(found, objective)
    parses = found.k_best(6)
    assert [p.objective for p in parses] == pytest.approx([s for s, _ in expected[:6]], abs=1e-6)
    assert len({tuple(p.sentence.heads) for p in parses}) == 6
    for parse in parses:
        assert parse.status == "OPTIMAL"
        own = next(score for score, tree in expected if tree == parse.sentence.heads)
        assert parse.objective == pytest.approx(own, abs=1e-6)


def test_diverse_trees_differ_in_so_many_heads(objective):
    found = PARSERS["first"].graph(SHORT, constraints=[Every()])
    expected = sorted_trees(found, objective)
    kept = []
    for score, tree in expected:
        if all(sum(a != b for a, b in zip(tree, other, strict=True)) >= 2 for _, other in kept):
            kept.append((score, tree))
    parses = found.k_best(3, distance=2)
    assert [p.objective for p in parses] == pytest.approx([s for s, _ in kept[:3]], abs=1e-6)


def test_k_best_trees_may_differ_in_labels_only():
    found = PARSERS["first"].graph(SHORT, labels=True)
    parses = found.k_best(4)
    answers = [[(t.head, t.deprel) for t in parse.sentence] for parse in parses]
    assert all(a != b for i, a in enumerate(answers) for b in answers[:i])
    assert all(a.objective >= b.objective - 1e-6 for a, b in itertools.pairwise(parses))
    assert len({tuple(parse.sentence.heads) for parse in parses}) < 4


def test_label_variables_need_labels():
    found = PARSERS["first"].graph(SHORT)
    with pytest.raises(UsageError, match="labels=True"):
        found.label(3, 2, "nsubj")
    with_labels = PARSERS["first"].graph(SHORT, labels=True)
    assert with_labels.label(3, 2, "no such label") is None
    assert with_labels.label(3, 3, "nsubj") is None
    assert with_labels.arc(3, 3) is None


def test_names_say_what_variables_are():
    found = PARSERS["first"].graph(SHORT, labels=True, constraints=[Root(3)])
    assert found.graph["0->3"] == found.arc(0, 3)
    label, variable = next(iter(found.labels(0, 3).items()))
    assert found.graph[f"0->3:{label}"] == variable


def test_empty_and_one_word_sentences():
    parser = PARSERS["third"]
    assert parser.graph(Sentence()).solve().sentence.heads == []
    (nothing,) = parser.predict([Sentence()], constraints=[AtMostOne("nsubj")])
    assert nothing.status == "OPTIMAL"
    one = Sentence([Token("Hush", upos="VERB")])
    assert parser.graph(one, labels=True).solve().sentence.heads == [0]
