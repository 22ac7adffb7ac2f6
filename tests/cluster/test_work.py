"""What workers do with parts, in this process."""

from __future__ import annotations

import json

import pytest

from treaty import FactorGraph
from treaty.cluster._work import Documents, Predicting, Solving
from treaty.text import Sentence


def test_any_model_predicts(tmp_path):
    lines: list[str] = []
    work = Predicting("english", {})
    sentence = Sentence.from_words(["Cats", "sleep"])
    assert work([sentence], lines.append) == {"results": 1, "faults": []}
    path = tmp_path / "in.conllu"
    path.write_text(sentence.to_conllu())
    work(str(path), lines.append)
    assert lines[0] == lines[1]


def test_documents_of_a_file_are_its_lines(tmp_path):
    (tmp_path / "in.txt").write_text("Cats sleep.\nDogs bark.\n")
    lines: list[str] = []
    Documents("english", {})(str(tmp_path / "in.txt"), lines.append)
    assert [json.loads(line)["text"] for line in lines] == ["Cats sleep.", "Dogs bark."]


def test_graphs_are_solved_up_to_a_damaged_one(tmp_path):
    graph = FactorGraph()
    graph.variables([1.0, -1.0])
    lines: list[str] = []
    assert Solving("ad3", {})([graph], lines.append)["results"] == 1
    (tmp_path / "in.fg").write_text("1\n0\n0.5\n\n1\n0\nx\n")
    report = Solving("ad3", {})(str(tmp_path / "in.fg"), lines.append)
    assert report["results"] == 1
    (fault,) = report["faults"]
    assert fault["line"] == 7
    assert json.loads(lines[1])["certificate"]["objective"] == pytest.approx(0.5)
