"""Models of threads, as data: the factors, their patterns and their features."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from treaty.errors import UsageError
from treaty.label._kinds import PatternKind
from treaty.label.threads._templates import Family

__all__ = ["LABELS", "MODELS", "ORDERS", "PRIOR", "families_of", "kinds_of"]

LABELS = ("apart", "linked")

PRIOR = Family("prior", (), ("",), ((1,),))
"""The prior of links: one weight, which is tuned on dev data at the end."""

PAIR = Family("pair", (), (
    "distance", "distance same", "turns same", "turns latest same", "distance opening",
    "mention", "mention latest", "mention distance", "mention turns", "mention latest same",
    "mentioned", "mentioned latest", "mentioned mention", "mentioned same", "mentioned turns",
    "mention mentioned latest", "addressee same", "addressee latest",
    "latest same distance", "latest-question same", "latest-question same s.type",
    "latest-question distance", "latest-question latest mention",
    "other-before s.type", "other-before mention", "other-before t.type", "other-before opens-turn",
    "own-between", "own-between s.type", "own-between t.type", "own-between starts-turn",
    "opening newcomer", "opening same", "newcomer same distance", "newcomer s.type",
    "gap", "gap same", "gap mention", "gap distance", "gap latest same",
    "cosine", "cosine same", "cosine distance", "overlap same", "shared", "shared mention",
    "shared turns", "shared same distance", "cosine s.type t.type",
    "s.type t.type", "s.type t.type same", "s.type t.type distance", "s.type t.type turns latest",
    "s.length t.length", "s.length same distance", "t.length same distance", "s.length t.type same",
    "t.length s.type same",
    "s.first same", "t.first same", "s.first t.first", "s.first distance", "s.first s.second same",
    "s.first t.last", "s.first t.type same", "s.last same", "t.last same", "t.last s.type same",
    "t.first s.type same", "t.first t.second same", "s.last t.last same", "s.first distance same",
    "t.last distance same", "t.first distance same", "s.last distance same",
    "ends-turn opens-turn same distance", "starts-turn opens-turn same distance",
    "ends-turn starts-turn opens-turn same turns", "ends-turn t.type s.type same",
), ((1,),))  # fmt: skip

TWO = tuple(product((0, 1), repeat=2))
TARGETS = Family("targets", ("right",), (
    "", "0.same 1.same", "1.distance", "1.distance 0.same 1.same", "0.ends-turn 0.same",
    "0.t.type 1.t.type", "0.t.type 1.t.type s.type", "0.mention 1.mention", "0.latest 1.latest",
    "0.ends-turn 0.s.type", "0.cosine 1.cosine", "0.latest-question 1.latest-question",
    "0.mentioned 1.mentioned", "0.ends-turn 0.t.type 1.t.type", "0.opens-turn 0.ends-turn 0.same",
), TWO)  # fmt: skip
SOURCES = Family("sources", ("down",), (
    "", "0.same 1.same", "0.distance", "0.distance 0.same 1.same", "1.opens-turn 0.same",
    "0.s.type 1.s.type", "0.s.type 1.s.type 0.t.type", "0.mention 1.mention", "0.t.type",
    "0.latest 1.latest", "1.opens-turn 0.t.type", "0.cosine 1.cosine", "1.opens-turn 0.distance",
    "0.latest-question 1.latest-question", "1.opens-turn 0.s.type 1.s.type",
), TWO)  # fmt: skip

# "Combination of the sentence types within the tuple, whether the related sentences … belong to the
# same author" (Qian & Liu 2014, section 4.2): the neighbors are on both sides of pair 1.
# Types are combined two at a time: combinations of three are too rare to learn.
THREE = ((1, 0, 1), (1, 1, 1))
"""Pattern that pairs of neighbors cannot express: the outer two of three are linked."""
AUTHORS = ("", "0.same 1.same 2.same", "1.distance", "1.distance 0.same 1.same 2.same")
THREE_TARGETS = Family("three targets", ("left", "right"), (
    *AUTHORS, "0.ends-turn 1.ends-turn", "1.s.type", "0.latest 1.latest 2.latest",
), ((0, 0, 0), *THREE))  # fmt: skip
THREE_SOURCES = Family("three sources", ("up", "down"), (
    *AUTHORS, "1.opens-turn 2.opens-turn", "1.t.type", "1.opens-turn 2.opens-turn 1.t.type",
), THREE)  # fmt: skip
CORNERS = tuple(
    Family(f"{side} {way}", (side, way), (
        *AUTHORS, "0.t.type 1.t.type", "1.s.type 2.s.type",
        "0.ends-turn 1.opens-turn 2.opens-turn", "1.ends-turn 1.opens-turn 2.opens-turn",
    ), THREE)
    for side in ("left", "right")
    for way in ("up", "down")
)  # fmt: skip

MODELS: dict[str, tuple[Family, ...]] = {
    "independent": (PRIOR, PAIR),
    "2d": (PRIOR, PAIR, TARGETS, SOURCES),
    "3-wise": (PRIOR, PAIR, TARGETS, SOURCES, THREE_TARGETS, THREE_SOURCES, *CORNERS),
}
"""The factors of each order: pairs alone; neighbors too; and all adjacent pairs of edges."""
ORDERS = tuple(MODELS)


def families_of(order: str) -> tuple[Family, ...]:
    """Return the factors of an order.

    Examples
    --------
    >>> [family.name for family in families_of("2d")]
    ['prior', 'pair', 'targets', 'sources']
    """
    if order not in MODELS:
        raise UsageError(f"there is no order {order!r}: choose one of {', '.join(ORDERS)}")
    return MODELS[order]


def kinds_of(families: Sequence[Family]) -> list[PatternKind]:
    """Make the kinds of factors of a `PatternCrf`."""
    return [PatternKind(family.name, family.patterns) for family in families]
