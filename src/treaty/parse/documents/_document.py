"""Documents: a text with its sentences, words, trees, entities and certificates."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from treaty.errors import UsageError, shortened
from treaty.parse.documents._document_entities import entities_in_misc, marked, placed
from treaty.parse.documents._document_record import document_of, parsed, record_of
from treaty.parse.documents._noun_chunks import noun_chunks
from treaty.parse.documents._word import Phrase, Word
from treaty.parse.trees._confidences import without_confidences
from treaty.solve import Certificate
from treaty.text import Entity, Sentence, sentence_from_spans, text_of
from treaty.text._spaces import raw_form

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

    from treaty.parse.trees._parser import Parse

__all__ = ["Document", "certified"]

Span = tuple[int, int]
MOST_DRAWN = 50
"""Number of sentences that are drawn in a notebook."""
CERTIFICATE = ("status", "gap")


@dataclass(slots=True)
class Document:
    """A text and what is known about it.

    Made by a `Pipeline`, a `Tokenizer`, or from sentences. To change one, make another, such as by
    ``dataclasses.replace(document, entities=found)``.

    Parameters
    ----------
    text
        The text.
    sentences
        Its sentences, whose words follow each other in the text, with nothing but white space
        between them.
    entities
        Its named entities; `first` and `last` are indexes of its words.
    certificates
        The certificate of the tree of each sentence, or none at all.
    name, source
        The name of the document, in CoNLL-U ``# newdoc id``, and the file that it comes from.
    entity_certificates
        The certificate of the entities of each sentence, if a model has found them.
    summary
        The summary, a `treaty.summarize.Digest`, if there is one.
    compressions
        The shortened sentences, each a `treaty.summarize.CompressedSentence`, if there are some.

    Attributes
    ----------
    spans
        For each word, its start and end in the text.
    places
        For each word, the index of its sentence (from 0) and its id in it (from 1).

    Raises
    ------
    UsageError
        When words or entities are not those of the text.

    Examples
    --------
    >>> hush = Document.from_spans("Hush! Cats sleep.", [[(0, 4), (4, 5)], [(6, 10), (11, 17)]])
    >>> [sentence.words for sentence in hush.sentences]
    [['Hush', '!'], ['Cats', 'sleep.']]
    >>> [(word.form, word.start, word.end) for word in hush]
    [('Hush', 0, 4), ('!', 4, 5), ('Cats', 6, 10), ('sleep.', 11, 17)]
    """

    text: str
    sentences: list[Sentence]
    entities: list[Entity] = field(default_factory=list)
    certificates: list[Certificate] = field(default_factory=list)
    name: str | None = field(default=None, repr=False, kw_only=True)
    source: str | None = field(default=None, repr=False, kw_only=True)
    entity_certificates: list[Certificate] = field(
        default_factory=list, repr=False, compare=False, kw_only=True
    )
    summary: Any = field(default=None, repr=False, kw_only=True)
    compressions: list[Any] = field(default_factory=list, repr=False, kw_only=True)
    spans: list[Span] = field(init=False, repr=False, compare=False)
    places: list[tuple[int, int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.spans = list(_spans(self.text, self.sentences))
        self.places = [
            (number, id_)
            for number, sentence in enumerate(self.sentences)
            for id_ in range(1, len(sentence) + 1)
        ]
        if self.certificates and len(self.certificates) != len(self.sentences):
            raise UsageError(
                f"expected a certificate for each of {len(self.sentences)} sentences, or none, "
                f"got {len(self.certificates)}"
            )
        for entity in self.entities:
            within = 0 <= entity.first <= entity.last < len(self.spans)
            if not within or self.text[entity.start : entity.end] != entity.text:
                raise UsageError(f"{entity} is not in the text and its {len(self.spans)} words")
            if self.places[entity.first][0] != self.places[entity.last][0]:
                raise UsageError(f"{entity} is not within a sentence")

    @classmethod
    def from_spans(cls, text: str, sentences: Iterable[Sequence[Span]]) -> Document:
        """Split a text into tokens at these spans; see `treaty.text.sentence_from_spans`.

        Examples
        --------
        >>> len(Document.from_spans("Hush!", [[(0, 4), (4, 5)]]).sentences[0])
        2
        """
        return cls(text, [sentence_from_spans(text, spans) for spans in sentences])

    @classmethod
    def from_sentences(cls, sentences: Iterable[Sentence]) -> Document:
        """Make a document from sentences, such as those of a CoNLL-U file.

        Entities that are marked in MISC (``NER=B-PER``) become those of the document, and the id of
        a comment ``# newdoc id = …`` of the first sentence its name.

        Examples
        --------
        >>> Document.from_sentences([Sentence.from_words(["Cats", "sleep"])]).text
        'Cats sleep '
        """
        every = list(sentences)
        made = cls(text_of(every), every, name=every[0].comment("newdoc id") if every else None)
        found = list(entities_in_misc(every))
        made.entities = placed(found, every, made.spans, made.text) if any(found) else []
        return made

    # Words

    def __len__(self) -> int:
        return len(self.spans)

    def __iter__(self) -> Iterator[Word]:
        return (Word(self, index) for index in range(len(self.spans)))

    @property
    def words(self) -> list[Word]:
        """All words, those of multiword tokens one by one."""
        return list(self)

    @property
    def sentence_spans(self) -> list[Span]:
        """The start and the end of each sentence in the text.

        Examples
        --------
        >>> Document.from_spans("Hush! Cats.", [[(0, 4), (4, 5)], [(6, 11)]]).sentence_spans
        [(0, 5), (6, 11)]
        """
        found, done = [], 0
        for sentence in self.sentences:
            after = done + len(sentence)
            found.append((self.spans[done][0], self.spans[after - 1][1]))
            done = after
        return found

    @property
    def noun_chunks(self) -> list[Phrase]:
        """Nouns and pronouns, each with the words before it that belong to it.

        Determiners, adjectives, numbers, possessors and parts of names belong to it; prepositions,
        conjuncts and clauses do not. Needs tags and trees of Universal Dependencies.

        Examples
        --------
        >>> from treaty.text import Token
        >>> cats = [Token("Old", upos="ADJ"), Token("cats", upos="NOUN"), Token("nap", upos="VERB")]
        >>> tree = Sentence(cats).with_tree([2, 3, 0], ["amod", "nsubj", "root"])
        >>> [chunk.text for chunk in Document.from_sentences([tree]).noun_chunks]
        ['Old cats']
        """
        found, done = [], -1
        for sentence in self.sentences:
            for first, last, root in noun_chunks(sentence):
                words = (Word(self, done + id_) for id_ in range(first, last + 1))
                found.append(Phrase(Word(self, done + root), tuple(words)))
            done += len(sentence)
        return found

    # Formats

    def to_dict(self) -> dict[str, Any]:
        """Return all that the document holds, for JSON; `from_dict` restores it without loss.

        Examples
        --------
        >>> Document.from_spans("Hush", [[(0, 4)]]).to_dict()
        {'text': 'Hush', 'sentences': [{'text': 'Hush', 'start': 0, 'end': 4,
         'comments': ['# text = Hush'],
         'tokens': [{'id': 1, 'form': 'Hush', 'start': 0, 'end': 4, 'misc': 'SpaceAfter=No'}]}]}
        """
        return record_of(self)

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Document:
        """Restore a document from `to_dict`, or from a line of ``treaty parse --format json``.

        Raises
        ------
        InputError
            When it is not the dictionary of a document.

        Examples
        --------
        >>> hush = Document.from_spans("Hush", [[(0, 4)]])
        >>> Document.from_dict(hush.to_dict()) == hush
        True
        """
        return document_of(record, cls)

    def to_json(self) -> str:
        """Return `to_dict` as JSON, in one line.

        Examples
        --------
        >>> Document("", []).to_json()
        '{"text": "", "sentences": []}'
        """
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Document:
        """Restore a document from `to_json`; see `from_dict`.

        Examples
        --------
        >>> Document.from_json('{"text": "", "sentences": []}')
        Document(text='', sentences=[], entities=[], certificates=[])
        """
        return document_of(parsed(text), cls)

    def to_conllu(self, *, confidences: bool = True) -> str:
        r"""Write the sentences in CoNLL-U, with certificates in comments and entities in MISC.

        Parameters
        ----------
        confidences
            Whether to write the confidences that are known (in MISC).

        Examples
        --------
        >>> Document("Hush", [Sentence.from_words(["Hush"])]).to_conllu()
        '1\tHush\t_\t_\t_\t_\t_\t_\t_\t_\n\n'
        """
        sentences = self.sentences
        if self.certificates:
            sentences = list(map(_with_certificate, sentences, self.certificates))
        if self.entities:
            every = zip(sentences, self.entities_of_sentences(), strict=True)
            sentences = [marked(sentence, own, confidences) for sentence, own in every]
        if not confidences:
            sentences = [without_confidences(sentence) for sentence in sentences]
        if self.name is not None and sentences:
            sentences = [_named(sentences[0], self.name), *sentences[1:]]
        return "".join(sentence.to_conllu() for sentence in sentences)

    def entities_of_sentences(self) -> list[list[Entity]]:
        """Return the entities of each sentence; `first` and `last` are indexes of its words.

        Examples
        --------
        >>> hush = Document.from_spans("Hush!", [[(0, 4), (4, 5)]])
        >>> hush.entities_of_sentences()
        [[]]
        """
        own: list[list[Entity]] = [[] for _ in self.sentences]
        for entity in self.entities:
            (sentence, id_), (_, last) = self.places[entity.first], self.places[entity.last]
            own[sentence].append(replace(entity, first=id_ - 1, last=last - 1))
        return own

    def to_spacy(self, vocab: Vocab | None = None) -> Doc:
        """Convert to a document of spaCy with the same text; needs ``treaty[spacy]``.

        Words are tokens; those of a multiword token that do not spell it out become one token.
        White space other than a single space becomes tokens, as spaCy does it. Roots have the
        label ``ROOT``.

        Parameters
        ----------
        vocab
            That of a pipeline of spaCy, ``nlp.vocab``; by default one without a language.
        """
        from treaty.parse.documents._spacy import spacy_document

        return spacy_document(self, vocab)

    def _repr_html_(self) -> str:
        """Draw the trees, for notebooks."""
        from treaty.show import document_html

        return document_html(self, most=MOST_DRAWN)


def _named(sentence: Sentence, name: str) -> Sentence:
    """Write the name of a document into the comments of its first sentence."""
    if sentence.comment("newdoc id") == name:
        return sentence
    comments = [line for line in sentence.comments if _key(line) not in ("newdoc", "newdoc id")]
    return replace(sentence, comments=[f"# newdoc id = {' '.join(name.split())}", *comments])


def certified(parse: Parse) -> Sentence:
    """Write the certificate of a tree into the comments of its sentence.

    Examples
    --------
    >>> from treaty.parse import Parse
    >>> from treaty.solve import Status
    >>> hush = Sentence.from_words(["Hush"]).with_tree([0])
    >>> certified(Parse(hush, Certificate(Status.FRACTIONAL, 1.5, 1.75, 60))).comments
    ['# status = FRACTIONAL', '# gap = 0.25']
    """
    return _with_certificate(parse.sentence, parse.certificate)


def _with_certificate(sentence: Sentence, certificate: Certificate) -> Sentence:
    kept = [line for line in sentence.written_comments if _key(line) not in CERTIFICATE]
    gap = round(certificate.gap, 6)
    worth = [f"# status = {certificate.status}", f"# gap = {gap:g}"]
    return Sentence(sentence.tokens, [*kept, *worth], sentence.other_lines)


def _key(comment: str) -> str:
    return comment[1:].partition("=")[0].strip()


def _spans(text: str, sentences: Iterable[Sentence]) -> Iterator[Span]:
    """Find the words of sentences in a text."""
    at = 0
    for number, sentence in enumerate(sentences, 1):
        if not sentence.tokens:
            raise UsageError(f"sentence {number} has no words; leave it out")
        several = {word.first: word for word in sentence.multiword_tokens}
        id_ = 1
        for form, misc in sentence.surface():
            raw = raw_form(form, misc)
            while not text.startswith(raw, at) and text[at : at + 1].isspace():
                at += 1
            if not text.startswith(raw, at):
                found = shortened(text[at : at + len(raw) + 10])
                raise UsageError(
                    f"{form!r} of sentence {number} is not at character {at} of the text, which "
                    f"has {found} there"
                )
            last = several[id_].last if id_ in several else id_
            yield from _parts(at, raw, [token.form for token in sentence.tokens[id_ - 1 : last]])
            at, id_ = at + len(raw), last + 1
    if text[at:].strip():
        raise UsageError(f"{shortened(text[at:].strip())} at character {at} is in no sentence")


def _parts(start: int, raw: str, words: Sequence[str]) -> Iterator[Span]:
    """Split a token into its words if they spell it out; else all have its whole span."""
    if "".join(words) != raw:
        yield from [(start, start + len(raw))] * len(words)
        return
    for word in words:
        yield start, start + len(word)
        start += len(word)
