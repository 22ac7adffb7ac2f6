"""Scores over raw text, by the definitions of the CoNLL-2018 shared task."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import InputError
from treaty.metrics import Retrieval, aligned_scores, attachment_scores
from treaty.text import Sentence, Token


def multiword(sentence, first, last, form):
    sentence.other_lines.append((first - 1, f"{first}-{last}\t{form}" + 8 * "\t_"))
    return sentence


def test_tokens_and_sentences_are_stretches_of_the_text(tree):
    gold = [tree("I can not"), tree("Go now !")]
    system = [tree("I cannot"), tree("Go"), tree("now !")]
    scores = aligned_scores(gold, system)
    assert scores.tokens == scores.words == Retrieval(4, 6, 5)
    assert scores.sentences == Retrieval(1, 2, 3)


def test_white_space_does_not_count(tree):
    gold = Sentence.from_words(["10 000", "men"])
    assert aligned_scores([gold], [tree("10000 men")]).tokens == Retrieval(2, 2, 2)


def test_words_of_a_multiword_token_are_aligned_by_form(tree):
    # Like the example of the shared task: "vámonos al mar" with other words within.
    gold = multiword(multiword(tree("vamos nos a el mar"), 1, 2, "vámonos"), 3, 4, "al")
    system = multiword(multiword(tree("vamos a nos a el mar"), 1, 3, "vámonos"), 4, 5, "al")
    scores = aligned_scores([gold], [system])
    assert scores.tokens == Retrieval(3, 3, 3)
    assert scores.words == Retrieval(5, 5, 6)


def test_a_multiword_token_on_one_side_only(tree):
    gold = multiword(tree("Do n't go"), 1, 2, "Don't")
    assert aligned_scores([gold], [tree("Don't go")]).words == Retrieval(1, 3, 2)
    # Don'tgo is one token for the system: all overlaps, and forms are compared in lower case.
    system = multiword(tree("do n't gone"), 1, 3, "Don'tgo")
    assert aligned_scores([gold], [system]).words == Retrieval(2, 3, 3)


def test_a_multiword_token_of_white_space_alone(tree):
    gold = multiword(tree("x y b"), 1, 2, "\u00a0")
    assert aligned_scores([gold], [gold]).words == Retrieval(3, 3, 3)
    assert aligned_scores([gold], [tree("b")]).tokens == Retrieval(1, 2, 1)


def test_words_before_a_multiword_token_are_no_part_of_it(tree):
    gold = tree("ab c")
    system = multiword(tree("a c ab"), 2, 3, "bc")
    assert aligned_scores([gold], [system]).words == Retrieval(1, 2, 3)


def test_tags_and_heads_count_for_aligned_words(tree):
    gold = tree("We/3/nsubj can/3/aux not/0/root", upos="PRON AUX PART")
    system = tree("We/2/nsubj cannot/0/root", upos="PRON VERB")
    scores = aligned_scores([gold], [system])
    assert scores.words == Retrieval(1, 3, 2)
    assert scores.upos == Retrieval(1, 3, 2)
    assert scores.uas == Retrieval(0, 3, 2)  # its head is no aligned word


def test_fine_tags_and_features_count_as_well(tree):
    gold = tree("a b c", xpos="X Y Z", feats="A=1|B=2 A=1 _")
    system = tree("a b c", xpos="X Y X", feats="B=2|A=1 A=2 _")
    scores = aligned_scores([gold], [system])
    assert scores.xpos == scores.feats == Retrieval(2, 3, 3)


def test_heads_in_later_sentences_and_labels_without_subtypes(tree):
    gold = [tree("A/0/root"), tree("b/2/nsubj:pass c/0/root")]
    system = [tree("A/0/root"), tree("b/2/nsubj c/0/root")]
    assert aligned_scores(gold, system).uas == Retrieval(3, 3, 3)
    assert aligned_scores(gold, system).las == Retrieval(2, 3, 3)
    assert aligned_scores(gold, system, subtypes=False).las == Retrieval(3, 3, 3)


def test_heads_count_from_the_beginning_of_their_own_sentence(tree):
    """The sentence before has more words on one side than on the other."""
    gold = [tree("ca n't/1/x"), tree("b/2/nsubj c/0/root")]
    system = [tree("can't"), tree("b/2/nsubj c/0/root")]
    assert aligned_scores(gold, system).uas == Retrieval(2, 4, 3)
    gold[1], system[1] = tree("b/0/root c/1/obj"), tree("b/0/root c/1/obj")
    assert aligned_scores(gold, system).uas == Retrieval(2, 4, 3)
    system[1] = tree("b/2/nsubj c/0/root")
    assert aligned_scores(gold, system).uas == Retrieval(0, 4, 3)


def test_without_subtypes_labels_still_count(tree):
    gold = [tree("b/2/nsubj:pass c/0/root")]
    system = [tree("b/2/obj:pass c/0/nsubj")]
    assert aligned_scores(gold, system, subtypes=False).las == Retrieval(0, 2, 2)


@pytest.mark.parametrize("turned", [False, True])
def test_a_word_and_a_multiword_token_that_begin_together(tree, turned):
    sides = [tree("ab c"), multiword(tree("ab x c"), 1, 2, "ab")]
    scores = aligned_scores(sides[turned : turned + 1], sides[1 - turned : 2 - turned])
    assert scores.words.correct == 2


@pytest.mark.parametrize("turned", [False, True])
def test_multiword_tokens_that_do_not_overlap_have_nothing_in_common(tree, turned):
    """As in the evaluation script of the shared task, whichever side comes first."""
    sides = [
        multiword(tree("a baba a a"), 3, 4, "b"),
        multiword(tree("ab a a b"), 2, 3, "aba"),
    ]
    scores = aligned_scores(sides[turned : turned + 1], sides[1 - turned : 2 - turned])
    assert scores.words == Retrieval(0, 4, 4)


def longest_common(a, b):
    if not a or not b:
        return 0
    if a[0] == b[0]:
        return 1 + longest_common(a[1:], b[1:])
    return max(longest_common(a[1:], b), longest_common(a, b[1:]))


@given(*[st.lists(st.sampled_from("abc"), min_size=2, max_size=6)] * 2)
@settings(deadline=None, max_examples=100)
def test_within_a_multiword_token_as_many_words_as_may_be_are_aligned(ours, theirs):
    sides = [
        multiword(Sentence.from_words([*words, "end"]), 1, len(words), "xyz")
        for words in (ours, theirs)
    ]
    expected = longest_common(ours, theirs) + 1
    assert aligned_scores(sides[:1], sides[1:]).words.correct == expected


def test_unknown_heads_are_not_right(tree):
    assert aligned_scores([tree("a b")], [tree("a b")]).uas == Retrieval(0, 2, 2)


@pytest.mark.parametrize(
    ("gold", "system", "cause"),
    [
        (
            ["a b", "c d"],
            ["a b", "c x"],
            "gold has 'd' in sentence 2, system has 'x' in sentence 2",
        ),
        (["a b", "c d"], ["a b c"], "gold has 'd' in sentence 2, system ends"),
        ([], ["a"], "gold ends, system has 'a' in sentence 1"),
        (["a b", "c"], ["a b x"], "gold has 'c' in sentence 2, system has 'x' in sentence 1"),
        (["a" * 30], ["b"], f"gold has {'a' * 20!r} in sentence 1, system has 'b'"),
    ],
)
def test_texts_that_differ_are_refused(tree, gold, system, cause):
    with pytest.raises(InputError) as caught:
        aligned_scores(map(tree, gold), map(tree, system))
    assert cause in str(caught.value)


@given(st.text("abc ", min_size=1, max_size=20), st.data())
@settings(deadline=None, max_examples=60)
def test_counts_are_those_of_sets_of_stretches(text, data):
    def cut(name):
        letters = "".join(text.split()) or "x"
        cuts = data.draw(st.sets(st.integers(1, max(1, len(letters) - 1))), label=name)
        edges = sorted({0, *(c for c in cuts if c < len(letters)), len(letters)})
        return list(pairwise(edges)), letters

    (ours, letters), (theirs, _) = cut("gold"), cut("system")
    gold, system = (
        Sentence.from_words([letters[a:b] for a, b in spans]) for spans in (ours, theirs)
    )
    scores = aligned_scores([gold], [system])
    expected = Retrieval(len(set(ours) & set(theirs)), len(ours), len(theirs))
    assert scores.tokens == scores.words == expected


@given(st.data())
@settings(deadline=None, max_examples=200)
def test_any_multiword_tokens_are_aligned_each_at_most_once(data):
    def side():
        made, cuts = Sentence(), [0]
        while cuts[-1] < 6:
            cuts.append(cuts[-1] + data.draw(st.integers(1, 6 - cuts[-1])))
        for start, end in pairwise(cuts):
            parts = data.draw(st.lists(st.sampled_from("abx"), min_size=1, max_size=3))
            first = len(made) + 1
            if len(parts) == 1:
                made.tokens += Sentence.from_words(["ababab"[start:end]]).tokens
            else:
                made.tokens += Sentence.from_words(parts).tokens
                multiword(made, first, len(made), "ababab"[start:end])
        return made

    gold, system = side(), side()
    words = aligned_scores([gold], [system]).words
    assert words.correct <= min(len(gold), len(system))
    back = aligned_scores([system], [gold]).words  # neither side comes first
    assert (back.correct, back.gold, back.system) == (words.correct, words.system, words.gold)
    assert aligned_scores([gold], [gold]).words == Retrieval(len(gold), len(gold), len(gold))


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(
    *[st.lists(st.integers(0, n), min_size=n, max_size=n)] * 2)))  # fmt: skip
@settings(deadline=None, max_examples=50)
def test_with_the_same_words_it_is_the_attachment_score(heads):
    gold, system = (
        Sentence.from_words("abcdefgh"[: len(h)]).with_tree(h, ["x"] * len(h)) for h in heads
    )
    aligned = aligned_scores([gold], [system])
    plain = attachment_scores([gold], [system])
    assert aligned.uas.f1 == plain.uas
    assert aligned.las.f1 == plain.las


def test_lemmas_are_right_where_the_gold_data_have_none():
    """As in the CoNLL-2018 task."""
    gold = [Sentence([Token("cats", lemma="cat"), Token("sat", lemma="sit"), Token("x")])]
    system = [Sentence([Token("cats", lemma="cat"), Token("sat"), Token("x", lemma="y")])]
    assert aligned_scores(gold, system).lemmas == Retrieval(2, 3, 3)
