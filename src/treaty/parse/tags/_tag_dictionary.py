"""The tags allowed for a word: those it was seen with, if it is frequent; others by suffix."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from treaty.learn import ModelFile, string_tensor

__all__ = ["TagDictionary"]

Ints = npt.NDArray[np.int32]

OFTEN = 100
"""Minimum count of a word that is restricted to the tags it was seen with."""
TELLING = 20
"""Minimum count of a word whose class of tags is a feature."""
TWICE = 2
"""Words with a lower count are treated as unknown, so the model learns to do without the form."""
MANY_TAGS = 24
"""With more tags than this, the suffix of a word restricts its tags."""
LONGEST_SUFFIX = 5
MOST_TAGS = 12
"""Number of tags tried for a word that is not in the dictionary, if there are many tags."""
NO_CLASS = "?"


@dataclass
class TagDictionary:
    """The words and suffixes of a training set with their tags.

    Attributes
    ----------
    classes
        Sets of tags by number; the first has all tags, or the most frequent ones of many.
    words
        Class of tags of each frequent word.
    suffixes
        Class of tags of word endings, for other words; empty if there are few tags.
    telling
        Class of tags of less frequent words, as a feature only; it restricts nothing.
    known
        Lower-case forms seen more than once; all others look the same to the features.
    """

    classes: list[tuple[int, ...]]
    words: dict[str, int] = field(default_factory=dict)
    suffixes: dict[str, int] = field(default_factory=dict)
    telling: dict[str, int] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, items: Iterable[tuple[str, int]], tags: int) -> TagDictionary:
        """Collect the dictionary from pairs of a form and the number of its tag."""
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        forms: Counter[str] = Counter()
        for form, tag in items:
            counts[form][tag] += 1
            forms[form.lower()] += 1
        every = sum(counts.values(), Counter[int]())
        first = (
            range(tags) if tags <= MANY_TAGS else [tag for tag, _ in every.most_common(MOST_TAGS)]
        )
        classes: dict[tuple[int, ...], int] = {tuple(sorted(first)): 0}
        dictionary = cls([], known={form for form, n in forms.items() if n >= TWICE})
        for form in sorted(counts):
            total = counts[form].total()
            if total >= TELLING:
                number = classes.setdefault(tuple(sorted(counts[form])), len(classes))
                (dictionary.words if total >= OFTEN else dictionary.telling)[form] = number
        if tags > MANY_TAGS:
            rare = {form: n for form, n in counts.items() if form not in dictionary.words}
            dictionary.suffixes = _by_suffix(rare, classes)
        dictionary.classes = list(classes)
        return dictionary

    def class_of(self, form: str) -> int:
        """Return the class of tags allowed for a word."""
        number = self.words.get(form)
        if number is not None or not self.suffixes:
            return number or 0
        lower = form.lower()
        for length in range(min(LONGEST_SUFFIX, len(lower)), 0, -1):
            number = self.suffixes.get(lower[-length:])
            if number is not None:
                return number
        return 0

    def name_of(self, form: str) -> str:
        """Return the name of a word's class of tags, as a feature."""
        number = self.words.get(form)
        if number is None:
            number = self.telling.get(form)
        return NO_CLASS if number is None else str(number)

    def flat(self, gold: Sequence[int] = (), of: Sequence[int] = ()) -> tuple[Ints, Ints, Ints]:
        """Return class numbers of items, the tags of all classes, and where each class begins.

        With gold tags, an item whose class lacks its gold tag gets a class that has it.
        """
        classes = {tags: number for number, tags in enumerate(self.classes)}
        lists = list(self.classes)
        members = [frozenset(tags) for tags in lists]
        numbers = list(of)
        for i, tag in enumerate(gold):
            if tag not in members[numbers[i]]:
                tags = tuple(sorted((*lists[numbers[i]], tag)))
                if tags not in classes:
                    classes[tags] = len(lists)
                    lists.append(tags)
                    members.append(frozenset(tags))
                numbers[i] = classes[tags]
        return _arrays(numbers, lists)

    def without(self, of: Sequence[int], excluded: Mapping[int, int]) -> tuple[Ints, Ints, Ints]:
        """Return the same arrays as `flat`; `excluded` items get their class without one tag."""
        lists, numbers, added = list(self.classes), list(of), dict[tuple[int, ...], int]()
        for item, tag in excluded.items():
            others = tuple(other for other in lists[of[item]] if other != tag)
            if others:
                numbers[item] = added.setdefault(others, len(self.classes) + len(added))
        return _arrays(numbers, [*lists, *added])

    def tensors(self, prefix: str) -> dict[str, npt.NDArray[np.generic]]:
        """Store the dictionary as tensors of a model file."""
        _, tags, begin = self.flat()
        tensors: dict[str, npt.NDArray[np.generic]] = {
            f"{prefix}classes.tags": tags,
            f"{prefix}classes.begin": begin,
            f"{prefix}known": string_tensor(sorted(self.known)),
        }
        for name, entries in self._maps().items():
            tensors[f"{prefix}{name}"] = string_tensor(entries)
            tensors[f"{prefix}{name}.class"] = np.array(list(entries.values()), np.int32)
        return tensors

    def _maps(self) -> dict[str, dict[str, int]]:
        return {"words": self.words, "suffixes": self.suffixes, "telling": self.telling}

    @classmethod
    def read(cls, file: ModelFile, prefix: str, tags: int) -> TagDictionary:
        """Read a dictionary for this number of tags from a model file."""
        flat = file.tensor(f"{prefix}classes.tags", np.int32, least=0, most=tags - 1)
        begin = file.tensor(f"{prefix}classes.begin", np.int32, least=0, most=len(flat))
        if len(begin) < 2 or begin[0] != 0 or begin[-1] != len(flat):
            raise file.fault(f"{prefix}classes: not valid classes of {tags} tags")
        if (np.diff(begin) <= 0).any():
            raise file.fault(f"{prefix}classes: a class has no tags")
        lists = np.split(flat, begin[1:-1])
        dictionary = cls([tuple(tags.tolist()) for tags in lists])
        dictionary.known = set(file.string_list(f"{prefix}known"))
        for name, entries in dictionary._maps().items():
            texts = file.string_list(f"{prefix}{name}")
            kinds = {"least": 0, "most": len(lists) - 1}
            numbers = file.tensor(f"{prefix}{name}.class", np.int32, len(texts), **kinds)
            entries.update(zip(texts, numbers.tolist(), strict=True))
        return dictionary


def _by_suffix(
    words: Mapping[str, Counter[int]], classes: dict[tuple[int, ...], int]
) -> dict[str, int]:
    """Find word endings that enough words share, and the most frequent tags of those words."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    sharing: Counter[str] = Counter()
    for form, tags in words.items():
        lower = form.lower()
        for length in range(1, min(LONGEST_SUFFIX, len(lower)) + 1):
            counts[lower[-length:]].update(tags)
            sharing[lower[-length:]] += 1
    classes_of = {}
    for suffix in sorted(counts):
        if sharing[suffix] >= TELLING or len(suffix) == 1:
            best = sorted(tag for tag, _ in counts[suffix].most_common(MOST_TAGS))
            classes_of[suffix] = classes.setdefault(tuple(best), len(classes))
    return classes_of


def _arrays(numbers: Sequence[int], lists: Sequence[Sequence[int]]) -> tuple[Ints, Ints, Ints]:
    begin = np.cumsum([0, *map(len, lists)])
    every = [tag for tags in lists for tag in tags]
    return np.array(numbers, np.int32), np.array(every, np.int32), begin.astype(np.int32)
