"""What rules ask of arcs: labels, phrases, neighbors, articles."""

from tests.summarize.test_rules import parsed

from treaty.summarize._arcs import Arcs
from treaty.text import Sentence

SENTENCE = parsed(
    "Sadly +, an old grey cat of Ann slept +, and dogs barked +.",
    "ADV:9:advmod", "PUNCT:1:punct", "DET:6:det", "ADJ:6:amod", "ADJ:6:amod:color", "NOUN:9:nsubj",
    "ADP:8:case", "PROPN:6:nmod", "VERB:0:root", "PUNCT:13:punct", "CCONJ:13:cc", "NOUN:13:nsubj",
    "VERB:9:conj", "PUNCT:9:punct",
)  # fmt: skip
ARCS = Arcs(SENTENCE)


def place(word):
    return [token.form for token in SENTENCE].index(word)


def test_heads_and_children_count_from_0():
    assert ARCS.heads[place("slept")] == -1
    assert ARCS.heads[place("cat")] == place("slept")
    assert ARCS.children[place("cat")] == [place(w) for w in ("an", "old", "grey", "Ann")]
    bare = Arcs(Sentence.from_words(["a", "b"]))
    assert bare.heads == [-1, -1] and bare.children == [[], []]


def test_labels_count_with_and_without_their_subtypes():
    grey = place("grey")
    for label in ("amod", "amod:color"):
        assert ARCS.has_label(grey, frozenset({label}))
    assert not ARCS.has_label(place("old"), frozenset({"amod:color"}))
    assert not ARCS.has_label(-1, frozenset({"root"}))
    assert ARCS.has_child(place("cat"), frozenset({"nmod", "x"}))
    assert not ARCS.has_child(place("old"), frozenset({"nmod"}))
    assert not ARCS.has_child(-1, frozenset({"nsubj"}))
    assert ARCS.has_child_form(place("cat"), frozenset({"old"}))
    assert not ARCS.has_child_form(place("slept"), frozenset({"old"}))


def test_leaves_have_no_words_on_them():
    assert ARCS.is_leaf(place("Sadly"))  # a comma is no word
    assert not ARCS.is_leaf(place("Ann"))


def test_phrases_are_from_the_first_to_the_last_word():
    assert ARCS.phrases[place("cat")] == (place("an"), place("Ann"))
    assert ARCS.phrases[place("slept")] == (0, place("barked"))
    assert ARCS.phrases[place("barked")] == (place("and"), place("barked"))


def test_neighbors_of_a_phrase():
    assert ARCS.is_after(place("Ann"), frozenset({"cat"}))
    assert not ARCS.is_after(place("Ann"), frozenset({"grey"}))
    assert not ARCS.is_after(place("Sadly"), frozenset({"sadly"}))
    assert ARCS.is_set_off(place("Sadly")) and ARCS.is_set_off(place("barked"))
    assert not ARCS.is_set_off(place("Ann")) and not ARCS.is_set_off(place("old"))


def test_an_only_modifier_of_its_kind():
    assert ARCS.is_only(place("an"))
    assert not ARCS.is_only(place("old")) and not ARCS.is_only(place("grey"))
    assert ARCS.is_only(place("slept"))


def test_predicates():
    assert ARCS.has_predicate()
    go = Sentence.from_words(["Go"]).with_tree([0], ["root"])
    assert not Arcs(go).has_predicate()
    go.tokens[0].feats = "Mood=Imp|VerbForm=Fin"
    assert Arcs(go).has_predicate()
    if_he_sleeps = Sentence.from_words(["if", "he", "sleeps"])
    assert not Arcs(if_he_sleeps.with_tree([3, 3, 0], ["mark", "nsubj", "root"])).has_predicate()


def test_articles_must_fit_what_follows():
    def fits(words):
        tree = Sentence.from_words(words.split()).with_tree([3, 3, 0], ["det", "amod", "root"])
        return Arcs(tree).has_fit_article(1)

    assert fits("a big cat") and fits("an old ape") and fits("the old cat")
    assert not fits("an old cat") and not fits("a big ape")
    assert not fits("a big hour")  # nobody knows by the letters
    assert Arcs(Sentence.from_words(["old", "cat"]).with_tree([2, 0])).has_fit_article(0)


def test_a_relative_pronoun_is_no_subject_of_a_sentence():
    mill = parsed("The mill , which stood , burned", "DET:2:det", "NOUN:5:nsubj", "PUNCT:2:punct",
                  "PRON:5:nsubj", "VERB:0:root", "PUNCT:7:punct", "VERB:5:conj")  # fmt: skip
    assert not Arcs(mill).has_predicate()
    who = parsed("Who slept ?", "PRON:2:nsubj", "VERB:0:root", "PUNCT:2:punct")
    assert Arcs(who).has_predicate()
