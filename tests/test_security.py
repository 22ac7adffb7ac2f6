"""The promises of SECURITY.md, each with a test."""

from __future__ import annotations

import io
import json
import pickle
import random
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.faults.commands import COMMANDS

import treaty
from treaty import FactorGraph, show
from treaty.cli._output import harmless
from treaty.errors import InputError, ModelError
from treaty.graph import read_graph
from treaty.induce import Corpus, branch_and_bound
from treaty.learn import ModelFile, model_class
from treaty.metrics import attachment_scores, span_scores
from treaty.parse import Document
from treaty.text import (
    Article,
    Collection,
    ColumnSentence,
    Entity,
    Link,
    Post,
    Sentence,
    Thread,
    Token,
    read_article,
    read_columns,
    read_conllu,
    read_threads,
)

EVIL = "<script>alert(1)</script>\"'-->]]></style></title></svg><img/src=x:/onerror=alert(1)>&lt;"
CONTROL = "\x1b[2J\x1b]0;title\x07\x00\x9b2J\r\x7f"
HOSTILE = EVIL[:25] + CONTROL + EVIL[25:]
HARMLESS_TAGS = {
    "body", "circle", "del", "div", "figcaption", "figure", "footer", "g", "h1", "h2", "head",
    "html", "li", "line", "mark", "meta", "meter", "ol", "p", "path", "polygon", "rect", "section",
    "small", "span", "style", "svg", "text", "title", "tspan",
}  # fmt: skip


# Network, processes, files


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_write_their_files_and_open_nothing_else(house, name):
    assert house.good(name)  # in a process that is audited, see below


def test_the_audit_finds_what_it_looks_for(house):
    (house.folder / "secret").write_text("Cats sleep.")
    fault = ["audited", str(house.folder / "none"), str(house.folder / "secret")]
    for arguments in (
        ["tag", str(house.folder / "secret"), "--model", str(house.inputs / "tagger.treaty")],
        ["solve", str(house.inputs / "map.uai"), "-o", str(house.folder / "elsewhere")],
    ):
        result = house.zygote.run("treaty.cli:main", arguments, faults=[fault])
        assert "audit" in result.err


# Untrusted input


READERS = {
    "text": lambda stream: read_article(stream, format="text"),
    "html": lambda stream: read_article(stream, format="html"),
    "conllu": lambda stream: list(read_conllu(stream)),
    "columns": lambda stream: list(read_columns(stream)),
    "threads": lambda stream: list(read_threads(stream)),
    "fg": lambda stream: read_graph(stream, format="fg"),
    "uai": lambda stream: read_graph(stream, format="uai"),
}


@pytest.mark.parametrize("reader", READERS)
def test_any_bytes_give_a_result_or_an_input_error(reader):
    rng = random.Random(reader)
    pieces = [
        HOSTILE.encode(),
        b"1\t_\t",
        b"\n",
        b"MARKOV\n2\n",
        b'{"posts": [',
        b"\xff",
        b"9" * 50,
    ]
    for _ in range(300):
        data = b"".join(rng.choices(pieces, k=rng.randrange(8))) + rng.randbytes(rng.randrange(20))
        try:
            READERS[reader](io.BytesIO(data))
        except InputError as error:
            assert str(error)


def test_pages_lead_to_no_other_files(house):
    secret = house.folder / "secret"
    secret.write_text("the secret")
    page = house.folder / "page.html"
    page.write_text(
        f'<!DOCTYPE p [<!ENTITY x SYSTEM "file://{secret}">]><base href="file://{secret}">'
        f'<p>&x; <img src="file://{secret}"> <a href="{secret}">this</a> <iframe src="{secret}">'
    )
    fault = ["audited", str(house.folder), str(secret)]
    arguments = ["tag", str(page), "--model", str(house.inputs / "pipeline.treaty"), "-q"]
    result = house.zygote.run("treaty.cli:main", arguments, faults=[fault])
    assert "audit" not in result.err
    assert "the secret" not in result.out


def test_models_are_not_unpickled_and_name_no_files(house):
    class Trap:
        def __reduce__(self):
            return (Path.touch, (house.folder / "sprung",))

    trap = house.folder / "trap.treaty"
    trap.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ModelError):
        treaty.load(trap)
    assert not (house.folder / "sprung").exists()
    for task, place in (("entities", "language_model"), ("summarizer", "parser")):
        file = ModelFile.read(house.inputs / f"{task}.treaty")
        for path in ("/dev/zero", str(house.inputs / "pipeline.treaty"), "../pipeline.treaty"):
            header = json.loads(json.dumps(file.header))
            assert _replace(header, place, path), f"{task} has no {place}"
            ModelFile(task, header, file.tensors).write(trap)
            with pytest.raises(ModelError):
                treaty.load(trap)


def _replace(header, name, value):
    """Replace all entries of this name; returns how many there are."""
    found = 0
    for key, inner in header.items():
        if key == name:
            header[key], found = value, found + 1
        elif isinstance(inner, dict):
            found += _replace(inner, name, value)
    return found


# Pages and pictures


class Page(HTMLParser):
    """Collects the tags, attributes and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.text = set(), {}, ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(attrs)

    def handle_data(self, data):
        self.text += data


def tree():
    word = Token(HOSTILE, upos=HOSTILE, head=0, deprel=HOSTILE)
    return Sentence([word, Token(EVIL, upos=EVIL, head=1, deprel=EVIL)])


def document():
    plain = Document.from_sentences([tree()])
    start, end = plain.spans[1]
    name = Entity(EVIL, plain.text[start:end], start, end, 1, 1)
    return Document(plain.text, plain.sentences, [name])


def thread():
    return Thread([Post(HOSTILE, HOSTILE), Post(EVIL, EVIL)], [Link(1, 0, EVIL)])


def labeled():
    model = model_class("entities")
    rows = [ColumnSentence([(EVIL, f"B-{EVIL}"), ("sleeps", "O")])]
    made = model.train(rows, **{**model.sample().options, "epochs": 20})
    return list(made.predict([[EVIL, "sleeps"]]))


def digests():
    sample = model_class("summarizer").sample()
    made = model_class("summarizer").train(sample.examples, **sample.options)
    articles = [
        Article(f"Big boats {HOSTILE} sank in Lisbon.", title=HOSTILE, date=HOSTILE, id=HOSTILE)
    ]
    return list(made.predict([Collection(articles, [], id=HOSTILE)], words=50))


def solved():
    graph = FactorGraph()
    graph.at_most_one(graph.variables([1.0, 1.5], names=["a", HOSTILE]))
    return graph, graph.solve(trace=True)


def drawn_bounds(path):
    found = branch_and_bound(Corpus.from_tags([["N", "V"], ["V"]]))
    show.plot_bounds(found, path, title=f"${HOSTILE}")


PICTURES = {
    "tree_svg": lambda _: show.tree_svg(tree()),
    "trees_html": lambda _: show.trees_html([tree()], title=HOSTILE),
    "document_html": lambda _: show.document_html(document()),
    "thread_svg": lambda _: show.thread_svg(thread(), confidences=[[0.3]]),
    "entities_html": lambda _: show.entities_html(labeled(), [EVIL]),
    "summary_html": lambda _: show.summary_html(digests()),
    "plot_bounds": drawn_bounds,
    "plot_convergence": lambda path: show.plot_convergence(solved()[1], path, title=f"${HOSTILE}"),
}


def test_all_pages_and_pictures_are_tested():
    made = {
        name for name in show.__all__ if name.endswith(("_html", "_svg", "_dot", "_latex", "_md"))
    }
    made |= {name for name in show.__all__ if name.startswith("plot_")}
    assert made == set(PICTURES)


@pytest.mark.parametrize("name", PICTURES)
def test_pages_and_pictures_escape_all_they_show(tmp_path, name):
    path = tmp_path / "drawing.svg"
    page = PICTURES[name](path)
    page = page if isinstance(page, str) else path.read_text()
    found = Page(page)
    assert "alert" in page
    assert not found.tags & {"script", "img"}
    assert not [key for key in found.attributes if key.startswith("on")]
    if not name.endswith("_html"):
        ElementTree.fromstring(page)
    if not name.startswith("plot_"):  # those are of matplotlib, which draws letters by references
        assert "alert(1)" in found.text
        assert found.tags <= HARMLESS_TAGS
        assert not {"href", "src"} & set(found.attributes)


# Terminals


def rendered(drawing):
    from rich.console import Console

    console = Console(file=io.StringIO(), width=500)
    console.print(drawing)
    return console.file.getvalue()


TEXTS = {
    "tree_text": lambda: show.tree_text(tree()),
    "thread_text": lambda: show.thread_text(thread()),
    "entities_terminal": lambda: rendered(show.entities_terminal(labeled()[0], [EVIL])),
    "cuts_terminal": lambda: rendered(show.cuts_terminal(digests()[0].sentences)),
    "solution_table": lambda: rendered(show.solution_table(*solved())),
    "model_text": lambda: show.model_text(ModelFile("toy", {HOSTILE: HOSTILE}, {}, HOSTILE)),
    "spans_text": lambda: show.spans_text(span_scores([[f"B-{HOSTILE}"]], [["O"]])),
    "scores_text": lambda: show.scores_text(
        show.Scores(trees=attachment_scores([tree()], [tree()])), by=["label"]
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_for_terminals_hold_no_control_characters(name):
    text = TEXTS[name]()
    assert "alert" in text
    assert not [c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160)]


def test_commands_print_no_control_sequences_on_terminals():
    assert harmless("a\tb\n\x1b[1;31mred\x1b[0m") == "a\tb\n\x1b[1;31mred\x1b[0m"
    assert not set(CONTROL) & set("\x1b\x07\0\x9b\r\x7f") & set(harmless(CONTROL))


def test_errors_hold_no_control_sequences(house):
    result = house.zygote.run("treaty.cli:main", ["solve", f"{CONTROL[:-3]}.fg".replace("\0", "")])
    assert result.code == 3
    assert "\x1b" not in result.err
