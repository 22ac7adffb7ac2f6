"""Models as tables and records."""

from pathlib import Path

import numpy as np
import pytest

from treaty.learn import InstalledModel, ModelFile
from treaty.show import model_record, model_text, models_text, score_text, scores_line

DANISH = InstalledModel(
    "danish", "parser", "Danish", "a treebank", "CC0", 1_234_567, {"LAS": 0.875}, Path("d.treaty")
)
BARE = InstalledModel("bare", "toy", None, None, None, 12, {}, Path("b.treaty"))


def test_a_row_for_each_model_and_what_does_not_fit():
    table, danish, bare = models_text([DANISH, BARE]).split("\n\n")
    assert [line.split() for line in table.splitlines()] == [
        ["name", "task", "language", "size", "license"],
        ["danish", "parser", "Danish", "1.23", "MB", "CC0"],
        ["bare", "toy", "-", "12", "B", "-"],
    ]
    assert danish == "danish: a treebank\n  LAS 87.50 %"
    assert bare == "bare: the file does not give its data\n"


def test_long_entries_are_counted():
    header = {
        "labels": [str(n) for n in range(1200)],
        "few": ["a", "b"],
        "note": "x" * 500,
        "parts": [{"name": "n", "tags": ["t"] * 9}, []],
    }
    record = model_record(ModelFile("toy", header, {"w": np.zeros(3)}, "m.treaty"))
    assert record == {
        "file": "m.treaty",
        "task": "toy",
        "labels": "1,200 entries",
        "few": ["a", "b"],
        "note": f"{'x' * 200}… (500 characters)",
        "parts": [{"name": "n", "tags": "9 entries"}, []],
        "tensors": {"count": 1, "bytes": 24},
    }


def test_a_line_for_each_entry():
    header = {"info": {"data": "two\nlines"}, "parts": [{"a": 1}, ["b", "c"]], "none": None}
    lines = model_text(ModelFile("toy", header, {}, "m.treaty")).splitlines()
    assert [line.split("  ")[0] for line in lines] == [
        "file", "task", "info.data", "parts.1.a", "parts.2", "none", "tensors.count",
        "tensors.bytes",
    ]  # fmt: skip
    values = [line.rsplit("  ", 1)[1].strip() for line in lines]
    assert values == ["m.treaty", "toy", "two lines", "1", "b, c", "None", "0", "0 B"]


@pytest.mark.parametrize(
    ("score", "text"),
    [(0.5, "50.00 %"), (1, "100.00 %"), (0, "0.00 %"), (4.3197, "4.32"), ("x", "x")],
)
def test_shares_are_in_percent(score, text):
    assert score_text(score) == text
    assert scores_line({"a": score, "b": score}) == f"a {text}; b {text}"
