"""``treaty train tagger``."""


def test_a_model_without_a_tokenizer_wants_words(run, tag_folder):
    path = tag_folder / "plain.treaty"
    code, _, err = run(
        "train", "tagger", "--train", tag_folder / "train.conllu",
        "--dev", tag_folder / "train.conllu", "-o", path, "--epochs", 1,
        "--no-tokenizer", "--column", "upos", "--column", "xpos",
    )  # fmt: skip
    assert code == 0
    assert "xpos, epoch 1 of 1: XPOS" in err
    code, _, err = run("tag", "--model", path, "Cats sleep.")
    assert code == 2
    assert "--input-format tokens" in err
    _, out, _ = run("tag", "--model", path, "--input-format", "tokens", "Cats sleep .")
    assert out.splitlines()[0].split("\t")[3:5] == ["NOUN", "NNS"]


def test_clusters_are_read_and_kept(run, tag_folder):
    from treaty.parse import Tagger

    clusters, path = tag_folder / "clusters.tsv", tag_folder / "clustered.treaty"
    clusters.write_text("010\tcats\n011\tsleep\n", encoding="utf-8")
    code, _, _ = run(
        "train", "tagger", "--train", tag_folder / "train.conllu", "-o", path, "--epochs", 1,
        "--no-tokenizer", "--clusters", clusters,
    )  # fmt: skip
    assert code == 0
    assert Tagger.load(path).clusters.paths == {"cats": "010", "sleep": "011"}


def test_abbreviations_are_read_and_kept(run, tag_folder):
    from treaty.parse import Tagger

    words, path = tag_folder / "words.txt", tag_folder / "words.treaty"
    words.write_text("Bgm.\nnumber: Abs.\n", encoding="utf-8")
    code, _, _ = run(
        "train", "tagger", "--train", tag_folder / "train.conllu", "-o", path, "--epochs", 1,
        "--abbreviations", words,
    )  # fmt: skip
    assert code == 0
    known = Tagger.load(path).tokenizer.abbreviations.to_dict()
    assert (known["never"], known["number"]) == (["Bgm."], ["Abs."])


def test_a_training_that_was_broken_off_goes_on(run, tag_folder, tag_model, monkeypatch):
    from treaty.parse import Tokenizer

    def stop(*_, **__):
        raise KeyboardInterrupt

    path = tag_folder / "again.treaty"
    arguments = ["train", "tagger", "--train", tag_folder / "train.conllu", "-o", path, "--epochs"]
    with monkeypatch.context() as patch:
        patch.setattr(Tokenizer, "train", stop)
        assert run(*arguments, 2, "--language", "en")[0] == 130
    assert (tag_folder / "again.treaty.checkpoint.upos").exists()
    assert run(*arguments, 3, "--resume", "--language", "en")[0] == 0
    assert path.read_bytes() == tag_model.read_bytes()
    assert not list(tag_folder.glob("*.checkpoint*"))


def test_training_refuses_what_cannot_work(run, tag_folder):
    empty = tag_folder / "empty.conllu"
    empty.write_text("", encoding="utf-8")
    code, _, err = run("train", "tagger", "--train", empty, "-o", tag_folder / "x")
    assert code == 3
    assert "there are no examples" in err
    code, _, err = run("train", "tagger", "--train", tag_folder / "train.conllu", "-o", "/no/where")
    assert code == 3
    code, _, err = run(
        "train", "tagger", "--train", tag_folder / "train.conllu", "-o", tag_folder / "x",
        "--column", "feats",
    )  # fmt: skip
    assert code == 2
    assert "the column feats is empty" in err


LEMMAS = "".join(
    f"1\t{noun}s\t{noun}\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tran\trun\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    for noun in ("cat", "dog", "bird", "girl", "boy")
)


def test_lemmas_are_learned_with_tags_or_left_out(run, tmp_path):
    path, data = tmp_path / "m.treaty", tmp_path / "train.conllu"
    data.write_text(LEMMAS * 5, encoding="utf-8")
    train = ("train", "tagger", "--train", data, "-o", path, "--epochs", 3, "--no-tokenizer", "-q")
    tag = ("tag", "--model", path, "--input-format", "tokens", "Kings ran")
    for option, lemmas in (("--lemmatizer", ["king", "run"]), ("--no-lemmatizer", ["_", "_"])):
        assert run(*train, option)[0] == 0
        _, out, _ = run(*tag)
        assert [line.split("\t")[2] for line in out.splitlines() if line] == lemmas


def test_a_lemmatizer_alone(run, tmp_path):
    path, data = tmp_path / "lemmas.treaty", tmp_path / "train.conllu"
    data.write_text(LEMMAS * 5, encoding="utf-8")
    code, _, err = run("train", "lemmatizer", "--train", data, "--dev", data, "-o", path)
    assert code == 0 and "LEMMA 100.00 %" in err
    _, out, _ = run("evaluate", data, "--model", path)
    assert out.split() == ["LEMMA", "100.00", "%"]
    _, out, _ = run("predict", data, "--model", path)
    assert '"lemma": "cat"' in out


def test_training_goes_on_from_a_model(run, tag_model, tag_folder):
    from treaty.parse import Tagger

    path = tag_folder / "more.treaty"
    code, _, _ = run(
        "train", "tagger", "--from", tag_model, "--train", tag_folder / "train.conllu",
        "-o", path, "--epochs", 1, "-q",
    )  # fmt: skip
    assert code == 0
    assert Tagger.load(path).columns == Tagger.load(tag_model).columns
    assert Tagger.load(path).tokenizer is not None
