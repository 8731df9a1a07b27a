"""Promises about adversaries who weigh possible worlds."""

from __future__ import annotations

from itertools import product

from tests.strategies import RandomTable
from tests.tables.groups.plain import table_of
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import DeltaBounding, MConfidentiality, RRobustness
from unlinkable.tables.models.base import BindingContext, GroupModel

_SHOWN = [*(f"q0{i}" for i in range(6)), None]
_HIDDEN = [*(f"s0{i}" for i in range(6)), None]
_PAIRS = list(product(range(7), range(7)))
_CHANCES = [(1 + (3 * i + 5 * j) % 7) / 28 for i, j in _PAIRS]
"""They add up to 1 for everybody."""

_SCENE = BindingContext(
    quasi=("q0",),
    sensitive=("s0",),
    side=Side.of(
        {
            "us.csv": {
                "q0": [_SHOWN[i] for i, _ in _PAIRS],
                "value": [_HIDDEN[j] for _, j in _PAIRS],
                "p": _CHANCES,
            },
            "s": {"q": ["a", "b"], "value": ["x", "x"], "p": [0.1, 0.003]},
        }
    ),
)


def _bound(model: GroupModel, column: str = "s0") -> GroupModel:
    context = BindingContext(quasi=(f"q{column[1:]}",), sensitive=(column,), side=_SCENE.side)
    (ready,) = model.bind(context)
    return ready


def _finest(random: RandomTable) -> Groups:
    return count(table_of(random), [("q0",), ("s0",)]).finest


def _people(shown: str, hidden: str) -> Groups:
    table = as_table({"q": list(shown), "s": list(hidden)}, quasi="q", sensitive="s")
    return count(table, [("q",), ("s",)]).finest


MODELS: list[GroupModel] = [
    _bound(RRobustness(1.5, prior="us.csv")),
    _bound(RRobustness("7/3", prior=["us.csv"], values=["s00", "s01"])),
    _bound(RRobustness(2, prior="us.csv", reading="joint")),
    _bound(DeltaBounding(2, prior="us.csv")),
    _bound(DeltaBounding(1.5, prior="us.csv", values="s00")),
    _bound(MConfidentiality(1.5, h=0.5)),
    _bound(MConfidentiality(2, h="1/3", values=["s00"])),
]

COUNTED = dict.fromkeys((RRobustness, DeltaBounding, MConfidentiality), _finest)

ARE_NOT_SAFE: list[tuple[GroupModel, Groups]] = [
    (_bound(RRobustness(2, prior="s", values="x"), "s"), _people("aabb", "xyxy")),
    (_bound(DeltaBounding(2, prior="s", values="x"), "s"), _people("aabb", "xyxy")),
    (_bound(MConfidentiality(2, h=0.5, values="x"), "s"), _people("aabbbb", "xyxyyy")),
]
