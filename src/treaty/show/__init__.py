"""Display of results: terminal tables, trees, text for other programs, and plots."""

from treaty.show._bounds import plot_bounds
from treaty.show._compression_scores import compressions_json, compressions_text
from treaty.show._convergence import check_plot, plot_convergence
from treaty.show._document import document_html
from treaty.show._entities import (
    entities_columns,
    entities_html,
    entities_json,
    entities_terminal,
)
from treaty.show._induced import induced_record, induced_text
from treaty.show._link_scores import links_json, links_text
from treaty.show._models import (
    model_record,
    model_text,
    models_text,
    score_text,
    scores_line,
)
from treaty.show._plain import as_csv, as_json, as_text, as_uai
from treaty.show._rouge_scores import rouge_json, rouge_text
from treaty.show._scores import Scores, scores_json, scores_text
from treaty.show._several import (
    marginals_json,
    marginals_text,
    marginals_uai,
    max_marginals_json,
    max_marginals_text,
)
from treaty.show._span_scores import spans_json, spans_text
from treaty.show._summary import (
    compressed_json,
    cuts_terminal,
    cuts_text,
    summary_html,
    summary_json,
    summary_note,
)
from treaty.show._table import certificate, rendered, solution_table
from treaty.show._thread_svg import thread_svg
from treaty.show._thread_text import thread_text
from treaty.show._tree_svg import tree_svg, trees_html
from treaty.show._tree_text import tree_text

__all__ = [
    "Scores",
    "as_csv",
    "as_json",
    "as_text",
    "as_uai",
    "certificate",
    "check_plot",
    "compressed_json",
    "compressions_json",
    "compressions_text",
    "cuts_terminal",
    "cuts_text",
    "document_html",
    "entities_columns",
    "entities_html",
    "entities_json",
    "entities_terminal",
    "induced_record",
    "induced_text",
    "links_json",
    "links_text",
    "marginals_json",
    "marginals_text",
    "marginals_uai",
    "max_marginals_json",
    "max_marginals_text",
    "model_record",
    "model_text",
    "models_text",
    "plot_bounds",
    "plot_convergence",
    "rendered",
    "rouge_json",
    "rouge_text",
    "score_text",
    "scores_json",
    "scores_line",
    "scores_text",
    "solution_table",
    "spans_json",
    "spans_text",
    "summary_html",
    "summary_json",
    "summary_note",
    "thread_svg",
    "thread_text",
    "tree_svg",
    "tree_text",
    "trees_html",
]
