"""The lemmas a word may have: as it was seen, or as words with its ending have."""

from collections import Counter

import numpy as np
import pytest

from treaty.errors import ModelError
from treaty.learn import ModelFile
from treaty.parse.tags._lemma_dictionary import LemmaDictionary, Word


def words(*rows):
    """Make counts of lemmas: form, UPOS, XPOS, FEATS, lemma, count."""
    found = {}
    for form, upos, xpos, feats, lemma, count in rows:
        found.setdefault(Word(form, upos, xpos, feats), Counter())[lemma] += count
    return found


NOUNS = [(f"{noun}s", "NOUN", "NNS", "_", noun, 1) for noun in ("cat", "dog", "bird", "girl")]
VERBS = [
    ("found", "VERB", "VBD", "_", "find", 8),
    ("found", "VERB", "VB", "_", "found", 2),
    ("'s", "AUX", "VBZ", "_", "be", 9),
    ("'s", "AUX", "VBZ", "_", "have", 1),
    ("you", "PRON", "PRP", "Case=Nom", "you", 99),
    ("you", "PRON", "PRP", "Case=Nom", "your", 1),
    ("lay", "VERB", "VBD", "Tense=Past", "lie", 3),
    ("lay", "VERB", "VBD", "Tense=Odd", "lay", 3),
]
NAMES = [("Paris", "PROPN", "NNP", "_", "Paris", 2), ("dog", "NOUN", "NN", "_", "dog", 5)]
DICTIONARY = LemmaDictionary.of(words(*NOUNS, *VERBS, *NAMES))


@pytest.mark.parametrize(
    ("word", "lemmas"),
    [
        (("found", "VERB", "VBD", "_"), {"find"}),
        (("found", "VERB", "VB", "_"), {"found"}),
        (("found", "VERB", "VBX", "_"), {"find", "found"}),  # tags that were not seen
        (("Found", "VERB", "VBD", "Tense=Past"), {"find"}),
        (("lay", "VERB", "VBD", "Tense=Past"), {"lie"}),
        (("lay", "VERB", "VBD", "_"), {"lie", "lay"}),
        (("'s", "AUX", "VBZ", "_"), {"be", "have"}),
        (("you", "PRON", "PRP", "Case=Nom"), {"you"}),  # the other lemma is an error
        (("PARIS", "PROPN", "NNP", "_"), {"Paris"}),
        (("paris", "PROPN", "NNP", "_"), {"Paris"}),
        (("DOG", "NOUN", "NN", "_"), {"dog"}),
        (("found", "_", "_", "_"), {"find", "found"}),  # no tags: all that were seen
    ],
)
def test_words_that_were_seen(word, lemmas):
    assert set(DICTIONARY.find(Word(*word)).lemmas) == lemmas


def test_other_words_are_like_those_with_their_ending():
    found = DICTIONARY.find(Word("Trains", "NOUN", "NNS", "_"))
    assert set(found.lemmas) == {"trains", "Trains", "train"}
    assert len(found.scripts) == len(found.lemmas)
    verbs = DICTIONARY.find(Word("trains", "VERB", "VBZ", "_"))
    assert set(verbs.lemmas) == {"trains"}  # no verb has this ending


def test_bases_are_words_of_the_dictionary():
    found = DICTIONARY.like(Word("dogs", "NOUN", "NNS", "_"))
    (base,) = found.bases.split()
    assert found.lemmas[found.scripts.index(int(base))] == "dog"
    assert DICTIONARY.like(Word("trains", "NOUN", "NNS", "_")).bases == ""


@pytest.mark.parametrize("form", ["", "x", "9", "ǆ", "s", "a" * 10_000])
def test_odd_words_have_lemmas_or_none(form):
    found = DICTIONARY.find(Word(form, "NOUN", "_", "_"))
    assert set(found.lemmas) >= ({form} if form else set())


def test_finer_tags_are_stored_only_if_they_tell_more():
    keys = set(DICTIONARY.entries.words)
    assert {"found\tVERB", "found\tVERB\tVBD", "lay\tVERB\tVBD\tTense=Past"} <= keys
    assert "found\tVERB\tVBD\t_" not in keys and "dogs\tNOUN\tNNS" not in keys


def test_files():
    header = {"scripts": [list(script) for script in DICTIONARY.scripts]}
    file = ModelFile("toy", header, DICTIONARY.tensors())
    again = LemmaDictionary.read(ModelFile.from_bytes(file.to_bytes()))
    word = Word("Trains", "NOUN", "NNS", "_")
    assert again.find(word) == DICTIONARY.find(word)
    for scripts, match in (
        ([["keep", None]], "the first must change nothing"),
        (header["scripts"][:2], "classes"),
        ([*header["scripts"], ["lower", 1]], "not a valid edit tree"),
    ):
        with pytest.raises(ModelError, match=match):
            LemmaDictionary.read(ModelFile("toy", {"scripts": scripts}, file.tensors))
    tensors = {**file.tensors, "suffixes.class": np.array([9999], np.int32)}
    with pytest.raises(ModelError, match="suffixes"):
        LemmaDictionary.read(ModelFile("toy", header, tensors))
