import sys

import pytest

from research.training import renew_lists
from treaty import load
from treaty.parse import Pipeline


@pytest.fixture
def model(tmp_path, monkeypatch):
    path = tmp_path / "english.treaty"
    pipeline = load("english")
    before = pipeline.parser.label_model.exclusions
    pipeline.tokenizer.abbreviations.add(["Zzz."])
    pipeline.parser.learn_exclusions([])
    pipeline.save(path)
    pipeline.parser.label_model.exclusions = before
    monkeypatch.setattr(renew_lists, "MODEL", path)
    monkeypatch.setattr(renew_lists, "SOURCES", {"toy": ("train", "")})
    return path


def test_lists_are_renewed_and_weights_stay(model, tmp_path, monkeypatch):
    rows = "1\ta\t_\tNOUN\t_\t_\t2\tobj\t_\t_\n2\tb\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    folder = tmp_path / "data" / "toy"
    folder.mkdir(parents=True)
    (folder / "train.conllu").write_text(rows * 40, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["renew_lists", "--data", str(tmp_path / "data")])
    old = Pipeline.load(model)
    renew_lists.main()
    new = Pipeline.load(model)
    known = new.tokenizer.abbreviations
    assert known.class_of("Zzz.") == "never" and known.class_of("Cir.") == "never"
    (first,), (second,) = new.parser.label_model.exclusions
    assert new.parser.labels[first] == new.parser.labels[second] == "obj"
    assert not len(old.parser.label_model.exclusions[0])
    weights = (p.parser.label_model.weights.values for p in (old, new))
    assert next(weights).tobytes() == next(weights).tobytes()
