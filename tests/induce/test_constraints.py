"""Constraints: what they mark, what they allow, and the files they come from."""

import numpy as np
import pytest
from tests.induce.reference import all_counts, random_corpus

from treaty.errors import InputError, UsageError
from treaty.induce import Corpus, Counts, EdgeConstraint
from treaty.induce._constraints import native_form

RULE = EdgeConstraint([("N", "A"), ("ROOT", "A"), ("A", "V"), ("X", "N")], share=0.5)


def arcs_by_hand(corpus: Corpus, heads: list[int]) -> int:
    """How many arcs are of the kinds of the rule, one by one."""
    found = 0
    for tokens, tree in zip(corpus, corpus.trees(heads), strict=True):
        for token, head in zip(tokens, tree, strict=True):
            above = "ROOT" if head == 0 else corpus.tags[tokens[head - 1]]
            found += (above, corpus.tags[token]) in RULE.edges
    return found


def test_arcs_are_counted_one_by_one() -> None:
    corpus = random_corpus(3, [3, 4])
    heads = [2, 0, 2, 2, 3, 0, 3]
    share = RULE.met(corpus.count(heads), corpus.tags)
    assert share == pytest.approx(arcs_by_hand(corpus, heads) / len(heads))


def test_the_forms_of_a_constraint_agree() -> None:
    corpus = random_corpus(3, [3, 3])
    others, most = native_form(RULE, corpus)
    verdicts = set()
    for flat in all_counts(corpus):
        counts = Counts.from_flat(flat)
        is_allowed = RULE.allows(counts, corpus)
        assert is_allowed == (RULE.met(counts, corpus.tags) >= RULE.share)
        assert is_allowed == (flat @ others <= most)
        verdicts.add(is_allowed)
    assert verdicts == {True, False}
    assert native_form(None, corpus) == (pytest.approx(np.zeros(0)), 0.0)


def test_rules_from_files(tmp_path) -> None:
    good = tmp_path / "rules.toml"
    good.write_text('share = 0.8\nedges = [["V", "N"]]\n')
    assert EdgeConstraint.read(good) == EdgeConstraint([("V", "N")], 0.8)
    bad = ("share = 0.8", "edges = [[1]]", "edges = [['A', 'B']]\nshare = 3", "]", "more = 1")
    for text in bad:
        good.write_text(text)
        with pytest.raises(InputError, match=r"rules\.toml"):
            EdgeConstraint.read(good)
    with pytest.raises(InputError, match="cannot be read"):
        EdgeConstraint.read(tmp_path / "none.toml")
    with pytest.raises(UsageError, match="from 0 to 1"):
        EdgeConstraint([], share=2.0)
