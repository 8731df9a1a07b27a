"""Published values: ranges of codes as the texts of a release, and back.

There is one way to write a range and one way to read a text, and a text reads back to the range
that it was written for. Equal texts are therefore equal ranges, and the groups of a release can
be counted on its texts alone.

=============================  ========================================================
range                          text
=============================  ========================================================
a single value                 the value; nothing (None) for the missing value
everything                     the label of the root, ``*``
the values under a node        the node's label, or its edges: ``Artist``, ``[30-35)``
other numbers or dates         the tightest interval, ``[31-34)``: from the first value to a
                               step after the last
other categories               the set of them, ``{Dancer, Writer}``
=============================  ========================================================

A range that holds the missing value beside others has no text but the root's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unlinkable.errors import DataError, ParameterError, unknown
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.encoding import number
from unlinkable.tables.taxonomies.notation import (
    first_at,
    read_bound,
    read_bounds,
    read_plain,
    write_interval,
    write_set,
)
from unlinkable.tables.taxonomies.taxonomy import ANY, Edges, Level, Taxonomy
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["Texts", "covered_by", "read_ranges", "write_level", "write_ranges"]

Texts = Sequence[str | None] | NDArray[np.object_] | pl.Series
"""Published values, None for missing ones."""


def write_ranges(
    taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray, *, level_labels: bool = True
) -> NDArray[np.object_]:
    """Write ranges of codes as they are published.

    Parameters
    ----------
    taxonomy
        The values and their generalizations.
    lo, hi
        The ranges ``[lo, hi)``.
    level_labels
        Whether the values under a node are called by the node. Otherwise they are written as an
        interval or a set; everything is still ``*``.

    Returns
    -------
    NDArray[object]
        A text for each range, None for the missing value alone.

    Raises
    ------
    ParameterError
        If a range is empty, or holds the missing value beside some but not all other values.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> taxonomy = jobs.build(observe("job", ["Dancer"]))
    >>> write_ranges(taxonomy, np.array([2, 2, 1, 0]), np.array([3, 4, 3, 4])).tolist()
    ['Dancer', 'Artist', '{Lawyer, Dancer}', '*']
    """
    lo, hi = np.asarray(lo, np.int64), np.asarray(hi, np.int64)
    pairs, inverse = np.unique(lo * (taxonomy.n + 1) + hi, return_inverse=True)
    lo, hi = np.divmod(pairs, taxonomy.n + 1)
    _refuse_unwritable(taxonomy, lo, hi)
    texts = _write_distinct(taxonomy, lo, hi, level_labels)
    return texts[inverse]


def write_level(taxonomy: Taxonomy, level: int, codes: CodeArray) -> NDArray[np.object_]:
    """Write codes as their nodes on one level of the taxonomy.

    A node of a single value is called by its own label, not by the value: all records of a
    full-domain release are told with the same precision.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Intervals
    >>> from unlinkable.tables.taxonomies import observe
    >>> ages = Intervals(5, 10).build(observe("age", [31, 33, 47]))
    >>> write_level(ages, 1, np.array([0, 2])).tolist()
    ['[30-35)', '[45-50)']
    """
    codes = np.asarray(codes)
    nodes = taxonomy.levels[level]
    if level == taxonomy.height:
        return np.full(len(codes), taxonomy.root, object)
    if nodes.labels is None and nodes.edges is None:
        return write_ranges(taxonomy, nodes.lo[codes], nodes.hi[codes], level_labels=False)
    blocks, inverse = np.unique(nodes.blocks[codes], return_inverse=True)
    texts = np.empty(len(blocks), object)
    is_present = nodes.starts[blocks] != taxonomy.domain.missing
    texts[is_present] = node_texts(taxonomy.domain, nodes, blocks[is_present])
    return texts[inverse]


def read_ranges(
    taxonomy: Taxonomy, texts: Texts, *, column: str = "", may_skip: bool = False
) -> tuple[CodeArray, CodeArray]:
    """Read published texts as ranges of codes.

    Parameters
    ----------
    taxonomy
        The values and their generalizations.
    texts
        Published values. None is the missing value, and so is the empty text unless the domain
        has it as a value.
    column
        What the message calls the column if a text cannot be read.
    may_skip
        Whether a set may skip values between its members: a release lists no values that only
        records have that are suppressed. It then reads as the range from the first to the last.

    Raises
    ------
    DataError
        If a text is neither a value, a label, an interval nor a set of this taxonomy.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Intervals
    >>> from unlinkable.tables.taxonomies import observe
    >>> ages = Intervals(5, 10).build(observe("age", [31, 33, 47]))
    >>> lo, hi = read_ranges(ages, ["33", "[30-35)", "*"])
    >>> lo.tolist(), hi.tolist()
    ([1, 0, 0], [2, 2, 3])
    """
    numbered = number(as_series(texts))
    texts = numbered.observed.domain.values
    found = list(_read_distinct(taxonomy, texts, column, may_skip=may_skip))
    if numbered.observed.domain.has_missing:
        found.append(read_range(taxonomy, None, column))
    ranges = np.array(found, np.int32).reshape(-1, 2)[numbered.codes[numbered.numbers]]
    return ranges[:, 0], ranges[:, 1]


def _read_distinct(
    taxonomy: Taxonomy, texts: Iterable[str], column: str, *, may_skip: bool
) -> Iterator[tuple[int, int]]:
    """Read texts one by one; of many intervals, every end is looked up once."""
    domain, labels = taxonomy.domain, {taxonomy.root, *taxonomy.named}
    places: dict[str, int] = {}
    for text in texts:
        bounds = None if text in labels else read_bounds(domain.kind, text)
        ends = [end for end in bounds or () if end is not None]
        for end in ends:
            if end not in places:
                bound = read_bound(domain, end)
                places[end] = -1 if bound is None else first_at(domain, bound)
        if len(ends) == 2 and 0 <= places[ends[0]] < places[ends[1]]:
            yield places[ends[0]], places[ends[1]]
        else:
            yield read_range(taxonomy, text, column, may_skip=may_skip)


def as_series(texts: Texts) -> pl.Series:
    """Take published values as a column of texts."""
    if isinstance(texts, pl.Series):
        return texts.cast(pl.String)
    return pl.Series(list(texts), dtype=pl.String)


def read_range(
    taxonomy: Taxonomy, text: str | None, column: str = "", *, may_skip: bool = False
) -> tuple[int, int]:
    """Read one published text as a range of codes."""
    domain = taxonomy.domain
    if text is not None:
        if text in (taxonomy.root, ANY):
            return 0, taxonomy.n
        if text in taxonomy.named:
            level, node = taxonomy.named[text]
            starts = taxonomy.levels[level].starts
            return int(starts[node]), int(starts[node + 1])
        if plain := read_plain(domain, text, may_skip=may_skip):
            return plain
    if not text and domain.has_missing:
        return domain.missing, domain.missing + 1
    where = f"column {column!r}: " if column else ""
    if not text:
        raise DataError(f"{where}a value is missing, and no value was missing when it was made")
    known = [*taxonomy.named, *(domain.values.tolist() if domain.kind is Kind.CATEGORY else ())]
    what = unknown("published value", text, known) if known else f"cannot read {text!r}"
    raise DataError(f"{where}{what}: it is no value, label, interval or set of its taxonomy")


def node_texts(domain: Domain, nodes: Level, blocks: CodeArray) -> list[str]:
    """Write some nodes of a level that has labels or edges, none of them the missing value's."""
    if nodes.labels is not None:
        return [nodes.labels[block] for block in blocks.tolist()]
    assert nodes.edges is not None
    return [_write_edges(domain, nodes.edges, block) for block in blocks.tolist()]


def _write_edges(domain: Domain, edges: Edges, block: int) -> str:
    is_first, is_last = block == 0, block == len(edges.lower) - 1
    lower = None if is_first and edges.open_below else domain.text_of(edges.lower[block])
    upper = None if is_last and edges.open_above else domain.text_of(edges.upper[block])
    return write_interval(lower, upper)


def _refuse_unwritable(taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> None:
    if (hi <= lo).any():
        raise ParameterError("a range of codes is empty: there is nothing to write")
    if (taxonomy.mixes_missing(lo, hi) & (lo > 0)).any():
        raise ParameterError(
            "a range holds the missing value beside some of the others: widen it to everything"
        )


def _write_distinct(
    taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray, level_labels: bool
) -> NDArray[np.object_]:
    domain = taxonomy.domain
    texts = np.empty(len(lo), object)
    is_single = hi - lo == 1
    is_value = is_single & (lo != domain.missing)
    texts[is_value] = [domain.text(code) for code in lo[is_value].tolist()]
    is_root = ~is_single & (lo == 0) & (hi == taxonomy.n)
    texts[is_root] = taxonomy.root
    is_open = ~is_single & ~is_root
    for nodes in taxonomy.levels[1:-1] if level_labels else ():
        if nodes.labels is None and nodes.edges is None:
            continue
        at = np.flatnonzero(is_open & _is_node(nodes, lo, hi))
        texts[at] = node_texts(domain, nodes, nodes.blocks[lo[at]])
        is_open[at] = False
    for i in np.flatnonzero(is_open):
        texts[i] = _write_range(domain, int(lo[i]), int(hi[i]))
    return texts


def _is_node(nodes: Level, lo: CodeArray, hi: CodeArray) -> BoolArray:
    block = nodes.blocks[lo]
    matches: BoolArray = (nodes.starts[block] == lo) & (nodes.starts[block + 1] == hi)
    return matches


def _write_range(domain: Domain, lo: int, hi: int) -> str:
    if domain.kind is Kind.CATEGORY:
        return write_set(domain.values[lo:hi].tolist())
    return write_interval(domain.text(lo), domain.text_after(hi - 1))


_NOTHING = (0, 0)
"""A published value that no value of the other table can have come from."""


def covered_by(
    taxonomy: Taxonomy, texts: Sequence[str | None], domain: Domain
) -> tuple[CodeArray, CodeArray]:
    """Find which numbers or dates of another table each published text covers.

    An interval covers whatever lies between its ends, also numbers that did not occur when it was
    made; a node covers what its rule says, or what lies between the first and the last of
    its values. A text that covers nothing gets an empty range.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Intervals
    >>> from unlinkable.tables.taxonomies import Kind, observe
    >>> ages = Intervals(10).build(observe("age", [31, 36, 42]))
    >>> other = Domain(Kind.NUMBER, np.array([33, 39, 42]))
    >>> lo, hi = covered_by(ages, ["[30-40)", "[31-37)", "42", "36", "*"], other)
    >>> list(zip(lo.tolist(), hi.tolist()))
    [(0, 2), (0, 1), (2, 3), (0, 0), (0, 3)]
    """
    distinct = {text: _covered(taxonomy, text, domain) for text in dict.fromkeys(texts)}
    ranges = np.array([distinct[text] for text in texts], np.int32).reshape(-1, 2)
    return ranges[:, 0], ranges[:, 1]


def _covered(taxonomy: Taxonomy, text: str | None, domain: Domain) -> tuple[int, int]:
    assert domain.kind is not Kind.CATEGORY
    if text is None:
        return (domain.missing, domain.n) if domain.has_missing else _NOTHING
    if text in (taxonomy.root, ANY):
        return 0, domain.n
    if text not in taxonomy.named:
        return read_plain(domain, text) or _NOTHING
    i, node = taxonomy.named[text]
    level = taxonomy.levels[i]
    if level.edges is not None:
        edges = level.edges
        is_first, is_last = node == 0, node == len(edges.lower) - 1
        lo = 0 if is_first and edges.open_below else first_at(domain, edges.lower[node])
        is_open = is_last and edges.open_above
        return lo, domain.n_present if is_open else first_at(domain, edges.upper[node])
    values = taxonomy.domain.values
    first, last = values[level.starts[node]], values[level.starts[node + 1] - 1]
    return first_at(domain, first), first_at(domain, last + taxonomy.domain.unit)
