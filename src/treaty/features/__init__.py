"""Feature templates, written as data and executed by one native kernel for every application."""

from treaty.features._attributes import attribute
from treaty.features._code_templates import CodeTemplates, PartFeatures, RaggedFeatures
from treaty.features._templates import LARGEST_OFFSET, Family, TemplateSet, compile_templates

__all__ = [
    "LARGEST_OFFSET",
    "CodeTemplates",
    "Family",
    "PartFeatures",
    "RaggedFeatures",
    "TemplateSet",
    "attribute",
    "compile_templates",
]
