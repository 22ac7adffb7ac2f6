"""The tokenizer: texts and treebanks, offsets, blank lines, and texts nobody expects."""

import itertools
from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import InputError, ModelError, UsageError
from treaty.metrics import aligned_scores
from treaty.parse import Tokenizer
from treaty.parse import _tokenizer as module
from treaty.parse._abbreviations import Abbreviations
from treaty.parse._raw_text import paragraphs_of, text_and_tags
from treaty.text import Sentence, Token, text_of

SUBJECTS, VERBS = ("Cats", "Dogs", "We", "They"), ("sleep", "run", "see", "sing")


def sentence(rng, new_paragraph):
    subject, verb = str(rng.choice(SUBJECTS)), str(rng.choice(VERBS))
    sentence = Sentence([Token(subject)], ["# newpar"] if new_paragraph else [])
    if rng.random() < 0.5:
        sentence.tokens += [Token("do"), Token("n't")]
        sentence.other_lines.append((1, "2-3\tdon't" + 8 * "\t_"))
    sentence.tokens += [Token(verb, misc="SpaceAfter=No"), Token(str(rng.choice([".", "!"])))]
    return sentence


def treebank(count, seed=0):
    rng = np.random.default_rng(seed)
    return [sentence(rng, i % 3 == 0) for i in range(count)]


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer.train(treebank(120), epochs=4, bits=12, info={"language": "en"})


def raw(sentences):
    return "\n\n".join(text_and_tags(paragraph)[0] for paragraph in paragraphs_of(sentences))


def test_it_learns_the_treebank(tokenizer):
    gold = treebank(40, seed=3)
    scores = aligned_scores(gold, tokenizer.sentences(raw(gold)))
    assert (scores.tokens.f1, scores.words.f1, scores.sentences.f1) == (1, 1, 1)


def test_scores_are_those_of_the_text_split_anew(tokenizer):
    assert tokenizer.evaluate(treebank(40, seed=3)) == {"words": 1.0, "sentences": 1.0}
    one = Sentence([Token("Cats"), Token("sleep", misc="SpaceAfter=No"), Token(".")])
    two = Sentence([Token("Dogs", misc="SpaceAfter=No"), Token("run.")])  # the model: Dogsrun .
    scores = tokenizer.evaluate([one, two])
    assert scores["sentences"] == 1.0
    assert scores["words"] == pytest.approx(2 * 3 / (5 + 5))


def test_dev_data_are_scored_after_each_epoch():
    told, dev = [], treebank(9, seed=3)
    made = Tokenizer.train(treebank(30), dev, epochs=2, bits=10, progress=told.append)
    scores = [event.scores for event in told if event.scores]
    assert len(scores) == 2 and scores[-1] == made.evaluate(dev) == made.info["scores"]


def test_words_of_a_contraction_touch(tokenizer):
    text = "Cats don't run."
    assert tokenizer.split(text) == [
        [[(0, 4)], [(5, 7), (7, 10)], [(11, 14)], [(14, 15)]],
    ]
    made = tokenizer.sentences(text)[0]
    assert made.words == ["Cats", "do", "n't", "run", "."]
    assert [token.form for token in made.multiword_tokens] == ["don't"]
    assert (made.text, text_of([made])) == (text, text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("We see http://a-b.org/x.php?q=1&r=(2)#n!", "http://a-b.org/x.php?q=1&r=(2)#n"),
        ("We see www.cats-and-dogs.com.", "www.cats-and-dogs.com"),
        ("We see jo.o'x+y@my-site.co.uk, ", "x+y@my-site.co.uk"),
        ("We :-) sleep", ":-)"),
        ("We sleep ^_^", "^_^"),
    ],
)
def test_addresses_and_emoticons_are_one_word(tokenizer, text, word):
    spans = [span for s in tokenizer.split(text) for token in s for span in token]
    assert any(start <= text.index(word) and text.index(word) + len(word) <= end
               for start, end in spans)  # fmt: skip


def test_no_sentence_begins_with_the_form_of_a_company(tokenizer):
    (piece,) = module._pieces("Cats run! Inc. Dogs run!")
    classes = list(tokenizer._classes(piece))
    first = [len("Cats"), len("Catsrun!"), len("Catsrun!Inc.")]
    assert [classes[n] for n in first] == [
        module.AFTER_SPACE,
        module.IN_SENTENCE,
        module.AFTER_SPACE,
    ]


@pytest.mark.parametrize("lines", ["auto", "sentence"])
def test_dashes_and_the_verb_of_tis_are_words(tokenizer, lines):
    text = "Cats run. 'Tis late—dogs sleep."
    spans = [span for s in tokenizer.split(text, lines=lines) for token in s for span in token]
    assert {"is", "—", "dogs"} <= {text[start:end] for start, end in spans}


@pytest.mark.parametrize("line", ["\n\n", "\n \t\n", "\r\n\r\n", "\n\n\n"])
def test_blank_lines_end_sentences(tokenizer, line):
    assert len(tokenizer.sentences(f"Cats and{line}dogs")) == 2


def test_line_breaks_do_not(tokenizer):
    assert len(tokenizer.sentences("Cats don't\nrun.")) == 1


@pytest.mark.parametrize(
    ("lines", "counts"),
    [
        ("auto", [5, 4, 5]),
        ("wrapped", [5, 4, 5]),
        ("sentence", [6, 8]),
        ("paragraph", [5, 1, 3, 5]),
    ],
)
def test_lines_are_what_they_are_said_to_be(tokenizer, lines, counts):
    text = "Cats don't run. Dogs\ndon't. We don't sleep."
    found = [sum(map(len, s)) for s in tokenizer.split(text, lines=lines)]
    assert found == counts
    tokenizer.lines = lines
    assert [sum(map(len, s)) for s in tokenizer.split(text)] == counts
    tokenizer.lines = "auto"


def test_a_line_that_is_a_sentence_has_no_other(tokenizer):
    text = "Cats.Dogs! We.\nThey sing."
    assert len(tokenizer.split(text, lines="sentence")) == 2
    with pytest.raises(UsageError, match="lines must be one of"):
        tokenizer.split(text, lines="some")


@pytest.mark.parametrize("text", ['"We run!" they see.', "We see . . . dogs.", "We see. . . ."])
def test_quotations_and_spaced_dots_do_not_end_sentences(tokenizer, text):
    assert len(tokenizer.split(text)) == 1


def test_abbreviations_do_not_end_sentences(tokenizer):
    text = "We see. Dogs sleep."
    made = Tokenizer.from_file(tokenizer.to_file())
    assert len(made.split(text)) == 2
    made.abbreviations.add(["see."])
    assert len(made.split(text)) == 1
    assert made.sentences(text)[0].words == ["We", "see.", "Dogs", "sleep", "."]
    again = Tokenizer.from_file(made.to_file())
    assert again.abbreviations.to_dict() == made.abbreviations.to_dict()
    assert again.abbreviations.to_dict()["never"] == ["see."]
    assert again.split(text) == made.split(text)


@pytest.mark.parametrize("unit", [".", '"', "(", "\n", "\n- ", "> ", "a\n", "| ", "Mr. ", "x: y\n"])
def test_the_work_is_proportional_to_the_text(tokenizer, unit):
    found = tokenizer.split(unit * 4_000)
    words = [word for tokens in found for token in tokens for word in token]
    assert sum(end - start for start, end in words) == sum(map(len, unit.split())) * 4_000


@pytest.mark.parametrize("text", ["", " ", "\n\n \n", "\u3000"])
def test_empty_texts_have_no_sentences(tokenizer, text):
    assert tokenizer.sentences(text) == []


@settings(deadline=None, max_examples=100)
@given(
    text=st.text(
        st.one_of(
            st.sampled_from("ab.!?'\n \t\r\u00a0\u2028\U0001f600\u0301"),
            st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
        ),
        max_size=60,
    )
)
def test_offsets_cover_the_text_and_give_it_back(tokenizer, text):
    found = tokenizer.split(text)
    words = [word for tokens in found for token in tokens for word in token]
    covered = "".join(text[start:end] for start, end in words)
    assert covered == "".join(text.split())
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(words))
    if found:
        assert text_of(tokenizer.sentences(text)) == text


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_what_is_no_text_is_refused(tokenizer, text):
    with pytest.raises(InputError, match="character 1 is not valid in a text"):
        tokenizer.split(text)


def test_long_lines_are_cut_but_not_torn(tokenizer, monkeypatch):
    assert tokenizer.split("x" * 100_000)[0][0][0][0] == 0
    text = "Cats sleep. " * 2000
    whole = tokenizer.split(text)
    assert [word for s in whole for t in s for w in t for word in w][-1] == len(text) - 1
    monkeypatch.setattr(module, "BATCH", 1)
    assert tokenizer.split(text, threads=2) == whole


def test_a_word_longer_than_a_piece_goes_on_in_the_next(tokenizer, monkeypatch):
    monkeypatch.setattr(module, "MOST_CHARACTERS", 300)
    monkeypatch.setattr(module, "BATCH", 1)
    tokens = [token for s in tokenizer.split("z" * 1000) for token in s]
    assert tokens[0][0][0] == 0
    assert tokens[-1][-1][1] == 1000


def test_documents_keep_their_text(tokenizer):
    document = tokenizer.document("Cats sleep. Dogs run.")
    assert document.text == "Cats sleep. Dogs run."
    assert len(document.sentences) == 2


@pytest.mark.parametrize(
    ("key", "value", "match"),
    [
        ("bits", 99, "bits: expected an integer from 1 to 26"),
        ("bits", 11, "expected 2048 weights, found 4096"),
        ("templates", [[]], "templates: expected 3 lists, found 1"),
        ("templates", [["c.nonsense"], [], []], "no column 'nonsense'"),
        ("info", None, "info: expected dict"),
        ("abbreviations", [], "abbreviations: expected dict"),
        ("abbreviations", {"maybe": []}, "'maybe' is no class"),
        ("abbreviations", {"never": [1]}, "abbreviations"),
    ],
)
def test_files_that_are_refused(tokenizer, key, value, match):
    file = tokenizer.to_file()
    with pytest.raises(ModelError, match=match):
        Tokenizer.from_file(replace(file, header={**file.header, key: value}))


@pytest.mark.parametrize(("miss", "count"), [(0.2, 1), (5.0, 2)])
def test_a_missed_sentence_has_a_cost(monkeypatch, miss, count):
    def paragraph(is_two):
        first, second = [Token("cats"), Token("sleep")], [Token("dogs"), Token("run")]
        if is_two:
            return [Sentence(first, ["# newpar"]), Sentence(second)]
        return [Sentence(first + second, ["# newpar"])]

    monkeypatch.setattr(module, "MISS", miss)
    bank = [sentence for i in range(60) for sentence in paragraph(i % 2)]
    made = Tokenizer.train(bank, epochs=5, bits=12)
    assert len(made.split("cats sleep dogs run")) == count


def test_no_sentence_begins_in_brackets_unless_one_ends():
    text = "It (see 2d Cir. 1995, or ask. He knows it) is not :( but Ann (my sister) is"
    (piece,) = module._pieces(text)
    free = [chunk.text for chunk in piece if chunk.after == module.AFTER_SPACE]
    assert free == ["(see", "He", "is", "not", ":(", "but", "Ann", "(my", "is"]


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("See page 4. The next is 6. He left", ["The", "He"]),
        ("Do this 1. The book 2. The note", []),  # a list
        ("1. The book", []),
        ("It is here; 4. The next", []),
        ("On 4. July", []),  # an ordinal
    ],
)
def test_a_number_ends_a_sentence_unless_it_labels_an_item(tokenizer, text, begins):
    made = copy(tokenizer)
    made.abbreviations = Abbreviations({"starts": ["The", "He"]})
    (piece,) = module._pieces(text)
    classes, found = list(made._classes(piece)), []
    for chunk in piece[1:]:
        place = sum(len(one.text) for one in piece if one.start < chunk.start)
        found += [chunk.text] if classes[place] == module.AT_START else []
    assert found == begins


def test_a_dateline_begins_on_its_own_line():
    (piece,) = module._pieces("The deal is done.\nLONDON (Reuters) - Shares rose on Monday.")
    after = {chunk.text: chunk.after for chunk in piece}
    assert after["LONDON"] == module.AFTER_SPACE  # a sentence may start
    assert {after[text] for text in ("(Reuters)", "-", "Shares")} == {module.IN_SENTENCE}
