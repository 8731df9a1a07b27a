"""The public view of a taxonomy: what the published texts say of it, and nothing else.

A taxonomy lists all values of a column: also those that only occur in suppressed records, and those
that a release hides behind a label. Recipients need less: how the published texts lie to each
other, and what the labels above them are. The public view is a taxonomy of its own, made of

- the published values, and the labels that are published or lie above something published;
- for numbers and dates, the ends of published intervals and the edges of those labels;
- one nameless rest (``other Artist``) where a published label holds more than what is published
  of it, so that a part is not taken for the whole.

What it does not have is any value that is not published, the number of values under a label, and
the bounds of unpublished nodes that were cut by the data. Nodes without a name were made from the
records, also of those that are suppressed: they are told if they are published themselves. Where
``*`` is published, it can be seen whether there is any value between two published ones.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.tables.taxonomies.builders.base import Step, number_runs, stack
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.notation import read_bound, read_bounds, write_interval
from unlinkable.tables.taxonomies.published_values import Texts, as_series, node_texts, read_range
from unlinkable.tables.taxonomies.taxonomy import ANY, Level, Taxonomy
from unlinkable.typing import BoolArray

__all__ = ["PublishedText", "ends_of", "given_away", "nodes_above", "public_view"]


@define(frozen=True)
class _Atom:
    """A range of codes that no published text divides; its text if it is one, else None."""

    lo: int
    hi: int
    level: int
    owner: str
    text: str | None


def public_view(
    taxonomy: Taxonomy,
    texts: Texts,
    *,
    column: str = "",
) -> Taxonomy:
    """Make the taxonomy that recipients may see, from what is published.

    Every published text can be read with it, and the ranges that are read lie to each other as the
    original ones do: equal, apart, one within the other, or overlapping.

    Raises
    ------
    DataError
        If a text is not one of the taxonomy's.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> taxonomy = jobs.build(observe("job", ["Dancer"]))
    >>> public_view(taxonomy, ["Artist", "Dancer"]).domain.values.tolist()
    ['Dancer', 'other Artist']
    """
    domain = taxonomy.domain
    given, has_missing, has_root = given_away(taxonomy, texts, column)
    nodes = nodes_above(taxonomy, given)
    ends = ends_of(taxonomy, given, nodes)
    if has_root:
        ends = {0: [], domain.n_present: []} | ends
    atoms = _atoms(taxonomy, given, nodes, sorted(ends), has_root)
    if domain.kind is Kind.CATEGORY:
        atoms = _one_rest_each(atoms)
        names = _names(atoms, taxonomy)
        values = np.array(names, dtype=object)
    else:
        values = _first_values(domain, atoms, ends)
        names = _interval_names(domain, atoms, values)
    view = Domain(domain.kind, values, has_missing)
    published = {(g.lo, g.hi) for g in given}
    return stack(column, view, _steps(taxonomy, atoms, names, published), taxonomy.root)


def _atoms(
    taxonomy: Taxonomy,
    given: Sequence[PublishedText],
    nodes: Sequence[BoolArray],
    ends: Sequence[int],
    has_root: bool,
) -> list[_Atom]:
    """Give the ranges between neighbouring ends that something published holds."""
    exact: dict[tuple[int, int], PublishedText] = {}
    for g in sorted(given, key=lambda g: g.level):
        exact.setdefault((g.lo, g.hi), g)
    labels = {taxonomy.named[g.text]: g.text for g in given if g.text in taxonomy.named}
    n_around = np.zeros(taxonomy.n + 1, np.int64)
    for g in given:
        n_around[g.lo] += 1
        n_around[g.hi] -= 1
    is_held = np.cumsum(n_around) > 0
    atoms = []
    for lo, hi in pairwise(ends):
        if found := exact.get((lo, hi)):
            atoms.append(_Atom(lo, hi, found.level, found.text, found.text))
        elif is_held[lo] or has_root:
            around = [n for n in _around(taxonomy, lo, hi) if nodes[n[0]][n[1]]]
            owner = next((labels[n] for n in around if n in labels), taxonomy.root)
            level = around[0][0] if around else taxonomy.height
            atoms.append(_Atom(lo, hi, level, owner, None))
    return atoms


def _around(taxonomy: Taxonomy, lo: int, hi: int) -> Iterator[tuple[int, int]]:
    """Give level and number of the nodes below the root that hold a range, from the lowest on."""
    for i in range(1, taxonomy.height):
        blocks = taxonomy.levels[i].blocks
        if blocks[lo] == blocks[hi - 1]:
            yield i, int(blocks[lo])


def _one_rest_each(atoms: Sequence[_Atom]) -> list[_Atom]:
    """Keep one nameless part of every text, under no smaller node if that can be."""
    rests: dict[str, _Atom] = {}
    for atom in atoms:
        best = rests.get(atom.owner)
        if atom.text is None and (best is None or atom.level > best.level):
            rests[atom.owner] = atom
    return [atom for atom in atoms if atom.text is not None or rests[atom.owner] is atom]


def _names(atoms: Sequence[_Atom], taxonomy: Taxonomy) -> list[str]:
    """Name categories by their text, and a rest after what it is the rest of."""
    taken = {atom.text for atom in atoms} | set(taxonomy.named) | {taxonomy.root}
    names = []
    for atom in atoms:
        name = atom.text if atom.text is not None else f"other {atom.owner}"
        while atom.text is None and name in taken:
            name = f"other {name}"
        taken.add(name)
        names.append(name)
    return names


def _first_values(
    domain: Domain, atoms: Sequence[_Atom], ends: Mapping[int, Sequence[Any]]
) -> NDArray[Any]:
    """Give every range of numbers or dates a value: the last end before its own values.

    All ends are then read as before: those of a range come after the value of the one before.
    """
    known = [bound for bounds in ends.values() for bound in bounds]
    if domain.kind is Kind.DATE:
        below = min(known, default=np.datetime64(0, "D")) - np.timedelta64(1, "D")
        dtype: Any = domain.values.dtype
    elif domain.values.dtype.kind in "iu" and all(isinstance(bound, int) for bound in known):
        below, dtype = min(known, default=0) - 1, domain.values.dtype
        below = max(below, 0) if dtype.kind == "u" else below
    else:
        least = float(min(known, default=0))
        below, dtype = min(least - 1, float(np.nextafter(least, -np.inf))), np.float64
    return np.array([max(ends[atom.lo], default=below) for atom in atoms], dtype=dtype)


def _interval_names(domain: Domain, atoms: Sequence[_Atom], values: NDArray[Any]) -> list[str]:
    """Name ranges of numbers or dates by their text, and a rest by its interval."""
    view = Domain(domain.kind, values)
    uppers = [view.text(code) for code in range(1, len(atoms))]
    uppers += [view.text_after(len(atoms) - 1)] if atoms else []
    return [
        atom.text if atom.text is not None else write_interval(view.text(code), uppers[code])
        for code, atom in enumerate(atoms)
    ]


def _steps(
    taxonomy: Taxonomy,
    atoms: Sequence[_Atom],
    names: Sequence[str],
    published: Container[tuple[int, int]],
) -> list[Step]:
    """Restrict every level to the atoms; below its own level an atom stays what it is.

    The nodes that an atom lies under from its level on are cut out of all other atoms
    (`ends_of`), so that they hold whole atoms only.
    """
    lo = np.array([a.lo for a in atoms], np.int64)
    lowest = np.array([a.level for a in atoms], np.int64)
    labels: list[str | None] = list(names)
    together = np.arange(len(atoms))
    steps = []
    for i, level in enumerate(taxonomy.levels[1:-1], start=1):
        node = level.blocks[lo]
        is_told = lowest <= i
        has_names = level.labels is not None or level.edges is not None
        if not has_names:
            lower, upper = level.starts[node], np.append(level.starts, taxonomy.n)[node + 1]
            ranges = zip(lower.tolist(), upper.tolist(), strict=True)
            is_told &= np.fromiter((r in published for r in ranges), bool, len(atoms))
        for j in np.flatnonzero(is_told):
            named = node_texts(taxonomy.domain, level, node[j : j + 1]) if has_names else [None]
            labels[j] = named[0]
        # What is not told on this level stays together as it was below.
        together = np.where(is_told, len(atoms) + i * taxonomy.n + node, together)
        blocks = number_runs(together)
        told = [labels[j] for j in np.flatnonzero(np.diff(blocks, prepend=-1))]
        known = tuple(label for label in told if label is not None)
        steps.append(Step(blocks, known if has_names and len(known) == len(told) else None))
    return steps


Bounds = tuple[Any, Any]
"""Where a range of numbers or dates begins and ends; None if it is open there."""


@define(frozen=True)
class PublishedText:
    """A published text.

    Attributes
    ----------
    text
        As it is published.
    lo, hi
        Its range of codes.
    level
        The lowest level of the taxonomy that it gives away.
    bounds
        Its ends, if it is about numbers or dates.
    """

    text: str
    lo: int
    hi: int
    level: int
    bounds: Bounds = (None, None)


def given_away(
    taxonomy: Taxonomy, texts: Texts, column: str
) -> tuple[list[PublishedText], bool, bool]:
    """Read published texts; also say whether the missing value and the root are among them."""
    given: list[PublishedText] = []
    has_missing = has_root = False
    for text in as_series(texts).unique(maintain_order=True).to_list():
        lo, hi = read_range(taxonomy, text, column)
        if text in (ANY, taxonomy.root):
            has_root = True
        elif lo == taxonomy.domain.missing:
            has_missing = True
        else:
            given += _given(taxonomy, text, lo, hi)
    return given, has_missing, has_root


def nodes_above(taxonomy: Taxonomy, given: Sequence[PublishedText]) -> list[BoolArray]:
    """Mark on every level the nodes that something published lies under."""
    marks = [np.zeros(level.n_nodes, bool) for level in taxonomy.levels]
    lo = np.array([g.lo for g in given], np.int32)
    hi = np.array([g.hi for g in given], np.int32)
    lowest = np.maximum([g.level for g in given], taxonomy.cover(lo, hi)) if given else lo
    for i in range(1, taxonomy.height):
        marks[i][taxonomy.levels[i].blocks[lo[lowest <= i]]] = True
    return marks


def ends_of(
    taxonomy: Taxonomy, given: Sequence[PublishedText], nodes: Sequence[BoolArray]
) -> dict[int, list[Any]]:
    """Give the codes where something published, or a labelled node above it, begins or ends.

    With each code come the published ends and edges that lie at or before its value and after the
    value of the code before: none for categories, and where a range is open.
    """
    ranges = [(g.lo, g.hi, g.bounds) for g in given]
    for level, marks in zip(taxonomy.levels[1:-1], nodes[1:], strict=False):
        if level.labels is None and level.edges is None:
            continue
        for node in np.flatnonzero(marks).tolist():
            bounds = _node_bounds(taxonomy.domain, level, node)
            ranges.append((int(level.starts[node]), int(level.starts[node + 1]), bounds))
    ends: dict[int, list[Any]] = {}
    for lo, hi, bounds in ranges:
        for code, bound in zip((lo, hi), bounds, strict=True):
            ends.setdefault(code, []).extend([] if bound is None else [bound])
    return ends


def _given(taxonomy: Taxonomy, text: str, lo: int, hi: int) -> list[PublishedText]:
    """State what a published text discloses; a set discloses each of its members."""
    domain = taxonomy.domain
    if text in taxonomy.named:
        level, node = taxonomy.named[text]
        return [
            PublishedText(text, lo, hi, level, _node_bounds(domain, taxonomy.levels[level], node))
        ]
    if domain.kind is Kind.CATEGORY:
        return [PublishedText(domain.text(code), code, code + 1, 0) for code in range(lo, hi)]
    ends = read_bounds(domain.kind, text)
    if ends is None:
        return [PublishedText(text, lo, hi, 0, _value_bounds(domain, lo, hi))]
    lower, upper = (None if end is None else read_bound(domain, end) for end in ends)
    return [PublishedText(text, lo, hi, _level_of(taxonomy, text, lo, hi), (lower, upper))]


def _level_of(taxonomy: Taxonomy, text: str, lo: int, hi: int) -> int:
    """Find the lowest level that calls a node by this interval, or has a node that covers it."""
    for i, level in enumerate(taxonomy.levels[1:-1], start=1):
        if level.edges is None or level.labels is not None:
            continue
        node = level.blocks[lo : lo + 1]
        if level.starts[node[0]] == lo and node_texts(taxonomy.domain, level, node) == [text]:
            return i
    return int(taxonomy.cover(np.array([lo]), np.array([hi]))[0])


def _value_bounds(domain: Domain, lo: int, hi: int) -> Bounds:
    first = domain.values[lo]
    after = read_bound(domain, domain.text_after(hi - 1))
    return (first if domain.kind is Kind.DATE else first.item()), after


def _node_bounds(domain: Domain, level: Level, node: int) -> Bounds:
    if domain.kind is Kind.CATEGORY:
        return None, None
    if (edges := level.edges) is None:
        # Labels without edges come from a taxonomy that was given with all its values.
        return _value_bounds(domain, int(level.starts[node]), int(level.starts[node + 1]))
    is_open = node == 0 and edges.open_below, node == len(edges.upper) - 1 and edges.open_above
    ends = edges.lower[node], edges.upper[node]
    if domain.kind is Kind.NUMBER:
        ends = ends[0].item(), ends[1].item()
    return None if is_open[0] else ends[0], None if is_open[1] else ends[1]
