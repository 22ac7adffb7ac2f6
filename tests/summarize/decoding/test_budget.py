"""How much fits, for all baselines."""

import pytest

from treaty.errors import UsageError
from treaty.summarize import centroid, lead, mmr

SENTENCES = [
    ["rain", "fell", "in", "the", "north"],
    ["rain", "fell", "in", "the", "south", "and", "in", "the", "north"],
    ["snow"],
    ["rain", "fell"],
    [],
    ["the", "north", "saw", "snow"],
]


def test_lengths_may_be_others_than_the_numbers_of_words():
    assert lead(SENTENCES, 5, lengths=[9, 2, 3, 1, 1, 1]) == [1, 2]
    assert centroid(SENTENCES, 5, lengths=[9, 9, 9, 9, 9, 5]) == [5]
    assert mmr(SENTENCES, 5, lengths=[9, 9, 9, 9, 9, 5]) == [5]


@pytest.mark.parametrize("choose", [lead, centroid, mmr])
@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"budget": -1}, "must be at least 0"),
        ({"budget": 1, "lengths": [1]}, "expected 6 lengths"),
        ({"budget": 1, "lengths": [-1] * 6}, "must be at least 0"),
    ],
)
def test_arguments_that_make_no_sense(choose, options, cause):
    with pytest.raises(UsageError, match=cause):
        choose(SENTENCES, **options)
