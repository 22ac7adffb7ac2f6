"""What requests may say. Fields have the names and meanings of the options of the commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from treaty.text.formats import DOCUMENTS
from treaty.web._constraints import NameRule, SummaryWish, TreeConstraint
from treaty.web._graph_json import GraphRecord

__all__ = [
    "Asked",
    "CompressRequest",
    "EvaluateRequest",
    "InduceRequest",
    "LabelRequest",
    "LinkRequest",
    "ParseRequest",
    "PredictRequest",
    "SolveRequest",
    "SummarizeRequest",
    "TagRequest",
]

Lines = Literal["auto", "wrapped", "sentence", "paragraph"]
if TYPE_CHECKING:
    SentenceFormat = str
    LabelFormat = str
    SummaryFormat = str
else:
    TEXTS = tuple(one.name for one in DOCUMENTS if one.is_text)  # a request is text, no archive
    SentenceFormat = Literal[*TEXTS, "tokens", "conllu", "conllx", "json"]
    LabelFormat = Literal[*TEXTS, "messages", "tokens", "columns"]
    SummaryFormat = Literal[*TEXTS, "json"]
Method = Literal[
    "ad3", "subgradient", "two-slave", "naive", "lp", "ilp", "exact", "junction", "exhaustive"
]
MOST = 2**31 - 1
Iterations = Annotated[
    int | None, Field(ge=0, le=MOST, description="Stop after so many iterations.")
]
Words = Annotated[int | None, Field(ge=0, le=100_000)]


class Asked(BaseModel):
    """What all requests have in common."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)
    examples: ClassVar[list[dict[str, Any]]] = []
    time_limit: float | None = Field(
        None,
        gt=0,
        description="Seconds; then the best answer so far, with its bound. By default, and at "
        "most, the server's own limit.",
    )


class _Sentences(Asked):
    text: str = Field(description="The text, or what the input format says.")
    input_format: SentenceFormat = "text"
    lines: Lines = Field("auto", description="What a line of a text is.")


class ParseRequest(_Sentences):
    """Tags, lemmas and trees of sentences."""

    examples: ClassVar = [
        {"text": "She saw the man with the telescope."},
        {
            "text": "She saw the man with the telescope.",
            "constraints": [{"kind": "attach", "word": 7, "head": 2}],
        },
    ]
    model: str = "english"
    order: Literal["first", "second", "second+", "third"] | None = None
    projective: bool = False
    tags: Literal["keep", "predict"] = "keep"
    longest: int = Field(400, ge=1, le=400, description="Longer sentences are parsed in parts.")
    entities: bool = Field(False, description="Whether to find names, too.")
    entity_model: str = "entities"
    confidences: bool = False
    alternatives: int = Field(
        0, ge=0, le=10, description="So many probable heads of each word, in `alternatives`."
    )
    constraints: list[TreeConstraint] = Field(
        [], max_length=1000, description="What the trees must be like."
    )


class TagRequest(_Sentences):
    """Tags and lemmas of sentences."""

    examples: ClassVar = [{"text": "Cats sleep. Dogs don't.", "confidences": True}]
    model: str = "english"
    confidences: bool = False


class LabelRequest(Asked):
    """Names in texts and messages."""

    examples: ClassVar = [
        {"text": "Ada Lovelace was born in London."},
        {
            "text": "Apple opens in May.",
            "rules": [{"phrase": "May", "type": "O"}, {"phrase": "Apple", "type": "ORG"}],
        },
    ]
    text: str
    model: str = "entities"
    input_format: LabelFormat = "text"
    chain_only: bool = False
    threshold: float = Field(0.0, ge=0, le=1)
    rules: list[NameRule] = Field([], max_length=1000, description="What is a name, or is none.")
    method: Method | None = None
    iterations: Iterations = None


class PostRecord(BaseModel):
    """A post of a thread."""

    model_config = ConfigDict(extra="allow")
    text: str
    author: str | None = None


class LinkRequest(Asked):
    """Links between the posts of a thread: posts, or a line of JSON a thread."""

    examples: ClassVar = [
        {
            "posts": [
                {"author": "ann", "text": "how do I mount a usb stick?"},
                {"author": "bob", "text": "ann: sudo mount /dev/sdb1 /mnt"},
            ]
        }
    ]
    posts: list[PostRecord] = []
    text: str | None = Field(None, description="Threads as lines of JSON, instead of posts.")
    model: str = "threads"
    order: Literal["independent", "2d", "3-wise"] | None = None
    method: Method | None = None
    iterations: Iterations = None


class ArticleRecord(BaseModel):
    """A document."""

    model_config = ConfigDict(extra="forbid")
    text: str
    title: str | None = None
    date: str | None = None
    id: str | int | None = None


class SummarizeRequest(Asked):
    """A summary of documents about one topic."""

    examples: ClassVar = [
        {
            "articles": [
                {"text": "Lightning struck the old clock tower of Aldermere on Monday evening."},
                {"text": "The clock tower of Aldermere, which burned on Monday, can be repaired."},
            ],
            "words": 15,
        }
    ]
    text: str | None = Field(None, description="One document.")
    articles: list[ArticleRecord] = Field([], description="Several documents.")
    input_format: SummaryFormat = "text"
    model: str = "summarizer"
    parser: str | None = None
    language: str | None = Field(None, pattern="^[a-z]{2}$")
    words: int = Field(100, ge=0, le=100_000)
    sentences: int | None = Field(None, ge=0, le=MOST)
    mode: Literal["compressive", "extractive"] | None = None
    short: bool = False
    method: Literal["ad3", "ilp", "lp", "exact"] = "ad3"
    iterations: Iterations = None
    gap: float | None = Field(None, ge=0)
    concepts: Literal["unigrams", "bigrams", "trigrams"] | None = None
    full_names: bool = Field(True, description="Whether people are named in full at first.")
    sources: bool = Field(
        False, description="Whether to add the sentences of all documents, and where they stand."
    )
    constraints: list[SummaryWish] = Field(
        [], max_length=1000, description="Sentences and words that must stay, or go."
    )


class CompressRequest(_Sentences):
    """Shorter sentences."""

    examples: ClassVar = [{"text": "Engineers said on Wednesday that the walls are safe."}]
    model: str = "summarizer"
    parser: str | None = None
    words: Words = None
    rate: float | None = Field(None, ge=0, le=1)
    short: bool = False


class SolveRequest(Asked):
    """The best assignment of a factor graph: a file's text, or a graph as JSON."""

    examples: ClassVar = [
        {
            "graph": {
                "variables": [
                    {"name": "sun", "score": 1.2},
                    {"name": "rain", "score": 0.7},
                    {"name": "umbrella", "score": -0.3},
                ],
                "factors": [
                    {"kind": "exactly_one", "of": ["sun", "rain"]},
                    {"kind": "implies", "of": ["rain", "umbrella"]},
                ],
            }
        },
        {"text": "2\n1\n0.5\n1.5\nATMOSTONE 2 1 2\n", "input_format": "fg", "method": "exact"},
    ]
    text: str | None = Field(None, description="A graph in the format .fg, .uai or .mrf.")
    input_format: Literal["fg", "uai", "mrf"] | None = None
    graph: GraphRecord | None = Field(None, description="A graph instead of a text.")
    evidence: str | None = Field(None, description="Observed states, as in a .uai.evid file.")
    method: Method = "ad3"
    iterations: Iterations = None
    gap: float | None = Field(None, ge=0)
    tolerance: float | None = Field(None, gt=0)
    trace: bool = Field(False, description="Whether to add the course of objective and bound.")


class InduceRequest(Asked):
    """The grammar under which sentences of tags are most probable."""

    examples: ClassVar = [{"text": "Det Noun Verb\nNoun Verb Noun\nVerb Det Noun\n"}]
    text: str = Field(description="Tags, a sentence a line; or CoNLL-U.")
    input_format: Literal["conllu", "tags"] = "tags"
    method: Literal["branch-and-bound", "viterbi-em", "em"] = "branch-and-bound"
    tags: Literal["upos", "xpos", "universal", "coarse3", "coarse4"] = "upos"
    max_length: int = Field(10, ge=1, le=100)
    most: int | None = Field(None, ge=1, le=MOST)
    smoothing: float | None = Field(None, ge=0)
    restarts: int | None = Field(None, ge=1, le=MOST)
    start: Literal["uniform", "harmonic", "random"] | None = None
    iterations: Iterations = None
    relative_gap: float | None = Field(None, ge=0)
    seed: int = Field(1, ge=0, lt=2**64)
    trees: bool = Field(False, description="Whether to add trees and rules.")


class EvaluateRequest(Asked):
    """Scores of predictions, or of a model, on gold data; all as the text of files."""

    examples: ClassVar = [
        {"gold": "Ann\tB-PER\nslept\tO\n", "system": "Ann\tB-ORG\nslept\tO\n"},
    ]
    gold: str
    system: str | None = None
    against: str | None = None
    model: str | None = None
    input_format: (
        Literal["conllu", "conllx", "columns", "threads", "compressions", "summaries", "text"]
        | None
    ) = None
    punctuation: bool = True
    subtypes: bool = True
    by: list[Literal["label", "length"]] = Field([], max_length=2)
    aligned: bool = False
    undirected: bool = False
    stem: bool = False
    words: Words = None
    jackknife: bool = False
    language: str | None = Field(None, pattern="^[a-z]{2}$")


class PredictRequest(Asked):
    """What any installed model makes of its inputs, in the format that it reads."""

    examples: ClassVar = [{"model": "threads", "text": '{"posts": [{"text": "Any sheep?"}]}\n'}]
    model: str
    text: str
