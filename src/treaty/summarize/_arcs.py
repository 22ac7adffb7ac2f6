"""Properties of the arcs of a tree that compression rules use."""

from __future__ import annotations

from functools import cached_property

from treaty.corpus import Sentence
from treaty.summarize._source import is_word

__all__ = ["Arcs"]

SEPARATORS = frozenset(",;:()[]{}–—-…") | {"--", "---", "..."}
IMPERATIVE = "Mood=Imp"
SUBORDINATION = frozenset({"mark"})
SUBJECTS = frozenset({"csubj", "expl", "nsubj"})


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

    def has_predicate(self) -> bool:
        """Return whether a root has a subject or is an imperative, and is not subordinate."""
        return any(
            (IMPERATIVE in self.features[token] or self.has_child(token, SUBJECTS))
            and not self.has_child(token, SUBORDINATION)
            for token, head in enumerate(self.heads)
            if head < 0
        )

    def has_fit_article(self, token: int) -> bool:
        """Return whether an article before a token's phrase still fits without the phrase.

        ``a`` and ``an`` depend on the following sound, which is approximated by the first letter:
        the result is True only if it is the same for all words up to the phrase's head.
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


def _sound(word: str) -> str:
    """Return the class of the first sound of a word; unknown words are a class of their own."""
    if word[0] in "aeio":
        return "vowel"
    return word if word[0] in "uh" or not word[0].isalpha() else "consonant"
