"""Tags: read from columns, renamed by tables."""

import pytest
from tests.induce.treebank import treebank

from treaty.errors import InputError, UsageError
from treaty.induce import Corpus, Tagset


def test_tagsets() -> None:
    assert Corpus.read(treebank(), kind="conllu", tags="coarse3").tags == ("A", "N", "V")
    universal = Corpus.read(treebank(), kind="conllu", tags="universal")
    assert [universal.tags[t] for t in next(iter(universal))] == [
        "NOUN",
        "NOUN",
        "AUX",
        "VERB",
        "PRON",
    ]
    some = {"PROPN": "X", "VERB": "X", "PRON": "Y"}
    with pytest.raises(InputError, match="sentence 2: no name for the tag ADJ"):
        Corpus.read(treebank(), kind="conllu", tags=some)
    with pytest.raises(UsageError, match="coarse3"):
        Tagset.named("coarser")


def test_tagset_files(tmp_path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('other = "O"\n[tags]\nVERB = "V"\n')
    assert Corpus.read(treebank(), kind="conllu", tags=path).tags == ("O", "V")
    for bad in ("[", "column = 3", "nonsense = 1", "tags = 1"):
        path.write_text(bad)
        with pytest.raises(InputError, match=r"own\.toml"):
            Corpus.read(treebank(), kind="conllu", tags=path)
