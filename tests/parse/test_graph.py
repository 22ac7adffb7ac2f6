"""The graph of a sentence against all trees of it, and against the parser's own decoder."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.parse.enumeration import TREES
from tests.parse.treebank import small, treebank

from treaty.corpus import Sentence, Token
from treaty.errors import SolverError, UsageError
from treaty.parse import ORDERS, AtMostOne, Attach, Constraint, Never, OneOf, Parser, Root

BANK = treebank(12)
PARSERS = {order: Parser.train(BANK, **small(order=order)) for order in ORDERS}
SHORT = Sentence(
    [
        Token("The", upos="DET", xpos="DT"),
        Token("cat", upos="NOUN", xpos="NN", feats="Number=Sing"),
        Token("sees", upos="VERB", xpos="VBZ"),
        Token("birds", upos="NOUN", xpos="NN"),
    ]
)


def trees(found, single_root=True):
    """All trees of the candidate arcs, each with the values of the graph's variables."""
    for tree in TREES[len(found.sentence), single_root]:
        on = {(head, m) for m, head in enumerate(tree) if m}
        if on <= set(found.arcs):
            values = np.array([arc in on for arc in found.arcs] + [True], np.int8)
            yield tree, values


def best_of(found, objective, allowed=lambda tree: True):
    free = found.graph.copy()
    for variable in list(free)[:-1]:
        free.free(variable)
    scored = [(objective(free, values), tree) for tree, values in trees(found) if allowed(tree)]
    return max(scored, default=(-math.inf, ()))


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


class Every(Constraint):
    """All arcs are candidates."""

    def arcs(self, sentence):
        words = range(1, len(sentence) + 1)
        return [(h, m) for m in words for h in range(len(sentence) + 1) if h != m]


CONSTRAINTS = {
    "root": ([Root(1)], lambda tree: tree[1] == 0),
    "attach": ([Attach(3, 4)], lambda tree: tree[3] == 4),
    "both": ([Attach(2, 4), Root(1)], lambda tree: tree[2] == 4 and tree[1] == 0),
    "never": ([Never(2, 3)], lambda tree: tree[2] != 3),
    "either": ([Never(2, 3, either=True)], lambda tree: tree[2] != 3 and tree[3] != 2),
    "not the root": ([Never(3, 0)], lambda tree: tree[3] != 0),
    "one of": ([OneOf(4, (1, 2))], lambda tree: tree[4] in (1, 2)),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_constraints_leave_the_best_tree_that_satisfies_them(order, name, objective):
    constraints, satisfied = CONSTRAINTS[name]
    found = PARSERS[order].graph(SHORT, constraints=[Every(), *constraints])
    score, _ = best_of(found, objective, satisfied)
    exact = found.solve("exact")
    assert satisfied((-1, *exact.sentence.heads))
    assert exact.objective == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_parse_takes_constraints_and_adds_the_arcs_they_need(name):
    constraints, satisfied = CONSTRAINTS[name]
    (parse,) = PARSERS["third"].predict([SHORT], constraints=constraints)
    assert satisfied((-1, *parse.sentence.heads))
    assert parse.objective <= parse.bound + 1e-9
    assert all(token.deprel in PARSERS["third"].labels for token in parse.sentence)


def test_several_roots():
    parser = PARSERS["second"]
    (parse,) = parser.predict([SHORT], constraints=[Root(1), Root(3)], single_root=False)
    assert [parse.sentence.heads[i] for i in (0, 2)] == [0, 0]


def test_contradictions_are_told():
    parser = PARSERS["first"]
    with pytest.raises(SolverError, match="contradict"):
        parser.graph(SHORT, constraints=[Root(1), Root(2)])
    with pytest.raises(SolverError, match="contradict"):
        parser.graph(SHORT, constraints=[Attach(1, 2), Attach(2, 1)])
    found = parser.graph(SHORT)
    for (_, modifier), arc in found.arcs.items():
        if modifier == 2:
            found.graph.fix(~arc)
    with pytest.raises(SolverError, match="INFEASIBLE"):
        found.solve()


@pytest.mark.parametrize("constraint", [Root(5), Attach(0, 1), Attach(2, 2), Never(1, 9)])
def test_words_that_are_not_there_are_refused(constraint):
    with pytest.raises(UsageError, match="words 1 to 4"):
        PARSERS["first"].graph(SHORT, constraints=[constraint])


def test_one_of_needs_a_head():
    with pytest.raises(UsageError, match="one or more"):
        OneOf(2, ())


@pytest.mark.parametrize("order", ORDERS)
def test_labels_of_the_graph_are_the_labelers(order):
    parser = PARSERS[order]
    for parse in parser.predict(treebank(4, seed=3)):
        found = parser.graph(parse.sentence, labels=True).solve("exact")
        if parse.status == "OPTIMAL" and found.sentence.heads == parse.sentence.heads:
            assert [t.deprel for t in found.sentence] == [t.deprel for t in parse.sentence]
            assert found.objective == pytest.approx(parse.objective, abs=1e-6)


def with_two_subjects():
    """The graph of a sentence whose first word and subject are made to want a subject's label."""
    bank = treebank(12)
    for token in (token for sentence in bank[::2] for token in sentence):
        token.deprel = token.deprel.replace("nsubj", "nsubj:outer")
    parser = Parser.train(bank, **small(order="second"))
    verb = next(i for i, token in enumerate(bank[0], 1) if token.upos == "VERB")
    subject = next(i for i, token in enumerate(bank[0], 1) if token.head == verb)
    constraints = [Attach(1, verb), Attach(subject, verb)]
    found = parser.graph(bank[0], labels=True, constraints=constraints)
    for modifier, label in ((1, "nsubj:outer"), (subject, "nsubj")):
        found.graph.set_score(found.label(verb, modifier, label), 5.0)
    return found, lambda parse: [t.deprel[:5] for t in parse.sentence].count("nsubj")


def test_at_most_one_label_per_head():
    found, subjects = with_two_subjects()
    assert subjects(found.solve("exact")) == 2
    AtMostOne("nsubj", head_upos="ADP").apply(found)  # another kind of head
    AtMostOne("nsub").apply(found)  # no label of the treebank's
    assert subjects(found.solve("exact")) == 2
    AtMostOne("nsubj", head_upos="VERB").apply(found)
    assert subjects(found.solve("exact")) == 1
    assert subjects(found.solve()) == 1


def test_parse_takes_constraints_on_labels():
    bank = treebank(4, seed=5)
    constraints = [AtMostOne("punct"), AtMostOne("nsubj")]
    for parse in PARSERS["second"].predict(bank, constraints=constraints):
        for head in range(1, len(parse.sentence) + 1):
            labels = [t.deprel for t in parse.sentence if t.head == head]
            assert labels.count("punct") <= 1
            assert labels.count("nsubj") <= 1


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
