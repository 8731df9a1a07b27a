"""All full-domain releases of a tiny table, one by one, against claims of the best and of none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

import unlinkable as ul
from tools.fuzz.judges import UnclearError
from tools.fuzz.methods import FULL_DOMAIN, Method
from tools.fuzz.promises import Promise
from tools.fuzz.tables import Column, People
from tools.fuzz.trial import FailureError
from tools.fuzz.values import Cell, Value, as_text, covers, is_missing
from tools.fuzz.view import View

__all__ = ["check_infeasible", "check_optimal"]

_RECORDS, _NODES, _GROUPS = 10, 24, 5
"""Larger tables are not gone through."""


def check_infeasible(
    people: People, promises: Sequence[Promise], method: Method, suppression: str, about: str
) -> None:
    """Fail if there is a release after all."""
    if method.written not in FULL_DOMAIN or not _is_tiny(people):
        return
    try:
        for view, _ in _releases(people, Fraction(suppression)):
            if all(promise.kept(view) for promise in promises):
                raise FailureError(
                    f"said to be infeasible, but this keeps it: {view.rows}\n{about}"
                )
    except UnclearError:
        return


def check_optimal(
    release: ul.Release,
    people: People,
    promises: Sequence[Promise],
    method: Method,
    suppression: str,
    about: str,
) -> None:
    """Fail if a release that is said to be optimal loses more than another one."""
    claimed = getattr(release.outcome, "optimal", None)
    if not claimed or method.written not in FULL_DOMAIN or method.metric or not _is_tiny(people):
        return
    published = release.frame.to_dicts()  # type: ignore[attr-defined]
    rows = [{name: as_text(value) for name, value in row.items()} for row in published]
    reached = _loss(people, rows)
    try:
        for view, _ in _releases(people, Fraction(suppression)):
            better = _loss(people, view.rows) < reached
            if better and all(promise.kept(view) for promise in promises):
                raise FailureError(
                    f"said to be optimal with iloss {float(reached)}, but this loses "
                    f"{float(_loss(people, view.rows))}: {view.rows}\n{about}"
                )
    except UnclearError:
        return


def _is_tiny(people: People) -> bool:
    columns = [people[name] for name in people.order]
    known = all(column.rule.levels is not None for column in columns)
    nodes = 1
    for column in columns:
        nodes *= len(column.rule.levels or ()) + 2
    return known and nodes <= _NODES and len(people) <= _RECORDS and not people.named("weight")


def _releases(people: People, suppression: Fraction) -> Iterator[tuple[View, tuple[int, ...]]]:
    """Give every node with every set of groups that may be left out."""
    columns = [people[name] for name in people.order]
    records = people.records()
    limit = int(suppression * len(people))
    for node in product(*(range(len(c.rule.levels or ()) + 2) for c in columns)):
        rows = [_shown(record, columns, node) for record in records]
        whole = View(people.order, rows)
        groups = whole.groups()
        if limit and len(groups) > _GROUPS:
            raise UnclearError
        for number in range(len(groups)):
            for left_out in combinations(groups, number):
                gone = {at for group in left_out for at in group}
                if len(gone) <= limit:
                    kept = [at for at in range(len(rows)) if at not in gone]
                    yield _part(people, rows, records, kept), node


def _part(
    people: People,
    rows: list[dict[str, Cell]],
    records: list[dict[str, Value]],
    kept: list[int],
) -> View:
    owner = people.named("owner")
    return View(
        people.order,
        [rows[at] for at in kept],
        [records[at] for at in kept],
        [as_text(records[at][owner[0]]) for at in kept] if owner else None,
        {column.name: column.rule for column in people.columns},
        people.texts,
    )


def _shown(
    record: dict[str, Value], columns: Sequence[Column], node: tuple[int, ...]
) -> dict[str, Cell]:
    row = {name: as_text(value) for name, value in record.items()}
    for column, level in zip(columns, node, strict=True):
        value = record[column.name]
        if level == len(column.rule.levels or ()) + 1:
            row[column.name] = "*"
        elif level and not is_missing(value):
            row[column.name] = column.rule.labels(value)[level - 1]
    return row


def _loss(people: People, rows: Sequence[dict[str, Cell]]) -> Fraction:
    """The mean of (values covered - 1) / (values of the column); 1 where a record is left out."""
    lost = Fraction(0)
    for name in people.order:
        column = people[name]
        listed = column.rule.levels[0] if column.rule.levels else {}
        tree = column.rule.written.startswith("tree")
        domain: set[Value] = {None if is_missing(value) else value for value in column.values}
        domain |= set(listed) if tree else set()
        for row in rows:
            text = row[name]
            width = sum(covers(text, value, column.rule.labels(value)) for value in domain)
            lost += Fraction(width - 1, len(domain))
    lost += (len(people) - len(rows)) * len(people.order)
    return lost / (len(people) * len(people.order))
