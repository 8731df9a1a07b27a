"""MinGen: every node is looked at. That it finds the optimum is tested with `Optimal`."""

from __future__ import annotations

import pytest

from tests.tables.methods.lattice.example import run, thesis_table
from unlinkable.errors import InfeasibleError
from unlinkable.tables.engines import count
from unlinkable.tables.methods import MinGen
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.lattice import mingen
from unlinkable.tables.metrics import Discernibility, ILoss, MinimalDistortion
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All


def test_the_thesis_table() -> None:
    # 111 and 202 are minimal. 111 has groups of 3, 2 and 2 records and takes 3 steps a record; 202
    # has groups of 3 and 4 and takes 4.
    table = thesis_table()
    for metric in (ILoss(), MinimalDistortion(), Discernibility()):
        found = run(MinGen(), table, [KAnonymity(2)], metric=metric)
        assert found.node == {"Age": 1, "Gender": 1, "Zipcode": 1}
        assert found.optimal
        assert found.effort["checked"] == found.effort["nodes"] == 18


def test_says_what_is_missing_if_there_is_no_release() -> None:
    with pytest.raises(InfeasibleError, match=r"k-anonymity\(k=8\) needs at least 8 records"):
        run(MinGen(), thesis_table(), [KAnonymity(8)])


def test_tells_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mingen, "_OFTEN", -1.0)
    table, told = thesis_table(), []
    task = Task(
        table.attributes, ILoss(), progress=lambda share, words: told.append((share, words))
    )
    MinGen().search(count(table).finest, All([KAnonymity(2)]), task)
    assert told[0] == (1 / 18, "1 of 18 nodes checked")
    assert told[-1] == (1.0, "18 of 18 nodes checked")
