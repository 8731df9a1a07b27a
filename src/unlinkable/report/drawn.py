"""Drawn blocks: gauges and bars, each with its numbers in words."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen
from attrs.validators import optional

from unlinkable.errors import ParameterError

__all__ = ["Bar", "Bars", "Gallery", "Gauge", "Pair", "PairedBars"]


def _share(_: object, attribute: object, value: float) -> None:
    if not 0 <= value <= 1:
        raise ParameterError(f"a share lies between 0 and 1, got {value}")


@frozen(kw_only=True)
class Gauge:
    """A share from 0 to 1 on a scale; with what it was before, and with the most it may be."""

    label: str
    value: float = field(validator=_share)
    text: str
    before: float | None = field(default=None, validator=optional(_share))
    before_text: str = ""
    limit: float | None = field(default=None, validator=optional(_share))
    limit_text: str = ""
    note: str = ""


@frozen
class Bar:
    """One bar: its length from 0 to 1, and what it says in words."""

    label: str
    length: float = field(validator=_share)
    text: str


def _bars(given: Iterable[Bar]) -> tuple[Bar, ...]:
    return tuple(given)


@frozen
class Bars:
    """Bars below each other, with their numbers beside them.

    ``of_all`` says that a bar of full length would be everything, which is then drawn, too.
    """

    caption: str
    header: tuple[str, str]
    rows: tuple[Bar, ...] = field(converter=_bars)
    note: str = ""
    of_all: bool = False


@frozen
class Pair:
    """Two bars for the same label."""

    label: str
    first: float = field(validator=_share)
    first_text: str
    second: float = field(validator=_share)
    second_text: str


def _pairs(given: Iterable[Pair]) -> tuple[Pair, ...]:
    return tuple(given)


@frozen
class PairedBars:
    """Pairs of bars below each other: the same thing twice, such as before and after."""

    caption: str
    header: tuple[str, str, str]
    rows: tuple[Pair, ...] = field(converter=_pairs)
    note: str = ""


def _charts(given: Iterable[Gauge | Bars | PairedBars]) -> tuple[Gauge | Bars | PairedBars, ...]:
    return tuple(given)


@frozen
class Gallery:
    """Charts that stand side by side where there is room."""

    items: tuple[Gauge | Bars | PairedBars, ...] = field(converter=_charts)
