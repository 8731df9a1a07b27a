"""Taxonomies as they stand in a plan file.

::

    taxonomy = { intervals = [5, 10, 20], start = 0, low = 20, high = 80 }
    taxonomy = { mask = 5, left = true, keep = [5, 3, 0] }
    taxonomy = { csv = "age.csv", separator = ";", pad = true }
    taxonomy = { tree = { Artist = ["Dancer", "Writer"], Cook = {} }, pad = true }
    taxonomy = { dates = ["month", "year"] }
    taxonomy = { flat = true }
    taxonomy = { auto = true, groups = 2, by_hidden = true }

Files are looked for beside the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias, TypeVar

from unlinkable.errors import ParameterError, PlanError, in_short, unknown
from unlinkable.tables.taxonomies.builders.automatic import Auto
from unlinkable.tables.taxonomies.builders.base import TaxonomyBuilder
from unlinkable.tables.taxonomies.builders.csv_file import Csv
from unlinkable.tables.taxonomies.builders.dates import Dates
from unlinkable.tables.taxonomies.builders.flat import Flat
from unlinkable.tables.taxonomies.builders.intervals import Intervals
from unlinkable.tables.taxonomies.builders.mask import Mask
from unlinkable.tables.taxonomies.builders.tree import Branch, Tree

__all__ = ["Rule", "as_builder", "builder_from_plan", "read_rule", "to_plan"]

_OPTIONS: dict[str, tuple[str, ...]] = {
    "intervals": ("start", "low", "high"),
    "mask": ("left", "keep"),
    "csv": ("separator", "pad"),
    "tree": ("pad",),
    "dates": (),
    "flat": (),
    "auto": ("groups", "by_hidden"),
}
"""What may stand beside the key that says which rule is meant."""

T = TypeVar("T")


def builder_from_plan(spec: Mapping[str, object], folder: Path) -> TaxonomyBuilder:
    """Read a rule from its table in a plan file.

    Parameters
    ----------
    spec
        The table, as TOML gives it.
    folder
        Where the plan is; paths of files are relative to it.

    Raises
    ------
    PlanError
        If the table names no rule or several, has a key that the rule does not know, or a value
        of the wrong type.

    Examples
    --------
    >>> builder_from_plan({"mask": 5, "left": True}, Path("."))
    Mask(length=5, left=True, keep=None)
    """
    kinds = [key for key in spec if key in _OPTIONS]
    if len(kinds) != 1:
        asked = f"got {', '.join(map(repr, spec)) or 'nothing'}"
        raise PlanError(f"a taxonomy is made by one of {', '.join(_OPTIONS)}: {asked}")
    kind = kinds[0]
    known = (kind, *_OPTIONS[kind])
    for key in spec:
        if key not in known:
            raise PlanError(f"{unknown('key', key, known)} for a taxonomy made by {kind!r}")
    return _MAKERS[kind](_Spec(spec), folder)


def to_plan(builder: TaxonomyBuilder, folder: Path | None = None) -> dict[str, object]:
    """Write a rule as its table in a plan file, without what is left at its default.

    Examples
    --------
    >>> to_plan(Intervals(5, 10, low=20))
    {'intervals': [5, 10], 'low': 20}
    """
    match builder:
        case Intervals():
            ends = {"start": builder.start, "low": builder.low, "high": builder.high}
            given = {key: _plain(end) for key, end in ends.items() if end is not None}
            return {"intervals": [_plain(width) for width in builder.widths], **given}
        case Mask():
            keep = {} if builder.keep is None else {"keep": list(builder.keep)}
            return {"mask": builder.length, **_if_set(left=builder.left), **keep}
        case Csv():
            separator = {} if builder.separator is None else {"separator": builder.separator}
            return {"csv": _relative(builder.path, folder), **separator, **_if_set(pad=builder.pad)}
        case Tree():
            return {"tree": _thaw(builder.nested), **_if_set(pad=builder.pad)}
        case Dates():
            return {"dates": [part.value for part in builder.parts]}
        case Flat():
            return {"flat": True}
        case Auto():
            groups = {} if builder.groups == Auto().groups else {"groups": builder.groups}
            return {"auto": True, **groups, **_if_set(by_hidden=builder.by_hidden)}
        case _:
            raise PlanError(
                f"a taxonomy made by {type(builder).__name__} cannot stand in a plan: write it as "
                "a csv file or a tree"
            )


class _Spec:
    """The table of a rule, whose values are asked for by type."""

    def __init__(self, spec: Mapping[str, object]) -> None:
        self.spec = spec

    def get(self, key: str, kind: type[T] | tuple[type[T], ...], what: str) -> T | None:
        """Give a value, None if it is not there."""
        value = self.spec.get(key)
        if value is None:
            return None
        is_wrong_bool = isinstance(value, bool) and kind is not bool
        if not isinstance(value, kind) or is_wrong_bool:
            raise PlanError(f"{key!r} of a taxonomy must be {what}, got {value!r}")
        return value

    def need(self, key: str, kind: type[T] | tuple[type[T], ...], what: str) -> T:
        """Give a value that is there."""
        value = self.get(key, kind, what)
        if value is None:
            raise PlanError(f"{key!r} of a taxonomy must be {what}, got nothing")
        return value

    def number(self, key: str) -> int | float | str | None:
        """Give a number, None if it is not there."""
        value = self.spec.get(key)
        if isinstance(value, (int, float, str)) and not isinstance(value, bool):
            return value
        return self.get(key, int, "a number")

    def flag(self, key: str) -> bool:
        """Give a value that is true or false; false if it is not there."""
        return self.get(key, bool, "true or false") or False

    def must_be_true(self, key: str) -> None:
        """Refuse a rule that is named only to be switched off."""
        if not self.flag(key):
            raise PlanError(f"{key!r} of a taxonomy must be true: name another rule instead")


def _intervals(spec: _Spec, folder: Path) -> Intervals:
    widths = spec.need("intervals", list, "a list of widths")
    start, low, high = (spec.number(key) for key in ("start", "low", "high"))
    return Intervals(*widths, start=start, low=low, high=high)


def _mask(spec: _Spec, folder: Path) -> Mask:
    length = spec.need("mask", int, "a number of characters")
    return Mask(length, spec.flag("left"), spec.get("keep", list, "a list of numbers"))


def _csv(spec: _Spec, folder: Path) -> Csv:
    path = folder / spec.need("csv", str, "the path of a file")
    return Csv(path, spec.get("separator", str, "a character"), spec.flag("pad"))


def _tree(spec: _Spec, folder: Path) -> Tree:
    nested = spec.need("tree", (dict, list), "a table of labels or a list of values")
    return Tree(nested, spec.flag("pad"))


def _dates(spec: _Spec, folder: Path) -> Dates:
    return Dates(*spec.need("dates", list, "a list of parts such as 'month'"))


def _flat(spec: _Spec, folder: Path) -> Flat:
    spec.must_be_true("flat")
    return Flat()


def _auto(spec: _Spec, folder: Path) -> Auto:
    spec.must_be_true("auto")
    groups = spec.get("groups", int, "a number of parts")
    return Auto(Auto().groups if groups is None else groups, spec.flag("by_hidden"))


_MAKERS: dict[str, Callable[[_Spec, Path], TaxonomyBuilder]] = {
    "intervals": _intervals,
    "mask": _mask,
    "csv": _csv,
    "tree": _tree,
    "dates": _dates,
    "flat": _flat,
    "auto": _auto,
}


def _plain(value: Fraction) -> int | float | str:
    """Write a number as TOML can: exactly."""
    if value.denominator == 1:
        return value.numerator
    return float(value) if Fraction(repr(float(value))) == value else str(value)


def _if_set(**flags: bool) -> dict[str, object]:
    return {key: True for key, is_set in flags.items() if is_set}


def _relative(path: Path, folder: Path | None) -> str:
    is_inside = folder is not None and path.is_relative_to(folder)
    return (path.relative_to(folder) if folder is not None and is_inside else path).as_posix()


def _thaw(branches: tuple[Branch, ...]) -> dict[str, object] | list[object]:
    """Write branches as a list of values, a table, or a list of tables if a label comes twice."""
    if all(isinstance(branch, str) for branch in branches):
        return list(branches)
    tables: list[dict[str, object]] = [
        {branch: {}} if isinstance(branch, str) else {branch[0]: _thaw(branch[1])}
        for branch in branches
    ]
    joined = {label: below for table in tables for label, below in table.items()}
    return joined if len(joined) == len(tables) else list(tables)


Rule: TypeAlias = TaxonomyBuilder | Mapping[str, object] | str
"""A rule, its table in a plan file, or a short text such as ``intervals:5,10``."""


def as_builder(column: str, rule: Rule) -> TaxonomyBuilder:
    """Take a rule in any form; files are looked for in the current folder.

    Raises
    ------
    ParameterError, PlanError
        If it is none.

    Examples
    --------
    >>> as_builder("zip", {"mask": 5}), as_builder("sex", "flat")
    (Mask(length=5, left=False, keep=None), Flat())
    """
    if isinstance(rule, TaxonomyBuilder):
        return rule
    if not isinstance(rule, str | Mapping):
        raise ParameterError(
            f"the taxonomy of {column!r} must be one, like Intervals(5, 10), or its written form, "
            f"like 'intervals:5,10', got {in_short(rule)}"
        )
    return builder_from_plan(read_rule(rule) if isinstance(rule, str) else rule, Path())


def read_rule(text: str) -> dict[str, object]:
    """Read a short text as the table that says the same in a plan file.

    Raises
    ------
    ParameterError
        If it cannot be read so.

    Examples
    --------
    >>> read_rule("intervals:5,10"), read_rule("dates:month,year")
    ({'intervals': [5, 10]}, {'dates': ['month', 'year']})
    """
    kind, _, rest = text.partition(":")
    if kind in ("flat", "auto") and not rest:
        return {kind: True}
    if kind == "intervals":
        return {"intervals": [_number(width) for width in rest.split(",")]}
    if kind == "mask":
        return {"mask": _number(rest)}
    if kind == "dates":
        return {"dates": rest.split(",")}
    if text.endswith((".csv", ".txt")) or kind == "csv":
        return {"csv": str(Path(rest if kind == "csv" else text).resolve())}
    raise ParameterError(
        f"{text!r} is no taxonomy: expected intervals:5,10 · mask:5 · dates:month,year · flat · "
        "auto · or the name of a CSV file"
    )


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            raise ParameterError(f"expected a number in a taxonomy, got {text!r}") from None
