"""``treaty induce`` as a user meets it: what it prints where, and how it exits."""

import json
import random
import signal
import subprocess
import sys
import time

import pytest

from treaty.induce import Grammar, GrammarParser
from treaty.solve import Certificate
from treaty.text import read_conllu

TAGS = "N V\nN V N\nA N V\nV N\n"
ROWS = "1 cats _ NOUN _ _ 2 _ _ _\n2 sleep _ VERB _ _ 0 _ _ _\n3 . _ PUNCT _ _ 2 _ _ _\n\n"
KEYS = list(Certificate.exact(0.0).to_dict())


@pytest.fixture
def tags(tmp_path):
    path = tmp_path / "tags.txt"
    path.write_text(TAGS)
    return path


def test_text_is_a_certificate_and_a_grammar(run, tags):
    code, out, err = run("induce", tags)
    lines = out.splitlines()
    named = [*KEYS, "open_nodes", "method", "sentences", "tokens", "tags"]
    assert [line.split("\t")[0] for line in lines[:12]] == [f"# {name}" for name in named]
    assert lines[0] == "# status\tOPTIMAL"
    assert "root V\t1" in lines
    assert (code, err) == (0, "")


@pytest.mark.parametrize("method", ["branch-and-bound", "viterbi-em", "em"])
def test_json_has_the_result(run, tags, method):
    code, out, _ = run("induce", tags, "--method", method, "--format", "json")
    record = json.loads(out)
    assert list(record["certificate"]) == KEYS
    assert record["method"] == method
    assert record["sentences"] == 4
    assert (record["certificate"]["bound"] is None) == (method != "branch-and-bound")
    assert code == 0


def test_standard_input_and_limits(run, stdin):
    stdin("A B C A B C A\nB C A A B A C\nC C A B A B A\nA B C B A C A\n" * 2)
    code, out, err = run("induce", "-", "--iterations", "1", "--format", "json")
    assert code == 4
    assert json.loads(out)["certificate"]["status"] == "FEASIBLE"
    assert "stopped at a limit: the gap is" in err


def test_files_and_accuracy(run, tmp_path):
    corpus = tmp_path / "some.conllu"
    corpus.write_text(ROWS.replace(" ", "\t") * 3)
    folder = tmp_path / "out"
    plot = tmp_path / "bounds.svg"
    code, out, _ = run("induce", corpus, "--folder", folder, "--plot", plot, "--format", "json")
    assert code == 0
    record = json.loads(out)
    assert record["certificate"]["objective"] == 0.0
    assert record["accuracy"] in (0.0, 1.0)
    assert record["undirected"] >= 0.5
    assert GrammarParser.load(folder / "grammar.treaty").grammar.tags == ("NOUN", "VERB")
    assert Grammar.from_text(folder / "grammar.txt").tags == ("NOUN", "VERB")
    assert [s.words for s in read_conllu(folder / "parses.conllu")] == [["cats", "sleep"]] * 3
    assert plot.stat().st_size > 1000
    code, out, _ = run(
        "evaluate",
        folder / "gold.conllu",
        folder / "parses.conllu",
        "--undirected",
        "--format",
        "json",
    )
    assert json.loads(out)["dependencies"]["directed"]["value"] == record["accuracy"]


def test_checkpoints(run, tags, tmp_path):
    folder = tmp_path / "search"
    code, out, _ = run("induce", tags, "--checkpoint", folder, "--format", "json")
    assert code == 0
    again_options = ("--checkpoint", folder, "--resume")
    code, again, _ = run("induce", tags, *again_options, "--format", "json")
    assert code == 0
    first, second = json.loads(out)["certificate"], json.loads(again)["certificate"]
    assert (first["objective"], first["bound"]) == (second["objective"], second["bound"])
    code, _, err = run("induce", tags, *again_options, "--relative-gap", "0.5")
    assert code == 3
    assert "other settings" in err


def test_ctrl_c_ends_with_its_own_code_and_resume_goes_on(tmp_path):
    path = tmp_path / "tags.txt"
    draw = random.Random(1)  # far more than can be proved before the signal comes
    path.write_text("\n".join(" ".join(draw.choices("ABCDEFGH", k=9)) for _ in range(60)))
    command = [sys.executable, "-m", "treaty", "induce", path, "--format", "json"]
    command += ["--relative-gap", "1e-6", "-o", tmp_path / "out.json"]
    search = ["--checkpoint", tmp_path / "search"]
    with subprocess.Popen(
        [*command, *search, "--time-limit", "60"],
        stderr=subprocess.PIPE,
        text=True,
        # Shells let what they start in the background ignore the signal, tests among it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as child:
        while not (tmp_path / "search" / "claims.json").exists():
            time.sleep(0.02)
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        told = child.stderr.read()
    assert (child.returncode, told) == (130, "treaty: error: interrupted\n")
    assert not (tmp_path / "out.json").exists()
    again = subprocess.run([*command, *search, "--resume", "--time-limit", "0"], check=False)
    record = json.loads((tmp_path / "out.json").read_text())
    assert again.returncode == 4, record["certificate"]
    assert record["certificate"]["status"] == "FEASIBLE"
    assert record["certificate"]["bound"] >= record["certificate"]["objective"]


def test_constraints(run, tags, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text('share = 0.9\nedges = [["ROOT", "N"], ["N", "V"], ["V", "N"], ["N", "A"]]\n')
    code, out, _ = run("induce", tags, "--constraints", rules, "--format", "json")
    assert code == 0
    assert json.loads(out)["constraint_met"] >= 0.9
    rules.write_text('share = 1.0\nedges = [["ROOT", "A"]]\n')
    code, out, _ = run("induce", tags, "--constraints", rules, "--format", "json")
    assert json.loads(out)["certificate"]["status"] == "INFEASIBLE"
    assert json.loads(out)["certificate"]["objective"] is None
    assert code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.txt"], 3, "none.txt"),
        (["TAGS", "--method", "em", "--iterations", "3"], 2, "--iterations does not go with"),
        (["TAGS", "--method", "em", "--constraints", "x.toml"], 2, "--constraints does not go"),
        (["TAGS", "--constraints", "none.toml"], 3, "none.toml"),
        (["TAGS", "--plot", "none/x.png"], 3, "no directory"),
        (["TAGS", "--plot", "x.doc"], 2, "expected a file name that ends in"),
        (["TAGS", "--folder", "TAGS"], 3, "not a directory"),
        (["TAGS", "--checkpoint", "none", "--resume"], 3, "no search to resume"),
        (["TAGS", "--resume"], 2, "give --checkpoint DIR"),
        (["TAGS", "--max-length", "1"], 3, "at most 1 tokens"),
        (["TAGS", "--input-format", "conllu"], 3, "columns"),
        (["TAGS", "--relaxation", "magic"], 2, "magic"),
    ],
)
def test_bad_arguments(run, tags, arguments, code, message):
    found, out, err = run("induce", *[str(tags) if a == "TAGS" else a for a in arguments])
    assert (found, out) == (code, "")
    assert message in err
    assert err.count("\n") == 1


def test_the_relaxations_of_the_paper(run, tmp_path):
    path = tmp_path / "two.txt"
    path.write_text("N V\nN\n")
    code, out, _ = run("induce", path, "--relaxation", "mccormick", "--format", "json")
    ours = json.loads(run("induce", path, "--format", "json")[1])
    record = json.loads(out)
    assert code == 0
    ours, record = ours["certificate"], record["certificate"]
    assert record["objective"] == pytest.approx(ours["objective"], rel=0.01)
    assert record["bound"] >= ours["objective"] - 1e-6
