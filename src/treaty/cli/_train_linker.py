"""``treaty train linker``: a linker from threads with links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from treaty.cli._options import (
    ORDER,
    DevFile,
    Epochs,
    Info,
    Language,
    License,
    Output,
    Quiet,
    Resume,
    Seed,
    ThreadOrder,
    Threads,
    TrainFile,
    info_of,
)
from treaty.cli._train import CHECKPOINTS, read_examples, train_model
from treaty.errors import InputError

if TYPE_CHECKING:
    from treaty.corpus import Thread

__all__ = ["HELP", "train_linker"]

HELP = f"""Train a linker on threads with links (JSON lines, see 'treaty link --help').

Give --dev: how readily links are made is tuned on those threads, for F1. {CHECKPOINTS}
\b
Examples:
  treaty train linker --train train.jsonl --dev dev.jsonl -o forum.treaty
  treaty train linker --train train.jsonl.xz -o quick.treaty --order independent --epochs 5
  treaty link chat.jsonl --model forum.treaty

Exit codes: 0 done, 2 usage, 3 bad input, 5 checkpoint refused.
"""


def train_linker(
    train_file: TrainFile,
    output: Output,
    dev: DevFile = None,
    order: Annotated[ThreadOrder, ORDER] = ThreadOrder.THREE_WISE,
    window: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many posts back a link may reach.")
    ] = 30,
    epochs: Epochs = None,
    seed: Seed = 1,
    threads: Threads = 1,
    resume: Resume = False,
    language: Language = None,
    license: License = None,
    info: Info = None,
    quiet: Quiet = False,
) -> None:
    """Run ``treaty train linker``."""
    from treaty.label import ThreadLinker

    train_model(
        ThreadLinker.train,
        lambda: _read(train_file),
        lambda: _read(dev),
        output=output,
        quiet=quiet,
        order=order.value,
        window=window,
        seed=seed,
        threads=threads,
        resume=resume,
        info=info_of(info, language=language, license=license),
        **({} if epochs is None else {"epochs": epochs}),
    )


def _read(path: str | None) -> list[Thread]:
    from treaty.corpus import read_threads

    threads = read_examples(path, read_threads)
    if threads and not any(thread.links for thread in threads):
        raise InputError("there are no links", path="<stdin>" if path == "-" else path)
    return threads
