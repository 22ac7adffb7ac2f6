"""Settings of entity labelers: what is refused."""

import pytest

from treaty.errors import UsageError
from treaty.label import EntitySettings


@pytest.mark.parametrize(
    "settings",
    [
        {"order": "tree"},
        {"scheme": "IOB1"},
        {"longest_phrase": 0},
        {"longest_phrase": 99},
        {"most_all_pairs": 0},
        {"threshold": -1},
        {"most_in_group": 0},
        {"reward_entity": -0.5},
        {"reward_outside": 1e6},
    ],
)
def test_senseless_settings_are_refused(settings):
    with pytest.raises(UsageError):
        EntitySettings(**settings)
