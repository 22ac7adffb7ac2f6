"""Small tagged sentences, in which `run` is a noun or a verb."""

import numpy as np

from treaty.text import Sentence, Token

DETERMINERS, NOUNS, VERBS = ("the", "a"), ("cat", "dog", "man", "run"), ("sees", "likes", "run")


def sentences(count, seed=0):
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        tokens = []
        for tag_, words in zip(
            ("DET", "NOUN", "VERB", "DET", "NOUN"),
            (DETERMINERS, NOUNS, VERBS, DETERMINERS, NOUNS),
            strict=True,
        ):
            form = str(rng.choice(words))
            xpos = {"DET": "DT", "NOUN": "NN", "VERB": "VBZ"}[tag_]
            tokens.append(Token(form, upos=tag_, xpos=xpos, feats=f"Kind={tag_}"))
        made.append(Sentence(tokens, ["# c"]))
    return made


def plain(count, seed):
    return [Sentence.from_words(s.words) for s in sentences(count, seed)]
