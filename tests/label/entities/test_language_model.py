"""Which language models are installed, and which a labeler keeps itself."""

from pathlib import Path

import pytest

from treaty.errors import ModelError
from treaty.label.entities._language_model import own_tagger
from treaty.learn import model_path
from treaty.parse import Tagger


def test_installed_models_are_not_kept():
    assert own_tagger("english") is own_tagger(None) is None


def test_files_are_kept_though_an_installed_model_is_the_same():
    assert isinstance(own_tagger(model_path("english")), Tagger)


def test_files_that_are_not_there_are_refused(tmp_path: Path):
    with pytest.raises(ModelError):
        own_tagger(tmp_path / "missing.treaty")
    with pytest.raises(ModelError, match="there is no model 'danish'"):
        own_tagger("danish")
