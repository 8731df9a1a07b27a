"""Small published tables, each of which keeps many promises and falls to an attack.

For every privacy model there is one that keeps it, with parameters as people choose them, and that
somebody breaks nevertheless.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from attrs import define, field

import unlinkable as ul
from tests.tables.models.declared import declared
from unlinkable.errors import UnlinkableError
from unlinkable.tables.attacks.base.target import Truth
from unlinkable.tables.data import Table
from unlinkable.tables.data.side import Side
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.attacking.attackable import Attackable
from unlinkable.tables.publishing.attacking.targets import target_of_table

__all__ = ["EXAMPLES", "SHOWCASES", "Showcase", "keeps"]

_POPULATION, _PRIOR, _KNOWN = "population", "prior", "constraints"


@define(eq=False, frozen=True, slots=False)
class Showcase:
    """A table that was published.

    Attributes
    ----------
    title, story
        What it is, and what is the matter with it.
    columns
        What is published.
    quasi, sensitive
        What others may know, and what nobody should.
    side
        Tables that promises refer to, or that the adversary has.
    guard, owner
        The columns with what people want guarded, and with whose record it is.
    """

    title: str
    story: str
    columns: Mapping[str, Sequence[Any]]
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    side: Mapping[str, Any] = field(factory=dict)
    guard: str | None = None
    owner: str | None = None

    @property
    def table(self) -> Table:
        """The published table."""
        return ul.as_table(
            dict(self.columns),
            quasi=list(self.quasi),
            sensitive=list(self.sensitive),
            guard=self.guard,
            owner=self.owner,
        )

    def attackable(self) -> Attackable:
        """Give what an adversary sees, and who they are."""
        table = self.table
        return Attackable(
            target_of_table(table), Truth(table, np.arange(len(table))), side=Side.of(self.side)
        )


def _people(*groups: tuple[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """Make records of groups: what all people of a group show, and what each of them hides."""
    return {
        "job": [job for job, ills in groups for _ in ills],
        "ill": [ill for _, ills in groups for ill in ills],
    }


_JOBS = ("artist", "clerk", "cook", "nurse", "smith")

ALIKE = Showcase(
    "The same illness",
    "All three artists have HIV. Nobody knows which record is whose, and nobody needs to.",
    _people(("artist", ["hiv"] * 3), ("clerk", ["flu", "cold", "none"])),
    ("job",),
    ("ill",),
    side={_POPULATION: {"job": ["artist"] * 6 + ["clerk"] * 6}},
)
MOSTLY = Showcase(
    "Nearly all of them",
    "There are two illnesses among the artists, and nine in ten have the same.",
    _people(("artist", ["hiv"] * 9 + ["flu"]), ("clerk", ["flu", "cold"] * 5)),
    ("job",),
    ("ill",),
)
SKEWED = Showcase(
    "Rare, but not here",
    "Few have HIV, and half of the artists have it.",
    _people(("artist", ["hiv", "flu"] * 2), *((job, ["flu", "cold"] * 24) for job in _JOBS[1:])),
    ("job",),
    ("ill",),
)
PAIRS = Showcase(
    "One friend who talks",
    "Every pair has the same two illnesses as everybody. Whoever knows one of the two knows both.",
    _people(*((job, ["hiv", "flu"]) for job in _JOBS)),
    ("job",),
    ("ill",),
    side={
        _PRIOR: {
            "job": [job for job in _JOBS for _ in range(2)],
            "value": ["hiv", "flu"] * 5,
            "p": [0.5] * 10,
        },
        _KNOWN: {"job": ["artist"], "value": ["hiv"], "p": [0.5]},
    },
)
PAID = Showcase(
    "Nearly the same pay",
    "Seven different salaries, fifty apart: and nine of ten earn from 30 to 35.",
    {"job": ["artist"] * 10, "pay": [30, 30, 31, 32, 32, 33, 34, 35, 35, 80]},
    ("job",),
    ("pay",),
)
SPREAD = Showcase(
    "A salary known to a colleague",
    "The two salaries of each pair are far apart. A colleague who knows one knows the other.",
    {"job": [job for job in _JOBS for _ in range(2)], "pay": [10, 90] * 5},
    ("job",),
    ("pay",),
)
SINGLED = Showcase(
    "Two things together",
    "There are several people of each age, and of each job: and one of each age and job.",
    {
        "age": [age for age in (20, 30, 40) for _ in range(3)],
        "job": ["artist", "clerk", "cook"] * 3,
        "ill": ["flu", "hiv", "cold", "hiv", "cold", "flu", "cold", "flu", "hiv"],
    },
    ("age", "job"),
    ("ill",),
)
NEAR = Showcase(
    "As old as the others",
    "Three people are 30, and three are 60: nobody stands out. All who are 30 have HIV.",
    {"age": [30] * 3 + [60] * 3, "ill": ["hiv"] * 3 + ["flu", "cold", "none"]},
    ("age",),
    ("ill",),
)
UNASKED = Showcase(
    "Who asked for nothing",
    "None of the artists asked for anything to be guarded, and all have HIV.",
    {
        **_people(("artist", ["hiv"] * 3), ("clerk", ["flu", "cold", "none"])),
        "guard": [None] * 3 + ["flu", None, None],
    },
    ("job",),
    ("ill",),
    guard="guard",
)
VISITS = Showcase(
    "Two visits each",
    "Three artists came twice, and all for the same reason.",
    {
        **_people(("artist", ["hiv"] * 6), ("clerk", ["flu", "cold", "none"] * 2)),
        "who": ["Ann", "Ben", "Cleo"] * 2 + ["Dan", "Eva", "Finn"] * 2,
    },
    ("job",),
    ("ill",),
    owner="who",
)
SHOWCASES = (ALIKE, MOSTLY, SKEWED, PAIRS, PAID, SPREAD, SINGLED, NEAR, UNASKED, VISITS)

_OWN: list[tuple[GroupModel, str, str]] = declared("BEATEN")

EXAMPLES: tuple[tuple[GroupModel, Showcase, str], ...] = (
    (ul.KAnonymity(3), ALIKE, "attribute-linkage"),
    (ul.MultirelationalKAnonymity(3), VISITS, "attribute-linkage"),
    (ul.XYAnonymity(2, y="ill"), MOSTLY, "attribute-linkage"),
    (ul.CrowdEntropy("1.5"), ALIKE, "attribute-linkage"),
    (ul.KMap(5, population=_POPULATION), ALIKE, "attribute-linkage"),
    (ul.AverageRisk("0.34"), ALIKE, "attribute-linkage"),
    (ul.PopulationUniqueness("0.05", fraction="0.1"), ALIKE, "attribute-linkage"),
    (
        ul.Profitability(
            publisher_benefit=1000, publisher_loss=300, adversary_gain=300, adversary_cost=200
        ),
        SINGLED,
        "record-linkage",
    ),
    (ul.DistinctLDiversity(2), MOSTLY, "attribute-linkage"),
    (ul.EntropyLDiversity("1.9"), SKEWED, "skewness"),
    (ul.RecursiveCLDiversity(c=2, l=2), SKEWED, "skewness"),
    (ul.FrequencyLDiversity(2), SKEWED, "skewness"),
    (ul.ConfidenceBounding(["-> ill = flu <= 0.5"]), ALIKE, "attribute-linkage"),
    (ul.XYLinkability("0.5", y="ill"), SKEWED, "skewness"),
    (ul.XYPrivacy(2, "0.5", y="ill"), SKEWED, "skewness"),
    (ul.AlphaKAnonymity("0.5", 2), SKEWED, "skewness"),
    (ul.KCAnonymity(2, "0.5"), SKEWED, "skewness"),
    (ul.LKCPrivacy(1, 3, "0.5"), SINGLED, "record-linkage"),
    (ul.FFAnonymity("0.5", sensitive=["ill=hiv", "ill=flu"]), PAIRS, "corruption"),
    (ul.PersonalizedPrivacy("0.5"), UNASKED, "attribute-linkage"),
    (ul.TCloseness("0.2"), PAIRS, "corruption"),
    (ul.NTCloseness(2, "0.2"), ALIKE, "attribute-linkage"),
    (ul.HellingerCloseness("0.2"), PAIRS, "corruption"),
    (ul.BetaLikeness("0.5"), PAIRS, "corruption"),
    (ul.DeltaDisclosure("0.5"), PAIRS, "corruption"),
    (ul.KEAnonymity(7, 50, sensitive="pay"), PAID, "proximity"),
    (ul.EpsilonMAnonymity(20, 2, sensitive="pay"), SPREAD, "corruption"),
    (ul.SquaredErrorDiversity(50, sensitive="pay"), PAID, "proximity"),
    (ul.DeltaPresence(0, "0.5", population=_POPULATION), ALIKE, "attribute-linkage"),
    (ul.SkylinePrivacy([[0, 0, 0, "0.6"]]), PAIRS, "corruption"),
    (ul.RRobustness(2, prior=_PRIOR), PAIRS, "corruption"),
    (ul.DeltaBounding(2, prior=_PRIOR), PAIRS, "corruption"),
    (ul.PrivacyMaxEnt("0.5", constraints=_KNOWN), PAIRS, "corruption"),
    (ul.BTPrivacy("0.5", "0.2"), SINGLED, "record-linkage"),
    (ul.DGammaPrivacy("0.5", "0.5"), PAIRS, "corruption"),
    (ul.MConfidentiality(2, h="0.5"), SKEWED, "skewness"),
    (ul.CTIsolation(2, 2, columns="age"), NEAR, "attribute-linkage"),
    *(
        (model, showcase, attack)
        for model, title, attack in _OWN
        for showcase in SHOWCASES
        if showcase.title == title
    ),
)
"""A sample of every model that can be seen in a table, a table that keeps it, and what beats it."""


@cache
def keeps(showcase: Showcase, model: GroupModel) -> bool | None:
    """Whether a table keeps a promise; None if the promise is not about such a table."""
    try:
        return ul.check(showcase.table, model, side=dict(showcase.side)).holds
    except UnlinkableError:
        return None
