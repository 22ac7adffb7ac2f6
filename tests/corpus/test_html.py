"""Pages of HTML as readers see them."""

import pytest

from treaty.corpus._html import Page


@pytest.mark.parametrize(
    "odd",
    [
        "<![[x",
        "<![x[y]]>",
        "<![CDATA[x",
        "<!x",
        "<!",
        "<!-",
        "&#" + "9" * 5000 + ";",
        "&#x" + "f" * 5000,
    ],
)
def test_markup_that_the_parser_chokes_on_leaves_the_rest(odd):
    assert Page(f"<p>It rained.</p><p>{odd}</p><p>It stopped.").text.startswith("It rained.")
    assert Page(f"<p>It rained.{odd}").text.startswith("It rained.")
