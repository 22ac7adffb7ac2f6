import pytest

from treaty import web
from treaty.web._caps import Caps


@pytest.fixture
def settings(run, monkeypatch):
    """Run the command without a server; returns the settings it was to have."""

    def settings_of(*arguments):
        seen = []

        def serve(settings, on_start):
            seen.append(settings)
            on_start("http://127.0.0.1:8000/")

        monkeypatch.setattr(web, "serve", serve, raising=False)
        code, out, err = run("serve", *arguments)
        return code, out, err, *seen

    return settings_of


def test_options_become_settings(settings, tmp_path):
    (tmp_path / "token").write_text("open-sesame\n")
    code, out, err, found = settings(
        "--port", "9000", "--workers", "3", "--jobs", "2", "--slots", "6", "--queue", "5",
        "--per-client", "4", "--max-bytes", "1000", "--memory", "300", "--connections", "50",
        "--proxy", "10.0.0.1", "--cap", "words=9", "--time-limit", "7",
        "--grace", "1", "--no-page", "--quiet", "--allow-host", "box.example", "--allow-origin", "https://a.example",
        "--token-file", tmp_path / "token",
    )  # fmt: skip
    assert (code, out) == (0, "")
    assert err == "treaty: note: serving at http://127.0.0.1:8000/ (Ctrl-C stops)\n"
    assert found == web.Settings(
        port=9000, workers=3, jobs=2, slots=6, queue=5, per_client=4, max_bytes=1000,
        time_limit=7.0, memory=300, connections=50, proxies=("10.0.0.1",), caps=Caps(words=9),
        grace=1.0, page=False, quiet=True, hosts=("box.example",), origins=("https://a.example",),
        token="open-sesame",
    )  # fmt: skip


def test_the_token_of_the_environment(settings, monkeypatch):
    monkeypatch.setenv("TREATY_TOKEN", "from-the-environment")
    assert settings()[3].token == "from-the-environment"
    monkeypatch.setenv("TREATY_TOKEN", "")
    assert settings()[3].token is None


def test_an_open_server_is_told_of(settings):
    assert "it asks for no token" in settings("--host", "0.0.0.0")[2]
    assert "token" not in settings("--host", "127.0.0.1")[2]


@pytest.mark.parametrize(
    ("text", "code"), [("", 3), ("two words here", 2), ("short", 2), (None, 3)]
)
def test_bad_tokens(settings, tmp_path, text, code):
    path = tmp_path / "token"
    if text is not None:
        path.write_text(text)
    assert settings("--token-file", path)[0] == code


def test_packages_that_are_missing_are_named(run, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "treaty.web._serve", None)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    for name in [n for n in sys.modules if n.startswith("treaty.web._")]:
        monkeypatch.delitem(sys.modules, name)
    code, _, err = run("serve")
    assert code == 2
    assert "pip install 'treaty[web]'" in err
