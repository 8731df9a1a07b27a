"""What promises about a population have in common."""

from __future__ import annotations

import abc

import numpy as np

from unlinkable.errors import SchemaError
from unlinkable.tables.groups import Groups, population_column
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.typing import Columns, CountArray

__all__ = ["PopulationModel"]


class PopulationModel(GroupModel):
    """A promise about the people of a population who look like those in a group.

    The population is a side table that has the quasi-identifying columns. Groups are formed of the
    records and of the people of the population alike: a group may hold people and no records.
    """

    @property
    @abc.abstractmethod
    def population(self) -> str | None:
        """The side table with the people of the population; None if the promise does without."""

    @property
    def sources(self) -> Columns:
        return () if self.population is None else (self.population,)

    def needs(self) -> frozenset[Columns]:
        return frozenset((population_column(name),) for name in self.sources)

    def population_sizes(self, groups: Groups) -> CountArray:
        """Count the people of the population who look like each group."""
        try:
            people = groups.histograms[population_column(str(self.population)),]
        except KeyError:
            raise SchemaError(
                f"{self} needs the people of {self.population!r}, who were not counted: count the "
                "table together with its population"
            ) from None
        return people.reduce(np.add, people.counts)
