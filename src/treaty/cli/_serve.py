"""``treaty serve``: a local web page, and the commands over HTTP."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from treaty.cli import _options as opt
from treaty.cli._output import note
from treaty.errors import InputError, UsageError

__all__ = ["HELP", "serve"]

TOKEN = "TREATY_TOKEN"
HELP = """Serve a web page, and the commands over HTTP.

Open the address in a browser: type a text and see trees, names, summaries, with constraints by
hand. Programs POST JSON to /api/parse, /api/tag, /api/label, /api/link, /api/summarize,
/api/compress, /api/solve, /api/induce, /api/evaluate, /api/predict and /api/batch; the options of
the commands are fields, and answers are the JSON of the commands. /api/openapi.json describes all
of it. Requires pip install 'treaty[web]'.

Only this machine can reach the server, unless you give --host. Requests are worked on in memory:
nothing is kept, and logs have no texts. If the environment variable TREATY_TOKEN is set, or with
--token-file, clients need that token.

\b
Examples:
  treaty serve
  treaty serve --port 9000 --workers 4 --time-limit 5
  treaty serve --host 0.0.0.0 --allow-host parser.example --token-file token.txt
  curl -s http://127.0.0.1:8000/api/parse --json '{"text": "Cats sleep."}'

Exit codes: 0 done, 2 usage.
"""


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 127.0.0.1 is this machine.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="The port; 0 is any free one.")
    ] = 8000,
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="How many processes.")] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Work for a client at once; by default cores."),
    ] = None,
    slots: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Work for all at once; by default 8 times --jobs."),
    ] = None,
    queue: Annotated[
        int, typer.Option(min=0, metavar="N", help="Requests that may wait; others get 503.")
    ] = 64,
    per_client: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Requests of a client, with those that wait; others get 429."
        ),
    ] = None,
    connections: Annotated[
        int, typer.Option(min=1, metavar="N", help="Connections; a client has at most a quarter.")
    ] = 1000,
    max_bytes: Annotated[
        int, typer.Option(min=1, metavar="N", help="Size of a request; larger ones get 413.")
    ] = 4_000_000,
    memory: Annotated[
        int, typer.Option(min=1, metavar="MB", help="For a request; if it needs more it gets 413.")
    ] = 1000,
    cap: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=N", help="How large a request may be; may be repeated."),
    ] = None,
    time_limit: opt.TimeLimit = 20.0,
    grace: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="For running requests at the end.")
    ] = 10.0,
    token_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="A token that clients must send.")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name of this server; may be repeated."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A proxy that says who its clients are; repeatable."),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A site whose pages may call; may be repeated."),
    ] = None,
    page: Annotated[
        bool, typer.Option("--page/--no-page", help="Whether to serve the page.")
    ] = True,
    quiet: opt.Quiet = False,
) -> None:
    """Run ``treaty serve``."""
    from treaty.web import Settings
    from treaty.web import serve as run
    from treaty.web._caps import caps_of

    settings = Settings(
        host=host,
        port=port,
        workers=workers,
        jobs=jobs or os.cpu_count() or 1,
        slots=slots or 0,
        queue=queue,
        per_client=per_client or 0,
        connections=connections,
        max_bytes=max_bytes,
        time_limit=time_limit or 20.0,
        memory=memory,
        caps=caps_of(cap or ()),
        grace=grace,
        token=_token(token_file),
        hosts=tuple(allow_host or ()),
        proxies=tuple(proxy or ()),
        origins=tuple(allow_origin or ()),
        page=page,
        quiet=quiet,
    )
    if not settings.is_local and settings.token is None and not quiet:
        note("other machines can reach this server, and it asks for no token (--token-file)")
    run(settings, lambda address: note(f"serving at {address} (Ctrl-C stops)"))


def _token(path: str | None) -> str | None:
    """Read the token: from a file, or the environment, where other users do not see it."""
    if path is None:
        return os.environ.get(TOKEN) or None
    from treaty.text._lines import read_text

    token = read_text(path).strip()
    if not token:
        raise InputError("the file is empty: expected a token", path=path)
    if len(token.split()) > 1:
        raise UsageError(f"{path}: a token has no spaces")
    return token
