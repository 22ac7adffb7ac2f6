"""Templates of the local features of a word: Qian and Liu (2014), section 4.1.2."""

from __future__ import annotations

from treaty.features import Family, TemplateSet

__all__ = ["FAMILY", "WORD", "entity_templates"]

FAMILY = Family("word", ("w",), ())

WORD = """
w.form
w.word
w-1.word
w+1.word
w-2.word
w+2.word
w-1.word w.word
w.word w+1.word
w-1.word w+1.word
w.prefix1
w.prefix2
w.prefix3
w.prefix4
w.suffix1
w.suffix2
w.suffix3
w.suffix4
w.shape
w-1.shape
w+1.shape
w-1.shape w.shape
w.shape w+1.shape
w-1.shape w.shape w+1.shape
w-1.word w.shape
w.shape w+1.word
w.kind
w-1.kind
w+1.kind
w-1.kind w.kind w+1.kind
w.caps w.shape
w.first w.last
w.last
w.before
w.after
w.first w.size
w.before w.shape
w.shape w.after
w.before w.last
w.style w.shape
w.style w.word
w.style w.kind
"""
CLUSTER = """
w.prefix2(cluster)
w.prefix4(cluster)
w.prefix6(cluster)
w.prefix8(cluster)
w.prefix10(cluster)
w.prefix12(cluster)
w.prefix14(cluster)
w.prefix16(cluster)
w-1.prefix4(cluster)
w-1.prefix8(cluster)
w-1.prefix12(cluster)
w-1.cluster
w+1.prefix4(cluster)
w+1.prefix8(cluster)
w+1.prefix12(cluster)
w+1.cluster
w-2.prefix8(cluster)
w+2.prefix8(cluster)
w-1.prefix8(cluster) w.prefix8(cluster)
w.prefix8(cluster) w+1.prefix8(cluster)
w.cluster w.shape
"""
KIN = """
w.prefix4(kin)
w.prefix6(kin)
w.prefix8(kin)
w.kin
w-1.prefix6(kin)
w-1.kin
w+1.prefix6(kin)
w+1.kin
w-1.prefix6(kin) w.shape
w.shape w+1.prefix6(kin)
w.kin w.shape
"""
LISTS = """
w-1.lists
w+1.lists
w.lists
w.lists w.shape
w-1.lists w.lists
w.lists w+1.lists
w-1.lists w.shape
w.shape w+1.lists
"""
TAG = """
w.tag
w-1.tag
w+1.tag
w-1.tag w.tag
w.tag w+1.tag
w-1.tag w.tag w+1.tag
w.tag w.shape
"""


def entity_templates(
    *,
    clusters: bool,
    tags: bool,
    kin: bool = False,
    lists: bool = False,
) -> TemplateSet:
    """Make the templates for the available attributes of words.

    Examples
    --------
    >>> plain, rich = (entity_templates(clusters=x, tags=x) for x in (False, True))
    >>> len(plain.templates) < len(rich.templates)
    True
    """
    chosen = ((CLUSTER, clusters), (KIN, kin), (LISTS, lists), (TAG, tags))
    return TemplateSet.of(WORD + "".join(templates for templates, given in chosen if given))
