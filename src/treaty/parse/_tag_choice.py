"""Tags that the parser helps to choose: unsure words of short sentences are read both ways.

In *The bank raised rates.* or *Storm hits coast* a tagger has little to go by, and one wrong tag
costs the whole tree. Where it is unsure, the sentence is also parsed with the word's other tag. A
logistic model, fitted on dev data, decides by the odds of the tag and by score and confidence of
the tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty.learn import Calibration, logit
from treaty.parse._column_tagger import tagged
from treaty.parse._confidences import TAG, arc_evidence, written
from treaty.parse._misc import with_misc
from treaty.text import Sentence

if TYPE_CHECKING:
    from treaty.parse._parser import Parser
    from treaty.parse._tagger import Tagger

__all__ = ["EVIDENCE", "Reading", "best_readings", "fit_tag_choice", "readings_of"]

EVIDENCE = 3
LONGEST, FITTED = 12, 20
"""Number of words; in longer sentences the tagger has more context, and trees take longer. For
fitting there are more."""
UNSURE, FITTED_UNSURE = 0.8, 0.9
"""Probability below which a tag is questioned, in use and for fitting."""
MOST = 2
"""Number of words of a sentence whose tags are questioned."""
LEAST_CONFIDENCE = 1e-3
LEAST_JUDGED, MOST_COUNTED = 50, 5
"""For fitting: the least number of readings, and how often one counts at most."""
Doubles = npt.NDArray[np.float64]


class Reading(NamedTuple):
    """A sentence in which the tag of one word is not the most probable one."""

    number: int
    sentence: Sentence
    word: int
    odds: float


def readings_of(
    tagger: Tagger,
    sentences: Sequence[Sentence],
    threads: int = 1,
    *,
    longest: int | None = None,
    unsure: float | None = None,
) -> list[Reading]:
    """Tag short sentences once more, with another tag for each of their unsure words."""
    column, least = tagger.taggers[0], UNSURE if unsure is None else unsure
    most_words = LONGEST if longest is None else longest
    short = [i for i, sentence in enumerate(sentences) if len(sentence) <= most_words]
    _, sure = column.choose_with_probabilities([sentences[i] for i in short], threads)
    places, begin = list[tuple[int, int, float]](), 0
    for i in short:
        own = sure[begin : begin + len(sentences[i])]
        begin += len(own)
        for word in np.argsort(own, kind="stable")[:MOST].tolist():
            if own[word] < least:
                places.append((i, word, float(logit(1.0 - own[word]))))
    copies = [
        replace(sentences[i], tokens=[token.copy() for token in sentences[i].tokens])
        for i, _, _ in places
    ]
    chosen = iter(column.choose_otherwise(copies, [word for _, word, _ in places], threads))
    for copy in copies:
        for token in copy.tokens:
            setattr(token, column.column, next(chosen))
    filled = tagged(tagger.taggers[1:], copies, threads)
    return [Reading(i, s, w, odds) for (i, w, odds), s in zip(places, filled, strict=True)]


def _worth(parser: Parser, sentences: Sequence[Sentence], threads: int) -> Iterator[Doubles]:
    """Parse sentences; return score and confidence of each tree."""
    for batch, found in parser.found(sentences, threads=threads, margins=True):
        sure = np.log(np.maximum(parser.calibration.label(arc_evidence(found)), LEAST_CONFIDENCE))
        begin = 0
        for sentence, objective in zip(batch, found["objective"], strict=True):
            end = begin + len(sentence) + 1
            yield np.array([objective, sure[begin + 1 : end].sum()])
            begin = end


def _evidence(
    parser: Parser, sentences: Sequence[Sentence], readings: Sequence[Reading], threads: int
) -> Doubles:
    """Return the evidence for each reading: what speaks for it, relative to the usual one."""
    numbers = list(dict.fromkeys(reading.number for reading in readings))
    usual = dict(
        zip(numbers, _worth(parser, [sentences[i] for i in numbers], threads), strict=True)
    )
    others = _worth(parser, [reading.sentence for reading in readings], threads)
    rows = [[r.odds, *(other - usual[r.number])] for r, other in zip(readings, others, strict=True)]
    return np.array(rows).reshape(-1, EVIDENCE)


def best_readings(
    tagger: Tagger,
    parser: Parser,
    choice: Calibration,
    sentences: Sequence[Sentence],
    threads: int = 1,
) -> list[Sentence]:
    """Return tagged sentences, with other tags where the parser makes more of them."""
    found, best = list(sentences), dict[int, float]()
    readings = readings_of(tagger, sentences, threads)
    if not readings:
        return found
    for reading, p in zip(
        readings, choice(_evidence(parser, sentences, readings, threads)).tolist(), strict=True
    ):
        if p > max(0.5, best.get(reading.number, 0.0)):
            best[reading.number] = p
            found[reading.number] = _with_tag_confidence(tagger, reading)
    return found


def _with_tag_confidence(tagger: Tagger, reading: Reading) -> Sentence:
    """Write the confidence of the new tag, if that of the old one was written."""
    token = reading.sentence.tokens[reading.word]
    if f"{TAG}=" in token.misc:
        (sure,) = written(tagger.calibration([[reading.odds]]))
        token.misc = with_misc(token.misc, {TAG: sure})
    return reading.sentence


def fit_tag_choice(
    tagger: Tagger, parser: Parser, gold: Sequence[Sentence], threads: int = 1
) -> Calibration | None:
    """Fit the choice on dev data: an alternative is right if its tree has more of the gold one.

    Returns
    -------
    Calibration or None
        None if the data have too few alternatives.
    """
    usual = list(tagger.predict(gold, threads=threads))
    readings = readings_of(tagger, usual, threads, longest=FITTED, unsure=FITTED_UNSURE)
    trees = parser.predict([*usual, *(r.sentence for r in readings)], threads=threads)
    scores = [_agreement(g, next(trees).sentence) for g in gold]
    gains = [_agreement(gold[r.number], next(trees).sentence) - scores[r.number] for r in readings]
    if sum(map(bool, gains)) < LEAST_JUDGED or len({gain > 0 for gain in gains if gain}) < 2:
        return None
    times = np.minimum(np.abs(gains), MOST_COUNTED)
    rows = np.repeat(_evidence(parser, usual, readings, threads), times, axis=0)
    return Calibration.fit(rows, np.repeat(np.array(gains) > 0, times))


def _agreement(gold: Sentence, found: Sentence) -> int:
    pairs = zip(gold.tokens, found.tokens, strict=True)
    return sum((a.head, a.deprel) == (b.head, b.deprel) for a, b in pairs)
