"""Word clusters: their files, and what taggers and parsers see of them."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from treaty._native.features import template_features
from treaty.errors import InputError, ModelError, UsageError
from treaty.features import Family, TemplateSet, compile_templates
from treaty.learn import ModelFile
from treaty.parse import Clusters, Parser, ParserTemplates, Pipeline, Tagger
from treaty.parse._words import sequences_of
from treaty.text import Sentence, Token

ANIMALS, VERBS = ("cats", "dogs", "mice", "owls"), ("sleep", "hunt", "sing", "fly")
CLUSTERS = Clusters(
    dict.fromkeys((*ANIMALS, "hens"), "010") | dict.fromkeys((*VERBS, "run"), "0111")
)


def treebank() -> list[Sentence]:
    """Animals do something, in every combination; ``hens`` and ``run`` are in no sentence."""
    return [
        Sentence(
            [
                Token(animal, upos="NOUN", head=2, deprel="nsubj"),
                Token(verb, upos="VERB", head=0, deprel="root"),
            ]
        )
        for animal in ANIMALS
        for verb in VERBS
    ]


def tags_of(tagger: Tagger, words: list[str]) -> list[str]:
    (tagged,) = tagger.predict([Sentence.from_words(words)])
    return [token.upos for token in tagged]


@pytest.fixture(scope="module", name="trained")
def _trained() -> Pipeline:
    return Pipeline.train(
        treebank(),
        clusters=CLUSTERS,
        tokenizer=False,
        order="second",
        epochs=2,
        parser_bits=12,
        pruner_bits=12,
        label_bits=12,
        tagger_options={"epochs": 3, "bits": 12},
    )


@pytest.fixture(scope="module", name="saved")
def _saved(trained: Pipeline, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clusters") / "model.treaty"
    trained.save(path)
    return path


def test_a_word_is_found_as_it_is_or_in_lower_case() -> None:
    text = "00\trome\t9\n01\tMay\t9\n10\tmay\t9\n11\tRARE\t2\n"
    clusters = Clusters.read(io.StringIO(text), least=5)
    words = ["Rome", "May", "may", "MAY", "rare", "none"]
    paths = ["00", "01", "10", "10", "", ""]
    assert [clusters.path(word) for word in words] == clusters.paths_of(words) == paths
    assert Clusters.read(io.StringIO(text)).path("RARE") == "11"


@pytest.mark.parametrize("line", ["02\tx", "0 x", "01\tx\t3\t4", f"{'0' * 65}\tx"])
def test_faulty_clusters_are_told_with_their_line(line: str) -> None:
    with pytest.raises(InputError, match="<stream>:2: expected a path"):
        Clusters.read(io.StringIO(f"01\ta\n{line}\n"))


def test_clusters_survive_a_model_file() -> None:
    made = Clusters({"rome": "01", "paris": "01", "new": "1"})
    tensors = made.tensors("c.")
    assert Clusters.from_file(ModelFile("m", {}, tensors), "c.").paths == made.paths


FAULTS = {
    "path": [np.full(10, 7, np.int32), np.zeros(1, np.int32), np.zeros(10), None],
    "paths": [np.frombuffer(b"01\nxx\n", np.uint8), np.frombuffer(b"0" * 65, np.uint8), None],
    "words": [np.frombuffer(b"\xff\n", np.uint8), None],
}


@pytest.mark.parametrize(("name", "tensor"), [(n, t) for n, ts in FAULTS.items() for t in ts])
@pytest.mark.parametrize("load", [Pipeline.load, Tagger.load])
def test_damaged_clusters_are_refused(saved, tmp_path, load, name, tensor) -> None:
    file, path = ModelFile.read(saved), tmp_path / "damaged.treaty"
    tensors = dict(file.tensors) | {f"clusters.{name}": tensor}
    kept = {name: tensor for name, tensor in tensors.items() if tensor is not None}
    replace(file, tensors=kept).write(path)
    with pytest.raises(ModelError, match=r"damaged\.treaty"):
        load(path)


def test_templates_see_paths_and_their_beginnings() -> None:
    """Words agree in a feature exactly if their paths do, as far as the feature sees them."""
    attributes = ["cluster", "prefix2(cluster)", "upos"]
    paths = ["010", "0111", "0110", "1"]
    words = list("abcd")
    clusters = Clusters(dict(zip(words, paths, strict=True)))
    sequences = sequences_of([Sentence.from_words(words)], attributes, clusters)
    for name, seen in (("cluster", paths), ("prefix2(cluster)", [path[:2] for path in paths])):
        templates = TemplateSet.of(f"w.{name}")
        compiled = compile_templates(Family("word", ("w",), ()), templates, attributes)
        hashes = template_features(sequences, compiled).tolist()[-4:]
        for i in range(4):
            for j in range(4):
                assert (hashes[i] == hashes[j]) == (seen[i] == seen[j])


def test_words_that_were_never_seen_are_known_by_their_cluster(trained: Pipeline) -> None:
    """Without tokens alike, only the path tells ``hens`` from ``run``; word order is no help."""
    plain = Tagger.train(treebank(), epochs=3, bits=12)
    assert trained.tagger is not None
    for words, tags in ((["hens"], ["NOUN"]), (["run"], ["VERB"])):
        assert tags_of(trained.tagger, words) == tags
    assert tags_of(plain, ["hxx"]) == tags_of(plain, ["rxx"])


def test_templates_of_clusters_are_there_with_clusters_alone(trained: Pipeline) -> None:
    def looks(parser: Parser) -> bool:
        return any("cluster" in name for name in parser.attributes)

    assert looks(trained.parser)
    assert not looks(Parser.train(treebank(), order="first", epochs=1, parser_bits=10))
    with pytest.raises(UsageError, match="there are no clusters"):
        Parser.train(
            treebank(), order="first", epochs=1, templates=ParserTemplates().with_clusters()
        )


def test_a_pipeline_keeps_one_copy(saved: Path, trained: Pipeline, tmp_path: Path) -> None:
    names = [name for name in ModelFile.read(saved).tensors if "clusters" in name]
    assert sorted(names) == ["clusters.path", "clusters.paths", "clusters.words"]
    loaded = Pipeline.load(saved)
    assert loaded.tagger is not None
    assert loaded.parser.clusters is loaded.tagger.clusters
    loaded.save(tmp_path / "again.treaty")
    assert (tmp_path / "again.treaty").read_bytes() == saved.read_bytes()
    hens = Sentence.from_words(["hens", "run"])
    (parse,), (again,) = loaded.predict([hens]), trained.predict([hens])
    assert parse.sentence.heads == again.sentence.heads == [2, 0]


def test_parts_keep_their_clusters_alone(trained: Pipeline, saved: Path, tmp_path: Path) -> None:
    assert trained.tagger is not None
    trained.tagger.save(tmp_path / "tagger.treaty")
    trained.parser.save(tmp_path / "parser.treaty")
    for tagger in (Tagger.load(tmp_path / "tagger.treaty"), Tagger.load(saved)):
        assert tags_of(tagger, ["hens", "run"]) == ["NOUN", "VERB"]
        assert tagger.clusters is not None and tagger.clusters.paths == CLUSTERS.paths
    parser = Parser.load(tmp_path / "parser.treaty")
    assert parser.clusters is not None and parser.clusters.paths == CLUSTERS.paths
    assert Pipeline.load(tmp_path / "parser.treaty").parser.clusters is not None


def test_vector_clusters_are_a_second_set_of_the_tagger(trained: Pipeline, tmp_path: Path) -> None:
    """Where other clusters know nothing, these alone tell ``hens`` from ``run``."""
    nothing, path = Clusters({}), tmp_path / "model.treaty"
    others = Clusters({word: path[::-1] for word, path in CLUSTERS.paths.items()})
    tagger = Tagger.train(treebank(), clusters=CLUSTERS, vector_clusters=others, epochs=1, bits=12)
    Pipeline(trained.parser, tagger).save(path)
    loaded = Pipeline.load(path).tagger
    assert loaded is not None and loaded.clusters is not None and loaded.vector_clusters is not None
    assert (loaded.clusters.paths, loaded.vector_clusters.paths) == (CLUSTERS.paths, others.paths)
    alone = Tagger.train(treebank(), clusters=nothing, vector_clusters=others, epochs=3, bits=12)
    alone.save(tmp_path / "tagger.treaty")
    for made in (alone, Tagger.load(tmp_path / "tagger.treaty")):
        assert tags_of(made, ["hens", "run"]) == ["NOUN", "VERB"]


def test_a_lexicon_alone_tells_nouns_from_verbs(trained: Pipeline, tmp_path: Path) -> None:
    lexicon = Clusters({word: path[::-1] for word, path in CLUSTERS.paths.items()})
    tagger = Tagger.train(treebank(), lexicon=lexicon, epochs=3, bits=12)
    Pipeline(trained.parser, tagger).save(tmp_path / "model.treaty")
    loaded = Pipeline.load(tmp_path / "model.treaty").tagger
    assert loaded is not None and loaded.lexicon is not None
    assert loaded.lexicon.paths == lexicon.paths and loaded.vector_clusters is None
    assert tags_of(loaded, ["hens", "run"]) == ["NOUN", "VERB"]


@pytest.mark.parametrize(
    ("option", "attribute"), [("vector_clusters", "vector"), ("lexicon", "lexicon")]
)
def test_a_file_without_its_words_is_refused(option: str, attribute: str) -> None:
    file = Tagger.train(treebank(), **{option: CLUSTERS}, epochs=1, bits=8).to_file()
    with pytest.raises(ModelError, match=rf"use {attribute}, but there are no clusters"):
        Tagger.from_file(without(file, f"{option}."))


def test_different_clusters_do_not_fit_into_one_file(trained: Pipeline, tmp_path: Path) -> None:
    tagger = Tagger.train(treebank(), clusters=Clusters({"cats": "1"}), epochs=1, bits=8)
    with pytest.raises(UsageError, match="different clusters"):
        Pipeline(trained.parser, tagger).save(tmp_path / "model.treaty")


def without(file: ModelFile, prefix: str) -> ModelFile:
    tensors = {name: t for name, t in file.tensors.items() if not name.startswith(prefix)}
    assert len(tensors) < len(file.tensors)
    return replace(file, tensors=tensors)


def test_a_file_without_its_clusters_is_refused(trained: Pipeline) -> None:
    with pytest.raises(ModelError, match="there are no clusters"):
        Pipeline.from_file(without(trained.to_file(), "clusters."))


def test_results_do_not_depend_on_threads(saved: Path) -> None:
    pipeline = Pipeline.load(saved)
    sentences = [
        Sentence.from_words(list(pair)) for pair in zip(VERBS * 9, ANIMALS * 9, strict=True)
    ] * 3
    one, three = (list(pipeline.predict(sentences, tags="predict", threads=n)) for n in (1, 3))
    assert one == three
    trained = [
        Parser.train(treebank(), order="second", epochs=1, clusters=CLUSTERS, threads=n, seed=5)
        for n in (1, 2)
    ]
    tables = [parser.parser_model.weights.values for parser in trained]
    assert (tables[0] == tables[1]).all()
