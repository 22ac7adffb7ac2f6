"""Conditions of rules for the independent checker, on the columns of a sentence.

They share no code with `_conditions`, `_arcs` and `_meaning`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from treaty.summarize._rules import Rule, Rules
from treaty.text import Sentence, Token

__all__ = ["applies", "base_of", "children_of", "is_a_word"]

COMMAS = (*",;:()[]{}–—-…", "--", "---", "...")
STOPS = (".", "!", "?", "…", "...", "?!", "!!", "!?")
LINES = ("–", "—", "-", "--", "---")
A_CLAUSE = ("root", "ccomp", "xcomp", "advcl", "acl", "csubj", "parataxis")
FINITE = ("VBD", "VBZ", "VBP", "MD")


def applies(rule: Rule, sentence: Sentence, place: int, rules: Rules) -> bool:
    """Return whether a token, by its index, meets all conditions of a rule."""
    arc = _Arc(sentence, place, rules)
    return all(_holds(arc, name, value) for name, value in rule.conditions.items())


def _holds(arc: _Arc, name: str, value: Any) -> bool:
    if name in SWITCHES:
        return SWITCHES[name](arc) == bool(value)
    if name.startswith("not_"):
        return not _holds(arc, name.removeprefix("not_"), value)
    if name in ("no_child", "no_child_forms"):
        return not _holds(arc, name.removeprefix("no_"), value)
    if name == "head_no_child":
        return not (arc.head and _holds(arc, "head_child", value))
    if name == "head_no_child_forms":
        return bool(arc.head) and not _holds(arc, "head_child_forms", value)
    if name == "pattern":
        return re.fullmatch(value, arc.token.form.lower()) is not None
    return any(map(value.__contains__, WORDS[name](arc))) if name in WORDS else _opens(arc, value)


def _opens(arc: _Arc, beginnings: frozenset[str]) -> bool:
    words = arc.text.split()
    return any(words[: len(one.split())] == one.split() for one in beginnings)


class _Arc:
    """An arc and what is around it."""

    def __init__(self, sentence: Sentence, place: int, rules: Rules) -> None:
        self.sentence, self.place, self.rules = sentence, place, rules
        self.token = sentence.tokens[place]
        self.head = sentence.tokens[self.token.head - 1] if self.token.head > 0 else None
        self.below = children_of(sentence, place + 1)
        own = children_of(sentence, self.token.head) if self.head else []
        self.beside = [token for token in own if token is not self.token]
        self.family = own
        self.phrase = sorted(_phrase(sentence, place))

    @property
    def text(self) -> str:
        tokens = self.sentence.tokens[self.phrase[0] : self.phrase[-1] + 1]
        return " ".join(token.form.lower() for token in tokens if is_a_word(token))

    def around(self) -> tuple[str, str]:
        forms = ["", *(token.form.lower() for token in self.sentence), ""]
        return forms[self.phrase[0]], forms[self.phrase[-1] + 2]


def _labels(tokens: list[Token]) -> list[str]:
    return [label for token in tokens for label in (token.deprel, base_of(token))]


def _forms(tokens: list[Token]) -> list[str]:
    return [token.form.lower() for token in tokens]


def _one(token: Token | None) -> list[Token]:
    return [token] if token else []


WORDS: dict[str, Callable[[_Arc], list[str]]] = {
    "labels": lambda arc: _labels([arc.token]),
    "head_labels": lambda arc: _labels(_one(arc.head)),
    "forms": lambda arc: _forms([arc.token]),
    "head_forms": lambda arc: _forms(_one(arc.head)),
    "lemmas": lambda arc: [_lemma(arc.token)],
    "head_lemmas": lambda arc: [_lemma(token) for token in _one(arc.head)],
    "modifier": lambda arc: [arc.token.upos],
    "head": lambda arc: [token.upos for token in _one(arc.head)],
    "fine": lambda arc: [arc.token.xpos],
    "child": lambda arc: _labels(arc.below),
    "child_forms": lambda arc: _forms(arc.below),
    "head_child": lambda arc: _labels(arc.family),
    "head_child_forms": lambda arc: _forms(arc.family),
    "after": lambda arc: [arc.around()[0]],
    "followed": lambda arc: [arc.around()[1]],
    "phrases": lambda arc: [arc.text],
    "contains": lambda arc: arc.text.split(),
}


def _is_apart(arc: _Arc) -> bool:
    before, after = arc.around()
    first = before == "" or (before in COMMAS and before != ":")
    last = after == "" or after in COMMAS or after in STOPS
    return first and last and (before != "" or after in COMMAS)


def _is_enclosed(arc: _Arc) -> bool:
    before, after = arc.around()
    if before in LINES:
        return after in LINES or after in STOPS
    return before + after in ("()", "[]", "{}")


def _is_set_off(arc: _Arc) -> bool:
    before, after = arc.around()
    return (after if arc.token.head - 1 > arc.phrase[-1] else before) in COMMAS


def _is_lone(arc: _Arc) -> bool:
    rest = [base_of(token) for token in arc.beside if is_a_word(token)]
    return not set(rest) & {"obj", "iobj", "obl", "xcomp", "ccomp", "advcl", "advmod"}


def _fits_article(arc: _Arc) -> bool:
    if arc.around()[0] not in ("a", "an"):
        return True
    behind = arc.sentence.tokens[arc.phrase[0] : max(arc.token.head, 0)]
    sounds = {_is_vowel(token.form.lower()) for token in behind if is_a_word(token)}
    return len(sounds) == 1


def _is_vowel(word: str) -> bool:
    if word.startswith(("hour", "honest", "hono", "heir", "8")) or word in ("11", "18"):
        return True
    if word.startswith(("11", "18")):
        return not word[2].isdigit()
    you = ("uni", "usa", "use", "usu", "uti", "ura", "ubi", "uk", "eu", "ewe", "one", "once")
    return word[0] in "aeiou" and not word.startswith(you)


def _is_required(arc: _Arc) -> bool:
    frames, head = arc.rules.frames, arc.head
    if head is None or head.upos not in ("VERB", "NOUN", "ADJ"):
        return False
    word = _frame(arc)
    total = frames.totals.get(word, 0)
    filled = [token for token in arc.family if _slot(arc.sentence, token)[:4] in FILLS]
    alone = len(filled) == 1 and filled[0] is arc.token
    often = frames.slots.get(f"{word} {_slot(arc.sentence, arc.token)}", 0)
    bare = frames.bare.get(word, 0)
    return total > 0 and (often >= 0.4 * total or (alone and bare < 0.1 * total))


FILLS = ("obl", "obl:", "xcom", "advm", "nmod", "acl", "acl:")


def _frame(arc: _Arc) -> str:
    assert arc.head is not None
    labels = set(_labels(arc.family))
    name = f"{_lemma(arc.head).replace(' ', '_')}/{arc.head.upos}"
    if arc.head.upos != "VERB":
        return name
    if labels & {"aux:pass", "nsubj:pass", "csubj:pass"}:
        return name + "/p"
    return name + ("/t" if labels & {"obj", "ccomp"} else "/i")


def _slot(sentence: Sentence, token: Token) -> str:
    slots = ("obl", "nmod", "advcl", "acl", "xcomp", "ccomp", "advmod", "obj")
    label, form = base_of(token), token.form.lower()
    idle = ("not", "n't", "n’t", "never", "also", "then", "so", "just", "only")
    if label not in slots or (label == "advmod" and form in idle):
        return ""
    place = next(n for n, other in enumerate(sentence, 1) if other is token)
    for child in children_of(sentence, place):
        if base_of(child) in ("case", "mark"):
            return f"{label}:{_lemma(child).replace(' ', '_')}"
    return label


def _is_event(arc: _Arc) -> bool:
    sentence, scope = arc.sentence, arc.rules.scope
    place = arc.token.head - 1 if arc.head else arc.place
    while True:
        place = _clause(sentence, place)
        verb = sentence.tokens[place]
        helpers = [t for t in children_of(sentence, place + 1) if base_of(t) in ("aux", "cop")]
        forms = set(_forms(helpers))
        if forms & (scope.modals | scope.perfect):
            return not forms & scope.modals
        finite = [t for t in (verb, *helpers) if t.upos in ("VERB", "AUX") and _is_finite(t)]
        if finite:
            return all("Tense=Past" in t.feats or t.xpos == "VBD" for t in finite)
        if base_of(verb) == "xcomp" or verb.head <= 0:
            return False
        place = verb.head - 1


def _is_finite(token: Token) -> bool:
    return "VerbForm=Fin" in token.feats or token.xpos in FINITE


def _clause(sentence: Sentence, place: int) -> int:
    token = sentence.tokens[place]
    shares = {"nsubj", "csubj", "aux", "cop"}
    own = set(map(base_of, children_of(sentence, place + 1)))
    if token.head <= 0 or base_of(token) in A_CLAUSE or (base_of(token) == "conj" and own & shares):
        return place
    return _clause(sentence, token.head - 1)


def _in_scope(arc: _Arc) -> bool:
    sentence, scope = arc.sentence, arc.rules.scope
    if any(token.form == "?" for token in sentence.tokens[-2:]):
        return True
    path = [arc.place]
    while sentence.tokens[path[-1]].head > 0:
        path.append(sentence.tokens[path[-1]].head - 1)
    inside = _subtree(sentence, arc.place)
    for place, token in enumerate(sentence):
        if token.form.lower() in scope.operators and place not in inside:
            bound = _bounds_number(sentence, token) or _describes(sentence, token)
            if not bound and _clause(sentence, place) in path:
                return True
    for below, above in pairwise(path):
        head = sentence.tokens[above]
        adverbial = base_of(sentence.tokens[below]) in (
            "advmod", "advcl", "obl", "discourse", "parataxis",
        )  # fmt: skip
        if _lemma(head) in scope.verbs and not adverbial:
            return True
        if head.upos in ("VERB", "AUX"):
            continue
        if head.form.lower() in scope.quantifiers:
            return True
        for place, token in enumerate(sentence):
            best = token.xpos in ("JJS", "RBS") or "Degree=Sup" in token.feats
            told = best or token.form.lower() in scope.quantifiers
            if token.head == above + 1 and place not in inside and told:
                return True
    return False


def _bounds_number(sentence: Sentence, token: Token) -> bool:
    if token.head > 0 and base_of(token) == "fixed":
        token = sentence.tokens[token.head - 1]
    return token.head > 0 and sentence.tokens[token.head - 1].upos == "NUM"


def _describes(sentence: Sentence, token: Token) -> bool:
    around = _labels(children_of(sentence, token.head)) if token.head > 0 else []
    return base_of(token) == "amod" and bool({"det", "nmod:poss"} & set(around))


def _subtree(sentence: Sentence, place: int) -> set[int]:
    found = {place}
    while True:
        more = {n for n, token in enumerate(sentence) if token.head - 1 in found} - found
        if not more:
            return found
        found |= more


SWITCHES: dict[str, Callable[[_Arc], bool]] = {
    "before": lambda arc: arc.place < arc.token.head - 1,
    "capital": lambda arc: arc.token.form[0].isupper(),
    "leaf": lambda arc: not any(is_a_word(token) for token in arc.below),
    "only": lambda arc: not any(base_of(t) == base_of(arc.token) for t in arc.beside),
    "lone": _is_lone,
    "set_off": _is_set_off,
    "apart": _is_apart,
    "enclosed": _is_enclosed,
    "article": _fits_article,
    "graded": lambda arc: _lemma(arc.token) in arc.rules.frames.graded,
    "term": lambda arc: (
        arc.head is not None and f"{_lemma(arc.token)} {_lemma(arc.head)}" in arc.rules.frames.terms
    ),
    "known": lambda arc: arc.head is not None and _frame(arc) in arc.rules.frames.totals,
    "required": _is_required,
    "event": _is_event,
    "scope": _in_scope,
}


def _phrase(sentence: Sentence, place: int) -> list[int]:
    """List a token and its descendants, following words only."""
    found = [place]
    for other, token in enumerate(sentence):
        above, steps = token, 0
        while is_a_word(above) and above.head > 0 and steps <= len(sentence):
            if above.head - 1 == place:
                found.append(other)
                break
            above, steps = sentence.tokens[above.head - 1], steps + 1
    return found


def children_of(sentence: Sentence, identity: int) -> list[Token]:
    """List the dependents of a token, by its number from 1."""
    return [token for token in sentence if token.head == identity]


def base_of(token: Token) -> str:
    """Return the label of a token without its subtype."""
    return token.deprel.split(":")[0]


def is_a_word(token: Token) -> bool:
    """Return whether a token has a letter or digit."""
    return any(character.isalnum() for character in token.form)


def _lemma(token: Token) -> str:
    return (token.form if token.lemma == "_" else token.lemma).lower()
