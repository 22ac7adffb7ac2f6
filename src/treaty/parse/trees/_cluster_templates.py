"""Features of word clusters, for models that have them.

Prefixes of 4 and 6 bits are used where tags are, since they are about as informative, and whole
paths where words are (Koo, Carreras & Collins 2008).
"""

from __future__ import annotations

from treaty.features import TemplateSet
from treaty.parse.tags import _tag_templates as tag_templates

TAG = TemplateSet.of(
    """
    w.cluster
    w.prefix4(cluster)
    w.prefix6(cluster)
    w.prefix8(cluster)
    w.prefix10(cluster)
    w.cluster w.suffix2
    w.cluster w.shape
    w.prefix6(cluster) w.suffix3
    w.prefix6(cluster) w.shape
    w-1.cluster
    w-1.prefix6(cluster)
    w+1.cluster
    w+1.prefix6(cluster)
    w-2.cluster
    w+2.cluster
    w-1.cluster w.cluster
    w.cluster w+1.cluster
    w-1.cluster w+1.cluster
    w-1.prefix6(cluster) w.prefix6(cluster) w+1.prefix6(cluster)
    w-1.prefix6(cluster) w.suffix3
    w.suffix3 w+1.prefix6(cluster)
    """
)
"""Templates of the tagger: a word with its tag."""
VECTOR = TemplateSet(tuple(t.replace("cluster", tag_templates.VECTOR) for t in TAG.templates))
"""The same for a second set of clusters, from another source."""
LEXICON = TemplateSet.of(
    """
    w.lexicon
    w.lexicon w.shape
    w.lexicon w.tags
    w-1.lexicon
    w+1.lexicon
    w-1.lexicon w.lexicon
    w.lexicon w+1.lexicon
    w-1.lexicon w.lexicon w+1.lexicon
    w-2.lexicon w-1.lexicon w.lexicon
    w.lexicon w+1.lexicon w+2.lexicon
    w-1.word w.lexicon
    w.lexicon w+1.word
    w-1.word w.lexicon w+1.word
    w-2.word w-1.word w.lexicon
    w.lexicon w+1.word w+2.word
    w-1.tags w.lexicon
    w.lexicon w+1.tags
    w-1.tags w.lexicon w+1.tags
    """
)
"""Templates of the tagger for the inflections that a lexicon lists for each word."""

PRUNER = {
    "arc": """
        h.prefix6(cluster) m.prefix6(cluster)
        h.cluster m.xpos
        h.xpos m.cluster
        """
}
PARSER = {
    "arc": """
        h.cluster
        m.cluster
        h.cluster m.cluster
        h.prefix4(cluster) m.prefix4(cluster)
        h.prefix6(cluster) m.prefix6(cluster)
        h.cluster m.xpos
        h.xpos m.cluster
        h.cluster m.lower
        h.lower m.cluster
        h.upos h.prefix6(cluster) m.upos m.prefix6(cluster)
        h.prefix4(cluster) h+1.prefix4(cluster) m-1.prefix4(cluster) m.prefix4(cluster)
        h-1.prefix4(cluster) h.prefix4(cluster) m-1.prefix4(cluster) m.prefix4(cluster)
        h.prefix4(cluster) h+1.prefix4(cluster) m.prefix4(cluster) m+1.prefix4(cluster)
        h-1.prefix4(cluster) h.prefix4(cluster) m.prefix4(cluster) m+1.prefix4(cluster)
        h.prefix6(cluster) m-1.prefix6(cluster) m.prefix6(cluster)
        h.prefix6(cluster) m.prefix6(cluster) m+1.prefix6(cluster)
        """,
    "sibling": """
        h.prefix4(cluster) s.prefix4(cluster) m.prefix4(cluster)
        h.prefix6(cluster) s.prefix6(cluster) m.prefix6(cluster)
        s.prefix6(cluster) m.prefix6(cluster)
        s.cluster m.cluster
        h.xpos s.cluster m.xpos
        h.xpos s.xpos m.cluster
        h.cluster s.xpos m.xpos
        """,
    "grandparent": """
        g.prefix4(cluster) h.prefix4(cluster) m.prefix4(cluster)
        g.prefix6(cluster) h.prefix6(cluster) m.prefix6(cluster)
        g.prefix6(cluster) m.prefix6(cluster)
        g.cluster m.cluster
        g.cluster h.xpos m.xpos
        g.xpos h.cluster m.xpos
        g.xpos h.xpos m.cluster
        """,
    "grand-sibling": """
        g.prefix4(cluster) h.prefix4(cluster) s.prefix4(cluster) m.prefix4(cluster)
        """,
    "tri-sibling": """
        h.prefix4(cluster) t.prefix4(cluster) s.prefix4(cluster) m.prefix4(cluster)
        """,
    "arbitrary sibling": """
        s.prefix6(cluster) m.prefix6(cluster)
        """,
    "head bigram": """
        h.prefix4(cluster) m.prefix4(cluster) k.prefix4(cluster) m-1.prefix4(cluster)
        """,
    "non-projective arc": """
        h.prefix4(cluster) m.prefix4(cluster)
        """,
    "path": """
        h.prefix4(cluster) m.prefix4(cluster)
        """,
}
LABEL = """
    h.cluster m.cluster
    h.prefix6(cluster) m.prefix6(cluster)
    h.cluster m.xpos
    h.xpos m.cluster
    m.cluster
    first.lower h.cluster m.upos
    """
