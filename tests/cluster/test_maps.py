"""Maps over a cluster give what models give."""

from __future__ import annotations

import json

import pytest

from treaty import FactorGraph
from treaty.cluster import map_collections, map_graphs, map_sentences, map_texts
from treaty.cluster._maps import part_size
from treaty.errors import InputError, UsageError
from treaty.graph import write_graph
from treaty.parse import Pipeline
from treaty.summarize import Summarizer
from treaty.text import Article, Collection, Sentence, Token

TEXTS = ["Cats sleep. Dogs bark.", "It rains.", "She sees the old house.", "", "Go home!"]


@pytest.fixture(scope="module")
def pipeline():
    return Pipeline.load("english")


def test_texts_become_documents(cluster, pipeline):
    wanted = [document.to_dict() for document in pipeline.pipe(TEXTS)]
    assert list(map_texts(cluster.client, TEXTS, at_once=2)) == wanted


def test_sentences_are_read_from_files_by_the_workers(cluster, pipeline, tmp_path, monkeypatch):
    words = [Sentence.from_words(text.split()) for text in TEXTS if text]
    path = tmp_path / "in.conllu"
    path.write_text("".join(sentence.to_conllu() for sentence in words * 3))
    monkeypatch.setenv("TREATY_PART_BYTES", "100")
    wanted = [parse.to_dict() for parse in pipeline.predict(words * 3)]
    folder = tmp_path / "run"
    assert list(map_sentences(cluster, str(path), folder=folder)) == wanted
    manifest = json.loads((folder / "manifest.json").read_text())
    assert len(manifest["parts"]) > 3
    assert not any(part["shipped"] for part in manifest["parts"])
    assert not list((folder / "inputs").iterdir())
    assert list(map_sentences(cluster, path, folder=folder, resume=True)) == wanted


def graph_of(scores):
    graph = FactorGraph()
    graph.exactly_one(*graph.variables(scores))
    return graph


def test_graphs_are_solved(cluster, tmp_path):
    graphs = [graph_of([0.1 * n, 0.5, 0.3]) for n in range(9)]
    wanted = [graph.solve("exact").objective for graph in graphs]
    found = list(map_graphs(cluster, graphs, "exact", at_once=2))
    assert objectives(found) == pytest.approx(wanted)
    for graph in graphs:
        write_graph(graph, tmp_path / "one.fg")
        with (tmp_path / "all.fg").open("a") as stream:
            stream.write((tmp_path / "one.fg").read_text() + "\n")
    again = list(map_graphs(cluster, str(tmp_path / "all.fg"), "exact"))
    assert objectives(again) == objectives(found)


def objectives(found):
    return [one["certificate"]["objective"] for one in found]


def test_collections_are_summarized(cluster):
    text = "The river rose on Monday. Many houses were lost. The mayor asked for help on Tuesday."
    collections = [Collection([Article(text)]), Collection([Article(text[:50] + " It rained.")])]
    wanted = [digest.to_dict() for digest in Summarizer.load().predict(collections)]
    found = list(map_collections(cluster, collections))
    assert [one["summary"] for one in found] == [one["summary"] for one in wanted]


def test_what_was_set_aside_is_an_error_unless_it_is_wanted(cluster):
    inputs = [Sentence.from_words(["Cats", "sleep"]), Sentence([Token(3)])]
    with pytest.raises(InputError, match="item 2: set aside"):
        list(map_sentences(cluster, inputs))
    faults = []
    assert len(list(map_sentences(cluster, inputs, on_fault=faults.append))) == 1
    assert len(faults) == 1


def test_the_size_of_parts_grows_with_the_input(tmp_path, monkeypatch):
    (tmp_path / "large").write_bytes(b"x" * 10**6)
    monkeypatch.setattr("treaty.cluster._maps.PLANS", 10)
    assert part_size([str(tmp_path / "large")]) == 10**5
    monkeypatch.setenv("TREATY_PART_BYTES", "many")
    with pytest.raises(UsageError, match="TREATY_PART_BYTES must be a number"):
        part_size([])
