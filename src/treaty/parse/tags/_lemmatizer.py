"""The lemmatizer: a dictionary of words, and a classifier over edit scripts for the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty._native.features import Sequences
from treaty.errors import TreatyError, UsageError, check_threads
from treaty.features import TemplateSet, attribute, compile_templates
from treaty.learn import Int, Model, ModelFile, ModelScores, Sample, TrainOptions, pack_weights
from treaty.parse._samples import treebank
from treaty.parse._template_sets import template_sets
from treaty.parse.tags._column_tagger import column_scores
from treaty.parse.tags._edit_scripts import script_of
from treaty.parse.tags._lemma_dictionary import Candidates, LemmaDictionary, Word
from treaty.parse.tags._lemma_templates import COLUMNS, FAMILY, LEMMA
from treaty.progress import OnProgress
from treaty.text import Sentence, Token, read_conllu
from treaty.text._sentence import given_sentences

if TYPE_CHECKING:
    from treaty.parse.tags._lemma_structure import LemmaStructure

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
AnyLemmatizer = TypeVar("AnyLemmatizer", bound="Lemmatizer")

AGGRESSIVENESS, DROPOUT = 0.1, 0.3
"""Tuned on English EWT dev."""


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
        self._cached: dict[Word, Candidates] = {}

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
        usual = EPOCHS if from_model is None else MORE_EPOCHS
        options = TrainOptions(
            epochs=usual if epochs is None else epochs,
            seed=seed,
            threads=threads,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
        )
        settings = {"epochs": options.epochs, "seed": seed, "batch": batch}
        lemmatizer, scores, sentences = train_lemmatizer(
            cls, examples, list(dev), bits=bits, batch=batch, options=options, base=from_model
        )
        settings["sentences"] = sentences
        lemmatizer.info = {
            **(info or {}),
            "training": settings,
            **({"scores": scores} if scores else {}),
        }
        return lemmatizer

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
                yield sentence.with_tokens(tokens)

    def choose(self, sentences: Sequence[Sentence], threads: int = 1) -> list[str]:
        """Find the lemmas of all words, as one list."""
        lemmas: list[str] = []
        unsure: list[tuple[int, Item]] = []
        for sentence in sentences:
            for place, token in enumerate(sentence.tokens):
                candidates = self._find(word_of(token))
                if len(candidates.scripts) > 1:
                    unsure.append((len(lemmas), Item.of(sentence.tokens, place, candidates)))
                lemmas.append(candidates.lemmas[0] if candidates.lemmas else token.form or "_")
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
        for (form, upos, xpos, feats), candidates, *near in items:
            columns = form, form.lower(), upos, xpos, feats, *near, candidates.bases
            sequences.add([[column] for column in columns])
            numbers.append(classes.setdefault(candidates.scripts, len(classes)))
        scripts = np.array([script for scripts in classes for script in scripts], np.int32)
        begin = np.cumsum([0, *map(len, classes)]).astype(np.int32)
        choices = native.TagChoices(sequences, np.array(numbers, np.int32), scripts, begin)
        return sequences, choices

    def _find(self, word: Word) -> Candidates:
        candidates = self._cached.get(word)
        if candidates is None:
            if len(self._cached) > MOST_KEPT:
                self._cached.clear()
            candidates = self._cached[word] = self.dictionary.find(word)
        return candidates

    def evaluate(self, gold: Iterable[Sentence], *, threads: int = 1) -> dict[str, float]:
        """Find the lemmas of gold sentences again and return the share that is right.

        Tags are those of the gold sentences.
        """
        sentences = list(gold)
        if not has_lemmas(sentences):
            raise UsageError("the gold data have no lemmas to compare with")
        return column_scores(sentences, self.predict(sentences, threads=threads), ["lemma"])

    # The contract

    def structures(self) -> dict[str, LemmaStructure]:
        """Return the structure: an edit script for each word that has several."""
        from treaty.parse.tags._lemma_structure import LemmaStructure

        return {"lemmas": LemmaStructure(self)}

    def scored(self, structure: str) -> ModelScores:
        """Return the scorer and its weights."""
        return self.structures()[structure].model_scores()

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
            lemmatizer = cls(dictionary, file.info(), templates=templates, bits=bits)
        except TreatyError as error:
            raise file.fault(error.message) from error
        lemmatizer.model.weights.freeze(*codes)
        return lemmatizer

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


def train_lemmatizer(
    kind: type[AnyLemmatizer],
    sentences: Iterable[Sentence],
    dev: Sequence[Sentence],
    *,
    batch: int,
    bits: int,
    options: TrainOptions,
    base: Lemmatizer | None = None,
) -> tuple[AnyLemmatizer, dict[str, float], int]:
    """Train a lemmatizer; see `Lemmatizer.train` for the parameters.

    Returns
    -------
    Lemmatizer, dict, int
        The lemmatizer, its scores on `dev`, and the number of training sentences.
    """
    examples = [s for s in sentences if len(s)]
    if not examples:
        raise UsageError("there are no sentences to train on")
    threads = options.threads
    lemmas: dict[Word, Counter[str]] = defaultdict(Counter)
    for sentence in examples:
        for token in sentence.tokens:
            if token.form and token.lemma not in ("", "_"):
                lemmas[word_of(token)][token.lemma] += 1
    if not lemmas:
        raise UsageError("the training data have no lemmas: choose a treebank that has them")
    dictionary_of_data = LemmaDictionary.of(lemmas)
    if base is None:
        lemmatizer = kind(dictionary_of_data, bits=bits)
    else:
        dictionary = base.dictionary.extended(dictionary_of_data)
        lemmatizer = kind(dictionary, templates=base.templates, bits=base.bits)
        lemmatizer.model.weights.values[:] = base.model.weights.values
    items, gold = learned_from(lemmatizer.dictionary, examples)
    sequences, choices = lemmatizer.hashed(items)

    def step(ids: npt.NDArray[np.int32]) -> None:
        native.train_tagger(
            lemmatizer.model, sequences, choices, gold, ids, AGGRESSIVENESS, DROPOUT, batch, threads
        )

    options.fit_weights(
        lemmatizer.model.weights,
        step,
        len(items),
        kind.task,
        evaluate=(lambda: lemmatizer.evaluate(dev, threads=threads)) if dev else None,
        made_from={
            "bits": lemmatizer.bits,
            "batch": batch,
            "templates": lemmatizer.templates,
            "data": examples,
            **({} if base is None else {"from": base.model.weights.values}),
        },
    )
    return lemmatizer, lemmatizer.evaluate(dev, threads=threads) if dev else {}, len(examples)


def learned_from(
    dictionary: LemmaDictionary, sentences: Sequence[Sentence]
) -> tuple[list[Item], npt.NDArray[np.int32]]:
    """List what the classifier learns from, and the right script of each.

    Every word with its tags counts once, as if it were not in the dictionary; words for which the
    dictionary has several scripts count each time.
    """
    numbers = {script: number for number, script in enumerate(dictionary.scripts)}
    number_of = cache(lambda form, lemma: numbers[script_of(form, lemma)])
    find = cache(dictionary.find)
    items: list[Item] = []
    gold: list[int] = []
    seen: set[Word] = set()
    for sentence in sentences:
        for place, token in enumerate(sentence.tokens):
            if not token.form or token.lemma in ("", "_"):
                continue
            word, right = word_of(token), number_of(token.form, token.lemma)
            known = find(word)
            if right not in known.scripts:
                continue
            alternatives = [known]
            if word not in seen:
                seen.add(word)
                alternatives.append(_with(dictionary.like(word), right, token.lemma))
            for candidates in alternatives:
                if len(candidates.scripts) > 1:
                    items.append(Item.of(sentence.tokens, place, candidates))
                    gold.append(right)
    return items, np.array(gold, np.int32)


def _with(candidates: Candidates, script: int, lemma: str) -> Candidates:
    if script in candidates.scripts:
        return candidates
    lemmas, scripts, bases = candidates
    return Candidates((*lemmas, lemma), (*scripts, script), bases)
