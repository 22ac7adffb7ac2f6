"""Trees to draw."""

from __future__ import annotations

from hypothesis import strategies as st

from treaty.text import Sentence, Token


def sentence(heads, words=None, labels=None):
    words = words or [f"w{i}" for i in range(1, len(heads) + 1)]
    labels = labels or [f"r{i}" for i in range(1, len(heads) + 1)]
    return Sentence(
        [Token(w, head=h, deprel=r) for w, h, r in zip(words, heads, labels, strict=True)]
    )


@st.composite
def trees(draw, most=12):
    """Draw heads without cycles: every word hangs from the root or an earlier one of some order."""
    order = draw(st.permutations(range(1, draw(st.integers(1, most)) + 1)))
    heads = [0] * len(order)
    for i, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:i]]))
    return heads
