"""All tables that have some views, one by one: what follows from views by definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, product
from typing import Any

import polars as pl
from hypothesis import strategies as st

from unlinkable.tables.attacks.series.shared.views.conditions import Dependency, Selection
from unlinkable.tables.attacks.series.shared.views.view_set import View
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Tree

__all__ = ["BLURRED", "DOMAINS", "Following", "RandomView", "ViewCase", "following", "view_cases"]

Record = tuple[Any, ...]

DOMAINS: dict[str, tuple[Any, ...]] = {
    "name": ("ann", "bob"),
    "job": ("cook", "clerk"),
    "ill": ("flu", "hiv", "ulcer"),
    "age": (1, 2, 3, 4),
}
"""The values that anybody may have. Ages are compared with halves only, so that there is one
between any two bounds."""

BLURRED = "any"
"""What stands for all values of a column."""

SELECTIONS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "": lambda r: True,
    "job = cook": lambda r: r["job"] == "cook",
    'ill != "hiv"': lambda r: r["ill"] != "hiv",
    "age > 2.5": lambda r: r["age"] > 2.5,
    "1.5 <= age < 3.5": lambda r: 1.5 <= r["age"] < 3.5,
    "age <= 3.5 and job = clerk": lambda r: r["age"] <= 3.5 and r["job"] == "clerk",
}


@dataclass(frozen=True)
class RandomView:
    """Which columns of which records are published, and whether their number is told.

    Names may be blurred: then it shows only that somebody has one of those that there are.
    """

    columns: tuple[str, ...]
    selection: str
    is_counted: bool
    is_blurred: bool = False

    def of(self, table: tuple[dict[str, Any], ...]) -> list[Record]:
        """Give what is published of a table, in order."""
        rows = [
            tuple(
                BLURRED if name == "name" and self.is_blurred else record[name]
                for name in self.columns
            )
            for record in table
            if SELECTIONS[self.selection](record)
        ]
        return sorted(rows if self.is_counted else set(rows))


@dataclass(frozen=True)
class ViewCase:
    """A table, its views, and what else is known of it."""

    attributes: tuple[str, ...]
    table: tuple[dict[str, Any], ...]
    views: tuple[RandomView, ...]
    dependencies: tuple[str, ...]
    one_record: bool

    def told(self) -> list[View]:
        """Give the views as they are read."""
        taxonomies = {
            name: Tree({BLURRED: list(values)}).build(observe(name, []))
            for name, values in DOMAINS.items()
            if name != "age"
        }
        return [
            View(
                pl.DataFrame(view.of(self.table), schema=list(view.columns), orient="row"),
                Selection.read(view.selection),
                view.is_counted,
                taxonomies,
                f"view {i + 1}",
            )
            for i, view in enumerate(self.views)
        ]

    def worlds(self) -> Iterator[tuple[dict[str, Any], ...]]:
        """List all tables that have the views."""
        types = [
            dict(zip(self.attributes, values, strict=True))
            for values in product(*(DOMAINS[name] for name in self.attributes))
        ]
        published = [view.of(self.table) for view in self.views]
        # A record that a view would show, and does not, is in no table.
        types = [
            t
            for t in types
            if all({*v.of((t,))} <= {*told} for v, told in zip(self.views, published, strict=True))
        ]
        for table in self._tables(types):
            if self._meets(table) and all(
                view.of(table) == told for view, told in zip(self.views, published, strict=True)
            ):
                yield table

    def _tables(self, types: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], ...]]:
        if self.one_record:
            each = [[(), *((t,) for t in types if t["name"] == name)] for name in DOMAINS["name"]]
            yield from (tuple(chain(*records)) for records in product(*each))
        elif any(view.is_counted for view in self.views):
            yield from combinations_with_replacement(types, len(self.table))
        else:
            yield from chain(*(combinations(types, n) for n in range(len(types) + 1)))

    def _meets(self, table: tuple[dict[str, Any], ...]) -> bool:
        for text in self.dependencies:
            d = Dependency.read(text)
            sides = {(tuple(r[n] for n in d.given), tuple(r[n] for n in d.told)) for r in table}
            if len(sides) > len({given for given, _ in sides}):
                return False
        return True


@dataclass
class Following:
    """What follows for people of one kind."""

    values: set[Any]
    always: set[Any]
    people: int
    least: dict[Any, Fraction]


def following(
    case: ViewCase, kind_of: Callable[[dict[str, Any]], Any], sensitive: str
) -> dict[Any, Following]:
    """Look at all tables, and at the people of every kind in each of them."""
    found: dict[Any, Following] = {}
    for table in case.worlds():
        kinds = Counter(kind_of(r) for r in table)
        pairs = Counter((kind_of(r), r[sensitive]) for r in table)
        for kind, n in kinds.items():
            told = found.setdefault(kind, Following(set(), {*DOMAINS[sensitive]}, 0, {}))
            told.people = max(told.people, n)
            for value in DOMAINS[sensitive]:
                share = Fraction(pairs[kind, value], n)
                told.least[value] = min(told.least.get(value, Fraction(1)), share)
                if share:
                    told.values.add(value)
                else:
                    told.always.discard(value)
    return found


@st.composite
def view_cases(draw: st.DrawFn, *, counted: bool, one_record: bool) -> ViewCase:
    """Draw a table of a few records, and two or three views of it."""
    attributes: tuple[str, ...] = ("name", "age", "ill") if one_record else ("name", "job", "ill")
    if one_record and draw(st.booleans()):
        attributes = ("name", "job", "age", "ill")
    record = st.fixed_dictionaries({n: st.sampled_from(DOMAINS[n]) for n in attributes})
    table = draw(st.lists(record, min_size=1, max_size=3 if counted else 4))
    if one_record:
        table = list({r["name"]: r for r in table}.values())
    selections = [text for text in SELECTIONS if {*Selection.read(text).columns} <= {*attributes}]
    views = []
    for i in range(draw(st.integers(2, 3))):
        columns = draw(st.sets(st.sampled_from(attributes), min_size=1, max_size=2))
        # The first one tells how many records there are, so that there is an end to the tables.
        selection = "" if counted and not i else draw(st.sampled_from(selections))
        is_counted = counted and (not i or draw(st.booleans()))
        is_blurred = one_record and draw(st.booleans())
        views.append(RandomView(tuple(sorted(columns)), selection, is_counted, is_blurred))
    among = [(), ("name -> ill",), ("name -> job",), ("job -> ill", "name -> job")]
    if one_record:
        among += [("ill -> name",), ("job -> ill", "ill -> name")]
    dependencies = draw(st.sampled_from(among))
    dependencies = tuple(
        d
        for d in dependencies
        if {*Dependency.read(d).given, *Dependency.read(d).told} <= {*attributes}
    )
    case = ViewCase(attributes, tuple(table), tuple(views), dependencies, one_record)
    if not case._meets(case.table):
        return ViewCase(attributes, tuple(table), tuple(views), (), one_record)
    return case
