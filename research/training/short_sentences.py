"""Short sentences cut from the trees of a treebank, with their gold tags: more to learn from.

Treebanks have few short sentences, and in those an ambiguous word has little context: *Prices
rise.*, *Book a table.*, *Court rejects appeal*. Each clause of a tree gives one: its verb with the
cores of subject and object, as a sentence, a headline (no articles, no full stop) or, from
infinitives, a command. The past is also turned into the present: who has read *the plane landed*
knows that *land* can be a verb. In some, the verb gives way to one of a lexicon that is also a
noun, so that the tagger learns to go by the structure where it does not know the word. Noun phrases
become fragments: not every short text is a clause.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from research.training.make_lexicon import inflected
from treaty.text import Sentence, Token

FINITE = frozenset({"VBD", "VBZ", "VBP"})
ARGUMENTS = ("nsubj", "obj")
CORE = frozenset({"det", "nmod:poss", "amod", "compound", "nummod", "flat", "goeswith", "case"})
"""What an argument keeps of its modifiers; ``case`` is the possessive's."""
WITH_VERB = frozenset({"compound:prt", "aux", "iobj"})
NEEDED = frozenset(
    {"ccomp", "xcomp", "expl", "cop", "obl:agent", "csubj", "aux:pass", "nsubj:pass"}
)
"""Dependents without which the clause would not be whole, or would have other labels."""
NOT_IN_HEADLINES = frozenset({"det", "aux", "nmod:poss"})
RELATIVE = frozenset({"who", "whom", "whose", "which", "that", "what"})
COMMAND = "Mood=Imp|VerbForm=Fin"
SHORT = "# short"
"""Comment of these sentences."""
PRESENT = "Mood=Ind|Number={}|Person=3|Tense=Pres|VerbForm=Fin"
IRREGULAR = frozenset({"be", "have", "do", "go"})
WITH_PRONOUNS = 0.3
"""Share kept of clauses with a pronoun, which are easy and frequent; with two, its square."""
OTHER_VERBS = 0.5
"""Share of clauses whose verb is exchanged."""
TO_PRESENT = 0.7
FRAGMENTS = 0.15
"""Share of fragments, relative to that of clauses."""


def short_sentences(
    sentence: Sentence, share: float, verbs: Sequence[str], drawn: random.Random
) -> Iterator[Sentence]:
    """Make short sentences from a share of the clauses, and fragments from fewer noun phrases."""
    children: list[list[int]] = [[] for _ in range(len(sentence) + 1)]
    for i, token in enumerate(sentence.tokens, 1):
        children[token.head].append(i)
    for head, token in enumerate(sentence.tokens, 1):
        headline, full_stop = drawn.random() < 0.25, drawn.random() < 0.8
        kept: list[int] | None = None
        if token.upos == "VERB" and drawn.random() < share:
            kept = _clause(sentence, children, head, headline)
        elif token.upos == "NOUN" and drawn.random() < FRAGMENTS * share:
            kept = sorted(_core(sentence, children, head, headline))
        pronouns = sum(sentence.tokens[i - 1].upos == "PRON" for i in kept or ())
        if kept and len(kept) > 1 and drawn.random() < WITH_PRONOUNS**pronouns:
            short = _sentence(sentence, kept, head, full_stop)
            if drawn.random() < TO_PRESENT:
                _to_present(short, kept.index(head))
            if verbs and drawn.random() < OTHER_VERBS:
                _with_verb(short, kept.index(head), drawn.choice(verbs))
            yield _question(short, kept.index(head)) if drawn.random() < 0.15 else short


def _clause(
    sentence: Sentence, children: list[list[int]], verb: int, headline: bool
) -> list[int] | None:
    """Return the words of the clause of a verb, or None if it is not whole without others."""
    labels = {sentence.tokens[child - 1].deprel: child for child in children[verb]}
    finite = sentence.tokens[verb - 1].xpos in FINITE
    subject, other = labels.get("nsubj"), labels.get("obj")
    command = sentence.tokens[verb - 1].xpos == "VB" and subject is None and other is not None
    if NEEDED & labels.keys() or not (command or (finite and subject is not None)):
        return None
    kept = [verb]
    for label, child in labels.items():
        if label in ARGUMENTS:
            if sentence.tokens[child - 1].form.lower() in RELATIVE:
                return None
            kept += _core(sentence, children, child, headline)
        elif label in WITH_VERB and not (label == "aux" and (headline or command)):
            kept += [child] if label != "iobj" else _core(sentence, children, child, headline)
    in_order = (subject is None or subject < verb) and (other is None or verb < other)
    has_aux = any(sentence.tokens[i - 1].deprel == "aux" for i in kept)
    return sorted(kept) if in_order and not (has_aux and finite) else None


def _core(sentence: Sentence, children: list[list[int]], head: int, headline: bool) -> list[int]:
    """Return a noun with what belongs to it closely."""
    kept = [head]
    for child in children[head]:
        label = sentence.tokens[child - 1].deprel
        dropped = headline and label in NOT_IN_HEADLINES
        possessive = label != "case" or sentence.tokens[child - 1].xpos == "POS"
        if label in CORE and possessive and not dropped:
            kept += _core(sentence, children, child, headline)
    return kept


def _sentence(whole: Sentence, kept: list[int], head: int, full_stop: bool) -> Sentence:
    """Make a sentence of some words, with a capital first."""
    places = {old: new for new, old in enumerate(kept, 1)}
    tokens = [replace(whole.tokens[i - 1], misc="_", deps="_") for i in kept]
    for old, token in zip(kept, tokens, strict=True):
        token.head = 0 if old == head else places[token.head]
        token.deprel = "root" if old == head else token.deprel
    first, root = tokens[0], tokens[places[head] - 1]
    first.form = first.form[:1].upper() + first.form[1:]
    if root is first and root.upos == "VERB" and root.feats != "_":
        root.feats = COMMAND
    if full_stop:
        stop = Token(".", lemma=".", upos="PUNCT", xpos=".", head=places[head], deprel="punct")
        tokens.append(stop)
    return Sentence(tokens, [SHORT], [])


def _to_present(short: Sentence, verb: int) -> None:
    """Turn *Planes landed* into *Planes land*, and *The plane landed* into *The plane lands*."""
    token, lemma = short.tokens[verb], short.tokens[verb].lemma
    subjects = [t for t in short.tokens if t.deprel == "nsubj" and t.upos in ("NOUN", "PROPN")]
    if token.xpos != "VBD" or not subjects or not lemma.isalpha() or lemma in IRREGULAR:
        return
    plural = subjects[0].xpos in ("NNS", "NNPS")
    token.form, token.xpos = (lemma, "VBP") if plural else (inflected(lemma, "-s"), "VBZ")
    if token.feats != "_":
        token.feats = PRESENT.format("Plur" if plural else "Sing")


def _with_verb(short: Sentence, verb: int, lemma: str) -> None:
    """Exchange the verb, if it is in the present or a command."""
    token = short.tokens[verb]
    if token.xpos in ("VB", "VBP", "VBZ") and token.lemma not in IRREGULAR:
        capital = token.form[:1].isupper()
        token.form = inflected(lemma, "-s") if token.xpos == "VBZ" else lemma
        token.form, token.lemma = token.form.capitalize() if capital else token.form, lemma


def _question(short: Sentence, verb: int) -> Sentence:
    """Turn *Planes land.* into *Do planes land?*, if the verb is in the present or past."""
    root, first = short.tokens[verb], short.tokens[0]
    does = {"VBP": "Do", "VBZ": "Does", "VBD": "Did"}.get(root.xpos)
    if does is None or not root.lemma.isalpha() or root.lemma in IRREGULAR:
        return short
    if first.upos != "PROPN" and first.form != "I":
        first.form = first.form[:1].lower() + first.form[1:]
    for token in short.tokens:
        token.head += token.head > 0
    auxiliary = Token(does, lemma="do", upos="AUX", xpos=root.xpos, head=verb + 2, deprel="aux")
    if root.feats != "_":
        auxiliary.feats, root.feats = root.feats, "VerbForm=Inf"
    root.form, root.xpos = root.lemma, "VB"
    tokens = [auxiliary, *short.tokens]
    if tokens[-1].upos == "PUNCT":
        tokens[-1].form = tokens[-1].lemma = "?"
    return Sentence(tokens, [SHORT], [])
