"""Components of spaCy, against spaCy itself and the models of Treaty alone."""

import subprocess
import sys

import pytest

spacy = pytest.importorskip("spacy")

from spacy.tokens import Doc  # noqa: E402
from spacy.training import Example  # noqa: E402

import treaty  # noqa: E402
from treaty.integrations._models import model_of  # noqa: E402
from treaty.integrations.spacy import TreatyEntities, TreatyParser, TreatyTokenizer  # noqa: E402
from treaty.parse import Pipeline  # noqa: E402
from treaty.text import Sentence  # noqa: E402

OWN = {"nlp": {"tokenizer": {"@tokenizers": "treaty_tokenizer.v1"}}}
TEXTS = [
    "Ada's cat didn't sleep.  It went to London,\nand stayed there!\n\nWhy? Nobody knows.",
    "ok see u at 5 lol 😀😀",
    " \t leading space, and trailing  ",
    "El perro. 你好，世界。 مرحبا بالعالم.",
    "Hush",
    "",
    " \n ",
]


@pytest.fixture(scope="module")
def english():
    return model_of("english", Pipeline)


@pytest.fixture(scope="module")
def parser(english):
    return TreatyParser(english)


@pytest.fixture(scope="module")
def entities():
    return TreatyEntities()


def columns(doc):
    return [
        (t.text, t.idx, t.pos_, t.tag_, str(t.morph), t.lemma_, t.dep_, t.head.i, t.is_sent_start)
        for t in doc
    ]


def test_spacy_finds_the_components_by_their_names():
    code = (
        "import spacy, sys; nlp = spacy.blank('en'); nlp.add_pipe('treaty_parser'); "
        "nlp.add_pipe('treaty_entities'); doc = nlp('Ada lives in Rome.'); "
        "print(nlp.pipe_names, [t.dep_ for t in doc], [e.label_ for e in doc.ents])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "['treaty_parser', 'treaty_entities'] ['nsubj', 'ROOT', 'case', 'obl', 'punct'] "
        "['PER', 'LOC']"
    ]


@pytest.mark.parametrize("text", TEXTS)
def test_with_the_own_tokenizer_all_is_as_in_treaty(text, english, parser):
    nlp = spacy.blank("en")
    nlp.tokenizer = TreatyTokenizer(nlp.vocab, english)
    doc = parser(nlp(text))
    assert doc.text == text
    assert columns(doc) == columns(english(text).to_spacy(nlp.vocab))


@pytest.mark.parametrize("text", TEXTS)
def test_with_the_tokens_of_spacy_trees_are_those_of_the_same_words(text, english, parser):
    nlp = spacy.blank("en")
    before = nlp(text)
    doc = parser(nlp(text))
    assert [(t.text, t.whitespace_) for t in doc] == [(t.text, t.whitespace_) for t in before]
    for span, certificate in zip(doc.sents, doc._.treaty_certificates, strict=False):
        words = [token for token in span if not token.is_space]
        if not words:
            continue
        given = Sentence.from_words([token.text for token in words])
        (parse,) = english.predict([given], tags="predict")
        heads = [0 if t.head == t else words.index(t.head) + 1 for t in words]
        assert heads == parse.sentence.heads
        assert [t.pos_ for t in words] == [token.upos for token in parse.sentence]
        assert certificate["objective"] == pytest.approx(parse.objective)


def test_sentences_that_are_set_stay(parser):
    nlp = spacy.blank("en")
    text = "Dr. Who slept. He woke."
    doc = parser(nlp(text))
    assert [span.text for span in doc.sents] == ["Dr. Who slept.", "He woke."]
    words = [token.text for token in nlp(text)]
    starts = [word in ("Dr.", "slept") for word in words]
    preset = parser(Doc(nlp.vocab, words=words, sent_starts=starts))
    assert [token.text for token in preset if token.is_sent_start] == ["Dr.", "slept"]
    assert next(span.root.text for span in preset.sents) in ("Dr.", "Who")


def test_many_documents_are_as_one_by_one(parser):
    nlp = spacy.blank("en")
    one_by_one = [columns(parser(nlp(text))) for text in TEXTS]
    assert [columns(doc) for doc in parser.pipe(map(nlp, TEXTS), batch_size=2)] == one_by_one


def test_confidences(english):
    nlp = spacy.blank("en")
    doc = TreatyParser(english, confidences=True)(nlp("Time flies like an arrow."))
    assert all(0 < token._.arc_confidence <= 1 for token in doc)
    assert all(0 < token._.tag_confidence <= 1 for token in doc)
    assert TreatyParser(english)(nlp("Time flies."))[0]._.arc_confidence is None


def test_entities_are_those_of_the_labeler(entities):
    nlp = spacy.blank("en")
    text = "Marie Curie left Warsaw.  She worked in Paris for the Sorbonne."
    doc = entities(nlp(text))
    words = [[t.text for t in nlp(part)] for part in text.split("  ")]
    found = [e for m in entities.labeler.predict(words, document=True) for e in m.entities]
    assert [(e.text, e.label_) for e in doc.ents] == [(e.text, e.type) for e in found]
    assert [e._.confidence for e in doc.ents] == [e.confidence for e in found]
    assert set(entities.labels) == {"PER", "LOC", "ORG", "MISC"}


def test_entities_that_are_set_stay(entities):
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "BAND", "pattern": "Paris Hilton"}])
    doc = nlp("Ada saw Paris Hilton in Rome.")
    found = {(e.text, e.label_) for e in entities(doc).ents}
    assert {("Paris Hilton", "BAND"), ("Rome", "LOC")} <= found
    assert not any(text != "Paris Hilton" and "Paris" in text for text, _ in found)


def test_rules_and_thresholds_are_options(tmp_path):
    rules = tmp_path / "names.toml"
    rules.write_text('[[rule]]\ntype = "ORG"\nphrase = "zorbly"\n')
    nlp = spacy.blank("en")
    nlp.add_pipe("treaty_entities", config={"rules": str(rules)})
    assert ("zorbly", "ORG") in {(e.text, e.label_) for e in nlp("I work at zorbly now.").ents}
    strict = spacy.blank("en")
    strict.add_pipe("treaty_entities", config={"threshold": 1.0})
    assert not strict("Maybe Jordan went with Chelsea to Paris.").ents


@pytest.mark.parametrize("text", ["", "  ", "no names here"])
def test_no_entities(text, entities):
    assert entities(spacy.blank("en")(text)).ents == ()


def test_documents_and_pipelines_are_saved(tmp_path):
    nlp = spacy.blank("en", config=OWN)
    nlp.add_pipe("treaty_parser", config={"order": "first"})
    nlp.add_pipe("treaty_entities")
    nlp.to_disk(tmp_path / "mine")
    again = spacy.load(tmp_path / "mine")
    doc, other = nlp("Ada slept in Rome."), again("Ada slept in Rome.")
    assert columns(doc) == columns(other)
    restored = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert columns(restored) == columns(doc)
    assert restored._.treaty_certificates == doc._.treaty_certificates
    assert [e._.confidence for e in restored.ents] == [e._.confidence for e in doc.ents]


def test_several_processes():
    nlp = spacy.blank("en")
    nlp.add_pipe("treaty_parser", config={"order": "first"})
    texts = ["Cats sleep.", "Dogs don't.", "Mice run away."] * 3
    expected = [columns(doc) for doc in nlp.pipe(texts)]
    assert [columns(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=2)] == expected


def test_scores_are_those_of_spacy():
    nlp = spacy.blank("en")
    nlp.add_pipe("treaty_parser")
    nlp.add_pipe("treaty_entities")
    text = "Ada saw the old cat in Rome."
    gold = nlp(text)
    scores = nlp.evaluate([Example(nlp.make_doc(text), gold)])
    assert (scores["dep_las"], scores["tag_acc"], scores["ents_f"]) == (1.0, 1.0, 1.0)
    gold[3].head = gold[2]
    assert nlp.evaluate([Example(nlp.make_doc(text), gold)])["dep_uas"] < 1.0


def test_other_models_are_refused():
    with pytest.raises(treaty.UsageError, match="task 'pipeline', got one for 'ent"):
        TreatyParser("entities")
    with pytest.raises(treaty.UsageError, match="task 'entities'"):
        TreatyEntities("english")
