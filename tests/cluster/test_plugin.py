"""Models come to workers that lack them."""

from __future__ import annotations

import shutil

from treaty.cluster import map_sentences
from treaty.cluster._models import file_hash, missing_models
from treaty.cluster._plugin import ModelPlugin
from treaty.label import ThreadLinker
from treaty.learn._registry import model_path
from treaty.text import Sentence


def test_a_file_by_path_is_sent_by_its_hash(cluster, tmp_path):
    """The workers cannot know the file: it is removed once its bytes were read."""
    path = tmp_path / "mine.treaty"
    shutil.copy(model_path("threads"), path)
    models = {str(path): file_hash(path)}
    plugin = ModelPlugin(models, {models[str(path)]: path.read_bytes()})
    path.unlink()
    assert all(cluster.client.run(missing_models, models).values())
    cluster.client.register_plugin(plugin)
    assert not any(cluster.client.run(missing_models, models).values())
    assert ThreadLinker.task == "threads"


def test_a_model_of_your_own_is_used_by_workers(cluster, tmp_path):
    path = tmp_path / "own.treaty"
    shutil.copy(model_path("english"), path)
    (found,) = map_sentences(cluster, [Sentence.from_words(["Cats", "sleep"])], str(path))
    (wanted,) = map_sentences(cluster, [Sentence.from_words(["Cats", "sleep"])], "english")
    assert found == wanted
