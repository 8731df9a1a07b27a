"""A method that is used as if nothing had been published before."""

from __future__ import annotations

from typing import ClassVar, Self

from attrs import evolve, frozen

from unlinkable.tables.data import Schema
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base import Search, Solution, Task
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import MultidimensionalGeneralization
from unlinkable.tables.operations.base import Recoding, Scheme
from unlinkable.tables.series.policy import Policy
from unlinkable.typing import Columns

__all__ = ["Unchecked"]


@frozen
class Unchecked(Search):
    """A generalizing method under the name of the policy that uses it.

    It makes the first release of a series, to which nothing can open a channel yet, and all
    releases of the static baseline, to which everything can.

    Parameters
    ----------
    policy
        Who asked for it; this is how it is written.
    method
        The method.
    """

    name: ClassVar[str] = "incremental"
    reference: ClassVar[str] = "Byun et al. 2009"
    scheme: ClassVar[type[Scheme]] = MultidimensionalGeneralization

    policy: Policy
    method: Search

    def bind(self, schema: Schema) -> Self:
        return evolve(self, method=self.method.bind(schema))

    def needs(self, schema: Schema) -> frozenset[Columns]:
        return self.method.needs(schema)

    def misfits(self, recoding: Recoding) -> list[str]:
        return self.method.misfits(recoding)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        self.method.require(privacy, may_suppress=may_suppress)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Search as the method does."""
        return self.method.search(finest, privacy, task)

    def __str__(self) -> str:
        return str(self.policy)
