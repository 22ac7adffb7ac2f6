"""Every treebank of the data folder, byte for byte."""

import io

import pytest

from treaty._streams import chunks_of
from treaty.text import nonprojective_arcs, read_conllu, write_conllu

pytestmark = pytest.mark.data


def written(sentences, **options):
    target = io.StringIO()
    write_conllu(sentences, target, **options)
    return target.getvalue()


def test_every_treebank_survives_a_round_trip(data_folder):
    files = sorted((data_folder / "treebanks").glob("*/*.conllu*"))
    assert len(files) > 40
    for path in files:
        content = b"".join(chunks_of(path)).decode()
        if not content.endswith("\n\n"):
            content += "\n"  # the one of Spanish; what is written ends in a blank line
        assert written(read_conllu(path, trees=True)) == content, path


def test_spanish_is_conllx_too(data_folder):
    path = data_folder / "treebanks/spanish-cast3lb/train.conllu.xz"
    content = b"".join(chunks_of(path)).decode()
    assert written(read_conllu(path, format="conllx"), format="conllx") == content


@pytest.mark.parametrize(
    ("folder", "arcs", "sentences"),
    [("english-ewt", 0.16, 2.1), ("danish-ddt", 0.99, 15.1), ("dutch-lassysmall", 6.36, 29.6)],
)
def test_non_projective_arcs_are_as_many_as_the_manifest_says(data_folder, folder, arcs, sentences):
    files = (data_folder / "treebanks" / folder).glob("*.conllu*")
    trees = [s.heads for path in files for s in read_conllu(path)]
    found = [(len(heads), len(nonprojective_arcs(heads))) for heads in trees]
    assert round(100 * sum(n for _, n in found) / sum(n for n, _ in found), 2) == arcs
    assert round(100 * sum(n > 0 for _, n in found) / len(found), 1) == sentences
