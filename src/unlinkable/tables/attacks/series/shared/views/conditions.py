"""Conditions: selections of records and dependencies of columns, in written form.

A selection is a list of comparisons, all of which must hold: ``age > 45 and job = cook``.

A dependency says that records which agree on some columns agree on another: ``name -> age``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np
from attrs import frozen

from unlinkable.errors import ParameterError, in_short
from unlinkable.typing import Columns

__all__ = ["Condition", "Dependency", "Selection", "as_texts_of", "closed", "keys"]

_MARK = re.compile(r"(<=|>=|!=|<|>|=)")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_DAY = re.compile(r"-?\d{4,}-\d{2}-\d{2}")
_QUOTED = re.compile(r'"[^"]*"')
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
_HOW = 'write comparisons like age > 45, 40 < age < 55 or job = "cook", and join them by and'


@frozen
class Condition:
    """A comparison of a column with a value.

    Attributes
    ----------
    column
        Whose values.
    mark
        One of ``<``, ``<=``, ``>``, ``>=``, ``=`` and ``!=``.
    value
        What they are compared with: a number, a date, or for ``=`` and ``!=`` any text.
    """

    column: str
    mark: str
    value: str

    @property
    def is_order(self) -> bool:
        """Whether it compares by order, so that the column must hold numbers or dates."""
        return self.mark not in ("=", "!=")

    @property
    def is_negated(self) -> bool:
        """Whether it holds where the text of `texts` does not."""
        return self.mark == "!="

    def texts(self, *, on_scale: bool = True) -> tuple[str, ...]:
        """Write what it covers as a published value; what follows only cuts the values apart.

        On a scale of numbers or dates, a value is told apart from those just after it.

        Examples
        --------
        >>> Condition("age", ">=", "45").texts(), Condition("age", "<", "45").texts()
        (('>=45',), ('<45',))
        >>> Condition("age", ">", "45").texts()
        ('>=45.00000000000001',)
        """
        value = self.value
        match self.mark:
            case ">=":
                return (f">={value}",)
            case "<":
                return (f"<{value}",)
            case ">":
                return (f">={_after(value)}",)
            case "<=":
                return (f"<{_after(value)}",)
        is_place = on_scale and (_NUMBER.fullmatch(value) or _DAY.fullmatch(value))
        return (value, f">={_after(value)}") if is_place else (value,)


@frozen
class Selection:
    """Comparisons, all of which hold for the records of a view; none if it is about all records.

    Examples
    --------
    >>> [(c.column, c.mark, c.value) for c in Selection.read("40 < age < 55").conditions]
    [('age', '>', '40'), ('age', '<', '55')]
    >>> chosen = Selection.read('job = "cook" and 45 <= age')
    >>> [(c.column, c.mark, c.value) for c in chosen.conditions]
    [('job', '=', 'cook'), ('age', '>=', '45')]
    """

    conditions: tuple[Condition, ...] = ()

    @property
    def columns(self) -> Columns:
        """The columns that are compared."""
        return tuple(dict.fromkeys(c.column for c in self.conditions))

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a selection; an empty text selects everything.

        Raises
        ------
        ParameterError
            If it is none.
        """
        if not isinstance(text, str):
            raise ParameterError(f"a selection is a text like 'age > 30', got {in_short(text)}")
        if not text.strip():
            return cls()
        found: list[Condition] = []
        for part in _apart(text):
            found += _comparison(text, part)
        return cls(tuple(found))


def as_texts_of(value: str | Iterable[str] | None) -> tuple[str, ...]:
    """Read one text or several as a tuple."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _apart(text: str) -> list[str]:
    """Split at the word and, wherever it is not quoted."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    bare = _QUOTED.sub(keep, text)
    return [re.sub(r"\0(\d+)\0", lambda m: kept[int(m[1])], part) for part in _AND.split(bare)]


def _comparison(text: str, part: str) -> list[Condition]:
    quoted = [match.span() for match in _QUOTED.finditer(part)]
    marks = [m for m in _MARK.finditer(part) if not any(lo < m.start() < hi for lo, hi in quoted)]
    ends = [0, *(at for m in marks for at in m.span()), len(part)]
    sides = [part[lo:hi].strip() for lo, hi in zip(ends[::2], ends[1::2], strict=True)]
    if len(marks) not in (1, 2) or not all(sides):
        raise ParameterError(f"cannot read {part.strip()!r} of the selection {text!r}: {_HOW}")
    if len(marks) == 2:
        lower, column, upper = sides
        if not {marks[0][0], marks[1][0]} <= {"<", "<="} or _is_value(column):
            raise ParameterError(f"cannot read {part.strip()!r} of the selection {text!r}: {_HOW}")
        return [
            _condition(text, column, _TURNED[marks[0][0]], lower),
            _condition(text, column, marks[1][0], upper),
        ]
    (left, right), mark = sides, marks[0][0]
    if _is_value(left) and not _is_value(right):
        left, right, mark = right, left, _TURNED[mark]
    return [_condition(text, left, mark, right)]


def _condition(text: str, column: str, mark: str, value: str) -> Condition:
    bare = value.strip('"')
    if mark not in ("=", "!=") and not (_NUMBER.fullmatch(bare) or _DAY.fullmatch(bare)):
        raise ParameterError(
            f"the selection {text!r} compares {column!r} with {bare!r}, which is neither a number "
            f"nor a day: {_HOW}"
        )
    return Condition(column, mark, bare)


def _is_value(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text) or _DAY.fullmatch(text) or _QUOTED.fullmatch(text))


def _after(value: str) -> str:
    """Write the next number, or the next day."""
    if _DAY.fullmatch(value):
        return str(np.datetime64(value) + 1)
    after = np.nextafter(float(value), np.inf)
    return np.format_float_positional(after, trim="-")


@frozen
class Dependency:
    """Records that agree on ``given`` agree on ``told``.

    Examples
    --------
    >>> Dependency.read("name, birth -> age")
    Dependency(given=('name', 'birth'), told=('age',))
    """

    given: Columns
    told: Columns

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a dependency.

        Raises
        ------
        ParameterError
            If it is none.
        """
        sides = [[name.strip() for name in side.split(",")] for side in text.split("->")]
        if len(sides) != 2 or not all(name for side in sides for name in side):
            raise ParameterError(f"{text!r} is no dependency: write one like name -> age")
        return cls(tuple(sides[0]), tuple(sides[1]))


def closed(dependencies: Sequence[Dependency]) -> tuple[Dependency, ...]:
    """Let every dependency tell all that follows from what is given.

    Examples
    --------
    >>> closed([Dependency.read("name -> job"), Dependency.read("job -> pay")])
    (Dependency(given=('name',), told=('job', 'pay')), Dependency(given=('job',), told=('pay',)))
    """
    found = []
    for one in dependencies:
        told = dict.fromkeys(one.given)
        for _ in dependencies:
            for other in dependencies:
                if {*other.given} <= {*told}:
                    told |= dict.fromkeys(other.told)
        found.append(Dependency(one.given, tuple(n for n in told if n not in one.given)))
    return tuple(one for one in found if one.told)


def keys(known: Columns, dependencies: Sequence[Dependency]) -> tuple[Columns, ...]:
    """Find the columns on which no two people agree, if no two agree on all that are known.

    Records that agree on what a dependency is given agree on what it determines.

    Parameters
    ----------
    known
        The columns that tell people apart.
    dependencies
        All of them, `closed`.

    Examples
    --------
    >>> keys(("first", "last"), [Dependency.read("number -> last")])
    (('first', 'last'), ('first', 'number'))
    """
    found = [known]
    for key in found:
        for one in dependencies:
            if {*key} & {*one.told}:
                kept = (name for name in key if name not in one.told)
                other = tuple(dict.fromkeys((*kept, *one.given)))
                if not any({*old} <= {*other} for old in found):
                    found.append(other)
    return tuple(found)
