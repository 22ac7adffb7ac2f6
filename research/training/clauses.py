"""Clauses that treebanks have too few of, made from their trees: more to learn from.

*My sister, who is a nurse, lives in Leeds*: relative clauses with a copula are frequent in edited
text and rare in the treebanks. They are made of the predicates of copular clauses, which are put
after nouns. *Officials say the state ignored warnings*: a complement without *that* is hard to
tell from a noun phrase; some are made by leaving *that* out. *The firm has since replaced it*: an
adverb between an auxiliary and its verb is put in. *Shares in the firm fell*: a first word that
could be a verb is hard to tell from one; articles before such plurals are left out, and other
plurals give way to such words.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from research.training.as_typed import inserted
from research.training.make_lexicon import inflected
from treaty.text import Sentence, Token

MADE = "# clause"
"""Comment of these sentences."""
COPULAS = {"is": "Sing", "was": "Sing", "are": "Plur", "were": "Plur"}
LONGEST = 8
"""Number of words of a predicate."""
LONGEST_SENTENCE = 40
THAT = ARTICLE = 5.0
"""Few sentences have a *that* or an article to leave out: it is left out more often."""
ADVERB = {"have": 10.0, "be": 1.0}
"""*Have* is seldom an auxiliary in treebanks with an adverb after it."""
ADVERBS = {
    "have": (
        *("already", "also", "always", "finally", "just", "long", "never", "now", "often", "once"),
        *("previously", "quietly", "recently", "repeatedly", "since", "still", "then", "twice"),
    ),
    "be": ("already", "also", "always", "finally", "just", "now", "often", "quietly", "still"),
}
OTHER_NOUN = 0.7
"""Share of plurals at the beginning that are exchanged."""
NOT_WITH_PREDICATE = frozenset(
    {"nsubj", "csubj", "expl", "mark", "aux", "advcl", "conj", "cc", "punct", "parataxis"}
    | {"discourse", "vocative", "dislocated", "ccomp", "reparandum", "nsubj:outer", "obl:unmarked"}
)
PREDICATES = ("NOUN", "ADJ")


class Clauses:
    """What clauses are made of: the predicates and nouns of a treebank."""

    def __init__(self, sentences: Sequence[Sentence], verbs: Sequence[str] = ()) -> None:
        """Take `verbs` that are nouns, too, for plurals at the beginning."""
        self.bank, self.persons = list(predicates(sentences)), people(sentences)
        self.verbs = verbs

    def copies(self, sentence: Sentence, share: float, drawn: random.Random) -> list[Sentence]:
        """Make copies of a sentence with such clauses, with this probability for each kind."""
        found = list[Sentence | None]()
        if len(sentence) <= LONGEST_SENTENCE and drawn.random() < share:
            found.append(with_relative(sentence, self.bank, self.persons, drawn))
        if drawn.random() < THAT * share:
            found.append(without_that(sentence))
        if drawn.random() < ARTICLE * share:
            found.append(plural_first(sentence, self.verbs, drawn))
        for auxiliary, times in ADVERB.items():
            if drawn.random() < times * share:
                found.append(with_adverb(sentence, auxiliary, drawn))
        return [copy for copy in found if copy is not None]


def with_adverb(sentence: Sentence, auxiliary: str, drawn: random.Random) -> Sentence | None:
    """Put an adverb between an auxiliary, *have* or *be*, and the verb after it."""
    tokens = sentence.tokens
    places = [
        i
        for i, token in enumerate(tokens[:-1], 1)
        if token.upos == "AUX" and token.lemma == auxiliary and token.head == i + 1
        and tokens[i].upos == "VERB" and token.form[:1] != "'" and not sentence.other_lines
    ]  # fmt: skip
    if not places:
        return None
    place, word = drawn.choice(places), drawn.choice(ADVERBS[auxiliary])
    adverb = Token(word, lemma=word, upos="ADV", xpos="RB", head=place + 1, deprel="advmod")
    return replace(inserted(sentence, place, adverb), comments=[MADE])


def without_that(sentence: Sentence) -> Sentence | None:
    """Leave out one *that* of a complement, if there is one."""
    for place, token in enumerate(sentence.tokens):
        head = sentence.tokens[token.head - 1] if token.head else token
        is_leaf = all(other.head != place + 1 for other in sentence.tokens)
        is_mark = token.lemma == "that" and token.deprel == "mark" and is_leaf
        if is_mark and head.deprel == "ccomp" and 0 < head.head < place + 1 < token.head:
            return _without(sentence, place)
    return None


def plural_first(sentence: Sentence, verbs: Sequence[str], drawn: random.Random) -> Sentence | None:
    """Begin with a plural without an article, which gives way to *shares*, *plans*, *talks*."""
    made = without_article(sentence)
    found = made or Sentence([replace(token) for token in sentence.tokens], [MADE])
    first = found.tokens[0] if len(found) > 2 and not sentence.other_lines else None
    if first is None or (first.xpos, first.deprel) != ("NNS", "nsubj") or not verbs:
        return made
    if drawn.random() < OTHER_NOUN:
        first.lemma = drawn.choice(verbs)
        first.form = inflected(first.lemma, "-s").capitalize()
        return found
    return made


def without_article(sentence: Sentence) -> Sentence | None:
    """Leave out the article before a plural that begins a sentence."""
    first = sentence.tokens[0] if len(sentence) > 2 else None
    if first is None or first.deprel != "det" or first.lemma not in ("the", "these", "some"):
        return None
    noun = sentence.tokens[first.head - 1]
    if noun.upos != "NOUN" or noun.xpos != "NNS" or sentence.other_lines:
        return None
    made = _without(sentence, 0)
    made.tokens[0].form = made.tokens[0].form[:1].upper() + made.tokens[0].form[1:]
    return made


def _without(sentence: Sentence, place: int) -> Sentence:
    number = place + 1
    tokens = [
        replace(token, head=token.head - (token.head > number))
        for i, token in enumerate(sentence.tokens)
        if i != place
    ]
    return Sentence(tokens, [MADE])


def predicates(sentences: Iterable[Sentence]) -> Iterator[tuple[str, list[Token]]]:
    """Find copulas with their predicates; heads are relative to the first word, 0 for the root."""
    for sentence in sentences:
        for place, token in enumerate(sentence.tokens):
            if token.deprel != "cop" or token.form not in COPULAS:
                continue
            root = token.head - 1
            own = _subtree(sentence, root)
            labels = {t.deprel for t in sentence.tokens if t.head == root + 1}
            kept = sorted(i for i in own if i >= place)
            whole = kept == list(range(place, place + len(kept))) and len(kept) <= LONGEST
            if sentence.tokens[root].upos in PREDICATES and whole and root > place:
                tokens = [
                    replace(t, head=0 if i == root else t.head - place, misc="_", deps="_")
                    for i, t in enumerate(sentence.tokens[place : place + len(kept)], place)
                ]
                if all(0 <= t.head <= len(kept) for t in tokens) and "nsubj" in labels:
                    yield COPULAS[token.form], tokens


def _subtree(sentence: Sentence, root: int) -> set[int]:
    """Return the places of a predicate's words, without its subject, marks and other clauses."""
    found, waiting = set[int](), [root]
    while waiting:
        place = waiting.pop()
        found.add(place)
        waiting += [
            i
            for i, t in enumerate(sentence.tokens)
            if t.head == place + 1 and (place != root or t.deprel not in NOT_WITH_PREDICATE)
        ]
    return found


def people(sentences: Iterable[Sentence]) -> frozenset[str]:
    """Return the nouns that are referred to by *who*."""
    found = set()
    for sentence in sentences:
        for token in sentence.tokens:
            clause = sentence.tokens[token.head - 1] if token.head else token
            if token.lemma == "who" and clause.deprel == "acl:relcl" and clause.head:
                found.add(sentence.tokens[clause.head - 1].lemma)
    return frozenset(found)


def with_relative(
    sentence: Sentence,
    bank: Sequence[tuple[str, list[Token]]],
    persons: frozenset[str],
    drawn: random.Random,
) -> Sentence | None:
    """Put a relative clause with a copula after a noun that ends its phrase, if there is one."""
    tokens = sentence.tokens
    last = {token.head for i, token in enumerate(tokens, 1) if token.head < i}
    nouns = [
        i
        for i, token in enumerate(tokens, 1)
        if token.upos in ("NOUN", "PROPN") and i not in last and i < len(tokens)
        and token.deprel in ("nsubj", "obj", "obl", "nmod", "root") and not sentence.other_lines
        and tokens[i].upos != "PART"
    ]  # fmt: skip
    if not nouns:
        return None
    noun = drawn.choice(nouns)
    number = "Plur" if "Number=Plur" in tokens[noun - 1].feats else "Sing"
    fitting = [clause for own, clause in bank if own == number]
    if not fitting:
        return None
    is_name = tokens[noun - 1].upos == "PROPN"
    commas = is_name or drawn.random() < 0.5
    person = is_name or tokens[noun - 1].lemma in persons
    pronoun = "who" if person else "which" if commas or drawn.random() < 0.4 else "that"
    return _inserted(sentence, noun, _relative(drawn.choice(fitting), pronoun), commas)


def _relative(clause: Sequence[Token], pronoun: str) -> list[Token]:
    """Put the pronoun before a predicate; heads are relative to the first word."""
    root = next(i for i, token in enumerate(clause, 1) if token.head == 0)
    tag = "WDT" if pronoun in ("that", "which") else "WP"
    first = Token(
        pronoun, lemma=pronoun, upos="PRON", xpos=tag, feats="PronType=Rel", head=root + 1,
        deprel="nsubj",
    )  # fmt: skip
    return [first, *(replace(t, head=t.head and t.head + 1) for t in clause)]


def _inserted(sentence: Sentence, noun: int, clause: list[Token], commas: bool) -> Sentence:
    tokens = sentence.tokens
    root = next(i for i, token in enumerate(clause, 1) if token.head == 0)
    comma = Token(",", lemma=",", upos="PUNCT", xpos=",", deprel="punct")
    before = [replace(comma, head=root)] if commas else []
    ends = tokens[noun].upos == "PUNCT"
    after = [replace(comma, head=root)] if commas and not ends else []
    begin, more = noun + len(before), len(before) + len(clause) + len(after)
    placed = [
        replace(token, head=token.head + begin if token.head else noun,
                deprel=token.deprel if token.head else "acl:relcl")
        for token in clause
    ]  # fmt: skip
    marks = [[replace(t, head=t.head + begin) for t in some] for some in (before, after)]
    moved = [replace(t, head=t.head + more * (t.head > noun)) for t in tokens]
    made = [*moved[:noun], *marks[0], *placed, *marks[1], *moved[noun:]]
    made[noun - 1] = replace(made[noun - 1], misc="_")
    return Sentence(made, [MADE])
