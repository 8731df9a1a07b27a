"""Membership trials: people who are in the data beside people who are not, with their scores.

Who is not in the data is known from a table of control people, or because a coin left them out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unlinkable.errors import (
    InfeasibleError,
    SchemaError,
    UnlinkableError,
    UnsupportedError,
    unknown,
)
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Oracle, Target, Truth
from unlinkable.tables.attacks.learned.shared.axis import meanings, read_axes
from unlinkable.tables.attacks.learned.shared.recognition import place, suspicion
from unlinkable.tables.attacks.learned.shared.strangers import doubt_on, refuse_unfit
from unlinkable.tables.attacks.learned.shared.trials import Trial
from unlinkable.tables.data import Frame, SideTable, Table, keep_rows
from unlinkable.typing import Columns, CountArray

__all__ = ["compared_columns", "trial_by_control", "trials_by_method"]

_MOST_REFERENCE = 10_000
"""So many people who are not in the data are enough to see how near strangers come."""


def compared_columns(qid: Columns | None, target: Target, *tables: Frame) -> Columns:
    """Find the columns that people are compared by: those that are asked for, or all there are.

    Raises
    ------
    SchemaError
        If a column that is asked for is missing somewhere.
    """
    everywhere = [target.frame, *tables]
    if qid is None:
        known = target.quasi if target.bucket else (*target.quasi, *target.sensitive)
        return tuple(name for name in known if all(name in t.columns for t in everywhere))
    for name in qid:
        for table in everywhere:
            if name not in table.columns:
                raise SchemaError(f"{unknown('column', name, table.columns)} in all tables")
    return qid


def trial_by_control(
    target: Target,
    truth: Truth,
    control: SideTable,
    qid: Columns | None,
    n_people: int,
    rng: np.random.Generator,
) -> Trial:
    """Set people of the original beside those of a control table.

    Raises
    ------
    SchemaError
        If nobody is known by anything.
    DataError
        If the control people are those of the original, or written in another way.
    """
    columns = compared_columns(qid, target, truth.table.frame, control.frame)
    if not columns:
        raise SchemaError(
            f"{control.name!r} shares no column with the release: nobody can be looked for"
        )
    known_share = refuse_unfit(control.name, control.frame, truth, columns)
    tables = [target.frame, truth.table.frame, control.frame]
    axes = read_axes(columns, tables, meanings(target, columns, truth))
    members = rng.permutation(np.arange(len(truth.table)))[:n_people]
    others, known = _tried_and_known(np.arange(len(control)), n_people, rng)
    release, listed = place(axes, 0, distinct=True), place(axes, 2)
    people = place(axes, 1).at(members).beside(listed.at(others))
    scores = suspicion(release, people, listed.at(known))
    return Trial(members, scores, doubt_on(control.name, known_share))


def trials_by_method(
    knowledge: AdversaryKnowledge,
    truth: Truth,
    oracle: Oracle,
    qid: Columns | None,
    n_people: int,
    repetitions: int,
    refusals: list[str],
) -> Iterator[Trial]:
    """Publish random halves, and set the people in them beside the others.

    Why the method refused goes to ``refusals``, if that is about promises and not about values.
    """
    table = truth.table
    for i in range(repetitions):
        heads = knowledge.rng.random(len(table)) < 0.5
        inside, outside = np.flatnonzero(heads), np.flatnonzero(~heads)
        half = Table(keep_rows(table.frame, inside), table.schema, table.origin, table.source)
        try:
            target = oracle.publish(half, knowledge.rng)
        except UnlinkableError as error:
            if isinstance(error, (UnsupportedError, InfeasibleError)):
                refusals.append(str(error))
            continue
        if not len(target) or outside.size < 2 or not inside.size:
            continue
        columns = compared_columns(qid, target, table.frame)
        axes = read_axes(columns, [target.frame, table.frame], meanings(target, columns, truth))
        members = knowledge.rng.permutation(inside)[:n_people]
        others, known = _tried_and_known(outside, n_people, knowledge.rng)
        release, everybody = place(axes, 0, distinct=True), place(axes, 1)
        people = everybody.at(np.concatenate([members, others]))
        yield Trial(members, suspicion(release, people, everybody.at(known)))
        knowledge.progress((i + 1) / repetitions, "told halves apart")


def _tried_and_known(
    strangers: CountArray, n_people: int, rng: np.random.Generator
) -> tuple[CountArray, CountArray]:
    """Part people who are not in the data: those who are tried, and those known not to be in it."""
    mixed = rng.permutation(strangers)
    n_tried = min(n_people, -(-strangers.size // 2))
    return mixed[:n_tried], mixed[n_tried:][:_MOST_REFERENCE]
