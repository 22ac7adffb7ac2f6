"""The checker's conditions against those of the rules, on random sentences."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.cuts.test_rules import RULES
from tests.summarize.random_problems import random_sentence

from treaty.languages import get
from treaty.summarize.cuts._check_conditions import applies
from treaty.summarize.cuts._conditions import LISTS, PATTERNS, SWITCHES
from treaty.summarize.cuts._rules import Rule, Rules
from treaty.summarize.sentences._frames import Frames

WORDS = (
    "cat", "not", "few", "all", "an", "owl", "from", "may", "3", "more", "had", "will", "slept",
    "8", "hour", "and", "the", "avoid", "than", "?", "to", "who",
)  # fmt: skip
TAGS = ("VBD", "VBZ", "VBG", "JJS", "NN", "_")


def told(rng, size):
    """A random sentence with words that rules look for, lemmas and fine tags."""
    sentence = random_sentence(rng, size)
    for token in sentence:
        if token.upos != "PUNCT":
            token.form = rng.choice(WORDS)
            token.xpos = rng.choice(TAGS)
            token.lemma = rng.choice(["_", token.form])
            token.feats = rng.choice(["_", "Tense=Past|VerbForm=Fin", "VerbForm=Fin", "Degree=Sup"])
            token.deprel = rng.choice([token.deprel, "case", "mark", "aux", "nsubj:pass", "fixed"])
    sentence.tokens[sentence.heads.index(0)].deprel = "root"
    return sentence


def values(rng, rules):
    for name in SWITCHES:
        yield name, rng.choice([True, False])
    for name in PATTERNS:
        yield name, "[a-c].*|[0-9]"
    given = {name for rule in (*rules.never, *rules.safe) for name in rule.conditions}
    assert given <= {*SWITCHES, *PATTERNS, *LISTS}
    for name in LISTS:
        some = [*WORDS, *TAGS, "NOUN", "VERB", "nsubj", "obl", "conj", "not cat", "all"]
        yield name, frozenset(rng.sample(some, 6))


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=150)
def test_every_condition_has_a_twin(seed):
    rng = random.Random(seed)
    sentences = [told(rng, rng.randint(1, 8)) for _ in range(3)]
    rules = Rules(scope=RULES.scope, frames=Frames.count(sentences * 4))
    sentence = sentences[0]
    reading = rules.reading(sentence)
    for name, value in values(rng, RULES):
        rule = Rule(name, conditions={name: value})
        for place in range(len(sentence)):
            assert rule.holds(reading, place) == applies(rule, sentence, place, rules), (
                name,
                value,
            )


@pytest.mark.parametrize("name", sorted({*SWITCHES, *PATTERNS, *LISTS}))
def test_conditions_are_told_in_the_file(name):
    (file,) = (path for path in get("und").rules if path.name == "1-structure.toml")
    assert name in file.read_text(encoding="utf-8")
