"""Lemmas of words that were seen, of words that were not, and of anything else."""

import pytest

from treaty.errors import ModelError, UsageError
from treaty.learn import ModelFile
from treaty.parse import Lemmatizer, Pipeline, Tagger
from treaty.text import Sentence, Token

REGULAR = ["cat", "dog", "bird", "girl", "train", "letter", "garden", "teacher", "house", "pilot"]
ENDINGS = (("NOUN", "NN", ""), ("NOUN", "NNS", "s"), ("VERB", "VBG", "ing"), ("VERB", "VBD", "ed"))


def word(form, lemma="_", upos="NOUN", xpos="_"):
    return Token(form, lemma, upos, xpos)


def treebank():
    """Every word with all endings; 's is has before got, and is elsewhere."""
    made = [
        Sentence([word("it", "it", "PRON"), word(f"{base}{ending}", base, upos, xpos)])
        for base in REGULAR
        for upos, xpos, ending in ENDINGS
    ]
    for base in REGULAR:
        for verb, lemma in (("got", "have"), ("sees", "have"), ("gone", "be"), (base, "be")):
            tokens = [word("'s", lemma, "AUX", "VBZ"), word(verb, verb, "VERB")]
            made.append(Sentence([word("it", "it", "PRON"), *tokens]))
    names = ("Rome", "Oslo", "Bonn", "Lima", "Kyiv")
    return made + [Sentence([word(name, name, "PROPN", "NNP")]) for name in names]


LEMMATIZER = Lemmatizer.train(treebank(), epochs=8, bits=14, info={"language": "toy"})


def lemmas(*tokens):
    (found,) = LEMMATIZER.predict([Sentence(list(tokens))])
    return [token.lemma for token in found]


def test_training_data_are_known():
    assert LEMMATIZER.evaluate(treebank()) == {"LEMMA": 1.0}


def test_unknown_words_have_the_lemmas_of_words_like_them():
    found = lemmas(
        word("Ships", xpos="NNS"),
        word("PRINTED", upos="VERB", xpos="VBD"),
        word("printing", upos="VERB", xpos="VBG"),
        word("Ship", xpos="NN"),
        word("Minsk", upos="PROPN", xpos="NNP"),
    )
    assert found == ["ship", "print", "print", "ship", "Minsk"]


def test_neighbors_decide_between_lemmas():
    be = word("it", upos="PRON"), word("'s", upos="AUX", xpos="VBZ"), word("gone", upos="VERB")
    have = *be[:2], word("got", upos="VERB")
    assert (lemmas(*be)[1], lemmas(*have)[1]) == ("be", "have")


def test_inputs_and_other_columns_stay_as_they_are():
    given = Sentence([word("cats", "old", xpos="NNS")], ["# c"], [(0, "1-2\tx" + 8 * "\t_")])
    before = repr(given)
    (found,) = LEMMATIZER.predict([given])
    assert repr(given) == before
    assert found.tokens[0].lemma == "cat" and found.tokens[0].xpos == "NNS"
    assert (found.comments, found.other_lines) == (given.comments, given.other_lines)


@pytest.mark.parametrize("form", ["", "_", "s", "ing", "😀", "\ud800", "x" * 50_000, "ß", "İs"])
@pytest.mark.parametrize("upos", ["_", "NOUN", "ODD"])
def test_any_word_has_a_lemma(form, upos):
    (lemma,) = lemmas(word(form, upos=upos))
    assert lemma


def test_words_without_tags():
    found = lemmas(*[Token(form) for form in ("It", "Cats", "ships", "Oslo", "cat")])
    assert found == ["it", "cat", "ships", "Oslo", "cat"]


def test_empty_sentences_stay_empty():
    assert [len(s) for s in LEMMATIZER.predict([Sentence([]), Sentence([word("cat")])])] == [0, 1]


def test_words_without_lemmas_are_left_out():
    missing = [Sentence([word("cats", "_")]), Sentence([word("cats", "")])]
    with pytest.raises(UsageError, match="the training data have no lemmas"):
        Lemmatizer.train(missing)
    with pytest.raises(UsageError, match="the gold data have no lemmas"):
        LEMMATIZER.evaluate(missing[:1])
    trained = Lemmatizer.train([*treebank(), *missing], epochs=1, bits=10)
    assert trained.dictionary.scripts == LEMMATIZER.dictionary.scripts


def test_words_are_looked_up_once_and_not_kept_without_limit(monkeypatch):
    monkeypatch.setattr("treaty.parse._lemmatizer.MOST_KEPT", 3)
    made = Lemmatizer.from_bytes(LEMMATIZER.to_bytes())
    list(made.predict([Sentence([word(f"x{n}") for n in range(20)])]))
    assert len(made._found) <= 4


def test_files_of_pipelines_and_taggers_hold_one():
    small = {"epochs": 1, "bits": 10}
    tagger = Tagger.train(treebank(), **small)
    with pytest.raises(ModelError, match="the model has no lemmatizer"):
        Lemmatizer.from_bytes(tagger.to_bytes())
    tagger.lemmatizer = LEMMATIZER
    assert Lemmatizer.from_bytes(tagger.to_bytes()).to_bytes() == LEMMATIZER.to_bytes()
    again = Tagger.from_bytes(tagger.to_bytes())
    (found,) = again.predict([Sentence([word("cats")])])
    assert found.tokens[0].lemma in ("cat", "cats")
    assert again.evaluate(treebank()).keys() == {"UPOS", "LEMMA"}
    assert Pipeline.sample().options["lemmatizer_options"] == {"epochs": 2, "bits": 10}


@pytest.mark.parametrize(
    ("key", "value", "match"),
    [
        ("bits", 40, "bits: expected"),
        ("bits", 13, "expected 8192 weights"),
        ("templates", [], "templates: expected 1 lists"),
        ("templates", [["w.deprel"]], "no column 'deprel'"),
        ("scripts", None, "scripts: expected list"),
    ],
)
def test_faulty_files_are_refused(key, value, match):
    file = LEMMATIZER.to_file()
    with pytest.raises(ModelError, match=match):
        Lemmatizer.from_file(ModelFile(file.task, {**file.header, key: value}, file.tensors))


def test_a_file_without_templates_works():
    file = LEMMATIZER.to_file()
    bare = ModelFile(file.task, {**file.header, "templates": [[]]}, file.tensors)
    (found,) = Lemmatizer.from_file(bare).predict([Sentence([word("ships"), word("cats")])])
    assert found.tokens[1].lemma == "cat"


def test_short_forms_go_by_the_verb_after_adverbs():
    def rows(lemma, verb, tag, *between):
        middle = [Token(w, lemma=w, upos="ADV", xpos="RB") for w in between]
        return Sentence(
            [
                Token("she", lemma="she", upos="PRON", xpos="PRP"),
                Token("'d", lemma=lemma, upos="AUX", xpos="MD" if lemma == "would" else "VBD"),
                *middle,
                Token(verb, lemma=verb, upos="VERB", xpos=tag),
            ]
        )

    gold = [rows("have", "sent", "VBN", "already"), rows("would", "send", "VB", "never")]
    for sentence in gold:
        sentence.tokens[1].xpos = "MD"  # the tag does not tell
    plain = [rows("have", "sent", "VBN"), rows("would", "send", "VB")]
    for sentence in plain:
        sentence.tokens[1].xpos = "MD"
    lemmatizer = Lemmatizer.train(plain * 5, epochs=5, bits=12)
    assert lemmatizer.evaluate(gold)["LEMMA"] == 1.0
