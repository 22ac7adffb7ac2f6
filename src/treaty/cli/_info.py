"""``treaty info``: which models are installed, and what one of them is."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from treaty.cli import _options as opt
from treaty.cli._output import check_output, write_text

__all__ = ["HELP", "info"]

HELP = """List the models that are installed, or tell all of one.

Of a model you see its task, language, data, license, settings, scores and size; long lists are
counted.

\b
Examples:
  treaty info
  treaty info english
  treaty info danish.treaty --format json

Exit codes: 0 done, 2 usage, 5 model file refused.
"""


def info(
    model: Annotated[
        str | None, typer.Argument(metavar="MODEL", help="A model by name, or its file.")
    ] = None,
    format: Annotated[opt.Format, opt.FORMAT] = "text",
    output: opt.Output = "-",
) -> None:
    """Run ``treaty info``."""
    from treaty.learn import ModelFile, model_path, models
    from treaty.show import model_record, model_text, models_text

    check_output(output)
    content: Any
    if model is None:
        installed = models()
        text, content = models_text(installed), [file.to_dict() for file in installed]
    else:
        file = ModelFile.read(model_path(model))
        text, content = model_text(file), model_record(file)
    if format == "json":
        text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    write_text(output, text)
