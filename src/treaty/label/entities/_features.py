"""From messages to factors: local features of words, transitions, and identical phrases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from treaty._native.features import Sequences, template_features, text_hash
from treaty._threads import MANY, check_stopped, checked
from treaty.errors import UsageError
from treaty.features import TemplateSet, attribute, compile_templates
from treaty.label._instances import Instances
from treaty.label._kinds import PatternKind
from treaty.label.entities._evidence import Evidence
from treaty.label.entities._gazetteers import MARKS, Gazetteers
from treaty.label.entities._kinds import FIRST, LAST, NEXT, WORD, same
from treaty.label.entities._phrases import PhrasePair
from treaty.label.entities._templates import FAMILY
from treaty.label.entities._words import COLUMNS, LINK, USER, columns_of, kind_of
from treaty.parse import Clusters, Tagger
from treaty.text import Sentence

__all__ = ["Features", "Local", "clusters_of"]

Ints = npt.NDArray[np.int32]
Hashes = npt.NDArray[np.uint64]
Words = Sequence[str]
Local = tuple[Hashes, npt.NDArray[np.int64]]


class Features:
    """The features of a labeler, and the resources they need.

    Parameters
    ----------
    templates
        Templates of the local features.
    clusters, gazetteers, tagger
        Word clusters, lists of names and tagger; any may be missing. Without clusters those of the
        tagger are used, if it has any; its clusters of word vectors are a second set.
    """

    def __init__(
        self,
        templates: TemplateSet,
        *,
        clusters: Clusters | None = None,
        gazetteers: Gazetteers | None = None,
        tagger: Tagger | None = None,
    ) -> None:
        if not templates.templates:
            raise UsageError("expected at least one template")
        self.templates, self.tagger = templates, tagger
        self.clusters, self.gazetteers = clusters or Clusters({}), gazetteers or Gazetteers()
        self._paths = [_paths_of(some) for some in clusters_of(clusters, tagger)]
        names = templates.attributes()
        self._attributes = [attribute(name, COLUMNS) for name in names]
        self._compiled = compile_templates(FAMILY, templates, names)
        self._list_hashes = np.array(
            [
                [text_hash(f"list {name} {mark} {case}") for case in ("", "upper", "lower")]
                for name in self.gazetteers.names
                for mark in MARKS
            ],
            np.uint64,
        ).reshape(-1, 3)

    def local(self, messages: Sequence[Words]) -> Local:
        """Hash the local features of all words.

        Returns
        -------
        features, begin
            The features of word i of all words are ``features[begin[i]:begin[i + 1]]``.
        """
        sequences = Sequences(self._attributes)
        found = self.gazetteers.found(messages)
        lists = self._lists(messages, *found)
        for words, tags, listed in zip(messages, self._tags(messages), lists, strict=True):
            check_stopped()
            paths = [[path(word) for word in checked(words, MANY)] for path in self._paths]
            sequences.add(columns_of(list(words), paths, tags, listed))
        dense = template_features(sequences, self._compiled).reshape(-1, len(self._compiled))
        word, extra = self._listed(messages, *found)
        count, width = dense.shape
        begin = np.arange(count + 1) * width
        begin[1:] += np.cumsum(np.bincount(word, minlength=count))
        features = np.empty(begin[-1], np.uint64)
        features[begin[:-1, None] + np.arange(width)] = dense
        order = np.argsort(word, kind="stable")
        # The dense features of a word are followed by those of the lists it is in.
        features[(word[order] + 1) * width + np.arange(len(order))] = extra[order]
        return features, begin

    def instances(
        self,
        messages: Sequence[Words],
        groups: Sequence[Sequence[int]],
        kinds: Sequence[PatternKind],
        pairs: Sequence[Sequence[PhrasePair]] | None = None,
        local: Local | None = None,
        evidence: Sequence[Evidence] | None = None,
    ) -> Instances:
        """Make an instance of every group: a chain for each message, and factors between them.

        Parameters
        ----------
        messages
            The words of all messages.
        groups
            The messages of each instance, by number; their words are its vertices, in this order.
        kinds
            The kinds of factors of the model.
        pairs
            The pairs of phrases to tie in each group, if any.
        local
            The result of `local` for the messages, if known.
        evidence
            What rules say about each message, if there are any.
        """
        features, begin = local or self.local(messages)
        first = list(accumulate(map(len, messages), initial=0))
        made = Instances(kinds)
        for number, group in enumerate(groups):
            check_stopped()
            sizes = [len(messages[i]) for i in group]
            made.start(sum(sizes))
            starts = list(accumulate(sizes, initial=0))
            for i, start in zip(group, starts, strict=False):
                self._add_words(made, features, begin, first[i], start, len(messages[i]))
                if evidence is not None and evidence[i].words:
                    words, labels, scores = evidence[i]
                    made.add_evidence(np.array(words) + start, labels, scores)
            _add_ends(made, starts)
            if pairs is not None:
                forms = [word for i in group for word in messages[i]]
                _add_phrases(made, pairs[number], forms)
        return made

    def _add_words(
        self,
        made: Instances,
        features: Hashes,
        begin: npt.NDArray[np.int64],
        first: int,
        start: int,
        size: int,
    ) -> None:
        own = begin[first : first + size + 1]
        vertices = np.arange(start, start + size, dtype=np.int32)[:, None]
        made.add(WORD, vertices, features[own[0] : own[-1]], own - own[0])

    def _tags(self, messages: Sequence[Words]) -> list[list[str]]:
        if self.tagger is None:
            return [["_"] * len(words) for words in messages]
        tagged = self.tagger.predict(Sentence.from_words(list(words)) for words in messages)
        return [[token.upos for token in sentence.tokens] for sentence in tagged]

    def _lists(self, messages: Sequence[Words], words: Ints, marks: Ints) -> Iterator[list[str]]:
        """Name the lists of each word, as one attribute: ``city:B given:S``."""
        names = [f"{name}:{mark}" for name in self.gazetteers.names for mark in MARKS]
        rows = [""] * sum(map(len, messages))
        for word, mark in sorted(zip(words.tolist(), marks.tolist(), strict=True)):
            rows[word] += f"{names[mark]} "
        begin = 0
        for message in messages:
            yield rows[begin : begin + len(message)]
            begin += len(message)

    def _listed(self, messages: Sequence[Words], words: Ints, marks: Ints) -> tuple[Ints, Hashes]:
        """Hash the matches of lists of names: each alone, and with the case of the word."""
        upper = np.array([word[:1].isupper() for message in messages for word in message], bool)
        case = np.where(upper[words], 1, 2)
        hashes = np.stack([self._list_hashes[marks, 0], self._list_hashes[marks, case]], axis=1)
        return np.repeat(words, 2), hashes.ravel()


def clusters_of(own: Clusters | None, tagger: Tagger | None) -> list[Clusters]:
    """List the sets of clusters that features use: one's own or the tagger's, and its second."""
    of_tagger = (None, None) if tagger is None else (tagger.clusters, tagger.vector_clusters)
    return [some or Clusters({}) for some in (own or of_tagger[0], of_tagger[1])]


def _paths_of(clusters: Clusters) -> Callable[[str], str]:
    """Make a function from words to paths; user names share a path, and so do links."""
    links = [path for word, path in clusters.paths.items() if word.startswith(LINK[:-1])]
    of_kind = {"user": clusters.path(USER), "link": max(links, key=links.count, default="")}
    return lambda word: clusters.path(word) or of_kind.get(kind_of(word), "")


_BIAS = np.array([[text_hash("bias")]], np.uint64)


def _add_ends(made: Instances, starts: Sequence[int]) -> None:
    """Add factors between neighbors, and at the ends of messages."""
    ends = [(start, end) for start, end in pairwise(starts) if start < end]
    if not ends:
        return
    first = np.array([[start] for start, _ in ends], np.int32)
    last = np.array([[end - 1] for _, end in ends], np.int32)
    made.add(FIRST, first, np.repeat(_BIAS, len(first), axis=0))
    made.add(LAST, last, np.repeat(_BIAS, len(last), axis=0))
    left = np.concatenate([np.arange(start, end - 1) for start, end in ends])
    pairs = np.stack([left, left + 1], axis=1).astype(np.int32)
    made.add(NEXT, pairs, np.repeat(_BIAS, len(pairs), axis=0))


def _add_phrases(made: Instances, pairs: Sequence[PhrasePair], words: Sequence[str]) -> None:
    by_length: dict[int, list[PhrasePair]] = defaultdict(list)
    for pair in pairs:
        by_length[pair.length].append(pair)
    for length, same_length in by_length.items():
        vertices = np.array([pair.vertices() for pair in same_length], np.int32)
        hashes = np.array([pair.features(words) for pair in same_length], np.uint64)
        made.add(same(length), vertices, hashes)
