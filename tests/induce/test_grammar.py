"""Grammars and corpora: in and out of files, estimated and sampled from."""

import io
import json

import numpy as np
import pytest
from tests.induce.reference import random_corpus

from treaty.corpus import read_conllu
from treaty.errors import InputError, ModelError, UsageError
from treaty.induce import Corpus, Counts, Grammar, Tagset

ROWS = """\
1 Mr. _ PROPN NNP _ 3 _ _ _
2 , _ PUNCT , _ 3 _ _ _
3 Vinken _ PROPN NNP _ 5 _ _ _
4 has _ VERB VBZ _ 5 _ _ _
5 joined _ VERB VBN _ 0 _ _ _
6 " _ PUNCT '' _ 5 _ _ _
7 us _ PRON PRP _ 6 _ _ _

1 Long _ ADJ JJ _ 2 _ _ _
2 live _ VERB VB _ 0 _ _ _
3 live _ VERB VB _ 2 _ _ _
4 live _ VERB VB _ 2 _ _ _
5 live _ VERB VB _ 2 _ _ _
6 they _ PRON PRP _ 2 _ _ _
"""


def treebank() -> io.StringIO:
    return io.StringIO(ROWS.replace(" ", "\t"))


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


def test_corpora_that_are_not(tmp_path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("\n\n")
    with pytest.raises(InputError, match="no sentences"):
        Corpus.read(empty)
    with pytest.raises(InputError, match="at most 2 tokens"):
        Corpus.read(io.StringIO("A B C"), max_length=2)
    with pytest.raises(InputError, match="without UPOS"):
        Corpus.read(io.StringIO("1\ta" + 8 * "\t_" + "\n"), kind="conllu")
    with pytest.raises(UsageError, match="kind"):
        Corpus.read(empty, kind="pdf")
    with pytest.raises(UsageError, match="expected sentences"):
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


def test_texts_and_model_files_bring_grammars_back(tmp_path) -> None:
    grammar = Grammar.estimate(random_corpus(1, [4, 5]).count([2, 0, 2, 3, 0, 1, 2, 3, 4]), "ANV")
    assert (grammar.flat == -np.inf).any()
    for again in (
        Grammar.from_text(io.StringIO(grammar.to_text())),
        (grammar.save(tmp_path / "g.treaty", note="x"), Grammar.load(tmp_path / "g.treaty"))[1],
    ):
        assert again.tags == grammar.tags
        assert np.allclose(np.exp(again.flat), np.exp(grammar.flat), atol=1e-12)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("root A", "expected"),
        ("root A x", "expected"),
        ("root A 2", "expected"),
        ("twig A 1", "expected"),
        ("child A up A 1", "not known"),
        ("decision A left first go 1", "not known"),
        ("root A 0.5", "sum to 1"),
    ],
)
def test_bad_texts(line: str, cause: str) -> None:
    text = Grammar.uniform("A").to_text().replace("root A 1\n", f"{line}\n")
    with pytest.raises(InputError, match=cause):
        Grammar.from_text(io.StringIO(text))


def test_bad_model_files(tmp_path) -> None:
    path = tmp_path / "g.treaty"
    Grammar.uniform("AB").save(path)
    sound = path.read_bytes()
    for data in (b"", sound[:50], sound.replace(b"grammar", b"tagger "), sound[:-1]):
        path.write_bytes(data)
        with pytest.raises(ModelError):
            Grammar.load(path)
    zeros = bytearray(sound)
    zeros[-8:] = bytes(8)
    path.write_bytes(zeros)
    with pytest.raises(ModelError, match="sum to 1"):
        Grammar.load(path)


def test_samples_follow_their_grammar() -> None:
    grammar = Grammar.example()
    corpus = Corpus.sample(grammar, 3000, seed=1)
    again = Grammar.estimate(corpus.count(corpus.heads), corpus.tags)
    assert np.exp(again.root) == pytest.approx(np.exp(grammar.root), abs=0.03)
    assert np.exp(again.decision[2]) == pytest.approx(np.exp(grammar.decision[2]), abs=0.05)
    assert np.exp(again.child[2]) == pytest.approx(np.exp(grammar.child[2]), abs=0.05)
    assert np.array_equal(corpus.tokens, Corpus.sample(grammar, 3000, seed=1).tokens)
    endless = Grammar.estimate(
        Counts(np.ones(1), np.ones((1, 2, 1)), np.eye(2)[[1, 1, 1, 1]].reshape(1, 2, 2, 2)), "A"
    )
    with pytest.raises(UsageError, match="stops more often"):
        Corpus.sample(endless, 1, max_length=5)


def test_bad_grammars() -> None:
    with pytest.raises(UsageError, match="shape"):
        Counts(np.zeros(2), np.zeros((2, 2, 3)), np.zeros((2, 2, 2, 2)))
    with pytest.raises(UsageError, match="different tags"):
        Grammar.uniform("AA")
    with pytest.raises(UsageError, match="no number of tags"):
        Counts.from_flat(np.zeros(12))
    with pytest.raises(UsageError, match="negative"):
        Grammar.estimate(Counts.from_flat(np.zeros(11)), "A", smoothing=-1)
    assert json.dumps(Grammar.uniform("A").tags) == '["A"]'
