"""Random small releases, coarser ones of them, and their records one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from attrs import evolve
from hypothesis import strategies as st

from unlinkable.tables.groups import Groups, Partition, number_rows
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.taxonomies import Attribute, Domain, Kind, Level, Taxonomy

__all__ = [
    "Record",
    "as_it_was",
    "attribute",
    "coarser",
    "random_releases",
    "records",
    "with_roots",
]


@dataclass(frozen=True)
class Record:
    """Records that are equal: how many, what they weigh, and what they were.

    ``ranges`` is what they show; None if they are left out.
    """

    n: int
    weight: float
    codes: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...] | None


def attribute(name: str, values: list[int] | list[str], *, missing: bool = False) -> Attribute:
    """An attribute whose values have nothing above them but the root."""
    is_number = any(isinstance(value, int) for value in values)
    kind = Kind.NUMBER if is_number else Kind.CATEGORY
    domain = Domain(kind, np.array(values, np.int64 if is_number else object), missing)
    leaves = Level(np.arange(domain.n, dtype=np.int32))
    return Attribute(name, Taxonomy(domain, (leaves, Level(np.zeros(domain.n, np.int32)))))


@st.composite
def _attributes(draw: st.DrawFn) -> tuple[Attribute, ...]:
    found = []
    for j in range(draw(st.integers(1, 3))):
        values = sorted(draw(st.sets(st.integers(-9, 30), min_size=1, max_size=5)))
        texts = [f"v{value}" for value in values]
        given = values if draw(st.booleans()) else texts
        plain = attribute(f"q{j}", given, missing=draw(st.booleans()))
        found.append(evolve(plain, importance=draw(st.sampled_from([1.0, 1.0, 2.0, 0.5]))))
    return tuple(found)


@st.composite
def random_releases(draw: st.DrawFn) -> Shown:
    """Draw a table, any grouping of its distinct records, and which groups are left out."""
    attributes = draw(_attributes())
    codes = st.tuples(*(st.integers(0, a.taxonomy.n - 1) for a in attributes))
    rows = draw(st.lists(codes, max_size=12))
    keys = np.array(rows, np.int32).reshape(len(rows), len(attributes))
    labels, first = number_rows(keys)
    sizes = np.bincount(labels, minlength=first.size).astype(np.int64)
    heavy = draw(
        st.lists(st.sampled_from([1.0, 0.5, 3.0]), min_size=len(sizes), max_size=len(sizes))
    )
    names = tuple(a.name for a in attributes)
    finest = Groups(sizes, sizes * np.array(heavy, float), {}, {}, names, keys[first])
    n = len(sizes)
    parts = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    grouped = np.unique(np.array(parts, np.int32), return_inverse=True)[1].astype(np.int32)
    partition = Partition.tight(finest, grouped, len(set(parts))).publishable(attributes)
    m = partition.n_parts
    gone = np.array(draw(st.lists(st.booleans(), min_size=m, max_size=m)), bool)
    return Shown.of(partition.suppress(gone & draw(st.booleans())), attributes)


@st.composite
def coarser(draw: st.DrawFn, shown: Shown) -> Shown:
    """Merge two groups, show a root, or leave a group out."""
    partition, attributes = shown.origin, shown.attributes
    if not partition.n_parts:
        return shown
    group = st.integers(0, partition.n_parts - 1)
    a, b = draw(group), draw(group)
    lo, hi, labels = partition.lo.copy(), partition.hi.copy(), partition.labels.copy()
    match draw(st.sampled_from(["merge", "root", "suppress"])):
        case "merge" if a != b:
            lo[a], hi[a] = np.minimum(lo[a], lo[b]), np.maximum(hi[a], hi[b])
            labels[labels == b] = a
            merged = evolve(partition, labels=labels, lo=lo, hi=hi)
            changed = merged.suppress(np.arange(partition.n_parts) == b)
        case "suppress":
            changed = partition.suppress(np.arange(partition.n_parts) == a)
        case _:
            j = draw(st.integers(0, len(attributes) - 1))
            lo[a, j], hi[a, j] = 0, attributes[j].taxonomy.n
            changed = evolve(partition, lo=lo, hi=hi)
    return Shown.of(changed.publishable(attributes), attributes)


def as_it_was(shown: Shown) -> Shown:
    """The same table, with nothing generalized or left out."""
    finest = shown.finest
    labels = np.arange(len(finest), dtype=np.int32)
    return Shown.of(Partition.tight(finest, labels, len(finest)), shown.attributes)


def with_roots(shown: Shown) -> Shown:
    """The same table, with nothing but roots."""
    heights = [a.taxonomy.height for a in shown.attributes]
    return Shown.of(Partition.at_levels(shown.finest, shown.attributes, heights), shown.attributes)


def records(shown: Shown) -> list[Record]:
    """Take a release apart, in plain Python."""
    found = []
    rows = zip(
        shown.finest.sizes.tolist(),
        shown.finest.weights.tolist(),
        shown.finest.keys.tolist(),
        shown.labels.tolist(),
        strict=True,
    )
    for n, weight, codes, g in rows:
        box = None if g < 0 else tuple(zip(shown.lo[g].tolist(), shown.hi[g].tolist(), strict=True))
        found.append(Record(n, weight, tuple(codes), box))
    return found
