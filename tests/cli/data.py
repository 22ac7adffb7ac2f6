"""Small data for the tests of commands, and what reads their tables."""

from treaty.text import Sentence

TREEBANK = """\
# newpar
# text = Cats don't sleep.
1\tCats\t_\tNOUN\tNNS\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\t_\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\t_\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tsleep\t_\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t_\tPUNCT\t.\t_\t4\tpunct\t_\t_

# text = Dogs sleep.
1\tDogs\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tsleep\t_\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t_\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""
"""For taggers."""
ENTITIES = [("Ann", "sleeps", "B-PER O"), ("in", "Rome", "O B-LOC"), ("see", "Bob", "O B-PER")]
"""For labelers of entities: words, and their labels."""
ROWS = [
    ("I", "PRON", 2, "nsubj"),
    ("slept", "VERB", 0, "root"),
    ("in", "ADP", 4, "case"),
    ("trains", "NOUN", 2, "obl"),
    (".", "PUNCT", 2, "punct"),
]
"""A tree to evaluate: form, tag, head and label of its words."""


def sentence(**changes):
    made = Sentence.from_words([row[0] for row in ROWS])
    for token, (_, upos, head, deprel) in zip(made, ROWS, strict=True):
        token.upos, token.head, token.deprel = upos, head, deprel
        for name, value in changes.get(token.form, {}).items():
            setattr(token, name, value)
    return made


def table(out):
    return {line.split()[0]: line.split()[1:] for line in out.splitlines() if line}
