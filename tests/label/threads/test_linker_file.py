"""Linkers in files: what is written is read, and what makes no sense is refused."""

import json

import pytest

from treaty.errors import ModelError
from treaty.label.threads import ThreadLinker
from treaty.learn import ModelFile


def test_what_is_written_is_read(linkers):
    linker = linkers["3-wise"]
    made = ThreadLinker.from_bytes(linker.to_bytes())
    assert (made.order, made.window, made.families) == (linker.order, 30, linker.families)
    assert (made.counts.posts, made.counts.counts) == (linker.counts.posts, linker.counts.counts)
    assert made.calibration == linker.calibration
    assert made.info == json.loads(json.dumps(linker.info))


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"window": 0}, "window: expected an integer from 1 to 10000"),
        ({"window": "a"}, "window: expected an integer from"),
        ({"calibration": {"link": [1.0]}}, "calibration of link: expected 2 numbers"),
        ({"families": []}, "do not match the model"),
        ({"families": [{"name": "prior", "directions": ["in"], "templates": [""]}] * 4}, "grid"),
        ({"families": [{"name": "prior", "directions": [], "templates": ["x"]}] * 4}, "no code"),
        ({"families": [3] * 4}, "families: expected dict"),
    ],
)
def test_headers_that_make_no_sense_are_refused(linkers, change, cause):
    file = linkers["2d"].to_file()
    with pytest.raises(ModelError, match=cause):
        ThreadLinker.from_file(ModelFile(file.task, {**file.header, **change}, file.tensors))
