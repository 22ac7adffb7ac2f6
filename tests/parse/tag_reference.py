"""The tagger's definition, in Python: hashed features, scores, the best of all taggings, MIRA."""

import itertools

import numpy as np
from hypothesis import strategies as st

from treaty._native import parse as native
from treaty._native.features import Sequences, text_hash
from treaty.features import Family, TemplateSet, attribute, compile_templates

MASK = 2**64 - 1
TEMPLATES = (
    TemplateSet(("w.form", "w-1.form", "w+1.form w.form")),
    TemplateSet(("", "w.form")),
    TemplateSet(("", "w-1.form")),
)
NAMES = ("tag", "tag pair", "tag triple")
BITS = 12
TAGS = 4


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def combine(h, value):
    return ((h ^ value) * 0xD6E8FEB86659FD93) & MASK


class Toy:
    """A few sequences with their choices, for the kernel and for this reference."""

    def __init__(self, sequences, choices, tags):
        self.texts, self.lists, self.tags = sequences, choices, tags
        compiled = [
            compile_templates(Family(name, ("w",), ()), templates, ["form"])
            for name, templates in zip(NAMES, TEMPLATES, strict=True)
        ]
        self.model = native.TagModel(*compiled, BITS, tags)
        self.sequences = Sequences([attribute("form", ["form"])])
        for forms in sequences:
            self.sequences.add([forms])
        flat = [tuple(c) for row in choices for c in row]
        begin = np.cumsum([0, *map(len, flat)]).astype(np.int32)
        numbers = np.arange(len(flat), dtype=np.int32)
        every = np.array([t for c in flat for t in c], np.int32)
        self.choices = native.TagChoices(self.sequences, numbers, every, begin)

    def buckets(self, s, tags):
        """Every feature of a tagging, as the place of its weight."""
        forms = self.texts[s]
        names = ["<before>"] * 2 + list(forms) + ["<after>"] * 2
        found = []
        for i in range(len(forms)):
            context = [tags[j] if j >= 0 else self.tags for j in (i - 2, i - 1, i)]
            for order, (name, templates) in enumerate(zip(NAMES, TEMPLATES, strict=True)):
                for template in templates.templates:
                    h = text_hash(f"{name}: {template}")
                    for atom in template.split():
                        offset = int(atom.split(".")[0][1:] or 0)
                        h = combine(h, text_hash(names[i + 2 + offset]))
                    h = combine(h, mix(0))
                    for tag in context[2 - order : 2]:
                        h = combine(h, mix(tag + 1))
                    found.append(((h >> (64 - BITS)) + context[2]) % 2**BITS)
        return found

    def score(self, s, tags):
        weights = self.model.weights.values
        return float(sum(float(weights[b]) for b in self.buckets(s, tags)))

    def best(self, s, gold=None):
        """The best tagging by enumeration; with gold tags, every wrong one is worth one more."""

        def value(tags):
            cost = 0 if gold is None else sum(a != b for a, b in zip(tags, gold, strict=True))
            return self.score(s, tags) + cost

        return max(itertools.product(*self.lists[s]), key=value)

    def mira(self, s, gold, aggressiveness):
        """What the weights are after one example."""
        answer = self.best(s, gold)
        wrong = sum(a != b for a, b in zip(answer, gold, strict=True))
        change = np.zeros(2**BITS)
        np.add.at(change, self.buckets(s, gold), 1.0)
        np.add.at(change, self.buckets(s, answer), -1.0)
        violation = wrong + self.score(s, answer) - self.score(s, gold)
        norm = float(change @ change)
        rate = 0.0 if norm == 0 or violation <= 0 else min(aggressiveness, violation / norm)
        return self.model.weights.values + rate * change


@st.composite
def toys(draw):
    words = st.lists(st.sampled_from("abc"), min_size=1, max_size=5)
    sequences = draw(st.lists(words, min_size=1, max_size=3))
    choice = st.lists(st.integers(0, TAGS - 1), min_size=1, max_size=3, unique=True)
    choices = [[draw(choice) for _ in forms] for forms in sequences]
    toy = Toy(sequences, choices, TAGS)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    toy.model.weights.values[:] = rng.normal(size=2**BITS)
    return toy
