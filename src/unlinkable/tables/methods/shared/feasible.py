"""Feasible: what can be published at all, and what to say if nothing can."""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve

from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Method, Task
from unlinkable.tables.models.base import All, GroupModel, Merging

__all__ = ["infeasible", "not_found", "require_feasible", "require_safe", "require_whole"]


def require_safe(method: Method, privacy: All) -> None:
    """Refuse a promise that two good groups may break together."""
    for model in privacy.models:
        if model.merging is Merging.UNSAFE:
            raise UnsupportedError(
                f"{method} needs a promise that survives merging groups, and {model} may not: "
                "use the method optimal, which then checks every node"
            )


def infeasible(finest: Groups, privacy: All, task: Task) -> InfeasibleError:
    """Say which promise cannot be kept, why, and what would help.

    To be said only if it is proved that no release of the kind that was searched for keeps it.
    """
    if not finest.n_records:
        return InfeasibleError("the table has no records: there is nothing to publish")
    together = Partition.whole(finest).groups()
    limit = task.may_suppress(finest.n_records)
    for model in privacy.models:
        if not model.holds(together):
            kind = "" if _rules_out_all(model, limit) else " of this kind"
            return InfeasibleError(
                f"no release{kind} that leaves out at most {limit} of {finest.n_records} records "
                f"keeps {model}: {model.explain_failure(together)}"
            )
    return InfeasibleError(
        f"no release of this kind that leaves out at most {limit} of {finest.n_records} records "
        f"keeps {privacy}: allow more suppression, ask for less, or use mondrian"
    )


def not_found(
    method: Method, finest: Groups, privacy: All, task: Task, *, tried: str, instead: str
) -> InfeasibleError:
    """Say that a search has found nothing, or that there is nothing where that is certain.

    Parameters
    ----------
    method, finest, privacy, task
        What was searched for, and by what.
    tried
        What the method has tried, and what not.
    instead
        The method to use instead.
    """
    limit = task.may_suppress(finest.n_records)
    together = Partition.whole(finest).groups()
    if not finest.n_records or any(
        _rules_out_all(m, limit) and not m.holds(together) for m in privacy.models
    ):
        return infeasible(finest, privacy, task)
    broken = [m.explain_failure(together) for m in privacy.models if not m.holds(together)]
    why = "".join(f" As one group: {reason}." for reason in broken[:1])
    return InfeasibleError(
        f"{method} found no release that leaves out at most {limit} of {finest.n_records} records "
        f"and keeps {privacy}, which does not prove that there is none: {tried}.{why} Allow more "
        f"suppression, ask for less, or use {instead}"
    )


def _rules_out_all(model: GroupModel, limit: int) -> bool:
    """Whether all records in one group break the promise only if every release breaks it.

    If a group keeps it whatever is merged in, any group of a release would keep it together with
    all other records, also those that are left out.
    """
    absorbs = model.merging is Merging.ABSORBS and not model.relative
    return absorbs or (limit == 0 and model.merging is not Merging.UNSAFE)


def require_feasible(finest: Groups, privacy: All, task: Task) -> None:
    """Refuse at once a table that no partition can help.

    If promises survive merging and nothing may be left out, all records put together keep whatever
    any release keeps.
    """
    must_all_stay = task.may_suppress(finest.n_records) == 0
    safe = All(m for m in privacy.models if m.merging is not Merging.UNSAFE)
    if not finest.n_records or (must_all_stay and not safe.holds(Partition.whole(finest).groups())):
        raise infeasible(finest, privacy, task)


def require_whole(method: Method, finest: Groups, privacy: All, task: Task) -> None:
    """Refuse a table that breaks a promise as one group, with which a search begins."""
    if not finest.n_records:
        raise infeasible(finest, privacy, task)
    whole = Partition.whole(finest).groups()
    for model in privacy.models:
        if not All([model]).holds(whole):
            if model.merging is Merging.UNSAFE:
                raise UnsupportedError(
                    f"{method.name} starts from all records in one group, which break {model}: use "
                    "optimal, which checks every node"
                )
            raise infeasible(finest, privacy, evolve(task, suppression=Fraction(0)))
