"""Paths: a taxonomy written out, every value with the labels on its way to the root.

This is what hierarchy files and nested tables come to. The values of the taxonomy are all that are
listed, whether they occur or not: a measure of loss asks out of how many values one was told.

Numbers and dates keep their own order, and intervals of them keep their meaning, if every node
holds neighbours. If one does not (a node for 1 and 3 without 2), they are taken as categories in
the order of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import define, evolve
from numpy.typing import NDArray

from unlinkable.errors import TaxonomyError, unknown
from unlinkable.tables.taxonomies.builders.base import Observed, Step, named, number_runs, stack
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.notation import read_value
from unlinkable.tables.taxonomies.taxonomy import ANY, Taxonomy
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["Path", "Paths", "grow"]


@define(frozen=True)
class Path:
    """A value, the labels above it without the root's, and the line it was read from."""

    value: str
    labels: tuple[str, ...]
    line: int | None = None

    @property
    def where(self) -> str:
        """The line, for messages."""
        return "" if self.line is None else f" (line {self.line})"


@define(frozen=True)
class Paths:
    """All paths of a taxonomy, of the same length.

    Attributes
    ----------
    paths
        In the order in which they were written.
    root
        What the root is called.
    source
        Where they come from, for messages: a file, or ``the tree``.
    """

    paths: Sequence[Path]
    root: str = ANY
    source: str = "the tree"


def grow(observed: Observed, written: Paths) -> Taxonomy:
    """Make a taxonomy from paths, after making sure that they are a tree with all values.

    A value that is listed twice with the same labels counts once.

    Raises
    ------
    TaxonomyError
        If a value stands in two branches, a label has two parents or two meanings, a value is not
        of the column's kind, or a value of the column is not listed.
    """
    if not observed.domain.n_present:
        # A column without values has no kind: the taxonomy's texts are as good as any.
        empty = Domain(Kind.CATEGORY, np.empty(0, object), observed.domain.has_missing)
        observed = evolve(observed, domain=empty)
    values = _read_values(observed, written)
    paths, values = _distinct(observed, written, values)
    _refuse_two_parents(observed, written, paths)
    nodes = _number_labels(paths)
    order, kind = _order(observed.domain.kind, values, nodes)
    if kind is Kind.CATEGORY:
        texts = [observed.domain.text_of(v) for v in values]
        values = np.array(texts, dtype=object)
    domain = Domain(kind, values[order], observed.domain.has_missing)
    _refuse_unlisted(observed, written, domain)
    ordered = [paths[i] for i in order]
    blocks = [number_runs(of_path[order]) for of_path in nodes]
    steps = [Step(b, _labels(b, ordered, i)) for i, b in enumerate(blocks)]
    _refuse_two_extents(observed, written, domain, ordered, blocks)
    return stack(observed.name, domain, steps, written.root)


def listed_values(taxonomy: Taxonomy) -> BoolArray:
    """Find which values of such a taxonomy its paths list: all but the missing one."""
    is_listed: BoolArray = np.arange(taxonomy.n) != taxonomy.domain.missing
    return is_listed


def _read_values(observed: Observed, written: Paths) -> NDArray[Any]:
    """Read the values as the column has them: texts, numbers or dates."""
    texts = [path.value for path in written.paths]
    kind = observed.domain.kind
    if kind is Kind.CATEGORY:
        return np.array(texts, dtype=object)
    is_days = kind is Kind.DATE and np.datetime_data(observed.domain.values.dtype)[0] != "us"
    values = []
    for path in written.paths:
        text = path.value
        if kind is Kind.DATE and not is_days and "T" not in text and " " not in text:
            text = f"{text}T00:00:00"
        value = read_value(observed.domain, text)
        if value is None:
            raise TaxonomyError(
                f"{path.value!r} in {written.source}{path.where} is no {kind.value}, and column "
                f"{observed.name!r} holds {kind.value}s: remove it, or turn the column into text"
            )
        values.append(value)
    if kind is Kind.DATE:
        return np.array(values, dtype="datetime64[D]" if is_days else "datetime64[us]")
    return np.array(values, np.int64 if all(isinstance(v, int) for v in values) else np.float64)


def _distinct(
    observed: Observed, written: Paths, values: NDArray[Any]
) -> tuple[list[Path], NDArray[Any]]:
    """Keep the first path of every value; refuse a value that has two different ones."""
    first: dict[object, int] = {}
    torn: dict[object, tuple[Path, Path]] = {}
    for i, (value, path) in enumerate(zip(values.tolist(), written.paths, strict=True)):
        before = written.paths[first.setdefault(value, i)]
        if before.labels != path.labels:
            torn.setdefault(value, (before, path))
    if torn:
        one, other = next(iter(torn.values()))
        also = [both[0].value for both in torn.values()][1:]
        raise TaxonomyError(
            f"the value {one.value!r} of column {observed.name!r} stands in two branches of "
            f"{written.source}: under {_route(one)}{one.where} and under {_route(other)}"
            f"{other.where}{f'; so does {named(also)}' if also else ''}: keep one place for each"
        )
    kept = np.fromiter(first.values(), np.intp, len(first))
    return [written.paths[i] for i in kept], values[kept]


def _route(path: Path) -> str:
    return " < ".join(map(repr, path.labels))


def _refuse_two_parents(observed: Observed, written: Paths, paths: Sequence[Path]) -> None:
    """Refuse a label that lies under two others of the next level."""
    above: dict[tuple[int, str], Path] = {}
    for path in paths:
        for i, (label, parent) in enumerate(zip(path.labels, path.labels[1:], strict=False)):
            before = above.setdefault((i, label), path)
            if before.labels[i + 1] != parent:
                raise TaxonomyError(
                    f"the label {label!r} on level {i + 1} of column {observed.name!r} has two "
                    f"parents in {written.source}: {before.labels[i + 1]!r}{before.where} and "
                    f"{parent!r}{path.where}: give the two nodes different labels"
                )


def _number_labels(paths: Sequence[Path]) -> list[CodeArray]:
    """Number the nodes of every level in the order in which they appear."""
    nodes = []
    for i in range(len(paths[0].labels)):
        numbers: dict[str, int] = {}
        of_path = (numbers.setdefault(path.labels[i], len(numbers)) for path in paths)
        nodes.append(np.fromiter(of_path, np.int32, len(paths)))
    return nodes


def _labels(blocks: CodeArray, ordered: Sequence[Path], level: int) -> tuple[str, ...]:
    first = np.flatnonzero(np.diff(blocks, prepend=-1))
    return tuple(ordered[i].labels[level] for i in first.tolist())


def _refuse_two_extents(
    observed: Observed,
    written: Paths,
    domain: Domain,
    ordered: Sequence[Path],
    blocks: Sequence[CodeArray],
) -> None:
    """Refuse a label that stands for different values on different levels."""
    seen = {domain.text(c): (c, c + 1, 0, ordered[c]) for c in range(len(ordered))}
    seen[written.root] = (0, len(ordered), len(blocks) + 1, ordered[0])
    for i, of_code in enumerate(blocks):
        starts = np.append(np.flatnonzero(np.diff(of_code, prepend=-1)), len(ordered)).tolist()
        for lo, hi in pairwise(starts):
            label = ordered[lo].labels[i]
            before = seen.setdefault(label, (lo, hi, i + 1, ordered[lo]))
            if before[:2] != (lo, hi):
                raise TaxonomyError(
                    f"the label {label!r} of column {observed.name!r} stands for "
                    f"{before[1] - before[0]} values on level {before[2]}{before[3].where} and for "
                    f"{hi - lo} on level {i + 1}{ordered[lo].where} of {written.source}: give them "
                    "different labels"
                )


def _order(
    kind: Kind, values: NDArray[Any], nodes: Sequence[CodeArray]
) -> tuple[NDArray[np.intp], Kind]:
    """Order the values so that every node holds neighbours: by themselves, or by the tree."""
    if kind is not Kind.CATEGORY:
        order = np.argsort(values, kind="stable")
        if all(number_runs(node[order])[-1] == node.max() for node in nodes):
            return order, kind
    keys: list[CodeArray] = [np.arange(len(values), dtype=np.int32), *nodes]
    return np.lexsort(keys), Kind.CATEGORY


def _refuse_unlisted(observed: Observed, written: Paths, domain: Domain) -> None:
    found = domain.find(observed.domain)[: observed.domain.n_present]
    if (lacking := np.flatnonzero(found < 0)).size == 0:
        return
    texts = [observed.domain.text(code) for code in lacking.tolist()]
    known = [domain.text(code) for code in range(min(domain.n_present, 10_000))]
    more = f"; it lacks {len(texts)} values in all: {named(texts)}" if len(texts) > 1 else ""
    raise TaxonomyError(
        f"{unknown('value', texts[0], known)} in {written.source}, and column {observed.name!r} "
        f"has it{more}: add it there, or correct it in the column"
    )
