"""``treaty evaluate`` as a user meets it: what it prints where, and how it exits."""

import gzip

import pytest
from tests.cli.data import table


def test_standard_input_compression_conllx_and_output(run, stdin, tree_files, tmp_path):
    stdin(tree_files["system"].read_bytes())
    packed, result = tmp_path / "gold.gz", tmp_path / "scores.txt"
    packed.write_bytes(gzip.compress(tree_files["gold"].read_bytes()))
    code, out, _ = run("evaluate", packed, "-", "--input-format", "conllx", "-o", result)
    assert (code, out) == (0, "")
    assert table(result.read_text())["UAS"][0] == "90.00"


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (["-", "-"], "only one file can be standard input"),
        (["x", "-", "--against", "-"], "only one file can be standard input"),
        (["x", "y", "--by", "color"], "'--by'"),
        (["x", "y", "-o", "text"], "did you mean --format text?"),
        (["x"], "give SYSTEM, a file of predictions, or --model"),
    ],
)
def test_usage_exits_with_2(run, options, cause):
    code, out, err = run("evaluate", *options)
    assert (code, out) == (2, "")
    assert cause in err
