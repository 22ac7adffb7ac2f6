"""A made-up treebank: short English sentences with tags, trees and spaces."""

import random

from treaty.parse import Pipeline
from treaty.text import Sentence, Token

NOUNS = ["cat", "dog", "bird", "letter", "garden", "teacher", "house"]
VERBS = ["sees", "likes", "finds", "writes", "chases"]
ADJECTIVES = ["old", "small", "red", "quiet"]
DETERMINERS = ["the", "a", "every"]
PREPOSITIONS = ["in", "near", "behind"]
XPOS = {"DET": "DT", "ADJ": "JJ", "NOUN": "NN", "VERB": "VBZ", "ADP": "IN", "PUNCT": "."}


def noun_phrase(tokens: list[Token], rng: random.Random, deprel: str) -> int:
    """Append a noun phrase without a head; returns the id of its noun."""
    noun = len(tokens) + 2
    adjective = rng.random() < 0.4
    noun += adjective
    tokens.append(Token(rng.choice(DETERMINERS), upos="DET", head=noun, deprel="det"))
    if adjective:
        tokens.append(Token(rng.choice(ADJECTIVES), upos="ADJ", head=noun, deprel="amod"))
    tokens.append(Token(rng.choice(NOUNS), upos="NOUN", feats="Number=Sing", deprel=deprel))
    return noun


def sentence(rng: random.Random) -> Sentence:
    tokens: list[Token] = []
    subject = noun_phrase(tokens, rng, "nsubj")
    verb = len(tokens) + 1
    tokens.append(Token(rng.choice(VERBS), upos="VERB", head=0, deprel="root"))
    tokens[subject - 1].head = verb
    object_ = noun_phrase(tokens, rng, "obj")
    tokens[object_ - 1].head = verb
    if rng.random() < 0.4:
        tokens.append(Token(rng.choice(PREPOSITIONS), upos="ADP", deprel="case"))
        preposition = len(tokens)
        place = noun_phrase(tokens, rng, "nmod")
        tokens[preposition - 1].head = place
        tokens[place - 1].head = object_
    tokens[-1].misc = "SpaceAfter=No"
    tokens.append(Token(".", upos="PUNCT", head=verb, deprel="punct"))
    for token in tokens:
        token.xpos, token.lemma = XPOS[token.upos], token.form
    tokens[0].form = tokens[0].form.capitalize()
    made = Sentence(tokens)
    made.comments.append(f"# text = {made.text}")
    return made


def treebank(size: int, seed: int = 1) -> list[Sentence]:
    rng = random.Random(seed)
    return [sentence(rng) for _ in range(size)]


def small(**settings) -> dict:
    """Settings of a parser that is trained at once."""
    bits = {"pruner_bits": 12, "parser_bits": 14, "label_bits": 12}
    return {"epochs": 2, **bits, **settings}


def small_pipeline(**options) -> Pipeline:
    """A model of the made-up language, trained at once."""
    options = {"tokenizer_options": {"epochs": 4, "bits": 12}, **options}
    options = {"tagger_options": {"epochs": 2, "bits": 12}, **options}
    return Pipeline.train(treebank(40), **small(**options))
