"""Folds: every sentence is tagged by a tagger that has not seen it, nor its document."""

import pytest
from tests.parse.tagged import sentences

from treaty import UsageError
from treaty.parse import Tagger, jackknife


def test_folds_never_see_their_own_sentences(monkeypatch):
    given_ = sentences(23)
    seen = []
    real = Tagger.train.__func__

    def spy(cls, others, **options):
        seen.append({id(s) for s in others})
        return real(cls, others, **options)

    monkeypatch.setattr(Tagger, "train", classmethod(spy))
    tagged_by = {}
    tag_all = Tagger.predict

    def spy_tag(self, own, **options):
        own = list(own)
        tagged_by.update({id(s): len(seen) - 1 for s in own})
        return tag_all(self, own, **options)

    monkeypatch.setattr(Tagger, "predict", spy_tag)
    made = jackknife(given_, folds=5, epochs=1, bits=8)
    assert [s.words for s in made] == [s.words for s in given_]
    assert len(seen) == 5
    for sentence in given_:
        assert id(sentence) not in seen[tagged_by[id(sentence)]]
        assert sum(id(sentence) in others for others in seen) == 4


def test_a_document_goes_to_one_fold(monkeypatch):
    given_ = sentences(40)
    for sentence in given_[::4]:
        sentence.comments.insert(0, "# newdoc")
    seen = []
    real = Tagger.train.__func__

    def spy(cls, others, **options):
        seen.append({id(s) for s in others})
        return real(cls, others, **options)

    monkeypatch.setattr(Tagger, "train", classmethod(spy))
    jackknife(given_, folds=3, epochs=1, bits=8)
    for others in seen:
        documents = [{id(s) in others for s in given_[i : i + 4]} for i in range(0, 40, 4)]
        assert all(len(document) == 1 for document in documents)
        assert documents.count({False}) in (3, 4)


def test_folds_are_the_same_each_time():
    once, again = (jackknife(sentences(12), folds=3, epochs=1, bits=8) for _ in range(2))
    assert [s.to_conllu() for s in once] == [s.to_conllu() for s in again]


@pytest.mark.parametrize("folds", [1, 13])
def test_folds_must_be_possible(folds):
    with pytest.raises(UsageError, match="folds must be from 2 to the number of sentences, 12"):
        jackknife(sentences(12), folds=folds)


def test_progress_names_the_fold():
    told = []
    jackknife(sentences(6), folds=2, epochs=1, bits=8, progress=told.append)
    assert list(dict.fromkeys(event.stage for event in told)) == ["fold 1, upos", "fold 2, upos"]
