"""A method that takes the CPU time of its search, without what comes before and after."""

from __future__ import annotations

import time

from unlinkable.tables.data import Schema
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import Recoding
from unlinkable.typing import Columns


class Timed(Search):
    """A method that takes the CPU time of its search."""

    seconds = 0.0

    def __init__(self, inner: Search) -> None:
        self.inner = inner
        vars(self).update(name=inner.name, scheme=inner.scheme, stoppable=inner.stoppable)

    def bind(self, schema: Schema) -> Timed:
        return Timed(self.inner.bind(schema))

    def needs(self, schema: Schema) -> frozenset[Columns]:
        return self.inner.needs(schema)

    def misfits(self, recoding: Recoding) -> list[str]:
        return self.inner.misfits(recoding)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        self.inner.require(privacy, may_suppress=may_suppress)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        started = time.process_time()
        found = self.inner.search(finest, privacy, task)
        Timed.seconds = time.process_time() - started
        return found

    def __str__(self) -> str:
        return str(self.inner)
