"""A few sentences for tests and examples of the models of this package."""

from __future__ import annotations

import io

from treaty.text import Sentence, read_conllu

__all__ = ["treebank"]

NOUNS = ("cat", "dog", "bird", "farmer", "girl")
VERBS = ("sees", "likes", "finds", "hears")


def treebank() -> list[Sentence]:
    """Return short sentences with tags, trees and white space.

    Examples
    --------
    >>> print(treebank()[0].text)
    The cat sees a dog.
    """
    return [
        sentence
        for n, subject in enumerate(NOUNS)
        for sentence in (
            _sentence(subject, VERBS[n % 4], NOUNS[(n + 1) % 5], "."),
            _sentence(subject, VERBS[(n + 1) % 4], NOUNS[(n + 3) % 5], "!"),
        )
    ]


def _sentence(subject: str, verb: str, thing: str, end: str) -> Sentence:
    rows = [
        ("The", "DET", "DT", "Definite=Def", 2, "det", "_"),
        (subject, "NOUN", "NN", "Number=Sing", 3, "nsubj", "_"),
        (verb, "VERB", "VBZ", "Tense=Pres", 0, "root", "_"),
        ("a", "DET", "DT", "Definite=Ind", 5, "det", "_"),
        (thing, "NOUN", "NN", "Number=Sing", 3, "obj", "SpaceAfter=No"),
        (end, "PUNCT", ".", "_", 3, "punct", "_"),
    ]
    lines = [
        f"{n}\t{form}\t{form.lower()}\t{upos}\t{xpos}\t{feats}\t{head}\t{label}\t_\t{misc}"
        for n, (form, upos, xpos, feats, head, label, misc) in enumerate(rows, 1)
    ]
    (sentence,) = read_conllu(io.StringIO("\n".join([*lines, "", ""])))
    return sentence
