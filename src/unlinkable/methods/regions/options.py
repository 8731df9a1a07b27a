"""What a search over regions can be told to do."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

from unlinkable.errors import ParameterError

__all__ = ["Along", "Labels", "Split", "as_along", "as_labels", "as_split"]

E = TypeVar("E", bound=Enum)


class Split(Enum):
    """Where a region is cut."""

    MEDIAN = "median"
    """On its widest column, as evenly as the column allows."""
    BEST = "best"
    """Where the two halves lose the least, on any column."""


class Labels(Enum):
    """What a region shows."""

    INTERVALS = "intervals"
    """The smallest range around its records: an interval, or a set of categories."""
    TAXONOMY = "taxonomy"
    """The least nodes of the taxonomies that cover its records."""


class Along(Enum):
    """Between which values a region may be cut."""

    LABELS = "labels"
    """As the labels ask for: between the children of a node if they are nodes, else anywhere."""
    ORDER = "order"
    """Between any two values, in the order of the domain."""
    TAXONOMY = "taxonomy"
    """Categories between the children of the least node over the region, numbers anywhere."""


def as_split(value: Split | str) -> Split:
    """Read where to cut.

    Examples
    --------
    >>> as_split("best")
    <Split.BEST: 'best'>
    """
    return _read(Split, "split", value)


def as_along(value: Along | str) -> Along:
    """Read between which values to cut."""
    return _read(Along, "along", value)


def as_labels(value: Labels | str) -> Labels:
    """Read what regions show."""
    return _read(Labels, "labels", value)


def _read(kind: type[E], name: str, value: object) -> E:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(repr(option.value) for option in kind)
        raise ParameterError(f"{name} must be one of {known}, got {value!r}") from None
