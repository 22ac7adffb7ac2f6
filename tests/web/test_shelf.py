import threading

import pytest

from treaty.web._shelf import Shelf, UnknownModelError


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../english", "english.treaty", "", "nonsense", "\0", "a" * 10_000]
)
def test_only_installed_names_are_known(shelf, name):
    for get in (shelf.pipeline, shelf.tagger, shelf.labeler, shelf.linker, shelf.load):
        with pytest.raises(UnknownModelError, match="there is no model"):
            get(name)
    with pytest.raises(UnknownModelError):
        shelf.summarizer("summarizer", parser=name or "?")


def test_a_model_must_fit_its_task(shelf):
    with pytest.raises(UnknownModelError, match="is for the task 'pipeline', not for 'entities'"):
        shelf.labeler("english")


def test_models_are_loaded_once_and_shared(shelf):
    assert shelf.pipeline("english") is shelf.pipeline("english")
    assert shelf.summarizer("summarizer").pipeline is shelf.pipeline("english")
    assert shelf.tagger("english").taggers == shelf.pipeline("english").tagger.taggers
    assert shelf.summarizer("simple").pipeline is shelf.pipeline("english")


def test_a_tagger_of_the_shelf_finds_lemmas(shelf):
    tagger = shelf.tagger("english")
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
