import threading

import pytest

from treaty.label import EntityLabeler, ThreadLinker
from treaty.learn import Model
from treaty.parse import Pipeline, Tagger
from treaty.summarize import SimpleScorer, Summarizer
from treaty.web._shelf import Shelf, UnknownModelError


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../english", "english.treaty", "", "nonsense", "\0", "a" * 10_000]
)
def test_only_installed_names_are_known(shelf, name):
    for kind in (Pipeline, Tagger, EntityLabeler, ThreadLinker, Summarizer, Model):
        with pytest.raises(UnknownModelError, match="there is no model"):
            shelf.load(kind, name)
    with pytest.raises(UnknownModelError):
        shelf.with_parser(shelf.load(Summarizer, "summarizer"), name or "?")


def test_a_model_must_fit_its_task(shelf):
    with pytest.raises(UnknownModelError, match="is for the task 'pipeline', not for 'entities'"):
        shelf.load(EntityLabeler, "english")


def test_models_are_loaded_once_and_shared(shelf):
    pipeline = shelf.load(Pipeline, "english")
    assert pipeline is shelf.load(Pipeline, "english")
    assert shelf.load(Tagger, "english").taggers == pipeline.tagger.taggers
    assert shelf.load(Tagger, "english") is shelf.load(Tagger, "english")
    for summarizer in (shelf.load(Summarizer, "summarizer"), Summarizer(SimpleScorer())):
        assert shelf.with_parser(summarizer, None).pipeline is pipeline
        assert shelf.with_parser(summarizer, "english").pipeline is pipeline


def test_a_tagger_of_the_shelf_finds_lemmas(shelf):
    tagger = shelf.load(Tagger, "english")
    (cats,) = tagger.predict(tagger.tokenizer.sentences("Cats sleep."))
    assert [token.lemma for token in cats] == ["cat", "sleep", "."]


def test_two_requests_at_once_load_a_model_once():
    shelf, made = Shelf(), []
    started = threading.Barrier(4)

    def make():
        made.append(object())
        return made[-1]

    def ask():
        started.wait()
        shelf._once("task", "name", make)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
