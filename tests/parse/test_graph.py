"""The graph of a sentence against all trees of it, and against the parser's own decoder."""

from __future__ import annotations

import pytest
from tests.parse.constrained import PARSERS, SHORT, Every, best_of
from tests.parse.treebank import treebank

from treaty.corpus import Sentence, Token
from treaty.errors import UsageError
from treaty.parse import ORDERS, AtMostOne, Root


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
