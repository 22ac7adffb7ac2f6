"""Constraints: the best tree that satisfies them, and what contradicts itself."""

from __future__ import annotations

import pytest
from tests.parse.constrained import PARSERS, SHORT, Every, best_of
from tests.parse.treebank import small, treebank

from treaty.errors import SolverError, UsageError
from treaty.parse import ORDERS, AtMostOne, Attach, Leaf, Never, OneOf, Parser, Root


def is_det(word: int) -> bool:
    return SHORT.tokens[word - 1].upos == "DET"


CONSTRAINTS = {
    "root": ([Root(1)], lambda tree: tree[1] == 0),
    "attach": ([Attach(3, 4)], lambda tree: tree[3] == 4),
    "both": ([Attach(2, 4), Root(1)], lambda tree: tree[2] == 4 and tree[1] == 0),
    "never": ([Never(2, 3)], lambda tree: tree[2] != 3),
    "either": ([Never(2, 3, either=True)], lambda tree: tree[2] != 3 and tree[3] != 2),
    "not the root": ([Never(3, 0)], lambda tree: tree[3] != 0),
    "leaf": ([Leaf("DET")], lambda tree: all(h == 0 or not is_det(h) for h in tree[1:])),
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
    with pytest.raises(UsageError, match="at least one head"):
        OneOf(2, ())


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
