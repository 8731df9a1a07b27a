"""Random tables of people: columns of all kinds, with roles and taxonomies, in plain Python."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import polars as pl

import unlinkable as ul
from tools.fuzz.rules import Rule, draw_rule, flat
from tools.fuzz.values import Value

__all__ = ["Column", "People", "draw_people"]

_ODD = (
    *("NaN", "nan", "null", "None", "{a}", "{a, b}", "a,b", 'a"b', '""', "ü", "", " ", " a"),
    *("[1-3)", "<5", ">=80", "0", "-0", "1e5", "=1+1", "other", "a;b", "a\tb", "true", "\u200b"),
    *("x\ny", "Ä" * 30, "'", "\\", "😀", "&amp;<b>", "-", "2020-01-01", "*a", "**"),
)
_RARE = ("ZZRARE71", 10**6 + 17, -(10**5) - 3, 2**53 + 1)
"""Values that few records have, and that stand nowhere else by chance."""

_NAMES = ("age", "job", "sex", "zip", "born", "Größe", "a b", "x,y", "1", "q'", "ill", "pay", "Ort")


@dataclass(frozen=True)
class Column:
    """A column with its role, its values, and how they may be generalized."""

    name: str
    role: str
    kind: str
    values: tuple[Value, ...]
    rule: Rule


@dataclass(frozen=True)
class People:
    """A table, and in which order its quasi-identifiers are named."""

    columns: tuple[Column, ...]
    order: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.columns[0].values)

    def __getitem__(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)

    def named(self, role: str) -> list[str]:
        """Give the names of the columns that have a role."""
        return [column.name for column in self.columns if column.role == role]

    @property
    def texts(self) -> frozenset[str]:
        """The names of the columns of texts."""
        return frozenset(c.name for c in self.columns if _TYPES[c.kind] == pl.String)

    def records(self) -> list[dict[str, Value]]:
        """Give the table row by row."""
        names = [column.name for column in self.columns]
        rows = zip(*(column.values for column in self.columns), strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def frame(self) -> pl.DataFrame:
        """Give the table as a frame."""
        return pl.DataFrame(
            {c.name: pl.Series(list(c.values), dtype=_TYPES[c.kind]) for c in self.columns}
        )

    def table(self) -> ul.Table:
        """Give the table to the library, with all that is said of its columns."""
        single = {
            role: names[0] for role in ("owner", "guard", "weight") if (names := self.named(role))
        }
        return ul.as_table(
            self.frame(),
            quasi=list(self.order),
            sensitive=self.named("sensitive"),
            identifiers=self.named("identifier"),
            target=self.named("target"),
            insensitive=self.named("insensitive"),
            taxonomies={
                column.name: column.rule.given  # type: ignore[misc]
                for column in self.columns
                if column.rule.given is not None and column.role in ("quasi", "sensitive")
            },
            **single,  # type: ignore[arg-type]
        )


_TYPES: dict[str, type[pl.DataType]] = {
    "text": pl.String,
    "odd": pl.String,
    "code": pl.String,
    "int": pl.Int64,
    "float": pl.Float64,
    "date": pl.Date,
    "bool": pl.Boolean,
}


def draw_people(r: random.Random, *, tiny: bool = False) -> People:
    """Draw a table of one to sixty records; a tiny one can be gone through by brute force."""
    n = r.choice([1, 2, 3, 5, r.randint(4, 12), r.randint(4, 12), r.randint(10, 60)])
    n = r.randint(4, 10) if tiny else n
    names = iter(r.sample(_NAMES, len(_NAMES)))
    width = r.choice([1, 1, 2] if tiny else [1, 1, 2, 2, 2, 3, 4])
    columns = [_drawn(r, next(names), "quasi", n) for _ in range(width)]
    columns += [
        _drawn(r, next(names), "sensitive", n) for _ in range(r.choice([0, 1, 1, 1, 1, 1, 2]))
    ]
    if r.random() < 0.2:
        columns.append(_drawn(r, next(names), "insensitive", n))
    if r.random() < 0.15:
        columns.append(_drawn(r, next(names), "target", n, kind="text"))
    if r.random() < 0.3:
        whose = tuple(f"CANARY-{r.randrange(10**9):09}" for _ in range(n))
        columns.append(Column("name", "identifier", "text", whose, flat()))
    if r.random() < 0.2:
        owners = tuple(f"OWNER-{r.randrange(max(1, n * 2 // 3)):06}" for _ in range(n))
        columns.append(Column("who", "owner", "text", owners, flat()))
    if r.random() < 0.1:
        weights = tuple(r.choice([1.0, 2.0, 0.5]) for _ in range(n))
        columns.append(Column("w", "weight", "float", weights, flat()))
    columns += _guards(r, columns, n)
    columns.append(Column("nr", "insensitive", "int", tuple(range(n)), flat()))
    r.shuffle(columns)
    order = [column.name for column in columns if column.role == "quasi"]
    r.shuffle(order)
    return People(tuple(columns), tuple(order))


def _guards(r: random.Random, columns: list[Column], n: int) -> list[Column]:
    """What people want guarded, where one sensitive column has a tree."""
    sensitive = [column for column in columns if column.role == "sensitive"]
    if len(sensitive) != 1 or not sensitive[0].rule.written.startswith("tree") or r.random() < 0.4:
        return []
    levels = sensitive[0].rule.levels or ()
    nodes = [None, *levels[0], *(label for level in levels for label in level.values())]
    return [Column("minds", "guard", "text", tuple(r.choice(nodes) for _ in range(n)), flat())]


def _drawn(r: random.Random, name: str, role: str, n: int, kind: str | None = None) -> Column:
    kind = (
        kind
        or r.choices(
            ["text", "odd", "code", "int", "float", "date", "bool"], [6, 2, 2, 5, 2, 2, 1]
        )[0]
    )
    domain = _domain(r, kind)
    if kind == "odd" and role == "quasi" and r.random() < 0.05:
        domain.append("*")
    rule = draw_rule(r, kind, domain) if role in ("quasi", "sensitive") else flat()
    if role == "sensitive" and rule.written == "auto":
        rule = flat()
    share = r.choice([0, 0, 0, 0.1, 0.5])
    weights = [1 if value in _RARE else r.choice([2, 2, 5, 16]) for value in domain]
    values: list[Value] = [
        None if r.random() < share else r.choices(domain, weights)[0] for _ in range(n)
    ]
    if kind == "float" and r.random() < 0.15:
        values = [math.nan if r.random() < 0.3 else value for value in values]
    return Column(name, role, kind, tuple(values), rule)


def _domain(r: random.Random, kind: str) -> list[Value]:
    return [*_values(r, kind, r.randint(1, 7))]


def _values(r: random.Random, kind: str, size: int) -> Sequence[Value]:
    if kind == "text":
        return list(r.sample(["ant", "bee", "cat", "dog", "eel", "fox", _RARE[0]], size))
    if kind == "odd":
        return list(r.sample(_ODD, size))
    if kind == "code":
        return sorted({f"{r.randrange(10**5):05}" for _ in range(size)})
    if kind == "bool":
        return [False, True]
    if kind == "date":
        first = date(r.choice([1999, 2020]), 11, 20)
        return sorted({first + timedelta(days=r.randrange(900)) for _ in range(size)})
    far = [r.choice(_RARE[1:])] if r.random() < 0.2 else []
    whole = sorted({r.randrange(-5, 75) for _ in range(size)} | {int(value) for value in far})
    if kind == "int":
        return list(whole)
    return sorted({float(value) / r.choice([1, 2, 10]) for value in whole})
