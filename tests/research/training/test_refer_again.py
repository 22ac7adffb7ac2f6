"""References of shipped models: the hashes of the models they need are those of the files."""

import treaty
from research.training.refer_again import main
from treaty.learn import ModelFile, needs


def test_shipped_models_refer_to_the_shipped_models():
    found = {m.name: ModelFile.read(m.path).header.get("needs") for m in treaty.models()}
    assert found["entities"] == found["summarizer"] == needs("english")


def test_renewing_changes_nothing_if_nothing_changed(tmp_path, monkeypatch):
    written = {}
    monkeypatch.setattr(ModelFile, "write", lambda file, path: written.update({path: file}))
    main()
    assert {path.stem for path in written} == {"entities", "summarizer"}
    assert all(file.to_bytes() == path.read_bytes() for path, file in written.items())
