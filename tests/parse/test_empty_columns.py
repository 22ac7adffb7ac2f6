"""Columns that a pipeline fills, and those it empties."""

from __future__ import annotations

import pytest

from treaty.parse._empty_columns import BATCH, filled, has_none, without_enhanced_graph
from treaty.text import Sentence, Token


def sentence(*tags: str) -> Sentence:
    return Sentence([Token(f"w{i}", upos=tag) for i, tag in enumerate(tags)])


def test_columns_are_empty_if_no_word_has_them():
    assert has_none(("upos", "xpos"), sentence("_", "_"))
    assert not has_none(("upos", "xpos"), sentence("_", "NOUN"))
    assert has_none((), sentence("NOUN"))
    assert has_none(("upos",), Sentence([]))


@pytest.mark.parametrize("count", [0, 1, BATCH, BATCH + 1])
def test_bare_sentences_are_filled_in_their_order(count):
    given = [sentence("_" if i % 3 else "NOUN") for i in range(count)]
    asked = []

    def fill(bare):
        asked.append(len(bare))
        return iter([sentence("X") for _ in bare])

    found = list(filled(given, lambda s: has_none(("upos",), s), fill))
    assert [s.tokens[0].upos for s in found] == ["X" if i % 3 else "NOUN" for i in range(count)]
    assert all(found[i] is given[i] for i in range(0, count, 3))
    assert sum(asked) == sum(i % 3 > 0 for i in range(count)) and max(asked, default=0) <= BATCH


def test_enhanced_dependencies_and_empty_nodes_go_and_contractions_stay():
    contraction, empty = (0, "1-2\tw0w1" + "\t_" * 8), (1, "1.1\tgone" + "\t_" * 8)
    given = Sentence(sentence("X", "Y").tokens, ["# a comment"], [contraction, empty])
    given.tokens[0].deps = "2:nsubj"
    found = without_enhanced_graph(given)
    assert found.other_lines == [contraction] and found.comments == given.comments
    assert [token.deps for token in found.tokens] == ["_", "_"]
    assert given.tokens[0].deps == "2:nsubj"
    plain = sentence("X")
    assert without_enhanced_graph(plain) is plain
