"""Forms of words for the lemmatizer, from word lists that are made up."""

from __future__ import annotations

import gzip
import json
import zipfile

import pytest

from research.training.lemma_paradigms import WordNet, corrected, lemmas_of, paradigms
from treaty.text import Sentence, Token

INDEX = {
    "noun": ["cat", "leaf", "leave", "syringe", "syrinx", "jean"],
    "verb": ["swim", "hug", "flee"],
    "adj": ["thin", "brave", "ottoman"],
    "adv": ["soon"],
}
EXCEPTIONS = {
    "noun": {"leaves": ["leaf", "leave"], "syringes": ["syrinx"]},
    "verb": {"swam": ["swim"], "swum": ["swim"], "swimming": ["swim"], "hugged": ["hug"]},
    "adj": {"thinner": ["thin"]},
    "adv": {},
}
FREQUENT = "cat cats leaf leaves syringe syringes swim swam hug hugs hugged flee thin thinner brave"


def word_lists(**changed: float) -> WordNet:
    chances = dict.fromkeys(f"{FREQUENT} braver soon sooner fled swum".split(), -10.0)
    rare = {"leave": -8.0, "syrinx": -25.0, "ottoman": -15.0, "Ottoman": -13.0, "cat": -9.0}
    return WordNet(INDEX, EXCEPTIONS, {**chances, **rare, **changed})


@pytest.mark.parametrize(
    ("kind", "form", "tag", "lemma"),
    [
        ("noun", "cats", "NNS", "cat"),
        ("noun", "leaves", "NNS", "leaf"),  # irregular, though "leave" is more frequent
        ("noun", "syringes", "NNS", "syringe"),  # but not if the other word is rare
        ("verb", "swam", "VBD", "swim"),
        ("verb", "hugged", "VBN", "hug"),
        ("verb", "hug", "VBP", "hug"),
        ("adj", "thinner", "JJR", "thin"),
        ("adj", "braver", "JJR", "brave"),
        ("adv", "sooner", "RBR", "soon"),
    ],
)
def test_forms_have_their_lemmas(kind, form, tag, lemma):
    assert lemmas_of(word_lists(), kind)[form, tag] == lemma


def test_rare_forms_and_those_with_a_capital_are_left_out():
    assert ("hugging", "VBG") not in lemmas_of(word_lists(), "verb")
    assert ("ottoman", "JJ") not in lemmas_of(word_lists(), "adj")
    assert ("ottoman", "JJ") in lemmas_of(word_lists(ottoman=-12.0), "adj")


def test_only_forms_that_the_treebank_does_not_have_are_listed_with_its_features():
    tree = Sentence([Token("cats", "cat", "NOUN", "NNS", "Number=Plur")])
    found = [sentence.tokens[0] for sentence in paradigms(word_lists(), [tree])]
    assert [(t.form, t.lemma, t.feats) for t in found] == [
        ("leaves", "leaf", "Number=Plur"),
        ("syringes", "syringe", "Number=Plur"),
    ]


@pytest.mark.parametrize(
    ("form", "given", "upos", "xpos", "right"),
    [
        ("Hugged", "hugge", "VERB", "VBD", "hug"),
        ("leaves", "leave", "NOUN", "NNS", "leaf"),
        ("cats", "cat", "NOUN", "NNS", "cat"),
        ("cats", "cats", "NOUN", "NNS", "cats"),  # like "jeans": has no singular
        ("cats", "_", "NOUN", "NNS", "_"),
        ("jeans", "jean", "NOUN", "NNS", "jean"),
    ],
)
def test_lemmas_that_are_not_words_are_corrected(form, given, upos, xpos, right):
    sentence = Sentence([Token(form, given, upos, xpos)])
    assert corrected(word_lists(), [sentence]) == (given != right)
    assert sentence.tokens[0].lemma == right


def test_word_lists_are_read_from_the_package(tmp_path):
    path = tmp_path / "lists.whl"
    with zipfile.ZipFile(path, "w") as package:
        for name, part in zip(
            ("lemma_index", "lemma_exc", "lexeme_prob"), word_lists(), strict=True
        ):
            data = gzip.compress(json.dumps(part).encode())
            package.writestr(f"spacy_lookups_data/data/en_{name}.json.gz", data)
    assert WordNet.read(path) == word_lists()
