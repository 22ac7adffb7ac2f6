"""Documents in notebooks."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

from tests.parse.documents import full, plain

from treaty.parse import Document
from treaty.show import document_html
from treaty.text import Entity, Sentence, Token


def test_trees_stand_below_the_text_with_entities():
    html = document_html(full())
    root = ElementTree.fromstring(html)
    text, svg = root
    assert "".join(text.itertext()) == "\N{REPLACEMENT CHARACTER}".join(
        [" Ada PER's old cat didn't", " see  Rome LOC. Oh,  du vin!"]
    )
    assert [mark.text for mark in text.iter("mark")] == ["Ada ", "Rome "]
    assert svg.tag.endswith("svg") and html.count('class="tree"') == 2
    assert "FRACTIONAL" in html
    assert "<mark" not in document_html(plain()) and "FRACTIONAL" not in document_html(plain())


def test_long_documents_are_cut():
    hush = Sentence([Token("Hush", head=0)])
    document = Document.from_sentences([hush] * 5)
    html = document_html(document, most=3)
    assert html.count('class="tree"') == 3 and "and 2 more sentences" in html
    assert "and 1 more sentence<" in document_html(document, most=4)
    assert "more" not in document_html(document, most=5)
    named = replace(document, entities=[Entity("X", "Hush", 20, 24, 4, 4)])
    assert "<mark" not in document_html(named, most=3)


def test_a_document_may_be_empty():
    assert document_html(Document(" ", [])) == '<div style="overflow-x: auto">\n</div>\n'


def test_text_is_escaped_and_overlapping_entities_are_marked_once():
    tokens = [Token("<b>", head=0), Token("&", head=1)]
    entities = [Entity("<i>", "<b> &", 0, 5, 0, 1), Entity("Y", "&", 4, 5, 1, 1)]
    html = document_html(Document("<b> &", [Sentence(tokens)], entities))
    root = ElementTree.fromstring(html)
    assert [mark.find("small").text for mark in root.iter("mark")] == ["<i>"]
    assert "<b>" not in html and "<i>" not in html
