"""Properties of the arcs of a tree that compression rules use."""

from __future__ import annotations

import re
from functools import cached_property

from treaty.summarize._source import is_word
from treaty.text import Sentence

__all__ = ["Arcs"]

SEPARATORS = frozenset(",;:()[]{}–—-…") | {"--", "---", "..."}
IMPERATIVE = "Mood=Imp"
SUBORDINATION = frozenset({"mark"})
RELATIVE = frozenset({"which", "who"})
SUBJECTS = frozenset({"csubj", "expl", "nsubj"})
DASHES = frozenset({"–", "—", "-", "--", "---"})
BRACKETS = {"(": ")", "[": "]", "{": "}"}
ENDS = frozenset(".!?…") | {"...", "?!", "!!", "!?"}
COMPLEMENTS = frozenset({"obj", "iobj", "obl", "xcomp", "ccomp", "advcl", "advmod"})


class Arcs:
    """The arcs of a sentence's tree, each given by the index of its modifier.

    Parameters
    ----------
    sentence
        A sentence with a tree; tokens without a head count as roots.

    Examples
    --------
    >>> words = Sentence.from_words(["Sadly", ",", "cats", "sleep"])
    >>> arcs = Arcs(words.with_tree([4, 4, 4, 0], ["advmod", "punct", "nsubj", "root"]))
    >>> arcs.heads, arcs.is_set_off(0), arcs.is_set_off(2)
    ([3, 3, 3, -1], True, False)
    """

    def __init__(self, sentence: Sentence) -> None:
        self.heads = [max(token.head, 0) - 1 for token in sentence]
        self.labels = [{token.deprel, token.deprel.partition(":")[0]} for token in sentence]
        self.tags = [token.upos for token in sentence]
        self.features = [token.feats for token in sentence]
        self.forms = [token.form.lower() for token in sentence]
        self.is_capital = [token.form[:1].isupper() for token in sentence]
        self.fine_tags = [token.xpos for token in sentence]
        self.lemmas = [
            form if token.lemma == "_" else token.lemma.lower()
            for form, token in zip(self.forms, sentence, strict=True)
        ]
        self.is_word = [is_word(form) for form in self.forms]
        self.children: list[list[int]] = [[] for _ in self.heads]
        for modifier, head in enumerate(self.heads):
            if head >= 0:
                self.children[head].append(modifier)

    def has_label(self, token: int, labels: frozenset[str]) -> bool:
        """Return whether the arc to a token has one of these labels; False if there is none."""
        return token >= 0 and not labels.isdisjoint(self.labels[token])

    def is_leaf(self, token: int) -> bool:
        """Return whether a token has no dependents except punctuation."""
        return not any(self.is_word[child] for child in self.children[token])

    def has_child(self, token: int, labels: frozenset[str]) -> bool:
        """Return whether a token has a dependent with one of these labels."""
        children = self.children[token] if token >= 0 else []
        return any(not labels.isdisjoint(self.labels[child]) for child in children)

    def has_child_form(self, token: int, forms: frozenset[str]) -> bool:
        """Return whether a token has one of these words as a dependent."""
        return any(self.forms[child] in forms for child in self.children[token])

    def is_after(self, token: int, forms: frozenset[str]) -> bool:
        """Return whether one of these words is directly before a token's phrase."""
        first, _ = self.phrases[token]
        return first > 0 and self.forms[first - 1] in forms

    def is_followed(self, token: int, forms: frozenset[str]) -> bool:
        """Return whether one of these words is directly after a token's phrase."""
        return self._beside(token)[1] in forms

    def has_predicate(self) -> bool:
        """Return whether a root has a subject or is an imperative, and is not subordinate.

        A subject "which" in the middle of a sentence belongs to a relative clause: the parser has
        missed the main one.
        """
        return any(
            (IMPERATIVE in self.features[token] or self.has_child(token, SUBJECTS))
            and not self.has_child(token, SUBORDINATION)
            and not any(
                child
                and self.forms[child] in RELATIVE
                and not SUBJECTS.isdisjoint(self.labels[child])
                for child in self.children[token]
            )
            for token, head in enumerate(self.heads)
            if head < 0
        )

    def has_fit_article(self, token: int) -> bool:
        """Return whether an article before a token's phrase still fits without the phrase.

        ``a`` and ``an`` depend on the following sound, which is approximated by the spelling: the
        result is True only if it is the same for all words up to the phrase's head.
        """
        first, _ = self.phrases[token]
        if first == 0 or self.forms[first - 1] not in ("a", "an"):
            return True
        words = [form for form in self.forms[first : self.heads[token] + 1] if is_word(form)]
        return len({_sound(word) for word in words}) == 1

    def is_only(self, token: int) -> bool:
        """Return whether no other dependent of the same head has the same label (no subtypes)."""
        head = self.heads[token]
        siblings = self.children[head] if head >= 0 else []
        label = min(self.labels[token], key=len)
        return not any(label in self.labels[other] for other in siblings if other != token)

    def is_set_off(self, token: int) -> bool:
        """Return whether a comma, dash or bracket separates a token's phrase from its head."""
        first, last = self.phrases[token]
        beside = last + 1 if self.heads[token] > last else first - 1
        return 0 <= beside < len(self.forms) and self.forms[beside] in SEPARATORS

    def is_apart(self, token: int) -> bool:
        """Return whether commas, dashes, brackets or ends are on both sides of a token's phrase."""
        before, after = self._beside(token)
        left, right = before in SEPARATORS and before != ":", after in SEPARATORS
        return (left or not before) and (right or not after or after in ENDS) and (left or right)

    def is_enclosed(self, token: int) -> bool:
        """Return whether a token's phrase is between brackets, or between dashes."""
        before, after = self._beside(token)
        if before in DASHES:
            return after in DASHES or after in ENDS
        return before in BRACKETS and BRACKETS[before] == after

    def is_lone(self, token: int) -> bool:
        """Return whether a token is the only complement or adverbial of its head."""
        head = self.heads[token]
        siblings = self.children[head] if head >= 0 else []
        return not any(
            not COMPLEMENTS.isdisjoint(self.labels[other]) and self.is_word[other]
            for other in siblings
            if other != token
        )

    def text(self, token: int) -> str:
        """Return the words from the first to the last of a token's phrase, in lower case."""
        first, last = self.phrases[token]
        return " ".join(form for form in self.forms[first : last + 1] if is_word(form))

    def _beside(self, token: int) -> tuple[str, str]:
        """Return the tokens before and after a token's phrase; empty at the ends."""
        first, last = self.phrases[token]
        return (
            self.forms[first - 1] if first else "",
            self.forms[last + 1] if last + 1 < len(self.forms) else "",
        )

    @cached_property
    def phrases(self) -> list[tuple[int, int]]:
        """The first and last word of each token's phrase, without punctuation."""
        first, last = list(range(len(self.heads))), list(range(len(self.heads)))
        for token in self._leaves_first():
            head = self.heads[token]
            if head >= 0 and self.is_word[token]:
                first[head] = min(first[head], first[token])
                last[head] = max(last[head], last[token])
        return list(zip(first, last, strict=True))

    def _leaves_first(self) -> list[int]:
        order = [token for token, head in enumerate(self.heads) if head < 0]
        for token in order:  # which grows during iteration
            order += self.children[token]
        return order[::-1]


SILENT = re.compile(r"h(our|onest|ono|eir)|8|11(?!\d)|18(?!\d)")
SPOKEN = re.compile(r"u(ni|s[aeu]|ti|ra|bi|k)|eu|ewe|one|once")


def _sound(word: str) -> str:
    """Return the class of the first sound of a word, by its spelling."""
    if SILENT.match(word) or (word[0] in "aeiou" and not SPOKEN.match(word)):
        return "vowel"
    return "consonant"
