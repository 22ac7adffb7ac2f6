"""Searches on disk: one file with everything that a search needs to go on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.induce.relaxation._cuts import Cut
from treaty.induce.relaxation._incumbent import Answer
from treaty.induce.relaxation._search import Search, Stage
from treaty.induce.relaxation._simplex import STATUSES, Basis
from treaty.induce.relaxation._tree import Branch, Node, Path
from treaty.learn import ModelFile, load_model, save_model

__all__ = ["NAME", "load_search", "save_search"]

NAME = "relaxation.treaty"
TASK = "branch-and-bound"
Arrays = dict[str, npt.NDArray[Any]]


def save_search(search: Search, folder: FilePath, problem: dict[str, Any]) -> None:
    """Write a search; `problem` says what it is a search for. The file is replaced as a whole."""
    nodes = [node for _, _, node in sorted(search.open, key=lambda entry: entry[1])]
    if search.plunging is not None:
        nodes.append(search.plunging)
    answer = search.incumbent
    header = {
        "problem": problem,
        "nodes": search.nodes,
        "chosen": search.chosen,
        "plunging": search.plunging is not None,
        "closed": _finite_or_none(search.closed),
        "objective": None if answer is None else answer.objective,
        "seconds": search.seconds,
    }
    rows = np.array([tuple(moment) for moment in search.trace]).reshape(-1, len(Stage._fields))
    tensors = {
        **_pack_nodes(nodes),
        "heads": np.zeros(0, np.int32) if answer is None else answer.heads.astype(np.int32),
        "trace": np.where(np.isfinite(rows), rows, np.finfo(float).min).ravel(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    save_model(folder / NAME, task=TASK, header=header, tensors=tensors)


def load_search(search: Search, folder: FilePath, problem: dict[str, Any]) -> None:
    """Bring a fresh search for the same problem to where the one on disk stood."""
    file = load_model(folder / NAME, task=TASK)
    saved = file.value("problem", dict)
    for key, value in problem.items():
        if saved.get(key) != value:
            raise UsageError(f"{folder}: a search with other {key}; resume it with the same")
    nodes = _unpack_nodes(file)
    search.plunging = nodes.pop() if file.value("plunging", bool) and nodes else None
    for node in nodes:
        search.push(node)
    search.nodes, search.chosen = file.value("nodes", int), file.value("chosen", int)
    search.before = file.value("seconds", float)
    if file.header.get("closed") is not None:
        search.closed = file.value("closed", float)
    if file.header.get("objective") is not None:
        search.incumbent = Answer(file.value("objective", float), file.tensor("heads", np.int32))
    rows = file.tensor("trace", np.float64).reshape(-1, len(Stage._fields))
    rows = np.where(rows == np.finfo(float).min, -np.inf, rows)
    search.trace = [Stage(s, int(n), o, b, int(w)) for s, n, o, b, w in rows.tolist()]


def _finite_or_none(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _pack_nodes(nodes: list[Node]) -> Arrays:
    cuts = {id(cut): cut for node in nodes if node.basis for cut in node.basis.cuts}
    number = {key: i for i, key in enumerate(cuts)}
    bases = [node.basis for node in nodes]
    flat: Arrays = {
        "bound": np.array([node.bound for node in nodes], np.float64),
        "branch_column": np.array([node.branch.column for node in nodes], np.int64),
        "branch_below": np.array([node.branch.below for node in nodes], np.float64),
        "branch_above": np.array([node.branch.above for node in nodes], np.float64),
        "branch_above_first": np.array([node.branch.above_first for node in nodes], np.uint8),
        "has_basis": np.array([basis is not None for basis in bases], np.uint8),
        "cut_right": np.array([cut.right for cut in cuts.values()], np.float64),
    }
    flat |= _pack("path_column", [node.path.column for node in nodes], np.int32)
    flat |= _pack("path_is_upper", [node.path.is_upper for node in nodes], np.uint8)
    flat |= _pack("path_value", [node.path.value for node in nodes], np.float64)
    flat |= _pack("basis_columns", [b.columns for b in bases if b], np.int8)
    flat |= _pack("basis_rows", [b.rows for b in bases if b], np.int8)
    used = [np.array([number[id(cut)] for cut in b.cuts]) for b in bases if b]
    flat |= _pack("basis_cuts", used, np.int64)
    flat |= _pack("cut_column", [cut.column for cut in cuts.values()], np.int64)
    flat |= _pack("cut_probability", [cut.probability for cut in cuts.values()], np.float64)
    return flat


def _unpack_nodes(file: ModelFile) -> list[Node]:
    right = file.tensor("cut_right", np.float64).tolist()
    parts = zip(
        _unpack(file, "cut_column", np.int64),
        _unpack(file, "cut_probability", np.float64),
        right,
        strict=True,
    )
    cuts = [Cut(column, probability, own) for column, probability, own in parts]
    bases = iter(
        [
            Basis(columns, rows, tuple(cuts[i] for i in used.tolist()))
            for columns, rows, used in zip(
                _unpack(file, "basis_columns", np.int8),
                _unpack(file, "basis_rows", np.int8),
                _unpack(file, "basis_cuts", np.int64),
                strict=True,
            )
            if columns.max(initial=0) < len(STATUSES)
        ]
    )
    paths = [
        Path(column, is_upper.astype(np.bool_), value)
        for column, is_upper, value in zip(
            _unpack(file, "path_column", np.int32),
            _unpack(file, "path_is_upper", np.uint8),
            _unpack(file, "path_value", np.float64),
            strict=True,
        )
    ]
    branches = zip(
        file.tensor("branch_column", np.int64).tolist(),
        file.tensor("branch_below", np.float64).tolist(),
        file.tensor("branch_above", np.float64).tolist(),
        file.tensor("branch_above_first", np.uint8).tolist(),
        strict=True,
    )
    return [
        Node(bound, path, Branch(c, below, above, bool(first)), next(bases) if has else None)
        for bound, path, (c, below, above, first), has in zip(
            file.tensor("bound", np.float64).tolist(),
            paths,
            branches,
            file.tensor("has_basis", np.uint8).tolist(),
            strict=True,
        )
    ]


def _pack(name: str, parts: Iterable[npt.NDArray[Any]], kind: type[np.generic]) -> Arrays:
    """Lay lists end to end, with their sizes."""
    listed = [np.asarray(part, dtype=kind) for part in parts]
    together = np.concatenate(listed) if listed else np.zeros(0, kind)
    return {name: together, f"{name}_sizes": np.array([len(p) for p in listed], np.int64)}


def _unpack(file: ModelFile, name: str, kind: type[np.generic]) -> list[npt.NDArray[Any]]:
    sizes = file.tensor(f"{name}_sizes", np.int64)
    flat = file.tensor(name, kind)
    if np.any(sizes < 0) or sizes.sum() != len(flat):
        raise file.fault(f"{name}: lists that do not fit their sizes")
    return np.split(flat, np.cumsum(sizes)[:-1]) if len(sizes) else []
