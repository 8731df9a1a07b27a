"""What the values of a text column are: whole numbers, numbers, days, moments, or just text.

A column is more than text only if *every* value is, and reading it loses nothing: ``00501`` is
no number but the name of a place, 20 digits are an identifier, and ``03/04/2020`` is no day as
long as no other value of the column tells which part is the month. The functions look at
distinct values; it does not matter how many records have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl
from attrs import frozen

from unlinkable.errors import DataError
from unlinkable.tables.data.reading.dictionary import distinct, is_text, settle, spread
from unlinkable.tables.data.reading.options import ColumnType

__all__ = [
    "Guess",
    "Where",
    "convert",
    "days",
    "guesses",
    "infer",
    "is_measured",
    "parse",
    "type_column",
    "whole",
    "without",
]


@frozen
class Guess:
    """What texts may be, if all of them look like ``pattern``.

    Attributes
    ----------
    kind
        What they would be then.
    pattern
        The form of every text (blanks around it do not count).
    formats
        The ways in which a day of this form can be read. If more than one of them reads all
        texts, none is taken.
    comma
        Whether the decimals come after a comma.
    """

    kind: ColumnType
    pattern: str
    formats: tuple[str, ...] = ()
    comma: bool = False

    def fits(self, texts: pl.Series) -> bool:
        """Whether all texts have the form. If some have not, no more texts will change that."""
        return bool(texts.str.contains(rf"^[ \t]*(?:{self.pattern})[ \t]*$").all())

    def read(self, texts: pl.Series) -> pl.Series | None:
        """Read the texts, which all have the form; None if that would lose something."""
        texts = texts.str.strip_chars(" \t")
        readings = [r for r in self._readings(texts) if not r.has_nulls()]
        return readings[0] if len(readings) == 1 else None

    def _readings(self, texts: pl.Series) -> Iterator[pl.Series]:
        match self.kind:
            case ColumnType.INTEGER:
                yield texts.cast(pl.Int64, strict=False)
            case ColumnType.NUMBER:
                mark = "," if self.comma else "."
                # Without a decimal mark in any of them, 1e5 or 20 digits are identifiers.
                if texts.str.contains(mark, literal=True).any() and (
                    not self.comma or not texts.str.contains(_THOUSANDS).all()
                ):
                    yield _numbers(texts, comma=self.comma)
            case ColumnType.DATETIME:
                yield _moments(texts)
            case _:
                for form in self.formats:
                    yield texts.str.to_date(form, strict=False)


_THOUSANDS = r"^-?[1-9][0-9]{0,2}(?:,[0-9]{3})*$"
"""Forms in which a comma may as well separate thousands: 1,234."""

_WHOLE = r"0|-?[1-9][0-9]*"

_MONTH = r"[A-Za-z]{3,9}"


def _number_pattern(mark: str) -> str:
    # 15 digits are what a float holds exactly.
    fixed = rf"(?:0|[1-9][0-9]{{0,14}})(?:{mark}[0-9]*)?|{mark}[0-9]+"
    return rf"-?(?:{fixed})(?:[eE][+-]?[0-9]{{1,3}})?"


_GUESSES = (
    Guess(ColumnType.INTEGER, _WHOLE),
    Guess(ColumnType.NUMBER, _number_pattern(r"\.")),
    Guess(ColumnType.DATE, r"[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}", ("%Y-%m-%d",)),
    Guess(ColumnType.DATE, r"[1-9][0-9]{3}/[0-9]{2}/[0-9]{2}", ("%Y/%m/%d",)),
    Guess(ColumnType.DATE, r"[1-9][0-9]{3}\.[0-9]{2}\.[0-9]{2}", ("%Y.%m.%d",)),
    Guess(ColumnType.DATE, r"[0-9]{1,2}\.[0-9]{1,2}\.[1-9][0-9]{3}", ("%d.%m.%Y",)),
    Guess(ColumnType.DATE, r"[0-9]{1,2}/[0-9]{1,2}/[1-9][0-9]{3}", ("%d/%m/%Y", "%m/%d/%Y")),
    Guess(ColumnType.DATE, r"[0-9]{1,2}-[0-9]{1,2}-[1-9][0-9]{3}", ("%d-%m-%Y", "%m-%d-%Y")),
    Guess(ColumnType.DATE, rf"[0-9]{{1,2}} {_MONTH} [1-9][0-9]{{3}}", ("%d %B %Y",)),
    Guess(ColumnType.DATE, rf"[0-9]{{1,2}}-{_MONTH}-[1-9][0-9]{{3}}", ("%d-%B-%Y",)),
    Guess(ColumnType.DATE, rf"{_MONTH} [0-9]{{1,2}}, [1-9][0-9]{{3}}", ("%B %d, %Y",)),
    Guess(
        ColumnType.DATETIME,
        r"[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?",
    ),
)

_COMMA = Guess(ColumnType.NUMBER, _number_pattern(","), comma=True)


def guesses(*, comma: bool) -> tuple[Guess, ...]:
    """Give all guesses; with ``comma``, decimals may also come after a comma."""
    return (*_GUESSES, _COMMA) if comma else _GUESSES


def infer(texts: pl.Series, among: tuple[Guess, ...] = _GUESSES) -> pl.Series | None:
    """Read texts as what all of them are; None if they are just text.

    Parameters
    ----------
    texts
        The values of a column, none missing.
    among
        The guesses that are still open.

    Examples
    --------
    >>> infer(pl.Series(["39", "-7"])).to_list()
    [39, -7]
    >>> infer(pl.Series(["00501", "10115"])) is None
    True
    >>> infer(pl.Series(["03/04/2020", "25/04/2020"])).to_list()
    [datetime.date(2020, 4, 3), datetime.date(2020, 4, 25)]
    >>> infer(pl.Series(["03/04/2020", "05/04/2020"])) is None
    True
    """
    if texts.is_empty():
        return None
    for guess in among:
        if guess.fits(texts) and (values := guess.read(texts)) is not None:
            return values
    return None


def is_measured(text: str) -> bool:
    """Whether a text looks like a number or a day, as no name of a column does.

    Examples
    --------
    >>> is_measured("39"), is_measured("2020-01-01"), is_measured("age")
    (True, True, False)
    """
    one = pl.Series([text])
    return any(guess.fits(one) for guess in (*_GUESSES, _COMMA, Guess(ColumnType.TEXT, "[0-9]+")))


def parse(texts: pl.Series, kind: ColumnType | str, *, comma: bool) -> pl.Series | None:
    """Read texts as what they are said to be, missing where they are not.

    None if they are said to be days, and can be read as such in more than one way.

    Examples
    --------
    >>> parse(pl.Series(["007", "x"]), ColumnType.INTEGER, comma=False).to_list()
    [7, None]
    >>> parse(pl.Series(["03/04/2020"]), ColumnType.DATE, comma=False) is None
    True
    >>> parse(pl.Series(["03/04/2020"]), "%m/%d/%Y", comma=False).to_list()
    [datetime.date(2020, 3, 4)]
    """
    if kind is ColumnType.TEXT:
        return texts
    texts = texts.str.strip_chars(" \t")
    match kind:
        case ColumnType.INTEGER:
            return texts.cast(pl.Int64, strict=False)
        case ColumnType.NUMBER:
            return _numbers(texts, comma=comma)
        case ColumnType.BOOLEAN:
            words = {"true": True, "false": False}
            lower = texts.str.to_lowercase()
            return lower.replace_strict(words, default=None, return_dtype=pl.Boolean)
        case ColumnType.DATETIME:
            return _moments(texts)
        case ColumnType.DATE:
            return _days(texts)
    if any(mark in kind for mark in ("%H", "%I", "%T", "%R", "%s")):
        return texts.str.to_datetime(kind, strict=False, time_unit="us")
    return texts.str.to_date(kind, strict=False)


def _days(texts: pl.Series) -> pl.Series | None:
    best = pl.Series(texts.name, [None] * len(texts), dtype=pl.Date)
    for guess in _GUESSES:
        if guess.kind is not ColumnType.DATE:
            continue
        readings = [texts.str.to_date(form, strict=False) for form in guess.formats]
        whole = [r for r in readings if r.null_count() == texts.null_count()]
        if len(whole) > 1:
            return None
        best = min(best, *readings, key=pl.Series.null_count)
        if whole:
            break
    return best


def _moments(texts: pl.Series) -> pl.Series:
    texts = texts.str.replace(" ", "T", literal=True)
    seconds = texts.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", strict=False, time_unit="us")
    minutes = texts.str.to_datetime("%Y-%m-%dT%H:%M", strict=False, time_unit="us")
    midnight = texts.str.to_date("%Y-%m-%d", strict=False).cast(pl.Datetime("us"))
    return pl.select(pl.coalesce(seconds, minutes, midnight)).to_series()


def _numbers(texts: pl.Series, *, comma: bool) -> pl.Series:
    if comma:
        texts = texts.str.replace(",", ".", literal=True)
    values = texts.cast(pl.Float64, strict=False)
    # Beyond the range of floats the text says more than the number.
    return values.set(values.is_infinite(), None)


Where = Callable[[int], str]
"""Names the place of a record in its source, given its position."""

_DTYPES: dict[ColumnType, pl.DataType] = {
    ColumnType.TEXT: pl.String(),
    ColumnType.INTEGER: pl.Int64(),
    ColumnType.NUMBER: pl.Float64(),
    ColumnType.DATE: pl.Date(),
    ColumnType.DATETIME: pl.Datetime("us"),
    ColumnType.BOOLEAN: pl.Boolean(),
}


def type_column(
    column: pl.Series, guesses: tuple[Guess, ...], keys: pl.Series | None = None
) -> pl.Series:
    """Make a text column what all its values are, if one of the guesses is right.

    Its distinct texts may be given if they are known.

    Examples
    --------
    >>> from unlinkable.tables.data.reading.inference import guesses
    >>> type_column(pl.Series("age", ["39", None, "50"]), guesses(comma=False)).to_list()
    [39, None, 50]
    """
    column = settle(column, keys)
    if not guesses:
        return column
    if isinstance(column.dtype, pl.Categorical):
        keys = distinct(column) if keys is None else keys
        values = infer(keys.cast(pl.String), guesses)
        return column if values is None else spread(column, keys, values)
    present = column.drop_nulls()
    values = infer(present, guesses)
    if values is None or not column.has_nulls():
        return column if values is None else values.alias(column.name)
    at = (column.is_not_null().cum_sum() - 1).set(column.is_null(), None)
    return values.gather(at).alias(column.name)


def convert(column: pl.Series, kind: ColumnType | str, where: Where, *, comma: bool) -> pl.Series:
    """Make a column what it is said to be.

    Parameters
    ----------
    column
        Texts, or values of another type.
    kind
        What they are said to be.
    where
        Names the place of a record, for the message.
    comma
        Whether decimals may come after a comma.

    Raises
    ------
    DataError
        If a value is something else, or could be two different days.
    """
    made = _from_text(column, kind, comma=comma) if is_text(column) else _from_other(column, kind)
    if made is None:
        raise DataError(
            f"{where(0)}: which part of {column.name!r} is the month cannot be told from its "
            f"values; give a pattern like '%d/%m/%Y' as the type of {column.name!r}"
        )
    lost = (made.is_null() & column.is_not_null()).arg_true()
    if len(lost):
        raise DataError(
            f"{where(int(lost[0]))}: {column.name!r} is not {_says(kind)}; correct it, or give "
            f"'text' as the type of {column.name!r}"
        )
    return made


def without(column: pl.Series, missing: tuple[str, ...]) -> pl.Series:
    """Take away the texts that stand for a missing value.

    Examples
    --------
    >>> without(pl.Series(["NA", "Rome"], dtype=pl.Categorical), ("NA", "?")).to_list()
    [None, 'Rome']
    """
    if not missing or not is_text(column):
        return column
    keys = distinct(column)
    gone = keys.filter(keys.cast(pl.String).is_in(missing))
    if not len(gone):
        return column
    is_gone = column.to_physical().is_in(gone.to_physical().implode())
    return pl.select(pl.when(~is_gone).then(column).alias(column.name)).to_series()


def whole(column: pl.Series) -> pl.Series:
    """Make a column of floats one of whole numbers, if all of them are.

    For sources that have no other numbers.

    Examples
    --------
    >>> whole(pl.Series([1.0, None, 3.0])).to_list()
    [1, None, 3]
    >>> whole(pl.Series([1.5, 2.0])).to_list()
    [1.5, 2.0]
    """
    if not column.dtype.is_float() or column.null_count() == len(column):
        return column
    is_whole = (column == column.round()) & (column.abs() <= 2.0**53)
    return column.cast(pl.Int64) if is_whole.all() else column


def days(column: pl.Series) -> pl.Series:
    """Make a column of moments one of days, if all of them are at midnight."""
    if column.dtype != pl.Datetime or column.null_count() == len(column):
        return column
    at_midnight = column.dt.truncate("1d") == column
    return column.cast(pl.Date) if at_midnight.all() else column.cast(pl.Datetime("us"))


def _from_text(column: pl.Series, kind: ColumnType | str, *, comma: bool) -> pl.Series | None:
    """Read texts, missing where they are not what they should be; None if that is not clear."""
    column = settle(column)
    if kind is ColumnType.TEXT:
        return column
    if not isinstance(column.dtype, pl.Categorical):
        return parse(column.cast(pl.String), kind, comma=comma)
    keys = distinct(column)
    values = parse(keys.cast(pl.String), kind, comma=comma)
    return None if values is None else spread(column, keys, values)


def _from_other(column: pl.Series, kind: ColumnType | str) -> pl.Series:
    dtype = _DTYPES[kind] if isinstance(kind, ColumnType) else pl.Date()
    made = column.cast(dtype, strict=False)
    if kind is ColumnType.INTEGER and column.dtype.is_float():
        return made.set(made.cast(pl.Float64) != column, None)
    return settle(made)


def _says(kind: ColumnType | str) -> str:
    match kind:
        case ColumnType.INTEGER:
            return "a whole number there"
        case ColumnType.NUMBER:
            return "a number there"
        case ColumnType.DATE | ColumnType.DATETIME:
            return f"a {kind} there"
        case ColumnType.BOOLEAN:
            return "true or false there"
    return f"a date of the form {kind} there"
