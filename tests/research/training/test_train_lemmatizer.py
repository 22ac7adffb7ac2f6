"""The script of the English lemmatizer, on treebanks that are made up."""

from __future__ import annotations

import json

import pytest
from tests.parse.treebank import small_pipeline, treebank

from research.training import train_lemmatizer
from treaty.parse import Pipeline
from treaty.text import Sentence, Token, write_conllu


@pytest.fixture(name="data")
def _data(tmp_path):
    for seed, name in enumerate(train_lemmatizer.TREEBANKS):
        (tmp_path / name).mkdir()
        for split, size in (("train", 9), ("dev", 3), ("test", 3)):
            write_conllu(treebank(size, seed), tmp_path / name / f"{split}.conllu")
    return tmp_path


def test_the_lemmatizer_is_put_into_the_model_and_all_else_stays(data, monkeypatch, capsys):
    before = small_pipeline(order="first", lemmatizer=False)
    before.save(data / "m.treaty")
    command = f"train --data {data} --model {data}/m.treaty --epochs 1 --test --runs {data}/runs"
    monkeypatch.setattr("sys.argv", command.split())
    train_lemmatizer.main()
    made = Pipeline.load(data / "m.treaty")
    assert made.lemmatizer.info["license"] == "CC BY-SA 4.0"
    assert made.info["scores"].keys() == {"LEMMA, gold tags", "LEMMA, own tags"}
    assert "CHILDES" in made.info["lemmatizer data"]
    for part in ("parser", "tagger", "tokenizer"):
        assert getattr(made, part).to_bytes() == getattr(before, part).to_bytes()
    runs = [json.loads(line) for line in (data / "runs").read_text().splitlines()]
    assert [run["part"] for run in runs][-1] == "test"
    assert "test, LEMMA, own tags" in capsys.readouterr().out


def test_pronouns_of_other_conventions_are_left_out(data):
    sentence = treebank(1)[0]
    sentence.tokens[0].upos = "PRON"
    for name in ("english-ewt", "english-childes"):
        write_conllu([sentence], data / name / "train.conllu")
    found = [s.tokens[0] for s in train_lemmatizer.examples(data)]
    lemmas = [token.lemma for token in found if token.form == sentence.tokens[0].form]
    assert (lemmas[0], lemmas[-1]) == (sentence.tokens[0].lemma, "_")


def test_chat_spellings_have_the_lemma_of_the_word_meant():
    people = Token("People", lemma="person", upos="NOUN", xpos="NNS", feats="Number=Plur")
    seen = [Sentence([people])] * train_lemmatizer.LEAST_SEEN
    seldom = [Sentence([Token("love", lemma="love", upos="VERB", xpos="VB")])]
    found = [s.tokens[0] for s in train_lemmatizer.chat_words([*seen, *seldom])]
    lemmas = {token.form: token.lemma for token in found}
    assert lemmas["ppl"] == "person" and lemmas["pls"] == "please" and lemmas["lol"] == "lol"
    assert lemmas["Ppl"] == "person" and lemmas["Lol"] == "lol"
    assert "luv" not in lemmas
    assert next(t for t in found if t.form == "ppl").feats == "Number=Plur"
