"""A word of a document, with its place in the text and in the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from treaty.text._spaces import misc_value

if TYPE_CHECKING:
    from treaty.parse._document import Document
    from treaty.text import Sentence, Token

__all__ = ["Phrase", "Word", "confidence"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Word:
    """A word of a `Document`: a token of a sentence that knows its text and its tree.

    Parameters
    ----------
    document
        The document.
    index
        Index among its words, from 0.

    Examples
    --------
    >>> from treaty.parse import Document
    >>> from treaty.text import Sentence
    >>> tree = Sentence.from_words(["Old", "cats", "sleep"]).with_tree([2, 3, 0])
    >>> old, cats, sleep = Document("Old cats  sleep", [tree])
    >>> sleep.start, sleep.end, sleep.children, cats.subtree, old.ancestors
    (10, 15, [Word('cats')], [Word('Old'), Word('cats')], [Word('cats'), Word('sleep')])
    """

    document: Document
    index: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Word):
            return NotImplemented
        return self.document is other.document and self.index == other.index

    def __hash__(self) -> int:
        return hash((id(self.document), self.index))

    def __repr__(self) -> str:
        return f"Word({self.form!r})"

    # Its place

    @property
    def sentence_index(self) -> int:
        """Index of its sentence, from 0."""
        return self.document.places[self.index][0]

    @property
    def sentence(self) -> Sentence:
        """Its sentence."""
        return self.document.sentences[self.sentence_index]

    @property
    def id(self) -> int:
        """Its number in the sentence, from 1."""
        return self.document.places[self.index][1]

    @property
    def token(self) -> Token:
        """The token, with the columns of CoNLL-U."""
        return self.sentence.tokens[self.id - 1]

    @property
    def start(self) -> int:
        """Position of its first character in the text of the document.

        The words of a multiword token have its position if they do not spell it out ("du" for
        "de" and "le").
        """
        return self.document.spans[self.index][0]

    @property
    def end(self) -> int:
        """Position after its last character."""
        return self.document.spans[self.index][1]

    @property
    def text(self) -> str:
        """The text from `start` to `end`."""
        return self.document.text[self.start : self.end]

    # Its columns

    @property
    def form(self) -> str:
        """The word."""
        return self.token.form

    @property
    def lemma(self) -> str:
        """Its lemma; ``"_"`` if not known, as in all columns."""
        return self.token.lemma

    @property
    def upos(self) -> str:
        """Its universal tag."""
        return self.token.upos

    @property
    def xpos(self) -> str:
        """Its tag of the treebank."""
        return self.token.xpos

    @property
    def feats(self) -> dict[str, str]:
        """Its features, such as ``{"Number": "Plur"}``."""
        items = (item.partition("=") for item in self.token.feats.split("|"))
        return {name: value for name, equals, value in items if equals}

    @property
    def deprel(self) -> str:
        """The label of the arc from its head."""
        return self.token.deprel

    @property
    def tag_confidence(self) -> float | None:
        """The probability of its tag (``TagConfidence`` in MISC); None if not known."""
        return confidence(self.token.misc, "Tag")

    @property
    def arc_confidence(self) -> float | None:
        """The probability of its head (``ArcConfidence`` in MISC); None if not known."""
        return confidence(self.token.misc, "Arc")

    @property
    def label_confidence(self) -> float | None:
        """The probability of its head and label (``LabelConfidence``); None if not known."""
        return confidence(self.token.misc, "Label")

    # The tree

    @property
    def head(self) -> Word | None:
        """Its head; None for a root, and without a tree."""
        head = self.token.head
        return self._in_sentence(head) if head > 0 else None

    @property
    def children(self) -> list[Word]:
        """The words whose head it is, in the order of the text."""
        heads = self.sentence.heads
        return [self._in_sentence(id_) for id_, head in enumerate(heads, 1) if head == self.id]

    @property
    def ancestors(self) -> list[Word]:
        """Its head, the head of that, and so on to the root."""
        found: dict[Word, None] = {}
        word = self.head
        while word is not None and word not in found:  # a cycle of heads is no tree
            found[word] = None
            word = word.head
        return list(found)

    @property
    def subtree(self) -> list[Word]:
        """The word and all its descendants, in the order of the text."""
        below: dict[int, list[int]] = {}
        for id_, head in enumerate(self.sentence.heads, 1):
            below.setdefault(head, []).append(id_)
        found, stack = {self.id}, [self.id]
        while stack:
            new = [id_ for id_ in below.get(stack.pop(), ()) if id_ not in found]
            found.update(new)
            stack += new
        return [self._in_sentence(id_) for id_ in sorted(found)]

    def _in_sentence(self, id_: int) -> Word:
        return Word(self.document, self.index - self.id + id_)


class Phrase(NamedTuple):
    """Adjacent words of a sentence.

    Examples
    --------
    >>> from treaty.parse import Document
    >>> from treaty.text import Sentence
    >>> document = Document("Old  cats sleep", [Sentence.from_words(["Old", "cats", "sleep"])])
    >>> old, cats, sleep = document
    >>> phrase = Phrase(root=cats, words=(old, cats))
    >>> phrase.text, phrase.start, phrase.end
    ('Old  cats', 0, 9)
    """

    root: Word
    """The word that the others depend on."""
    words: tuple[Word, ...]

    @property
    def start(self) -> int:
        """Position of its first character in the text of the document."""
        return self.words[0].start

    @property
    def end(self) -> int:
        """Position after its last character."""
        return self.words[-1].end

    @property
    def text(self) -> str:
        """The text from `start` to `end`."""
        return self.root.document.text[self.start : self.end]


def confidence(misc: str, of: str) -> float | None:
    """Return the probability of a tag or an arc that MISC has, or None.

    >>> confidence("SpaceAfter=No|ArcConfidence=0.75", "Arc")
    0.75
    """
    value = misc_value(misc, f"{of}Confidence")
    try:
        number = -1.0 if value is None else float(value)
    except ValueError:
        return None
    return number if 0.0 <= number <= 1.0 else None
