"""What a builder of taxonomies gets to see, and what it must give back."""

from __future__ import annotations

import abc
from collections.abc import Iterator, Sequence

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import TaxonomyError
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.notation import read_plain, read_set
from unlinkable.tables.taxonomies.taxonomy import ANY, Edges, Level, Taxonomy
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = [
    "Observed",
    "Step",
    "TaxonomyBuilder",
    "named",
    "number_runs",
    "refuse_infinite",
    "stack",
]


@define(eq=False, frozen=True)
class Observed:
    """The distinct values of a column as they occur.

    Attributes
    ----------
    name
        The column, for messages.
    domain
        Its values in their natural order (text sorted, unless its categories have an order; numbers
        and dates rising).
    counts
        Number of records with each code of that domain.
    hidden
        For each code the distribution of the sensitive values of its records, if the table has
        sensitive columns: one row per code, each adding up to 1.
    """

    name: str
    domain: Domain
    counts: CountArray
    hidden: FloatArray | None = None


class TaxonomyBuilder(abc.ABC):
    """A rule that makes the taxonomy of a column from its values.

    A missing value needs no place in any rule: it is always a node of its own directly under
    the root.
    """

    @abc.abstractmethod
    def build(self, observed: Observed) -> Taxonomy:
        """Make a taxonomy whose leaves include every value that occurs."""

    def listed(self, taxonomy: Taxonomy) -> BoolArray:
        """Find which values of a taxonomy that it made are there whatever the records have.

        These disclose nothing about records. All others come from records.
        """
        return np.zeros(taxonomy.n, bool)


@define(eq=False, frozen=True)
class Step:
    """A level between the values and the root, over the *present* values of a domain.

    Attributes
    ----------
    blocks
        For every present value its node, numbered from 0 in the order of the codes.
    labels, edges
        What the nodes are called and where they begin and end, as in `Level`.
    """

    blocks: CodeArray
    labels: Sequence[str] | None = None
    edges: Edges | None = None


def stack(name: str, domain: Domain, steps: Sequence[Step], root: str = ANY) -> Taxonomy:
    """Put levels, from fine to coarse, between the values of a domain and the root.

    The missing value gets a node of its own on every level but the root's.

    Raises
    ------
    TaxonomyError
        If a level does not refine the next, or a text would mean two different ranges.
    """
    refuse_infinite(name, domain)
    stacked = [Level(np.arange(domain.n, dtype=np.int32))]
    for step in steps:
        blocks = np.asarray(step.blocks, np.int32)
        labels = step.labels
        if domain.has_missing:
            blocks = np.append(blocks, blocks[-1:] + np.int32(1) if blocks.size else np.int32(0))
            labels = None if labels is None else (*labels, "")
        if (np.diff(blocks)[np.diff(stacked[-1].blocks) == 0] != 0).any():
            raise TaxonomyError(f"the levels of {name!r} are no tree: a node has two parents")
        stacked.append(Level(blocks, labels, step.edges))
    stacked.append(Level(np.zeros(domain.n, np.int32), (root,)))
    taxonomy = Taxonomy(domain, tuple(stacked))
    _refuse_two_meanings(name, taxonomy)
    return taxonomy


def refuse_infinite(name: str, domain: Domain) -> None:
    """Refuse numbers that no interval can end after."""
    is_float = domain.kind is Kind.NUMBER and domain.values.dtype.kind == "f"
    if is_float and not (np.abs(domain.values) < np.finfo(np.float64).max).all():
        raise TaxonomyError(
            f"column {name!r} holds infinite numbers, which have no place in an interval: make "
            "them missing, or replace them by the largest number that makes sense"
        )


def number_runs(*keys: NDArray[np.integer]) -> CodeArray:
    """Number the runs of equal entries; entries are equal if they are in every one of the arrays.

    Examples
    --------
    >>> number_runs(np.array([7, 7, 2, 2, 9]), np.array([0, 1, 1, 1, 1])).tolist()
    [0, 1, 2, 2, 3]
    """
    changes = np.zeros(len(keys[0]), bool)
    for key in keys:
        changes[1:] |= key[1:] != key[:-1]
    return np.cumsum(changes).astype(np.int32)


def named(things: Sequence[object], most: int = 3) -> str:
    """List a few things, and say how many more there are.

    Examples
    --------
    >>> named(["a", "b", "c", "d", "e"])
    "'a', 'b', 'c' and 2 more"
    """
    text = ", ".join(repr(str(thing)) for thing in things[:most])
    return f"{text} and {len(things) - most} more" if len(things) > most else text


def _refuse_two_meanings(name: str, taxonomy: Taxonomy) -> None:
    """Refuse a label, or a value, that could be read as another range than its own.

    The root's ``*`` beside a value ``*`` is left to the code that publishes the column.
    """
    domain = taxonomy.domain
    for i, level in enumerate(taxonomy.levels[1:] if domain.n else (), start=1):
        labels = level.labels or ()
        is_root = i == taxonomy.height
        for node, label in enumerate(labels[:-1] if domain.has_missing and not is_root else labels):
            own = int(level.starts[node]), int(level.starts[node + 1])
            if not label:
                raise TaxonomyError(f"a node on level {i} of the taxonomy of {name!r} has no name")
            for other, what in _meanings(taxonomy, label):
                if other != own and not (is_root and label == ANY):
                    raise TaxonomyError(
                        f"{label!r} means two things in the taxonomy of {name!r}: a node on level "
                        f"{i} with {own[1] - own[0]} values, and {what}: rename one of them"
                    )
    if domain.kind is Kind.CATEGORY:
        _refuse_sets(name, domain)


def _meanings(taxonomy: Taxonomy, label: str) -> Iterator[tuple[tuple[int, int], str]]:
    if label in taxonomy.named:
        level, node = taxonomy.named[label]
        starts = taxonomy.levels[level].starts
        yield (int(starts[node]), int(starts[node + 1])), f"another node, on level {level}"
    if plain := read_plain(taxonomy.domain, label):
        is_value = plain[1] - plain[0] == 1
        yield plain, "a value" if is_value else "an interval or a set of other values"


def _refuse_sets(name: str, domain: Domain) -> None:
    for text in (v for v in domain.values.tolist() if v.startswith("{")):
        members = read_set(text) or [text]
        if len(members) > 1 and min(map(domain.code_of, members)) >= 0:
            raise TaxonomyError(
                f"the value {text!r} of column {name!r} looks like the set of {named(members)}, "
                "which are values too: rename it"
            )
