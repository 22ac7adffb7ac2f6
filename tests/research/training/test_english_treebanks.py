"""The mixture of English treebanks: conventions, copies, documents."""

from __future__ import annotations

import pytest
from tests.parse.treebank import treebank

from research.training import english_treebanks as scripts
from research.training.short_sentences import SHORT
from treaty.parse import Clusters
from treaty.text import Sentence, Token, write_conllu


def changed(name: str, **fields: str) -> Token:
    (token,) = scripts.harmonized(name, Sentence([Token(**fields)])).tokens
    return token


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("english-childes", {"deprel": "obl:tmod"}, {"deprel": "obl:unmarked"}),
        ("english-childes", {"form": "?", "xpos": "?"}, {"xpos": "."}),
        (
            "english-childes",
            {"form": "When", "upos": "SCONJ", "xpos": "WRB", "deprel": "mark"},
            {"upos": "ADV", "deprel": "advmod"},
        ),
        ("english-eslspok", {"form": "Something", "upos": "NOUN"}, {"upos": "PRON"}),
        (
            "english-eslspok",
            {"form": "to", "upos": "PART", "xpos": "TO", "deprel": "case"},
            {"upos": "ADP", "xpos": "IN"},
        ),
        ("english-eslspok", {"form": "to", "upos": "PART", "deprel": "mark"}, {"upos": "PART"}),
        ("english-gum-open", {"form": "United", "upos": "VERB", "xpos": "NNP"}, {"upos": "ADJ"}),
        ("english-gum-open", {"form": ";", "upos": "PUNCT", "xpos": ":"}, {"xpos": ","}),
        (
            "english-gum-open",
            {"feats": "Case=Nom|Number=Sing|Person=2|PronType=Prs"},
            {"feats": "Case=Nom|Person=2|PronType=Prs"},
        ),
        (
            "english-gum-open",
            {"feats": "Mood=Imp|Person=2|VerbForm=Fin"},
            {"feats": "Mood=Imp|VerbForm=Fin"},
        ),
        (
            "english-gum-open",
            {"form": "Really", "upos": "ADV", "feats": "Degree=Pos"},
            {"feats": "_"},
        ),
        ("english-pronouns", {"feats": "Gender=Neut"}, {"feats": "_"}),
        ("english-ewt", {"form": ";", "upos": "PUNCT", "xpos": ":"}, {"xpos": ":"}),
    ],
)
def test_conventions_are_those_of_ewt(name, before, after):
    token = changed(name, **{"form": "x", **before})
    assert {key: getattr(token, key) for key in after} == after


def test_copies_stay_in_the_document_of_the_original(tmp_path):
    for name, (split, _) in scripts.SOURCES.items():
        (tmp_path / name).mkdir()
        write_conllu(treebank(25), tmp_path / name / f"{split}.conllu")
    plain = scripts.mixture(tmp_path)
    assert len(plain) == 25 * len(scripts.SOURCES)
    begins = [i for i, s in enumerate(plain) if any("newdoc" in c for c in s.comments)]
    assert begins == [i for i in range(len(plain)) if i % 25 in (0, 20)]
    verbs = Clusters({"chase": "1010000011", "corn": "1010000000"})
    mixed = scripts.mixture(tmp_path, varied=1.0, short=2.0, lexicon=verbs)
    originals = [i for i, s in enumerate(mixed) if any("# text" in c for c in s.comments)]
    assert [mixed[i].words for i in originals] == [s.words for s in plain]
    first = mixed[: originals[1]]
    upper, lower, unended = first[1:4]
    assert upper.words == [word.upper() for word in first[0].words]
    assert lower.words == [word.lower() for word in first[0].words]
    assert unended.words == first[0].words[:-1] and unended.heads == first[0].heads[:-1]
    short = [sentence for sentence in mixed if SHORT in sentence.comments]
    assert any("chases" in sentence.words for sentence in short)
    assert 0 < sum(map(scripts.is_parsed, short)) < 0.3 * len(short)
    others = [sentence for sentence in mixed if SHORT not in sentence.comments]
    assert sum(map(scripts.is_parsed, others)) == len(plain)
    assert all(map(scripts.is_parsed, plain))
    assert mixed == scripts.mixture(tmp_path, varied=1.0, short=2.0, lexicon=verbs)
