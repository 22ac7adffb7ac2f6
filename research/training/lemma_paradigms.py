"""Word forms of WordNet with their lemmas, as one-word sentences for training the lemmatizer.

Treebanks have few of the irregular forms of English: EWT has *ran* and *mice*, but not *swam* or
*geese*. `paradigms` lists the forms of all words of WordNet that are frequent enough, with the tags
that the treebank's words have. Where two words have a form in common (*ellipses*), the more
frequent one has it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from research.training.make_lexicon import WordNet, inflected
from treaty.text import Sentence, Token

LEAST, LEAST_IRREGULAR = -15.5, -18.5
"""Minimum natural logarithms of the probability of a form that rules make, and of another."""
UNKNOWN = -30.0
IRREGULAR = 4.0
"""By how much a form is more likely to be irregular: *leaves* is of *leaf*, not of *leave*."""
UPOS = {"noun": "NOUN", "verb": "VERB", "adj": "ADJ", "adv": "ADV"}
BASES = {"noun": ("NN",), "verb": ("VB", "VBP"), "adj": ("JJ",), "adv": ("RB",)}
FORMS = {
    "noun": {"plural": ("NNS",)},
    "verb": {"-s": ("VBZ",), "-ed": ("VBD", "VBN"), "-ing": ("VBG",)},
    "adj": {"-er": ("JJR",), "-est": ("JJS",)},
    "adv": {"-er": ("RBR",), "-est": ("RBS",)},
}
"""The regular forms of a kind of words, and their fine tags."""


def paradigms(words: WordNet, treebank: Iterable[Sentence]) -> list[Sentence]:
    """List the forms that the treebank does not have, each as a sentence of one word."""
    seen: set[tuple[str, str]] = set()
    features: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in treebank:
        for token in sentence.tokens:
            if token.lemma != "_":
                seen.add((token.form.lower(), token.upos))
                features[token.xpos][token.feats] += 1
    found = []
    for kind, upos in UPOS.items():
        for (form, xpos), lemma in sorted(lemmas_of(words, kind).items()):
            if (form, upos) not in seen and features[xpos]:
                feats = features[xpos].most_common(1)[0][0]
                found.append(Sentence([Token(form, lemma, upos, xpos, feats)]))
    return found


def corrected(words: WordNet, treebank: Iterable[Sentence]) -> int:
    """Change lemmas that are wrong (*flead* for *fled*, *leave* for leaves) to those of WordNet.

    Returns the number of words changed.
    """
    lemmas = {upos: lemmas_of(words, kind) for kind, upos in UPOS.items()}
    bases = {upos: set(words.index[kind]) for kind, upos in UPOS.items()}
    changed = 0
    for sentence in treebank:
        for place, token in enumerate(sentence.tokens):
            right = lemmas.get(token.upos, {}).get((token.form.lower(), token.xpos))
            form, given = token.form.lower(), token.lemma.lower()
            noun = token.upos == "NOUN"
            if not right or right == given or not given.isalpha() or (noun and given == form):
                continue  # also jeans, which has no singular
            if given not in bases[token.upos] or (noun and form in words.exceptions["noun"]):
                sentence.tokens[place] = replace(token, lemma=right)
                changed += 1
    return changed


def lemmas_of(words: WordNet, kind: str) -> dict[tuple[str, str], str]:
    """Return the lemma of each form of a kind of words with each of its fine tags."""
    chance = words.chances
    best: dict[tuple[str, str], tuple[float, str]] = {}
    for form, tags, base, least in _forms(words, kind):
        if chance.get(form, UNKNOWN) < max(least, chance.get(form.capitalize(), UNKNOWN)):
            continue
        rank = chance.get(base, UNKNOWN) + IRREGULAR * (least == LEAST_IRREGULAR), base
        for tag in tags:
            best[form, tag] = max(rank, best.get((form, tag), rank))
    return {key: base for key, (_, base) in best.items()}


def _forms(words: WordNet, kind: str) -> Iterator[tuple[str, tuple[str, ...], str, float]]:
    """List forms, fine tags, base forms and how frequent they must be."""
    bases = {base for base in words.index[kind] if base.isalpha()}
    irregular: dict[tuple[str, str], set[str]] = defaultdict(set)
    for form, found in words.exceptions[kind].items():
        name = _name(form, kind)
        for base in found:
            if base in bases and form.isalpha() and form not in (base, _regular(base, name)):
                irregular[base, name].add(form)
    for base in bases:
        others = {name: irregular.get((base, name)) for name in FORMS[kind]}
        yield base, BASES[kind], base, LEAST_IRREGULAR if any(others.values()) else LEAST
        for name, tags in FORMS[kind].items():
            for form in others[name] or ():
                yield form, tags, base, LEAST_IRREGULAR
            if not others[name]:
                yield _regular(base, name), tags, base, LEAST


def _name(form: str, kind: str) -> str:
    if kind == "noun":
        return "plural"
    if kind == "verb":
        return "-ing" if form.endswith("ing") else "-s" if form.endswith("s") else "-ed"
    return "-est" if form.endswith("st") else "-er"


def _regular(base: str, name: str) -> str:
    if name in ("-er", "-est"):
        return inflected(base, "-ed")[:-2] + name[1:]
    return inflected(base, name)
