"""The part of a command that workers do."""

from __future__ import annotations

from treaty.cli._tag import Tagging
from treaty.cli._work import LITERAL, PartJob
from treaty.errors import InputError

SETTINGS = {
    "model": "english", "lines": "auto", "abbreviations": None, "shown": "conllu",
    "options": {"threads": 1, "confidences": False},
}  # fmt: skip


def test_work_is_done_on_files_items_and_texts(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Cats sleep.")
    work = Tagging(**SETTINGS)
    texts: list[str] = []
    for content, kind in ((str(path), "text"), (str(path), LITERAL), (str(path), "tokens")):
        report = work(content, texts.append, kind)
        assert report["results"] == 1
        assert report["faults"] == []
    assert texts[0] == texts[1] != texts[2]
    sentences = list(work.read([str(path)], "text", PartJob()))
    work(sentences, texts.append)
    assert texts[3] == texts[0]


def test_what_would_be_told_is_kept():
    job = PartJob()
    job.fault(InputError("bad", path="x", line=3))
    job.note("look")
    job.tally["long"] += 1
    assert job.report() == {
        "results": 0, "stopped": 0, "gap": 0.0, "notes": ["look"], "tally": {"long": 1},
        "faults": [{"path": "x", "line": 3, "message": "x:3: bad"}],
    }  # fmt: skip
