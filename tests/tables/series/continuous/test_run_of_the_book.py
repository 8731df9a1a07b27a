"""continuous on the book's patients."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests import cases
from unlinkable.errors import InfeasibleError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.series.continuous.continuous import Continuous
from unlinkable.tables.series.next_release import next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.taxonomies.builders import Tree

CASE = cases.load("book-ch10-ex10.3-10.10-correspondence-attacks")["input"]
BORN = Tree({"Europe": ["UK", "France"], "America": ["Canada"]})
WORK = Tree({"Professional": ["Lawyer", "Doctor"]})


def patients() -> Table:
    """Both batches of Example 10.3, as they are."""
    rows = CASE["R2"]["rows"]
    return as_table(
        {"Birthplace": [r[4] for r in rows], "Job": [r[5] for r in rows]}
        | {"Disease": [r[3] for r in rows]},
        quasi=["Birthplace", "Job"],
        sensitive="Disease",
        taxonomies={"Birthplace": BORN, "Job": WORK},
    )


def after_r1() -> Past:
    """Table 10.4 is out."""
    table, rows = patients(), CASE["R1"]["rows"]
    names = ("Birthplace", "Job", "Disease")
    frame = pl.DataFrame({name: [row[j + 1] for row in rows] for j, name in enumerate(names)})
    taxonomies = {name: table.taxonomy(name) for name in names[:2]}
    target = Target(frame, names[:2], names[2:], taxonomies)
    return Past((Edition(target, np.arange(5), "R1"),), {}, 5)


@pytest.mark.parametrize("squares", ["before", "after", "reduction"])
@pytest.mark.parametrize("targets", ["possible", "actual"])
def test_the_run_on_the_book_s_patients(targets: str, squares: str) -> None:
    policy = Continuous(targets=targets, squares=squares)
    shown = {}
    for k in (4, 5):
        made = next_release(
            policy, Request(patients(), np.arange(10), (KAnonymity(k),)), after_r1()
        )
        shown[k] = {*made.edition.target.frame.select("Birthplace", "Job").iter_rows()}
        assert [made.outcomes[0].details[name] for name in ("FA", "CA", "BA")] == [k, k, k]
    assert shown[5] == {("Europe", "Professional")}
    assert shown[4] == {(row[1], row[2]) for row in CASE["R2"]["rows"]}
    with pytest.raises(InfeasibleError, match="leaves somebody with fewer than 6 records"):
        next_release(policy, Request(patients(), np.arange(10), (KAnonymity(6),)), after_r1())
