"""What users demand of trees: constraints that `Parser.predict` and `Parser.graph` take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treaty.corpus import Sentence
from treaty.errors import UsageError

if TYPE_CHECKING:
    from treaty.parse._graph import ParseGraph

__all__ = ["AtMostOne", "Attach", "Constraint", "Never", "OneOf", "Root"]

Arc = tuple[int, int]


class Constraint:
    """Something every tree must satisfy. Write your own by filling in what applies.

    An arc is a pair (head, modifier) of word ids, which count from 1; the head 0 is the root.

    Attributes
    ----------
    needs_labels
        Whether it speaks of labels, which are variables of the graph then.

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
        """List arcs that must be candidates, whatever the pruner thinks of them."""
        return ()

    def forbidden(self, sentence: Sentence) -> Iterable[Arc]:
        """List arcs that no tree may have."""
        return ()

    def apply(self, parse_graph: ParseGraph) -> None:
        """Add factors to the graph; by default the forbidden arcs are fixed off."""
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
            raise UsageError(f"word {self.word} needs a head: give one or more")

    def arcs(self, sentence: Sentence) -> list[Arc]:
        """List the arcs from these heads."""
        return [(head, self.word) for head in self.heads]

    def forbidden(self, sentence: Sentence) -> Iterator[Arc]:
        """List the arcs to the word from all others."""
        return _from_others(sentence, self.word, *self.heads)


@dataclass(frozen=True, slots=True)
class Root(Constraint):
    """The word hangs from the root.

    With several roots (``single_root=False``) others may hang from it too.

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
    """The word does not have this head, nor, with `either`, the head the word.

    Examples
    --------
    >>> list(Never(1, 3, either=True).forbidden(Sentence.from_words("abc")))
    [(3, 1), (1, 3)]
    """

    word: int
    head: int
    either: bool = False

    def forbidden(self, sentence: Sentence) -> list[Arc]:
        """List the arc, and the one the other way round if there can be one."""
        both = self.either and self.head > 0
        return [(self.head, self.word)] + both * [(self.word, self.head)]


@dataclass(frozen=True, slots=True)
class AtMostOne(Constraint):
    """No head has two dependents with this label, such as two subjects.

    Parameters
    ----------
    label
        The label; its subtypes (``nsubj:pass`` for ``nsubj``) count as well.
    head_upos
        Only heads with this coarse tag; by default all.

    Examples
    --------
    >>> AtMostOne("nsubj", head_upos="VERB")
    AtMostOne(label='nsubj', head_upos='VERB')
    """

    needs_labels = True

    label: str
    head_upos: str | None = None

    def apply(self, parse_graph: ParseGraph) -> None:
        """Let at most one of the variables of the label be on, for each head."""
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
