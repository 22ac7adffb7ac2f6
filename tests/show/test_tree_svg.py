"""Trees as SVG: what is drawn, that nothing collides, and that nothing escapes."""

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.show.drawn import sentence

from treaty import InputError, UsageError
from treaty.show import tree_svg, trees_html
from treaty.text import Sentence, Token

SVG = "{http://www.w3.org/2000/svg}"


@dataclass
class Worth:
    status: str = "OPTIMAL"
    bound: float = 3.5
    gap: float = 0.0


def texts(svg, kind=""):
    found = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return [text.text for text in found if kind in text.get("class")]


def groups(svg):
    found = ElementTree.fromstring(svg).iter(f"{SVG}g")
    return [g for g in found if "arc" in g.get("class").split()]


def test_words_tags_and_labels_are_there():
    tokens = [
        Token("She", upos="PRON", xpos="PRP", head=2, deprel="nsubj"),
        Token("reads", xpos="VBZ", head=0, deprel="root"),
    ]
    svg = tree_svg(Sentence(tokens), certificates=Worth())
    assert texts(svg, "word") == ["She", "reads"]
    assert texts(svg, "tag") == ["PRON", "VBZ"]
    assert texts(svg, "note") == ["OPTIMAL · bound 3.5 · gap 0"]
    assert {"nsubj", "root"} <= set(texts(svg))
    assert [(g.get("data-head"), g.get("data-word")) for g in groups(svg)] == [
        ("2", "1"),
        ("0", "2"),
    ]
    assert texts(tree_svg(Sentence(tokens), tags=False), "tag") == []


def test_arcs_that_are_not_projective_stand_out():
    kinds = {g.get("data-word"): g.get("class") for g in groups(tree_svg(sentence([3, 4, 0, 3])))}
    assert kinds == {"1": "arc", "2": "arc crossing", "3": "arc root", "4": "arc"}


def test_torn_arcs_name_their_other_end():
    words = ["alpha", "beta", "gamma"]
    svg = tree_svg(sentence([0, 1, 1], words, ["root", "obj", "a"]), width=90)
    assert [g.get("class") for g in groups(svg)].count("arc leaving") == 4
    assert {"obj → 2 beta", "obj ← 1 alpha", "a → 3 gamma", "a ← 1 alpha"} <= set(texts(svg))
    assert texts(svg, "tag") == ["1", "2", "3"]  # numbers to find them by


def test_scripts_read_from_the_right_are_mirrored():
    def places(words):
        root = ElementTree.fromstring(tree_svg(sentence([2, 0, 2], words)))
        return [float(t.get("x")) for t in root.iter(f"{SVG}text") if t.get("class") == "word"]

    assert places(["a", "b", "c"]) == sorted(places(["a", "b", "c"]))
    assert places(["في", "البيت", "."]) == sorted(places(["في", "البيت", "."]), reverse=True)


HOSTILE = ["<script>alert(1)</script>", "&amp;", "\"'", "]]>", "\x00\x1b[31m", "\u202e", "\ud800"]


@pytest.mark.parametrize("hostile", [*HOSTILE, "-->", "\uffff", "a\u0301", "x" * 5000, " ", ""])
def test_nothing_escapes(hostile):
    token = Token(hostile, upos=hostile, head=0, deprel=hostile)
    bad = Sentence([token, Token("b", head=1, deprel=hostile)], [f"# text = {hostile}"])
    svg = tree_svg(bad)
    svg.encode()
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(svg).iter()}
    assert tags == {"svg", "style", "rect", "g", "path", "polygon", "text"}
    page = trees_html([bad], title=hostile)
    page.encode()
    assert "<script" not in page
    assert not set(page) & {"\x00", "\x1b", "\u202e"}


@given(st.lists(st.text(max_size=8), min_size=1, max_size=4))
@settings(deadline=None, max_examples=100)
def test_any_words_make_well_formed_xml(words):
    svg = tree_svg(sentence([0] * len(words), words, words))
    assert len(groups(svg)) == len(words)


def test_colors_are_its_own_or_those_of_the_page():
    assert "prefers-color-scheme: dark" in tree_svg(sentence([0]))
    plain = tree_svg(sentence([0]), background=False)
    assert "prefers-color-scheme" not in plain
    assert "<rect" not in plain
    assert "currentColor" in plain


def test_several_trees_stand_below_each_other():
    svg = tree_svg([sentence([0]), sentence([0, 1])], certificates=[None, Worth(gap=0.25)])
    assert texts(svg, "word") == ["w1", "w1", "w2"]
    assert texts(svg, "note") == ["OPTIMAL · bound 3.5 · gap 0.25"]
    page = trees_html([sentence([0]), sentence([0, 1])], certificates=[None, Worth()])
    assert page.count("<svg") == 2
    assert page.count("OPTIMAL") == 1


def test_no_words_no_heads_and_cycles_are_drawn():
    assert groups(tree_svg([])) == groups(tree_svg(Sentence())) == []
    assert groups(tree_svg(sentence([-1, -1]))) == []
    assert len(groups(tree_svg(sentence([2, 1])))) == 2


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(InputError, match=r"'w2'.*head 7, which is not in"):
        tree_svg(sentence([0, 7]))
    with pytest.raises(InputError, match="its own head"):
        tree_svg(sentence([0, 2]))
    with pytest.raises(UsageError, match="width"):
        tree_svg(sentence([0]), width=0)
    with pytest.raises(UsageError, match="expected 1 certificates, one per sentence, got 2"):
        tree_svg(sentence([0]), certificates=[Worth(), Worth()])


def test_a_long_sentence_is_drawn():
    heads = [0, *[1 + i // 2 for i in range(1999)]]
    assert len(texts(tree_svg(sentence(heads)), "word")) == 2000
