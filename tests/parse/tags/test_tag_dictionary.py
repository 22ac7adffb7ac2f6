"""Which tags a word may have: as it was seen, by its suffix, or any."""

from treaty.parse.tags._tag_dictionary import MANY_TAGS, MOST_TAGS, OFTEN, TELLING, TagDictionary


def test_frequent_words_have_the_tags_they_were_seen_with():
    items = [("a", 0)] * OFTEN + [("b", 1)] * TELLING + [("b", 2)] + [("c", 2)] * 2 + [("D", 0)]
    dictionary = TagDictionary.of(items, 4)
    tags = {word: dictionary.classes[dictionary.class_of(word)] for word in "abcDx"}
    everything = (0, 1, 2, 3)
    assert tags == {"a": (0,), "b": everything, "c": everything, "D": everything, "x": everything}
    assert dictionary.name_of("b") == str(dictionary.classes.index((1, 2)))
    assert dictionary.name_of("c") == "?"
    assert dictionary.known == {"a", "b", "c"}


def test_with_many_tags_the_suffix_limits_them():
    items = [(f"{stem}ing", 5) for stem in range(30)]
    items += [(f"w{i}ed", i % 80) for i in range(400)]
    dictionary = TagDictionary.of(items, MANY_TAGS + 20)
    assert dictionary.classes[dictionary.class_of("walking")] == (5,)
    assert len(dictionary.classes[dictionary.class_of("walked")]) == MOST_TAGS
    assert len(dictionary.classes[dictionary.class_of("zzz")]) == MOST_TAGS


def test_the_right_tag_is_always_among_the_choices_in_training():
    dictionary = TagDictionary([(0, 1)])
    numbers, tags, begin = dictionary.flat([0, 3, 3], [0, 0, 0])
    assert numbers.tolist() == [0, 1, 1]
    assert tags[begin[1] : begin[2]].tolist() == [0, 1, 3]


def test_one_tag_is_excluded_from_the_choices_of_an_item():
    dictionary = TagDictionary([(0, 1, 2), (1, 2), (1, 2), (3,)])
    numbers, tags, begin = dictionary.without([0, 1, 2, 0, 3], {0: 0, 1: 2, 3: 1, 4: 3})
    allowed = [tuple(tags[begin[n] : begin[n + 1]].tolist()) for n in numbers]
    assert allowed == [(1, 2), (1,), (1, 2), (0, 2), (3,)]
