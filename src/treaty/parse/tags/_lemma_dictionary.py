"""The edit scripts a word may have: those it was seen with, or else those of words like it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treaty.learn import ModelFile
from treaty.parse.tags._edit_scripts import SAME, Script, apply_script, read_script, script_of
from treaty.parse.tags._tag_dictionary import TagDictionary

__all__ = ["Candidates", "LemmaDictionary", "Word"]

SHARED = 2
"""Minimum number of words that have a script for it to be tried on other words."""
LEAST = 0.03
"""Minimum share of a script among those of a word."""
LONGEST_ENDING, ALIKE, MOST_SCRIPTS = 6, 4, 24
"""Length of the longest endings, how many words must share them, how many scripts they have."""
LEVELS = 2, 3, 4
"""Words are looked up with UPOS; with XPOS, too; and with FEATS, too."""


class Word(NamedTuple):
    """The key of a word in the dictionary."""

    form: str
    upos: str
    xpos: str
    feats: str


class Candidates(NamedTuple):
    """The lemmas a word may have."""

    lemmas: tuple[str, ...]
    scripts: tuple[int, ...]
    bases: str
    """The scripts that make another word of the dictionary, as a feature."""


class LemmaDictionary:
    """The words of a training set with the edit scripts of their lemmas.

    Parameters
    ----------
    scripts
        All edit scripts, those that change nothing first.
    entries
        Sets of scripts: of words with their tags, and of word endings.
    """

    def __init__(self, scripts: list[Script], entries: TagDictionary) -> None:
        self.scripts, self.entries = scripts, entries
        self._lower = {key.partition("\t")[0].lower() for key in entries.words}

    @cached_property
    def _by_form(self) -> Mapping[str, set[int]]:
        """The scripts of a form with any tags: for words without tags, which are rare."""
        scripts: dict[str, set[int]] = defaultdict(set)
        for key, number in self.entries.words.items():
            scripts[key.partition("\t")[0]].update(self.entries.classes[number])
        return scripts

    @classmethod
    def of(cls, lemmas: Mapping[Word, Counter[str]]) -> LemmaDictionary:
        """Collect the dictionary from the lemmas of words, with counts."""
        numbers: dict[Script, int] = {script: number for number, script in enumerate(SAME)}
        seen: dict[tuple[str, ...], Counter[int]] = defaultdict(Counter)
        types: dict[tuple[str, str], set[int]] = defaultdict(set)
        for word, counts in lemmas.items():
            for lemma, count in counts.items():
                script = numbers.setdefault(script_of(word.form, lemma), len(numbers))
                types[word.form.lower(), word.upos].add(script)
                for length in LEVELS:
                    seen[word[:length]][script] += count
        classes: dict[tuple[int, ...], int] = {tuple(range(len(SAME))): 0}
        words: dict[str, int] = {}
        for key in sorted(seen):
            scripts = _frequent(seen[key])
            # Finer tags are stored only where they tell more than the coarser ones.
            if len(key) == LEVELS[0] or scripts != _frequent(seen[key[:-1]]):
                words["\t".join(key)] = classes.setdefault(scripts, len(classes))
        suffixes = _by_suffix(types, classes)
        return cls(list(numbers), TagDictionary(list(classes), words, suffixes))

    def extended(self, other: LemmaDictionary) -> LemmaDictionary:
        """Add the words and scripts of another dictionary; the numbers of scripts stay the same."""
        numbers = {script: number for number, script in enumerate(self.scripts)}
        places = [numbers.setdefault(script, len(numbers)) for script in other.scripts]
        classes = {scripts: number for number, scripts in enumerate(self.entries.classes)}
        merged = []
        for entries, added in (
            (self.entries.words, other.entries.words),
            (self.entries.suffixes, other.entries.suffixes),
        ):
            merged_entries = dict(entries)
            for key, number in added.items():
                scripts = {places[script] for script in other.entries.classes[number]}
                if key in entries:
                    scripts.update(self.entries.classes[entries[key]])
                merged_entries[key] = classes.setdefault(tuple(sorted(scripts)), len(classes))
            merged.append(merged_entries)
        return LemmaDictionary(list(numbers), TagDictionary(list(classes), merged[0], merged[1]))

    def find(self, word: Word) -> Candidates:
        """Return the lemmas of a word as it was seen, in this case or another, or of words like it.

        A word without tags has the lemmas of its form with any tags.
        """
        for form in dict.fromkeys((word.form, word.form.lower(), word.form.capitalize())):
            scripts = self._seen(word._replace(form=form))
            if scripts:
                return self._candidates(form, scripts)
        return self.like(word)

    def like(self, word: Word) -> Candidates:
        """Return the lemmas that a word would have if it were like others with its ending."""
        scripts = set(range(len(SAME)))
        for ending in _endings(word.form.lower(), word.upos):
            if (number := self.entries.suffixes.get(ending)) is not None:
                scripts.update(self.entries.classes[number])
        return self._candidates(word.form, scripts)

    def _seen(self, word: Word) -> Iterable[int]:
        for length in reversed(LEVELS):
            number = self.entries.words.get("\t".join(word[:length]))
            if number is not None:
                return self.entries.classes[number]
        return self._by_form.get(word.form, ()) if word.upos == "_" else ()

    def _candidates(self, form: str, scripts: Iterable[int]) -> Candidates:
        lemmas = {n: apply_script(self.scripts[n], form) for n in sorted(scripts)}
        fitting = {n: lemma for n, lemma in lemmas.items() if lemma is not None}
        lower = form.lower()
        bases = [n for n, lemma in fitting.items() if lemma != lower and lemma in self._lower]
        return Candidates(tuple(fitting.values()), tuple(fitting), " ".join(map(str, bases)))

    # Files

    def tensors(self) -> dict[str, npt.NDArray[np.generic]]:
        """Store the dictionary as tensors of a model file."""
        return self.entries.tensors("")

    @classmethod
    def read(cls, file: ModelFile) -> LemmaDictionary:
        """Read a dictionary from a model file."""
        scripts = [read_script(value, file) for value in file.value("scripts", list)]
        if tuple(scripts[: len(SAME)]) != SAME:
            raise file.fault("scripts: the first must change nothing")
        return cls(scripts, TagDictionary.read(file, "", len(scripts)))


def _endings(lower: str, upos: str) -> list[str]:
    """List the endings of a word, with its tag, the longest first."""
    longest = min(LONGEST_ENDING, len(lower))
    return [f"{upos}\t{lower[-length:]}" for length in range(longest, 0, -1)]


def _by_suffix(
    types: Mapping[tuple[str, str], Iterable[int]], classes: dict[tuple[int, ...], int]
) -> dict[str, int]:
    """Find word endings that enough words share, and the most frequent scripts of those words."""
    words_with = Counter(script for scripts in types.values() for script in scripts)
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    sharing: Counter[str] = Counter()
    for (lower, upos), scripts in types.items():
        common = [script for script in scripts if words_with[script] >= SHARED]
        for ending in _endings(lower, upos):
            counts[ending].update(common)
            sharing[ending] += 1
    classes_of = {}
    for ending in sorted(counts):
        best = sorted(script for script, _ in counts[ending].most_common(MOST_SCRIPTS))
        if best and sharing[ending] >= ALIKE:
            classes_of[ending] = classes.setdefault(tuple(best), len(classes))
    return classes_of


def _frequent(scripts: Counter[int]) -> tuple[int, ...]:
    """Return the scripts of a word, without what is likely to be an error."""
    least = LEAST * scripts.total()
    return tuple(sorted(script for script, count in scripts.items() if count >= least))
