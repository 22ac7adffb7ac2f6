"""The script that goes on with the parser of the English model, on treebanks that are made up."""

import numpy as np
from tests.parse.treebank import small_pipeline, treebank

from research.training import english_treebanks, go_on_english
from treaty.parse import Pipeline
from treaty.text import write_conllu


def test_the_parser_is_averaged_with_what_it_was(tmp_path, monkeypatch, capsys):
    for seed, (name, (split, _)) in enumerate(english_treebanks.SOURCES.items()):
        (tmp_path / name).mkdir()
        write_conllu(treebank(10, seed), tmp_path / name / f"{split}.conllu")
    write_conllu(treebank(10, 9), tmp_path / "predicted.conllu")
    old, new = tmp_path / "old.treaty", tmp_path / "new.treaty"
    small_pipeline(order="first").save(old)
    command = (
        f"go_on --data {tmp_path} --model {old} --out {new} --predicted {tmp_path}/predicted.conllu"
    )
    monkeypatch.setattr("sys.argv", [*command.split(), "--sentences", "20", "--seeds", "1"])
    go_on_english.main()
    assert "MB" in capsys.readouterr().out
    before, after = Pipeline.load(old), Pipeline.load(new)
    assert after.tagger.to_bytes() == before.tagger.to_bytes()
    assert after.parser.to_bytes() != before.parser.to_bytes()
    assert after.evaluate(treebank(20, 30))["UAS"] > 0.9
    monkeypatch.setattr("sys.argv", [*command.split(), "--share", "0", "--seeds", "1"])
    go_on_english.main()
    again = Pipeline.load(new)
    (plain,), (same,) = ([*m.predict(treebank(1, 31))] for m in (before, again))
    assert same.certificate.objective == plain.certificate.objective


def test_the_tagger_goes_on_alone(tmp_path, monkeypatch):
    for seed, (name, (split, _)) in enumerate(english_treebanks.SOURCES.items()):
        (tmp_path / name).mkdir()
        write_conllu(treebank(10, seed), tmp_path / name / f"{split}.conllu")
    old, new = tmp_path / "old.treaty", tmp_path / "new.treaty"
    small_pipeline(order="first").save(old)
    command = f"go_on --data {tmp_path} --model {old} --out {new} --tagger 2 --seeds 1"
    monkeypatch.setattr("sys.argv", command.split())
    go_on_english.main()
    before, after = Pipeline.load(old), Pipeline.load(new)
    assert after.tagger.to_bytes() != before.tagger.to_bytes()
    assert after.parser.to_bytes() == before.parser.to_bytes()
    assert after.tagger.evaluate(treebank(20, 30))["UPOS"] > 0.95
    monkeypatch.setattr("sys.argv", [*command.split(), "--share", "0"])
    go_on_english.main()
    again = Pipeline.load(new).tagger.taggers[0].model.weights.values
    assert np.allclose(again, before.tagger.taggers[0].model.weights.values, atol=0.05)
