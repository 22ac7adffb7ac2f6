"""Features of the pruner, the parser and the labeler.

Roles of each family: h is the head, m the modifier, s the sibling nearer to the head (START if
there is none; m is END after the last), t the sibling before s, g the grandparent, k the head of
the word before m. The h of a path is the word above m, however far. Roles are listed in the order
of the nested native loops (native/parse/extract.cpp).
Templates follow the parsing literature (McDonald et al. 2005; Carreras 2007; Koo & Collins 2010;
Martins et al. 2009, 2013): words, tags, tags around and in between, for all roles.
"""

from __future__ import annotations

from treaty.features import Family, TemplateSet

ARC = Family("arc", ("h", "m", "between"), ("dir", "dist"))
SIBLING = Family("sibling", ("h", "s", "m"), ("dir", "dist"))
GRANDPARENT = Family("grandparent", ("h", "g", "m"), ("dir",))
GRAND_SIBLING = Family("grand-sibling", ("h", "g", "s", "m"), ("dir",))
TRI_SIBLING = Family("tri-sibling", ("h", "t", "s", "m"), ("dir",))
ARBITRARY_SIBLING = Family("arbitrary sibling", ("h", "s", "m"), ("dir", "dist"))
HEAD_BIGRAM = Family("head bigram", ("m", "k", "h"), ("dir",))
NON_PROJECTIVE = Family("non-projective arc", ("h", "m"), ("dir", "dist"))
PATH = Family("path", ("h", "m"), ("dir", "dist"))
FAMILIES = (
    ARC,
    SIBLING,
    GRANDPARENT,
    GRAND_SIBLING,
    TRI_SIBLING,
    ARBITRARY_SIBLING,
    HEAD_BIGRAM,
    NON_PROJECTIVE,
    PATH,
)
"""In the order of the native enum (native/parse/parts.hpp)."""

LABEL = Family(
    "label",
    ("h", "m", "g", "before", "after", "first", "last", "hfirst", "hlast"),
    ("dir", "dist", "end", "children"),
)
"""Roles of labels: siblings before and after m, first and last child of m and of h."""

PRUNER_TEMPLATES = {
    "arc": TemplateSet.of(
        """
        h.xpos m.xpos
        h.upos m.upos
        h.xpos
        m.xpos
        h.lower m.xpos
        h.xpos m.lower
        h.lower m.lower
        m.lower m.xpos
        h.lower h.xpos
        h.upos m.suffix3
        h.suffix3 m.upos
        h.xpos h+1.xpos m-1.xpos m.xpos
        h-1.xpos h.xpos m-1.xpos m.xpos
        h.xpos h+1.xpos m.xpos m+1.xpos
        h-1.xpos h.xpos m.xpos m+1.xpos
        h.xpos m-1.xpos m.xpos
        h.xpos m.xpos m+1.xpos
        h-1.xpos h.xpos m.xpos
        h.xpos h+1.xpos m.xpos
        h.xpos m.feats
        h.feats m.feats
        h.upos between.upos m.upos
        """,
        each=("dir", "dir dist"),
    )
}

PARSER_TEMPLATES = {
    "arc": TemplateSet.of(
        """
        h.lower
        h.form h.xpos
        h.xpos
        h.upos h.feats
        m.lower
        m.form m.xpos
        m.xpos
        m.upos m.feats
        h.lower m.lower
        h.lower h.xpos m.lower m.xpos
        h.xpos m.lower m.xpos
        h.lower m.lower m.xpos
        h.lower h.xpos m.xpos
        h.lower h.xpos m.lower
        h.xpos m.xpos
        h.upos m.upos
        h.lower m.xpos
        h.xpos m.lower
        h.lower m.upos
        h.upos m.lower
        h.suffix3 m.suffix3
        h.xpos m.suffix3
        h.suffix3 m.xpos
        h.suffix2 h.upos m.upos
        h.upos m.suffix2 m.upos
        h.prefix3 m.xpos
        h.xpos m.prefix3
        h.shape m.shape h.upos m.upos
        h.feats m.feats
        h.upos h.feats m.upos m.feats
        h.upos h.feats m.upos
        h.upos m.upos m.feats
        h.lower m.feats
        h.feats m.lower
        h.xpos h+1.xpos m-1.xpos m.xpos
        h-1.xpos h.xpos m-1.xpos m.xpos
        h.xpos h+1.xpos m.xpos m+1.xpos
        h-1.xpos h.xpos m.xpos m+1.xpos
        h.xpos m-1.xpos m.xpos
        h.xpos m.xpos m+1.xpos
        h-1.xpos h.xpos m.xpos
        h.xpos h+1.xpos m.xpos
        h-1.xpos h.xpos h+1.xpos m.xpos
        h.xpos m-1.xpos m.xpos m+1.xpos
        h-1.xpos h.xpos h+1.xpos m-1.xpos m.xpos m+1.xpos
        h.upos h+1.upos m-1.upos m.upos
        h-1.upos h.upos m-1.upos m.upos
        h.upos h+1.upos m.upos m+1.upos
        h-1.upos h.upos m.upos m+1.upos
        h.xpos h+1.xpos h+2.xpos m.xpos
        h.xpos m-2.xpos m-1.xpos m.xpos
        h.xpos m.xpos m+1.xpos m+2.xpos
        h-2.xpos h-1.xpos h.xpos m.xpos
        h.xpos m.xpos m-1.lower
        h.xpos m.xpos m+1.lower
        h.xpos m.xpos h-1.lower
        h.xpos m.xpos h+1.lower
        h.lower m-1.lower m.lower
        h.lower m.xpos m+1.xpos
        h.lower m-1.xpos m.xpos
        h-1.xpos h.xpos m.lower
        h.xpos h+1.xpos m.lower
        h.xpos between.upos m.xpos
        h.upos between.upos m.upos
        h.lower between.upos m.xpos
        h.xpos between.upos m.lower
        """,
        each=("dir", "dir dist"),
    ),
    "sibling": TemplateSet.of(
        """
        h.xpos s.xpos m.xpos
        h.upos s.upos m.upos
        s.xpos m.xpos
        s.upos m.upos
        h.lower s.xpos m.xpos
        h.xpos s.lower m.xpos
        h.xpos s.xpos m.lower
        h.lower s.upos m.upos
        h.upos s.lower m.upos
        h.upos s.upos m.lower
        h.lower s.lower m.xpos
        h.lower s.xpos m.lower
        h.xpos s.lower m.lower
        s.lower m.lower
        s.lower m.xpos
        s.xpos m.lower
        h.xpos s.feats m.feats
        h.xpos s.xpos s+1.xpos m.xpos
        h.xpos s.xpos m-1.xpos m.xpos
        h.xpos h+1.xpos s.xpos m.xpos
        h-1.xpos h.xpos s.xpos m.xpos
        h.xpos s.xpos m.xpos m+1.xpos
        h.upos s.suffix3 m.suffix3
        """,
        each=("dir",),
    ),
    "grandparent": TemplateSet.of(
        """
        g.xpos h.xpos m.xpos
        g.upos h.upos m.upos
        g.xpos m.xpos
        g.upos m.upos
        g.lower h.xpos m.xpos
        g.xpos h.lower m.xpos
        g.xpos h.xpos m.lower
        g.lower h.upos m.upos
        g.upos h.lower m.upos
        g.upos h.upos m.lower
        g.lower h.lower m.xpos
        g.lower h.xpos m.lower
        g.lower m.lower
        g.lower m.xpos
        g.xpos m.lower
        g.feats h.feats m.feats
        g.xpos h.xpos m-1.xpos m.xpos
        g.xpos h.xpos m.xpos m+1.xpos
        g.xpos h-1.xpos h.xpos m.xpos
        g.xpos h.xpos h+1.xpos m.xpos
        g.upos h.suffix3 m.suffix3
        """,
        each=("dir",),
    ),
    "grand-sibling": TemplateSet.of(
        """
        g.xpos h.xpos s.xpos m.xpos
        g.upos h.upos s.upos m.upos
        g.xpos s.xpos m.xpos
        g.upos s.upos m.upos
        g.lower h.upos s.upos m.upos
        g.upos h.lower s.upos m.upos
        g.upos h.upos s.lower m.upos
        g.upos h.upos s.upos m.lower
        """,
        each=("dir",),
    ),
    "tri-sibling": TemplateSet.of(
        """
        h.xpos t.xpos s.xpos m.xpos
        h.upos t.upos s.upos m.upos
        t.xpos s.xpos m.xpos
        t.xpos m.xpos
        t.upos s.upos m.upos
        h.lower t.upos s.upos m.upos
        h.upos t.lower s.upos m.upos
        h.upos t.upos s.lower m.upos
        h.upos t.upos s.upos m.lower
        """,
        each=("dir",),
    ),
    "arbitrary sibling": TemplateSet.of(
        """
        h.xpos s.xpos m.xpos
        h.upos s.upos m.upos
        s.xpos m.xpos
        h.lower s.xpos m.xpos
        h.xpos s.lower m.xpos
        h.xpos s.xpos m.lower
        s.lower m.lower
        s.lower m.xpos
        s.xpos m.lower
        """,
        each=("dir",),
    ),
    "head bigram": TemplateSet.of(
        """
        h.xpos m.xpos k.xpos m-1.xpos
        h.upos m.upos k.upos m-1.upos
        h.xpos m.xpos k.xpos
        h.xpos k.xpos
        h.xpos k.xpos m-1.xpos
        h.lower m.xpos k.xpos m-1.xpos
        h.xpos m.lower k.xpos m-1.xpos
        h.xpos m.xpos k.lower m-1.xpos
        h.xpos m.xpos k.xpos m-1.lower
        """,
        each=("dir",),
    ),
    "non-projective arc": TemplateSet.of(
        """
        h.upos
        m.upos
        h.upos m.upos
        h.xpos m.xpos
        h.lower m.upos
        h.upos m.lower
        h.lower m.lower
        h.xpos m-1.xpos m.xpos
        h.xpos m.xpos m+1.xpos
        """,
        each=("dir", "dir dist"),
    ),
    "path": TemplateSet.of(
        """
        h.upos m.upos
        h.xpos m.xpos
        h.lower m.upos
        h.upos m.lower
        h.upos
        m.upos
        """,
        each=("dir", "dir dist"),
    ),
}

LABEL_TEMPLATES = TemplateSet.of(
    """
    h.xpos m.xpos
    h.upos m.upos
    h.lower m.xpos
    h.xpos m.lower
    h.upos m.lower
    h.lower m.upos
    h.lower m.lower
    m.lower m.xpos
    m.form
    m.suffix3 m.xpos h.upos
    m.suffix2 h.xpos
    m.prefix3 h.upos
    h.suffix3 m.xpos
    m.shape h.upos m.upos
    h.feats m.feats
    h.upos m.upos m.feats
    h.lower h.xpos m.feats
    h.xpos m.xpos m-1.xpos
    h.xpos m.xpos m+1.xpos
    h.xpos m.xpos m-1.lower
    h.xpos m.xpos m+1.lower
    h.xpos m.xpos h-1.xpos
    h.xpos m.xpos h+1.xpos
    m-1.xpos m.xpos m+1.xpos
    m-1.lower m.lower
    m.lower m+1.lower
    g.xpos h.xpos m.xpos
    g.lower h.upos m.upos
    g.upos h.lower m.upos
    g.upos h.upos m.lower
    before.xpos h.xpos m.xpos
    before.lower h.xpos m.xpos
    after.xpos h.xpos m.xpos
    after.lower h.xpos m.xpos
    before.upos h.lower m.upos after.upos
    first.xpos h.xpos m.xpos
    first.lower h.xpos m.xpos
    first.lower h.lower m.upos
    first.lower m.lower
    last.xpos h.xpos m.xpos
    last.lower h.xpos m.xpos
    first.upos last.upos h.upos m.upos
    hfirst.xpos h.xpos m.xpos
    hlast.xpos h.xpos m.xpos
    hfirst.lower h.upos m.xpos
    h.upos m.upos before.upos first.lower
    first.lower h.upos m.upos
    last.lower h.upos m.upos
    hfirst.upos hlast.upos h.upos m.upos
    m.upos m.feats first.lower
    h.lower m.lower first.lower
    h.feats m.upos first.lower
    m.suffix3 h.suffix3
    h+1.lower h.upos m.upos
    m+2.xpos m+1.xpos m.xpos
    m-2.xpos m-1.xpos m.xpos
    g.upos h.upos h.feats m.upos m.feats
    h-1.lower h.lower m.upos
    after.lower h.lower m.upos
    before.lower h.lower m.upos
    """,
    each=("", "dir"),
)
