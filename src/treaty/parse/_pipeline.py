"""From text to trees: tokenizer, tagger, lemmatizer and parser in one model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal

from treaty import languages
from treaty.errors import UsageError, check_text
from treaty.learn import Calibration, Model, ModelFile, Sample
from treaty.parse._clusters import LEXICON_PREFIX, PREFIX, VECTOR_PREFIX, Clusters
from treaty.parse._empty_columns import BATCH, filled, has_none, without_enhanced_graph
from treaty.parse._language import LanguageCheck, Vocabulary, vocabulary_of
from treaty.parse._samples import treebank
from treaty.parse.documents._document import Document
from treaty.parse.documents._document_entities import EntityFinder, EntityModel, placed
from treaty.parse.tags._column_tagger import column_scores
from treaty.parse.tags._lemmatizer import Lemmatizer, has_lemmas
from treaty.parse.tags._tag_choice import EVIDENCE, best_readings
from treaty.parse.tags._tagger import Tagger
from treaty.parse.tokens._tokenizer import Tokenizer
from treaty.parse.tokens._turns import parsed_apart
from treaty.parse.trees._parser import Parse, Parser, tree_scores
from treaty.text import Sentence, read_conllu
from treaty.text._sentence import given_sentences
from treaty.text.layout import LineMeaning

__all__ = ["Pipeline"]

Tags = Literal["keep", "predict"]
Entities = bool | str | EntityModel
Splitter = Callable[[str], list[Sentence]]
TOKENIZER_OPTIONS = ("longest", "threads")
"""Options of parsing that the tokenizer takes, too."""
SHARED = (PREFIX, VECTOR_PREFIX, LEXICON_PREFIX)
"""Name prefix of the tensors of clusters, which parser and tagger share."""


class Pipeline(Model):
    """All models needed to parse the text of a language.

    Made by `Pipeline.train` or `Pipeline.load`.

    Attributes
    ----------
    parser, tagger, tokenizer, lemmatizer
        Its parts. Without a tagger it requires tagged sentences, without a tokenizer tokens;
        without a lemmatizer there are no lemmas.
    info
        Metadata: language, data, license, training settings, scores.
    tag_choice
        How the parser helps to choose the tags of unsure words in short sentences (see
        `treaty.parse.calibrate`); None if it does not.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> cats = Sentence.from_words(["Cats", "sleep"]).with_tree([2, 0], ["nsubj", "root"])
    >>> parser = Parser.train([cats] * 3, order="first", epochs=1, parser_bits=10)
    >>> (parse,) = Pipeline(parser).predict([Sentence.from_words(["Cats", "sleep"])])
    >>> parse.sentence.heads, parse.status
    ([2, 0], <Status.OPTIMAL: 'OPTIMAL'>)
    """

    task = "pipeline"
    shipped = "english"
    also_reads = (Parser.task,)

    def __init__(
        self,
        parser: Parser,
        tagger: Tagger | None = None,
        tokenizer: Tokenizer | None = None,
        info: Mapping[str, Any] | None = None,
        lemmatizer: Lemmatizer | None = None,
    ) -> None:
        self.parser, self.tagger, self.tokenizer = parser, tagger, tokenizer
        self.lemmatizer, self.info = lemmatizer, dict(info or {})
        if language := str(self.info.get("language") or ""):
            parser.language = languages.get(language)
        if tokenizer is not None and language:
            tokenizer.pipeline_language = language
        self.tag_choice: Calibration | None = None
        self._finder = EntityFinder()
        self._is_warned = False

    # Training and files

    @classmethod
    def train(
        cls, examples: Iterable[Sentence], dev: Iterable[Sentence] = (), **options: Any
    ) -> Pipeline:
        """Train all parts on a treebank; see `train_pipeline` for the options."""
        from treaty.parse._pipeline_training import train_pipeline

        return train_pipeline(examples, dev, **options)

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file: tensors have the name of the part as prefix."""
        clusters, others = self.parser.clusters, self.tagger.clusters if self.tagger else None
        if clusters is not None and others is not None and clusters.paths != others.paths:
            raise UsageError(
                "tagger and parser have different clusters; train both with the same clusters"
            )
        header: dict[str, Any] = {"info": self.info}
        if self.tag_choice is not None:
            header["calibration"] = {"tag choice": self.tag_choice.to_list()}
        file = ModelFile(self.task, header, {})
        for part in (self.parser, self.tagger, self.tokenizer, self.lemmatizer):
            if part is not None:
                file = file.with_part(part.task, part.to_file(), SHARED)
        return file

    @classmethod
    def from_file(cls, file: ModelFile) -> Pipeline:
        """Make a pipeline from the file of a pipeline or a parser, and validate it."""
        if file.task == Parser.task:
            return cls(Parser.from_file(file))
        clusters = Clusters.of_model(file)
        parser = Parser.from_file(file.part(Parser.task, shared=SHARED), clusters)
        tagger = tokenizer = lemmatizer = None
        if Tagger.task in file.header:
            tagger = Tagger.from_file(file.part(Tagger.task, shared=SHARED), clusters)
        if Tokenizer.task in file.header:
            tokenizer = Tokenizer.from_file(file.part(Tokenizer.task))
        if Lemmatizer.task in file.header:
            lemmatizer = Lemmatizer.from_file(file)
        pipeline = cls(parser, tagger, tokenizer, file.info(), lemmatizer)
        if "calibration" in file.header:
            pipeline.tag_choice = Calibration.from_file(file, "tag choice", EVIDENCE)
        return pipeline

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Sentence]:
        """Read a treebank in CoNLL-U."""
        return read_conllu(origin)

    @classmethod
    def sample(cls) -> Sample:
        """Return small data for tests."""
        inputs = [Sentence.from_words(words) for words in (["The", "dog", "sings", "."], ["Hush"])]
        small = {"epochs": 2, "bits": 10}
        parts = ("tagger_options", "tokenizer_options", "lemmatizer_options")
        options = {**Parser.sample().options, **dict.fromkeys(parts, small)}
        return Sample(treebank(), inputs, options)

    @cached_property
    def vocabulary(self) -> Vocabulary | None:
        """Vocabulary of the tagger, to notice texts in other languages; None if it is too small."""
        return vocabulary_of(self.tagger, self.info.get("language"))

    # Parsing

    def __call__(
        self,
        text: str,
        *,
        entities: Entities = False,
        name: str | None = None,
        **options: Any,
    ) -> Document:
        """Parse a text; see `parse_text` and `predict` for the other options.

        Parameters
        ----------
        text
            The text.
        entities
            Whether to find the named entities, too: True for the model of the package, which is for
            English; or another model for entities, its name, or its file.
        name
            The name of the document, such as that of its file.
        **options
            As in `parse_text`, such as ``confidences=True``.

        Returns
        -------
        Document
            The sentences with tags, lemmas and trees, and the certificate of each tree.

        Warns
        -----
        LanguageWarning
            Once, when a text does not look like the language of the model.
        """
        document = _document(check_text(text), self.parse_text(text, **options))
        document.name = name
        self._look_at(document)
        return self._with_entities(document, entities, options)

    def _look_at(self, document: Document) -> None:
        """Warn of another language, once."""
        if self._is_warned:
            return
        check = LanguageCheck(self.vocabulary)
        check.see(document.sentences)
        check.judge()
        self._is_warned = bool(check.message)
        check.warn(stacklevel=4)

    def _with_entities(
        self, document: Document, entities: Entities, options: Mapping[str, Any]
    ) -> Document:
        if entities is not False:
            threads = options.get("threads", 1)
            sentences, entities_of, certificates = self._finder.find(
                entities, document.sentences, threads
            )
            document.entities = placed(entities_of, sentences, document.spans, document.text)
            document.sentences, document.entity_certificates = sentences, certificates
        return document

    def pipe(
        self,
        texts: Iterable[str],
        *,
        lines: LineMeaning | None = None,
        entities: Entities = False,
        threads: int = 1,
        **options: Any,
    ) -> Iterator[Document]:
        """Parse many texts as they arrive, with bounded memory.

        This is faster than a call for each text, and threads help with short texts, too.

        Parameters
        ----------
        texts
            The texts, such as a column of a table. They are read up to 512 texts or sentences ahead
            of the results.
        lines
            How lines are meant, as in `Tokenizer.split`.
        entities
            As in a call: whether to find named entities, and by what model.
        threads
            Number of threads; the results do not depend on it.
        **options
            As in `predict`.

        Yields
        ------
        Document
            A document for each text, in their order.

        Raises
        ------
        UsageError
            When one of them is not a string, with its number.
        """
        if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
            raise UsageError(
                f"pipe takes several texts, such as a list of strings, not "
                f"{type(texts).__name__}; for one text, call the model itself"
            )
        chosen = {**options, "threads": threads, "tags": "predict"}
        documents = self._pipe(enumerate(texts), self._splitter(lines, chosen), chosen)
        return self._finished(documents, entities, chosen)

    def _finished(
        self, documents: Iterator[Document], entities: Entities, chosen: Mapping[str, Any]
    ) -> Iterator[Document]:
        for document in documents:
            self._look_at(document)
            yield self._with_entities(document, entities, chosen)

    def _pipe(
        self, texts: Iterator[tuple[int, str]], split: Splitter, options: Mapping[str, Any]
    ) -> Iterator[Document]:
        while batch := _batch(texts, split):
            parses = self.predict((s for _, sentences in batch for s in sentences), **options)
            for text, sentences in batch:
                yield _document(text, islice(parses, len(sentences)))

    def _splitter(self, lines: LineMeaning | None, options: Mapping[str, Any]) -> Splitter:
        if self.tokenizer is None:
            raise UsageError(
                "this model has no tokenizer; give tokenized sentences, or train a model on a "
                "treebank that records white space (SpaceAfter=No)"
            )
        chosen = {name: options[name] for name in TOKENIZER_OPTIONS if name in options}
        return partial(self.tokenizer.sentences, lines=lines, **chosen)

    def parse_text(
        self, text: str | Iterable[str], *, lines: LineMeaning | None = None, **options: Any
    ) -> Iterator[Parse]:
        """Parse raw text, sentence by sentence.

        Parameters
        ----------
        text
            A text, or its pieces as they arrive (see `treaty.text.read_paragraphs`); each piece
            must end at the end of a sentence.
        lines
            How lines are meant, as in `Tokenizer.split`.
        **options
            As in `predict`; tags are always predicted. A sentence of more than ``longest`` words
            is cut into several, with comments ``# part = 1 of 3`` and so on.
        """
        one = isinstance(text, str | bytes) or not isinstance(text, Iterable)
        pieces = [check_text(text)] if one else text
        split = self._splitter(lines, options)
        sentences = (sentence for piece in pieces for sentence in split(piece))
        return self.predict(sentences, **{**options, "tags": "predict"})

    def predict(
        self,
        inputs: Iterable[Sentence | Sequence[str]],
        *,
        tags: Tags = "keep",
        confidences: bool = False,
        threads: int = 1,
        **options: Any,
    ) -> Iterator[Parse]:
        """Parse sentences as they arrive, with bounded memory.

        The new tree replaces any existing one. Enhanced dependencies (DEPS and empty nodes), which
        would contradict it, are removed.

        Parameters
        ----------
        inputs
            Sentences, tagged or not, or lists of words; for text see `parse_text`.
        tags
            ``"keep"``: a sentence that has tags (UPOS or XPOS) keeps them, others are tagged; the
            same for lemmas. ``"predict"``: all are tagged again, and get new lemmas.
        confidences
            Whether to write into MISC how probable it is that predicted tags, heads, and heads with
            labels are right (``TagConfidence``, ``ArcConfidence``, ``LabelConfidence``).
        threads
            Number of threads; the results do not depend on it.
        **options
            ``order``, ``projective``, ``single_root``, ``constraints`` and ``longest`` as in
            `Parser.predict`.

        Yields
        ------
        Parse
            The sentence with heads and labels, and the certificate.
        """
        if tags not in ("keep", "predict"):
            raise UsageError(f"tags must be 'keep' or 'predict', not {tags!r}")
        if tags == "predict" and self.tagger is None:
            raise UsageError("this model has no tagger; give tagged sentences, and use tags='keep'")
        inputs = given_sentences(inputs)
        chosen = {**options, "tags": tags, "confidences": confidences, "threads": threads}
        if self.tagger is None or options.get("constraints"):
            return self._predict(inputs, **chosen)
        bare = partial(has_none, ("upos", "xpos") if tags == "keep" else ())
        return parsed_apart(inputs, bare, self.parser.labels, partial(self._predict, **chosen))

    def _predict(
        self,
        inputs: Iterable[Sentence],
        tags: Tags,
        confidences: bool,
        threads: int,
        **options: Any,
    ) -> Iterator[Parse]:
        """Parse sentences as they are."""
        sentences: Iterable[Sentence] = (without_enhanced_graph(sentence) for sentence in inputs)
        if self.tagger is not None:
            bare = partial(has_none, ("upos", "xpos") if tags == "keep" else ())
            fill = partial(self._tagged, self.tagger, confidences, threads, options)
            sentences = filled(sentences, bare, fill)
        if self.lemmatizer is not None:
            bare = partial(has_none, ("lemma",) if tags == "keep" else ())
            sentences = filled(sentences, bare, partial(self.lemmatizer.predict, threads=threads))
        return self.parser.predict(sentences, threads=threads, confidences=confidences, **options)

    def _tagged(
        self,
        tagger: Tagger,
        confidences: bool,
        threads: int,
        options: Mapping[str, Any],
        sentences: list[Sentence],
    ) -> Iterator[Sentence]:
        """Tag sentences; where the tagger is unsure, by what the parser makes of them."""
        tagged = list(tagger.predict(sentences, threads=threads, confidences=confidences))
        if self.tag_choice is not None and options.get("order") is None:
            tagged = best_readings(tagger, self.parser, self.tag_choice, tagged, threads)
        return iter(tagged)

    def evaluate(
        self,
        gold: Iterable[Sentence],
        *,
        tags: Tags | None = None,
        threads: int = 1,
        **options: Any,
    ) -> dict[str, float]:
        """Parse gold sentences again and return UAS and LAS over all words, and accuracy of lemmas.

        Parameters
        ----------
        gold
            Sentences with trees.
        tags, threads, **options
            As in `predict`; by default tags are predicted if there is a tagger.
        """
        sentences = list(gold)
        chosen: Tags = tags or ("keep" if self.tagger is None else "predict")
        parses = list(self.predict(sentences, tags=chosen, threads=threads, **options))
        scores = tree_scores(sentences, parses)
        if chosen == "predict" and self.lemmatizer is not None and has_lemmas(sentences):
            scores |= column_scores(sentences, (p.sentence for p in parses), ["lemma"])
        return scores


def _batch(texts: Iterator[tuple[int, str]], split: Splitter) -> list[tuple[str, list[Sentence]]]:
    """Split as many texts as are parsed together."""
    batch, size = [], 0
    for number, text in texts:
        sentences = split(check_text(text, f"text {number}"))
        batch.append((text, sentences))
        size += max(1, len(sentences))
        if size >= BATCH:
            break
    return batch


def _document(text: str, parses: Iterable[Parse]) -> Document:
    every = list(parses)
    sentences, certificates = [p.sentence for p in every], [p.certificate for p in every]
    return Document(text, sentences, certificates=certificates)
