"""Noun chunks: nouns and pronouns with what stands before them, by Universal Dependencies."""

from __future__ import annotations

from collections.abc import Sequence

from treaty.text import Sentence

__all__ = ["noun_chunks"]

NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
BEFORE = frozenset({
    "amod", "compound", "det", "fixed", "flat", "goeswith", "nmod:desc", "nmod:poss",
    "nmod:unmarked", "nummod", "punct",
})  # fmt: skip
"""Labels of dependents before the noun that belong to the chunk, with all below them."""
AFTER = frozenset({"compound", "fixed", "flat", "goeswith", "nummod"})
"""The same after the noun: parts of names, and numbers."""


def noun_chunks(sentence: Sentence) -> list[tuple[int, int, int]]:
    """Find the noun chunks of a tree.

    A chunk is a noun or pronoun with its determiners, adjectives, numbers, possessors and other
    parts of its name, without prepositions, conjuncts and clauses. Chunks do not overlap.

    Parameters
    ----------
    sentence
        A sentence with tags and a tree of Universal Dependencies.

    Returns
    -------
    list of (first, last, root)
        The ids of the words of each chunk, in the order of the text.

    Examples
    --------
    >>> from treaty.text import Token
    >>> tokens = [Token("My", upos="PRON"), Token("cat", upos="NOUN"), Token("sleeps", upos="VERB")]
    >>> noun_chunks(Sentence(tokens).with_tree([2, 3, 0], ["nmod:poss", "nsubj", "root"]))
    [(1, 2, 2)]
    """
    below: list[list[int]] = [[] for _ in range(len(sentence) + 1)]
    for word, token in enumerate(sentence.tokens, 1):
        if token.head > 0:
            below[token.head].append(word)
    found: list[tuple[int, int, int]] = []
    taken: set[int] = set()
    for root in _from_the_top(sentence.heads):
        if sentence.tokens[root - 1].upos in NOMINAL and root not in taken:
            first, last = _extent(sentence, root, below, taken)
            taken.update(range(first, last + 1))
            found.append((first, last, root))
    return sorted(found)


def _from_the_top(heads: Sequence[int]) -> list[int]:
    """Order words by their depth, so that a chunk is found before those within it."""
    below: dict[int, list[int]] = {}
    for word, head in enumerate(heads, 1):
        below.setdefault(max(head, 0), []).append(word)
    order = list(below.get(0, ()))
    for word in order:
        order += below.get(word, ())
    return order


def _extent(
    sentence: Sentence, root: int, below: Sequence[Sequence[int]], taken: set[int]
) -> tuple[int, int]:
    """Extend a chunk from its root as far as the words belong to it, without a mark at an end."""
    tokens, own = sentence.tokens, {root}
    for child in below[root]:
        label = tokens[child - 1].deprel
        labels = BEFORE if child < root else AFTER
        if label in labels or label.partition(":")[0] in labels:
            stack = [child]
            while stack:
                word = stack.pop()
                own.add(word)
                stack += below[word]
    own -= taken
    first = last = root
    while first - 1 in own:
        first -= 1
    while last + 1 in own:
        last += 1
    while first < root and tokens[first - 1].upos in ("PUNCT", "CCONJ"):
        first += 1
    while last > root and tokens[last - 1].upos in ("PUNCT", "CCONJ"):
        last -= 1
    return first, last
