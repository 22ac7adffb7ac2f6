"""A tour of Treaty in the terminal: ``make demo``."""

import re
from pathlib import Path

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from treaty import FactorGraph, ModelError, Solution, TreatyError, read_graph
from treaty.corpus import Post, Thread, read_articles
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

EXAMPLES = Path(__file__).parent
TREES, PICTURE = Path("demo-trees.svg"), Path("demo-convergence.png")
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
graph.reward(sun, hat, 0.4)            # a pair that likes to be on together
solution = graph.solve()
"""

console = Console(highlight=False)


def legend(path: Path) -> dict[str, str]:
    """What the variables of an example stand for: its comments ``# x0: sun``."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(
        found.groups() for line in lines if (found := re.fullmatch(r"# ([xc]\d+): (.*)", line))
    )


def show_trees() -> None:
    console.rule("[bold]1. Text becomes trees, each with a certificate")
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
    console.print(f"Whose is the telescope? With [bold]constraints=[{constraint}][/]:\n")
    (other,) = english.parser.predict([parses[-1].sentence], constraints=[constraint])
    draw(tree_text(other.sentence, certificate=other))
    drawn = [*parses, other]
    TREES.write_text(tree_svg([p.sentence for p in drawn], certificates=drawn), encoding="utf-8")
    console.print(f"The same as a picture: [bold]{TREES.resolve()}[/]", soft_wrap=True)
    console.print('Now you: [bold]treaty parse "Your own text."[/]\n')


def draw(tree: str) -> None:
    for line in tree.splitlines():
        console.print(f"    {line}", markup=False, soft_wrap=True)
    console.print()


def show_labels() -> None:
    console.rule("[bold]2. Names, and who answers whom")
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
    console.print('Now you: [bold]treaty label "Your own text."[/]\n')


def show_digest() -> None:
    console.rule("[bold]3. Five articles in sixty words")
    try:
        summarizer = Summarizer.load()
        digest = summarizer.summarize(read_articles([EXAMPLES / "articles"]), words=60)
    except ModelError as error:
        console.print(f"No summary: {error}", markup=False)
        return
    console.print()
    if console.is_terminal:
        console.print(cuts_terminal(digest.sentences), soft_wrap=True)
    else:  # where nothing can be dimmed, brackets tell what was cut
        draw("\n".join(cuts_text(sentence) for sentence in digest.sentences))
    console.print(summary_note(digest), markup=False)
    console.print("Now you: [bold]treaty summarize FILES --words 100 --show-cuts[/]\n")


def show_grammar() -> None:
    console.rule("[bold]4. A grammar from tags alone, proved to be the best")
    console.print("\n    " + "\n    ".join(TAGS) + "\n", style="italic")
    corpus = Corpus.from_tags(line.split() for line in TAGS)
    found = branch_and_bound(corpus, epsilon=1e-6)
    for tree in corpus.sentences(found.heads):
        draw(tree_text(tree))
    console.print(
        f"    log-likelihood {found.objective:.3f}, no grammar has more than {found.bound:.3f}: "
        f"{found.status}, {found.nodes} boxes in {1000 * found.seconds:.0f} ms\n"
    )
    console.print("Now you: [bold]treaty induce corpus.conllu --plot bounds.png[/]\n")


def show_weather() -> None:
    console.rule("[bold]5. A problem in ten lines")
    console.print(Syntax(WEATHER, "python", background_color="default"))
    names: dict = {}
    exec(WEATHER, names)
    console.print(solution_table(names["graph"], names["solution"]))


def show_methods(graphs: dict[str, FactorGraph]) -> None:
    console.rule("[bold]6. The shipped examples, three ways")
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
    console.print("\n[bold]letter.uai[/]: what the scanner saw, and the best assignment\n")
    solution, scores = graph.solve(), graph.scores
    seen = [int(scores[c.first + 1] > scores[c.first]) for c in graph.categoricals]
    best = [solution[c] for c in graph.categoricals]
    for row in range(0, len(best), 20):
        left, right = ("".join(" #"[x] for x in pixels[row : row + 20]) for pixels in (seen, best))
        console.print(f"    {left}    {right}")


def show_map(graph: FactorGraph) -> None:
    console.print(
        "\n[bold]map.uai[/]: three colors for Australia, proved best by branch and bound\n"
    )
    solution, regions = graph.solve("exact"), legend(EXAMPLES / "map.uai")
    for region in graph.categoricals:
        color = COLORS[solution[region]]
        console.print(f"    [{color}]##[/] {regions[region.name]} ({color})")


def show_summary(graph: FactorGraph) -> None:
    console.print("\n[bold]summary.fg[/]: the sentences worth their thirty words\n")
    solution, sentences = graph.solve("exact"), legend(EXAMPLES / "summary.fg")
    for variable in graph:
        text = sentences[variable.name]
        if solution[variable] and not text.startswith("(idea)"):
            console.print(f"    {text}")


def show_convergence(graph: FactorGraph) -> None:
    console.rule("[bold]7. How answer and bound approach each other")
    try:
        plot_convergence(graph.solve(trace=True), PICTURE, title="map.uai")
        console.print(f"The picture is in [bold]{PICTURE.resolve()}[/]", soft_wrap=True)
    except TreatyError as error:
        console.print(f"No picture: {error}", markup=False)
    console.print("\nNow you: [bold]treaty solve examples/map.uai --method exact[/]")


def main() -> None:
    files = ("weather.fg", "summary.fg", "letter.uai", "map.uai")
    graphs = {name: read_graph(EXAMPLES / name) for name in files}
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
