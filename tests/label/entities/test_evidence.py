"""Evidence of rules: the decoder's answer is the best of all labelings that are left."""

import itertools
import math

import numpy as np
import pytest

from treaty.label.entities import EntityLabeler, EntityRules, Message, message_of_words
from treaty.label.entities._evidence import Evidence, evidence_of, forbid_halves
from treaty.text import scheme_named, spans_of_labels

WORDS = ["Ann", "Rome", "sleeps", "Oslo"]


def table_of(rules, message, labels, scheme):
    table = np.zeros((len(message), len(labels)))
    for word, label, score in zip(*evidence_of(rules, message, labels, scheme), strict=True):
        table[word, label] += score
    return table


@pytest.mark.parametrize("scheme", ["BIO", "BIESO", "BILOU"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_rule_without_weight_leaves_only_labelings_with_the_entity(scheme, size):
    labels = scheme_named(scheme).labels(["LOC", "PER"])
    message = message_of_words(WORDS)
    rules = EntityRules([{"phrase": " ".join(WORDS[:size]), "type": "PER"}])
    table = table_of(rules, message, labels, scheme)
    allowed = scheme_named(scheme)
    left = 0
    for row in itertools.product(range(len(labels)), repeat=len(WORDS)):
        names = [labels[n] for n in row]
        valid = (
            allowed.may_begin(names[0])
            and allowed.may_end(names[-1])
            and all(allowed.may_follow(a, b) for a, b in itertools.pairwise(names))
        )
        if valid:
            kept = all(table[i, n] == 0 for i, n in enumerate(row))
            assert kept == ((0, size, "PER") in spans_of_labels(names))
            left += kept
    assert left > 1


def test_weights_are_shared_by_the_words_and_added():
    rules = EntityRules(
        [
            {"phrase": "Ann Rome", "type": "PER", "weight": 3},
            {"phrase": "Ann", "type": "O", "weight": -1},
        ]
    )
    labels = ["O", "B-PER", "I-PER"]
    table = table_of(rules, message_of_words(WORDS), labels, "BIO")
    assert table[0].tolist() == [-1.0, 1.5, 0.0]
    assert table[1].tolist() == [0.0, 0.0, 1.5]
    assert not table[2:].any()


def best_by_enumeration(labeler, message, rules):
    """The best labeling of one message by the chain, with the evidence added to its scores."""
    table = table_of(rules, message, labeler.labels, labeler.settings.scheme)
    chains = labeler.instances([message.words], [[0]], "chain")
    every = list(itertools.product(range(len(labeler.labels)), repeat=len(message)))
    scores = [
        labeler.crf.scores(chains, row)[0] + sum(table[i, n] for i, n in enumerate(row))
        for row in every
    ]
    return max(scores)


RULES = [
    [{"phrase": "sleeps", "type": "LOC"}],
    [{"phrase": "Rome", "type": "O"}],
    [
        {"phrase": "Rome", "type": "PER", "weight": 2.5},
        {"phrase": "Ann", "type": "LOC", "weight": 40},
    ],
    [{"phrase": "Ann Rome", "type": "LOC"}, {"pattern": "R.me", "type": "PER"}],
    [{"pattern": "in (?P<name>.*)", "type": "PER", "weight": -3}],
]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("words", [["Ann", "Rome"], ["in", "Rome", "sleeps"]])
def test_labels_are_the_best_given_the_rules(labeler, rules, words):
    given = EntityRules(rules)
    message = message_of_words(words)
    (found,) = labeler.predict([words], rules=given)
    best = best_by_enumeration(labeler, message, given)
    assert found.objective == pytest.approx(best, rel=1e-5)
    assert found.bound == pytest.approx(best, rel=1e-5)
    graph = labeler.graph([words], rules=given)
    assert graph.solve("ilp").objective == pytest.approx(best, rel=1e-5)


def test_what_a_rule_says_is_certain_and_spreads_to_equal_names(messages):
    labeler = EntityLabeler.train(
        messages, order="global", language_model=None, tags=False, reward_entity=100.0
    )
    told = [["we", "like", "Zorg", "here"], ["see", "Zorg"]]
    rules = EntityRules([{"pattern": "(?P<name>Zorg) here", "type": "PER"}])
    first, second = labeler.predict(told, rules=rules, document=True)
    assert [(e.type, e.confidence) for e in first.entities] == [("PER", pytest.approx(1.0))]
    assert [e.type for e in second.entities] == ["PER"]
    assert not math.isinf(first.objective)


def message_of(parts):
    """Make a message of words that are separated by "|", without a space, or by a space."""
    places, start = [], 0
    for part in parts.split(" "):
        for word in part.split("|"):
            places.append((start, start + len(word)))
            start += len(word)
        start += 1
    return Message(parts.replace("|", ""), tuple(places))


def forbidden(parts, scheme="BIESO", ruled=()):
    labels = scheme_named(scheme).labels(["LOC", "PER"])
    made = Evidence(list(ruled), [0 for _ in ruled], [1.0 for _ in ruled])
    forbid_halves(message_of(parts), labels, made)
    return [
        (word, labels[label])
        for word, label, score in zip(*made, strict=True)
        if score == -math.inf
    ]


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ("Jean|-|Luc Godard", [(0, "E-PER"), (2, "B-PER")]),
        ("Olivia Newton|-|John sang", [(1, "E-PER"), (3, "B-PER")]),
        ("Jean - Luc", []),
        ("a Trump|-|backed plan", []),
        ("the post|-|Soviet era", []),
        ("-|Luc", []),
        ("Jean|-", []),
    ],
)
def test_names_of_people_are_not_cut_at_hyphens(parts, found):
    assert sorted(forbidden(parts)) == sorted(found)


def test_hyphens_in_other_schemes():
    assert sorted(forbidden("Jean|-|Luc", "BILOU")) == [(0, "L-PER"), (2, "B-PER")]


def test_rules_come_before_hyphens():
    assert forbidden("Jean|-|Luc Godard", ruled=[2]) == []
