"""The bytes of model files: what is endless, huge, deep or not Unicode is refused at once."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from treaty.errors import ModelError
from treaty.learn import ModelFile, _model_bytes
from treaty.learn._model_bytes import header_of, read_bytes, read_header

FILE = ModelFile("toy", {"info": {}}, {"w": np.zeros(3)})


def safetensors(header: str) -> bytes:
    """Write a file whose header of Treaty is this text, whatever it is."""
    text = json.dumps({"__metadata__": {"treaty": header}}).encode()
    return len(text).to_bytes(8, "little") + text


def with_info(text: str) -> bytes:
    return safetensors(f'{{"format": 2, "task": "toy", "treaty": "1", "info": {{"x": {text}}}}}')


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_devices_are_refused_at_once(device):
    for read in (ModelFile.read, read_header):
        with pytest.raises(ModelError):
            read(Path(device))


def test_endless_files_are_refused(monkeypatch):
    class Endless(io.BytesIO):
        def read(self, size=-1):
            return super().read(size) or bytes(size)

    monkeypatch.setattr(_model_bytes, "MOST_BYTES", 2**20)
    monkeypatch.setattr(_model_bytes, "BLOCK", 2**16)
    with pytest.raises(ModelError, match="a file of more than 1048576 bytes"):
        ModelFile.read(Endless(FILE.to_bytes()))


def test_large_headers_are_refused(monkeypatch):
    data = FILE.to_bytes()
    monkeypatch.setattr(_model_bytes, "MOST_HEADER", 10)
    with pytest.raises(ModelError, match="a header of more than 10 bytes"):
        read_bytes(io.BytesIO(data), "m")


@pytest.mark.parametrize(
    "text",
    ['"\\ud800"', '{"\\udfff": 1}', "1e999", "-1e999", "NaN", "Infinity", "1" * 30, "9" * 5000,
     "[" * 40 + "]" * 40, "[" * 100_000 + "]" * 100_000, '{"a":' * 500 + "1" + "}" * 500],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_what_cannot_be_printed_computed_or_nested_is_refused(text):
    data = with_info(text)
    for read in (lambda: ModelFile.from_bytes(data), lambda: header_of(data[8:], "m")):
        with pytest.raises(ModelError, match="missing or damaged"):
            read()


@pytest.mark.parametrize("text", ['"é😀"', "1e300", str(2**63), "-1", "[[[1]]]", "true", "null"])
def test_other_values_are_read(text):
    assert ModelFile.from_bytes(with_info(text)).info() == {"x": json.loads(text)}


def test_tables_that_unpack_to_too_much_are_refused():
    sizes = {f"{name}.size": np.array([2**29 + 1], np.int64) for name in "ab"}
    with pytest.raises(ModelError, match="more than 1073741824 weights"):
        ModelFile.from_bytes(ModelFile("toy", {}, sizes).to_bytes())


LITTLE = """
import resource, sys
import numpy as np
from treaty.learn import ModelFile
import safetensors.numpy
file = ModelFile("toy", {}, {"x": np.zeros(2**24, np.float32)})
data = file.to_bytes()
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + int(sys.argv[1]) * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
for use in (lambda: ModelFile.from_bytes(data), file.to_bytes):
    try:
        use()
        print("done")
    except MemoryError:
        print("none")
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="ASan needs addresses")
@pytest.mark.parametrize(("megabytes", "told"), [(20, "none"), (99, "none"), (999, "done")])
def test_little_memory_is_an_error_and_no_crash(megabytes, told, pytestconfig):
    """Safetensors would end the process."""
    done = subprocess.run(
        [sys.executable, "-c", LITTLE, str(megabytes)],
        capture_output=True, text=True, cwd=pytestconfig.rootpath, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n") == [told, told, ""]
