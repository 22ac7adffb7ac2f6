"""``treaty train linker``: a linker from threads with links."""

from __future__ import annotations

from typing import Annotated

import typer

from treaty.cli import _options as opt
from treaty.cli._train import CHECKPOINTS, Training

__all__ = ["HELP", "train_linker"]

HELP = f"""Train a linker on threads with links (JSON lines).

The files are as 'treaty link' writes them. Give --dev: how readily links are made is tuned on those
threads, for F1. {CHECKPOINTS}
\b
Examples:
  treaty train linker --train train.jsonl --dev dev.jsonl -o forum.treaty
  treaty train linker --train train.jsonl.xz -o quick.treaty --order independent --epochs 5
  treaty link chat.jsonl --model forum.treaty
"""


def train_linker(
    order: Annotated[opt.ThreadOrder, opt.ORDER] = opt.ThreadOrder.THREE_WISE,
    window: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many posts back a link may reach.")
    ] = 30,
    epochs: opt.Epochs = None,
) -> Training:
    """Say what ``treaty train linker`` does."""
    from treaty.label import ThreadLinker

    options = opt.chosen(order=order.value, window=window, epochs=epochs)
    return Training(ThreadLinker.train, ThreadLinker.read, options)
