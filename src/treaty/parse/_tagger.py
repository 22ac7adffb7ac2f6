"""The tagger: coarse tags, fine tags and morphological features, one column at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, Self

from treaty.errors import UsageError, check_threads
from treaty.learn import Calibration, Model, ModelFile, Sample, Texts
from treaty.parse._clusters import LEXICON_PREFIX, PREFIX, VECTOR_PREFIX, Clusters
from treaty.parse._column_tagger import (
    BITS,
    TAG_COLUMNS,
    ColumnTagger,
    column_scores,
    completed,
    tagged,
)
from treaty.parse._confidences import TAG_EVIDENCE, tag_evidence, with_confidences, written
from treaty.parse._continuing import check_same, origin_of
from treaty.parse._lemmatizer import Lemmatizer, has_lemmas
from treaty.parse._samples import treebank
from treaty.parse._tokenizer import Tokenizer
from treaty.progress import OnProgress
from treaty.text import Sentence, read_conllu
from treaty.text._sentence import given_sentences

__all__ = ["Tagger"]

SHARED = (PREFIX, VECTOR_PREFIX, LEXICON_PREFIX)
BATCH = 1024
"""Number of sentences passed to the native tagger at a time."""
EPOCHS, MORE_EPOCHS = 30, 5
"""Of a new tagger, and of one that goes on from another."""


class Tagger(Model):
    """A second-order (trigram) tagger for one or more columns, one after the other.

    Made by `Tagger.train` or `Tagger.load`.

    Attributes
    ----------
    taggers
        One for each column, in the order in which they are filled.
    info
        Metadata: language, data, license, training settings, scores.
    tokenizer
        The tokenizer for raw text, if any; it is stored in the same model file.
    lemmatizer
        The lemmatizer, if any, stored there, too; then `predict` finds lemmas as well.
    calibration
        How probabilities become confidences; see `treaty.parse.calibrate`.
    """

    task = "tagger"
    also_reads = ("pipeline",)

    def __init__(
        self,
        taggers: Sequence[ColumnTagger],
        info: Mapping[str, Any] | None = None,
        tokenizer: Tokenizer | None = None,
        lemmatizer: Lemmatizer | None = None,
    ) -> None:
        self.taggers, self.info = list(taggers), dict(info or {})
        self.tokenizer, self.lemmatizer = tokenizer, lemmatizer
        self.calibration = Calibration.none(TAG_EVIDENCE)

    @property
    def clusters(self) -> Clusters | None:
        """The word clusters, if any."""
        return next((t.clusters for t in self.taggers if t.clusters is not None), None)

    @property
    def vector_clusters(self) -> Clusters | None:
        """A second set of clusters, made from word vectors, if any."""
        found = (t.vector_clusters for t in self.taggers)
        return next((clusters for clusters in found if clusters is not None), None)

    @property
    def lexicon(self) -> Clusters | None:
        """The lexicon, if any."""
        return next((t.lexicon for t in self.taggers if t.lexicon is not None), None)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it fills."""
        return tuple(tagger.column for tagger in self.taggers)

    @classmethod
    def train(
        cls,
        examples: Iterable[Sentence],
        dev: Iterable[Sentence] = (),
        *,
        from_model: Tagger | None = None,
        columns: Sequence[str] | None = None,
        clusters: Clusters | None = None,
        vector_clusters: Clusters | None = None,
        lexicon: Clusters | None = None,
        epochs: int | None = None,
        seed: int = 1,
        seeds: int = 1,
        bits: int | None = None,
        batch: int = 1,
        threads: int = 1,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        progress: OnProgress | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> Self:
        """Train a tagger on sentences that have the columns filled.

        Parameters
        ----------
        examples, dev
            Tagged sentences; scores on `dev` are reported after every epoch, but nothing is tuned
            on them. Sentences that lack a column (it is empty for all words) are left out of its
            training, so treebanks that differ in what they annotate can be mixed.
        from_model
            A tagger to go on from, with its columns, features and clusters. Tags and words of
            `examples` that it does not know are added.
        columns
            One or more of ``"upos"``, ``"xpos"`` and ``"feats"``; a later column uses the earlier
            ones as features. By default ``"upos"``.
        clusters
            Word clusters for features; stored in the model.
        vector_clusters
            A second set of clusters from another source, such as word vectors.
        lexicon
            What a dictionary says of each word, as a path of one bit for each property, such as
            "plural of a noun" or "past of a verb" (see ``research/training/make_lexicon.py``).
        epochs, seed
            Number of passes over the sentences (30, or 5 with `from_model`), and the seed of their
            order.
        seeds
            Number of trainings, with this seed and those that follow, whose weights are averaged:
            slower to train, as fast to use, slightly more accurate.
        bits
            Base-2 logarithm of the size of each weight table.
        batch, threads
            Number of sentences tagged with the same weights before an update, and of threads. The
            result depends on `batch`, not on `threads`.
        checkpoint, resume
            A path whose files ``.upos`` and so on hold the state after each epoch, and whether to
            continue from there, to the same bytes as an uninterrupted run.
        progress
            Called with `treaty.Progress` events; the stages are the columns.
        info
            Stored in the model file: language, data, license.

        Examples
        --------
        >>> sentence = Sentence.from_words(["Cats", "sleep"])
        >>> sentence.tokens[0].upos, sentence.tokens[1].upos = "NOUN", "VERB"
        >>> tagger = Tagger.train([sentence] * 4, epochs=2, bits=10)
        >>> (tagged,) = tagger.predict([Sentence.from_words(["Cats", "sleep"])])
        >>> [token.upos for token in tagged]
        ['NOUN', 'VERB']
        """
        from treaty.parse._tagger_training import train_columns

        base = None if from_model is None else from_model.taggers
        if from_model is not None:
            check_same(
                ("columns", columns and tuple(columns), from_model.columns),
                ("clusters", clusters, from_model.clusters),
                ("vector_clusters", vector_clusters, from_model.vector_clusters),
                ("bits", bits, from_model.taggers[0].bits),
            )
            columns, bits = from_model.columns, from_model.taggers[0].bits
            clusters, vector_clusters = from_model.clusters, from_model.vector_clusters
        usual = EPOCHS if base is None else MORE_EPOCHS
        settings = {"epochs": usual if epochs is None else epochs, "seed": seed, "batch": batch}
        trained, scores, sentences = train_columns(
            examples,
            ("upos",) if columns is None else columns,
            list(dev),
            clusters=clusters,
            vector_clusters=vector_clusters,
            lexicon=lexicon,
            bits=BITS if bits is None else bits,
            seeds=seeds,
            threads=threads,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
            base=base,
            **settings,
        )
        settings |= {"sentences": sentences} | ({"seeds": seeds} if seeds > 1 else {})
        about = {**(info or {}), "training": settings, **({"scores": scores} if scores else {})}
        made = cls(trained, about)
        if from_model is not None:
            made.info["from"] = origin_of(from_model)
            made.calibration = from_model.calibration
            made.tokenizer, made.lemmatizer = from_model.tokenizer, from_model.lemmatizer
        return made

    def predict(
        self,
        inputs: Iterable[Sentence | Sequence[str]],
        *,
        confidences: bool = False,
        threads: int = 1,
    ) -> Iterator[Sentence]:
        """Tag sentences as they arrive.

        Parameters
        ----------
        inputs
            The sentences, or lists of words; they are not changed.
        confidences
            Whether to write the probability that the tag of the first column is right into MISC
            (``TagConfidence``).
        threads
            Number of threads; the tags do not depend on it.

        Yields
        ------
        Sentence
            A copy of each sentence, with the columns filled; and the lemmas, if there is a
            lemmatizer.
        """
        check_threads(threads)
        rest = given_sentences(inputs)
        while batch := list(islice(rest, BATCH)):
            found = tagged(self.taggers, batch, threads)
            if confidences:
                found = self._with_confidences(batch, found, threads)
            if self.lemmatizer is None:
                yield from found
            else:
                yield from self.lemmatizer.predict(found, threads=threads)

    def predict_among(
        self,
        sentence: Sentence,
        tags: Mapping[int, str] | None = None,
        without: Mapping[int, Iterable[str]] | None = None,
    ) -> Sentence:
        """Tag a sentence some of whose tags, of the first column, are known.

        Parameters
        ----------
        sentence
            The sentence; it is not changed.
        tags, without
            By the numbers of words, from 1: the tag that a word has, or tags that it does not have.

        Returns
        -------
        Sentence
            A copy with the best tags that obey; the other columns, and lemmas, follow from them.

        Raises
        ------
        UsageError
            For a tag or a word that does not exist.

        Examples
        --------
        >>> tagger = Tagger.load("english")
        >>> words = Sentence.from_words(["They", "can", "fish"])
        >>> [token.upos for token in tagger.predict_among(words, {2: "VERB"})]
        ['PRON', 'VERB', 'NOUN']
        """
        first, known = self.taggers[0], dict(tags or {})
        allowed = {word: {tag} for word, tag in known.items()}
        for word, others in (without or {}).items():
            allowed[word] = allowed.get(word, set(first.tags)) - set(others)
        for word, some in allowed.items():
            if not 1 <= word <= len(sentence):
                raise UsageError(f"there is no word {word}: the sentence has {len(sentence)} words")
            if not some or not some <= set(first.tags):
                raise UsageError(
                    f"no tag is left for word {word}: expected one of {', '.join(first.tags)}"
                )
        chosen = first.choose_among(sentence, {word - 1: some for word, some in allowed.items()})
        tokens = [token.copy() for token in sentence.tokens]
        for token, tag in zip(tokens, chosen, strict=True):
            setattr(token, first.column, tag)
        copy = Sentence(tokens, list(sentence.comments), list(sentence.other_lines))
        (found,) = tagged(self.taggers[1:], [copy], 1)
        if self.lemmatizer is not None:
            (found,) = self.lemmatizer.predict([found])
        return found

    def _with_confidences(
        self, bare: list[Sentence], found: list[Sentence], threads: int
    ) -> list[Sentence]:
        _, probability = self.taggers[0].choose_with_probabilities(bare, threads)
        sure = iter(written(self.calibration(tag_evidence(probability))))
        return [with_confidences(s, Tag=list(islice(sure, len(s)))) for s in found]

    def complete(self, sentences: Iterable[Sentence], *, threads: int = 1) -> list[Sentence]:
        """Fill the columns that some sentences lack, and keep those that they have."""
        return completed(self.taggers, list(sentences), threads)

    def evaluate(self, gold: Iterable[Sentence], *, threads: int = 1) -> dict[str, float]:
        """Tag gold sentences again and return the accuracy of each column."""
        sentences = list(gold)
        lemmas = ("lemma",) if self.lemmatizer is not None and has_lemmas(sentences) else ()
        found = self.predict(sentences, threads=threads)
        return column_scores(sentences, found, (*self.columns, *lemmas))

    # Files

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file, including tokenizer and lemmatizer."""
        header: dict[str, Any] = {"columns": list(self.columns), "info": self.info}
        if self.calibration != Calibration.none(TAG_EVIDENCE):
            header["calibration"] = {"tag": self.calibration.to_list()}
        file = ModelFile(self.task, header, {})
        for column in self.taggers:
            file = file.with_part(column.column, column.to_file())
        clusters: dict[str, Any] = {}
        for prefix, some in zip(
            SHARED, (self.clusters, self.vector_clusters, self.lexicon), strict=True
        ):
            clusters |= {} if some is None else some.tensors(prefix)
        for part in (self.tokenizer, self.lemmatizer):
            if part is not None:
                file = file.with_part(part.task, part.to_file())
        return ModelFile(self.task, file.header, {**file.tensors, **clusters})

    @classmethod
    def from_file(cls, file: ModelFile, clusters: Clusters | None = None) -> Self:
        """Make a tagger from its own file or that of a pipeline, and validate it.

        A pipeline passes the `clusters` that its parts share, so they are read only once.
        """
        whole = file
        if whole.task != cls.task:
            if cls.task not in whole.header:
                raise whole.fault("the model has no tagger")
            file = whole.part(cls.task, shared=SHARED)
        info, columns = file.info(), file.strings("columns", Texts(1, len(TAG_COLUMNS)))
        every = {
            "clusters": Clusters.of_model(file, PREFIX) if clusters is None else clusters,
            "vector_clusters": Clusters.of_model(file, VECTOR_PREFIX),
            "lexicon": Clusters.of_model(file, LEXICON_PREFIX),
        }
        taggers: list[ColumnTagger] = []
        for column in columns:
            before = [tagger.column for tagger in taggers]
            taggers.append(ColumnTagger.from_file(file.part(column), before, **every))
        if not taggers or columns != [tagger.column for tagger in taggers]:
            raise file.fault("the columns do not match the taggers")
        has_tokenizer = Tokenizer.task in whole.header
        tokenizer = Tokenizer.from_file(whole.part(Tokenizer.task)) if has_tokenizer else None
        has_lemmatizer = Lemmatizer.task in whole.header
        lemmatizer = Lemmatizer.from_file(whole) if has_lemmatizer else None
        made = cls(taggers, info, tokenizer, lemmatizer)
        made.calibration = Calibration.from_file(file, "tag", TAG_EVIDENCE)
        return made

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Sentence]:
        """Read a treebank in CoNLL-U."""
        return read_conllu(origin)

    @classmethod
    def sample(cls) -> Sample:
        """Return small data for tests."""
        inputs = [Sentence.from_words(words) for words in (["The", "dog", "sings", "."], ["Hush"])]
        return Sample(treebank(), inputs, {"epochs": 2, "bits": 10, "columns": ("upos", "xpos")})
