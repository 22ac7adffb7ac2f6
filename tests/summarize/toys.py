"""Small parsed texts for the tests of learning."""

from __future__ import annotations

import numpy as np

from treaty.summarize import Problem, Source
from treaty.text import Compression, Sentence

NAMES = ["Ada", "Bo", "Cy", "Di"]
VERBS = ["paints", "sells", "mends"]
THINGS = ["boats", "cars", "hats", "pots"]
ASIDES = ["slowly", "gladly", "again"]


def sentence(rng: np.random.Generator) -> Sentence:
    """Somebody does something to many things, in some way or other."""
    words = [
        rng.choice(NAMES), rng.choice(VERBS), rng.choice(["big", "old"]), rng.choice(THINGS),
        rng.choice(ASIDES), ".",
    ]  # fmt: skip
    made = Sentence.from_words([str(word) for word in words])
    labels = ["nsubj", "root", "amod", "obj", "advmod", "punct"]
    tags = ["PROPN", "VERB", "ADJ", "NOUN", "ADV", "PUNCT"]
    parsed = made.with_tree([2, 0, 4, 2, 2, 2], labels)
    for token, tag in zip(parsed, tags, strict=True):
        token.upos = tag
    return parsed


def sentences(seed: int, size: int) -> list[Sentence]:
    rng = np.random.default_rng(seed)
    return [sentence(rng) for _ in range(size)]


def problem(seed: int, documents: int = 3, size: int = 4) -> Problem:
    made = iter(sentences(seed, documents * size))
    sources = [Source(d, n, next(made)) for d in range(documents) for n in range(size)]
    return Problem.of(sources, stemmer=str, titles=["Ada and her boats"])


def compressions(seed: int, size: int) -> list[Compression]:
    """What is said of the manner goes, unless it is again."""
    return [
        Compression(s, [t.deprel != "advmod" or t.form == "again" for t in s])
        for s in sentences(seed, size)
    ]
