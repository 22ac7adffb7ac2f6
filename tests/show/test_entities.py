"""Entities on pages, terminals, in JSON and columns: nothing is lost, nothing is interpreted."""

import json
from html.parser import HTMLParser

import pytest

from treaty.label import Entity, LabeledMessage, Message
from treaty.show import entities_columns, entities_html, entities_json, entities_terminal
from treaty.solve import Certificate, Status
from treaty.text import ColumnSentence

TYPES = ["LOC", "creative-work", 'odd"<type>']


def labeled(text='see <b>Rome</b> & "Paris"', kinds=("LOC",), names=("Rome",), status="OPTIMAL"):
    places = tuple((i, i + 1) for i, c in enumerate(text) if not c.isspace())
    entities = []
    for kind, name in zip(kinds, names, strict=True):
        start = text.index(name)
        first = [place[0] for place in places].index(start)
        end = start + len(name)
        entities.append(Entity(kind, name, start, end, first, first + len(name) - 1, 0.87654321))
    labels = ["O"] * len(places)
    for entity in entities:
        for word in range(entity.first, entity.last + 1):
            mark = "B" if word == entity.first else "E" if word == entity.last else "I"
            labels[word] = f"{mark}-{entity.type}"
    certificate = Certificate(Status(status), 1.5, 1.75)
    return LabeledMessage(Message(text, places), tuple(labels), tuple(entities), 3, certificate)


class Page(HTMLParser):
    """The text of a page, its marks, and all tags."""

    def __init__(self, page):
        super().__init__()
        self.text, self.tags, self.kinds = "", [], []
        self.feed(page.partition("<body>")[2])

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "mark":
            self.kinds.append(dict(attrs)["data-type"])

    def handle_data(self, data):
        self.text += data


def test_a_page_shows_the_text_as_it_is():
    message = labeled(kinds=("LOC", 'odd"<type>'), names=("Rome", "Paris"))
    page = Page(entities_html([message], TYPES))
    assert set(page.tags) == {"p", "mark", "small", "footer"}
    assert page.kinds == ["LOC", 'odd"<type>']
    assert page.text.strip().startswith('see <b>RomeLOC</b> & "Parisodd"<type>"')


def test_a_page_has_colors_for_light_and_dark_and_says_what_is_proved():
    page = entities_html([labeled(), labeled(status="FEASIBLE")], TYPES)
    light, dark = page.split("prefers-color-scheme: dark")
    for part in (light, dark):
        assert 'mark[data-type="LOC"]' in part
        assert 'mark[data-type="creative\\2d work"]' in part
    assert "0 of 1 groups" in page
    assert "1 of 1 groups" in entities_html([labeled()], TYPES)
    assert "0 of 0 groups" in entities_html([], TYPES)


def test_the_terminal_shows_types_behind_names():
    text = entities_terminal(labeled(), TYPES)
    assert text.plain == 'see <b>Rome LOC</b> & "Paris"'
    assert any("blue" in str(span.style) for span in text.spans)


def test_json_has_places_and_the_certificate():
    record = json.loads(entities_json(labeled()))
    (entity,) = record["entities"]
    assert record["text"][entity["start"] : entity["end"]] == "Rome"
    assert (entity["confidence"], record["group"]) == (0.876543, 3)
    assert (record["certificate"]["status"], record["certificate"]["gap"]) == ("OPTIMAL", 0.25)


@pytest.mark.parametrize("scheme", ["BIO", "BILOU"])
def test_columns_keep_what_was_there(scheme):
    message = labeled("ab Rome", names=("Rome",))
    source = ColumnSentence([(c, "X", "?") for c in "abRome"], ["# id = 1", "# gap = 9"])
    made = entities_columns(message, source, scheme)
    assert made.comments == ["# id = 1", "# group = 3", "# status = OPTIMAL", "# gap = 0.25"]
    last = "I-LOC" if scheme == "BIO" else "L-LOC"
    assert made.rows[2:] == [
        ("R", "X", "B-LOC"),
        ("o", "X", "I-LOC"),
        ("m", "X", "I-LOC"),
        ("e", "X", last),
    ]
    assert source.labels == ["?"] * 6
