"""A linker of each order that has learned the rule of the toy threads."""

import pytest
from tests.label.threads.toy import toy_threads

from treaty.label.threads import ORDERS, ThreadLinker


@pytest.fixture(scope="session")
def linkers():
    examples, dev = toy_threads(60), toy_threads(10, seed=1)
    return {order: ThreadLinker.train(examples, dev, order=order, epochs=4) for order in ORDERS}
