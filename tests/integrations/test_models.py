"""Models that are loaded once."""

import pytest

import treaty
from treaty.integrations._models import model_of
from treaty.label import ThreadLinker
from treaty.parse import Tagger


def test_a_name_is_loaded_once():
    linker = model_of("threads", ThreadLinker)
    assert model_of("threads", ThreadLinker) is linker
    assert model_of(linker, ThreadLinker) is linker


def test_a_file_that_changes_is_loaded_again(tmp_path):
    sample = Tagger.sample()
    path = tmp_path / "tags.treaty"
    Tagger.train(sample.examples, **sample.options).save(path)
    first = model_of(path, Tagger)
    assert model_of(str(path), Tagger) is first
    Tagger.train(sample.examples, **{**sample.options, "bits": 11}).save(path)
    assert model_of(path, Tagger).to_file().tensors.keys() == first.to_file().tensors.keys()
    assert model_of(path, Tagger) is not first


def test_other_tasks_and_missing_files_are_refused(tmp_path):
    with pytest.raises(treaty.UsageError, match="task 'tagger', got one for 'threads'"):
        model_of("threads", Tagger)
    with pytest.raises(treaty.UsageError, match="got one for 'int'"):
        model_of(3, Tagger)
    with pytest.raises(treaty.ModelError, match="cannot be read"):
        model_of(tmp_path / "no.treaty", Tagger)
