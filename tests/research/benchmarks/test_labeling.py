from tests.research.benchmarks.running import runs_of

from treaty.text import ColumnSentence, write_columns


def test_chains_are_trained_and_measured(tmp_path):
    cats = ColumnSentence(
        [("Big", "JJ", "B-NP"), ("cats", "NNS", "I-NP"), ("sleep", "VBP", "B-VP")]
    )
    folder = tmp_path / "conll2000"
    folder.mkdir()
    for name in ("train.txt", "test.txt"):
        write_columns([cats] * 10, folder / name, separator="space")
    arguments = ["--tasks", "chunking", "--data", tmp_path, "--repeat", "1"]
    runs, done = runs_of(tmp_path, "labeling", *arguments)
    by_system = {run["system"]: run for run in runs}
    ours = by_system["treaty"]
    assert ours["F1"] == 1.0 and ours["tokens per second"] > 0 and ours["training seconds"] > 0
    assert ours["training megabytes"] > 10 and ours["model bytes"] > 100
    if "crfsuite-ap" in by_system:
        assert by_system["crfsuite-ap"]["F1"] == 1.0
    else:
        assert "python-crfsuite is not installed" in done.stderr
    assert "| chunking | treaty |" in done.stdout
