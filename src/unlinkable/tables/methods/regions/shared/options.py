"""The options of searches over regions."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

from unlinkable.errors import ParameterError

__all__ = [
    "Along",
    "Combine",
    "Direction",
    "Labels",
    "Split",
    "Variant",
    "as_along",
    "as_combine",
    "as_direction",
    "as_labels",
    "as_split",
    "as_variant",
]

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


class Combine(Enum):
    """How several targets are combined."""

    SUM = "sum"
    """What is left to tell of each is added up, as if one said nothing of another."""
    SHARES = "shares"
    """As shares of the uncertainty of each in the whole table: no unit counts more."""
    PRODUCT = "product"
    """All values that a record has are one class: the classes of a combined target."""


class Direction(Enum):
    """From where clusters of records are formed."""

    BOTTOM_UP = "bottom-up"
    """From single records, which are put together."""
    TOP_DOWN = "top-down"
    """From the whole table, which is parted."""


class Variant(Enum):
    """What the clusters of one-pass k-means show."""

    OKA = "oka"
    """The smallest range around their records."""
    ENHANCED = "enhanced"
    """A category that all records share, or the least node of the taxonomy over them; the smallest
    range of numbers and dates."""


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


def as_combine(value: Combine | str | None) -> Combine | None:
    """Read how several targets are combined; None leaves it to the method."""
    return None if value is None else _read(Combine, "combine", value)


def as_direction(value: Direction | str) -> Direction:
    """Read from where clusters are formed."""
    return _read(Direction, "direction", value)


def as_variant(value: Variant | str) -> Variant:
    """Read what clusters show."""
    return _read(Variant, "variant", value)


def _read(kind: type[E], name: str, value: object) -> E:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(repr(option.value) for option in kind)
        raise ParameterError(f"{name} must be one of {known}, got {value!r}") from None
