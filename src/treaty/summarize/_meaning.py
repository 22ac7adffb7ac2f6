"""What is asserted and what is not: scopes of operators, and events that are reported."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from treaty.summarize._arcs import Arcs

__all__ = ["Meaning", "Scope"]

CLAUSES = frozenset({"root", "ccomp", "xcomp", "advcl", "acl", "csubj", "parataxis"})
SHARING = frozenset({"nsubj", "csubj", "aux", "cop"})
"""A conjunct with one of these is a clause."""
ADVERBIALS = frozenset({"advmod", "advcl", "obl", "discourse", "parataxis"})
DETERMINERS = frozenset({"det", "nmod:poss"})
VERBAL = frozenset({"VERB", "AUX"})
HELPERS = frozenset({"aux", "cop"})
PAST_TAG = "VBD"
SUPERLATIVES = frozenset({"JJS", "RBS"})


@dataclass(frozen=True)
class Scope:
    """Words in whose scope a cut changes what is said, as lists of a file of rules.

    Attributes
    ----------
    operators
        Words such as "not", "only" and "if": nothing is safe in their clause and below.
    verbs
        Lemmas of verbs such as "avoid" and "deny": nothing is safe below them.
    quantifiers
        Words such as "every": nothing is safe in the phrase whose head they depend on.
    modals
        Auxiliaries of what has not happened.
    perfect
        Auxiliaries of what has happened.
    """

    operators: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    quantifiers: frozenset[str] = frozenset()
    modals: frozenset[str] = frozenset()
    perfect: frozenset[str] = frozenset()


class Meaning:
    """Scopes and events of a sentence.

    Parameters
    ----------
    arcs
        The tree.
    scope
        The words that matter.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> words = Sentence.from_words(["Cats", "never", "sleep", "soundly"])
    >>> tree = words.with_tree([3, 3, 0, 3], ["nsubj", "advmod", "root", "advmod"])
    >>> never = Meaning(Arcs(tree), Scope(operators=frozenset({"never"})))
    >>> never.in_scope(3)
    True
    """

    def __init__(self, arcs: Arcs, scope: Scope) -> None:
        self.arcs, self.scope = arcs, scope

    def in_scope(self, token: int) -> bool:
        """Return whether a token's phrase is in the scope of an operator outside of it."""
        if self.is_question:
            return True
        arcs, below = self.arcs, self._below(token)
        above = self._above(token)
        if any(clause in above for place, clause in self._operators if place not in below):
            return True
        for child, head in pairwise(above):
            if arcs.lemmas[head] in self.scope.verbs and self._completes(child):
                return True
            if arcs.tags[head] in VERBAL:
                continue
            if arcs.forms[head] in self.scope.quantifiers:
                return True
            if any(self._quantifies(child) for child in arcs.children[head] if child not in below):
                return True
        return False

    def is_event(self, token: int) -> bool:
        """Return whether the clause of a token's head reports what has happened."""
        arcs = self.arcs
        clause = self._clause(arcs.heads[token]) if arcs.heads[token] >= 0 else token
        while clause >= 0:
            helpers = [c for c in arcs.children[clause] if not HELPERS.isdisjoint(arcs.labels[c])]
            forms = {arcs.forms[c] for c in helpers}
            if forms & self.scope.modals:
                return False
            if forms & self.scope.perfect:
                return True
            finite = [c for c in (clause, *helpers) if self._is_finite(c)]
            if finite:
                return all(self._is_past(c) for c in finite)
            if "xcomp" in arcs.labels[clause] or arcs.heads[clause] < 0:
                return False
            clause = self._clause(arcs.heads[clause])
        return False

    @cached_property
    def is_question(self) -> bool:
        """Whether the sentence is a question."""
        return "?" in self.arcs.forms[-2:]

    @cached_property
    def _operators(self) -> list[tuple[int, int]]:
        """The operators, each with the head of its clause."""
        arcs = self.arcs
        return [
            (place, self._clause(place))
            for place, form in enumerate(arcs.forms)
            if form in self.scope.operators
            and not self._is_of_number(place)
            and not self._describes(place)
        ]

    def _completes(self, token: int) -> bool:
        """Return whether a token is a complement of its head, not an adverbial."""
        return self.arcs.labels[token].isdisjoint(ADVERBIALS)

    def _describes(self, token: int) -> bool:
        """Return whether a word describes a noun with a determiner: "a little house"."""
        head = self.arcs.heads[token]
        return "amod" in self.arcs.labels[token] and self.arcs.has_child(head, DETERMINERS)

    def _is_of_number(self, token: int) -> bool:
        """Return whether a word bounds a number: "more than 20"."""
        head = self.arcs.heads[token]
        if head >= 0 and "fixed" in self.arcs.labels[token]:
            head = self.arcs.heads[head]
        return head >= 0 and self.arcs.tags[head] == "NUM"

    def _quantifies(self, token: int) -> bool:
        arcs = self.arcs
        if arcs.forms[token] in self.scope.quantifiers:
            return True
        return arcs.fine_tags[token] in SUPERLATIVES or "Degree=Sup" in arcs.features[token]

    def _is_finite(self, token: int) -> bool:
        arcs = self.arcs
        if arcs.tags[token] not in VERBAL:
            return False
        return "VerbForm=Fin" in arcs.features[token] or arcs.fine_tags[token] in (
            PAST_TAG,
            "VBZ",
            "VBP",
            "MD",
        )

    def _is_past(self, token: int) -> bool:
        arcs = self.arcs
        return "Tense=Past" in arcs.features[token] or arcs.fine_tags[token] == PAST_TAG

    def _clause(self, token: int) -> int:
        """Return the head of the clause that a token is in."""
        arcs = self.arcs
        while arcs.heads[token] >= 0:
            if not CLAUSES.isdisjoint(arcs.labels[token]):
                return token
            if "conj" in arcs.labels[token] and arcs.has_child(token, SHARING):
                return token
            token = arcs.heads[token]
        return token

    def _above(self, token: int) -> list[int]:
        found = []
        while token >= 0:
            found.append(token)
            token = self.arcs.heads[token]
        return found

    def _below(self, token: int) -> set[int]:
        found, stack = set[int](), [token]
        while stack:
            found.add(one := stack.pop())
            stack += self.arcs.children[one]
        return found
