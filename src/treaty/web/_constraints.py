"""Constraints of requests: on trees and tags, on names, and on summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from treaty.errors import UsageError
from treaty.parse import AtMostOne, Attach, Constraint, Leaf, Never, OneOf, Root

if TYPE_CHECKING:
    from treaty.label import EntityRules
    from treaty.summarize import SummaryConstraints

__all__ = ["NameRule", "SummaryWish", "TreeConstraint", "name_rules", "on_trees", "summary_wishes"]

MOST = 2**31 - 1
Id = Annotated[int, Field(ge=0, le=100_000)]
Text = Annotated[str, Field(min_length=1, max_length=200)]
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


class TreeConstraint(BaseModel):
    """What the tree of a sentence must be like. Words count from 1; the head 0 is the root."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["attach", "never", "root", "one_of", "leaf", "at_most_one", "tag", "not_tag"] = (
        Field(description="attach: the word has this head; tag: it has this coarse tag; …")
    )
    sentence: int = Field(
        1, ge=1, le=MOST, description="Which sentence of the text; they count from 1."
    )
    word: Id | None = None
    head: Id | None = None
    heads: list[Id] = Field([], max_length=1000)
    either: bool = Field(False, description="never: in neither direction.")
    upos: Text | None = None
    label: Text | None = None
    head_upos: Text | None = None


class NameRule(BaseModel):
    """A phrase, and the type that it has; O for what is no name."""

    model_config = ConfigDict(extra="forbid")
    phrase: Text
    type: Text
    weight: float | None = Field(None, ge=-1e6, le=1e6, description="None if it always holds.")
    case: bool = True


class SummaryWish(BaseModel):
    """What a summary must contain, or not; documents, sentences and words count from 1."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["take", "leave", "keep", "cut"] = Field(
        description="take or leave a sentence; keep or cut a word of it, where it is taken."
    )
    document: int = Field(1, ge=1, le=MOST)
    sentence: int = Field(ge=1, le=MOST)
    word: int | None = Field(None, ge=1, le=MOST)


def on_trees(wanted: list[TreeConstraint]) -> list[Constraint]:
    """Make constraints of the parser; those on tags are left out.

    Examples
    --------
    >>> on_trees([TreeConstraint(kind="attach", word=7, head=2)])
    [Attach(word=7, head=2)]
    """
    found: list[Constraint] = []
    for one in wanted:
        check(one)
        word, head = one.word or 0, one.head or 0
        if one.kind == "attach":
            found.append(Attach(word, head))
        elif one.kind == "never":
            found.append(Never(word, head, one.either))
        elif one.kind == "root":
            found.append(Root(word))
        elif one.kind == "one_of":
            found.append(OneOf(word, tuple(one.heads)))
        elif one.kind == "leaf":
            found.append(Leaf(one.upos or ""))
        elif one.kind == "at_most_one":
            found.append(AtMostOne(one.label or "", one.head_upos))
    return found


def check(one: TreeConstraint) -> None:
    """Raise `UsageError` for a constraint that lacks something."""
    for name in NEEDS[one.kind]:
        if getattr(one, name) in (None, []):
            raise UsageError(f"the constraint {one.kind!r} needs {name!r}")


def name_rules(rules: list[NameRule]) -> EntityRules | None:
    """Make rules of the labeler.

    A request has no patterns: a regular expression may take forever.

    Examples
    --------
    >>> name_rules([NameRule(phrase="Acme", type="ORG")]).types
    ['ORG']
    """
    from treaty.label import EntityRules

    return EntityRules([rule.model_dump() for rule in rules]) if rules else None


def summary_wishes(wishes: list[SummaryWish]) -> SummaryConstraints | None:
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
            what = "names no word" if one.word is not None else "needs 'word'"
            raise UsageError(f"the constraint {one.kind!r} {what}")
    return SummaryConstraints(
        take=frozenset((w.document, w.sentence) for w in wishes if w.kind == "take"),
        leave=frozenset((w.document, w.sentence) for w in wishes if w.kind == "leave"),
        keep=frozenset((w.document, w.sentence, w.word or 0) for w in wishes if w.kind == "keep"),
        cut=frozenset((w.document, w.sentence, w.word or 0) for w in wishes if w.kind == "cut"),
    )
