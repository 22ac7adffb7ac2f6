"""A tour of Treaty in the terminal: ``make demo``."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from treaty import FactorGraph, ModelError, Solution, TreatyError, read_graph
from treaty.induce import Corpus, branch_and_bound
from treaty.label import EntityLabeler
from treaty.label.threads import ThreadLinker
from treaty.parse import Attach, Pipeline
from treaty.show import (
    cuts_terminal,
    cuts_text,
    entities_terminal,
    plot_convergence,
    solution_table,
    summary_note,
    thread_text,
    tree_svg,
    tree_text,
)
from treaty.summarize import Summarizer
from treaty.text import Post, Thread, read_articles

EXAMPLES = Path(__file__).parent
TREES, PLOT = Path("demo-trees.svg"), Path("demo-convergence.png")
TEXT = "The cat sat on the mat. She saw the man with the telescope."
MESSAGES = [
    "Lady Gaga plays the Staples Center tonight, live stream from Los Angeles",
    "can't wait for gaga at staples center tonight live stream los angeles!!",
]
CHAT = [
    ("ann", "how do I mount a usb stick?"),
    ("bob", "ann: sudo mount /dev/sdb1 /mnt"),
    ("ann", "bob: it says permission denied"),
    ("bob", "did you type sudo?"),
    ("ann", "ah, works now. thanks!"),
]
TAGS = ("Det Noun Verb", "Det Noun Verb Det Noun", "Noun Verb Noun", "Verb Det Noun", "Noun Verb")
COLORS = ("red", "green", "blue")
STYLES = {"OPTIMAL": "green", "FRACTIONAL": "yellow", "FEASIBLE": "yellow"}

WEATHER = """\
from treaty import FactorGraph

graph = FactorGraph()
sun, rain, hat, umbrella = graph.variables(
    [1.2, 0.7, -0.1, -0.3], names=["sun", "rain", "hat", "umbrella"]
)
graph.exactly_one(sun, rain)
graph.implies(rain, umbrella)
graph.at_most(1, hat, umbrella)
graph.reward(sun, hat, 0.4)            # extra score if both are on
solution = graph.solve()
"""

console = Console(highlight=False)


@contextmanager
def page() -> Iterator[None]:
    """Serve the page while the tour goes on, and after it until Enter; only for a person."""
    console.rule("[bold]The page: all of this in a browser")
    if importlib.util.find_spec("fastapi") is None or importlib.util.find_spec("uvicorn") is None:
        console.print("\nTry: [bold]pip install 'treaty[web]'[/], then [bold]treaty serve[/]\n")
        yield
        return
    if not (console.is_terminal and sys.stdin.isatty()):
        console.print("\nTry: [bold]treaty serve[/], and open http://127.0.0.1:8000/\n")
        yield
        return
    command = [sys.executable, "-m", "treaty", "serve", "--port", "0", "--quiet"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        told = server.stderr.readline() if server.stderr else ""
        address = re.search(r"http://\S+", told)
        if address:
            console.print(f"\nOpen [bold]{address[0]}[/] in a browser.\n")
        yield
        if address:
            console.input(f"\nThe page is still at [bold]{address[0]}[/]. Enter ends it. ")
    except (EOFError, KeyboardInterrupt):
        pass
    finally:
        server.terminate()
        server.wait(20)


def legend(path: Path) -> dict[str, str]:
    """What the variables of an example stand for: its comments ``# x0: sun``."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(
        found.groups() for line in lines if (found := re.fullmatch(r"# ([xc]\d+): (.*)", line))
    )


def show_trees() -> None:
    console.rule("[bold]1. Parse text, with a certificate for every tree")
    console.print(f"\n{TEXT}\n", style="italic")
    try:
        english = Pipeline.load()
    except ModelError as error:
        console.print(f"No trees: {error}", markup=False)
        return
    parses = list(english.parse_text(TEXT))
    for parse in parses:
        draw(tree_text(parse.sentence, certificate=parse))
    saw, man, telescope = 2, 4, 7
    head = man if parses[-1].sentence.heads[telescope - 1] == saw else saw
    constraint = Attach(telescope, head=head)
    console.print(f"Who has the telescope? With [bold]constraints=[{constraint}][/]:\n")
    (other,) = english.parser.predict([parses[-1].sentence], constraints=[constraint])
    draw(tree_text(other.sentence, certificate=other))
    drawn = [*parses, other]
    TREES.write_text(tree_svg([p.sentence for p in drawn], certificates=drawn), encoding="utf-8")
    console.print(f"The trees as a drawing: [bold]{TREES.resolve()}[/]", soft_wrap=True)
    console.print('Try: [bold]treaty parse "Your own text."[/]\n')


def draw(tree: str) -> None:
    for line in tree.splitlines():
        console.print(f"    {line}", markup=False, soft_wrap=True)
    console.print()


def show_labels() -> None:
    console.rule("[bold]2. Find names, link the posts of a thread")
    console.print()
    try:
        labeler, linker = EntityLabeler.load(), ThreadLinker.load()
    except ModelError as error:
        console.print(f"No labels: {error}", markup=False)
        return
    labeled = list(labeler.predict(MESSAGES))
    for message in labeled:
        console.print("   ", entities_terminal(message, labeler.types), soft_wrap=True)
    console.print(f"\n    labeled as a group: {labeled[0].status}, gap {labeled[0].gap:.3g}\n")
    (linked,) = linker.predict([Thread([Post(text, author) for author, text in CHAT])])
    draw(thread_text(linked.thread, certificate=linked))
    console.print('Try: [bold]treaty label "Your own text."[/]\n')


def show_digest() -> None:
    console.rule("[bold]3. Summarize five articles in sixty words")
    try:
        summarizer = Summarizer.load()
        digest = summarizer.summarize(read_articles([EXAMPLES / "articles"]), words=60)
    except ModelError as error:
        console.print(f"No summary: {error}", markup=False)
        return
    console.print()
    if console.is_terminal:
        console.print(cuts_terminal(digest.sentences), soft_wrap=True)
    else:  # brackets around the cuts where they cannot be dimmed
        draw("\n".join(cuts_text(sentence) for sentence in digest.sentences))
    console.print(summary_note(digest), markup=False)
    console.print("Try: [bold]treaty summarize FILES --words 100 --show-cuts[/]\n")


def show_grammar() -> None:
    console.rule("[bold]4. Induce the best grammar from tags")
    console.print("\n    " + "\n    ".join(TAGS) + "\n", style="italic")
    corpus = Corpus.from_tags(line.split() for line in TAGS)
    found = branch_and_bound(corpus, relative_gap=1e-6)
    for tree in corpus.sentences(found.heads):
        draw(tree_text(tree))
    console.print(
        f"    log-likelihood {found.objective:.3f}, upper bound {found.bound:.3f}: "
        f"{found.status}, {found.iterations} nodes in {1000 * found.seconds:.0f} ms\n"
    )
    console.print("Try: [bold]treaty induce corpus.conllu --plot bounds.png[/]\n")


def show_weather() -> None:
    console.rule("[bold]5. A factor graph in ten lines")
    console.print(Syntax(WEATHER, "python", background_color="default"))
    names: dict = {}
    exec(WEATHER, names)
    console.print(solution_table(names["graph"], names["solution"]))


def show_methods(graphs: dict[str, FactorGraph]) -> None:
    console.rule("[bold]6. The graphs of examples/, solved by three methods")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("problem", "method", "status"):
        table.add_column(name)
    for name in ("objective", "bound", "gap", "milliseconds"):
        table.add_column(name, justify="right")
    for name, graph in graphs.items():
        for i, method in enumerate(("ad3", "exact", "lp")):
            table.add_row("" if i else name, method, *cells(graph.solve(method)))
    console.print(table)


def cells(solution: Solution) -> tuple[str, ...]:
    style = STYLES.get(solution.status, "red")
    numbers = (solution.objective, solution.bound, solution.gap)
    return (
        f"[{style}]{solution.status}[/]",
        *(f"{round(number, 6) + 0.0:.4f}" for number in numbers),
        f"{1000 * solution.seconds:.1f}",
    )


def show_letter(graph: FactorGraph) -> None:
    console.print("\n[bold]letter.uai[/]: a scanned letter with noise, and the best assignment\n")
    solution, scores = graph.solve(), graph.scores
    seen = [int(scores[c.first + 1] > scores[c.first]) for c in graph.categoricals]
    best = [solution[c] for c in graph.categoricals]
    for row in range(0, len(best), 20):
        left, right = ("".join(" #"[x] for x in pixels[row : row + 20]) for pixels in (seen, best))
        console.print(f"    {left}    {right}")


def show_map(graph: FactorGraph) -> None:
    console.print("\n[bold]map.uai[/]: a map in three colors, solved exactly by branch and bound\n")
    solution, regions = graph.solve("exact"), legend(EXAMPLES / "map.uai")
    for region in graph.categoricals:
        color = COLORS[solution[region]]
        console.print(f"    [{color}]##[/] {regions[region.name]} ({color})")


def show_summary(graph: FactorGraph) -> None:
    console.print("\n[bold]summary.fg[/]: the best summary in thirty words\n")
    solution, sentences = graph.solve("exact"), legend(EXAMPLES / "summary.fg")
    for variable in graph:
        text = sentences[variable.name]
        if solution[variable] and not text.startswith("(concept)"):
            console.print(f"    {text}")


def show_convergence(graph: FactorGraph) -> None:
    console.rule("[bold]7. Objective and bound by iteration")
    try:
        plot_convergence(graph.solve(trace=True), PLOT, title="map.uai")
        console.print(f"The plot is in [bold]{PLOT.resolve()}[/]", soft_wrap=True)
    except TreatyError as error:
        console.print(f"No plot: {error}", markup=False)
    console.print("\nTry: [bold]treaty solve examples/map.uai --method exact[/]")


def main() -> None:
    files = ("weather.fg", "summary.fg", "letter.uai", "map.uai")
    graphs = {name: read_graph(EXAMPLES / name) for name in files}
    with page():
        show_trees()
        show_labels()
        show_digest()
        show_grammar()
        show_weather()
        show_methods(graphs)
        show_letter(graphs["letter.uai"])
        show_map(graphs["map.uai"])
        show_summary(graphs["summary.fg"])
        show_convergence(graphs["map.uai"])


if __name__ == "__main__":
    main()
