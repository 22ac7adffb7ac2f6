"""``treaty.annotate``: documents with names, places and typed annotations, one at a time."""

import io

import pytest
from tests.parse.treebank import small_pipeline
from tests.tasks.corpus import NAMES, packed, write

import treaty
from treaty.errors import InputError, UsageError
from treaty.solve import Certificate
from treaty.text import read_conllu


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "toy.treaty"
    small_pipeline(order="first").save(path)
    return str(path)


@pytest.fixture
def corpus(tmp_path):
    return write(tmp_path / "corpus")


def test_documents_of_a_folder(corpus, model):
    found = list(treaty.annotate(corpus, model=model))
    assert [one.name for one in found] == NAMES
    assert [one.source for one in found] == [str(corpus / name) for name in NAMES]
    for one in found:
        assert all(isinstance(c, Certificate) for c in one.certificates)
        assert len(one.certificates) == len(one.sentences)
        for word in one:
            assert one.text[word.start : word.end] == word.form or word.text in ("don't", "Don't")
        for sentence, (start, end) in zip(one.sentences, one.sentence_spans, strict=True):
            assert " ".join(one.text[start:end].split()) == " ".join(sentence.text.split())


def test_a_document_does_not_depend_on_the_others(corpus, model):
    together = {one.name: one for one in treaty.annotate(corpus, model=model)}
    for name in NAMES:
        (alone,) = treaty.annotate(corpus / name, model=model)
        alone.name = name
        assert alone.to_dict() == together[name].to_dict()


def test_tags_of_an_archive(corpus, model, tmp_path):
    found = {
        one.name: one for one in treaty.annotate(packed(tmp_path / "c.zip"), "tag", model=model)
    }
    assert sorted(found) == sorted(NAMES)
    words = [word for one in found.values() for word in one]
    assert words
    assert all(word.upos != "_" for word in words)


def test_names_of_documents(corpus):
    found = {one.name: one for one in treaty.annotate(corpus, "label")}
    letter = found["a/letter.txt"]
    assert [(one.type, one.text) for one in letter.entities] == [
        ("PER", "Ada Lovelace"),
        ("LOC", "London"),
    ]
    for one in found.values():
        for entity in one.entities:
            assert one.text[entity.start : entity.end] == entity.text
            assert entity.confidence is not None


def test_names_in_trees_have_certificates(corpus, model):
    (made,) = treaty.annotate(corpus / "a/letter.txt", model=model, entities=True)
    assert "London" in [one.text for one in made.entities]
    assert len(made.entity_certificates) == len(made.sentences)
    assert all(isinstance(one, Certificate) for one in made.entity_certificates)


def test_summaries_and_compressions(corpus):
    (made,) = treaty.annotate(corpus / "a/letter.txt", "summarize", model="simple", words=6)
    assert made.summary.words <= 6
    assert made.text[slice(*made.sentence_spans[0])] == "Cats sleep."
    (made,) = treaty.annotate(corpus / "a/letter.txt", "compress", model="simple")
    assert [one.number for one in made.compressions] == [1, 2, 3]
    with pytest.raises(UsageError, match="give --each"):
        treaty.annotate(corpus, "summarize", each=False)


def test_rows(tmp_path, model):
    (tmp_path / "t.csv").write_text('id,text\nk,"Cats\nsleep."\n')
    (made,) = treaty.annotate(tmp_path / "t.csv", model=model, field="text")
    assert (made.name, made.text) == ("k", "Cats\nsleep.")


def test_faults_are_raised_or_handed_over(corpus, model):
    (corpus / "a" / "bad.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match=r"bad\.txt"):
        list(treaty.annotate(corpus, model=model))
    errors = []
    found = treaty.annotate([corpus, "none.txt"], model=model, on_error=errors.append)
    assert len(list(found)) == len(NAMES)
    assert ["none.txt" in str(errors[0]), "bad.txt" in str(errors[1])] == [True, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"task": "link"}, "task must be one of parse, tag, label, summarize, compress"),
        ({"bogus": 1}, "there is no field 'bogus'"),
        ({"encoding": "latin-99"}, "there is no encoding"),
        ({"id_field": "id"}, "give --field"),
    ],
)
def test_wrong_calls_are_refused_at_once(corpus, arguments, message):
    with pytest.raises(UsageError, match=message):
        treaty.annotate(corpus, **arguments)


def test_memory_is_bounded(corpus, model, monkeypatch, tmp_path):
    for number in range(700):
        (tmp_path / f"{number:03}.txt").write_text("Cats sleep.")
    opened = []
    from treaty.tasks._documents import Documents

    read = Documents._read
    monkeypatch.setattr(Documents, "_read", lambda self, one: opened.append(1) or read(self, one))
    found = treaty.annotate(sorted(map(str, tmp_path.glob("*.txt"))), model=model)
    next(found)
    assert len(opened) <= 513


def test_conllu_of_a_document_is_read_back(corpus, model):
    for one in treaty.annotate(corpus, model=model):
        again = list(read_conllu(io.StringIO(one.to_conllu())))
        assert [s.words for s in again] == [s.words for s in one.sentences]
