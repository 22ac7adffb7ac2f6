"""The command as a whole: help, exit codes, and whatever goes wrong told in one line."""

import gzip
import importlib.util
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import treaty
from treaty.cli import main
from treaty.graph import FactorGraph

EXAMPLES = Path(__file__).parents[2] / "examples"
WEATHER, MAP = str(EXAMPLES / "weather.fg"), str(EXAMPLES / "map.uai")


# What is refused, in one line


def refused(result, exit_code, cause):
    code, out, err = result
    assert (code, out) == (exit_code, "")
    assert re.fullmatch(r"treaty: error: [^\n]*\n", err)
    assert cause in err


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("", "<stdin>: the file is empty"),
        ("# only a comment\n", "<stdin>: the file is empty"),
        ("garbage", "<stdin>:1: expected MARKOV"),
        ("2\n1\n0.5\n", "<stdin>"),
        ("1\n0\n1e999\n", "<stdin>:3: score of variable 1: expected a finite number"),
        ("MARKOV\n2\n2 2\n1\n2 0 1\n4\n1 2 3", "<stdin>:6: expected the size of the table"),
        (b"\x00\xff\xfe" * 100, "<stdin>:1: not a text file"),
        (gzip.compress(b"1\n0\n1\n", mtime=0)[:-9], "<stdin>: the compressed data"),
    ],
)
def test_damaged_input_exits_with_3(run, stdin, content, cause):
    stdin(content)
    refused(run("solve", "-"), 3, cause)


@pytest.mark.parametrize(
    ("path", "cause"),
    [("no-such-file.fg", "No such file"), (".", "directory"), ("a\nb.uai", "No such file")],
)
def test_what_is_no_file_exits_with_3(run, path, cause):
    refused(run("solve", path), 3, cause)


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (["solve"], "Missing argument 'PROBLEM' (see 'treaty solve --help')"),
        (["nonsense"], "No such command 'nonsense'"),
        (["solve", WEATHER, "--nonsense"], "treaty solve has no option --nonsense (see"),
        (["solve", WEATHER, "--method", "magic"], "'--method'"),
        (["solve", WEATHER, "--format", "xml"], "'--format'"),
        (["solve", WEATHER, "--time-limit", "-1"], "'--time-limit'"),
        (["solve", WEATHER, "--gap", "nan"], "gap"),
        (["solve", WEATHER, "--iterations", "many"], "'--iterations'"),
        (["solve", WEATHER, "--tolerance", "0"], "tolerance must be positive"),
        (["solve", WEATHER, "--all", "--threads", "0"], "'--threads'"),
        (["solve", WEATHER, "--all", "--trace", "x.csv"], "leave out --all"),
        (["solve", WEATHER, "--trace", "-"], "give --output FILE too"),
        (["solve", WEATHER, "--plot", "x.gif"], "ends in .png, .svg, .pdf"),
    ],
)
def test_usage_exits_with_2(run, tmp_path, monkeypatch, arguments, cause):
    monkeypatch.chdir(tmp_path)
    refused(run(*arguments), 2, cause)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (["--output", "."], "it is a directory"),
        (["--trace", "no/such/x.csv"], "there is no directory"),
        (["--plot", "no/such/x.png"], "there is no directory"),
    ],
)
def test_what_cannot_be_written_exits_with_3(run, tmp_path, monkeypatch, arguments, cause):
    monkeypatch.chdir(tmp_path)
    refused(run("solve", WEATHER, *arguments), 3, cause)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("flag", ["--output", "--trace"])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_exits_with_3(run, tmp_path, flag):
    other = ["--output", tmp_path / "out"] if flag == "--trace" else []
    refused(run("solve", WEATHER, *other, flag, "/dev/full"), 3, "No space left")


def test_a_plot_without_matplotlib_says_how_to_get_it(run, tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    refused(run("solve", WEATHER, "--plot", tmp_path / "x.png"), 2, "pip install 'treaty[plot]'")


def test_too_large_for_exhaustive_search(run, stdin):
    stdin("40\n0\n" + "1\n" * 40)
    refused(run("solve", "-", "--method", "exhaustive"), 1, "more than the limit")


@pytest.mark.parametrize(
    ("failure", "exit_code", "cause"),
    [
        (MemoryError, 1, "out of memory"),
        (KeyboardInterrupt, 130, "interrupted"),
        (lambda: treaty.ModelError("no"), 5, "no"),
    ],
)
def test_other_failures_are_one_line_too(run, monkeypatch, failure, exit_code, cause):
    def fail(*_arguments, **_options):
        raise failure()

    monkeypatch.setattr(FactorGraph, "solve", fail)
    refused(run("solve", WEATHER), exit_code, cause)


def test_a_warning_is_a_note_of_one_line(run, monkeypatch):
    def warn(*_arguments, **_options):
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.warn("only 1 of 8 threads\ncould be started", RuntimeWarning, stacklevel=1)
        raise treaty.ModelError("no")

    monkeypatch.setattr(FactorGraph, "solve", warn)
    _, _, told = run("solve", WEATHER)
    assert told.splitlines()[0] == "treaty: note: only 1 of 8 threads could be started"


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["parse", "a b", "--words", "3"],
         "treaty parse has no option --words; treaty summarize, treaty compress, "
         "treaty evaluate and treaty train summarizer have it"),
        (["solve", WEATHER, "--relative-gap", "1"], "; treaty induce has it"),
        (["parse", "a b", "--input", "tokens"], "did you mean --input-format?"),
        (["train", "tagger", "--out", "x"], "did you mean --output?"),
        (["parse", "a b", "--output", "json"], "did you mean --format json?"),
        (["prase", "a b"], "Did you mean 'parse'?"),
        (["train", "threads"], "'treaty train linker' trains models for threads"),
    ],
)  # fmt: skip
def test_a_wrong_option_gets_a_hint(run, arguments, hint):
    refused(run(*arguments), 2, hint)


# The command from outside


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "treaty", *arguments], capture_output=True, timeout=60, **options
    )


def test_version_and_help(run):
    assert run("--version") == (0, f"treaty {treaty.__version__}\n", "")
    for arguments in ([], ["--help"], ["solve", "--help"], ["solve", "-h"]):
        code, out, err = run(*arguments)
        assert (code, err) == (0, "")
        assert "Examples:\n" in out
        assert "treaty solve weather.fg\n" in out


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        (["--version"], 0),
        (["solve", WEATHER], 0),
        (["solve", WEATHER, "--method", "magic"], 2),
        (["solve", "no-such-file.fg"], 3),
        (["solve", MAP, "--iterations", "5"], 4),
    ],
)
def test_exit_codes_reach_the_shell(arguments, exit_code):
    done = command(*arguments)
    assert done.returncode == exit_code
    assert b"Traceback" not in done.stderr


def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    problem = tmp_path / "many.fg"
    problem.write_text("50000\n0\n" + "1\n" * 50000)
    run = [sys.executable, "-m", "treaty", "solve", str(problem)]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout.readline() == b"# status\tOPTIMAL\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


def test_nothing_heavy_is_imported_before_a_command_runs():
    code = (
        "import sys; from treaty.cli import main; main(['--version']); "
        "print({'numpy', 'highspy', 'matplotlib', 'rich', 'treaty._native'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == "set()"


def test_ctrl_c_while_modules_are_imported(capsys, monkeypatch):
    class Press:
        def find_spec(self, name, *_):
            if name == "treaty.cli._main":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "treaty.cli._main", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Press(), *sys.meta_path])
    assert main(["--version"]) == 130
    assert capsys.readouterr() == ("", "treaty: error: interrupted\n")
