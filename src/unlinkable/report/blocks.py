"""Blocks: what a report is made of: texts, tables, gauges and bars.

Every block is a frozen value with plain texts and numbers. All texts are taken literally, whatever
they contain: each way to write a report escapes them for itself. Gauges and bars have their
numbers in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import optional

from unlinkable.errors import ParameterError

__all__ = [
    "Bar",
    "Bars",
    "Block",
    "Bullets",
    "Card",
    "Cell",
    "Facts",
    "Figure",
    "Figures",
    "Gallery",
    "Gauge",
    "Mark",
    "Note",
    "Pair",
    "PairedBars",
    "Paragraph",
    "Table",
    "Term",
    "Terms",
    "Tone",
    "texts_of",
]


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


class Tone(StrEnum):
    """How good or bad something is. It is never told by its colour alone."""

    GOOD = "good"
    BAD = "bad"
    CAUTION = "caution"
    NEUTRAL = "neutral"


@frozen
class Mark:
    """A word that is told apart by its tone, such as a verdict."""

    text: str
    tone: Tone = Tone.NEUTRAL


Cell: TypeAlias = str | Mark
"""What stands in a table."""


def _texts(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(given)


def _numbers(given: Iterable[int]) -> tuple[int, ...]:
    return tuple(given)


def _facts(given: Iterable[tuple[str, Cell]]) -> tuple[tuple[str, Cell], ...]:
    return tuple(given)


def _rows(given: Iterable[Iterable[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(row) for row in given)


@frozen
class Paragraph:
    """A few sentences."""

    text: str


@frozen
class Note:
    """Something that must not be missed."""

    text: str
    tone: Tone = Tone.CAUTION


@frozen
class Bullets:
    """A list of sentences."""

    items: tuple[str, ...] = field(converter=_texts)


@frozen
class Facts:
    """Short answers to short questions."""

    rows: tuple[tuple[str, Cell], ...] = field(converter=_facts)


@frozen
class Figure:
    """A number, and what it counts."""

    value: str
    label: str


def _figures(given: Iterable[Figure]) -> tuple[Figure, ...]:
    return tuple(given)


@frozen
class Figures:
    """A few large numbers at a glance."""

    items: tuple[Figure, ...] = field(converter=_figures)


@frozen
class Table:
    """A table; what stands in the first column names the row.

    ``right`` has the positions of columns with numbers.
    """

    caption: str
    header: tuple[str, ...] = field(converter=_texts)
    rows: tuple[tuple[Cell, ...], ...] = field(converter=_rows)
    right: tuple[int, ...] = field(default=(), converter=_numbers)

    @rows.validator
    def _has_a_cell_for_every_column(
        self, attribute: object, rows: tuple[tuple[Cell, ...], ...]
    ) -> None:
        if any(len(row) != len(self.header) for row in rows):
            raise ParameterError(
                f"every row of {self.caption!r} must have {len(self.header)} cells"
            )


@frozen
class Card:
    """A verdict: what it is about, how it came out, and why."""

    title: str
    verdict: Mark
    sentences: tuple[str, ...] = field(converter=_texts)
    facts: Facts = Facts(())


@frozen
class Term:
    """A word, and what it means."""

    name: str
    meaning: str


def _terms(given: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(given)


@frozen
class Terms:
    """A glossary."""

    items: tuple[Term, ...] = field(converter=_terms)


Block: TypeAlias = (
    Paragraph
    | Note
    | Bullets
    | Facts
    | Figures
    | Table
    | Card
    | Gauge
    | Bars
    | PairedBars
    | Gallery
    | Terms
)
"""Anything that can stand in a section."""


def texts_of(value: object) -> Iterator[str]:
    """Yield all texts of a block, or of what is in it.

    Examples
    --------
    >>> list(texts_of(Table("Sizes", ("size",), [(Mark("large"),)])))
    ['Sizes', 'size', 'large', 'neutral']
    """
    if isinstance(value, str):
        yield str(value)
    elif isinstance(value, tuple):
        for item in value:
            yield from texts_of(item)
    elif hasattr(value, "__attrs_attrs__"):
        for attribute in value.__attrs_attrs__:
            yield from texts_of(getattr(value, attribute.name))
