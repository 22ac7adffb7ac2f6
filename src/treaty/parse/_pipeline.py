"""From text to trees: tokenizer, tagger, lemmatizer and parser in one model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal

from treaty.corpus import Document, Sentence, read_conllu
from treaty.errors import UsageError
from treaty.learn import Model, ModelFile, Sample
from treaty.parse._clusters import PREFIX, VECTOR_PREFIX, Clusters
from treaty.parse._column_tagger import column_scores
from treaty.parse._lemmatizer import Lemmatizer, has_lemmas
from treaty.parse._parser import Parse, Parser, tree_scores
from treaty.parse._samples import treebank
from treaty.parse._tagger import Tagger
from treaty.parse._tokenizer import Tokenizer

__all__ = ["Pipeline", "certified"]

Tags = Literal["keep", "predict"]
BATCH = 512
"""Number of sentences in memory at a time."""
CERTIFICATE = ("status", "gap")
SHARED = (PREFIX, VECTOR_PREFIX)
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

    Examples
    --------
    >>> from treaty.corpus import Sentence
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
        own, others = self.parser.clusters, self.tagger.clusters if self.tagger else None
        if own is not None and others is not None and own.paths != others.paths:
            raise UsageError(
                "tagger and parser have different clusters; train both with the same clusters"
            )
        file = ModelFile(self.task, {"info": self.info}, {})
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
        return cls(parser, tagger, tokenizer, file.info(), lemmatizer)

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

    # Parsing

    def __call__(self, text: str, **options: Any) -> Document:
        """Parse a text; see `predict` for the options.

        Returns
        -------
        Document
            The sentences with tags, lemmas and trees, and the certificate of each tree in the
            comments ``# status = …`` and ``# gap = …``.
        """
        return Document(text, [certified(parse) for parse in self.parse_text(text, **options)])

    def parse_text(self, text: str | Iterable[str], **options: Any) -> Iterator[Parse]:
        """Parse raw text, sentence by sentence.

        Parameters
        ----------
        text
            A text, or its pieces as they arrive (see `treaty.corpus.read_paragraphs`); each piece
            must end at the end of a sentence.
        **options
            As in `predict`; tags are always predicted. A sentence of more than ``longest`` words
            is cut into several, with comments ``# part = 1 of 3`` and so on.
        """
        if self.tokenizer is None:
            raise UsageError(
                "this model has no tokenizer; give tokenized sentences, or train a model on a "
                "treebank that records white space (SpaceAfter=No)"
            )
        pieces = [text] if isinstance(text, str) else text
        own = {name: options[name] for name in ("longest", "threads") if name in options}
        split = self.tokenizer.sentences
        sentences = (sentence for piece in pieces for sentence in split(piece, **own))
        return self.predict(sentences, **{**options, "tags": "predict"})

    def predict(
        self,
        inputs: Iterable[Sentence],
        *,
        tags: Tags = "keep",
        threads: int = 1,
        **options: Any,
    ) -> Iterator[Parse]:
        """Parse sentences as they arrive, with bounded memory.

        The new tree replaces any existing one. Enhanced dependencies (DEPS and empty nodes), which
        would contradict it, are removed.

        Parameters
        ----------
        inputs
            Tokenized sentences, tagged or not.
        tags
            ``"keep"``: a sentence that has tags (UPOS or XPOS) keeps them, others are tagged; the
            same for lemmas. ``"predict"``: all are tagged again, and get new lemmas.
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
        found: Iterable[Sentence] = (_without_enhanced_graph(sentence) for sentence in inputs)
        for part, columns in ((self.tagger, ("upos", "xpos")), (self.lemmatizer, ("lemma",))):
            if part is not None:
                bare = partial(_has_none, columns if tags == "keep" else ())
                found = _filled(found, bare, partial(part.predict, threads=threads))
        return self.parser.predict(found, threads=threads, **options)

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


def _filled(
    sentences: Iterable[Sentence],
    bare: Callable[[Sentence], bool],
    fill: Callable[[list[Sentence]], Iterator[Sentence]],
) -> Iterator[Sentence]:
    """Fill columns of those sentences that are bare."""
    rest = iter(sentences)
    while batch := list(islice(rest, BATCH)):
        wanting = [bare(sentence) for sentence in batch]
        filled = fill([s for s, wants in zip(batch, wanting, strict=True) if wants])
        for sentence, wants in zip(batch, wanting, strict=True):
            yield next(filled) if wants else sentence


def certified(parse: Parse) -> Sentence:
    """Write the certificate of a tree into the comments of its sentence.

    Examples
    --------
    >>> from treaty.solve import Certificate, Status
    >>> hush = Sentence.from_words(["Hush"]).with_tree([0])
    >>> certified(Parse(hush, Certificate(Status.FRACTIONAL, 1.5, 1.75, 60))).comments
    ['# status = FRACTIONAL', '# gap = 0.25']
    """
    sentence = parse.sentence
    kept = [line for line in sentence.comments if _key(line) not in CERTIFICATE]
    gap = round(parse.gap, 6)
    worth = [f"# status = {parse.status}", f"# gap = {gap:g}"]
    return Sentence(sentence.tokens, [*kept, *worth], sentence.other_lines)


def _key(comment: str) -> str:
    return comment[1:].partition("=")[0].strip()


def _has_none(columns: Sequence[str], sentence: Sentence) -> bool:
    return all(getattr(token, column) == "_" for token in sentence.tokens for column in columns)


def _without_enhanced_graph(sentence: Sentence) -> Sentence:
    lines = [(place, line) for place, line in sentence.other_lines if _is_multiword(line)]
    if len(lines) == len(sentence.other_lines) and all(t.deps == "_" for t in sentence.tokens):
        return sentence
    tokens = [replace(token, deps="_") for token in sentence.tokens]
    return Sentence(tokens, sentence.comments, lines)


def _is_multiword(line: str) -> bool:
    return "-" in line.partition("\t")[0]
