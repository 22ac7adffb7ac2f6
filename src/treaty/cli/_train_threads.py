"""``treaty train threads``: a linker from threads with links."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treaty.cli._output import check_writable, note
from treaty.cli._progress import status_line
from treaty.cli._sentences import Quiet
from treaty.cli._threads import Order
from treaty.cli._train import Language, License, Out, Resume, Seed, reporter, train
from treaty.errors import InputError

if TYPE_CHECKING:
    from treaty.corpus import Thread

__all__ = ["train_threads"]

HELP = """Train a linker on threads with links (JSONL, see 'treaty threads --help').

Give --dev: how readily links are made is tuned on those threads, for F1. After each epoch the state
is kept beside the model (FILE.checkpoint): --resume goes on from there, to the same model as if
nothing had happened.

\b
Examples:
  treaty train threads --train train.jsonl --dev dev.jsonl --out forum.treaty
  treaty train threads --train train.jsonl.xz --out quick.treaty --order independent --epochs 5

Exit codes: 0 done, 2 usage, 3 bad input, 5 checkpoint refused.
"""


@train.command("threads", help=HELP)
def train_threads(
    train_file: Annotated[
        str, typer.Option("--train", metavar="FILE", help="Threads to learn from.")
    ],
    out: Out,
    dev: Annotated[str | None, typer.Option(metavar="FILE", help="Threads to tune on.")] = None,
    order: Annotated[
        Order, typer.Option(help="Higher orders are slower and more accurate.")
    ] = Order.THREE_WISE,
    window: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many posts back a link may reach.")
    ] = 30,
    epochs: Annotated[
        int, typer.Option(min=1, metavar="N", help="How often the threads are seen.")
    ] = 6,
    seed: Seed = 1,
    threads: Annotated[
        int, typer.Option(min=1, metavar="N", help="The model does not depend on it.")
    ] = 1,
    resume: Resume = False,
    language: Language = None,
    license: License = None,
    quiet: Quiet = False,
) -> None:
    """Run ``treaty train threads``."""
    from treaty.label.threads import ThreadLinker

    check_writable(out)
    examples = _read(train_file)
    held_out = _read(dev) if dev else []
    named = {"language": language, "license": license}
    checkpoint = Path(f"{out}.checkpoint")
    with status_line("training", quiet=quiet) as update:
        tell = reporter(update, quiet)
        linker = ThreadLinker.train(
            examples,
            held_out,
            order=order.value,
            window=window,
            epochs=epochs,
            seed=seed,
            threads=threads,
            checkpoint=checkpoint,
            resume=resume,
            report=lambda *told: tell("links", *told),
            info={name: value for name, value in named.items() if value is not None},
        )
        linker.save(out)
    checkpoint.unlink(missing_ok=True)
    if not quiet:
        for name, value in linker.info.get("dev", {}).items():
            note(f"dev: {name}: {value:.4f}" if isinstance(value, float) else f"{name}: {value}")


def _read(path: str) -> list[Thread]:
    from treaty.corpus import read_threads

    found = list(read_threads(path))
    if not any(thread.links for thread in found):
        raise InputError("there are no links", path="<stdin>" if path == "-" else path)
    return found
