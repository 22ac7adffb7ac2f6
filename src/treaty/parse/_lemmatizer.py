"""The lemmatizer: a dictionary of words, and a classifier over edit scripts for the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

import numpy as np

from treaty._native import parse as native
from treaty._native.features import Sequences
from treaty.errors import TreatyError, UsageError, check_threads
from treaty.features import TemplateSet, attribute, compile_templates
from treaty.learn import Int, Model, ModelFile, Sample, pack_weights
from treaty.parse._column_tagger import column_scores
from treaty.parse._lemma_dictionary import Candidates, LemmaDictionary, Word
from treaty.parse._lemma_templates import COLUMNS, FAMILY, LEMMA
from treaty.parse._samples import treebank
from treaty.parse._template_sets import template_sets
from treaty.progress import OnProgress
from treaty.text import Sentence, Token, read_conllu
from treaty.text._sentence import given_sentences

__all__ = ["Item", "Lemmatizer", "has_lemmas", "word_of"]

BATCH = 1024
"""Number of sentences at a time."""
BITS, MOST_BITS = 18, 26
EPOCHS, MORE_EPOCHS = 15, 5
MOST_KEPT = 2**15
"""Number of words whose candidates are kept in memory."""
NEAR = 4
"""Number of words in which the next one that is no adverb is looked for."""
NOWHERE = "<none>"
"""The neighbor of a word at the end of a sentence."""


class Item(NamedTuple):
    """A word in its sentence, with the lemmas it may have."""

    word: Word
    candidates: Candidates
    first: str
    before: str
    after: str
    next: str

    @classmethod
    def of(cls, tokens: Sequence[Token], place: int, candidates: Candidates) -> Item:
        """Look at a word and its neighbors."""
        before = tokens[place - 1].form.lower() if place else NOWHERE
        following = tokens[place + 1 : place + 1 + NEAR]
        after = following[0].form.lower() if following else NOWHERE
        tag = next((_fine_tag(token) for token in following if not _is_adverb(token)), NOWHERE)
        return cls(word_of(tokens[place]), candidates, str(place == 0), before, after, tag)


class Lemmatizer(Model):
    """A lemmatizer: words and tags to lemmas.

    Words of the training data have the lemmas seen there with the same tags. A linear classifier
    chooses between several, and finds the lemmas of other words: it chooses an edit script (take
    ``-ies`` away, put ``-y`` in, make it lower case) among those of words with the same ending.

    Made by `Lemmatizer.train` or `Lemmatizer.load`.

    Attributes
    ----------
    dictionary
        The words of the training data, and the edit scripts.
    info
        Metadata: language, data, license, training settings, scores.
    """

    task = "lemmatizer"
    also_reads = ("pipeline", "tagger")

    def __init__(
        self,
        dictionary: LemmaDictionary,
        info: Mapping[str, Any] | None = None,
        *,
        templates: TemplateSet = LEMMA,
        bits: int = BITS,
    ) -> None:
        self.dictionary, self.info = dictionary, dict(info or {})
        self.templates, self.bits = templates, bits
        names = templates.attributes()
        self._attributes = [attribute(name, COLUMNS) for name in names]
        none = compile_templates(FAMILY, TemplateSet(()), names)
        compiled = compile_templates(FAMILY, templates, names)
        self.model = native.TagModel(compiled, none, none, bits, len(dictionary.scripts))
        self._found: dict[Word, Candidates] = {}

    @classmethod
    def train(
        cls,
        examples: Iterable[Sentence],
        dev: Iterable[Sentence] = (),
        *,
        from_model: Lemmatizer | None = None,
        epochs: int | None = None,
        seed: int = 1,
        bits: int = BITS,
        batch: int = 1,
        threads: int = 1,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        progress: OnProgress | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> Self:
        """Train a lemmatizer on sentences that have lemmas and tags.

        Parameters
        ----------
        examples, dev
            Sentences with lemmas and, if there are any, tags. Words without a lemma (``_``) are
            left out. Scores on `dev` are reported after every epoch, but nothing is tuned on them.
        from_model
            A lemmatizer to go on from; new words and edit scripts are added to its dictionary.
        epochs, seed
            Number of passes over the words (15, or 5 with `from_model`), and the seed of their
            order.
        bits
            Base-2 logarithm of the size of the weight table.
        batch, threads
            Number of words classified with the same weights before an update, and of threads. The
            result depends on `batch`, not on `threads`.
        checkpoint, resume
            A path for the state after each epoch, and whether to continue from there, to the same
            bytes as an uninterrupted run.
        progress
            Called with `treaty.Progress` events.
        info
            Stored in the model file: language, data, license.

        Examples
        --------
        >>> rows = [("dogs", "dog"), ("cats", "cat"), ("birds", "bird"), ("grass", "grass")]
        >>> sentences = [Sentence([Token(*row, upos="NOUN")]) for row in rows]
        >>> lemmatizer = Lemmatizer.train(sentences * 6, epochs=2, bits=10)
        >>> (sentence,) = lemmatizer.predict([Sentence([Token("Girls", upos="NOUN")])])
        >>> sentence.tokens[0].lemma
        'girl'
        """
        from treaty.parse._lemmatizer_training import train_lemmatizer

        usual = EPOCHS if from_model is None else MORE_EPOCHS
        settings = {"epochs": usual if epochs is None else epochs, "seed": seed, "batch": batch}
        made, scores, sentences = train_lemmatizer(
            cls,
            examples,
            list(dev),
            bits=bits,
            threads=threads,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
            base=from_model,
            **settings,
        )
        settings["sentences"] = sentences
        made.info = {**(info or {}), "training": settings, **({"scores": scores} if scores else {})}
        return made

    def predict(self, inputs: Iterable[Sentence], *, threads: int = 1) -> Iterator[Sentence]:
        """Find the lemmas of sentences as they arrive.

        Parameters
        ----------
        inputs
            The sentences, tagged as the training data were; they are not changed.
        threads
            Number of threads; the lemmas do not depend on it.

        Yields
        ------
        Sentence
            A copy of each sentence, with lemmas.
        """
        check_threads(threads)
        rest = given_sentences(inputs)
        while batch := list(islice(rest, BATCH)):
            lemmas = iter(self.choose(batch, threads))
            for sentence in batch:
                tokens = [token.copy() for token in sentence.tokens]
                for token in tokens:
                    token.lemma = next(lemmas)
                yield Sentence(tokens, list(sentence.comments), list(sentence.other_lines))

    def choose(self, sentences: Sequence[Sentence], threads: int = 1) -> list[str]:
        """Find the lemmas of all words, as one list."""
        lemmas: list[str] = []
        unsure: list[tuple[int, Item]] = []
        for sentence in sentences:
            for place, token in enumerate(sentence.tokens):
                found = self._find(word_of(token))
                if len(found.scripts) > 1:
                    unsure.append((len(lemmas), Item.of(sentence.tokens, place, found)))
                lemmas.append(found.lemmas[0] if found.lemmas else token.form or "_")
        sequences, choices = self.hashed([item for _, item in unsure])
        chosen = native.tag(self.model, sequences, choices, threads).tolist()
        for (place, item), script in zip(unsure, chosen, strict=True):
            lemmas[place] = item.candidates.lemmas[item.candidates.scripts.index(script)]
        return lemmas

    def hashed(self, items: Iterable[Item]) -> tuple[Sequences, native.TagChoices]:
        """Hash the attributes of words, each as a sequence of its own, and list their scripts."""
        sequences = Sequences(self._attributes)
        classes: dict[tuple[int, ...], int] = {(0,): 0}
        numbers = []
        for (form, upos, xpos, feats), found, *near in items:
            columns = form, form.lower(), upos, xpos, feats, *near, found.bases
            sequences.add([[column] for column in columns])
            numbers.append(classes.setdefault(found.scripts, len(classes)))
        scripts = np.array([script for scripts in classes for script in scripts], np.int32)
        begin = np.cumsum([0, *map(len, classes)]).astype(np.int32)
        choices = native.TagChoices(sequences, np.array(numbers, np.int32), scripts, begin)
        return sequences, choices

    def _find(self, word: Word) -> Candidates:
        found = self._found.get(word)
        if found is None:
            if len(self._found) > MOST_KEPT:
                self._found.clear()
            found = self._found[word] = self.dictionary.find(word)
        return found

    def evaluate(self, gold: Iterable[Sentence], *, threads: int = 1) -> dict[str, float]:
        """Find the lemmas of gold sentences again and return the share that is right.

        Tags are those of the gold sentences.
        """
        sentences = list(gold)
        if not has_lemmas(sentences):
            raise UsageError("the gold data have no lemmas to compare with")
        return column_scores(sentences, self.predict(sentences, threads=threads), ["lemma"])

    # Files

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file."""
        header = {
            "info": self.info,
            "scripts": self.dictionary.scripts,
            "bits": self.bits,
            "templates": [list(self.templates.templates)],
        }
        weights = pack_weights("weights", self.model.weights.values)
        return ModelFile(self.task, header, {**weights, **self.dictionary.tensors()})

    @classmethod
    def from_file(cls, file: ModelFile) -> Self:
        """Make a lemmatizer from its own file, or from that of a pipeline, and validate it."""
        if file.task != cls.task:
            if cls.task not in file.header:
                raise file.fault("the model has no lemmatizer")
            file = file.part(cls.task)
        bits = file.value("bits", Int(1, MOST_BITS))
        (templates,) = template_sets(file, 1)
        codes, dictionary = file.codes("weights", 2**bits), LemmaDictionary.read(file)
        try:
            made = cls(dictionary, file.info(), templates=templates, bits=bits)
        except TreatyError as error:
            raise file.fault(error.message) from error
        made.model.weights.freeze(*codes)
        return made

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Sentence]:
        """Read a treebank in CoNLL-U."""
        return read_conllu(origin)

    @classmethod
    def sample(cls) -> Sample:
        """Return small data for tests."""
        inputs = [Sentence.from_words(words) for words in (["The", "dogs", "sing", "."], ["Hush"])]
        return Sample(treebank(), inputs, {"epochs": 2, "bits": 10})


def has_lemmas(sentences: Iterable[Sentence]) -> bool:
    """Tell whether any word has a lemma."""
    return any(token.lemma != "_" for sentence in sentences for token in sentence.tokens)


def word_of(token: Token) -> Word:
    """Return what a word is looked up by."""
    return Word(token.form, token.upos, token.xpos, token.feats)


def _is_adverb(token: Token) -> bool:
    """Tell adverbs and *not*: *she'd already sent it* is *had*, *she'd not send it* is *would*."""
    return token.upos == "ADV" or "Polarity=Neg" in token.feats


def _fine_tag(token: Token) -> str:
    return token.xpos if token.xpos != "_" else token.feats
