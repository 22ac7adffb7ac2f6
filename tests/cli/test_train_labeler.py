"""``treaty train labeler``."""

import json


def test_a_labeler_is_trained_and_told_of(run, entity_file, tmp_path):
    out = tmp_path / "chain.treaty"
    clusters, lists = tmp_path / "clusters.tsv", tmp_path / "lists.tsv"
    clusters.write_text("01\trome\t5\n")
    lists.write_text("city\tRome\n")
    code, printed, told = run(
        "train", "labeler", "--train", entity_file, "--dev", entity_file, "-o", out,
        "--order", "chain",
        "--scheme", "BILOU", "--clusters", clusters, "--gazetteers", lists, "--epochs", 3,
        "--language-model", "none", "--language", "en", "--license", "CC0-1.0",
    )  # fmt: skip
    assert (code, printed) == (0, "")
    assert "entities, epoch 3 of 3: micro F1 100.00 %" in told
    assert not out.with_name("chain.treaty.checkpoint").exists()
    code, printed, _ = run("info", out, "--format", "json")
    record = json.loads(printed)
    assert record["info"]["license"] == "CC0-1.0"
    assert (record["task"], record["types"]) == ("entities", ["LOC", "PER"])


def test_what_cannot_be_read_is_told(run, tmp_path):
    code, _, told = run("train", "labeler", "--train", tmp_path / "no.tsv", "-o", tmp_path / "x")
    assert code == 3
    assert "no.tsv: cannot be read" in told
