from tests.research.benchmarks.running import runs_of

from treaty.text import Sentence, write_conllu


def test_parsers_are_trained_and_measured(tmp_path):
    cats = Sentence.from_words(["Cats", "sleep"]).with_tree([2, 0], ["nsubj", "root"])
    treebank = tmp_path / "t.conllu"
    write_conllu([cats] * 20, treebank)
    arguments = ["--train", treebank, "--train-sentences", "10", "--repeat", "1"]
    runs, done = runs_of(tmp_path, "parsing", treebank, *arguments)
    by_name = {run["run"]: run for run in runs}
    parsing = [by_name[f"treaty, {order}"] for order in ("first", "second", "third")]
    assert all(run["words"] == 40 for run in parsing)
    assert all(run["seconds"] > run["seconds to load"] > 0 for run in parsing)
    speeds = ("tokens per second", "tokens per second without loading")
    assert all(run[speeds[1]] > run[speeds[0]] > 0 for run in parsing)
    assert all(run["megabytes"] > 10 and run["model bytes"] > 1000 for run in parsing)
    assert by_name["training, third, one epoch on 10 sentences"]["words"] == 20
    assert "| treaty, third | 40 |" in done.stdout
