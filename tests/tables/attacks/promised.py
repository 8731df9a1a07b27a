"""Made-up patients, every promise about groups, and the methods that publish patients under it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import polars as pl
from attrs import define
from hypothesis import strategies as st

import unlinkable as ul
from tests.tables.models.declared import declared
from unlinkable.errors import InfeasibleError, SchemaError, UnsupportedError
from unlinkable.registry.lookup import entries, make
from unlinkable.tables.data import Table
from unlinkable.tables.data.side import Side
from unlinkable.tables.models.base import All, BindingContext, GroupModel

PROMISES: list[GroupModel] = [
    ul.KAnonymity(3),
    ul.KAnonymity(3, qid="sex"),
    ul.MultirelationalKAnonymity(2),
    ul.CrowdEntropy(1),
    ul.XYAnonymity(2, y="ill"),
    ul.AverageRisk("0.4"),
    ul.KMap(5, population="town"),
    ul.PopulationUniqueness("0.1", population="town"),
    ul.Profitability(
        publisher_benefit=10, publisher_loss=30, adversary_gain=30, adversary_cost=10, attack=False
    ),
    ul.Profitability(
        publisher_benefit=10, publisher_loss=25, adversary_gain=30, adversary_cost=1, attack=True
    ),
    ul.Profitability(
        publisher_benefit=0,
        publisher_loss=0,
        adversary_gain=30,
        adversary_cost=8,
        attack=False,
        adversary="journalist",
        population="town",
    ),
    ul.CTIsolation(2, 3, columns="age"),
    ul.CTIsolation("1.5", 2, columns="age"),
    ul.DeltaPresence(0, "0.6", population="town"),
    ul.AlphaKAnonymity("2/3", 2, sensitive="ill"),
    ul.KCAnonymity(2, "2/3", sensitive="ill"),
    ul.LKCPrivacy(1, 2, "2/3", sensitive="ill"),
    ul.DistinctLDiversity(2, sensitive="ill"),
    ul.FrequencyLDiversity("1.5", sensitive="ill"),
    ul.EntropyLDiversity("1.5", sensitive="ill"),
    ul.RecursiveCLDiversity(c=2, l=2, sensitive="ill"),
    ul.RecursiveCLDiversity(c=3, l=3, sensitive="ill"),
    ul.TCloseness("0.4", sensitive="ill"),
    ul.NTCloseness(6, "0.3", sensitive="ill"),
    ul.HellingerCloseness("0.5", sensitive="ill"),
    ul.BetaLikeness("1.5", sensitive="ill"),
    ul.BetaLikeness(1, sensitive="ill", enhanced=True),
    ul.DeltaDisclosure(1, sensitive="ill"),
    ul.DGammaPrivacy("0.4", "0.6", sensitive="ill"),
    ul.DGammaPrivacy("0.3", "0.9", sensitive="ill", prior="values"),
    ul.ConfidenceBounding(["job -> ill = hiv <= 0.5"]),
    ul.XYLinkability("0.6", y="ill"),
    ul.XYPrivacy(2, "0.7", y="ill"),
    ul.FFAnonymity("0.6", sensitive=["ill=hiv"]),
    ul.PersonalizedPrivacy("0.5", sensitive="ill", guard="mind"),
    ul.PersonalizedPrivacy("0.7", sensitive="ill", guard="mind", reading="subtree"),
    ul.KEAnonymity(2, 2, sensitive="pay"),
    ul.EpsilonMAnonymity(1, "1.5", sensitive="pay"),
    ul.SquaredErrorDiversity(2, sensitive="pay"),
    ul.SkylinePrivacy([[0, 0, 0, "0.7"]], sensitive="ill"),
    ul.RRobustness("1.6", prior="belief", sensitive="ill"),
    ul.DeltaBounding("1.5", prior="belief", sensitive="ill"),
    ul.BTPrivacy(1, "0.3", sensitive="ill"),
    ul.BTPrivacy("0.5", "0.4", sensitive="ill"),
    ul.PrivacyMaxEnt("0.75", constraints="facts", sensitive="ill"),
    ul.MConfidentiality(2, h="1/2", values="hiv", sensitive="ill"),
    ul.MConfidentiality("1.5", h="0.6", sensitive="ill"),
]
PROMISES += declared("ATTACKED")
"""Every model that can be seen in groups, with parameters that small tables can keep."""

VARIANTS: list[GroupModel] = [
    ul.KAnonymity(2, qid=["age", "job"]),
    ul.DistinctLDiversity(3, sensitive="ill"),
    ul.KEAnonymity(3, 4, sensitive="pay"),
    ul.SkylinePrivacy([[1, 0, 0, "0.9"], [0, 1, 0, "0.8"]], sensitive="ill"),
    ul.SkylinePrivacy([[0, 2, 0, "0.6"]], sensitive="ill", scale="1.5"),
    ul.SkylinePrivacy([[0, 0, 1, "0.9"]], sensitive="ill"),
    ul.AlphaKAnonymity("1/2", 2, sensitive="ill", values="hiv"),
    ul.LKCPrivacy(2, 2, "3/4", sensitive="ill", values=["hiv", "cold"]),
    ul.ConfidenceBounding(["sex, job -> ill = hiv <= 0.6", "-> ill = flu <= 0.8"]),
    ul.XYLinkability("0.6", y="ill", x="sex"),
    ul.RecursiveCLDiversity(c=2, l=3, sensitive="ill", strict=False),
    ul.DeltaPresence("0.2", "0.8", population="town"),
    ul.TCloseness("0.3", sensitive="ill", distance="hierarchical"),
    ul.TCloseness("0.2", sensitive="pay", distance="ordered"),
    ul.EpsilonMAnonymity("0.5", "1.5", sensitive="pay", interval="relative"),
    ul.RRobustness("1.6", prior="belief", sensitive="ill", reading="joint"),
]
"""Other knowledge, values and distances of the same models: drawn for every method."""

ABOUT_NOISE = {"differential-privacy", "distributional-privacy"}
"""Promises that no table shows: they are attacked through the method."""

NOISY_METHODS = {"alpha-beta", "dp-histogram", "dp-synthetic", "pram"}
"""Methods that keep promises about noise, and no others."""

PROMISE_NOTHING = {
    "condensation": "its records are made up, and nothing is proved of the moments they keep",
    "cross-training-round": "records with noise are in no groups, and its noise has no price",
    "density-perturbation": "records with noise are in no groups, and its noise has no price",
    "drbt": "mixtures of columns are nobody's values, and distances stay as they were",
    "rank-swapping": "swapped values put no records together, and swapping has no price",
    "synthetic": "its records are nobody's, and nothing is proved of the trees they come from",
}
"""Methods that refuse every promise, and why: there is no bound that an attack could break."""

METHODS = [
    *(e.name for e in entries("method") if e.name not in {*NOISY_METHODS, *PROMISE_NOTHING}),
    "mondrian(strict=false)",
    "mondrian(labels=taxonomy)",
]
"""All other methods, with their defaults, and some that make groups which overlap."""

ONE_SENSITIVE = ("median-swapping", "perturbed-generalization")
"""Methods for tables with one sensitive column."""

TAXONOMIES: dict[str, Any] = {
    "age": ul.Intervals(2, 4),
    "sex": ul.Flat(),
    "job": ul.Tree({"care": ["nurse", "cook"], "desk": ["clerk", "smith"]}),
    "ill": ul.Tree({"virus": ["flu", "hiv"], "other": ["cold", "none"]}),
}
BELIEF = {
    "sex": ["f"] * 4 + ["m"] * 4,
    "value": ["flu", "hiv", "cold", "none"] * 2,
    "p": [0.4, 0.2, 0.2, 0.2, 0.3, 0.25, 0.25, 0.2],
}
VALUES = {"value": ["flu", "hiv", "cold", "none"], "p": [0.4, 0.2, 0.2, 0.2]}
SHOWN = ("age", "sex", "job", "weight")


@define(eq=False, frozen=True)
class Patients:
    """Some patients, and what others know of them.

    Attributes
    ----------
    frame
        All that there is on the patients.
    n_towns
        How many people of the town look like each of them, himself among them.
    """

    frame: pl.DataFrame
    n_towns: int

    @property
    def side(self) -> dict[str, Any]:
        """The tables that promises refer to."""
        sex = self.frame["sex"][0]
        ills = self.frame.filter(pl.col("sex") == sex)["ill"].to_list()
        share = Fraction(ills.count("hiv"), len(ills))
        return {
            "town": pl.concat([self.frame.select(SHOWN)] * self.n_towns),
            "belief": BELIEF,
            "values": VALUES,
            "facts": {"sex": [sex], "value": ["hiv"], "p": [float(share)]},
        }

    def table(self, promise: GroupModel, method: str) -> Table:
        """Give the table that a method takes, with the columns that the promise is about."""
        quasi = ["age", "weight"] if method == "recursive-histogram" else ["age", "sex", "job"]
        about = getattr(promise, "sensitive", None)
        secret = "pay" if about == "pay" else "ill"
        sensitive = [secret] if method in ONE_SENSITIVE else ["ill", "pay"]
        owner = "who" if promise.needs_owner else None
        names = [*quasi, *sensitive, "mind", "number", *([] if owner is None else [owner])]
        return ul.as_table(
            self.frame.select(names),
            quasi=quasi,
            sensitive=sensitive,
            taxonomies={name: tree for name, tree in TAXONOMIES.items() if name in names},
            guard="mind",
            target="number",
            owner=owner,
        )


@st.composite
def patients(draw: st.DrawFn, most: int = 16) -> Patients:
    """Draw some patients, and how many people of their town look like them."""
    n = draw(st.integers(4, most))

    def column(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=n, max_size=n))

    return Patients(
        pl.DataFrame(
            {
                "age": column(st.integers(20, 27)),
                "sex": column(st.sampled_from("fm")),
                "job": column(st.sampled_from(["cook", "clerk", "nurse", "smith"])),
                "weight": column(st.integers(50, 57)),
                "ill": column(st.sampled_from(["flu", "flu", "hiv", "cold", "none"])),
                "pay": column(st.integers(0, 9)),
                "number": column(st.integers(0, 3)),
                "mind": column(st.sampled_from(["", "", "hiv", "virus", "cold"])),
                "who": column(st.sampled_from("abcdefgh")),
            }
        ),
        draw(st.integers(1, 4)),
    )


@cache
def example(n: int = 24) -> Patients:
    """Give patients who are always the same."""
    jobs, ills = ["cook", "clerk", "nurse", "smith"], ["flu", "hiv", "cold", "none", "flu"]
    frame = pl.DataFrame(
        {
            "age": [20 + i % 8 for i in range(n)],
            "sex": ["fm"[i % 2] for i in range(n)],
            "job": [jobs[i % 4] for i in range(n)],
            "weight": [50 + i % 7 for i in range(n)],
            "ill": [ills[i % 5] for i in range(n)],
            "pay": [i % 9 for i in range(n)],
            "number": [i % 3 for i in range(n)],
            "mind": [["", "hiv", "virus"][i % 3] for i in range(n)],
            "who": [f"p{i // 2}" for i in range(n)],
        }
    )
    return Patients(frame, 3)


def most_patients(promise: GroupModel) -> int:
    """Say how many patients can be attacked: all worlds of a group are looked at for some."""
    return {"m-confidentiality": 6, "privacy-maxent": 8}.get(promise.name, 16)


@cache
def serving(promise: GroupModel) -> Sequence[str]:
    """List the methods that do not refuse a promise beforehand."""
    return [method for method in METHODS if is_served(promise, method)]


@cache
def served(method: str) -> Sequence[GroupModel]:
    """List the promises that a method does not refuse beforehand."""
    return [promise for promise in (*PROMISES, *VARIANTS) if is_served(promise, method)]


def is_served(promise: GroupModel, method: str) -> bool:
    """Ask a method whether it serves a promise, in a table with the columns that it takes."""
    known = example()
    table = known.table(promise, method)
    try:
        bound = All(promise.bind(BindingContext.of(table.schema, Side.of(known.side))))
        make("method", method).require(bound, may_suppress=False)
    except (SchemaError, UnsupportedError):
        return False
    counted = {name for names in bound.needs() for name in names if not name.startswith("@")}
    return counted <= {*table.schema.names}


def published(
    people: Patients, promise: GroupModel, method: str, suppression: str = "0"
) -> ul.Release | None:
    """Publish patients; None if that cannot be."""
    try:
        return ul.anonymize(
            people.table(promise, method),
            privacy=promise,
            method=method,
            suppression=suppression,
            side=people.side,
            seed=0,
        )
    except (UnsupportedError, InfeasibleError):
        return None
