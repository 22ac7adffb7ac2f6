"""``treaty train tagger``."""

import pytest

TREEBANK = """\
# newpar
# text = Cats don't sleep.
1\tCats\t_\tNOUN\tNNS\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\t_\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\t_\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tsleep\t_\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t_\tPUNCT\t.\t_\t4\tpunct\t_\t_

# text = Dogs sleep.
1\tDogs\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tsleep\t_\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t_\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tag")
    (folder / "train.conllu").write_text(TREEBANK * 20, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def model(folder):
    from treaty.cli import main

    path = folder / "m.treaty"
    arguments = ["train", "tagger", "--train", folder / "train.conllu", "-o", path]
    assert main([*map(str, arguments), "--epochs", "3", "--quiet", "--language", "en"]) == 0
    return path


def test_a_model_without_a_tokenizer_wants_words(run, folder):
    path = folder / "plain.treaty"
    code, _, err = run(
        "train", "tagger", "--train", folder / "train.conllu", "--dev", folder / "train.conllu",
        "-o", path, "--epochs", 1, "--no-tokenizer", "--column", "upos", "--column", "xpos",
    )  # fmt: skip
    assert code == 0
    assert "xpos, epoch 1 of 1: XPOS" in err
    code, _, err = run("tag", "--model", path, "Cats sleep.")
    assert code == 2
    assert "--input-format tokens" in err
    _, out, _ = run("tag", "--model", path, "--input-format", "tokens", "Cats sleep .")
    assert out.splitlines()[0].split("\t")[3:5] == ["NOUN", "NNS"]


def test_clusters_are_read_and_kept(run, folder):
    from treaty.parse import Tagger

    clusters, path = folder / "clusters.tsv", folder / "clustered.treaty"
    clusters.write_text("010\tcats\n011\tsleep\n", encoding="utf-8")
    code, _, _ = run(
        "train", "tagger", "--train", folder / "train.conllu", "-o", path, "--epochs", 1,
        "--no-tokenizer", "--clusters", clusters,
    )  # fmt: skip
    assert code == 0
    assert Tagger.load(path).clusters.paths == {"cats": "010", "sleep": "011"}


def test_abbreviations_are_read_and_kept(run, folder):
    from treaty.parse import Tagger

    words, path = folder / "words.txt", folder / "words.treaty"
    words.write_text("Bgm.\nnumber: Abs.\n", encoding="utf-8")
    code, _, _ = run(
        "train", "tagger", "--train", folder / "train.conllu", "-o", path, "--epochs", 1,
        "--abbreviations", words,
    )  # fmt: skip
    assert code == 0
    known = Tagger.load(path).tokenizer.abbreviations.to_dict()
    assert (known["never"], known["number"]) == (["Bgm."], ["Abs."])


def test_a_training_that_was_broken_off_goes_on(run, folder, model, monkeypatch):
    from treaty.parse import Tokenizer

    def stop(*_, **__):
        raise KeyboardInterrupt

    path = folder / "again.treaty"
    arguments = ["train", "tagger", "--train", folder / "train.conllu", "-o", path, "--epochs"]
    with monkeypatch.context() as patch:
        patch.setattr(Tokenizer, "train", stop)
        assert run(*arguments, 2, "--language", "en")[0] == 130
    assert (folder / "again.treaty.checkpoint.upos").exists()
    assert run(*arguments, 3, "--resume", "--language", "en")[0] == 0
    assert path.read_bytes() == model.read_bytes()
    assert not list(folder.glob("*.checkpoint*"))


def test_training_refuses_what_cannot_work(run, folder):
    empty = folder / "empty.conllu"
    empty.write_text("", encoding="utf-8")
    code, _, err = run("train", "tagger", "--train", empty, "-o", folder / "x")
    assert code == 3
    assert "there are no examples" in err
    code, _, err = run("train", "tagger", "--train", folder / "train.conllu", "-o", "/no/where")
    assert code == 3
    code, _, err = run(
        "train", "tagger", "--train", folder / "train.conllu", "-o", folder / "x",
        "--column", "feats",
    )  # fmt: skip
    assert code == 2
    assert "the column feats is empty" in err
