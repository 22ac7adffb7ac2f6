"""What research/benchmarks/serving.py starts: a server, or the same work without one.

python research/benchmarks/_serving_child.py treaty
python research/benchmarks/_serving_child.py spacy     # a blank pipeline behind the same server
python research/benchmarks/_serving_child.py direct COUNT < request per line
"""

from __future__ import annotations

import json
import sys
import time
from functools import partial

import uvicorn


def serve_treaty(*, is_usual: bool = False) -> None:
    """Serve without limits on the one client that there is; or as usual, for the soak."""
    from treaty.web import Settings, serve

    limits = Settings(port=0, quiet=True, time_limit=5.0)
    settings = (
        limits
        if is_usual
        else Settings(port=0, queue=10_000, per_client=10_000, connections=1000, quiet=True)
    )
    serve(settings, lambda address: print(address, flush=True))


def serve_spacy() -> None:
    import socket

    import spacy
    from fastapi import FastAPI
    from starlette.responses import JSONResponse

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    app = FastAPI()

    @app.post("/api/tag")
    def tag(asked: dict) -> JSONResponse:
        doc = nlp(asked["text"])
        return JSONResponse({"results": [[token.text for token in s] for s in doc.sents]})

    @app.get("/readyz")
    async def readyz() -> dict:
        return {"status": "ready"}

    opened = socket.socket()
    opened.bind(("127.0.0.1", 0))
    opened.listen(1024)
    print(f"http://127.0.0.1:{opened.getsockname()[1]}/", flush=True)
    config = uvicorn.Config(app, log_config=None, access_log=False)
    uvicorn.Server(config).run(sockets=[opened])


def call_directly(count: int) -> None:
    """Do the work of requests by the functions of the library, and tell how long each took."""
    import treaty.label
    import treaty.parse
    from treaty import FactorGraph
    from treaty.text import Post, Thread

    english = treaty.parse.Pipeline.load()
    own = english.tagger
    tagger = treaty.parse.Tagger(own.taggers, own.info, english.tokenizer, english.lemmatizer)
    labeler, linker = treaty.label.EntityLabeler.load(), treaty.label.ThreadLinker.load()

    def solve(asked: dict) -> list:
        graph = FactorGraph()
        given = asked["graph"]["variables"]
        made = graph.variables([v["score"] for v in given], [v["name"] for v in given])
        by_name = dict(zip([v["name"] for v in given], made, strict=True))
        for factor in asked["graph"]["factors"]:
            getattr(graph, factor["kind"])(*(by_name[name] for name in factor["of"]))
        return [graph.solve()]

    work = {
        "tag": lambda asked: tagger.predict(tagger.tokenizer.sentences(asked["text"])),
        "parse": lambda asked: english.parse_text(asked["text"]),
        "label": lambda asked: labeler.label_text(asked["text"]),
        "link": lambda asked: linker.predict(
            [Thread([Post(post["text"], post["author"]) for post in asked["posts"]])]
        ),
        "solve": solve,
    }
    for line in sys.stdin:
        name, asked = json.loads(line)
        taken = []
        busy = time.process_time()
        for _ in range(count):
            began = time.perf_counter()
            json.dumps([result.to_dict() for result in work[name](asked)])
            taken.append(time.perf_counter() - began)
        spent = (time.process_time() - busy) / count
        print(json.dumps({"name": name, "seconds": taken, "cpu": spent}), flush=True)


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    if what == "direct":
        call_directly(int(rest[0]))
    else:
        usual = partial(serve_treaty, is_usual=True)
        {"treaty": serve_treaty, "usual": usual, "spacy": serve_spacy}[what]()
