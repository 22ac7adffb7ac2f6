"""Template sets of taggers and tokenizers in model files."""

from __future__ import annotations

from treaty.errors import UsageError
from treaty.features import TemplateSet
from treaty.learn import ModelFile

__all__ = ["template_sets"]


def template_sets(file: ModelFile, count: int) -> list[TemplateSet]:
    """Read as many sets of templates as there are families.

    Examples
    --------
    >>> template_sets(ModelFile("toy", {"templates": [["w.form"]]}, {}), 1)[0].templates
    ('w.form',)
    """
    lists = file.value("templates", list)
    if len(lists) != count:
        raise file.fault(f"templates: expected {count} lists, found {len(lists)}")
    try:
        return [TemplateSet(tuple(file.checked_strings(strings, "templates"))) for strings in lists]
    except UsageError as error:
        raise file.fault(error.message) from error
