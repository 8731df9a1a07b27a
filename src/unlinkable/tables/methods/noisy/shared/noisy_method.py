"""What methods have in common that publish nothing but what noise has paid for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Self

from attrs import evolve, field, frozen

from unlinkable.errors import (
    InfeasibleError,
    ParameterError,
    SchemaError,
    UnsupportedError,
    unknown,
)
from unlinkable.noise import Budget
from unlinkable.params import as_columns
from unlinkable.tables.data import Role, Schema, Table, require_listed
from unlinkable.tables.methods.base.record_method import RecordMethod
from unlinkable.tables.methods.noisy.shared.count_cells import Cells, cells_of
from unlinkable.tables.models.base import All, GroupModel, NoiseModel
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns

__all__ = ["Bins", "Levels", "NoisyMethod"]

Bins = tuple[tuple[str | float, ...], ...]
"""For some columns its name, and where bins of its numbers or dates begin and end."""
Levels = tuple[tuple[str, int], ...]
"""For some columns its name, and a level of its taxonomy."""

_COUNTABLE = (Role.QUASI, Role.SENSITIVE, Role.TARGET, Role.INSENSITIVE)
"""What may be published of people at all, if it is paid for."""


def _as_names(value: str | Iterable[str]) -> Columns:
    return as_columns(value) or ()


def _as_bins(value: Iterable[Iterable[str | float]]) -> Bins:
    return tuple(tuple(one) for one in value)


def _as_levels(value: Iterable[Iterable[str | int]]) -> Levels:
    levels = []
    for one in value:
        named = tuple(one)
        if len(named) != 2 or not isinstance(named[0], str) or not isinstance(named[1], int):
            raise ParameterError('levels are pairs of a column and a number, like [["age", 1]]')
        levels.append((named[0], named[1]))
    return tuple(levels)


@frozen(kw_only=True)
class NoisyMethod(RecordMethod):
    """A method all of whose publications are charged to a budget of noise.

    Which values a column may have is published with it: they are listed by a tree or a hierarchy
    file, or are public bins.

    Parameters
    ----------
    columns
        What is published.
    bins
        Public bins of numbers and dates: ``[["age", 20, 40, 60]]``. What lies outside has cells of
        its own.
    levels
        The level of the taxonomy whose nodes are counted: ``[["job", 1]]``. If neither is given, it
        is the values that the taxonomy lists, or its finest intervals.
    missing
        Columns whose values may be missing.
    """

    truthful: ClassVar[bool] = False

    columns: Columns | None = field(default=None, converter=as_columns)
    bins: Bins = field(default=(), converter=_as_bins)
    levels: Levels = field(default=(), converter=_as_levels)
    missing: Columns = field(default=(), converter=_as_names)

    @bins.validator
    def _are_named(self, attribute: object, value: Bins) -> None:
        for one in value:
            if len(one) < 2 or not isinstance(one[0], str):
                raise ParameterError(
                    'bins are lists of a column and where they begin, like [["age", 20, 40, 60]]'
                )

    def chosen(self, schema: Schema) -> Columns:
        """Give the columns to publish if none are named."""
        return schema.with_role(*_COUNTABLE)

    def bind(self, schema: Schema) -> Self:
        columns = self.chosen(schema) if self.columns is None else self.columns
        for name in columns:
            if schema[name].role not in _COUNTABLE:
                raise SchemaError(
                    f"column {name!r} is {schema[name].role.value}, and {self.name} counts people "
                    "by what they are: name other columns"
                )
        if not columns:
            raise SchemaError(f"{self.name} has nothing to count: name columns")
        for name in (
            *(str(b[0]) for b in self.bins),
            *(pair[0] for pair in self.levels),
            *self.missing,
        ):
            if name not in columns:
                raise SchemaError(f"{unknown('column', name, columns)} that are counted")
        return evolve(self, columns=columns)

    def refusal(self, model: GroupModel) -> str | None:
        if not isinstance(model, NoiseModel):
            return (
                "it publishes noisy numbers, in which no promise about groups of records can be "
                "seen: ask for differential-privacy, or use a method that generalizes, such as best"
            )
        return None

    def require_people(self, table: Table) -> None:
        """Refuse a table in which a person may have several records.

        Raises
        ------
        UnsupportedError
            If there is an owner column.
        """
        if table.schema.owner is not None:
            raise UnsupportedError(
                f"{self.name} hides one record, and a person of this table may have several "
                f"(column {table.schema.owner!r}): reduce it to one record for each person first"
            )

    def require_listed(self, table: Table) -> None:
        """Refuse categories whose list was taken from the records.

        Raises
        ------
        UnsupportedError
            If there is a column of these.
        """
        binned = {str(named[0]) for named in self.bins}
        for name in self.columns or ():
            kind = table.numbered(name).observed.domain.kind
            if kind is Kind.CATEGORY and name not in binned:
                require_listed(table, name, ", or count it by dp-histogram(threshold=true)")

    def allowed(self, table: Table, privacy: All) -> Budget:
        """Give the budget that the promises leave.

        Raises
        ------
        InfeasibleError
            If they leave none.
        UnsupportedError
            If one of them makes the noise depend on the number of records, which another one hides.
        """
        n = len(table)
        noise = [model for model in privacy.models if isinstance(model, NoiseModel)]
        tells = [model for model in noise if model.budget(n) != model.budget(n + 1)]
        hides = [model for model in privacy.models if model not in tells]
        if tells and hides:
            raise UnsupportedError(
                f"the noise for {tells[0]} depends on the number of records, and so tells what "
                f"{hides[0]} hides: ask for one of them"
            )
        budget = privacy.budget(n)
        if budget is None or not budget.epsilon > 0:
            raise InfeasibleError(
                f"{privacy} leaves no budget for noise: ask for differential-privacy with an "
                "epsilon greater than 0"
            )
        return budget

    def cells(self, table: Table) -> list[Cells]:
        """Find the cells of all columns."""
        bins = {str(named[0]): named[1:] for named in self.bins}
        levels: Mapping[str, int] = dict(self.levels)
        return [
            cells_of(
                table,
                name,
                bins=bins.get(name),
                level=levels.get(name),
                may_miss=name in self.missing,
            )
            for name in self.columns or ()
        ]
