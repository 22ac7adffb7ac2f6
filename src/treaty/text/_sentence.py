"""Tokens and sentences, with the columns and lines of CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from treaty.errors import UsageError, check_several
from treaty.text._spaces import space_after

__all__ = ["EmptyNode", "MultiwordToken", "Sentence", "Token", "given_sentences"]

NO_HEAD = -1
FOR_TEXT = "use parse_text of a model that reads text, such as treaty.load('english')"


@dataclass(slots=True)
class Token:
    """A syntactic word; its id is its position in the sentence, from 1.

    Parameters
    ----------
    form, lemma, upos, xpos, feats, deprel, deps, misc
        The columns of CoNLL-U as written in the file; ``"_"`` if empty. In CoNLL-X `upos` is the
        coarse tag, `xpos` the fine one, `deps` and `misc` are PHEAD and PDEPREL.
    head
        The id of the head, 0 for the root, -1 if unknown.

    Examples
    --------
    >>> Token("cats", lemma="cat", upos="NOUN", head=2).head
    2
    """

    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    head: int = NO_HEAD
    deprel: str = "_"
    deps: str = "_"
    misc: str = "_"

    def copy(self) -> Token:
        """Copy the token, in a fraction of the time of `dataclasses.replace`.

        Examples
        --------
        >>> token = Token("cats", lemma="cat")
        >>> token.copy() == token, token.copy() is token
        (True, False)
        """
        return Token(
            self.form, self.lemma, self.upos, self.xpos, self.feats, self.head, self.deprel,
            self.deps, self.misc,
        )  # fmt: skip


class MultiwordToken(NamedTuple):
    """Several syntactic words that form one word of the text (``3-4  don't``)."""

    first: int
    """The id of its first word."""
    last: int
    """The id of its last word."""
    form: str
    misc: str


class EmptyNode(NamedTuple):
    """A word that is not in the text (``5.1``); `columns` has all ten columns of its line."""

    after: int
    """The id of the word before it, 0 at the start."""
    columns: tuple[str, ...]


@dataclass(slots=True)
class Sentence:
    """A sentence: its syntactic words, comments, and other lines in CoNLL-U.

    Parameters
    ----------
    tokens
        The syntactic words, without multiword tokens and empty nodes.
    comments
        Lines that start with ``#``, unchanged.
    other_lines
        Lines of multiword tokens and empty nodes, unchanged, each with the number of tokens before
        it. `multiword_tokens` and `empty_nodes` parse them.

    Examples
    --------
    >>> sentence = Sentence.from_words(["Cats", "sleep", "."])
    >>> len(sentence), [token.form for token in sentence], sentence.text
    (3, ['Cats', 'sleep', '.'], 'Cats sleep .')
    """

    tokens: list[Token] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    other_lines: list[tuple[int, str]] = field(default_factory=list)

    @classmethod
    def from_words(cls, words: Iterable[str]) -> Sentence:
        """Make a sentence from words alone.

        Examples
        --------
        >>> Sentence.from_words(["Cats", "sleep"]).tokens[1]
        Token(form='sleep', lemma='_', upos='_', xpos='_', feats='_', head=-1, deprel='_',
              deps='_', misc='_')
        """
        sentence = cls([Token(word) for word in words])
        for token in sentence:
            is_text = isinstance(token.form, str) and token.form
            if not is_text or not {"\t", "\n", "\r", "\0"}.isdisjoint(token.form):
                raise UsageError(
                    f"{token.form!r} is not a word; expected text without tabs and line breaks"
                )
        return sentence

    def __len__(self) -> int:
        return len(self.tokens)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    @property
    def words(self) -> list[str]:
        """The forms of the tokens."""
        return [token.form for token in self.tokens]

    @property
    def heads(self) -> list[int]:
        """The heads of the tokens: ids, 0 for the root, -1 if unknown."""
        return [token.head for token in self.tokens]

    @property
    def multiword_tokens(self) -> list[MultiwordToken]:
        r"""The words of the text that consist of several syntactic words.

        Examples
        --------
        >>> sentence = Sentence.from_words(["do", "n't"])
        >>> sentence.other_lines.append((0, "1-2\tdon't" + 8 * "\t_"))
        >>> sentence.multiword_tokens, sentence.text
        ([MultiwordToken(first=1, last=2, form="don't", misc='_')], "don't")
        """
        found = []
        for _, line in self.other_lines:
            identity, form, *_, misc = line.split("\t")
            first, dash, last = identity.partition("-")
            if dash:
                found.append(MultiwordToken(int(first), int(last), form, misc))
        return found

    @property
    def empty_nodes(self) -> list[EmptyNode]:
        """The words that are not in the text."""
        columns = [(after, tuple(line.split("\t"))) for after, line in self.other_lines]
        return [EmptyNode(after, fields) for after, fields in columns if "." in fields[0]]

    def comment(self, key: str) -> str | None:
        """Return the value of a comment ``# key = value``.

        Examples
        --------
        >>> Sentence(comments=["# sent_id = weblog-7", "# newpar"]).comment("sent_id")
        'weblog-7'
        """
        for line in self.comments:
            name, equals, value = line[1:].partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return None

    @property
    def text(self) -> str:
        """The text of the sentence: that of ``# text =``, or else its words joined."""
        text = self.comment("text")
        if text is not None:
            return text
        return "".join(form + space_after(misc) for form, misc in self.surface()).rstrip()

    def surface(self) -> list[tuple[str, str]]:
        """List form and MISC of the words of the text, with each multiword token as one word.

        Examples
        --------
        >>> Sentence.from_words(["Cats", "sleep"]).surface()
        [('Cats', '_'), ('sleep', '_')]
        """
        found = [(token.form, token.misc) for token in self.tokens]
        for word in reversed(self.multiword_tokens):
            found[word.first - 1 : word.last] = [(word.form, word.misc)]
        return found

    def with_tree(self, heads: Sequence[int], labels: Sequence[str] | None = None) -> Sentence:
        """Copy the sentence with other heads and, if given, other labels (HEAD and DEPREL).

        Examples
        --------
        >>> Sentence.from_words(["Cats", "sleep"]).with_tree([2, 0], ["nsubj", "root"]).heads
        [2, 0]
        """
        labels = [token.deprel for token in self.tokens] if labels is None else labels
        if not len(heads) == len(labels) == len(self.tokens):
            raise UsageError(
                f"expected a head and a label for each of {len(self.tokens)} tokens, "
                f"got {len(heads)} heads and {len(labels)} labels"
            )
        if not all(NO_HEAD <= head <= len(self.tokens) for head in heads):
            raise UsageError(f"expected heads from 0 to {len(self.tokens)}, got {list(heads)}")
        tokens = [token.copy() for token in self.tokens]
        for token, head, label in zip(tokens, heads, labels, strict=True):
            token.head, token.deprel = int(head), label
        return Sentence(tokens, list(self.comments), list(self.other_lines))

    def to_dict(self) -> dict[str, Any]:
        """Return text and tokens with their nonempty columns, for JSON.

        Examples
        --------
        >>> Sentence([Token("Hush", upos="VERB", head=0)]).to_dict()
        {'text': 'Hush', 'tokens': [{'id': 1, 'form': 'Hush', 'upos': 'VERB', 'head': 0}]}
        """
        tokens = []
        for identity, token in enumerate(self.tokens, 1):
            columns = {name: getattr(token, name) for name in token.__slots__}
            filled = {name: value for name, value in columns.items() if value not in ("_", -1)}
            tokens.append({"id": identity, "form": token.form, **filled})
        return {"text": self.text, "tokens": tokens}

    def to_conllu(self) -> str:
        r"""Write the sentence in CoNLL-U, with the final blank line.

        Examples
        --------
        >>> Sentence.from_words(["Hush"]).to_conllu()
        '1\tHush\t_\t_\t_\t_\t_\t_\t_\t_\n\n'
        """
        rows = [_row(identity, token) for identity, token in enumerate(self.tokens, 1)]
        for place, line in reversed(self.other_lines):
            rows.insert(place, line)
        return _together(self.comments, rows)

    def to_conllx(self) -> str:
        r"""Write the sentence in CoNLL-X, with the final blank line.

        Comments, multiword tokens and empty nodes are left out. `deps` and `misc` are written only
        if they are a projective head and its label, as CoNLL-X requires.

        Examples
        --------
        >>> Sentence([Token("Hush", head=0, misc="SpaceAfter=No")]).to_conllx()
        '1\tHush\t_\t_\t_\t_\t0\t_\t_\t_\n\n'
        """
        plain = [
            token if token.deps.isdecimal() else replace(token, deps="_", misc="_")
            for token in self.tokens
        ]
        return _together([], [_row(identity, token) for identity, token in enumerate(plain, 1)])


def _row(identity: int, token: Token) -> str:
    head = "_" if token.head < 0 else token.head
    return (
        f"{identity}\t{token.form}\t{token.lemma}\t{token.upos}\t{token.xpos}\t{token.feats}\t"
        f"{head}\t{token.deprel}\t{token.deps}\t{token.misc}"
    )


def _together(comments: list[str], rows: list[str]) -> str:
    """Join lines, and check that they can be read back."""
    if not rows:
        raise UsageError("cannot write a sentence without tokens; leave it out")
    for row in rows:
        if row.count("\t") != 9 or "\t\t" in row or row[-1] == "\t" or _breaks(row):
            raise UsageError(
                f"cannot write the token {row!r}: expected columns that are not empty and contain "
                "no tabs or line breaks"
            )
    for line in comments:
        if line[:1] != "#" or _breaks(line):
            raise UsageError(
                f"cannot write the comment {line!r}: expected one line that starts with #"
            )
    return "\n".join([*comments, *rows, "\n"])


def _breaks(line: str) -> bool:
    return "\n" in line or "\r" in line or "\0" in line


def given_sentences(inputs: Iterable[Sentence | Sequence[str]]) -> Iterator[Sentence]:
    """Return the sentences that a model was given; a list of words becomes a sentence.

    Raises `UsageError` if there is something else, such as a text.

    Examples
    --------
    >>> [sentence.words for sentence in given_sentences([["Cats", "sleep"]])]
    [['Cats', 'sleep']]
    """
    check_several(inputs, "sentences", FOR_TEXT)
    if isinstance(inputs, Sentence):
        raise UsageError("expected several sentences, got one: put it into a list")
    return map(_given, inputs)


def _given(one: Sentence | Sequence[str]) -> Sentence:
    if isinstance(one, Sentence):
        return one
    if isinstance(one, str):
        raise UsageError(f"expected a sentence or its words, got the text {one[:40]!r}: {FOR_TEXT}")
    if not isinstance(one, Sequence):
        raise UsageError(f"expected a sentence or its words, got {repr(one)[:60]}")
    return Sentence.from_words(one)
