"""Features of the lemmatizer: of a word, its tags and its neighbors, with an edit script.

Some attributes are specific to it: ``first`` tells the first word of a sentence, ``before`` and
``after`` are the neighbors, ``next`` is the fine tag of the next word that is no adverb, and
``bases`` are the scripts that turn the word into another word of the dictionary.
"""

from __future__ import annotations

from treaty.features import Family, TemplateSet

FAMILY = Family("lemma", ("w",), ())
COLUMNS = ("form", "lower", "upos", "xpos", "feats", "first", "before", "after", "next", "bases")

LEMMA = TemplateSet.of(
    """
    w.upos
    w.xpos
    w.upos w.feats
    w.upos w.shape
    w.upos w.shape w.first
    w.xpos w.shape
    w.upos w.suffix1
    w.upos w.suffix2
    w.upos w.suffix3
    w.upos w.suffix4
    w.upos w.suffix5
    w.upos w.suffix6
    w.xpos w.suffix1
    w.xpos w.suffix2
    w.xpos w.suffix3
    w.xpos w.suffix4
    w.xpos w.suffix5
    w.feats w.suffix2
    w.feats w.suffix3
    w.feats w.suffix4
    w.suffix2
    w.suffix3
    w.suffix4
    w.suffix5
    w.suffix7
    w.prefix1 w.upos
    w.prefix2 w.upos
    w.prefix3 w.upos
    w.prefix4 w.suffix2
    w.lower
    w.lower w.upos
    w.lower w.xpos
    w.lower w.before
    w.lower w.after
    w.lower w.next
    w.bases
    w.bases w.upos
    w.bases w.xpos
    w.bases w.suffix2
    w.bases w.suffix3
    """
)
