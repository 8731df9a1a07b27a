"""What is believed before and after: (d,gamma)-privacy, (B,t)-privacy and maximum entropy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.strategies import RandomTable
from tests.tables.groups.plain import groups_of, table_of
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import BTPrivacy, DGammaPrivacy, PrivacyMaxEnt
from unlinkable.tables.models.base import BindingContext, GroupModel

MEN_HAVE_NO_CANCER = {"q0": ["m"], "value": ["cancer"], "p": [0]}

CONTEXT = BindingContext(("q0",), ("s0",), side=Side.of({"known": MEN_HAVE_NO_CANCER}))


def bound(model: GroupModel) -> GroupModel:
    """Bind a model to the first columns."""
    (found,) = model.bind(CONTEXT)
    return found


def with_originals(random: RandomTable) -> Groups:
    """Count a random table with the first quasi-identifying column as it was."""
    return count(table_of(random), [("q0", "s0")]).finest


def some_people(ages: list[int], values: list[str], wanted: list[int]) -> Groups:
    """Group people by their age, and keep some ages; what is believed comes from all."""
    people = as_table({"q0": ages, "s0": values}, quasi="q0", sensitive="s0")
    finest = count(people, [("q0", "s0")]).finest
    domain = people.taxonomy("q0").domain
    return finest.select(np.isin(domain.values[finest.keys[:, 0]], wanted))


def men_and_women() -> Groups:
    """Two men with flu and a cold, two women with cancer and flu."""
    people = as_table(
        {"q0": ["m", "m", "f", "f"], "s0": ["flu", "cold", "cancer", "flu"]},
        quasi="q0",
        sensitive="s0",
    )
    return count(people, [("q0",), ("s0",)]).finest


MODELS: list[GroupModel] = [
    DGammaPrivacy(0.5, 0.6, sensitive="s0"),
    DGammaPrivacy(0.2, 1, sensitive="s0"),
    DGammaPrivacy("1/3", 0.5),
    *(
        bound(BTPrivacy(b, t, sensitive="s0", distance=distance))
        for b, t, distance in (
            (0.3, 0, "equal"),
            (1, 0.25, "ordered"),
            (2, 0.2, "hierarchical"),
            (1, 0.1, "jensen-shannon"),
        )
    ),
    bound(BTPrivacy(2, 0.1, sensitive="s0", distance="jensen-shannon", smoothing="2/3")),
    bound(PrivacyMaxEnt(0.5, constraints="known")),
    bound(PrivacyMaxEnt("2/3", constraints="known", sensitive="s0", values=["cancer", ""])),
]

COUNTED: dict[type[GroupModel], Callable[[RandomTable], Groups]] = {BTPrivacy: with_originals}

DO_NOT_ABSORB: list[tuple[GroupModel, Groups]] = [
    (DGammaPrivacy(0.5, 0.5, sensitive="s"), groups_of([[1, 1], [1, 0]], whole=[2, 2])),
]

ARE_NOT_SAFE: list[tuple[GroupModel, Groups]] = [
    (
        bound(BTPrivacy(1, 0.16)),
        some_people([30, 30, 31, 33, 33, 33], ["a", "b", "b", "a", "a", "a"], [30, 33]),
    ),
    (bound(PrivacyMaxEnt(0.5, constraints="known")), men_and_women()),
]
