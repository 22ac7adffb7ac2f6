"""The application: routes, errors, and the description of both."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Body, FastAPI, Request
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response

from treaty import __version__
from treaty.learn import ModelFile, model_path
from treaty.show import model_record
from treaty.web._gate import Gate, Load, Refused
from treaty.web._guard import Guard, Receive, Scope, Send, refusal
from treaty.web._metrics import Metrics
from treaty.web._nursery import Nursery
from treaty.web._operations import OPERATIONS, Operation
from treaty.web._pages import Pages
from treaty.web._pool import Pool
from treaty.web._running import Runner, failure
from treaty.web._settings import Settings
from treaty.web._shelf import Shelf
from treaty.web._worker import BATCH_NAME, TYPES

__all__ = ["create_app", "metrics_of"]

ROUTES = (*OPERATIONS, BATCH_NAME, "models", "page", "health", "metrics")
LINES = ("application/json", "application/x-ndjson", "application/jsonl", "text/plain")
DESCRIPTION = """Structured prediction with a certificate for every answer.

Requests have the options of the commands, and answers are their JSON. A certificate is about the
score under the model: `OPTIMAL` is the model's best answer, and says nothing about the world.

`Accept: application/x-ndjson` streams results, a line each; `text/x-conllu` gives trees as CoNLL-U.
"""


def metrics_of(settings: Settings) -> Metrics:
    """Make counters for all workers of a server."""
    return Metrics(ROUTES, settings.workers)


def create_app(
    settings: Settings | None = None,
    nursery: Nursery | None = None,
    metrics: Metrics | None = None,
    connections: Load | None = None,
) -> Guard:
    """Make the ASGI application, for any ASGI server.

    Parameters
    ----------
    settings
        Limits, and who may ask; by default those of ``treaty serve``.
    nursery
        Where the processes that work come from; by default one of this application.
    metrics
        Where requests are counted.
    connections
        Counts connections, for the metrics; ``treaty serve`` limits them.

    Examples
    --------
    >>> app = create_app(Settings(time_limit=5))
    >>> app.settings.time_limit
    5
    """
    chosen = settings or Settings()
    models, counts, source = Shelf(), metrics or metrics_of(chosen), nursery or Nursery()
    gate = Gate(chosen.slots, chosen.jobs, chosen.queue, chosen.per_client)
    pool = Pool(source, chosen.limits, chosen.slots)
    app = FastAPI(
        title="Treaty",
        version=__version__,
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    runner = Runner(gate, pool)
    for operation in OPERATIONS.values():
        _add_operation(app, operation, runner)
    _add_batch(app, runner)
    _add_models(app, models)
    guard = Guard(_named_routes(app), chosen, counts)
    guard.gate, guard.pool = gate, pool

    def observe() -> None:
        has = {
            "working": gate.working, "waiting": gate.waiting, "overdue": pool.overdue,
            "processes": pool.processes, "bytes": guard.bodies.total,
            "connections": connections.total if connections else 0,
        }  # fmt: skip
        counts.gauge(**has)
        counts.ends(pool.ended)

    _add_health(app, pool, gate, counts, observe)
    if chosen.page:
        Pages().add_to(app)
    app.add_exception_handler(HTTPException, _not_found)
    app.add_exception_handler(Refused, _refused)
    app.router.lifespan_context = _lifespan(pool, observe, None if nursery else source)
    return guard


def _lifespan(pool: Pool, observe: Callable[[], None], nursery: Nursery | None) -> Any:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await pool.open()
        beat = asyncio.create_task(_every_second(observe))
        yield
        beat.cancel()
        await pool.close()
        if nursery is not None:
            await asyncio.to_thread(nursery.close)

    return lifespan


async def _every_second(observe: Callable[[], None]) -> None:
    """Say how many requests there are, for the metrics of other workers."""
    while True:
        observe()
        await asyncio.sleep(1.0)


def _add_operation(app: FastAPI, operation: Operation, runner: Runner) -> None:
    examples: Any = {
        f"example {n}": {"value": value} for n, value in enumerate(operation.request.examples, 1)
    }

    async def endpoint(fields: Any) -> None:
        """Describe the request; it is read by the process that works on it."""

    endpoint.__annotations__["fields"] = operation.request
    endpoint.__defaults__ = (Body(openapi_examples=examples),)
    formats = ["json", "lines", *(["conllu"] if operation.has_trees else [])]
    content: dict[str, Any] = {TYPES[name].partition(";")[0]: {} for name in formats}
    app.router.add_api_route(
        f"/api/{operation.name}",
        endpoint,
        route_class_override=_answered_by(lambda request: runner.answer(operation, request)),
        methods=["POST"],
        name=operation.name,
        summary=(operation.request.__doc__ or "").partition("\n")[0],
        description=f"As `treaty {operation.name}`, in JSON.",
        response_class=Response,
        responses={200: {"content": content, "description": "The answer."}, **ERRORS},
        tags=["work"],
    )


def _answered_by(answer: Callable[[Request], Awaitable[Response]]) -> type[APIRoute]:
    """Make a route that is described by its function, and answered by another."""

    class Route(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            async def handle(request: Request) -> Response:
                return await answer(request)

            return handle

    return Route


def _error(status: int, description: str) -> dict[int | str, Any]:
    return {status: {"description": description, "content": {"application/json": {}}}}


ERRORS: dict[int | str, Any] = {
    **_error(400, "An option that does not fit."),
    **_error(404, "No such model."),
    **_error(413, "The request, or a part of it, is too large, or needs too much memory."),
    **_error(422, "Input that cannot be read, or constraints that contradict each other."),
    **_error(429, "Too many requests of this client at once."),
    **_error(503, "The server is busy."),
    **_error(504, "The work did not end at its time limit, and was stopped."),
}


def _add_batch(app: FastAPI, runner: Runner) -> None:
    async def answer(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0] not in LINES:
            raise Refused(415, f"a batch is lines of JSON: {LINES[1]}")
        return await runner.batch(request)

    async def batch() -> None:
        """Describe the request."""

    line = json.dumps({"do": "tag", "id": "a", **OPERATIONS["tag"].request.examples[0]})
    app.router.add_api_route(
        "/api/batch",
        batch,
        route_class_override=_answered_by(answer),
        methods=["POST"],
        summary="Many requests, a line each; answers are streamed, a line each, in their order.",
        response_class=Response,
        responses={200: {"content": {TYPES["lines"]: {}}, "description": "A line each."}},
        openapi_extra={
            "requestBody": {"required": True, "content": {TYPES["lines"]: {"example": line}}}
        },
        tags=["work"],
    )


def _add_models(app: FastAPI, shelf: Shelf) -> None:
    records = dict[str, dict[str, Any]]()

    @app.get("/api/models", tags=["models"], summary="The installed models.")
    async def models(request: Request) -> list[dict[str, Any]]:
        request.scope["treaty.route"] = "models"
        return [_without_path(model.to_dict()) for model in shelf.installed]

    @app.get("/api/models/{name}", tags=["models"], summary="What a model is.")
    def model(request: Request, name: str) -> Response:
        request.scope["treaty.route"] = "models"
        try:
            shelf.check(name)
            if name not in records:  # the file is large: read it once
                records[name] = _without_path(model_record(ModelFile.read(model_path(name))))
        except Exception as error:
            return failure(error, request.scope)
        return JSONResponse(records[name])


def _without_path(record: dict[str, Any]) -> dict[str, Any]:
    """Leave out where a file is: that is nobody's business."""
    return {key: value for key, value in record.items() if key not in ("path", "file")}


def _add_health(
    app: FastAPI, pool: Pool, gate: Gate, counts: Metrics, observe: Callable[[], None]
) -> None:
    @app.get("/healthz", tags=["health"], summary="Whether the server is alive.")
    async def healthz(request: Request) -> dict[str, str]:
        request.scope["treaty.route"] = "health"
        return {"status": "alive"}

    @app.get("/readyz", tags=["health"], summary="Whether models are loaded, and work can begin.")
    async def readyz(request: Request) -> JSONResponse:
        request.scope["treaty.route"] = "health"
        status = "ready" if pool.is_ready else "loading"
        if pool.overdue >= gate.slots:
            status = "overdue"
        return JSONResponse({"status": status}, 200 if status == "ready" else 503)

    @app.get("/metrics", tags=["health"], summary="Counts for Prometheus.")
    async def metrics(request: Request) -> PlainTextResponse:
        request.scope["treaty.route"] = "metrics"
        observe()
        return PlainTextResponse(counts.text(), media_type="text/plain; version=0.0.4")


def _named_routes(
    app: Callable[[Scope, Receive, Send], Awaitable[None]],
) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    """Note the operation early, so that refused requests are counted with it; check the type."""

    async def named(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            name = scope["path"].removeprefix("/api/")
            if name in OPERATIONS and scope["method"] == "POST":
                scope["treaty.route"] = name
                headers = dict(scope["headers"])
                kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
                if kind != b"application/json":  # others need no leave of the browser to be sent
                    raise Refused(415, "a request is JSON: Content-Type: application/json")
        await app(scope, receive, send)

    return named


async def _not_found(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    message = {404: "there is nothing here", 405: "this needs another method"}
    error_record = {
        "kind": "UsageError",
        "message": message.get(status, "the request is not valid"),
    }
    return JSONResponse({"error": error_record}, status)


async def _refused(_: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, Refused) else 500
    record = {"error": {"kind": "Refused", "message": str(error)}}
    return JSONResponse(record, status, headers=refusal(status))
