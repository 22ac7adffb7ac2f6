"""Frames of words, counted in small treebanks and stored in model files."""

import numpy as np
import pytest
from tests.summarize.cuts.test_rules import parsed

from treaty import ModelError
from treaty.languages import get
from treaty.learn import ModelFile
from treaty.summarize.cuts._arcs import Arcs
from treaty.summarize.sentences._frames import Frames, slot_of, word_of

PUT = parsed(
    "Ann put cups on tables", "PROPN:2:nsubj", "VERB:0:root", "NOUN:2:obj", "ADP:5:case",
    "NOUN:2:obl",
)  # fmt: skip
SAW = parsed("Ann saw cups", "PROPN:2:nsubj", "VERB:0:root", "NOUN:2:obj")
WALK = parsed("Ann walked home", "PROPN:2:nsubj", "VERB:0:root", "ADV:2:advmod")
STOOD = parsed("Ann walked", "PROPN:2:nsubj", "VERB:0:root")


def test_words_and_slots_have_names():
    arcs = Arcs(PUT)
    assert word_of(arcs, 1) == "put/VERB/t" and word_of(arcs, 2) == "cups/NOUN"
    assert [slot_of(arcs, n, get("en")) for n in range(5)] == ["", "", "obj", "", "obl:on"]
    passive = parsed("Cups were put", "NOUN:3:nsubj:pass", "AUX:3:aux:pass", "VERB:0:root")
    assert word_of(Arcs(passive), 2) == "put/VERB/p"


def test_what_is_always_there_is_required():
    frames = Frames.count([PUT] * 5 + [SAW] * 5 + [WALK] * 2 + [STOOD] * 3)
    assert frames.totals["put/VERB/t"] == 5 and frames.bare["saw/VERB/t"] == 5
    assert frames.requires(Arcs(PUT), 4)
    assert not frames.requires(Arcs(SAW), 1)  # the root
    assert frames.requires(Arcs(WALK), 2)  # two of five
    assert not Frames.count([WALK] * 2 + [STOOD] * 9).requires(Arcs(WALK), 2)
    assert not Frames().requires(Arcs(PUT), 4)
    assert frames.knows(Arcs(PUT), 1) and not Frames().knows(Arcs(PUT), 1)


def test_a_word_that_never_stands_alone_needs_its_last_complement():
    near = parsed(
        "Ann put cups near us", "PROPN:2:nsubj", "VERB:0:root", "NOUN:2:obj", "ADP:5:case",
        "PRON:2:obl",
    )  # fmt: skip
    frames = Frames.count([PUT] * 9 + [near])
    assert frames.requires(Arcs(near), 4)


def test_terms_and_adjectives_with_degrees():
    prime = parsed("The prime minister slept", "DET:3:det", "ADJ:3:amod", "NOUN:4:nsubj",
                   "VERB:0:root")  # fmt: skip
    big = parsed("Very big cats slept", "ADV:2:advmod", "ADJ:3:amod", "NOUN:4:nsubj", "VERB:0:root")
    frames = Frames.count([prime] * 3 + [big] * 2)
    assert frames.terms == {"prime minister"} and frames.graded == {"big"}


def test_frames_are_stored():
    frames = Frames.count([PUT] * 5 + [WALK] * 2 + [STOOD] * 3)
    again = Frames.from_file(ModelFile("toy", {}, frames.to_file()))
    assert (again.totals, again.slots, again.terms, again.graded) == (
        frames.totals, frames.slots, frames.terms, frames.graded,
    )  # fmt: skip
    assert {k: n for k, n in again.bare.items() if n} == frames.bare
    assert Frames.from_file(ModelFile("toy", {}, {})).totals == {} == Frames().to_file()
    for damaged in (b"n put x 1", b"?", b"\xff"):
        file = ModelFile("toy", {}, {"frames": np.frombuffer(damaged, np.uint8)})
        with pytest.raises(ModelError, match="frames of words are damaged"):
            Frames.from_file(file)
