import re

import pytest

from treaty.web._pages import Pages

FILES = Pages().files


def test_the_page_is_served_with_its_parts(client):
    home = client.get("/")
    assert home.status_code == 200
    assert home.headers["content-type"] == "text/html; charset=utf-8"
    for name in FILES:
        if name != "index.html":
            assert client.get(f"/page/{name}").content == FILES[name][0]


def test_what_is_known_is_not_sent_again(client):
    tag = client.get("/").headers["etag"]
    assert client.get("/", headers={"if-none-match": tag}).status_code == 304


@pytest.mark.parametrize("name", FILES)
def test_nothing_comes_from_outside_and_nothing_is_inline(name):
    text = FILES[name][0].decode()
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    if name.endswith(".html"):
        assert not re.search(r"<[^>]+\s(style|on\w+)=", text)
        assert not re.search(r"<script(?![^>]*src=)[^>]*>", text)
    if name.endswith(".js"):
        assert "innerHTML" not in text
        assert "outerHTML" not in text
        assert "insertAdjacentHTML" not in text
        assert "document.write" not in text
        assert not re.search(r"\beval\(|new Function", text)


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".js")])
def test_modules_import_what_exists(name):
    text = FILES[name][0].decode()
    for found in re.findall(r"from \"\./([\w.-]+)\"", text):
        assert found in FILES


def test_the_page_can_be_left_out(client_of):
    client = client_of(page=False)
    assert client.get("/").status_code == 404
    assert client.get("/healthz").status_code == 200
