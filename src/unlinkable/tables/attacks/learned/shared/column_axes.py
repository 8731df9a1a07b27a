"""Axes: a column of a release and of other tables, in one numbering of values.

A release shows ranges and labels, or values that nobody has; people have values that no release may
show. To hold one against the other, all of them are placed on one axis: whatever a record shows is
a range of codes, and two records may be the same person only if their ranges meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.tables.attacks.base.target import Target, Truth
from unlinkable.tables.data import Frame
from unlinkable.tables.taxonomies import (
    ANY,
    Attribute,
    Domain,
    Kind,
    Level,
    Numbered,
    Taxonomy,
    number,
    read_bounds,
    read_set,
    read_value,
)
from unlinkable.typing import CodeArray, Columns, FloatArray

__all__ = ["EVERYTHING", "Axis", "is_understood", "meanings", "read_axes", "span", "spans_of"]


@define(eq=False, frozen=True)
class Axis:
    """A column of several tables.

    Attributes
    ----------
    attribute
        Its name, and the values of all tables with their generalizations.
    lo, hi
        For every table, the codes ``[lo, hi)`` that each of its records shows. An interval of
        numbers that nobody has may be empty.

    Examples
    --------
    >>> import polars as pl
    >>> told, people = pl.DataFrame({"age": ["[30-35)", "*"]}), pl.DataFrame({"age": [34, 50]})
    >>> (age,) = read_axes(("age",), [told, people], {})
    >>> age.attribute.taxonomy.domain.values.tolist()
    [30.0, 34.0, 50.0]
    >>> age.lo[0].tolist(), age.hi[0].tolist(), age.lo[1].tolist()
    ([0, 0], [2, 3], [1, 2])
    """

    attribute: Attribute
    lo: tuple[CodeArray, ...]
    hi: tuple[CodeArray, ...]

    @property
    def is_ordered(self) -> bool:
        """Whether it has numbers or dates."""
        return self.attribute.taxonomy.domain.kind is not Kind.CATEGORY

    def places(self, table: int) -> tuple[FloatArray, FloatArray]:
        """Give the first and the last place of what the records of a table show.

        Numbers lie from 0, the least, to 1, the greatest; categories lie 1 apart, and a missing
        value lies 1 away from all others. An empty range ends 1 before it begins.
        """
        domain = self.attribute.taxonomy.domain
        if self.is_ordered:
            places = domain.as_numbers()
            least, greatest = (places[0], places[-1]) if places.size else (0.0, 0.0)
            places = np.append((places - least) / ((greatest - least) or 1.0), 2.0)
        else:
            places = np.arange(domain.n + 1, dtype=float)
        lo, hi = self.lo[table], self.hi[table]
        first = places[np.minimum(lo, places.size - 1)]
        return first, np.where(hi > lo, places[np.maximum(hi - 1, 0)], first - 1.0)


def meanings(
    target: Target, columns: Columns, truth: Truth | None = None, people: Frame | None = None
) -> dict[str, Taxonomy]:
    """Find out what the texts of columns mean.

    The original knows best. Without it, whatever rule generalized a column is applied to the values
    of ``people``; otherwise texts mean what recipients are told.
    """
    known: dict[str, Taxonomy] = {}
    for name in columns:
        if truth is not None and name in truth.table.schema.names:
            known[name] = truth.table.taxonomy(name)
        elif people is not None and name in target.builders and name in people.columns:
            known[name] = target.builders[name].build(number(people.get_column(name)).observed)
        elif name in target.taxonomies:
            known[name] = target.taxonomies[name]
    return known


def read_axes(
    columns: Columns, tables: Sequence[Frame], known: Mapping[str, Taxonomy]
) -> tuple[Axis, ...]:
    """Place columns of several tables on axes.

    A text means what its taxonomy says, or a value, an interval or a set as releases write them.
    Texts of numbers are read as numbers where all of a column's are. In a column of numbers, a text
    that means none tells nothing: it could be any of them.
    """
    return tuple(_read_axis(name, tables, known.get(name)) for name in columns)


def _read_axis(name: str, tables: Sequence[Frame], taxonomy: Taxonomy | None) -> Axis:
    numbered = [number(table.get_column(name)) for table in tables]
    kind = _kind([n.observed.domain for n in numbered], taxonomy)
    read = _read_categories if kind is Kind.CATEGORY else _read_numbers
    joint, ranges = read(numbered, taxonomy, kind)
    rows = [r[n.codes[n.numbers]] for r, n in zip(ranges, numbered, strict=True)]
    los, his = (tuple(np.ascontiguousarray(r[:, side]) for r in rows) for side in (0, 1))
    return Axis(Attribute(name, joint), los, his)


def _kind(domains: Sequence[Domain], taxonomy: Taxonomy | None) -> Kind:
    if taxonomy is not None:
        return taxonomy.domain.kind
    own = {domain.kind for domain in domains} - {Kind.CATEGORY}
    if len(own) == 1:
        return own.pop()
    texts = [t for d in domains for t in d.values if t != ANY] if not own else []
    if texts and not any(_is_numeral(text) for text in texts):
        for kind in (Kind.NUMBER, Kind.DATE):
            if all(span(text, kind, None) is not EVERYTHING for text in texts):
                return kind
    return Kind.CATEGORY


def _is_numeral(text: str) -> bool:
    """Whether a text is written in digits and is no number: 01234 is a zip code."""
    return len(text) > 1 and text.startswith("0") and text.isdigit()


def _read_numbers(
    columns: Sequence[Numbered], taxonomy: Taxonomy | None, kind: Kind
) -> tuple[Taxonomy, list[CodeArray]]:
    """Read distinct values as ranges of one domain: all single numbers, and where ranges begin."""
    spans = [spans_of(column.observed.domain, taxonomy, kind) for column in columns]
    ends = np.concatenate([s[:, 0][(s[:, 2] < 2) & np.isfinite(s[:, 0])] for s in spans])
    values = np.unique(ends)
    has_missing = any(column.observed.domain.has_missing for column in columns)
    domain = Domain(Kind.NUMBER, values, has_missing)
    ranges = []
    for s in spans:
        lo = np.searchsorted(values, s[:, 0])
        hi = np.where(s[:, 2] == 1, lo + 1, np.searchsorted(values, s[:, 1]))
        hi[np.isposinf(s[:, 1])] = values.size
        hi[np.isinf(s[:, :2]).all(axis=1)] = domain.n
        lo[s[:, 2] == 2], hi[s[:, 2] == 2] = values.size, domain.n
        ranges.append(np.column_stack([lo, hi]).astype(np.int32))
    return _taxonomy(domain, ()), ranges


def _read_categories(
    columns: Sequence[Numbered], taxonomy: Taxonomy | None, kind: Kind
) -> tuple[Taxonomy, list[CodeArray]]:
    """Read distinct texts as ranges of one domain: all leaves, and then what is no leaf's."""
    domains = [column.observed.domain for column in columns]
    texts = [[domain.text_of(value) for value in domain.values] for domain in domains]
    leaves = [] if taxonomy is None else taxonomy.domain.values.tolist()
    wide = {ANY} if taxonomy is None else {ANY, taxonomy.root, *taxonomy.named}
    codes = {text: code for code, text in enumerate(leaves)}
    members = chain.from_iterable(_members(t, codes) for t in chain(*texts) if t not in wide)
    for text in sorted(set(members) - codes.keys()):
        codes[text] = len(codes)
    joint = Domain(kind, np.array([*codes], object), any(domain.has_missing for domain in domains))
    ranges = []
    for domain, own in zip(domains, texts, strict=True):
        found = [_range(text, taxonomy, codes, joint) for text in own]
        found += [(joint.n_present, joint.n)] * domain.has_missing
        ranges.append(np.array(found, np.int32).reshape(-1, 2))
    between = () if taxonomy is None else taxonomy.levels[1:-1]
    return _taxonomy(joint, [level.blocks[: len(leaves)] for level in between]), ranges


def _members(text: str, known: Mapping[str, int]) -> Iterable[str]:
    return [text] if text in known else read_set(text) or [text]


def _range(
    text: str, taxonomy: Taxonomy | None, codes: Mapping[str, int], domain: Domain
) -> tuple[int, int]:
    if text == ANY or (taxonomy is not None and text == taxonomy.root):
        return 0, domain.n
    if taxonomy is not None and text in taxonomy.named:
        level, node = taxonomy.named[text]
        starts = taxonomy.levels[level].starts
        return int(starts[node]), int(starts[node + 1])
    found = [codes[member] for member in _members(text, codes)]
    return min(found), max(found) + 1


def _taxonomy(domain: Domain, blocks: Sequence[NDArray[Any]]) -> Taxonomy:
    """Put levels between the values of a domain and the root; values beyond them stand alone."""
    levels = [Level(np.arange(domain.n, dtype=np.int32))]
    for known in blocks:
        first = int(known[-1]) + 1 if known.size else 0
        rest = np.arange(first, first + domain.n - known.size)
        levels.append(Level(np.concatenate([known, rest]).astype(np.int32)))
    levels.append(Level(np.zeros(domain.n, np.int32), (ANY,)))
    return Taxonomy(domain, tuple(levels))


_BLANK = {
    Kind.NUMBER: (Domain(Kind.NUMBER, np.empty(0)),),
    Kind.DATE: tuple(Domain(Kind.DATE, np.empty(0, f"datetime64[{unit}]")) for unit in ("D", "us")),
}
"""Domains without values, to read numbers and dates by."""

EVERYTHING = (-np.inf, np.inf, 0)
_MISSING = (0.0, 0.0, 2)
"""Spans of numbers: the two ends, and 0 for an interval, 1 for a single number, 2 for none."""


def is_understood(text: str, kind: Kind, taxonomy: Taxonomy | None) -> bool:
    """Whether a text of a column of numbers or dates means any of them, or openly all.

    Examples
    --------
    >>> [is_understood(text, Kind.NUMBER, None) for text in ("7", "[5-9)", "*", "7 EUR")]
    [True, True, True, False]
    """
    return text == ANY or span(text, kind, taxonomy) is not EVERYTHING


def spans_of(domain: Domain, taxonomy: Taxonomy | None, kind: Kind) -> FloatArray:
    """Give the ends of what each value of a column shows, and whether it is a single number."""
    if domain.kind is kind:
        numbers = domain.as_numbers()
        found = np.column_stack([numbers, numbers, np.ones(numbers.size)])
    else:
        texts = [domain.text_of(value) for value in domain.values]
        found = np.array([span(text, kind, taxonomy) for text in texts]).reshape(-1, 3)
    return np.concatenate([found, [_MISSING]]) if domain.has_missing else found


def span(text: str, kind: Kind, taxonomy: Taxonomy | None) -> tuple[float, float, int]:
    """Give the two ends of what a text means, and 0 for an interval, 1 for a single number."""
    if taxonomy is not None and text in taxonomy.named and text != ANY:
        return _span_of_node(taxonomy, *taxonomy.named[text])
    if (bounds := read_bounds(kind, text)) is not None:
        ends = [None if end is None else _number(kind, end) for end in bounds]
        if all((e is None) == (b is None) for e, b in zip(ends, bounds, strict=True)):
            low, high = ends
            return -np.inf if low is None else low, np.inf if high is None else high, 0
    value = _number(kind, text)
    return EVERYTHING if value is None else (value, value, 1)


def _span_of_node(taxonomy: Taxonomy, level: int, node: int) -> tuple[float, float, int]:
    """Give the ends of a node: those that a rule says, or those of its values."""
    nodes, numbers = taxonomy.levels[level], taxonomy.domain.as_numbers()
    if (edges := nodes.edges) is not None:
        is_first, is_last = node == 0, node == len(edges.lower) - 1
        low, high = (_as_float(side[node]) for side in (edges.lower, edges.upper))
        low = -np.inf if is_first and edges.open_below else low
        return low, np.inf if is_last and edges.open_above else high, 0
    first, end = int(nodes.starts[node]), int(nodes.starts[node + 1])
    return float(numbers[first]), float(numbers[end]) if end < numbers.size else np.inf, 0


def _number(kind: Kind, text: str) -> float | None:
    for domain in _BLANK[kind]:
        if (value := read_value(domain, text)) is not None:
            return _as_float(value)
    return None


def _as_float(value: Any) -> float:
    is_date = isinstance(value, np.datetime64)
    domain = Domain(Kind.DATE if is_date else Kind.NUMBER, np.array([value]))
    return float(domain.as_numbers()[0])
