"""``treaty parse``."""

import gzip
import json
import xml.etree.ElementTree as ElementTree

import pytest
from tests.parse.treebank import small_pipeline, treebank

from treaty.label import EntityLabeler
from treaty.parse import Document
from treaty.solve import Certificate
from treaty.text import ColumnSentence, Sentence, Token, read_conllu, write_conllu

TEXT = "The cat sees a dog. Every bird likes the red garden."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parse")
    small_pipeline(order="second").save(folder / "toy.treaty")
    write_conllu(treebank(2), folder / "train.conllu")
    return folder


@pytest.fixture
def parse(run, folder):
    def parse(*arguments):
        return run("parse", "--model", folder / "toy.treaty", *arguments)

    return parse


def sentences(conllu, tmp_path):
    (tmp_path / "out.conllu").write_text(conllu, encoding="utf-8")
    return list(read_conllu(tmp_path / "out.conllu", trees=True))


def test_text_becomes_trees_with_certificates(parse, tmp_path):
    code, out, err = parse(TEXT)
    assert (code, err) == (0, "")
    first, second = sentences(out, tmp_path)
    assert (first.text, second.text) == ("The cat sees a dog.", "Every bird likes the red garden.")
    assert first.heads == [2, 3, 0, 5, 3, 3]
    assert [token.upos for token in first][:3] == ["DET", "NOUN", "VERB"]
    assert first.comment("status") == "OPTIMAL"
    assert first.comment("gap") == "0"


def test_files_standard_input_and_several_sources(parse, stdin, tmp_path):
    (tmp_path / "a.txt").write_text("The cat sees a dog.\n", encoding="utf-8")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"A dog likes the cat.\n\n\n"))
    code, out, _ = parse(tmp_path / "a.txt", tmp_path / "b.txt.gz", "Every bird finds a letter.")
    assert code == 0
    texts = [s.text for s in sentences(out, tmp_path)]
    assert texts == ["The cat sees a dog.", "A dog likes the cat.", "Every bird finds a letter."]
    stdin("The cat sees a dog.")
    assert parse()[1] == parse("The cat sees a dog.")[1]


def test_lines_and_abbreviations(parse, tmp_path):
    text = "The cat sees a dog. Every bird\nlikes the red garden."

    def texts(*options):
        return [s.text for s in sentences(parse(text, *options)[1], tmp_path)]

    whole = "Every bird likes the red garden."
    assert texts("--lines", "wrapped") == ["The cat sees a dog.", whole]
    assert texts("--lines", "sentence") == text.splitlines()
    (tmp_path / "words").write_text("dog.\n", encoding="utf-8")
    assert texts("--lines", "wrapped", "--abbreviations", tmp_path / "words") == [
        text.replace("\n", " ")
    ]


@pytest.mark.parametrize("content", ["", "\n\n \n", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("output", ["conllu", "json", "svg", "html", "tree"])
def test_empty_input_gives_empty_output(parse, stdin, content, output):
    stdin(content)
    nothing = "treaty: note: nothing to parse: the input is empty\n"
    assert parse("--format", output) == (0, "", nothing)
    stdin(content)
    assert parse("--format", output, "-q") == (0, "", "")


def test_tokens(parse, stdin, tmp_path):
    stdin("The cat sees a dog .\n\nA dog likes the cat .\n")
    code, out, _ = parse("--input-format", "tokens")
    assert code == 0
    assert [len(s) for s in sentences(out, tmp_path)] == [6, 6]


def test_conllu_keeps_all_but_the_tree_and_the_enhanced_graph(parse, tmp_path):
    given = treebank(1)[0]
    given.comments.insert(0, "# sent_id = a-1")
    for token in given:
        token.deps, token.lemma, token.head, token.deprel = "1:x", "lemma", 0, "old"
    given.tokens[1].xpos = "ODD"
    write_conllu([given], tmp_path / "in.conllu")
    _, out, _ = parse(tmp_path / "in.conllu")
    (found,) = sentences(out, tmp_path)
    assert found.comments[:2] == given.comments
    assert found.tokens[1].xpos == "ODD"
    assert {(token.deps, token.lemma) for token in found} == {("_", "lemma")}
    assert "old" not in {token.deprel for token in found}
    assert [token.misc for token in found] == [token.misc for token in given]
    _, out, _ = parse(tmp_path / "in.conllu", "--tags", "predict")
    assert sentences(out, tmp_path)[0].tokens[1].xpos in ("NN", "JJ")


def test_cyclic_and_headless_input_is_parsed(parse, tmp_path):
    cyclic = Sentence([Token("The", head=2), Token("cat", head=1)])
    write_conllu([cyclic, Sentence.from_words(["A", "dog"])], tmp_path / "in.conllu")
    code, out, _ = parse(tmp_path / "in.conllu")
    assert code == 0
    assert [s.heads.count(0) for s in sentences(out, tmp_path)] == [1, 1]


def test_faulty_sentences_are_told_and_the_rest_goes_on(parse, tmp_path):
    good = treebank(2)
    bad = "1\tThe\t_\n\n"
    (tmp_path / "in.conllu").write_text(
        good[0].to_conllu() + bad + good[1].to_conllu(), encoding="utf-8"
    )
    code, out, err = parse(tmp_path / "in.conllu", tmp_path / "missing.conllu", "A dog sees a cat.")
    assert code == 3
    assert len(sentences(out, tmp_path)) == 3
    line = len(good[0].to_conllu().splitlines()) + 1
    assert f"in.conllu:{line}: expected 10 columns" in err
    assert "missing.conllu: there is no such file" in err
    assert "2 faulty parts" in err


def test_lines_that_are_no_text_are_told_and_the_rest_goes_on(parse, tmp_path):
    (tmp_path / "in.txt").write_bytes(b"The cat sees a dog.\n\xff\xfe\nA dog sees a cat.\n")
    for kind in ("text", "tokens"):
        code, out, err = parse(tmp_path / "in.txt", "--input-format", kind)
        assert code == 3
        assert "in.txt:2: not UTF-8" in err
        assert "cat" in out and "dog" in out


def test_json(parse):
    _, out, _ = parse(TEXT, "--format", "json")
    first, second = map(json.loads, out.splitlines())
    assert first["text"] == "The cat sees a dog."
    assert first["certificate"]["status"] == "OPTIMAL" and first["certificate"]["gap"] == 0
    assert list(first["certificate"]) == list(Certificate.exact(0.0).to_dict())
    assert first["tokens"][2] | {"feats": 0} == {
        "id": 3, "form": "sees", "lemma": "sees", "upos": "VERB", "xpos": "VBZ", "head": 0,
        "deprel": "root", "feats": 0, "start": 8, "end": 12,
    }  # fmt: skip
    assert len(second["tokens"]) == 7


def test_lines_of_json_are_documents(parse):
    _, out, _ = parse(TEXT, "--format", "json")
    conllu = parse(TEXT)[1]
    assert "".join(Document.from_json(line).to_conllu() for line in out.splitlines()) == conllu


def test_svg_is_one_document(parse, tmp_path):
    code, out, _ = parse(TEXT, "--format", "svg", "-o", tmp_path / "trees.svg")
    assert (code, out) == (0, "")
    text = (tmp_path / "trees.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert text.count('class="tree"') == 2
    assert "OPTIMAL" in text


def test_trees_are_drawn(parse):
    _, out, _ = parse(TEXT, "--format", "tree")
    assert "cat" in out and "nsubj" in out and "OPTIMAL" in out


def test_orders_and_projective_trees(parse, tmp_path):
    code, out, _ = parse(TEXT, "--order", "first", "--projective", "--threads", "2")
    assert code == 0
    assert len(sentences(out, tmp_path)) == 2
    code, out, err = parse(TEXT, "--projective")
    assert code == 2 and "first" in err
    code, out, err = parse(TEXT, "--order", "third")
    assert code == 2 and "has the order 'second'" in err


def test_what_cannot_work_is_refused(run, parse, folder, tmp_path):
    code, _, err = parse("word")
    assert code == 3 and "no such file" in err
    code, _, err = run("parse", "--model", folder / "train.conllu", TEXT)
    assert code == 5 and "train.conllu" in err
    code, _, err = parse(TEXT, "-o", tmp_path / "no" / "folder")
    assert code == 3 and "no directory" in err
    assert run("parse", "--help")[0] == 0


def test_conllx(parse, tmp_path):
    write_conllu(treebank(2), tmp_path / "in.conll", format="conllx")
    code, out, _ = parse("--input-format", "conllx", tmp_path / "in.conll")
    assert code == 0
    assert {token.misc for s in sentences(out, tmp_path) for token in s} == {"_"}


def test_tag_takes_the_tagger_of_a_pipeline(run, folder):
    code, out, _ = run("tag", "--model", folder / "toy.treaty", TEXT)
    assert code == 0
    assert "\tsees\tsees\tVERB\t" in out


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """A model that takes the cat and the red garden for names."""
    rows = [("The", "O"), ("cat", "B-PER"), ("sees", "O"), ("a", "O"), ("dog", "O"), (".", "O")]
    place = [("in", "O"), ("the", "O"), ("red", "B-LOC"), ("garden", "I-LOC"), (".", "O")]
    path = tmp_path_factory.mktemp("names") / "names.treaty"
    data = [ColumnSentence(rows), ColumnSentence(place)] * 6
    EntityLabeler.train(data, tags=False, language_model=None).save(path)
    return path


def test_entities_in_conllu_json_and_beside_trees(parse, names, tmp_path):
    options = ("--entities", "--entity-model", names, "-q")
    code, out, _ = parse(TEXT, *options)
    assert code == 0 and "NERConfidence" not in out
    marks = [line.split("NER=")[1] for line in out.splitlines() if "NER=" in line]
    assert marks == ["B-PER", "B-LOC", "I-LOC|SpaceAfter=No"] or marks == [
        "B-PER",
        "B-LOC",
        "I-LOC",
    ]
    assert "# entities_status = OPTIMAL" in out
    code, out, _ = parse(TEXT, *options, "--format", "json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [[e["text"] for e in line["entities"]] for line in lines] == [["cat"], ["red garden"]]
    second = Document.from_dict(lines[1]).entities[0]
    assert 0 < second.confidence <= 1 and second.type == "LOC"
    code, out, _ = parse(TEXT, *options, "--format", "tree")
    assert "PER: cat\n" in out and "LOC: red garden\n" in out
    code, _, err = parse(TEXT, *options, "--format", "svg")
    assert code == 2 and "--entities goes with --format conllu, json or tree" in err


def test_confidences_are_written_if_asked_for(parse):
    code, out, _ = parse(TEXT, "--confidences")
    assert code == 0
    for name in ("TagConfidence", "ArcConfidence", "LabelConfidence"):
        assert out.count(f"{name}=") == 13
    assert "Confidence" not in parse(TEXT)[1]


def test_models_for_other_languages_are_told_of(run, folder, names, tmp_path):
    from treaty.parse import Pipeline

    made = Pipeline.load(folder / "toy.treaty")
    made.info["language"] = "da"
    made.save(tmp_path / "da.treaty")
    labeler = EntityLabeler.load(names)
    labeler.info["language"] = "English"
    labeler.save(tmp_path / "en.treaty")
    options = ("--model", tmp_path / "da.treaty", "--entity-model", tmp_path / "en.treaty")
    code, _, err = run("parse", TEXT, "--entities", *options)
    assert code == 0 and "for names is for english, that for trees for da" in err
