import pytest

from treaty.errors import UsageError
from treaty.web import Settings


@pytest.mark.parametrize(
    "header",
    ["localhost", "LOCALHOST:8000", "127.0.0.1:80", "[::1]:8000", "[::1]", "box.example:1"],
)
def test_known_names(header):
    assert Settings(hosts=("Box.example",)).knows(header)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.nip.io",
        "[fe80::1]:80",
        "[::1].evil.example",
        "::1",
        "localhost:80:80",
        "localhost:x",
        "a@localhost",
        "localhost/",
        "[::1",
    ],
)
def test_other_names(header):
    assert not Settings().knows(header)


def test_only_loopback_is_local():
    assert Settings().is_local
    assert Settings(host="127.1.2.3").is_local
    assert not Settings(host="0.0.0.0").is_local
    assert not Settings(host="box.example").is_local


@pytest.mark.parametrize(
    "wrong",
    [
        {"workers": 0},
        {"jobs": 0},
        {"port": 70000},
        {"time_limit": 0.0},
        {"token": "short"},
        {"token": "ümlaut-token"},
        {"origins": ("*",)},
        {"queue": -1},
        {"memory": 0},
        {"connections": 0},
    ],
)
def test_senseless_settings_are_refused(wrong):
    with pytest.raises(UsageError):
        Settings(**wrong)


def test_a_client_has_at_least_as_many_requests_as_there_are_slots():
    assert Settings(jobs=2).per_client == 8
    assert Settings(jobs=20).per_client == 40
    assert Settings(jobs=3).slots == 24
    assert Settings(jobs=3, slots=2).slots == 2
    assert Settings(per_client=3).per_client == 3
