"""What the tests of the server share: models that are loaded once, and clients."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from tests.web.running import NURSERY, running

from treaty.web._context import Context
from treaty.web._shelf import Shelf
from treaty.web._stop import Stop


@pytest.fixture(scope="session")
def shelf():
    found = Shelf()
    found.warm_up()
    return found


@pytest.fixture(scope="session", autouse=True)
def nursery():
    yield NURSERY
    NURSERY.close()


@pytest.fixture
def client_of():
    """Make a client of a server with these settings."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(running(**settings))


@pytest.fixture(scope="session")
def client():
    with running() as found:
        yield found


@pytest.fixture
def context(shelf):
    return Context(shelf, Stop(60.0))
