"""Tree: a taxonomy from nested tables, as they stand in a plan file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import TypeGuard

import numpy as np
from attrs import field, frozen

from unlinkable.errors import TaxonomyError
from unlinkable.tables.taxonomies.builders.base import Observed, TaxonomyBuilder
from unlinkable.tables.taxonomies.builders.paths import Path, Paths, grow, listed_values
from unlinkable.tables.taxonomies.taxonomy import ANY, Taxonomy
from unlinkable.typing import BoolArray

__all__ = ["Branch", "Tree"]

Branch = str | tuple[str, tuple["Branch", ...]]
"""A value, or a label with what is under it."""


def _freeze(nested: object) -> tuple[Branch, ...]:
    """Take nested tables and lists as branches, values as texts."""
    if isinstance(nested, Mapping):
        return tuple(
            _text(label)
            if isinstance(below, Mapping) and not below
            else (_text(label), _freeze(below))
            for label, below in nested.items()
        )
    if isinstance(nested, Sequence) and not isinstance(nested, (str, bytes)):
        branches: list[Branch] = []
        for item in nested:
            if isinstance(item, Mapping):
                branches.extend(_freeze(item))
            else:
                branches.append(item if _is_branch(item) else _text(item))
        return tuple(branches)
    raise TaxonomyError(
        "a tree is made of tables (label = what is under it) and lists of values, got "
        f"{type(nested).__name__}"
    )


@frozen
class Tree(TaxonomyBuilder):
    """Take a taxonomy from nested tables: label to what is under it, down to the values.

    Values stand in lists, or as labels with nothing under them (an empty table). A table with a
    single label on top names the root, which is otherwise ``*``. All values of the tree belong to
    the taxonomy, whether they occur or not; missing values are a node of their own under the
    root.

    Parameters
    ----------
    nested
        Tables (any mapping) and lists. Numbers and dates may be written as such.
    pad
        Whether values that are less deep than others stand for themselves on the levels between.
        Otherwise uneven depth is refused.

    Raises
    ------
    TaxonomyError
        If the tree has no values or an empty branch, is of uneven depth, has a value in two
        branches, or lacks a value of the column.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> jobs.build(observe("job", ["Dancer"])).domain.values.tolist()
    ['Engineer', 'Lawyer', 'Dancer', 'Writer']
    """

    nested: tuple[Branch, ...] = field(converter=_freeze)
    pad: bool = False

    def listed(self, taxonomy: Taxonomy) -> BoolArray:
        return listed_values(taxonomy)

    def build(self, observed: Observed) -> Taxonomy:
        name = observed.name
        branches, root = self.nested, ANY
        if len(branches) == 1 and not isinstance(branches[0], str):
            root, branches = branches[0]
        found = list(_walk(name, branches, ()))
        if not found:
            raise TaxonomyError(f"the tree of {name!r} is empty: list the values of the column")
        depth = max(len(path.labels) for path in found)
        if shallow := [path for path in found if len(path.labels) < depth]:
            if not self.pad:
                deep = next(path for path in found if len(path.labels) == depth)
                raise TaxonomyError(
                    f"{shallow[0].value!r} of {name!r} has {len(shallow[0].labels)} labels above "
                    f"it and {deep.value!r} has {depth} ({len(shallow)} of {len(found)} values are "
                    "less deep): make the depth even, or ask for padding (pad = true in a plan, "
                    "pad=True in Python)"
                )
            found = [_padded(path, depth) for path in found]
        return grow(observed, Paths(found, root))


def _is_branch(item: object) -> TypeGuard[Branch]:
    """Whether this has been frozen before, as the parts of a copied tree have."""
    return isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], tuple)


def _text(value: object) -> str:
    """Write a value as a column of its kind would."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return np.format_float_positional(value, trim="-")
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (str, int, date, np.integer, np.str_)):
        return str(value)
    raise TaxonomyError(
        f"a tree has texts, numbers and dates as values, got {type(value).__name__}: a list within "
        "a list has no label, and missing values need no place"
    )


def _walk(name: str, branches: tuple[Branch, ...], above: tuple[str, ...]) -> Iterator[Path]:
    """Give the path of every value, depth first."""
    for branch in branches:
        if isinstance(branch, str):
            yield Path(branch, above)
            continue
        label, below = branch
        if not below:
            raise TaxonomyError(
                f"nothing is under {label!r} in the tree of {name!r}: list its values, or write it "
                "as a value"
            )
        yield from _walk(name, below, (label, *above))


def _padded(path: Path, depth: int) -> Path:
    return Path(path.value, (path.value,) * (depth - len(path.labels)) + path.labels)
