"""Tasks on promises: what they say, whether they can be kept, and what a parameter would cost.

Two numbers bound what a search will find. How many records would be suppressed if values stayed as
they are: no release that leaves values alone does better. And how many at given full-domain levels,
where all groups that break a promise are suppressed: such a release exists, and a search may find a
better one. Both are counted on the groups themselves and are exact.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from unlinkable.errors import ParameterError, UnlinkableError
from unlinkable.registry import entries, make_from
from unlinkable.studio.contracts import Document, Effect, MethodFit, PromiseText
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.data import Side, Table, with_populations
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.groups import POPULATION_PREFIX, Groups, Partition
from unlinkable.tables.methods import kept
from unlinkable.tables.methods.base import Method, Task
from unlinkable.tables.methods.lattice import Optimal
from unlinkable.tables.models import promised
from unlinkable.tables.models.base import All, BindingContext, GroupModel, Merging, bind_all
from unlinkable.tables.publishing.anonymizing import as_guide
from unlinkable.tables.publishing.plans import Plan
from unlinkable.typing import Columns, Progress

__all__ = ["counted_among", "effect", "promises", "serving"]


def counted_among(
    table: Table, models: Sequence[GroupModel], side: Side, also: Iterable[Columns] = ()
) -> tuple[Table, Counted]:
    """Count what promises need, and what else is asked for.

    Gives the table with taxonomies that know the values of populations, too.
    """
    needs = {*All(models).needs(), *also}
    asked = {name for names in needs for name in names if name.startswith(POPULATION_PREFIX)}
    people = sorted(name.removeprefix(POPULATION_PREFIX) for name in asked)
    wide, populations = with_populations(table, {name: side.open(name) for name in people})
    return wide, count(wide, needs, populations)


def promises(
    session: Session, tell: Progress, plan: Document, granted: Sequence[str]
) -> list[PromiseText]:
    """Say of every promise of a plan what it means, and why it cannot be kept if it cannot."""
    made = session.plan(plan, granted)
    table = session.table(made)
    models = made.models() if made.form.privacy else ()
    return [_promise_text(session, made, table, model) for model in models]


def serving(
    session: Session, tell: Progress, plan: Document, granted: Sequence[str]
) -> list[MethodFit]:
    """Tell which methods can keep the promises of a plan, as they are without parameters."""
    made = session.plan(plan, granted)
    table = session.table(made)
    everything = All(bind_all(made.models(), BindingContext.at(table, made.side())))
    return [
        {"method": entry.name, "refusal": _refusal(entry.make, everything, made, table)}
        for entry in entries("method")
    ]


def _promise_text(session: Session, plan: Plan, table: Table, model: GroupModel) -> PromiseText:
    return {
        "model": str(model),
        "promised": promised(model),
        "not_promised": list(model.does_not_promise),
        "problem": _problem(session, plan, table, model),
    }


def _problem(session: Session, plan: Plan, table: Table, model: GroupModel) -> str | None:
    """Say why a promise cannot be kept, even with all records in one group; None if it can."""
    try:
        bound = bind_all([model], BindingContext.at(table, plan.side()))
    except UnlinkableError as error:
        return str(error)
    for one in bound:
        if one.unsearchable is not None or one.merging is Merging.UNSAFE:
            continue
        if problem := _impossible(one, _finest(session, plan, table, one)):
            return problem
    return None


def _finest(session: Session, plan: Plan, table: Table, model: GroupModel) -> Groups:
    """Count what a promise needs, unless it has been counted before."""
    key = f"finest {sorted(model.needs())}"
    if key not in session.kept:
        session.kept[key] = counted_among(table, [model], plan.side())[1].finest
    found: Groups = session.kept[key]
    return found


def _impossible(model: GroupModel, finest: Groups) -> str | None:
    together = Partition.whole(finest).groups()
    try:
        if not finest.n_records or All([model]).prepared(finest).holds(together):
            return None
        return model.explain_failure(together)
    except UnlinkableError:
        return None  # It takes more than groups to judge it: the search will say.


def _refusal(make: type[Method], privacy: All, plan: Plan, table: Table) -> str | None:
    try:
        method = make().bind(table.schema)
        method.require(privacy, may_suppress=plan.suppression > 0)
    except UnlinkableError as error:
        return str(error)
    except TypeError:
        return "it needs parameters"
    return None


_TIME_LIMIT = 8.0
"""Seconds after which values that were not looked at yet are left open."""

_SEARCH = 2.0
"""Seconds for the levels to compare with."""


def effect(
    session: Session,
    tell: Progress,
    plan: Document,
    granted: Sequence[str],
    promise: int,
    parameter: str,
    values: Sequence[Any],
    levels: dict[str, int] | None = None,
) -> Effect:
    """Tell how many records each value of a parameter would cost."""
    made = session.plan(plan, granted)
    if not 0 <= promise < len(made.form.privacy):
        raise ParameterError(f"there is no promise number {promise + 1} in the plan")
    tell(0.1, "reading the table")
    table = session.table(made)
    started = time.monotonic()
    asked = [_with(made, table, promise, parameter, value) for value in values]
    now = _bound(made, table, [call.make() for call in made.form.privacy])
    every = [model for models in [now, *filter(None, asked)] for model in models]
    wide, counted = _counted(session, made, table, every)
    finest = counted.finest
    tell(0.3, "looking for levels to compare with")
    chosen = levels or _levels(session, made, wide, now, counted)
    coarse = _at_levels(wide, finest, chosen)
    raw_shares, coarse_shares = [], []
    for i, models in enumerate(asked):
        tell(0.4 + 0.6 * i / len(asked), f"{parameter} = {values[i]}")
        is_late = time.monotonic() - started > _TIME_LIMIT
        open_ = models is None or is_late
        coarse_shares.append(None if open_ or models is None else _lost(coarse, models))
        raw_shares.append(None if open_ or models is None else _lost(finest, models))
    call = made.form.privacy[promise]
    return {
        "model": str(call),
        "parameter": parameter,
        "values": list(values),
        "raw": raw_shares,
        "coarse": coarse_shares,
        "levels": chosen,
        "groups": len(finest),
        "words": [
            _words(parameter, value, share)
            for value, share in zip(values, coarse_shares, strict=True)
        ],
    }


def _with(
    plan: Plan, table: Table, promise: int, parameter: str, value: object
) -> list[GroupModel] | None:
    """Give all promises, one of them with another value; None if that value means nothing."""
    made = []
    for i, call in enumerate(plan.form.privacy):
        arguments = {**call.arguments, parameter: value} if i == promise else call.arguments
        try:
            made.append(make_from("model", call.name, arguments))
        except ParameterError:
            return None
    return _bound(plan, table, made)


def _bound(plan: Plan, table: Table, models: Sequence[object]) -> list[GroupModel]:
    """Say which columns promises are about; those that no groups can show are left aside."""
    given = [m for m in models if isinstance(m, GroupModel) and m.unsearchable is None]
    return [*bind_all(given, BindingContext.at(table, plan.side()))]


def _counted(
    session: Session, plan: Plan, table: Table, models: Sequence[GroupModel]
) -> tuple[Table, Counted]:
    """Count the finest groups, or take what was counted before."""
    key = f"counted {sorted(All(models).needs())}"
    if key not in session.kept:
        session.kept[key] = counted_among(table, models, plan.side())
    found: tuple[Table, Counted] = session.kept[key]
    return found


def _levels(
    session: Session, plan: Plan, table: Table, models: Sequence[GroupModel], counted: Counted
) -> dict[str, int]:
    """Find the full-domain levels that lose least for the plan as it is, in a moment."""
    key = f"levels {[str(m) for m in models]} {plan.suppression} {plan.metric()}"
    if key not in session.kept:
        names = [a.name for a in table.attributes]
        guide = as_guide(plan.metric()).bind(table.schema)
        counted = counted.also(table, guide.needs(table.schema))
        task = Task(table.attributes, guide, plan.suppression)
        try:
            everything = All(models).prepared(counted.finest)
            found = Optimal(time=_SEARCH).search(counted.finest, everything, task)
            session.kept[key] = dict(found.node or {})
        except UnlinkableError:
            session.kept[key] = {a.name: (a.taxonomy.height + 1) // 2 for a in table.attributes}
        session.kept[key] = {name: int(session.kept[key][name]) for name in names}
    chosen: dict[str, int] = session.kept[key]
    return chosen


def _at_levels(table: Table, finest: Groups, levels: dict[str, int]) -> Groups:
    attributes = table.attributes
    at = [min(max(levels.get(a.name, 0), 0), a.taxonomy.height) for a in attributes]
    return Partition.at_levels(finest, attributes, at).groups()


def _lost(groups: Groups, models: Sequence[GroupModel]) -> float | None:
    """Give the share of records in groups that break a promise."""
    if not groups.n_records:
        return 0.0
    everything = All(models).prepared(groups)
    try:
        keep = kept(groups, everything)
    except UnlinkableError:
        return None
    return float(groups.sizes[~keep].sum()) / groups.n_records


def _words(parameter: str, value: object, share: float | None) -> str:
    if share is None:
        return f"at {parameter}={value} the cost could not be computed in time"
    if share == 0:
        return f"at {parameter}={value} no record would be suppressed"
    about = "less than 0.1 %" if share < 0.001 else f"about {100 * share:.2g} %"
    if share >= 0.995:
        about = "practically all"
    return f"at {parameter}={value} {about} of the records would be suppressed"
