"""A local server and page over the same functions as the commands.

Requires ``pip install 'treaty[web]'``. Requests are worked on in memory; nothing is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treaty.web._settings import Settings

if TYPE_CHECKING:
    from treaty.web._app import create_app
    from treaty.web._serve import serve

__all__ = ["Settings", "create_app", "serve"]


def __getattr__(name: str) -> Any:
    """Import what needs FastAPI when it is used, and say how to get it."""
    if name not in __all__:
        raise AttributeError(f"module 'treaty.web' has no attribute {name!r}")
    from treaty.errors import UsageError

    try:
        if name == "serve":
            from treaty.web._serve import serve

            return serve
        from treaty.web._app import create_app
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("fastapi", "pydantic", "uvicorn"):
            raise
        raise UsageError("the server needs more packages: pip install 'treaty[web]'") from error
    return create_app
