"""``treaty tag`` and ``treaty train tagger``."""

import json

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


def tags(conllu):
    return [line.split("\t")[1:4:2] for line in conllu.splitlines() if line[:1].isdigit()]


def test_text_is_tagged(run, model):
    code, out, err = run("tag", "--model", model, "Dogs don't sleep. Cats sleep.")
    assert (code, err) == (0, "")
    assert "# text = Dogs don't sleep.\n" in out
    assert tags(out)[:5] == [
        ["Dogs", "NOUN"], ["don't", "_"], ["do", "AUX"], ["n't", "PART"], ["sleep", "VERB"],
    ]  # fmt: skip


def test_files_are_tagged_by_their_suffix(run, model, folder):
    text = folder / "text.txt"
    text.write_text("Cats sleep.\n\nDogs sleep.\n", encoding="utf-8")
    _, out, _ = run("tag", "--model", model, text, folder / "train.conllu")
    assert out.count("\n\n") == 2 + 40


def test_json_has_an_object_a_line(run, model):
    _, out, _ = run("tag", "--model", model, "--format", "json", "Cats sleep. Dogs sleep.")
    first, second = map(json.loads, out.splitlines())
    assert first["text"] == "Cats sleep."
    assert second["tokens"][0] == {"id": 1, "form": "Dogs", "upos": "NOUN"}


def test_tokens_come_from_standard_input(run, stdin, model):
    stdin("Cats sleep .\nDogs do n't sleep .\n")
    code, out, _ = run("tag", "--model", model, "--input-format", "tokens", "--threads", "2")
    assert code == 0
    assert len(tags(out)) == 8


def test_results_go_to_a_file(run, model, folder):
    code, out, _ = run("tag", "--model", model, "Cats sleep.", "-o", folder / "out.conllu")
    assert (code, out) == (0, "")
    assert tags((folder / "out.conllu").read_text(encoding="utf-8"))[0] == ["Cats", "NOUN"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--model", "nowhere", "Cats sleep."], 5, "there is no model 'nowhere': installed are"),
        (["--model", "nowhere.treaty", "Cats sleep."], 5, "nowhere.treaty: cannot be read"),
        (["--model", "{model}", "nowhere.txt"], 3, "nowhere.txt: there is no such file"),
        (
            ["--model", "{model}", "--input-format", "conllu", "Cats sleep"],
            3,
            "expected 10 columns",
        ),
        (["--model", "{train}", "Cats sleep."], 5, "not a model file, or damaged"),
        (["--model", "{model}", "a b", "-o", "/no/file"], 3, "cannot write /no/file"),
    ],
)
def test_errors_say_the_way_out(run, model, folder, arguments, code, message):
    names = {"model": str(model), "train": str(folder / "train.conllu")}
    found, out, err = run("tag", *[a.format(**names) for a in arguments])
    assert (found, out) == (code, "")
    assert message in err


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
