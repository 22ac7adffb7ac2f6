import json

import pytest

from treaty.errors import SolverError, UsageError
from treaty.web import _texts
from treaty.web._requests import LabelRequest, LinkRequest, PredictRequest, SummarizeRequest

NEWS = [
    "Lightning struck the old clock tower of Aldermere on Monday evening and set it on fire.",
    "Engineers said on Wednesday that the walls of the clock tower in Aldermere are safe.",
    "The town of Aldermere has started a collection to repair its clock tower.",
]


def label(context, **asked):
    return list(_texts.label(LabelRequest.model_validate(asked), context))


def names(messages):
    return [(e.type, e.text) for message in messages for e in message.entities]


def test_names_are_those_of_the_library(shelf, context):
    text = "Ada Lovelace was born in London. Lovelace met Babbage."
    mine, twin = label(context, text=text), shelf.labeler("entities").label_text(text)
    assert [m.to_dict() for m in mine] == [m.to_dict() for m in twin]
    assert ("PER", "Ada Lovelace") in names(mine)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ada slept in Rome\nBob slept", "messages"),
        ("Ada slept in Rome\nBob slept", "tokens"),
        ("Ada\nslept\nin\nRome\n\nBob\nslept\n", "columns"),
        ("<html><p>Ada slept in Rome.</p><p>Bob slept.</p></html>", "html"),
    ],
)
def test_every_input_format(context, text, kind):
    assert len(label(context, text=text, input_format=kind)) == 2


def test_rules_force_and_forbid_names(context):
    text = "Apple opens a shop in May."
    rules = [{"phrase": "May", "type": "PER"}, {"phrase": "Apple", "type": "O"}]
    found = label(context, text=text, rules=rules)
    assert names(found) == [("PER", "May")]
    assert found[0].status == "OPTIMAL"
    with pytest.raises(UsageError, match="the model has no type 'CITY'"):
        label(context, text=text, rules=[{"phrase": "May", "type": "CITY"}])


def link(context, **asked):
    return list(_texts.link(LinkRequest.model_validate(asked), context))


def test_threads_as_posts_or_as_lines(shelf, context):
    posts = LinkRequest.examples[0]["posts"]
    (one,) = link(context, posts=posts)
    (two,) = link(context, text=json.dumps({"posts": posts}) + "\n")
    assert one.to_dict()["links"] == two.to_dict()["links"] == [[1, 0]]
    for wrong in ({}, {"posts": posts, "text": "x"}):
        with pytest.raises(UsageError, match="either posts or text"):
            link(context, **wrong)


def summarize(context, **asked):
    return next(iter(_texts.summarize(SummarizeRequest.model_validate(asked), context)))


def test_summaries_are_those_of_the_library(shelf, context):
    articles = [{"text": text} for text in NEWS]
    mine = summarize(context, articles=articles, words=20).to_dict()
    twin = shelf.summarizer("summarizer").summarize(NEWS, words=20).to_dict()
    del mine["certificate"]["seconds"], twin["certificate"]["seconds"]
    assert mine == twin
    assert mine["words"] <= 20


def test_wishes_for_summaries_are_obeyed(context):
    articles = [{"text": text} for text in NEWS]
    free = summarize(context, articles=articles, words=20)
    wish = {"kind": "take", "document": 3, "sentence": 1}
    taken = summarize(context, articles=articles, words=20, constraints=[wish])
    assert 3 in {s.document for s in taken.sentences}
    assert 3 not in {s.document for s in free.sentences}
    with pytest.raises(SolverError, match="obeys the constraints"):
        summarize(context, articles=articles, words=2, constraints=[wish])


def test_other_inputs_of_summaries(context):
    topic = json.dumps({"id": 7, "documents": [{"text": NEWS[0]}]}) + "\n"
    found = summarize(context, text=topic, input_format="json", words=20, model="simple")
    assert found.id == 7
    page = f"<html><p>{NEWS[0]}</p></html>"
    assert summarize(context, text=page, input_format="html", words=20).words > 5
    assert summarize(context, text=NEWS[0], words=20, mode="extractive").mode == "extractive"
    with pytest.raises(UsageError, match="either text or articles"):
        summarize(context)


def test_any_model_predicts(context):
    text = json.dumps({"posts": [{"text": "Any sheep?"}, {"text": "No."}]}) + "\n"
    (found,) = _texts.predict(PredictRequest(model="threads", text=text), context)
    assert len(found.thread.posts) == 2


def test_sentences_of_all_documents_are_listed_with_their_places(context):
    found = summarize(context, articles=[{"text": text} for text in NEWS], words=20, sources=True)
    assert [(s["document"], s["sentence"]) for s in found["sources"]] == [(1, 1), (2, 1), (3, 1)]
    begin, end = found["sources"][0]["span"]
    assert NEWS[0][begin:end] == NEWS[0]
    assert {tuple(s["span"]) for s in found["sentences"]} <= {
        tuple(s["span"]) for s in found["sources"]
    }
