import pytest

from treaty.errors import UsageError
from treaty.parse import AtMostOne, Attach, Leaf, Never, OneOf, Root
from treaty.tasks._wishes import (
    NameRule,
    SummaryWish,
    TreeConstraint,
    name_rules,
    on_trees,
    summary_wishes,
)


def test_every_kind_is_one_of_the_parsers():
    wanted = [
        {"kind": "attach", "word": 1, "head": 0},
        {"kind": "never", "word": 2, "head": 3, "either": True},
        {"kind": "root", "word": 4},
        {"kind": "one_of", "word": 5, "heads": [1, 2]},
        {"kind": "leaf", "upos": "DET"},
        {"kind": "at_most_one", "label": "nsubj", "head_upos": "VERB"},
        {"kind": "tag", "word": 1, "upos": "NOUN"},
    ]
    assert on_trees([TreeConstraint.from_dict(one) for one in wanted]) == [
        Attach(1, 0), Never(2, 3, True), Root(4), OneOf(5, (1, 2)), Leaf("DET"),
        AtMostOne("nsubj", "VERB"),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["attach", "never", "root", "one_of", "leaf", "at_most_one"])
def test_what_is_missing_is_named(kind):
    with pytest.raises(UsageError, match=f"the constraint '{kind}' needs "):
        on_trees([TreeConstraint(kind=kind)])


def test_rules_of_names():
    assert name_rules([]) is None
    (rule,) = name_rules([NameRule(phrase="May", type="O", weight=2)]).rules
    assert (rule.phrase, rule.type, rule.weight, rule.pattern) == ("May", "O", 2.0, None)


def test_wishes_for_summaries():
    assert summary_wishes([]) is None
    wishes = [SummaryWish(kind="leave", sentence=3), SummaryWish(kind="cut", sentence=1, word=2)]
    found = summary_wishes(wishes)
    assert (found.leave, found.cut) == ({(1, 3)}, {(1, 1, 2)})
    for wrong in (
        SummaryWish(kind="keep", sentence=1),
        SummaryWish(kind="take", sentence=1, word=1),
    ):
        with pytest.raises(UsageError):
            summary_wishes([wrong])
