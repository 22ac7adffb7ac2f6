"""The dependency parser: from tagged sentences to labeled trees with certificates."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty._native.features import Sequences
from treaty.errors import UsageError, check_threads
from treaty.features import TemplateSet, compile_templates
from treaty.learn import Model, ModelFile, Sample
from treaty.metrics import attachment_scores
from treaty.parse import _templates as families
from treaty.parse._clusters import Clusters, check_clusters
from treaty.parse._confidences import ParserCalibration, with_confidences
from treaty.parse._document_record import sentence_record
from treaty.parse._exclusions import exclusions_of
from treaty.parse._long_sentences import LONGEST, check_longest, joined_tree, parts_of
from treaty.parse._parser_settings import ORDERS, ParserTemplates, Settings
from treaty.parse._samples import treebank
from treaty.parse._words import attribute_names, sequences_of
from treaty.solve import Certificate, Certified, Status
from treaty.text import Sentence, read_conllu
from treaty.text._sentence import given_sentences

if TYPE_CHECKING:
    from treaty.parse._constraints import Constraint
    from treaty.parse._graph import ParseGraph

BATCH = 512
"""Number of sentences passed to the native parser at a time."""
MOST_WORDS = 2**14
"""Number of words at which a batch of long sentences ends."""
STATUSES = tuple(Status)
"""Statuses by their native number."""


@dataclass(frozen=True, slots=True)
class Parse(Certified):
    """A parsed sentence with the certificate of its tree.

    Attributes
    ----------
    sentence
        The sentence with heads and labels.
    certificate
        OPTIMAL if the tree is proved to be the model's best. Iterations are those of AD3; 0 if a
        first-order model was decoded exactly.
    """

    sentence: Sentence
    certificate: Certificate

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence as in `Document.to_dict`, with its certificate, for JSON."""
        return sentence_record(self.sentence, self.certificate)


class Parser(Model):
    """A graph-based dependency parser of first to third order.

    Made by `Parser.train` or `Parser.load`.

    Attributes
    ----------
    settings, templates, labels
        Settings and templates of its training; labels in alphabetical order.
    info
        Metadata: language, data, license, scores.
    clusters
        The word clusters, if its templates use them.
    calibration
        How scores become confidences; see `treaty.parse.calibrate`.
    """

    task = "parser"

    def __init__(
        self,
        settings: Settings,
        templates: ParserTemplates,
        labels: Sequence[str],
        info: Mapping[str, Any],
        clusters: Clusters | None = None,
    ) -> None:
        self.settings, self.templates, self.clusters = settings, templates, clusters
        self.labels, self.info = tuple(labels), dict(info)
        self.calibration = ParserCalibration()
        names = ORDERS[settings.order]
        parser_sets = {name: templates.parser[name] for name in names if name in templates.parser}
        self.attributes = attribute_names(
            [*templates.pruner.values(), *parser_sets.values(), templates.label]
        )
        if "arc" not in templates.pruner or "arc" not in parser_sets:
            raise UsageError("a parser and its pruner require templates for arcs")
        self.sequences([])  # raises UsageError for unknown attributes
        check_clusters(self.attributes, clusters)
        coarse, width = self.attributes.index("upos"), len(self.attributes)

        def scoring(sets: Mapping[str, TemplateSet], bits: int) -> native.ScoringModel:
            compiled = [
                compile_templates(f, sets[f.name], self.attributes) if f.name in sets else None
                for f in families.FAMILIES
            ]
            return native.ScoringModel(compiled, bits, coarse, width)

        self.pruner_model = scoring(templates.pruner, settings.pruner_bits)
        self.parser_model = scoring(parser_sets, settings.parser_bits)
        label_templates = compile_templates(families.LABEL, templates.label, self.attributes)
        self.label_model = native.LabelModel(
            label_templates, settings.label_bits, coarse, width, len(self.labels)
        )

    # Training and files

    @classmethod
    def train(
        cls, examples: Iterable[Sentence], dev: Iterable[Sentence] = (), **options: Any
    ) -> Parser:
        """Train a parser on a treebank; see `train_parser` for the options."""
        from treaty.parse._training import train_parser

        return train_parser(examples, dev, **options)

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file."""
        from treaty.parse._parser_file import file_of_parser

        return file_of_parser(self)

    @classmethod
    def from_file(cls, file: ModelFile, clusters: Clusters | None = None) -> Parser:
        """Make a parser from the contents of a file and validate it.

        A pipeline passes the `clusters` that its parts share, so they are read only once.
        """
        from treaty.parse._parser_file import parser_of_file

        return parser_of_file(file, Clusters.of_model(file) if clusters is None else clusters)

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Sentence]:
        """Read a treebank in CoNLL-U."""
        return read_conllu(origin)

    @classmethod
    def sample(cls) -> Sample:
        """Return small data for tests."""
        bits = {"pruner_bits": 10, "parser_bits": 12, "label_bits": 10}
        return Sample(treebank(), treebank()[:3], {"epochs": 2, **bits})

    # Parsing

    def predict(
        self,
        inputs: Iterable[Sentence],
        *,
        order: str | None = None,
        projective: bool = False,
        single_root: bool | None = None,
        constraints: Sequence[Constraint] = (),
        longest: int = LONGEST,
        confidences: bool = False,
        threads: int = 1,
    ) -> Iterator[Parse]:
        """Parse tagged sentences one at a time, as they arrive.

        Parameters
        ----------
        inputs
            Sentences with the tags the parser was trained on.
        order
            Ignore the families of parts above this order: faster, less accurate. By default none.
        projective
            Whether to find only projective trees; for first-order decoding (see `order`).
        single_root
            Whether exactly one word is attached to the root; by default as in the training data.
        constraints
            Constraints on every tree, such as ``Root(2)``.
        longest
            A sentence of more words is parsed in parts, whose trees are joined: the roots depend
            on that of the first part. Its status is FEASIBLE, and a comment ``# parts = …`` tells
            their number. Without it, time and memory would grow faster than the sentence. Sentences
            with constraints are not cut.
        confidences
            Whether to write into MISC how probable it is that a head (``ArcConfidence``), and that
            head and label (``LabelConfidence``) are right.
        threads
            Number of threads; the trees do not depend on it.

        Yields
        ------
        Parse
            The sentence with heads and labels, and the certificate.
        """
        check_threads(threads)
        check_longest(longest)
        inputs = given_sentences(inputs)
        order = order or self.settings.order
        if projective and order != "first":
            raise UsageError('projective trees require a first-order model; add order="first"')
        if projective and constraints:
            raise UsageError(
                "projective trees cannot be combined with constraints; use only one of the two"
            )
        if confidences and constraints:
            raise UsageError("there are no confidences of trees with constraints; leave out one")
        if constraints:
            for sentence in inputs:
                yield self.graph(
                    sentence, order=order, single_root=single_root, constraints=constraints
                ).solve()
            return
        single = self.settings.single_root if single_root is None else single_root
        waiting = deque[tuple[Sentence, int]]()
        parts = parts_of(inputs, longest, waiting)
        options = self.options(single, projective)
        found = self.found(parts, order, options, threads, margins=confidences)
        parses = (parse for batch, answer in found for parse in self._read(batch, answer))
        for parse in parses:
            sentence, count = waiting.popleft()
            if count > 1:
                every = [(p.sentence, p.certificate) for p in (parse, *islice(parses, count - 1))]
                parse = Parse(*joined_tree(sentence, every, self.labels, single))
            yield parse

    def found(
        self,
        sentences: Iterable[Sentence],
        order: str | None = None,
        options: tuple[native.PrunerOptions, native.DecoderOptions] | None = None,
        threads: int = 1,
        *,
        margins: bool = False,
    ) -> Iterator[tuple[list[Sentence], dict[str, Any]]]:
        """Parse sentences in batches; return the native parser's answers, with margins or not."""
        for batch in _batches(sentences):
            yield (
                batch,
                native.parse(
                    self.sequences(batch),
                    self.pruner_model,
                    self.parser_model,
                    self.families(order or self.settings.order),
                    self.label_model,
                    *(options or self.options(None)),
                    threads,
                    margins,
                ),
            )

    def graph(
        self,
        sentence: Sentence,
        *,
        order: str | None = None,
        single_root: bool | None = None,
        labels: bool = False,
        constraints: Sequence[Constraint] = (),
    ) -> ParseGraph:
        """Return the factor graph of a sentence, to add your own constraints and solve it.

        Parameters
        ----------
        sentence
            A tagged sentence.
        order, single_root, constraints
            As in `predict`.
        labels
            Whether the labels of arcs are variables too, scored in the context of the best tree.
        """
        from treaty.parse._graph import ParseGraph

        return ParseGraph(self, sentence, order, single_root, labels, constraints)

    def evaluate(
        self, gold: Iterable[Sentence], *, threads: int = 1, **options: Any
    ) -> dict[str, float]:
        """Parse gold sentences again and return UAS and LAS; for the options see `predict`."""
        sentences = list(gold)
        parses = self.predict(sentences, threads=threads, **options)
        return tree_scores(sentences, parses)

    def marginals(
        self, sentence: Sentence, *, single_root: bool | None = None
    ) -> npt.NDArray[np.float64]:
        """Return the probability of each arc under the first-order pruner.

        Returns
        -------
        ndarray
            Entry [h, m] for the arc from h to m; 0 is the root, words are numbered from 1.
        """
        single = self.settings.single_root if single_root is None else single_root
        n = len(sentence) + 1
        flat = native.arc_marginals(self.sequences([sentence]), 0, self.pruner_model, single)
        return np.array(flat).reshape(n, n)

    def candidate_heads(self, sentence: Sentence, k: int = 5) -> list[list[tuple[int, float]]]:
        """Return the k most probable heads of every word, with their probabilities."""
        columns = self.marginals(sentence)[:, 1:].T
        best = np.argsort(-columns, axis=1, kind="stable")[:, :k]
        return [
            [(int(h), float(column[h])) for h in heads if column[h] > 0.0]
            for column, heads in zip(columns, best, strict=True)
        ]

    # For the other modules of this package

    def learn_exclusions(self, sentences: Iterable[Sentence]) -> list[tuple[str, str]]:
        """Count again which labels exclude each other among the dependents of a head.

        Training does so; `sentences` are gold trees. Returns the pairs of labels; one of equal
        labels means that a head has at most one such dependent.
        """
        self.label_model.exclusions = first, second = exclusions_of(sentences, self.labels)
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        return [(self.labels[a], self.labels[b]) for a, b in pairs]

    def sequences(self, sentences: Iterable[Sentence]) -> Sequences:
        """Hash the attributes of all words that features use."""
        return sequences_of(sentences, self.attributes, self.clusters)

    def families(self, order: str) -> list[bool]:
        """Return which families of parts a model of this order scores."""
        if order not in ORDERS:
            raise UsageError(f"unknown model order {order!r}; expected one of {', '.join(ORDERS)}")
        trained = ORDERS[self.settings.order]
        if not set(ORDERS[order]) <= set(trained):
            raise UsageError(
                f"this parser has the order {self.settings.order!r}; it cannot parse with {order!r}"
            )
        return [family.name in ORDERS[order] for family in families.FAMILIES]

    def options(
        self, single_root: bool | None, projective: bool = False
    ) -> tuple[native.PrunerOptions, native.DecoderOptions]:
        """Return the options of the native parser."""
        single = self.settings.single_root if single_root is None else single_root
        pruning, decoding = native.PrunerOptions(), native.DecoderOptions()
        pruning.heads, pruning.threshold = self.settings.heads, self.settings.threshold
        pruning.modifiers = self.settings.modifiers
        decoding.iterations = self.settings.iterations
        pruning.single_root = decoding.single_root = single
        pruning.projective = decoding.projective = projective
        return pruning, decoding

    def _read(self, batch: list[Sentence], found: dict[str, Any]) -> Iterator[Parse]:
        heads, numbers = found["head"].tolist(), found["label"].tolist()
        sure = self.calibration(found) if len(found["margin"]) else None
        begin = 0
        for i, sentence in enumerate(batch):
            end = begin + len(sentence) + 1
            labels = [self.labels[number] for number in numbers[begin + 1 : end]]
            certificate = Certificate(
                STATUSES[found["status"][i]],
                float(found["objective"][i]),
                float(found["bound"][i]),
                int(found["iterations"][i]),
            )
            tree = sentence.with_tree(heads[begin + 1 : end], labels)
            if sure is not None:
                arcs, both = (values[begin + 1 : end] for values in sure)
                tree = with_confidences(tree, Arc=arcs, Label=both)
            yield Parse(tree, certificate)
            begin = end


def tree_scores(gold: Iterable[Sentence], parses: Iterable[Parse]) -> dict[str, float]:
    """Return the shares of words with the right head, and with the right head and label."""
    scores = attachment_scores(gold, (parse.sentence for parse in parses))
    return {"UAS": scores.uas, "LAS": scores.las}


def _batches(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Collect sentences, not too many words at a time."""
    batch, words = list[Sentence](), 0
    for sentence in sentences:
        batch.append(sentence)
        words += len(sentence)
        if len(batch) == BATCH or words > MOST_WORDS:
            yield batch
            batch, words = [], 0
    if batch:
        yield batch
