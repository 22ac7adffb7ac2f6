"""``treaty train parser``."""

import json

import pytest
from tests.parse.treebank import treebank

from treaty.cli import main
from treaty.parse import Pipeline
from treaty.text import Sentence, Token, write_conllu


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parse")
    write_conllu(treebank(30), folder / "train.conllu")
    write_conllu(treebank(6, seed=8), folder / "dev.conllu")
    return folder


def train(folder, out, *more):
    arguments = ["train", "parser", "--train", folder / "train.conllu", "-o", out]
    options = ["--epochs", 1, "--order", "first", "--bare", "--bits", 14]
    return main([*map(str, arguments), *map(str, options), *map(str, more)])


def test_train_parse_evaluate(folder, tmp_path, capfd):
    model = tmp_path / "m.treaty"
    options = ["--language", "toy", "--license", "none"]
    assert train(folder, model, "--dev", folder / "dev.conllu", *options) == 0
    _, err = capfd.readouterr()
    assert "trees, epoch 1 of 1: UAS" in err and f"{model}: pruner recall" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.treaty"]
    parsed = tmp_path / "parsed.conllu"
    gold = folder / "dev.conllu"
    assert main(["parse", "--model", str(model), str(gold), "-q", "-o", str(parsed)]) == 0
    assert main(["evaluate", str(gold), str(parsed), "--format", "json"]) == 0
    assert json.loads(capfd.readouterr()[0])["uas"] > 0.9
    assert main(["info", str(model)]) == 0
    assert "toy" in capfd.readouterr()[0]


def test_same_seed_same_bytes_for_any_threads(folder, tmp_path):
    for name, more in {"a": (), "b": ("--threads", 2), "c": ("--seed", 7)}.items():
        assert train(folder, tmp_path / name, "-q", *more) == 0
    files = {name: (tmp_path / name).read_bytes() for name in "abc"}
    assert files["a"] == files["b"] != files["c"]


def test_clusters_are_read_and_kept(folder, tmp_path, capfd):
    clusters, model = tmp_path / "clusters.tsv", tmp_path / "m.treaty"
    clusters.write_text("010\tcat\t9\n011\tdog\t8\n", encoding="utf-8")
    assert train(folder, model, "-q", "--clusters", clusters) == 0
    assert Pipeline.load(model).parser.clusters.paths == {"cat": "010", "dog": "011"}
    clusters.write_text("cat\t010\n", encoding="utf-8")
    assert train(folder, model, "-q", "--clusters", clusters) == 3
    assert "clusters.tsv:1: expected a path" in capfd.readouterr()[1]


def test_resume_goes_on_to_the_same_bytes(folder, tmp_path, monkeypatch):
    assert train(folder, tmp_path / "whole", "-q", "--epochs", 2) == 0

    def fail(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("treaty.parse._training._Training.trees", fail)
        assert train(folder, tmp_path / "broken", "-q", "--epochs", 2) == 130
    assert not (tmp_path / "broken").exists()
    assert (tmp_path / "broken.checkpoint.pruner").exists()
    assert train(folder, tmp_path / "broken", "-q", "--epochs", 2, "--resume") == 0
    assert (tmp_path / "broken").read_bytes() == (tmp_path / "whole").read_bytes()


def test_treebanks_with_cycles_or_nothing_are_refused(run, tmp_path):
    cyclic = [*treebank(1), Sentence([Token("a", head=2), Token("b", head=1)])]
    write_conllu(cyclic, tmp_path / "cyclic.conllu")
    (tmp_path / "empty.conllu").write_text("", encoding="utf-8")
    common = ["-o", tmp_path / "m", "--epochs", 1]
    code, _, err = run("train", "parser", "--train", tmp_path / "cyclic.conllu", *common)
    line = len(cyclic[0].to_conllu().splitlines()) + 1
    assert code == 3 and f"cyclic.conllu:{line}:" in err
    code, _, err = run("train", "parser", "--train", tmp_path / "empty.conllu", *common)
    assert code == 3 and "empty.conllu: there are no examples" in err


def test_training_goes_on_from_a_model(folder, tmp_path, run):
    first, second = tmp_path / "first.treaty", tmp_path / "second.treaty"
    assert train(folder, first, "-q") == 0
    arguments = ["train", "parser", "--from", first, "--train", folder / "dev.conllu", "-q"]
    code, _, err = run(*arguments, "-o", second, "--epochs", 1)
    assert (code, err) == (0, "")
    assert Pipeline.load(second).parser.settings == Pipeline.load(first).parser.settings
    assert second.read_bytes() != first.read_bytes()
    for option in (["--order", "second"], ["--bits", "12"]):
        code, _, err = run(*arguments, "-o", second, *option)
        assert code == 2 and f"{option[0]} does not go with --from" in err
    code, _, err = run(*arguments[:3], tmp_path / "none.treaty", *arguments[4:], "-o", second)
    assert code == 5 and "none.treaty" in err
