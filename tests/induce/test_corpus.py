"""Corpora: in and out of files."""

import io

import numpy as np
import pytest
from tests.induce.treebank import treebank

from treaty.errors import InputError, UsageError
from treaty.induce import Corpus
from treaty.text import read_conllu


def test_treebanks_are_read_without_punctuation() -> None:
    corpus = Corpus.read(treebank(), kind="conllu")
    assert corpus.tags == ("ADJ", "PRON", "PROPN", "VERB")
    assert [s.tolist() for s in corpus] == [[2, 2, 3, 3, 1], [0, 3, 3, 3, 3, 1]]
    first, second = corpus.trees(corpus.heads)
    assert first.tolist() == [2, 4, 4, 0, 4]  # what hung on a quote hangs on its head
    assert second.tolist() == [2, 0, 2, 2, 2, 2]
    assert corpus.words[:3] == ("Mr.", "Vinken", "has")
    assert len(Corpus.read(treebank(), kind="conllu", max_length=5)) == 1
    assert len(Corpus.read(treebank(), kind="conllu", most=1)) == 1


def test_corpora_that_are_not(tmp_path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("\n\n")
    with pytest.raises(InputError, match="no sentences"):
        Corpus.read(empty)
    with pytest.raises(InputError, match="at most 2 tokens"):
        Corpus.read(io.StringIO("A B C"), max_length=2)
    with pytest.raises(InputError, match="has no UPOS"):
        Corpus.read(io.StringIO("1\ta" + 8 * "\t_" + "\n"), kind="conllu")
    with pytest.raises(UsageError, match="kind"):
        Corpus.read(empty, kind="pdf")
    with pytest.raises(UsageError, match="at least one sentence"):
        Corpus.from_tags([[]])
    with pytest.raises(UsageError, match="a head for every token"):
        Corpus.from_tags([["A"]]).count([2])


def test_sentences_go_out_as_they_came_in(tmp_path) -> None:
    corpus = Corpus.read(treebank(), kind="conllu")
    path = tmp_path / "out.conllu"
    path.write_text("".join(s.to_conllu() for s in corpus.sentences()))
    again = Corpus.read(path)
    assert np.array_equal(again.tokens, corpus.tokens)
    assert np.array_equal(again.heads, corpus.heads)
    assert [s.words[0] for s in read_conllu(path)] == ["Mr.", "Long"]


def test_equal_sentences_are_one_and_get_their_trees_back() -> None:
    corpus = Corpus.from_tags([["N", "V"], ["V"], ["N", "V"], ["V", "N"]])
    assert [s.tolist() for s in corpus.distinct] == [[0, 1], [1], [1, 0]]
    assert corpus.counts.tolist() == [2, 1, 1]
    assert corpus.spread([2, 0, 0, 0, 1]).tolist() == [2, 0, 0, 2, 0, 0, 1]


def test_words_are_no_tags() -> None:
    sentences = [[f"w{i}", "the"] for i in range(1000)]
    with pytest.raises(UsageError, match=r"1,001 tags, at most 1,000 are possible.*coarser"):
        Corpus.from_tags(sentences)
    assert len(Corpus.from_tags(sentences[:-1]).tags) == 1000
