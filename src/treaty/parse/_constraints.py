"""Constraints on trees, for `Parser.predict` and `Parser.graph`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treaty.errors import UsageError
from treaty.text import Sentence

if TYPE_CHECKING:
    from treaty.parse._graph import ParseGraph

__all__ = ["AtMostOne", "Attach", "Constraint", "Leaf", "Never", "OneOf", "Root"]

Arc = tuple[int, int]


class Constraint:
    """A constraint on every tree. Subclass it and override the methods that apply.

    An arc is a pair (head, modifier) of word ids, which count from 1; the head 0 is the root.

    Attributes
    ----------
    needs_labels
        Whether it involves labels, which are then variables of the graph.

    Examples
    --------
    >>> class NoCommaHeads(Constraint):
    ...     def forbidden(self, sentence):
    ...         words = range(1, len(sentence) + 1)
    ...         commas = [i for i in words if sentence.words[i - 1] == ","]
    ...         return [(h, m) for h in commas for m in words if h != m]
    """

    needs_labels: bool = False

    def arcs(self, sentence: Sentence) -> Iterable[Arc]:
        """List arcs that must be candidates, even if the pruner would drop them."""
        return ()

    def forbidden(self, sentence: Sentence) -> Iterable[Arc]:
        """List arcs that no tree may contain."""
        return ()

    def apply(self, parse_graph: ParseGraph) -> None:
        """Add factors to the graph; by default, fix the forbidden arcs off."""
        for arc in self.forbidden(parse_graph.sentence):
            variable = parse_graph.arc(*arc)
            if variable is not None:
                parse_graph.graph.fix(~variable)


@dataclass(frozen=True, slots=True)
class Attach(Constraint):
    """The word has this head.

    Examples
    --------
    >>> Attach(word=3, head=2)
    Attach(word=3, head=2)
    """

    word: int
    head: int

    def arcs(self, sentence: Sentence) -> list[Arc]:
        """List the arc."""
        return [(self.head, self.word)]

    def forbidden(self, sentence: Sentence) -> Iterator[Arc]:
        """List the arcs to the word from all others."""
        return _from_others(sentence, self.word, self.head)


@dataclass(frozen=True, slots=True)
class OneOf(Constraint):
    """The word has one of these heads.

    Examples
    --------
    >>> OneOf(4, heads=(2, 3))
    OneOf(word=4, heads=(2, 3))
    """

    word: int
    heads: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.heads:
            raise UsageError(f"expected at least one head for word {self.word}")

    def arcs(self, sentence: Sentence) -> list[Arc]:
        """List the arcs from these heads."""
        return [(head, self.word) for head in self.heads]

    def forbidden(self, sentence: Sentence) -> Iterator[Arc]:
        """List the arcs to the word from all others."""
        return _from_others(sentence, self.word, *self.heads)


@dataclass(frozen=True, slots=True)
class Root(Constraint):
    """The word is attached to the root.

    With several roots (``single_root=False``), other words may be attached to it, too.

    Examples
    --------
    >>> Root(2)
    Root(word=2)
    """

    word: int

    def arcs(self, sentence: Sentence) -> list[Arc]:
        """List the arc from the root."""
        return [(0, self.word)]

    def forbidden(self, sentence: Sentence) -> Iterator[Arc]:
        """List the arcs to the word from all other words."""
        return _from_others(sentence, self.word, 0)


@dataclass(frozen=True, slots=True)
class Never(Constraint):
    """The word does not have this head and, with `either`, the head does not have the word as head.

    Examples
    --------
    >>> list(Never(1, 3, either=True).forbidden(Sentence.from_words("abc")))
    [(3, 1), (1, 3)]
    """

    word: int
    head: int
    either: bool = False

    def forbidden(self, sentence: Sentence) -> list[Arc]:
        """List the arc, and with `either` the reverse arc."""
        both = self.either and self.head > 0
        return [(self.head, self.word)] + both * [(self.word, self.head)]


@dataclass(frozen=True, slots=True)
class Leaf(Constraint):
    """Words with this coarse tag have no dependents, such as function words or punctuation.

    Examples
    --------
    >>> sentence = Sentence.from_words(["the", "cat"])
    >>> sentence.tokens[0].upos = "DET"
    >>> list(Leaf("DET").forbidden(sentence))
    [(1, 2)]
    """

    upos: str

    def forbidden(self, sentence: Sentence) -> Iterator[Arc]:
        """List the arcs from words with the tag."""
        words = range(1, len(sentence) + 1)
        for head, token in enumerate(sentence.tokens, 1):
            if token.upos == self.upos:
                yield from ((head, word) for word in words if word != head)


@dataclass(frozen=True, slots=True)
class AtMostOne(Constraint):
    """No head has two dependents with this label, for example two subjects.

    Parameters
    ----------
    label
        The label, including its subtypes (``nsubj:pass`` for ``nsubj``).
    head_upos
        Restrict the constraint to heads with this coarse tag; by default all heads.

    Examples
    --------
    >>> AtMostOne("nsubj", head_upos="VERB")
    AtMostOne(label='nsubj', head_upos='VERB')
    """

    needs_labels = True

    label: str
    head_upos: str | None = None

    def apply(self, parse_graph: ParseGraph) -> None:
        """Allow at most one of the variables of the label to be on, for each head."""
        tokens = parse_graph.sentence.tokens
        by_head: dict[int, list[Arc]] = {}
        for head, modifier in parse_graph.arcs:
            if head and self.head_upos in (None, tokens[head - 1].upos):
                by_head.setdefault(head, []).append((head, modifier))
        for arcs in by_head.values():
            variables = [
                variable
                for arc in arcs
                for label, variable in parse_graph.labels(*arc).items()
                if label == self.label or label.startswith(f"{self.label}:")
            ]
            if len(variables) > 1:
                parse_graph.graph.at_most_one(variables)


def _from_others(sentence: Sentence, word: int, *heads: int) -> Iterator[Arc]:
    allowed = {word, *heads}
    return ((head, word) for head in range(len(sentence) + 1) if head not in allowed)
