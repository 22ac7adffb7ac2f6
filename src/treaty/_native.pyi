"""Treaty's compiled core. Private: use treaty.graph and treaty.solve."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

class GraphError(ValueError):
    pass

class Kind(enum.Enum):
    """The kinds of factor."""

    exactly_one = 0

    at_most_one = 1

    at_least_one = 2

    xor_with_output = 3

    or_with_output = 4

    and_with_output = 5

    reward = 6

    at_most = 7

    exactly = 8

    knapsack = 9

    table = 10

    sequence = 11

    compression_tree = 12

    arborescence = 13

    head_automaton = 14

    tri_sibling_automaton = 15

    custom = 16

class Graph:
    """Variables and factors in flat arrays."""

    def __init__(self) -> None: ...
    def add_variables(
        self,
        scores: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> int: ...
    def add_categorical(
        self,
        scores: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> int: ...
    def set_score(self, variable: int, score: float) -> None: ...
    def fix(self, variable: int, value: int) -> None: ...
    def add(
        self,
        kind: Kind,
        literals: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        data: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        shape: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> int: ...
    def copy(self) -> Graph:
        """An independent copy; custom oracles are shared."""

    @property
    def variables(self) -> int: ...
    @property
    def factors(self) -> int: ...
    @property
    def scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def evidence(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """-1 free, 0 off, 1 on."""

    @property
    def categorical_first(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def categorical_size(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def kinds(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...
    @property
    def literals(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def literal_begin(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    @property
    def data(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def data_begin(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    @property
    def shape(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def shape_begin(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    def kind_of(self, factor: int) -> Kind: ...
    def maximize(
        self,
        factor: int,
        slot_score: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        The best value of a factor in its literals' terms, and a maximizer: (value, y).
        """

    def project(
        self,
        factor: int,
        z: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        step: float = 1.0,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        argmin 1/2 |z' - z|^2 - step * score(z') over the factor's polytope, in its literals' terms.
        """

    def evaluate(
        self,
        factor: int,
        y: Annotated[
            NDArray[numpy.int8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> float:
        """
        A factor's own score for a 0/1 assignment of its literals; -inf where it is not allowed.
        """

    def add_python_oracle(
        self,
        literals: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        oracle: object,
    ) -> int:
        """
        Adds a factor whose best configuration is oracle.maximize(scores): a 0 or 1 per literal,
        or a pair of those and their own score (-inf: nothing is allowed). An optional
        oracle.evaluate(configuration) gives the own score of any, -inf where not allowed.
        """

    def add_compiled_oracle(
        self,
        literals: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        address: int,
        user_data: int = 0,
        owner: object | None = None,
    ) -> int:
        """
        Adds a factor whose best configuration is found by the C function at `address`,
        double (const double* scores, int64_t degree, uint8_t* configuration, void* user_data);
        `owner` is kept alive as long as the factor is.
        """

def oracle_maximize(
    graph: Graph,
    factor: int,
    slot_score: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple[float, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    The own score of a structured factor's best configuration, and the slots that are on in it.
    """

def oracle_evaluate(
    graph: Graph,
    factor: int,
    on: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> float:
    """
    The own score of a configuration of a structured factor, -inf where it is not allowed.
    """

class Status(enum.Enum):
    OPTIMAL = 0

    FRACTIONAL = 1

    FEASIBLE = 2

    INFEASIBLE = 3

    UNKNOWN = 4

class StepRule(enum.Enum):
    decreasing = 0

    rush = 1

    polyak = 2

class LabelStep(enum.Enum):
    level = 0

    rush = 1

class CutStyle(enum.Enum):
    paper = 0

    tight = 1

class Progress:
    """How a run is going."""

    @property
    def iteration(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def objective(self) -> float: ...
    @property
    def bound(self) -> float: ...
    @property
    def primal_residual(self) -> float: ...
    @property
    def dual_residual(self) -> float: ...

class Cancel:
    """Stops the solvers it was handed to."""

    def __init__(self) -> None: ...
    def set(self) -> None: ...

class Warm:
    """Multipliers and active sets to start from."""

class Outcome:
    @property
    def status(self) -> Status: ...
    @property
    def values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def relaxed(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def objective(self) -> float: ...
    @property
    def bound(self) -> float: ...
    @property
    def iterations(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def trace(self) -> list[Progress]: ...

def solve_ad3(
    graph: Graph,
    *,
    iterations: int = 1000,
    seconds: float = float("inf"),
    gap: float = 0.0,
    trace: bool = False,
    penalty: float = 0.0,
    adapt_penalty: bool = True,
    tolerance: float = 1e-06,
    rounds: int = 18446744073709551615,
    polish: bool = True,
    report: Callable[[Progress], object] | None = None,
    report_every: int = 0,
    cancel: Cancel | None = None,
    warm: Warm | None = None,
) -> tuple[Outcome, Warm]: ...
def solve_subgradient(
    graph: Graph,
    *,
    iterations: int = 1000,
    seconds: float = float("inf"),
    gap: float = 0.0,
    trace: bool = False,
    rule: StepRule = StepRule.rush,
    step: float = 1.0,
    report: Callable[[Progress], object] | None = None,
    report_every: int = 0,
    cancel: Cancel | None = None,
) -> Outcome: ...
def solve_exact(
    graph: Graph,
    *,
    nodes: int = 1099511627776,
    seconds: float = float("inf"),
    gap: float = 0.0,
    trace: bool = False,
    report: Callable[[Progress], object] | None = None,
    report_every: int = 0,
    cancel: Cancel | None = None,
) -> Outcome: ...
def solve_junction(
    graph: Graph,
    *,
    iterations: int = 1000,
    seconds: float = float("inf"),
    gap: float = 0.0,
    trace: bool = False,
    table_cells: int = 16384,
    report: Callable[[Progress], object] | None = None,
    report_every: int = 0,
    cancel: Cancel | None = None,
) -> Outcome: ...
def solve_two_slave(
    graph: Graph,
    *,
    iterations: int = 1000,
    seconds: float = float("inf"),
    gap: float = 0.0,
    trace: bool = False,
    rule: LabelStep = LabelStep.level,
    step: float = 1.0,
    tolerance: float = 0.001,
    style: CutStyle = CutStyle.tight,
    warm_cut: bool = True,
    report: Callable[[Progress], object] | None = None,
    report_every: int = 0,
    cancel: Cancel | None = None,
) -> Outcome: ...
def solve_naive(
    graph: Graph,
    *,
    iterations: int = 1000,
    seconds: float = float("inf"),
    gap: float = 0.0,
    trace: bool = False,
    rule: LabelStep = LabelStep.level,
    step: float = 1.0,
    tolerance: float = 0.001,
    report: Callable[[Progress], object] | None = None,
    report_every: int = 0,
    cancel: Cancel | None = None,
) -> Outcome: ...
def round_relaxed(
    graph: Graph,
    relaxed: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """A feasible assignment near a relaxed point; empty if none is found."""

class PatternProblem:
    """Labels of vertices, scored by tables of pairs and sparse patterns."""

    @property
    def vertices(self) -> int: ...
    @property
    def first(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def state_scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def edges(self) -> list[tuple[int, int]]: ...
    @property
    def cells(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """All tables, in the order of the edges."""

    @property
    def pattern_begin(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    @property
    def pattern_states(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def pattern_weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def score(
        self,
        label: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> float: ...
    def graph(self) -> Graph: ...

class PatternGraph:
    """A pattern problem read off a graph, and the way back."""

    def __init__(self, graph: Graph) -> None: ...
    @property
    def problem(self) -> PatternProblem: ...
    def values(
        self,
        label: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The values of the graph's variables."""

class TreeCut:
    """A forest and a supermodular quadratic function, tied by links."""

    def __init__(self, problem: PatternProblem, style: CutStyle) -> None: ...
    @property
    def forest(self) -> PatternProblem: ...
    @property
    def links(self) -> list[tuple[int, bool]]:
        """The state that each node is tied to, and whether to its complement."""

    @property
    def start(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def linear(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def pairs(self) -> list[tuple[int, int]]: ...
    @property
    def weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def constant(self) -> float: ...

def solve_forest(
    forest: PatternProblem,
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple[float, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]: ...

class MaxFlow:
    """Maximizes sum t_i x_i - sum c_ij x_i (1 - x_j) by minimum cuts."""

    def __init__(
        self,
        nodes: int,
        tail: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        head: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        forward: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        backward: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def solve(
        self,
        terminals: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        cold: bool = False,
    ) -> float: ...
    @property
    def sides(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """1 on the source's side, 0 on the sink's, -1 free."""

class Derivation(enum.Enum):
    WHOLE = 0

    PREFIX = 1

    SUFFIX = 2

    SHAPE = 3

    FEATURE = 4

class Attribute:
    def __init__(
        self, column: int, derivation: Derivation, length: int = 0, key: str = ""
    ) -> None: ...
    def derive(self, text: str) -> str:
        """The attribute's text, given its column's."""

class Sequences:
    """Sequences of items with hashed attributes."""

    def __init__(self, attributes: Sequence[Attribute], root: bool = False) -> None: ...
    def add(self, columns: list) -> None:
        """Adds one sequence: a list of texts per column."""

    def clear(self) -> None: ...
    def length(self, sequence: int) -> int: ...
    def __len__(self) -> int: ...

class Templates:
    """Compiled feature templates of one family."""

    def __init__(
        self,
        roles: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        places: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        template_begin: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        seeds: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        first_between: int,
        between: int,
        each_values: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        each_begin: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def __len__(self) -> int: ...

def text_hash(text: str) -> int: ...

class Weights:
    """A table of 2^bits weights, with a running average while training."""

    def __init__(self, bits: int) -> None: ...
    @property
    def bits(self) -> int: ...
    @property
    def step(self) -> int: ...
    @step.setter
    def step(self, arg: int, /) -> None: ...
    @property
    def values(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        The table itself, where writing changes the model; a copy when it is frozen.
        """

    @property
    def late(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """The averaging table; empty when there is none."""

    def freeze(
        self,
        codes: Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        levels: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """Reads weights from one byte each from now on; there is no way back."""

    def __len__(self) -> int: ...
    def start_averaging(self) -> None: ...
    def average(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """The mean of the weights after each step."""

def tree_marginals(
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    single_root: bool,
) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None))], float]:
    """Marginals of all arcs and the log partition."""

def projective_tree(
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    single_root: bool,
) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], float]:
    """
    Heads of the best projective tree (-1 for the root) and its score; -inf and -1 for none.
    """

def best_tree(
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    single_root: bool,
) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], float]:
    """
    Heads of the best tree, projective or not, and its score; -inf and -1 for none.
    """

class PrunerOptions:
    def __init__(self) -> None: ...
    @property
    def heads(self) -> int: ...
    @heads.setter
    def heads(self, arg: int, /) -> None: ...
    @property
    def threshold(self) -> float: ...
    @threshold.setter
    def threshold(self, arg: float, /) -> None: ...
    @property
    def modifiers(self) -> int: ...
    @modifiers.setter
    def modifiers(self, arg: int, /) -> None: ...
    @property
    def single_root(self) -> bool: ...
    @single_root.setter
    def single_root(self, arg: bool, /) -> None: ...
    @property
    def projective(self) -> bool: ...
    @projective.setter
    def projective(self, arg: bool, /) -> None: ...

class DecoderOptions:
    def __init__(self) -> None: ...
    @property
    def single_root(self) -> bool: ...
    @single_root.setter
    def single_root(self, arg: bool, /) -> None: ...
    @property
    def projective(self) -> bool: ...
    @projective.setter
    def projective(self, arg: bool, /) -> None: ...
    @property
    def iterations(self) -> int: ...
    @iterations.setter
    def iterations(self, arg: int, /) -> None: ...
    @property
    def penalty(self) -> float: ...
    @penalty.setter
    def penalty(self, arg: float, /) -> None: ...
    @property
    def rounds(self) -> int: ...
    @rounds.setter
    def rounds(self, arg: int, /) -> None: ...

class BatchOptions:
    def __init__(self) -> None: ...
    @property
    def batch(self) -> int: ...
    @batch.setter
    def batch(self, arg: int, /) -> None: ...
    @property
    def threads(self) -> int: ...
    @threads.setter
    def threads(self, arg: int, /) -> None: ...
    @property
    def rate(self) -> float: ...
    @rate.setter
    def rate(self, arg: float, /) -> None: ...

class Tally:
    @property
    def words(self) -> int: ...
    @property
    def right(self) -> int: ...
    @property
    def sentences(self) -> int: ...
    @property
    def optimal(self) -> int: ...
    @property
    def iterations(self) -> int: ...

class ScoringModel:
    """Templates by family and their weights."""

    def __init__(
        self, templates: Sequence[Templates | None], bits: int, coarse: int, width: int
    ) -> None: ...
    @property
    def weights(self) -> Weights: ...

class LabelModel:
    """Templates and weights that choose the labels of arcs."""

    def __init__(
        self, templates: Templates, bits: int, coarse: int, width: int, labels: int
    ) -> None: ...
    @property
    def weights(self) -> Weights: ...
    def see(self, sentences: Sequences, gold: Gold) -> None:
        """Notes which labels stand between which kinds of words."""

    @property
    def seen(self) -> tuple: ...
    @seen.setter
    def seen(
        self,
        arg: tuple[
            Annotated[
                NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
            Annotated[
                NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
            ],
        ],
        /,
    ) -> None: ...

class Gold:
    """
    Gold trees: flat arrays with an entry for every item, the root's included.
    """

    def __init__(
        self,
        sentences: Sequences,
        heads: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        labels: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...

class Candidates:
    """Candidate arcs of many sentences."""

    @property
    def found(self) -> int:
        """Gold arcs the pruner had kept."""

    @property
    def arcs(self) -> int: ...

def parse_graph(
    sentences: Sequences,
    sentence: int,
    pruner: ScoringModel,
    model: ScoringModel,
    families: Sequence[bool],
    pruning: PrunerOptions,
    decoding: DecoderOptions,
    extra: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple:
    """
    A sentence's factor graph, and the head and modifier of each arc variable.
    """

def arc_marginals(
    sentences: Sequences, sentence: int, pruner: ScoringModel, single_root: bool
) -> list[float]: ...
def label_scores(
    model: LabelModel,
    sentences: Sequences,
    sentence: int,
    tree: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    head: int,
    modifier: int,
) -> tuple:
    """
    The labels an arc may have, and their scores where the rest of the tree is as given.
    """

def train_pruner(
    model: ScoringModel,
    sentences: Sequences,
    gold: Gold,
    ids: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    single_root: bool,
    options: BatchOptions,
) -> None: ...
def list_candidates(
    pruner: ScoringModel,
    sentences: Sequences,
    gold: Gold | None,
    options: PrunerOptions,
    threads: int,
) -> Candidates: ...
def train_parser(
    model: ScoringModel,
    sentences: Sequences,
    gold: Gold,
    candidates: Candidates,
    ids: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    decoding: DecoderOptions,
    options: BatchOptions,
) -> Tally: ...
def train_labeler(
    model: LabelModel,
    sentences: Sequences,
    gold: Gold,
    ids: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    options: BatchOptions,
) -> Tally: ...
def parse(
    sentences: Sequences,
    pruner: ScoringModel,
    model: ScoringModel,
    families: Sequence[bool],
    labels: LabelModel | None,
    pruning: PrunerOptions,
    decoding: DecoderOptions,
    threads: int,
) -> dict: ...

class TagModel:
    """Templates of tags, pairs and triples of tags, and their weights."""

    def __init__(
        self, single: Templates, pair: Templates, triple: Templates, bits: int, tags: int
    ) -> None: ...
    @property
    def weights(self) -> Weights: ...

class TagChoices:
    """The tags each item may have: its class's."""

    def __init__(
        self,
        sequences: Sequences,
        class_of: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        tags: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        class_begin: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...

def tag(
    model: TagModel, sequences: Sequences, choices: TagChoices, threads: int = 1
) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """The best tag of every item."""

def train_tagger(
    model: TagModel,
    sequences: Sequences,
    choices: TagChoices,
    gold: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    ids: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    aggressiveness: float,
    dropout: float = 0.0,
    batch: int = 1,
    threads: int = 1,
) -> int:
    """
    Learns from these sequences in this order; returns how many tags were right at first.
    """

class CrfInstances:
    """Instances in flat arrays: vertices, and factors by kind."""

    def __init__(
        self,
        sizes: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def start(self, vertices: int) -> int: ...
    def add(
        self,
        kind: int,
        vertices: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        features: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        values: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    @property
    def sizes(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """How many vertices each instance has."""

    @property
    def all_vertices(self) -> int: ...
    def __len__(self) -> int: ...

class CrfWeights:
    """The weights of a model, with a running average while training."""

    @property
    def seen(self) -> int: ...
    @seen.setter
    def seen(self, arg: int, /) -> None: ...
    @property
    def step(self) -> int: ...
    @step.setter
    def step(self, arg: int, /) -> None: ...
    @property
    def time(self) -> float: ...
    @time.setter
    def time(self, arg: float, /) -> None: ...
    @property
    def values(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """The table itself: writing changes the model."""

    @property
    def late(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """The averaging table; empty when there is none."""

    def start_averaging(self) -> None: ...
    def average(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...
    def keep_average(self) -> None:
        """Puts the average in the place of the weights."""

class CrfModel:
    """Kinds of factors, rows of weights for their features."""

    def __init__(
        self,
        labels: int,
        sizes: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        patterns: Sequence[
            Annotated[
                NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
            ]
        ],
        forbidden: Sequence[
            Annotated[
                NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
            ]
        ],
    ) -> None: ...
    def index(self, instances: CrfInstances, least_count: int = 1) -> None: ...
    def index_features(
        self,
        features: Sequence[
            Annotated[
                NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
            ]
        ],
    ) -> None: ...
    def features(self, kind: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """The features of a kind in the order of their rows."""

    @property
    def weights(self) -> CrfWeights: ...

class BoundInstances:
    """Instances whose features have been looked up in a model."""

    def __init__(self, model: CrfModel, instances: CrfInstances, threads: int = 1) -> None: ...

def crf_decode(model: CrfModel, bound: BoundInstances, threads: int = 1) -> tuple:
    """
    Labels of all vertices, scores, and where they are exact: (labels, scores, exact).
    """

def crf_marginals(model: CrfModel, bound: BoundInstances, threads: int = 1) -> tuple:
    """
    The probability of each label of all vertices, and log Z of each instance.
    """

def crf_n_best(model: CrfModel, bound: BoundInstances, instance: int, n: int) -> tuple: ...
def crf_scores(
    model: CrfModel,
    bound: BoundInstances,
    labels: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Of a labeling of each instance."""

def crf_graph(model: CrfModel, bound: BoundInstances, instance: int) -> Graph: ...
def crf_train(
    model: CrfModel,
    bound: BoundInstances,
    gold: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    ids: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    aggressiveness: float,
    dropout: float,
    cost: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    batch: int = 1,
    threads: int = 1,
) -> int:
    """
    Learns from these instances in this order; returns how many labels were right at first.
    """

def crf_training_graph(
    model: CrfModel,
    bound: BoundInstances,
    gold: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    instance: int,
    aggressiveness: float,
    dropout: float,
    cost: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Graph:
    """What an example is decoded by in training."""

def crf_steps(
    model: CrfModel,
    bound: BoundInstances,
    gold: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    ids: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    answers: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    aggressiveness: float,
    dropout: float,
    cost: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> None:
    """
    Learns from answers to a batch of examples, one after the other in one list.
    """

def crf_likelihood(
    model: CrfModel,
    bound: BoundInstances,
    gold: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple:
    """log P(gold) of all instances, and its gradient."""

def crf_sgd(
    model: CrfModel,
    bound: BoundInstances,
    gold: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    ids: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    rate: float,
    regularization: float,
    dropout: float = 0.0,
    batch: int = 1,
    threads: int = 1,
) -> float:
    """
    Steps of stochastic gradient ascent; returns the log-likelihood that was met.
    """

def crf_exponential(x: float) -> float:
    """e^x for x <= 0, the same on every machine."""

def crf_logarithm(x: float) -> float:
    """log x, the same on every machine."""

def template_features(
    sequences: Sequences, templates: Templates
) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """One hash for every item and template."""

class PhraseTable:
    """Lists of phrases, to be found in texts."""

    def __init__(self) -> None: ...
    def add(self, list: int, phrases: Sequence[str]) -> None:
        """Adds phrases, words with single spaces between them, to a list."""

    def insert(
        self,
        keys: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        lists: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """Adds what entries() of another table gave."""

    def entries(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    ]:
        """Keys and sets of lists, sorted."""

    def marks(
        self,
        words: Sequence[str],
        begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    ]:
        """
        The words that are part of a phrase, and list * 4 + 0, 1, 2, 3 for its first, inner, last and only word.
        """

    def __len__(self) -> int: ...

def item_features(items: Sequence) -> tuple:
    """Features of tokens given as dicts or lists: (features, begin, values)."""

def best_pruning(
    size: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    cost: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    gain: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    cut_score: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    budget: int,
    most_trees: int,
) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
    """
    Which nodes of trees in preorder to keep, with their parents and within limits.
    """

class Coverage:
    """Which phrases say which concepts."""

    def __init__(
        self,
        node: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        concept_of: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        first: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        last: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        size: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        concept_score: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    @property
    def scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def concept_variables(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def is_or(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...
    @property
    def begin(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def members(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    def gains(
        self,
        chosen: Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        values: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """What each phrase is worth by itself, next to a summary."""

class DmvChoices:
    """
    The choices of all distributions, and the bounds of boxes of their ratios.
    """

    def __init__(self, corpus: DmvCorpus, smoothing: float = 0.0) -> None: ...
    def __len__(self) -> int: ...
    def whole(self) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]:
        """The box of all ratios there are."""

    def totals(
        self,
        counts: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> tuple:
        """x and n of each choice."""

    def cut(
        self,
        choice: int,
        box: Annotated[
            NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        at: float,
    ) -> tuple:
        """Where the lower part ends, and the higher begins."""

    def bound(
        self,
        corpus: DmvCorpus,
        smoothing: float,
        others: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        most: float,
        box: Annotated[
            NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> float: ...

class DmvSearch:
    """Branch and bound by chords; see treaty.induce.branch_and_bound."""

    def __init__(
        self,
        corpus: DmvCorpus,
        others: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        most: float,
        smoothing: float,
        epsilon: float,
        seed: int,
        restarts: int,
        memory: int,
    ) -> None: ...
    def run(self, seconds: float, nodes: int, threads: int) -> bool: ...
    def estimate(self, probes: int, seed: int) -> float: ...
    def save(self, path: str, identity: int) -> None: ...
    def load(self, path: str, identity: int) -> None: ...
    @property
    def done(self) -> bool: ...
    @property
    def feasible(self) -> bool: ...
    @property
    def objective(self) -> float: ...
    @property
    def heads(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def bound(self) -> float: ...
    @property
    def nodes(self) -> int: ...
    @property
    def open(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def choices(self) -> int: ...

class DmvCorpus:
    """Sentences of tags in flat arrays, each with the number of its copies."""

    def __init__(
        self,
        tags: int,
        tokens: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        copies: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...

def dmv_parse(
    corpus: DmvCorpus,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    seed: int = 0,
    threads: int = 1,
) -> tuple:
    """The best trees: (heads, counts, score)."""

def dmv_expect(
    corpus: DmvCorpus,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    threads: int = 1,
) -> tuple:
    """Expected counts and the log of the sum over trees."""

def dmv_count(
    corpus: DmvCorpus,
    heads: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The counts of trees."""

def dmv_restarts(
    corpus: DmvCorpus,
    initial: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    starts: int,
    smoothing: float,
    others: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    most: float,
    steps: int,
    first: int,
    restarts: int,
    seed: int,
    threads: int = 1,
) -> tuple:
    """
    Viterbi EM from several starts: objectives, the heads of the best, steps.
    """

def compress_trees(
    begin: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    head: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    keep: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    cut: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    lift: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple:
    """
    The best compressions of sentences: which words stay, and the score of each.
    """
