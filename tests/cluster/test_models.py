"""Models on workers: by name and hash."""

from __future__ import annotations

import hashlib

import pytest

from treaty.cluster import _models
from treaty.cluster._models import (
    cached_work,
    file_hash,
    hashes_of,
    kept_model,
    missing_models,
    named,
)
from treaty.errors import ModelError, UsageError
from treaty.learn._registry import model_path


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TREATY_CLUSTER_MODELS", str(tmp_path / "kept"))
    monkeypatch.setattr(_models, "_WORKS", {})


def test_a_model_is_known_by_name_and_content():
    hashes = hashes_of(["threads"])
    assert hashes == {"threads": hashlib.sha256(model_path("threads").read_bytes()).hexdigest()}
    assert named("threads", hashes["threads"]) == "threads"
    assert missing_models(hashes) == []
    assert missing_models({"threads": "0" * 64, "unheard-of": "1" * 64}) == [
        "threads",
        "unheard-of",
    ]


def test_a_file_that_was_sent_takes_the_place_of_a_name():
    data = model_path("threads").read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    path = kept_model(data, sha256)
    assert path.stem == sha256
    assert named("mine", sha256) == str(path)
    path.write_bytes(data[:-1])  # damaged since
    assert named("mine", sha256) is None


def test_what_is_no_model_file_is_not_kept(tmp_path):
    with pytest.raises(ModelError, match="damaged on its way"):
        kept_model(b"x", "0" * 64)
    with pytest.raises(ModelError):
        kept_model(b"import os", hashlib.sha256(b"import os").hexdigest())
    assert not list((tmp_path / "kept").glob("*"))


def test_a_model_is_loaded_once(tmp_path):
    mark = tmp_path / "mark"
    settings = {"mark": str(mark)}
    one = cached_work("tests.cluster.works:Shouting", settings, {}, "a")
    assert cached_work("tests.cluster.works:Shouting", settings, {}, "a") is one
    cached_work("tests.cluster.works:Shouting", settings, {}, "b")
    assert len(mark.read_text().splitlines()) == 2


def test_a_worker_without_the_model_says_so():
    with pytest.raises(UsageError, match="has no model 'mine' with the hash 0000"):
        cached_work("tests.cluster.works:Shouting", {"model": "mine"}, {"mine": "0" * 64}, "c")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ModelError, match="cannot be read"):
        file_hash(tmp_path / "none.treaty")
