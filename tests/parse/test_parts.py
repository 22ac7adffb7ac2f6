"""Parts, their features and scores against the definitions; decoding against all trees."""

import itertools
import random

import numpy as np
import pytest
from tests.parse.enumeration import TREES, all_trees, crosses
from tests.parse.parts_reference import Reference, is_on, parts_of
from tests.parse.toy_parsers import candidates_of, heads_of, random_sentence, randomize, toy_parser

from treaty._native import parse as native
from treaty.parse import ORDERS, Parser, ParserTemplates
from treaty.parse._words import sequences_of
from treaty.solve import Status
from treaty.text import Sentence

CLOSE = 1e-4


def graph_of(parser: Parser, sentence: Sentence, order: str, single_root: bool):
    return native.make_graph(
        sequences_of([sentence], parser.attributes),
        0,
        parser.pruner_model,
        parser.parser_model,
        parser.families(order),
        *parser.options(single_root),
        np.zeros(0, np.int32),
    )


def graph_score(
    graph, heads: np.ndarray, modifiers: np.ndarray, others: np.ndarray, tree: tuple[int, ...]
) -> float:
    """What the factor graph says of a tree: its last variable carries what all trees score."""
    arcs = [tree[m] == h for h, m in zip(heads, modifiers, strict=True)]
    rest = [is_on(tree, *variable) for variable in others.reshape(-1, 4).tolist()]
    on = np.array([*arcs, *rest, True], np.int8)
    literals, begin = graph.literals, graph.literal_begin
    total = float(graph.scores @ on)
    for factor in range(graph.factors):
        codes = literals[begin[factor] : begin[factor + 1]]
        total += graph.evaluate(factor, on[codes // 2] ^ (codes % 2).astype(np.int8))
    return total


def test_the_parts_of_a_tree_of_three_words() -> None:
    # Words 1 and 3 hang from 2, which hangs from the root.
    found = sorted(parts_of((-1, 2, 0, 2)))
    start, end, left, right = -1, -2, False, True
    assert found == sorted(
        [
            *[("arc", arc) for arc in ((2, 1), (0, 2), (2, 3))],
            *[("head bigram", part) for part in ((2, 2, 0), (3, 0, 2))],
            *[("path", path) for path in ((2, 1), (2, 3))],
            ("arbitrary sibling", (2, 1, 3)),
            *[("grandparent", (2, 0, m)) for m in (1, 3)],
            ("sibling", (0, start, 2, right)),
            ("sibling", (0, 2, end, right)),
            *[("sibling", (h, start, end, side)) for h in (1, 3) for side in (left, right)],
            *[("sibling", (2, start, m, m > 2)) for m in (1, 3)],
            *[("sibling", (2, m, end, m > 2)) for m in (1, 3)],
            *[("grand-sibling", (h, 2, start, end, s)) for h in (1, 3) for s in (left, right)],
            *[("grand-sibling", (2, 0, start, m, m > 2)) for m in (1, 3)],
            *[("grand-sibling", (2, 0, m, end, m > 2)) for m in (1, 3)],
            ("tri-sibling", (0, start, 2, end, right)),
            *[("tri-sibling", (2, start, m, end, m > 2)) for m in (1, 3)],
        ]
    )


def test_the_parts_of_a_tree_that_crosses_itself() -> None:
    # 1 is the root's, 4 hangs from 2 across 3, which hangs from 1; 2 from 1.
    found = [
        part for part in parts_of((-1, 0, 1, 1, 2)) if part[0] in ("non-projective arc", "path")
    ]
    assert sorted(found) == [
        ("non-projective arc", (2, 4)),
        *[("path", path) for path in ((1, 2), (1, 3), (1, 4), (2, 4))],
    ]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("single_root", [True, False])
def test_every_tree_scores_its_parts(order: str, single_root: bool) -> None:
    rng = random.Random(1)
    parser = toy_parser("third+")
    randomize(parser, 2)
    for n in (1, 2, 4):
        sentence = random_sentence(rng, n)
        reference = Reference(parser, sentence, order)
        made = graph_of(parser, sentence, order, single_root)
        for tree in TREES[n, single_root]:
            assert graph_score(*made, tree) == pytest.approx(reference.score(tree), abs=CLOSE)


def test_the_usual_templates_score_long_sentences() -> None:
    """All templates of the parser, words out of reach of each other, tags in between."""
    rng = random.Random(3)
    parser = toy_parser("third+", templates=ParserTemplates(), heads=2)
    randomize(parser, 4)
    sentence = random_sentence(rng, 45)
    sentence.tokens[7].feats = "Case=Nom|Number=Plur"
    found = next(parser.predict([sentence]))
    assert found.objective == pytest.approx(
        Reference(parser, sentence).score(heads_of(found.sentence)), abs=0.01
    )


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("how", ["real", "ties", "zeros"])
@pytest.mark.parametrize("single_root", [True, False])
def test_decoding_against_all_trees(order: str, how: str, single_root: bool) -> None:
    rng = random.Random(5)
    optimal = 0
    for seed, n in enumerate((1, 2, 3, 4, 5, 5)):
        parser = toy_parser(order, single_root=single_root)
        randomize(parser, seed, how)
        sentence = random_sentence(rng, n)
        reference = Reference(parser, sentence)
        optimal += check_against(parser, sentence, reference, TREES[n, single_root])
    assert optimal == 6 if order == "first" or how == "zeros" else optimal >= 1


def check_against(
    parser: Parser,
    sentence: Sentence,
    reference: Reference,
    trees: list[tuple[int, ...]],
    **how: object,
) -> bool:
    found = next(parser.predict([sentence], **how))
    scores = {tree: reference.score(tree) for tree in trees}
    best, own = max(scores.values()), scores[heads_of(found.sentence)]
    assert found.objective == pytest.approx(own, abs=CLOSE)
    assert found.bound >= best - CLOSE
    assert found.objective <= best + CLOSE
    if found.status is Status.OPTIMAL:
        assert own == pytest.approx(best, abs=CLOSE)
    else:
        assert found.status in (Status.FRACTIONAL, Status.FEASIBLE) and found.gap > 0.0
    return found.status is Status.OPTIMAL


@pytest.mark.parametrize("single_root", [True, False])
def test_third_order_with_six_words(single_root: bool) -> None:
    parser = toy_parser("third", single_root=single_root)
    randomize(parser, 7)
    sentence = random_sentence(random.Random(7), 6)
    check_against(parser, sentence, Reference(parser, sentence), all_trees(6, single_root))


@pytest.mark.parametrize("order", ORDERS)
def test_lower_orders_leave_families_out(order: str) -> None:
    parser = toy_parser("third+")
    randomize(parser, 8)
    sentence = random_sentence(random.Random(8), 5)
    check_against(parser, sentence, Reference(parser, sentence, order), TREES[5, True], order=order)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("single_root", [True, False])
def test_decoding_among_few_candidates(order: str, single_root: bool) -> None:
    """Heads without modifiers, words with one head, gaps among the siblings."""
    for seed in range(6):
        parser = toy_parser("third+", single_root=single_root, heads=1 + seed % 3, threshold=0.0)
        randomize(parser, seed)
        parser.pruner_model.weights.values[:] = parser.parser_model.weights.values
        sentence = random_sentence(random.Random(seed), 5)
        kept = candidates_of(parser, sentence)
        trees = [
            tree
            for tree in TREES[5, single_root]
            if all((h, m) in kept for m, h in enumerate(tree) if m)
        ]
        reference = Reference(parser, sentence, order)
        check_against(parser, sentence, reference, trees, order=order)
        made = graph_of(parser, sentence, order, single_root)
        for tree in trees:
            assert graph_score(*made, tree) == pytest.approx(reference.score(tree), abs=CLOSE)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("how", ["real", "ties", "zeros"])
def test_projective_trees(single_root: bool, how: str) -> None:
    rng = random.Random(9)
    for seed, n in itertools.product(range(3), (1, 3, 5)):
        parser = toy_parser("second", single_root=single_root)
        randomize(parser, seed, how)
        sentence = random_sentence(rng, n)
        trees = [tree for tree in TREES[n, single_root] if not crosses(tree)]
        reference = Reference(parser, sentence, "first")
        assert check_against(parser, sentence, reference, trees, order="first", projective=True)


def test_single_root_can_be_chosen_per_call() -> None:
    rng = random.Random(10)
    for trained in (True, False):
        parser = toy_parser("third", single_root=trained)
        randomize(parser, 11)
        sentence = random_sentence(rng, 5)
        for chosen in (True, False):
            reference = Reference(parser, sentence)
            check_against(parser, sentence, reference, TREES[5, chosen], single_root=chosen)
