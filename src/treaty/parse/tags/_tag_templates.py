"""Features of the tagger: of a word with its tag, and with a pair or triple of tags.

Two attributes are specific to the tagger: ``word`` is the lower-case form if it is known, ``tags``
the class of tags that a frequent word was seen with. Columns filled earlier can be used, too.
"""

from __future__ import annotations

from treaty.features import Family, TemplateSet

FAMILIES = tuple(Family(name, ("w",), ()) for name in ("tag", "tag pair", "tag triple"))
VECTOR, LEXICON = "vector", "lexicon"
"""Attribute names of the second set of clusters, made from word vectors, and of the lexicon."""
COLUMNS = ("form", "lower", "word", "tags", "upos", "xpos", "feats", "cluster", VECTOR, LEXICON)

TAG = TemplateSet.of(
    """
    w.form
    w.word
    w.prefix1
    w.prefix2
    w.prefix3
    w.prefix4
    w.suffix1
    w.suffix2
    w.suffix3
    w.suffix4
    w.suffix5
    w.shape
    w.shape w.suffix1
    w.shape w.suffix3
    w-1.word
    w-2.word
    w+1.word
    w+2.word
    w-1.word w.word
    w.word w+1.word
    w-1.word w+1.word
    w-2.word w-1.word
    w+1.word w+2.word
    w-1.suffix3
    w+1.suffix3
    w-2.suffix2
    w+2.suffix2
    w.suffix3 w+1.suffix3
    w-1.suffix3 w.suffix3
    w-1.shape
    w+1.shape
    w-1.shape w.shape w+1.shape
    w.tags
    w-1.tags
    w+1.tags
    w+2.tags
    w-1.tags w.tags
    w.tags w+1.tags
    w-1.tags w+1.tags
    w+1.tags w+2.tags
    w.tags w+1.tags w+2.tags
    w-1.tags w.tags w+1.tags
    w-1.tags w.word w+1.tags
    w-1.tags w.suffix3
    w.suffix3 w+1.tags
    w.suffix3 w-1.word
    w.suffix3 w+1.word
    w.prefix3 w.suffix2
    w-2.suffix2 w-1.suffix2
    w+1.suffix2 w+2.suffix2
    w-1.suffix3 w+1.suffix3
    w.shape w-1.word
    """
)
PAIR = TemplateSet(("", "w.word", "w-1.word", "w.suffix3", "w+1.word", "w.tags", "w+1.tags"))
TRIPLE = TemplateSet(("", "w.tags"))
TEMPLATES = (TAG, PAIR, TRIPLE)


def earlier_templates(column: str) -> TemplateSet:
    """Make templates for a column that was filled earlier."""
    return TemplateSet.of(
        f"""
        w.{column}
        w.{column} w.word
        w.{column} w.suffix3
        w.{column} w.suffix2
        w.{column} w-1.{column}
        w.{column} w+1.{column}
        w.{column} w-1.word
        w.{column} w+1.word
        w-1.{column} w.{column} w+1.{column}
        w-2.{column} w-1.{column} w.{column}
        w.{column} w+1.{column} w+2.{column}
        w.{column} w.shape
        """
    )
