"""Feasible: what can be published at all, and what to say if nothing can."""

from __future__ import annotations

import numpy as np

from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.groups import Groups, Partition
from unlinkable.methods.base import Method, Task
from unlinkable.privacy.base import All, Merging
from unlinkable.typing import BoolArray

__all__ = ["infeasible", "kept", "require_feasible", "require_safe"]


def kept(groups: Groups, privacy: All) -> BoolArray:
    """Tell which groups can be published if all others are left out.

    Leaving groups out changes what a group is compared with, and what an adversary who knows only
    some columns sees. So the rest is judged again, until nothing more has to go.
    """
    keep = privacy.good(groups)
    if privacy.local and not privacy.relative:
        return keep
    while keep.any() and not keep.all():
        rest = groups.select(keep).alone()
        still = privacy.good(rest)
        if still.all():
            break
        keep[np.flatnonzero(keep)[~still]] = False
    return keep


def require_safe(method: Method, privacy: All) -> None:
    """Refuse a promise that two good groups may break together."""
    for model in privacy.models:
        if model.merging is Merging.UNSAFE:
            raise UnsupportedError(
                f"{method} needs a promise that survives merging groups, and {model} may not: "
                "use the method optimal, which then checks every node"
            )


def infeasible(finest: Groups, privacy: All, task: Task) -> InfeasibleError:
    """Say which promise cannot be kept, why, and what would help."""
    if not finest.n_records:
        return InfeasibleError("the table has no records: there is nothing to publish")
    together = Partition.whole(finest).groups()
    limit = task.may_suppress(finest.n_records)
    for model in privacy.models:
        if not model.holds(together):
            return InfeasibleError(
                f"no release that leaves out at most {limit} of {finest.n_records} records keeps "
                f"{model}: {model.explain_failure(together)}"
            )
    return InfeasibleError(
        f"no release of this kind that leaves out at most {limit} of {finest.n_records} records "
        f"keeps {privacy}: allow more suppression, ask for less, or use mondrian"
    )


def require_feasible(finest: Groups, privacy: All, task: Task) -> None:
    """Refuse at once a table that no partition can help.

    If promises survive merging and nothing may be left out, all records put together keep whatever
    any release keeps.
    """
    must_all_stay = task.may_suppress(finest.n_records) == 0
    safe = All(m for m in privacy.models if m.merging is not Merging.UNSAFE)
    if not finest.n_records or (must_all_stay and not safe.holds(Partition.whole(finest).groups())):
        raise infeasible(finest, privacy, task)
