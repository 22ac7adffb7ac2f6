"""Small random problems of summarization, with trees, glued words, quotations and commas."""

from __future__ import annotations

import random

from treaty.summarize import Problem, Rules, Source
from treaty.text import Sentence, Token

WORDS = ("cat", "dog", "not", "Ann", "that", "an", "owl", "due")
LABELS = (
    "nsubj", "obj", "advmod", "amod", "obl", "nmod", "advcl", "conj", "cc", "det", "appos",
    "parataxis", "acl:relcl", "compound",
)  # fmt: skip
TAGS = ("NOUN", "VERB", "PROPN", "ADJ", "NUM", "PRON")
MARKS = (",", '"', "(", ")", "-", "“", "”")


def random_tree(rng: random.Random, size: int) -> list[int]:
    """Heads of a tree over 1 to `size`, of any shape, crossing arcs included."""
    order = rng.sample(range(1, size + 1), size)
    heads = [0] * size
    for place, token in enumerate(order[1:], 1):
        heads[token - 1] = rng.choice(order[:place])
    return heads


def random_sentence(rng: random.Random, size: int) -> Sentence:
    heads = random_tree(rng, size)
    tokens = []
    for head in heads:
        is_mark = rng.random() < 0.2
        tokens.append(
            Token(
                rng.choice(MARKS if is_mark else WORDS),
                upos="PUNCT" if is_mark else rng.choice(TAGS),
                head=head,
                deprel="root" if head == 0 else "punct" if is_mark else rng.choice(LABELS),
                misc=rng.choice(["_", "_", "_", "SpaceAfter=No"]),
            )
        )
    if not any(token.form.isalpha() for token in tokens):
        tokens[0].form = "cat"
    return Sentence(tokens)


def random_problem(
    rng: random.Random, sentences: int = 3, longest: int = 5, rules: Rules | None = None
) -> Problem:
    sources = [
        Source(n % 2, n // 2, random_sentence(rng, rng.randint(1, longest)))
        for n in range(sentences)
    ]
    return Problem.of(sources, stemmer=str, stop_words=frozenset(), reduce_to=None, rules=rules)


def random_scores(rng: random.Random, size: int) -> list[float]:
    """Scores of either sign, some of them 0 or the same."""
    return [rng.choice([0.0, 1.0, rng.uniform(-1, 2)]) for _ in range(size)]
