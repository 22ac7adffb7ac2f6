"""Folders of results: names, what exists, what is resumed."""

import json

import pytest

from treaty.errors import OutputError, UsageError
from treaty.tasks._documents import Entry
from treaty.tasks._sinks import MARK, Folder, is_folder, suffix_for


def entries(*names):
    return [Entry(name, f"in/{name}") for name in names]


def targets(*names, suffix=".conllu"):
    placed = Folder("out", suffix)._placed(entries(*names))
    return [target.relative_to("out").as_posix() for _, target in placed]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("a/letter.txt", "a/letter.conllu"),
        ("letter.TXT.gz", "letter.conllu"),
        ("49960", "49960.conllu"),
        ("v1.2", "v1.2.conllu"),
        ("my letter ü.html", "my letter ü.conllu"),
        ("in.mbox/1", "in.mbox/1.conllu"),
        ("..", "_.conllu"),
        ("../x", "_/x.conllu"),
        (".txt", ".txt.conllu"),
    ],
)
def test_names_are_kept(name, target):
    assert targets(name) == [target]


def test_equal_names_do_not_collide():
    assert targets("x.txt", "x.html", "x.html.txt", "x.pdf", "X.txt", "d/x.txt") == [
        "x.conllu",
        "x.html.conllu",
        "x.html.txt.conllu",
        "x.pdf.conllu",
        "X.txt.conllu",
        "d/x.conllu",
    ]


def test_long_names_are_cut_and_stay_different():
    first, second = targets("ü" * 300, "ü" * 301)
    assert first != second
    assert max(len(name.encode()) for name in (first, second)) < 255


@pytest.mark.parametrize(
    ("shown", "suffix"),
    [("conllu", ".conllu"), ("json", ".jsonl"), ("columns", ".tsv"), ("svg", ".svg")],
)
def test_suffixes(shown, suffix):
    assert suffix_for(shown) == suffix


def test_what_is_a_folder(here):
    (here / "there").mkdir()
    assert [is_folder(name) for name in ("-", "out/", "out", "there")] == [False, True, False, True]


def test_nothing_is_replaced_by_accident(here):
    names = entries("a.txt", "b.txt")
    folder = Folder("out", ".conllu")
    folder.plan(names, [])
    assert (folder.left, folder.kept) == (2, 0)
    folder.begin({"task": "parse"})
    for entry in folder.open(names):
        folder.write(entry.id, ["old"])
    folder.end()
    assert sorted(path.name for path in (here / "out").iterdir()) == ["a.conllu", "b.conllu"]
    with pytest.raises(UsageError, match=r"a.conllu exists: give --force .* --resume"):
        Folder("out", ".conllu").plan(names, [])
    forced = Folder("out", ".conllu", force=True)
    forced.plan(names, [])
    forced.begin({"task": "parse"})
    (first, _) = forced.open(names)
    forced.write(first.id, ["new"])
    assert (here / "out/a.conllu").read_text() == "new"
    assert (here / "out/b.conllu").read_text() == "old"


def test_a_file_that_another_program_wrote_stays(here):
    folder = Folder("out", ".conllu")
    folder.begin({})
    (entry,) = folder.open(entries("a.txt"))
    (here / "out/a.conllu").write_text("theirs")
    with pytest.raises(UsageError, match="exists"):
        folder.write(entry.id, ["mine"])
    assert (here / "out/a.conllu").read_text() == "theirs"


def test_a_run_goes_on_where_it_stopped(here):
    names = entries(*(f"{n}.txt" for n in range(5)))
    settings = {"task": "parse", "model": "english", "threads": 1}
    first = Folder("out", ".conllu")
    first.begin(settings)
    for entry, _ in zip(first.open(names), range(2), strict=False):
        first.write(entry.id, ["done"])
    assert json.loads((here / "out" / MARK).read_text()) == settings
    again = Folder("out", ".conllu", resume=True)
    again.plan(names, [])
    assert (again.left, again.kept) == (3, 2)
    with pytest.raises(UsageError, match="had another model"):
        again.begin(settings | {"model": "danish"})
    again.begin(settings | {"threads": 4})
    assert [entry.id for entry in again.open(names)] == ["2.txt", "3.txt", "4.txt"]
    again.end()
    assert not (here / "out" / MARK).exists()


def test_results_do_not_get_among_the_input(here):
    (here / "in").mkdir()
    (here / "in/a.txt").write_text("Cats.")
    for output in ("in", "in/out", "."):
        names = [Entry("in/a.txt" if output == "." else "a.txt", "in/a.txt")]
        with pytest.raises(UsageError, match="among the input"):
            Folder(output, ".conllu").plan(names, ["in"])
    with pytest.raises(UsageError, match="among the input"):
        Folder("in", ".txt", force=True).plan(entries("a.txt"), ["in/a.txt"])


def test_force_and_resume_exclude_each_other():
    with pytest.raises(UsageError, match="choose one"):
        Folder("out", ".conllu", force=True, resume=True)


def test_a_folder_that_cannot_be_made(here):
    (here / "out").write_text("a file")
    with pytest.raises(OutputError, match="cannot write out"):
        Folder("out", ".conllu").begin({})
    folder = Folder("results", ".conllu")
    folder.begin({})
    (here / "results/x").write_text("a file")
    (entry,) = folder.open(entries("x/a.txt"))
    with pytest.raises(OutputError, match="cannot write"):
        folder.write(entry.id, [])
