"""The same work over many machines, on Dask (``pip install 'treaty[cluster]'``).

Nothing here is imported by other packages, and Dask is imported only when it is used.
"""

from treaty.cluster._columns import MappedModel, label, parse, predict
from treaty.cluster._connect import ClusterError, Connection, connect
from treaty.cluster._doctor import ClusterStatus, WorkerStatus, examine
from treaty.cluster._exact import solve
from treaty.cluster._folds import Trial, cross_validate, grid_search, jackknife
from treaty.cluster._gradients import lbfgs, train_likelihood
from treaty.cluster._induce import branch_and_bound
from treaty.cluster._maps import map_collections, map_graphs, map_sentences, map_texts
from treaty.cluster._mixing import train_mixed
from treaty.cluster._remote import remote_model

__all__ = [
    "ClusterError",
    "ClusterStatus",
    "Connection",
    "MappedModel",
    "Trial",
    "WorkerStatus",
    "branch_and_bound",
    "connect",
    "cross_validate",
    "examine",
    "grid_search",
    "jackknife",
    "label",
    "lbfgs",
    "map_collections",
    "map_graphs",
    "map_sentences",
    "map_texts",
    "parse",
    "predict",
    "remote_model",
    "solve",
    "train_likelihood",
    "train_mixed",
]
