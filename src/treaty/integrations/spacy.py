"""Components of spaCy: ``nlp.add_pipe("treaty_parser")``, ``nlp.add_pipe("treaty_entities")``.

spaCy finds them by entry points, without an import, and ``treaty_tokenizer.v1`` likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from spacy.attrs import DEP, HEAD, LEMMA, MORPH, POS, TAG
from spacy.language import Language
from spacy.pipeline.dep_parser import parser_score
from spacy.pipeline.lemmatizer import lemmatizer_score
from spacy.pipeline.morphologizer import morphologizer_score
from spacy.pipeline.tagger import tagger_score
from spacy.scorer import get_ner_prf
from spacy.tokens import Doc, Span, Token
from spacy.training import Example
from spacy.util import filter_spans, minibatch
from spacy.vocab import Vocab

from treaty.errors import UsageError
from treaty.integrations._models import model_of
from treaty.label import EntityLabeler, EntityRules
from treaty.parse import Document, Parse, Pipeline, Tokenizer, Word
from treaty.parse._spacy import doc_of_tokens, spacy_tokens
from treaty.text import Sentence, sentence_from_spans

__all__ = ["TreatyEntities", "TreatyParser", "TreatyTokenizer"]

COLUMNS = [TAG, POS, MORPH, LEMMA, HEAD, DEP]
Groups = list[list[Token]]
"""The tokens of each sentence, but for white space."""

Doc.set_extension("treaty_certificates", default=None, force=True)
Span.set_extension("confidence", default=None, force=True)
for _name in ("tag_confidence", "arc_confidence", "label_confidence"):
    Token.set_extension(_name, default=None, force=True)


class TreatyParser:
    """Tags, lemmas, features, trees and sentences of a pipeline of Treaty, for the tokens of spaCy.

    Sentences that are set already, such as by spaCy's sentencizer, are kept; otherwise they are
    those of Treaty. ``doc._.treaty_certificates`` has the certificate of each, as a dictionary.

    Parameters
    ----------
    model
        The name or file of a pipeline, or itself.
    order
        As in `treaty.parse.Parser.predict`: ``"first"`` is faster, by default all of the model.
    confidences
        Whether to set ``token._.tag_confidence``, ``arc_confidence`` and ``label_confidence``.
    threads
        Number of threads.

    Examples
    --------
    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> _ = nlp.add_pipe("treaty_parser")
    >>> doc = nlp("Cats sleep. Dogs don't.")
    >>> [(token.text, token.pos_, token.dep_, token.head.text) for token in doc[:3]]
    [('Cats', 'NOUN', 'nsubj', 'sleep'), ('sleep', 'VERB', 'ROOT', 'sleep'),
     ('.', 'PUNCT', 'punct', 'sleep')]
    >>> len(list(doc.sents)), doc._.treaty_certificates[0]["status"]
    (2, 'OPTIMAL')
    """

    def __init__(
        self,
        model: str | Pipeline = "english",
        *,
        order: str | None = None,
        confidences: bool = False,
        threads: int = 1,
    ) -> None:
        self.pipeline = model_of(model, Pipeline)
        options = {"order": order, "confidences": confidences, "threads": threads}
        self.options: dict[str, Any] = options

    def __call__(self, doc: Doc) -> Doc:
        """Set the annotation of a document."""
        return next(self._annotated([doc]))

    def pipe(self, docs: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Set the annotation of documents as they arrive, some at a time."""
        for batch in minibatch(docs, batch_size):
            yield from self._annotated(list(batch))

    def score(self, examples: Iterable[Example], **options: Any) -> dict[str, Any]:
        """Score tags, features, lemmas and trees as spaCy does, for ``nlp.evaluate``."""
        known = list(examples)
        scores: dict[str, Any] = {}
        for score in (tagger_score, morphologizer_score, lemmatizer_score, parser_score):
            scores |= score(known, **options)
        return scores

    def _annotated(self, docs: list[Doc]) -> Iterator[Doc]:
        groups = [_sentences_of(doc, self.pipeline.tokenizer) for doc in docs]
        sentences = [_sentences(doc, own) for doc, own in zip(docs, groups, strict=True)]
        every = (sentence for own in sentences for sentence in own)
        parses = self.pipeline.predict(every, tags="predict", **self.options)
        for doc, own in zip(docs, groups, strict=True):
            yield self._set(doc, own, [next(parses) for _ in own])

    def _set(self, doc: Doc, groups: Groups, parses: list[Parse]) -> Doc:
        made = Document(doc.text, [parse.sentence for parse in parses])
        tokens = [token for own in groups for token in own]
        words = dict(zip((token.i for token in tokens), made, strict=True))
        rows = [(t.text, bool(t.whitespace_), _listed(words.get(t.i))) for t in doc]
        if rows:
            doc.from_array(COLUMNS, doc_of_tokens(rows, doc.vocab).to_array(COLUMNS))
        if self.options["confidences"]:
            for token, word in zip(tokens, made, strict=True):
                token._.tag_confidence = word.tag_confidence
                token._.arc_confidence = word.arc_confidence
                token._.label_confidence = word.label_confidence
        doc._.treaty_certificates = [parse.certificate.to_dict() for parse in parses]
        return doc


class TreatyEntities:
    """Named entities of Treaty in ``doc.ents``.

    Entities that are set already, such as by spaCy's entity ruler, are kept, and win where two
    overlap. ``entity._.confidence`` has the probability of those of Treaty.

    Parameters
    ----------
    model
        The name or file of a model for entities, or itself.
    rules
        The file of entities that are known; see `treaty.label.EntityRules`.
    threshold
        Leave out entities with a lower confidence.
    threads
        Number of threads.

    Examples
    --------
    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> _ = nlp.add_pipe("treaty_entities")
    >>> [(entity.text, entity.label_) for entity in nlp("Ada Lovelace lived in London.").ents]
    [('Ada Lovelace', 'PER'), ('London', 'LOC')]
    """

    def __init__(
        self,
        model: str | EntityLabeler = "entities",
        *,
        rules: str | None = None,
        threshold: float | None = None,
        threads: int = 1,
    ) -> None:
        labeler = model_of(model, EntityLabeler)
        known = EntityRules.read(rules) if rules else None
        self.labeler = labeler.using(known, threshold) if rules or threshold else labeler
        self.threads = threads

    @property
    def labels(self) -> tuple[str, ...]:
        """The types of entities."""
        return tuple(self.labeler.types)

    def __call__(self, doc: Doc) -> Doc:
        """Set the entities of a document."""
        tokenizer = None if doc.has_annotation("SENT_START") else self.labeler.tokenizer
        groups = _sentences_of(doc, tokenizer)
        words = [[token.text for token in own] for own in groups]
        found = []
        labeled = self.labeler.predict(words, document=True, threads=self.threads)
        for own, sentence in zip(groups, labeled, strict=True):
            for entity in sentence.entities:
                span = Span(doc, own[entity.first].i, own[entity.last].i + 1, label=entity.type)
                found.append((span, entity.confidence))
        preset = {token.i for span in doc.ents for token in span}
        new = [pair for pair in found if preset.isdisjoint(range(pair[0].start, pair[0].end))]
        doc.ents = filter_spans([*doc.ents, *(span for span, _ in new)])
        for span, confidence in new:
            span._.confidence = confidence
        return doc

    def pipe(self, docs: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Set the entities of documents as they arrive."""
        return map(self, docs)

    def score(self, examples: Iterable[Example], **options: Any) -> dict[str, Any]:
        """Score entities as spaCy does, for ``nlp.evaluate``."""
        return dict(get_ner_prf(examples, **options))


class TreatyTokenizer:
    """Splits texts as the tokenizer of a pipeline of Treaty does, and sets sentences.

    Parameters
    ----------
    vocab
        That of the pipeline of spaCy.
    model
        The name or file of a pipeline of Treaty, or itself.

    Examples
    --------
    >>> import spacy
    >>> own = {"@tokenizers": "treaty_tokenizer.v1"}
    >>> nlp = spacy.blank("en", config={"nlp": {"tokenizer": own}})
    >>> [token.text for token in nlp("She didn't  go.")]
    ['She', 'did', "n't", ' ', 'go', '.']
    """

    def __init__(self, vocab: Vocab, model: str | Pipeline = "english") -> None:
        pipeline = model_of(model, Pipeline)
        if pipeline.tokenizer is None:
            raise UsageError(f"the model {model!r} has no tokenizer")
        self.vocab, self.tokenizer = vocab, pipeline.tokenizer

    def __call__(self, text: str) -> Doc:
        """Split a text."""
        return doc_of_tokens(list(spacy_tokens(self.tokenizer.document(text))), self.vocab)

    def pipe(self, texts: Iterable[str], batch_size: int = 1000) -> Iterator[Doc]:
        """Split texts as they arrive."""
        return map(self, texts)

    def to_bytes(self, **_: Any) -> bytes:
        """Return nothing: the model is named in the configuration."""
        return b""

    def from_bytes(self, _: bytes, **__: Any) -> TreatyTokenizer:
        """Return itself: the model is named in the configuration."""
        return self

    def to_disk(self, path: Any, **_: Any) -> None:
        """Write nothing: the model is named in the configuration."""

    def from_disk(self, path: Any, **_: Any) -> TreatyTokenizer:
        """Return itself: the model is named in the configuration."""
        return self


def tokenizer_factory(model: str = "english") -> Callable[[Language], TreatyTokenizer]:
    """Make the factory ``treaty_tokenizer.v1`` of spaCy."""
    return lambda nlp: TreatyTokenizer(nlp.vocab, model)


@Language.factory(
    "treaty_parser",
    assigns=["token.tag", "token.pos", "token.morph", "token.lemma", "token.head", "token.dep",
             "doc.sents"],
    default_config={"model": "english", "order": None, "confidences": False, "threads": 1},
    default_score_weights={"tag_acc": 0.2, "pos_acc": 0.2, "dep_uas": 0.3, "dep_las": 0.3},
)  # fmt: skip
def parser_factory(
    nlp: Language, name: str, model: str, order: str | None, confidences: bool, threads: int
) -> TreatyParser:
    """Make the component ``treaty_parser`` of spaCy."""
    return TreatyParser(model, order=order, confidences=confidences, threads=threads)


@Language.factory(
    "treaty_entities",
    assigns=["doc.ents", "token.ent_iob", "token.ent_type"],
    default_config={"model": "entities", "rules": None, "threshold": None, "threads": 1},
    default_score_weights={"ents_f": 1.0},
)
def entities_factory(
    nlp: Language,
    name: str,
    model: str,
    rules: str | None,
    threshold: float | None,
    threads: int,
) -> TreatyEntities:
    """Make the component ``treaty_entities`` of spaCy."""
    return TreatyEntities(model, rules=rules, threshold=threshold, threads=threads)


def _sentences_of(doc: Doc, tokenizer: Tokenizer | None) -> Groups:
    """Return the tokens of each sentence: those that are set, or those that Treaty finds."""
    tokens = [token for token in doc if not token.text.isspace()]
    if doc.has_annotation("SENT_START") or tokenizer is None:
        starts = {span.start_char for span in doc.sents} if len(doc) else set()
    else:
        starts = {sentence[0][0][0] for sentence in tokenizer.split(doc.text)}
    groups: Groups = []
    rest = sorted(starts, reverse=True)
    for token in tokens:
        is_new = not groups
        while rest and rest[-1] < token.idx + len(token):
            rest.pop()
            is_new = True
        if is_new:
            groups.append([])
        groups[-1].append(token)
    return groups


def _sentences(doc: Doc, groups: Groups) -> list[Sentence]:
    spans = [[(token.idx, token.idx + len(token)) for token in own] for own in groups]
    return [sentence_from_spans(doc.text, own) for own in spans]


def _listed(word: Word | None) -> list[Word]:
    return [] if word is None else [word]
