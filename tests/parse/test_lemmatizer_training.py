"""What the classifier of lemmas learns from, and how its training goes."""

import os
import signal
from collections import Counter
from multiprocessing import get_context

import pytest

from treaty.parse import Lemmatizer
from treaty.parse._lemma_dictionary import LemmaDictionary, Word
from treaty.parse._lemmatizer_training import learned_from
from treaty.text import Sentence, Token

NOUNS = ("cat", "dog", "bird", "girl", "train")


def sentence(*words):
    return Sentence([Token(form, lemma, upos) for form, lemma, upos in words])


PLURALS = [sentence((f"{noun}s", noun, "NOUN")) for noun in NOUNS]
IS, HAS = (sentence(("it", "it", "PRON"), ("'s", lemma, "AUX")) for lemma in ("be", "have"))
ERROR = sentence(("it", "its", "PRON"))


def dictionary_of(sentences):
    lemmas = {}
    for token in (token for sentence in sentences for token in sentence):
        word = Word(token.form, token.upos, token.xpos, token.feats)
        lemmas.setdefault(word, Counter())[token.lemma] += 1
    return LemmaDictionary.of(lemmas)


def test_words_count_once_and_unclear_words_each_time():
    sentences = [*PLURALS * 3, *[IS, HAS] * 30, ERROR]
    dictionary = dictionary_of(sentences)
    items, gold = learned_from(dictionary, sentences)
    seen = Counter(item.word.form for item in items)
    assert {form: seen[form] for form in ("cats", "dogs")} == {"cats": 1, "dogs": 1}
    assert seen["'s"] == 60 + 1  # and once as if it were not in the dictionary
    assert seen["it"] == 1  # 'its' is taken for an error
    for item, right in zip(items, gold.tolist(), strict=True):
        lemma = item.candidates.lemmas[item.candidates.scripts.index(right)]
        assert lemma in {"cats": ["cat"], "'s": ["be", "have"]}.get(item.word.form, [lemma])


def test_scores_on_dev_data_come_after_each_epoch():
    events = []
    trained = Lemmatizer.train(PLURALS, PLURALS, epochs=2, bits=8, progress=events.append)
    assert {event.stage for event in events} == {"lemmatizer"}
    assert trained.info["scores"] == {"LEMMA": 1.0}
    assert trained.info["training"] == {"epochs": 2, "seed": 1, "batch": 1, "sentences": 5}


def test_training_depends_on_the_batch_but_not_on_threads():
    sentences = [*PLURALS, *[IS, HAS] * 9]
    one, two, other = (
        Lemmatizer.train(sentences, epochs=2, bits=8, batch=batch, threads=threads).to_bytes()
        for batch, threads in ((8, 1), (8, 2), (1, 1))
    )
    assert one == two != other


def test_one_lemma_for_all_words_leaves_nothing_to_learn():
    trained = Lemmatizer.train([sentence(("hush", "hush", "INTJ"))], epochs=1, bits=8)
    (found,) = trained.predict([sentence(("Hush", "_", "INTJ"), ("Oslo", "_", "PROPN"))])
    assert found.tokens[0].lemma == "hush"


@pytest.mark.parametrize("moments", [(1,), (2,), (5,), (3, 2, 1)])
def test_a_training_that_is_killed_goes_on_to_the_same_bytes(tmp_path, moments):
    sentences, checkpoint = [*PLURALS, *[IS, HAS] * 9], tmp_path / "c"
    options = {"dev": PLURALS, "epochs": 6, "bits": 8, "batch": 4}
    whole = Lemmatizer.train(sentences, **options).to_bytes()

    def train(killed_at):
        left = iter(range(killed_at))

        def progress(_event):
            if next(left, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)

        Lemmatizer.train(
            sentences, **options, checkpoint=checkpoint, resume=True, progress=progress
        )

    for moment in moments:
        child = get_context("fork").Process(target=train, args=(moment,))
        child.start()
        child.join()
        assert child.exitcode == -signal.SIGKILL
        assert checkpoint.parent.joinpath("c").exists() or moment < 2
    events = []
    resumed = Lemmatizer.train(
        sentences, **options, checkpoint=checkpoint, resume=True, progress=events.append
    )
    assert resumed.to_bytes() == whole
    if max(moments) > 2:
        full = []
        Lemmatizer.train(sentences, **options, progress=full.append)
        assert len(events) < len(full)  # it went on, and did not begin again
