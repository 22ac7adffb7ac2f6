"""Threads in and out, and every fault of a file."""

import gzip
import io
import json
import lzma

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import InputError
from treaty.text import Link, Post, Thread, read_threads, write_threads

GOOD = (
    '{"id":"a","posts":[{"author":"Ann","text":"Tea?"},{"author":"Bob","text":"Yes!"}],'
    '"links":[[1,0]]}\n'
)


def read(data, **options):
    stream = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    stream.name = "a.jsonl"
    return list(read_threads(stream, **options))


def written(threads):
    target = io.StringIO()
    write_threads(threads, target)
    return target.getvalue()


def test_a_thread_is_read():
    (thread,) = read(GOOD)
    assert thread.posts == [Post("Tea?", "Ann"), Post("Yes!", "Bob")]
    assert thread.links == [Link(1, 0)]
    assert (thread.id, thread.annotated_from, thread.starts) == ("a", 0, [])


def test_labels_of_links_are_written_where_there_are_any():
    thread = Thread([Post("a"), Post("b"), Post("c")], [Link(1, 0, "Answer"), Link(2, 1)])
    assert thread.to_dict()["links"] == [[1, 0, "Answer"], [2, 1]]
    assert read(thread.to_json())[0].links == thread.links


def test_what_is_not_understood_is_kept():
    line = (
        '{"id":7,"source":"x","annotated_from":1,"posts":[{"id":0,"author":"","time":"03:10",'
        '"text":"ä","score":1.5}],"starts":[0],"links":[],"topic":{"a":[null]}}\n'
    )
    (thread,) = read(line)
    assert thread.more == {"topic": {"a": [None]}}
    assert thread.posts[0].more == {"score": 1.5}
    assert written([thread]) == line


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_compressed_files_and_blank_lines(pack):
    assert len(read(pack((GOOD + "\n  \n" + GOOD).encode()))) == 2


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.xz"])
def test_files_go_round(tmp_path, name):
    threads = read(GOOD * 3)
    write_threads(threads, tmp_path / name)
    assert list(read_threads(tmp_path / name)) == threads


TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
POSTS = st.lists(
    st.builds(Post, TEXT, TEXT, st.none() | st.integers(), st.none() | TEXT), max_size=4
)


@given(POSTS, TEXT, st.data())
@settings(deadline=None, max_examples=50)
def test_any_thread_survives_a_round_trip(posts, label, data):
    pairs = [(i, j) for i in range(len(posts)) for j in range(len(posts)) if i != j]
    chosen = data.draw(st.lists(st.sampled_from(pairs), max_size=3)) if pairs else []
    thread = Thread(posts, [Link(i, j, label) for i, j in chosen], id=label)
    assert read(written([thread])) == [thread]


def with_posts(**more):
    return json.dumps({"posts": [{"text": "a"}, {"text": "b"}], **more})


FAULTS = {  # the line, and its cause
    "not valid JSON": ('{"posts": [}', "not valid JSON: Expecting value at column 12"),
    "no object": ("[1]", "a line: expected an object"),
    "not a number": ('{"posts": [], "x": NaN}', "NaN is not a valid JSON number"),
    "half a character": (r'{"posts": [{"text": "\ud800"}]}', "a lone surrogate"),
    "endless": ("[" * 100_000, "nested deeper than 100"),
    "huge number": ('{"posts": [' + "9" * 5000 + "]}", "cannot be read as JSON"),
    "no posts": ('{"links": []}', "the thread has no 'posts'"),
    "posts is text": ('{"posts": "a"}', "posts: expected a list (found '\"a\"')"),
    "post is text": ('{"posts": ["a"]}', "post 0: expected an object"),
    "no text": ('{"posts": [{"text": "a"}, {"author": "b"}]}', "post 1 has no 'text'"),
    "text is a number": ('{"posts": [{"text": 1}]}', "text of post 0: expected a string"),
    "author": ('{"posts": [{"text": "a", "author": []}]}', "author of post 0: expected a string"),
    "time": ('{"posts": [{"text": "a", "time": 5}]}', "time of post 0: expected a string"),
    "id": ('{"posts": [{"text": "a", "id": 1.5}]}', "id of post 0: expected a string"),
    "thread id": (with_posts(id=[]), "id of the thread: expected a string"),
    "links": (with_posts(links={}), "links: expected a list"),
    "short link": (with_posts(links=[[1]]), "expected a link [source, target]"),
    "long link": (with_posts(links=[[1, 0, "a", "b"]]), "expected a link [source, target]"),
    "label": (with_posts(links=[[1, 0, 2]]), "label of a link: expected a string"),
    "out of range": (with_posts(links=[[2, 0]]), "a link: there is no post 2"),
    "below 0": (with_posts(links=[[1, -1]]), "a link: there is no post -1"),
    "truth for a place": (with_posts(links=[[True, 0]]), "a link: expected an integer"),
    "itself": (with_posts(links=[[1, 1]]), "post 1 depends on itself"),
    "annotated_from": (with_posts(annotated_from=3), "annotated_from: there is no post 3"),
    "starts": (with_posts(starts=[2]), "starts: there is no post 2"),
    "NUL": ('{"posts": []}\0', "a NUL byte"),
}


@pytest.mark.parametrize(("line", "cause"), FAULTS.values(), ids=FAULTS)
def test_faults_are_named_with_file_and_line(line, cause):
    with pytest.raises(InputError) as caught:
        read(f"{GOOD}\n{line}\n{GOOD}")
    assert caught.value.message.startswith("a.jsonl:3: ")
    assert cause in caught.value.message


@pytest.mark.parametrize("line", [line for line, _ in FAULTS.values()], ids=FAULTS)
def test_reading_goes_on_behind_a_fault(line):
    errors = []
    assert len(read(f"{GOOD}{line}\n{GOOD}", on_error=errors.append)) == 2
    assert [error.line for error in errors] == [2]


@pytest.mark.data
@pytest.mark.parametrize(
    "name", ["stac/dev.jsonl", "irc/conversations_dev.jsonl", "irc/ubuntu_dev.jsonl"]
)
def test_real_files_come_out_as_they_went_in(data_folder, name):
    path = data_folder / "threads" / name
    assert written(read_threads(path)) == path.read_text(encoding="utf-8")
