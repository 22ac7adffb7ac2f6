"""Text to trees in one model: its parts, its file, streams of any length."""

import itertools
from dataclasses import replace

import pytest
from tests.parse.treebank import small, small_pipeline, treebank

from treaty.errors import ModelError, UsageError
from treaty.parse import Parser, Pipeline, Root
from treaty.text import Sentence, Token, text_of

PIPELINE = small_pipeline(order="second", info={"language": "toy"})
TEXT = "The cat sees a dog. Every bird likes the red garden.\n\nA dog finds the letter."


def test_text_becomes_a_document_with_tags_trees_and_certificates():
    document = PIPELINE(TEXT)
    assert [len(sentence) for sentence in document.sentences] == [6, 7, 6]
    assert text_of(document.sentences) == TEXT == document.text
    for sentence in document.sentences:
        assert sentence.heads.count(0) == 1
        assert all(token.upos != "_" and token.deprel != "_" for token in sentence)
    for certificate in document.certificates:
        assert certificate.status in ("OPTIMAL", "FRACTIONAL", "FEASIBLE")
        assert certificate.gap >= 0
    assert len(document.certificates) == 3
    assert document.sentences[0].heads == [2, 3, 0, 5, 3, 3]


def test_texts_are_piped_in_order():
    texts = ["", TEXT, "The cat sees a dog.", " \n", "A dog finds the letter."] * 3
    for threads in (1, 3):
        assert list(PIPELINE.pipe(texts, threads=threads)) == [PIPELINE(text) for text in texts]
    assert list(PIPELINE.pipe([])) == []
    (first,) = PIPELINE.pipe(iter(["The cat sees a dog."]), order="first")
    assert first == PIPELINE("The cat sees a dog.", order="first")


@pytest.mark.parametrize(
    ("text", "enough"), [("", 600), ("The cat sees.", 600), ("The cat sees. " * 20, 40)]
)
def test_a_pipe_reads_few_texts_ahead(text, enough):
    read = 0

    def texts():
        nonlocal read
        while True:
            read += 1
            yield text

    for seen, document in enumerate(PIPELINE.pipe(texts(), order="first"), 1):
        assert document.text == text
        assert read - seen < 512
        assert (read - seen) * len(document.sentences) < 512
        if seen == enough:
            break


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (None, "not NoneType; leave out missing values"),
        (float("nan"), r"not nan \(float\); leave out missing values"),
        (1.5, "not float"),
        (b"The cat", r"not bytes; decode it first, such as with text\.decode\(\)"),
        (["The cat"], "not list; give several texts to `pipe`"),
        (("The cat",), "not tuple"),
    ],
)
def test_what_is_not_a_text_is_refused_by_its_type(given, told):
    with pytest.raises(UsageError, match=f"the text must be a string .* {told}"):
        PIPELINE(given)
    with pytest.raises(UsageError, match=f"text 1 must be a string .* {told}"):
        list(PIPELINE.pipe(["The cat sees a dog.", given]))
    with pytest.raises(UsageError, match=f"the text must be a string .* {told}"):
        PIPELINE.tokenizer.document(given)


@pytest.mark.parametrize("given", ["The cat", b"The cat", None, float("nan")])
def test_a_pipe_takes_several_texts(given):
    with pytest.raises(UsageError, match=f"several texts.* not {type(given).__name__}; for one"):
        PIPELINE.pipe(given)


@pytest.mark.parametrize("given", [None, 3, b"The cat"])
def test_pieces_are_texts(given):
    with pytest.raises(UsageError, match="must be a string"):
        PIPELINE.parse_text(given)
    with pytest.raises(UsageError, match="must be a string"):
        list(PIPELINE.parse_text([given]))


def test_nothing_gives_nothing():
    for text in ("", " \n\n \t\n"):
        assert PIPELINE(text).sentences == []
    assert list(PIPELINE.parse_text([])) == []
    assert list(PIPELINE.predict([])) == []


def test_pieces_of_a_text_are_parsed_as_they_come():
    def pieces():
        yield from itertools.repeat("The cat sees a dog.\n\n", 2000)
        raise AssertionError("all pieces were read before the first parse")

    parses = PIPELINE.parse_text(pieces())
    assert next(parses).sentence.words[:2] == ["The", "cat"]


def test_many_short_sentences_stream():
    read = 0

    def sentences():
        nonlocal read
        while read < 20_000:
            read += 1
            yield Sentence([Token("Hush", upos="VERB")])

    parses = PIPELINE.predict(sentences(), order="first")
    for seen, parse in enumerate(parses, 1):
        assert parse.sentence.heads == [0]
        assert read - seen <= 2048  # batches, and no more, are held
    assert read == seen == 20_000


def test_a_very_long_sentence_is_parsed():
    words = [token for sentence in treebank(300) for token in sentence][:2000]
    sentence = Sentence([Token(t.form, upos=t.upos, xpos=t.xpos) for t in words])
    parser = Parser.train(treebank(10), **small(order="second", epochs=1, iterations=5))
    (parse,) = Pipeline(parser).predict([sentence])
    assert parse.sentence.heads.count(0) == 1
    assert parse.bound >= parse.objective - 1e-6


def test_tags_are_kept_or_predicted():
    odd = [Token("The", upos="X"), Token("cat", upos="X", xpos="Y")]
    (kept,) = PIPELINE.predict([Sentence(odd)])
    assert [token.upos for token in kept.sentence] == ["X", "X"]
    (new,) = PIPELINE.predict([Sentence(odd)], tags="predict")
    assert [token.upos for token in new.sentence] == ["DET", "NOUN"]
    bare = Sentence.from_words(["The", "cat"])
    mixed = [bare, Sentence(odd), bare]
    tags = [[t.upos for t in p.sentence] for p in PIPELINE.predict(mixed)]
    assert tags == [["DET", "NOUN"], ["X", "X"], ["DET", "NOUN"]]
    assert bare.tokens[0].upos == "_"  # what is given stays as it is


def test_an_enhanced_graph_does_not_outlive_its_tree():
    tokens = [Token("I", head=2, deps="2:nsubj"), Token("do", head=0), Token("n't", head=2)]
    lines = [(1, "2-3\tdon't" + 8 * "\t_"), (3, "3.1\tgo" + 8 * "\t_")]
    (parse,) = PIPELINE.predict([Sentence(tokens, [], lines)])
    assert [token.deps for token in parse.sentence] == ["_", "_", "_"]
    assert parse.sentence.other_lines == lines[:1]
    assert tokens[0].deps == "2:nsubj"


def test_results_do_not_depend_on_batches():
    sentences = treebank(30, seed=7)
    together = list(PIPELINE.predict(sentences, tags="predict"))
    assert together == [p for s in sentences for p in PIPELINE.predict([s], tags="predict")]


def test_options_of_the_parser_are_passed_on():
    sentence = treebank(1)[0]
    (parse,) = PIPELINE.predict([sentence], constraints=[Root(1)], order="first")
    assert parse.sentence.heads[0] == 0
    with pytest.raises(UsageError, match="cannot parse with 'third'"):
        list(PIPELINE.predict([sentence], order="third"))


def test_missing_parts_are_told():
    bare = Pipeline(PIPELINE.parser)
    with pytest.raises(UsageError, match="no tokenizer"):
        bare("The cat sees a dog.")
    with pytest.raises(UsageError, match="no tokenizer"):
        bare.pipe(["The cat sees a dog."])
    with pytest.raises(UsageError, match="no tagger"):
        bare.predict(treebank(1), tags="predict")
    with pytest.raises(UsageError, match="'keep' or 'predict'"):
        bare.predict(treebank(1), tags="gold")
    assert next(bare.predict(treebank(1))).sentence.heads


# Scores


def test_predicted_tags_are_scored_by_default():
    gold = treebank(9, seed=3)
    for token in (token for sentence in gold for token in sentence):
        token.upos = token.xpos = "X"
    kept, anew = PIPELINE.evaluate(gold, tags="keep"), PIPELINE.evaluate(gold)
    assert set(kept) == {"UAS", "LAS"}
    assert set(anew) == {"UAS", "LAS", "LEMMA"}
    assert 0.9 < anew["LEMMA"] <= 1.0
    assert kept["UAS"] < anew["UAS"] == PIPELINE.evaluate(gold, tags="predict")["UAS"]
    assert Pipeline(PIPELINE.parser).evaluate(gold) == kept


def test_lemmas_are_kept_or_predicted():
    odd = [Token("The", lemma="X", upos="DET"), Token("cat", upos="NOUN")]
    bare = Sentence([replace(token, lemma="_") for token in odd])
    found = [[t.lemma for t in p.sentence] for p in PIPELINE.predict([Sentence(odd), bare])]
    assert found == [["X", "_"], ["the", "cat"]]
    (new,) = PIPELINE.predict([Sentence(odd)], tags="predict")
    assert [token.lemma for token in new.sentence] == ["the", "cat"]
    without = Pipeline(PIPELINE.parser, PIPELINE.tagger)
    (found,) = without.predict([bare])
    assert [token.lemma for token in found.sentence] == ["_", "_"]


def test_text_gets_lemmas():
    first, *_ = PIPELINE(TEXT).sentences
    assert [token.lemma for token in first] == ["the", "cat", "sees", "a", "dog", "."]


# Files


def test_a_model_file_holds_all_parts():
    loaded = Pipeline.from_bytes(PIPELINE.to_bytes())
    assert loaded.info == PIPELINE.info
    assert loaded(TEXT).sentences == PIPELINE(TEXT).sentences


def test_a_parser_alone_is_a_pipeline_too():
    loaded = Pipeline.from_bytes(PIPELINE.parser.to_bytes())
    assert loaded.tagger is None and loaded.tokenizer is None
    with pytest.raises(ModelError, match="for the task 'tagger'; expected 'pipeline'"):
        Pipeline.from_bytes(PIPELINE.tagger.to_bytes())


def test_parts_that_are_missing_are_missing_in_the_file():
    for parts in ((PIPELINE.tagger,), (None, PIPELINE.tokenizer)):
        made = Pipeline(PIPELINE.parser, *parts)
        loaded = Pipeline.from_bytes(made.to_bytes())
        assert (loaded.tagger is None) == (made.tagger is None)
        assert (loaded.tokenizer is None) == (made.tokenizer is None)


@pytest.mark.parametrize("part", ["parser", "tagger", "tokenizer", "info"])
def test_damaged_parts_are_refused(part):
    file = PIPELINE.to_file()
    broken = replace(file, header={**file.header, part: ["not", "a", "part"]}, name="broken.treaty")
    with pytest.raises(ModelError, match=rf"broken\.treaty: {part}: expected dict"):
        Pipeline.from_file(broken)


def test_missing_tensors_are_refused():
    file = PIPELINE.to_file()
    for name in file.tensors:
        less = {key: tensor for key, tensor in file.tensors.items() if key != name}
        with pytest.raises(ModelError, match="<model>"):
            Pipeline.from_file(replace(file, tensors=less))
