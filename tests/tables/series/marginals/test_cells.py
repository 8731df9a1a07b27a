"""Whoever knows the people that counts are of is no surer than was promised."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.errors import ChannelError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.models import KAnonymity, KCAnonymity
from unlinkable.tables.series.marginals.cells import with_people
from unlinkable.tables.series.marginals.marginals import Marginals
from unlinkable.tables.series.next_release import Next, next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.taxonomies.builders import Tree

SIX = {"sex": [*"fmfffm"], "born": [*"FFUFFU"], "ill": [*"yxxzzy"], "age": [3, 7, 4, 8, 9, 2]}
HALF = KCAnonymity(2, "1/2", sensitive="ill")


def people(**other: list[str]) -> Table:
    trees = {name: Tree({text: {} for text in sorted({*SIX[name]})}) for name in ("born", "sex")}
    ills = Tree({"mild": ["x", "y"], "severe": ["z"]})
    table = {"sex": SIX["sex"], "born": SIX["born"], "age": SIX["age"], "ill": SIX["ill"]} | other
    taxonomies = {**trees, "ill": ills}
    return as_table(table, quasi=["sex", "born", "age"], sensitive="ill", taxonomies=taxonomies)


def counted(policy: Marginals, table: Table) -> Next:
    return next_release(policy, Request(table, np.arange(6), (KAnonymity(1),)), Past())


def test_everybody_is_counted_where_he_shows_what_is_counted() -> None:
    table = people()
    made = counted(Marginals(columns=["born", "age", "ill"], bins=[["age", 0, 5, 10]]), table)
    known = with_people(made.edition, Request(table, np.arange(6)))
    assert made.edition.people is None
    assert known.people is not None
    assert sorted(known.people.tolist()) == list(range(6))
    shown = known.target.frame.select("born", "age", "ill").rows()
    for who, (born, age, ill) in zip(known.people.tolist(), shown, strict=True):
        assert (born, ill) == (SIX["born"][who], SIX["ill"][who])
        assert age == ("[0-5)" if int(SIX["age"][who]) < 5 else "[5-10)")
    assert known.target.sensitive == ("ill",)


def test_what_is_counted_in_wider_bins_is_not_told() -> None:
    table = people()
    made = counted(Marginals(columns=["born", "ill"], levels=[["ill", 1]]), table)
    known = with_people(made.edition, Request(table, np.arange(6)))
    assert known.target.sensitive == ()


def test_counts_beside_a_table_that_would_make_somebody_surer_are_refused() -> None:
    """The join leaves two people and two values to everybody; most worlds do not."""
    table = as_table({n: SIX[n] for n in ("sex", "born", "ill")}, quasi=["sex", "born"],
        sensitive="ill", taxonomies={n: Tree({t: {} for t in sorted({*SIX[n]})})
        for n in ("sex", "born", "ill")})  # fmt: skip
    first = next_release(Marginals(), Request(table, np.arange(6), (HALF,), Mondrian()), Past())
    past = Past((first.edition,), first.memory, 6)
    request = Request(table, np.arange(6), (KAnonymity(2),))
    with pytest.raises(ChannelError, match="critical-absence finds 3 of 6") as told:
        next_release(Marginals(columns=["born", "ill"]), request, past)
    names = [outcome.attack.name for outcome in told.value.outcomes]  # type: ignore[attr-defined]
    assert names == ["record-tracing", "critical-absence"]


def test_a_table_that_has_changed_is_refused() -> None:
    made = counted(Marginals(columns=["born", "ill"]), people())
    with pytest.raises(UnsupportedError, match="counts other values than the table has"):
        with_people(made.edition, Request(people(born=[*"FFUFUU"]), np.arange(6)))
