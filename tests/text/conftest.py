"""A file to read, and how to read and write one."""

from __future__ import annotations

import io

import pytest

from treaty.text import read_conllu, write_conllu

SAMPLE = """\
# sent_id = 1
# text = I don't know; she does.
1\tI\tI\tPRON\tPRP\tCase=Nom|Number=Sing\t4\tnsubj\t4:nsubj\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t4:aux\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t4:advmod\t_
4\tknow\tknow\tVERB\tVB\t_\t0\troot\t0:root\tSpaceAfter=No
4.1\tit\tit\tPRON\tPRP\t_\t_\t_\t4:obj\t_
5\t;\t;\tPUNCT\t,\t_\t4\tpunct\t4:punct\t_
6\tshe\tshe\tPRON\tPRP\t_\t7\tnsubj\t7:nsubj\t_
7\tdoes\tdo\tAUX\tVBZ\t_\t4\tparataxis\t4:parataxis\tSpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t4\tpunct\t4:punct\t_

# newpar
0.1\tIt\tit\tPRON\tPRP\t_\t_\t_\t1:nsubj\t_
1\tRains\train\tVERB\tVBZ\t_\t0\troot\t0:root\t_

"""


@pytest.fixture(name="sample", scope="session")
def _sample() -> str:
    return SAMPLE


def read(data: bytes | str, **options):
    """The sentences of a file called ``a.conllu``."""
    stream = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    stream.name = "a.conllu"
    return list(read_conllu(stream, **options))


@pytest.fixture(name="read", scope="session")
def _read():
    return read


@pytest.fixture(name="written", scope="session")
def _written():
    def written(sentences, **options) -> str:
        target = io.StringIO()
        write_conllu(sentences, target, **options)
        return target.getvalue()

    return written
