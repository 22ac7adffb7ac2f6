"""The edit scripts a word may have: those it was seen with, or else those of words like it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treaty.learn import ModelFile
from treaty.parse._edit_scripts import SAME, Script, apply_script, read_script, script_of
from treaty.parse._tag_dictionary import LONGEST_SUFFIX, TagDictionary, tags_by_suffix

__all__ = ["Candidates", "LemmaDictionary", "Word"]


SHARED = 5
"""Minimum number of words that have a script for it to be tried on other words."""


LEAST = 0.03
"""Minimum share of a script among those of a word."""
LEVELS = 2, 3, 4
"""Words are looked up with UPOS; with XPOS, too; and with FEATS, too."""


class Word(NamedTuple):
    """What a word is looked up by."""

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
        self._by_form: dict[str, set[int]] = defaultdict(set)
        for key, number in entries.words.items():
            self._by_form[key.partition("\t")[0]].update(entries.classes[number])
        self._lower = {form.lower() for form in self._by_form}

    @classmethod
    def of(cls, lemmas: Mapping[Word, Counter[str]]) -> LemmaDictionary:
        """Collect the dictionary from the lemmas of words, with counts."""
        numbers: dict[Script, int] = {script: number for number, script in enumerate(SAME)}
        seen: dict[tuple[str, ...], Counter[int]] = defaultdict(Counter)
        types: dict[str, Counter[int]] = defaultdict(Counter)
        for word, found in lemmas.items():
            for lemma, count in found.items():
                script = numbers.setdefault(script_of(word.form, lemma), len(numbers))
                types[word.form][script] = 1
                for length in LEVELS:
                    seen[word[:length]][script] += count
        classes: dict[tuple[int, ...], int] = {tuple(range(len(SAME))): 0}
        words: dict[str, int] = {}
        for key in sorted(seen):
            scripts = _frequent(seen[key])
            # Finer tags are stored only where they tell more than the coarser ones.
            if len(key) == LEVELS[0] or scripts != _frequent(seen[key[:-1]]):
                words["\t".join(key)] = classes.setdefault(scripts, len(classes))
        words_with = Counter(script for found in types.values() for script in found)
        common = {script for script, count in words_with.items() if count >= SHARED}
        types = {form: kept for form in types if (kept := _only(types[form], common))}
        suffixes = tags_by_suffix(types, classes)
        return cls(list(numbers), TagDictionary(list(classes), words, suffixes))

    def find(self, word: Word) -> Candidates:
        """Return the lemmas of a word as it was seen, in this case or another, or of words like it.

        A word without tags has the lemmas of its form with any tags.
        """
        for form in dict.fromkeys((word.form, word.form.lower(), word.form.capitalize())):
            found = self._seen(word._replace(form=form))
            if found:
                return self._candidates(form, found)
        return self.like(word.form)

    def like(self, form: str) -> Candidates:
        """Return the lemmas that a word would have if it were like others with its ending."""
        lower = form.lower()
        number = 0
        for length in range(min(LONGEST_SUFFIX, len(lower)), 0, -1):
            if lower[-length:] in self.entries.suffixes:
                number = self.entries.suffixes[lower[-length:]]
                break
        return self._candidates(form, {*range(len(SAME)), *self.entries.classes[number]})

    def _seen(self, word: Word) -> Iterable[int]:
        for length in reversed(LEVELS):
            number = self.entries.words.get("\t".join(word[:length]))
            if number is not None:
                return self.entries.classes[number]
        return self._by_form.get(word.form, ()) if word.upos == "_" else ()

    def _candidates(self, form: str, scripts: Iterable[int]) -> Candidates:
        made = {n: apply_script(self.scripts[n], form) for n in sorted(scripts)}
        fitting = {n: lemma for n, lemma in made.items() if lemma is not None}
        lower = form.lower()
        bases = [n for n, lemma in fitting.items() if lemma != lower and lemma in self._lower]
        return Candidates(tuple(fitting.values()), tuple(fitting), " ".join(map(str, bases)))

    # Files

    def header(self) -> list[Script]:
        """Return what the header of a model file stores."""
        return self.scripts

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


def _only(found: Counter[int], common: Container[int]) -> Counter[int]:
    """Leave out the scripts of misspellings and irregular words."""
    return Counter({script: n for script, n in found.items() if script in common})


def _frequent(scripts: Counter[int]) -> tuple[int, ...]:
    """Return the scripts of a word, without what is likely to be an error."""
    least = LEAST * scripts.total()
    return tuple(sorted(script for script, count in scripts.items() if count >= least))
