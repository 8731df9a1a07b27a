"""Eight people who come one after the other, for continuous."""

from __future__ import annotations

from typing import Any

import numpy as np

from unlinkable.tables.data import Table, as_table
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.series.continuous.continuous import Continuous
from unlinkable.tables.series.next_release import next_release
from unlinkable.tables.series.policy import Past, Request


def people(n: int, **more: list[Any]) -> Table:
    columns = {"q": [*"aabbaabb"], "s": [*"xyxyxyxy"], **more}
    return as_table(
        {name: values[:n] for name, values in columns.items()},
        quasi="q",
        sensitive="s",
        insensitive=[*more],
    )


def published(policy: Continuous, n: int = 4, **more: list[Any]) -> Past:
    request = Request(people(n, **more), np.arange(n), (KAnonymity(2),))
    made = next_release(policy, request, Past())
    return Past((made.edition,), made.memory, n)
