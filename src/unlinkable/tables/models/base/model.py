"""What every promise is made of.

A privacy model is two statements: what the adversary may know of a victim (`knows`), and what must
then be true of every set of records that they are left with (`judge`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import evolve

from unlinkable.release import PrivacyModel
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.judging import Judging
from unlinkable.typing import Columns

__all__ = ["GroupModel", "ValueNormalizer"]

ValueNormalizer = Callable[[str, str], str]
"""Writes a value as its column does, given the column and any text that means the value."""


class GroupModel(Judging, PrivacyModel):
    """A promise that can be seen in the groups of a release.

    A model states what is declared here, in whose unit it measures (`parameter`), what `merging`
    does to it, and how groups are judged (`judge`) and measured (`level`). Most name the hidden
    columns that must be counted (`needs`), what is wrong with a group (`witness`), and a promise
    that asks for less (`weaker`). All else has a default: how a table is judged (`Judging`), what
    methods ask (`SearchTraits`) and what adversaries are held to (`Ceilings`).
    """

    def said(self) -> Mapping[str, object]:
        sensitive, qid = getattr(self, "sensitive", None), getattr(self, "qid", None)
        everything = "all quasi-identifying values"
        words = {
            "of": "of every sensitive column" if sensitive is None else f'of "{sensitive}"',
            "known": everything if qid is None else qid,
        }
        return words if getattr(self, "x", None) is not None else {**words, "x": everything}

    @property
    def sources(self) -> Columns:
        """The side tables that the promise refers to, by name."""
        return ()

    def bind(self, context: BindingContext) -> tuple[GroupModel, ...]:
        """Bind the promise to the columns of a table, and open what it refers to.

        A promise that leaves its column open becomes one promise for each sensitive column. One
        that is about no sensitive column is itself.
        """
        return (self,)

    def with_normalized_values(self, normalize: ValueNormalizer) -> GroupModel:
        """Give the promise with its listed values as ``normalize(column, value)`` writes them."""
        return self

    def needs(self) -> frozenset[Columns]:
        """Name the hidden columns that must be counted in each group."""
        return frozenset()

    def consequences(self) -> tuple[GroupModel, ...]:
        """Give other promises that every table keeps which keeps this one."""
        return ()

    def covers(self, other: GroupModel) -> bool:
        """Whether every table that keeps this promise keeps another of the same kind.

        By default that is so if it asks for as much, and all other parameters are the same.
        """
        if type(other) is not type(self):
            return False
        mine, asked = getattr(self, self.parameter), getattr(other, self.parameter)
        as_much = mine >= asked if self.higher_is_safer else mine <= asked
        same: Callable[..., GroupModel] = evolve
        return as_much and same(self, **{self.parameter: asked}) == other

    def explain_failure(self, groups: Groups) -> str:
        """Explain why the table breaks the promise even as one group, and what would help."""
        verdict = self.verdict(groups)
        return (
            f"all {groups.n_records} records together reach {verdict.achieved}, not {self}: "
            "ask for less"
        )
