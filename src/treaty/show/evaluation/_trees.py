"""Files of trees and tags, scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from treaty._streams import name_of
from treaty.errors import InputError, UsageError
from treaty.text import KnownFile, Sentence, read_conllu, recognize

if TYPE_CHECKING:
    from treaty.show import Scores

__all__ = ["TreeChoices", "score_trees"]


class TreeChoices(NamedTuple):
    """What counts in trees, and which tables are made."""

    punctuation: bool
    subtypes: bool
    by: tuple[str, ...]
    train: str | None
    aligned: bool
    undirected: bool

    @property
    def given(self) -> list[str]:
        """The options that were given."""
        flags = {
            "--no-punctuation": not self.punctuation,
            "--no-subtypes": not self.subtypes,
            "--by": self.by,
            "--train": self.train,
            "--aligned": self.aligned,
            "--undirected": self.undirected,
        }
        return [flag for flag, value in flags.items() if value]


def score_trees(
    gold: KnownFile,
    systems: Sequence[KnownFile],
    choices: TreeChoices,
    *,
    as_json: bool,
    tell: Callable[[str], object],
) -> str:
    """Score the trees and tags of a system, and of one to compare with, as text or JSON."""
    from treaty.show import scores_json, scores_text

    own, *others = systems
    if choices.aligned and (others or choices.train or choices.by or choices.undirected):
        raise UsageError("--aligned goes with none of --against, --train, --by and --undirected")
    right, found = _read(gold), _read(own)
    if choices.aligned:
        scores = _align(right, found, choices.subtypes)
    else:
        known = None if choices.train is None else _read(recognize(choices.train))
        other = _read(others[0]) if others else None
        scores = _score(right, found, other, known, choices)
        if scores.trees is None:
            tell("the system has no heads: only tags are scored")
    return scores_json(scores) if as_json else scores_text(scores, choices.by)


def _read(file: KnownFile) -> list[Sentence]:
    is_x = file.format.name == "conllx"
    sentences = list(read_conllu(file.origin, format="conllx" if is_x else "conllu"))
    if not sentences:
        raise InputError("there are no sentences", path=name_of(file.origin))
    return sentences


def _align(gold: list[Sentence], system: list[Sentence], subtypes: bool) -> Scores:
    from treaty.metrics import aligned_scores
    from treaty.show import Scores

    return Scores(aligned=aligned_scores(gold, system, subtypes=subtypes))


def _score(
    gold: list[Sentence],
    system: list[Sentence],
    other: list[Sentence] | None,
    train: list[Sentence] | None,
    choices: TreeChoices,
) -> Scores:
    from treaty.metrics import attachment_scores, dependency_accuracy, tagging_scores
    from treaty.show import Scores

    known = None if train is None else {form for sentence in train for form in sentence.words}
    scores = Scores(tags=tagging_scores(gold, system, known=known))
    if choices.undirected:
        scores = replace(scores, dependencies=dependency_accuracy(gold, system))
    if other is None and not any(head >= 0 for sentence in system for head in sentence.heads):
        return scores
    options = {"punctuation": choices.punctuation, "subtypes": choices.subtypes}
    scores = replace(scores, trees=attachment_scores(gold, system, **options))
    if other is None:
        return scores
    try:
        return replace(scores, against=attachment_scores(gold, other, **options))
    except InputError as error:
        raise InputError(f"--against: {error.message}") from error
