"""Tasks on promises as a whole: what they say in words, and whether they can be kept at all."""

from __future__ import annotations

from collections.abc import Sequence

from unlinkable.errors import UnlinkableError
from unlinkable.registry import entries
from unlinkable.studio.contracts import Document, MethodFit, PromiseText
from unlinkable.studio.tasks.counting import counted_among
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.data import Table
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base import Method
from unlinkable.tables.models import promised
from unlinkable.tables.models.base import All, BindingContext, GroupModel, Merging, bind_all
from unlinkable.tables.publishing.plans import Plan
from unlinkable.typing import Progress

__all__ = ["promises", "serving"]


def promises(
    session: Session, tell: Progress, plan: Document, granted: Sequence[str]
) -> list[PromiseText]:
    """Say of every promise of a plan what it means, and why it cannot be kept if it cannot."""
    made = session.plan(plan, granted)
    table = session.table(made)
    models = made.models() if made.form.privacy else ()
    return [_told(session, made, table, model) for model in models]


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


def _told(session: Session, plan: Plan, table: Table, model: GroupModel) -> PromiseText:
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
