"""What every promise is made of.

A privacy model is two statements: what the adversary may know of a victim (`knows`), and what must
then be true of every set of records that they are left with (`judge`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from attrs import evolve

from unlinkable.spelling import write_call
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.judging import Judging
from unlinkable.tables.models.base.threat import Threat
from unlinkable.typing import Columns

__all__ = ["GroupModel", "ValueNormalizer"]

ValueNormalizer = Callable[[str, str], str]
"""Writes a value as its column does, given the column and any text that means the value."""


class GroupModel(Judging):
    """A promise that can be seen in the groups of a release.

    A model states what is declared here, in whose unit it measures (`parameter`), what `merging`
    does to it, and how groups are judged (`judge`) and measured (`level`). Most name the hidden
    columns that must be counted (`needs`), what is wrong with a group (`witness`), and a promise
    that asks for less (`weaker`). All else has a default: how a table is judged (`Judging`), what
    methods ask (`SearchTraits`) and what adversaries are held to (`Ceilings`).
    """

    name: ClassVar[str]
    """What the promise is called everywhere."""
    reference: ClassVar[str]
    """Where it is defined."""
    threats: ClassVar[Threat]
    """What it guards against."""
    in_words: ClassVar[str]
    """What it promises, in a sentence for people who do not know models. Parameters stand in
    braces, perhaps with the way to write them: ``{k}``, ``{k:less}`` (one less), ``{alpha:%}``,
    ``{delta:exp}`` and ``{bits:exp2}`` (as a power). ``{of}`` is the sensitive column, ``{known}``
    what the adversary knows."""
    does_not_promise: ClassVar[tuple[str, ...]]
    """What it does not promise, in sentences, the gravest gap first. The reference page has the
    beginning of that one in its last section."""

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

    def __str__(self) -> str:
        return write_call(self)
