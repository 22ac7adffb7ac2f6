"""What the classifier of lemmas learns from, and how its training goes."""

from collections import Counter

from treaty.corpus import Sentence, Token
from treaty.parse import Lemmatizer
from treaty.parse._lemma_dictionary import LemmaDictionary, Word
from treaty.parse._lemmatizer_training import learned_from

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
