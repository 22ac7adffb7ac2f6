"""Constraints that a request may state: on trees and tags, on names, and on summaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from treaty.errors import UsageError
from treaty.tasks._request import Option, Record

if TYPE_CHECKING:
    from treaty.label import EntityRules
    from treaty.parse import Constraint
    from treaty.summarize import SummaryConstraints

__all__ = [
    "TAGS",
    "NameRule",
    "SummaryWish",
    "TreeConstraint",
    "check_wish",
    "name_rules",
    "on_trees",
    "summary_wishes",
]

Word = Annotated[int | None, Option("The number of a word.", least=0, most=100_000)]
Name = Annotated[str | None, Option("A tag or label.", shortest=1, longest=200)]
NEEDS = {
    "attach": ("word", "head"),
    "never": ("word", "head"),
    "root": ("word",),
    "one_of": ("word", "heads"),
    "leaf": ("upos",),
    "at_most_one": ("label",),
    "tag": ("word", "upos"),
    "not_tag": ("word", "upos"),
}
TAGS = ("tag", "not_tag")


@dataclass(frozen=True, kw_only=True)
class TreeConstraint(Record):
    """A constraint on the tree of a sentence. Words count from 1; the head 0 is the root."""

    kind: Annotated[
        Literal["attach", "never", "root", "one_of", "leaf", "at_most_one", "tag", "not_tag"],
        Option("attach: the word has this head; tag: it has this coarse tag; …"),
    ]
    sentence: Annotated[int, Option("The sentence of the text; they count from 1.", least=1)] = 1
    word: Word = None
    head: Word = None
    heads: Annotated[
        tuple[int, ...], Option("Numbers of words.", least=0, most=100_000, longest=1000)
    ] = ()
    either: Annotated[bool, Option("never: in neither direction.")] = False
    upos: Name = None
    label: Name = None
    head_upos: Name = None


@dataclass(frozen=True, kw_only=True)
class NameRule(Record):
    """A phrase, and the type that it has; O for what is no name."""

    phrase: Annotated[str, Option("The phrase.", shortest=1, longest=200)]
    type: Annotated[str, Option("Its type.", shortest=1, longest=200)]
    weight: Annotated[
        float | None, Option("None if the rule always holds.", least=-1e6, most=1e6)
    ] = None
    case: Annotated[bool, Option("Whether capital letters count.")] = True


@dataclass(frozen=True, kw_only=True)
class SummaryWish(Record):
    """A sentence or word that a summary must contain or leave out; all count from 1."""

    kind: Annotated[
        Literal["take", "leave", "keep", "cut"],
        Option("take or leave a sentence; keep or cut a word of it, where it is taken."),
    ]
    document: Annotated[int, Option("The number of the document.", least=1)] = 1
    sentence: Annotated[int, Option("The number of the sentence.", least=1)]
    word: Annotated[int | None, Option("The number of the word.", least=1)] = None


def on_trees(wishes: Sequence[TreeConstraint]) -> list[Constraint]:
    """Make constraints of the parser; those on tags are left out.

    Examples
    --------
    >>> on_trees([TreeConstraint(kind="attach", word=7, head=2)])
    [Attach(word=7, head=2)]
    """
    from treaty.parse import AtMostOne, Attach, Leaf, Never, OneOf, Root

    constraints: list[Constraint] = []
    for one in wishes:
        check_wish(one)
        word, head = one.word or 0, one.head or 0
        if one.kind == "attach":
            constraints.append(Attach(word, head))
        elif one.kind == "never":
            constraints.append(Never(word, head, one.either))
        elif one.kind == "root":
            constraints.append(Root(word))
        elif one.kind == "one_of":
            constraints.append(OneOf(word, one.heads))
        elif one.kind == "leaf":
            constraints.append(Leaf(one.upos or ""))
        elif one.kind == "at_most_one":
            constraints.append(AtMostOne(one.label or "", one.head_upos))
    return constraints


def check_wish(one: TreeConstraint) -> None:
    """Raise `UsageError` for a constraint that lacks something."""
    for name in NEEDS[one.kind]:
        if getattr(one, name) in (None, "", ()):
            raise UsageError(f"the constraint {one.kind!r} needs {name!r}")


def name_rules(rules: Sequence[NameRule]) -> EntityRules | None:
    """Make rules of the labeler.

    A request has no patterns: a regular expression may take forever.

    Examples
    --------
    >>> name_rules([NameRule(phrase="Acme", type="ORG")]).types
    ['ORG']
    """
    from treaty.label import EntityRules

    return EntityRules([rule.to_dict() for rule in rules]) if rules else None


def summary_wishes(wishes: Sequence[SummaryWish]) -> SummaryConstraints | None:
    """Make constraints of the summarizer.

    Examples
    --------
    >>> summary_wishes([SummaryWish(kind="take", sentence=2)]).take
    frozenset({(1, 2)})
    """
    from treaty.summarize import SummaryConstraints

    if not wishes:
        return None
    for one in wishes:
        if (one.word is None) != (one.kind in ("take", "leave")):
            problem = "names no word" if one.word is not None else "needs 'word'"
            raise UsageError(f"the constraint {one.kind!r} {problem}")
    return SummaryConstraints(
        take=frozenset((w.document, w.sentence) for w in wishes if w.kind == "take"),
        leave=frozenset((w.document, w.sentence) for w in wishes if w.kind == "leave"),
        keep=frozenset((w.document, w.sentence, w.word or 0) for w in wishes if w.kind == "keep"),
        cut=frozenset((w.document, w.sentence, w.word or 0) for w in wishes if w.kind == "cut"),
    )
