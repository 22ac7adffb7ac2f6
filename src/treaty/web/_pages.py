"""The page and its parts, from the files of the package."""

from __future__ import annotations

import hashlib
from functools import partial
from importlib.resources import files

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

__all__ = ["Pages"]

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
HOME = "index.html"


class Pages:
    """The files of the page, in memory: nothing else can be asked for.

    Examples
    --------
    >>> "index.html" in Pages().files
    True
    """

    def __init__(self) -> None:
        self.files: dict[str, tuple[bytes, str, str]] = {}
        for file in sorted((files("treaty.web") / "page").iterdir(), key=lambda f: f.name):
            suffix = file.name[file.name.rfind(".") :]
            if suffix in TYPES:
                data = file.read_bytes()
                tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
                self.files[file.name] = data, TYPES[suffix], tag

    def add_to(self, app: FastAPI) -> None:
        """Add a route for each file."""
        for name in self.files:
            path = "/" if name == HOME else f"/page/{name}"
            get = partial(self._get, name)
            app.add_api_route(path, get, methods=["GET"], include_in_schema=False, name=name)

    def _get(self, name: str, request: Request) -> Response:
        request.scope["treaty.route"] = "page"
        data, kind, tag = self.files[name]
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(data, media_type=kind, headers=headers)
