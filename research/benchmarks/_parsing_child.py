"""What `parsing.py` measures, each in a process of its own: it starts, works, and says what it did.

    python _parsing_child.py treaty MODEL FILE
    python _parsing_child.py train ORDER FILE SENTENCES MODEL
    python _parsing_child.py udpipe MODEL FILE
    python _parsing_child.py spacy MODEL FILE

The last line of the output is JSON: how many words, and after how many CPU seconds of the process
the model was there.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from collections.abc import Callable, Iterator


def parse_with_treaty(model: str, path: str) -> tuple[int, float]:
    """Read, parse and write a file as a stream."""
    from treaty.parse import Parser
    from treaty.text import Sentence, read_conllu, write_conllu

    parser = Parser.load(model)
    loaded = time.process_time()
    words = 0

    def trees() -> Iterator[Sentence]:
        nonlocal words
        for parse in parser.predict(read_conllu(path), threads=1):
            words += len(parse.sentence)
            yield parse.sentence

    write_conllu(trees(), os.devnull)
    return words, loaded


def train_treaty(order: str, path: str, sentences: str, model: str) -> tuple[int, float]:
    """Train one epoch on the first sentences of a treebank."""
    from treaty.parse import Parser
    from treaty.text import read_conllu

    treebank = list(itertools.islice(read_conllu(path), int(sentences)))
    Parser.train(treebank, order=order, epochs=1).save(model)
    return sum(map(len, treebank)), 0.0


def parse_with_udpipe(model: str, path: str) -> tuple[int, float]:
    """Parse with the file's own words and tags, as Treaty does."""
    from pathlib import Path

    from ufal.udpipe import Model, Pipeline, ProcessingError

    network = Model.load(model)  # the pipeline does not keep it alive
    pipeline = Pipeline(network, "conllu", Pipeline.NONE, Pipeline.DEFAULT, "conllu")
    loaded = time.process_time()
    error = ProcessingError()
    trees = pipeline.process(Path(path).read_text(encoding="utf-8"), error)
    if error.occurred():
        sys.exit(error.message)
    return sum(line.partition("\t")[0].isdigit() for line in trees.splitlines()), loaded


def parse_with_spacy(model: str, path: str) -> tuple[int, float]:
    """Parse the file's words; spaCy's parser looks at no tags, and has them made beside."""
    import spacy
    from spacy.tokens import Doc

    from treaty.text import read_conllu

    pipeline = spacy.load(model, exclude=["ner", "lemmatizer", "attribute_ruler"])
    loaded = time.process_time()
    docs = (Doc(pipeline.vocab, words=sentence.words) for sentence in read_conllu(path))
    return sum(map(len, pipeline.pipe(docs))), loaded


JOBS: dict[str, Callable[..., tuple[int, float]]] = {
    "treaty": parse_with_treaty,
    "train": train_treaty,
    "udpipe": parse_with_udpipe,
    "spacy": parse_with_spacy,
}

if __name__ == "__main__":
    job, *arguments = sys.argv[1:]
    done, loaded_after = JOBS[job](*arguments)
    print(json.dumps({"words": done, "loaded": loaded_after}))
