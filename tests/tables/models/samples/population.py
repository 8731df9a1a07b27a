"""Promises about a population, and about risks on average."""

from __future__ import annotations

from tests.tables.models.populated import populated
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import (
    Adversary,
    AverageRisk,
    DeltaPresence,
    Estimator,
    KMap,
    PopulationUniqueness,
    Profitability,
)
from unlinkable.tables.models.base import GroupModel


def _game(*, attack: bool, population: str | None = None) -> Profitability:
    return Profitability(
        publisher_benefit=0.3,
        publisher_loss=1,
        adversary_gain="10/3",
        adversary_cost=2,
        adversary=Adversary.JOURNALIST if population else Adversary.PROSECUTOR,
        attack=attack,
        population=population,
    )


MODELS: list[GroupModel] = [
    KMap(1, population="people"),
    KMap(3, population="a folder/people.csv"),
    DeltaPresence(0, "1/3", population="people"),
    DeltaPresence(0.25, 1, population="people"),
    AverageRisk(1),
    AverageRisk("2/7"),
    PopulationUniqueness(0, population="people"),
    *(PopulationUniqueness(0.1, fraction="1/3", estimator=e) for e in Estimator),
    _game(attack=True),
    _game(attack=False),
    _game(attack=True, population="people"),
    _game(attack=False, population="people"),
]

DO_NOT_ABSORB: list[tuple[GroupModel, Groups]] = [
    (DeltaPresence(0, "1/2", population="people"), populated([(1, 2), (1, 1)])),
    (DeltaPresence("1/2", 1, population="people"), populated([(1, 2), (0, 1)])),
]
