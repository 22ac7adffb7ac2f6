"""Models of threads as data: what each order scores."""

from itertools import pairwise

import pytest

from treaty.errors import UsageError
from treaty.label.threads._models import MODELS, ORDERS, families_of, kinds_of


def test_every_order_has_what_the_one_before_it_has():
    assert ORDERS == ("independent", "2d", "3-wise")
    sizes = [len(families_of(order)) for order in ORDERS]
    assert sizes == [2, 4, 10]
    for less, more in pairwise(ORDERS):
        assert families_of(more)[: len(families_of(less))] == families_of(less)
    with pytest.raises(UsageError, match="no order '4d': choose one of independent, 2d, 3-wise"):
        families_of("4d")


@pytest.mark.parametrize("order", ORDERS)
def test_patterns_have_a_label_for_each_pair_of_a_factor(order):
    names = [family.name for family in MODELS[order]]
    assert len(set(names)) == len(names)
    for family, kind in zip(MODELS[order], kinds_of(MODELS[order]), strict=True):
        assert kind.name == family.name
        assert all(len(pattern) == 1 + len(family.directions) for pattern in kind.patterns)
        assert len(set(family.templates)) == len(family.templates)


def test_outer_pairs_are_linked_where_three_are_scored():
    for family in families_of("3-wise")[4:]:
        assert {(1, 0, 1), (1, 1, 1)} <= set(family.patterns)
