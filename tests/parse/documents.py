"""Documents with all that they can hold."""

from dataclasses import replace

from treaty.parse import Document
from treaty.solve import Certificate, Status
from treaty.text import Entity, Sentence, Token

TEXT = " Ada's old cat didn't\n see  Rome. Oh,  du vin!"


def first():
    rows = [
        ("Ada", "PROPN", 4, "nmod:poss"),
        ("'s", "PART", 1, "case"),
        ("old", "ADJ", 4, "amod"),
        ("cat", "NOUN", 7, "nsubj"),
        ("did", "AUX", 7, "aux"),
        ("n't", "PART", 7, "advmod"),
        ("see", "VERB", 0, "root"),
        ("Rome", "PROPN", 7, "obj"),
        (".", "PUNCT", 7, "punct"),
    ]
    tokens = [
        Token(form, form.lower(), upos, upos[:2], head=h, deprel=d) for form, upos, h, d in rows
    ]
    tokens[3].feats, tokens[6].deps = "Animacy=Anim|Number=Sing", "0:root"
    tokens[7].misc = "SpaceAfter=No|TagConfidence=0.875|ArcConfidence=0.5"
    tokens[8].misc = "_"
    lines = [
        (0, "1-2\tAda's" + 8 * "\t_"),
        (4, "4.1\tcat\tcat" + 7 * "\t_"),
        (4, "5-6\tdidn't" + 7 * "\t_" + r"\tSpacesAfter=\n\s".replace(r"\t", "\t", 1)),
    ]
    return Sentence(tokens, ["# newpar", "# text = Ada's old cat didn't see Rome."], lines)


def second():
    words = [("Oh", 0), (",", 1), ("de", 5), ("le", 5), ("vin", 1), ("!", 1)]
    tokens = [Token(form, upos="X", head=head, deprel="dep") for form, head in words]
    return Sentence(tokens, [], [(2, "3-4\tdu" + 8 * "\t_")])


def full():
    """Comments, multiword tokens, empty nodes, odd spaces, entities and certificates."""
    entities = [
        Entity("PER", "Ada", 1, 4, 0, 0),
        Entity("LOC", "Rome", 28, 32, 7, 7, 0.123456789012345),
    ]
    certificates = [
        Certificate(Status.FRACTIONAL, 1 / 3, 2 / 3, 17, 0.0123456),
        Certificate(Status.INFEASIBLE, -float("inf"), -float("inf")),
    ]
    return Document(TEXT, [first(), second()], entities, certificates)


def plain():
    """The same without what the models do not give."""
    document = full()
    return replace(document, entities=[], certificates=[])
