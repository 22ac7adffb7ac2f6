"""Small parsers with weights of one's choice, and sentences for them."""

from __future__ import annotations

import random

import numpy as np

from treaty._native import parse as native
from treaty.features import TemplateSet
from treaty.parse import Parser, ParserTemplates, Settings
from treaty.parse._templates import FAMILIES
from treaty.parse._words import sequences_of
from treaty.text import Sentence, Token

TAGS = ("NOUN", "VERB", "ADP", "X")
LABELS = ("obj", "root", "subj")


def small_templates() -> ParserTemplates:
    """A few templates that look at all roles of every family, and past them."""
    parser = {
        family.name: TemplateSet.of(
            " ".join(f"{role}.form" for role in family.roles if role != "between")
            + "\n"
            + " ".join(f"{role}+1.upos" for role in family.roles if role != "between"),
            each=("", " ".join(family.values)),
        )
        for family in FAMILIES
    }
    arc = TemplateSet.of(
        "h.form m.form\nh.upos between.upos m.upos\nm-1.suffix2", each=("dir dist", "")
    )
    label = TemplateSet.of(
        """
        h.form m.form
        g.upos m.upos before.upos after.form
        first.form last.form hfirst.upos hlast.upos
        """,
        each=("", "dir end", "dist children"),
    )
    return ParserTemplates({"arc": TemplateSet.of("h.form m.form")}, {**parser, "arc": arc}, label)


def toy_parser(
    order: str = "third",
    *,
    templates: ParserTemplates | None = None,
    single_root: bool = True,
    bits: int = 14,
    **settings: float,
) -> Parser:
    chosen = Settings(
        order=order,
        single_root=single_root,
        pruner_bits=bits,
        parser_bits=bits,
        label_bits=bits,
        **settings,
    )
    return Parser(chosen, templates or small_templates(), LABELS, {})


def randomize(parser: Parser, seed: int, how: str = "real") -> None:
    """Random weights: real numbers, or small whole ones that make ties, or none but zeros."""
    rng = np.random.default_rng(seed)
    values = parser.parser_model.weights.values
    if how == "real":
        values[:] = rng.normal(size=len(values))
    elif how == "ties":
        values[:] = rng.integers(-1, 2, len(values))
    else:
        values[:] = 0.0


def random_sentence(rng: random.Random, n: int) -> Sentence:
    """Words that differ, so that every arc can be told apart, with tags that do not."""
    return Sentence(
        [Token(f"w{i}é", upos=rng.choice(TAGS), xpos=rng.choice(TAGS)) for i in range(n)]
    )


def with_heads(sentence: Sentence, heads: tuple[int, ...], rng: random.Random) -> Sentence:
    """The sentence with a tree (the root's own entry first) and labels."""
    labels = ["root" if h == 0 else rng.choice(["obj", "subj"]) for h in heads[1:]]
    return sentence.with_tree(heads[1:], labels)


def heads_of(sentence: Sentence) -> tuple[int, ...]:
    return (-1, *(token.head for token in sentence.tokens))


def candidates_of(parser: Parser, sentence: Sentence, **how: bool) -> set[tuple[int, int]]:
    """The arcs that the pruner leaves."""
    _, heads, modifiers, _ = native.make_graph(
        sequences_of([sentence], parser.attributes),
        0,
        parser.pruner_model,
        parser.parser_model,
        parser.families("first"),
        *parser.options(None, **how),
        np.zeros(0, np.int32),
    )
    return set(zip(heads.tolist(), modifiers.tolist(), strict=True))
