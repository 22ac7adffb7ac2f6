"""Lines by their form."""

import pytest

from treaty.languages import get
from treaty.text.layout import _forms as forms

ENGLISH = forms.forms_of(get("en"))


@pytest.mark.parametrize(
    ("name", "line", "holds"),
    [
        ("DATE_LINE", "Updated: Monday, March 3, 2025 10:02 am", True),
        ("DATE_LINE", "In March 2025 it rained", False),
        ("BYLINE", "By Ann Lee and Bo Hall", True),
        ("BYLINE", "BY ANN LEE", True),
        ("BYLINE", "By Ann Lee, science correspondent", True),
        ("BYLINE", "By a staff reporter", True),
        ("BYLINE", "By noon it rained", False),
        ("BYLINE", "By Monday the harbor was closed.", False),
        ("CAPTION", "Photo: a tree in Ulm", True),
        ("CAPTION", "A photo of a tree hung there", False),
        ("HEADER", "Subject: Rain", True),
        ("HEADER", "Subject to rain", False),
        ("WROTE", "On Sat, 4 May 2024 at 10:12, Cy Young <cy@example.org> wrote:", True),
        ("WROTE", "He wrote a letter.", False),
        ("GREETING", "Kind regards, Ann", True),
        ("GREETING", "Thanks to the rain it was cool.", False),
        ("SPEAKER_AND_TIME", "Ann Lee  6:02 PM", True),
        ("SPEAKER_AND_TIME", "Bo [10:15]", True),
        ("SPEAKER_AND_TIME", "Trains left at 10:15", False),
        ("RULE", "-----", True),
        ("RULE", "- rain", False),
    ],
)
def test_whole_lines(name: str, line: str, holds: bool) -> None:
    form = getattr(ENGLISH, name.lower(), None) or getattr(forms, name)
    assert (form.fullmatch(line) is not None) == holds


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("[10:02] Ann: rain", "Ann: rain"),
        ("Wed 10:02 Ann: rain", "Ann: rain"),
        ("12/05/2025, 20:14 - Ann: rain", "Ann: rain"),
        ("Wednesday Ann: rain", "Wednesday Ann: rain"),
        ("10 trees fell", "10 trees fell"),
    ],
)
def test_stamps_are_times(line: str, rest: str) -> None:
    found = ENGLISH.stamp.match(line)
    assert line[found.end() if found else 0 :] == rest


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("On Sat, 4 May 2024 at 10:12, Cy Young <cy@example.org> wrote:", "Cy Young"),
        ("Cy Young wrote:", "Cy Young"),
        ("On Monday Cy wrote:", None),
    ],
)
def test_who_wrote(line: str, who: str | None) -> None:
    found = ENGLISH.who_wrote.fullmatch(line)
    assert (found[1].strip() if found else None) == who
