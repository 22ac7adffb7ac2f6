"""Entity labelers in files: bounds of what is read, and language models."""

import pytest

from treaty.errors import ModelError
from treaty.label.entities import EntityLabeler
from treaty.learn import ModelFile, is_installed, needs
from treaty.parse import Pipeline, Tagger
from treaty.text import Sentence


def changed(labeler, **header):
    """Read what was written, with entries of the header replaced."""
    file = labeler.to_file()
    return EntityLabeler.from_file(ModelFile(file.task, {**file.header, **header}, file.tensors))


def with_settings(labeler, **settings):
    name = settings.get("language_model") or ""
    own = {"needs": needs(name)} if is_installed(name) else {}
    return changed(labeler, settings={**labeler.to_file().header["settings"], **settings}, **own)


def test_what_is_written_is_read(labeler):
    made = EntityLabeler.from_bytes(labeler.to_bytes())
    assert (made.types, made.settings, made.info) == (labeler.types, labeler.settings, labeler.info)
    assert made.stop_words == labeler.stop_words
    assert made.features.templates == labeler.features.templates
    assert made.features.clusters.paths == labeler.features.clusters.paths
    assert "crf" not in labeler.to_file().header


@pytest.mark.parametrize(
    ("key", "value", "cause"),
    [
        ("types", [], "types: expected a list of strings .1 to 64"),
        ("types", ["X"] * 100_000, "types: expected a list of strings .1 to 64"),
        ("types", ["PER", "PER"], "twice|duplicates"),
        ("templates", ["w.nothing"], "no column"),
        ("templates", [], "at least one template"),
        ("gazetteers", [], "gazetteers.lists: expected numbers from"),
        ("gazetteers", ["a"] * 65, "found 65"),
    ],
)
def test_headers_beyond_bounds_are_refused(labeler, key, value, cause):
    with pytest.raises(ModelError, match=cause):
        changed(labeler, **{key: value})


@pytest.mark.parametrize(
    ("settings", "cause"),
    [
        ({"scheme": "XYZ"}, "unknown scheme"),
        ({"order": 7}, "order: expected one of chain, global, found 7"),
        ({"longest_phrase": 99}, "longest_phrase: expected an integer from 1 to 8"),
        ({"more": 1}, "settings: expected scheme, order"),
        ({"tags": True}, "there is no tagger"),
    ],
)
def test_settings_beyond_bounds_are_refused(labeler, settings, cause):
    with pytest.raises(ModelError, match=cause):
        with_settings(labeler, **settings)


# Language models


@pytest.fixture(scope="module")
def own_model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "toy.treaty"
    sample = Pipeline.sample()
    Pipeline.train(sample.examples, **sample.options).save(path)
    return path


def test_names_in_files_lead_to_installed_models_alone(labeler, own_model):
    for name in (str(own_model), "x", "", "../english", "english.treaty", "/etc/passwd"):
        with pytest.raises(ModelError, match="which is not installed"):
            with_settings(labeler, language_model=name)
    with pytest.raises(ModelError, match="a model for the task 'threads'"):
        with_settings(labeler, language_model="threads", tags=True)
    assert with_settings(labeler, language_model="english").tokenizer.task == "tokenizer"


@pytest.mark.parametrize("tags", [True, False])
@pytest.mark.parametrize("given", [lambda path: path, str, Tagger.load])
def test_a_language_model_of_ones_own_is_kept_in_the_file(messages, own_model, given, tags):
    options = {"language_model": given(own_model), "tags": tags, "epochs": 2}
    trained = EntityLabeler.train(messages[:10], **options)
    assert trained.settings.language_model is None
    made = EntityLabeler.from_bytes(trained.to_bytes())
    assert str(own_model).encode() not in trained.to_bytes()
    words = made.message("The dog sleeps.").words
    assert words == Tagger.load(own_model).tokenizer.sentences("The dog sleeps.")[0].words
    assert made.to_bytes() == trained.to_bytes()
    assert (made.features.tagger is not None) == tags
    if tags:
        sentences = [Sentence.from_words(["The", "dog", "sings"])]
        (theirs,), (ours,) = (
            tagger.predict(sentences) for tagger in (Tagger.load(own_model), made.features.tagger)
        )
        assert ours == theirs
