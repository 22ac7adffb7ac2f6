"""Parts of a run on a cluster are worked on as by the command."""

from __future__ import annotations

from treaty.errors import InputError
from treaty.tasks import Run, TagRequest
from treaty.tasks._part import LITERAL, TaskPart


def test_files_items_and_texts(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Cats sleep.")
    part = TaskPart("tag", TagRequest().to_dict(), "conllu")
    texts: list[str] = []
    for content, kind in ((str(path), "text"), (str(path), LITERAL), (str(path), "tokens")):
        report = part(content, texts.append, kind)
        assert report["results"] == 1
        assert report["faults"] == []
    assert texts[0] == texts[1] != texts[2]
    part.task.request = TagRequest()
    sentences = list(part.task.read([str(path)]))
    part(sentences, texts.append)
    assert texts[3] == texts[0]


def test_faults_and_notes_are_reported_and_taken_over():
    run = Run()
    run.fault(InputError("bad", path="x", line=3))
    run.note("look")
    run.tally["long"] += 1
    report = run.report()
    assert report == {
        "results": 0, "stopped": 0, "gap": 0.0, "notes": ["look"], "tally": {"long": 1},
        "faults": [{"path": "x", "line": 3, "message": "x:3: bad"}],
    }  # fmt: skip
    whole = Run()
    whole.take(report)
    whole.take(report)
    assert whole.notes == ["look"]
    assert whole.tally["long"] == 2
    assert [str(error.path) for error in whole.faults] == ["x", "x"]
