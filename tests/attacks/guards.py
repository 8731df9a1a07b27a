"""For each promise the attacks that it guards against, with all that their adversaries may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from unlinkable.attacks import (
    AttributeLinkage,
    BackgroundKnowledge,
    Corruption,
    Proximity,
    RecordLinkage,
    Skewness,
    TableLinkage,
)
from unlinkable.attacks.base import Attack
from unlinkable.attacks.ceilings import ceiling
from unlinkable.errors import DataError
from unlinkable.privacy.base import GroupModel
from unlinkable.privacy.templates import Template
from unlinkable.release.attackable import Attackable
from unlinkable.release.release import Release

CLOSE = 1e-9
"""Chances that are this much higher are the same: they are sums of floats."""

UNGUARDED = {
    "average-risk",
    "bt-privacy",
    "ct-isolation",
    "d-gamma-privacy",
    "distributional-privacy",
    "k-map",
    "n-t-closeness",
    "personalized-privacy",
    "population-uniqueness",
    "privacy-maxent",
    "profitability",
    "squared-error-diversity",
}
"""Promises for which no bound on an adversary's confidence is worked out here."""


def guards(model: GroupModel) -> Iterator[Attack]:
    """Make the adversaries that a promise is about, as strong as it allows them to be."""
    m: Any = model
    qid, at_most = getattr(m, "qid", None) or getattr(m, "x", None), None
    about = getattr(m, "sensitive", None)
    values = getattr(m, "values", None)
    match model.name:
        case "k-anonymity" | "multirelational-k-anonymity" | "crowd-entropy" | "xy-anonymity":
            yield RecordLinkage(qid=qid)
        case "alpha-k-anonymity" | "kc-anonymity" | "lkc-privacy":
            at_most = m.l if model.name == "lkc-privacy" else None
            yield RecordLinkage(at_most=at_most)
            yield AttributeLinkage(about, values=values, at_most=at_most)
            if at_most is None and values is None:
                yield Corruption(about, n=1)
        case "distinct-l-diversity" | "ke-anonymity":
            yield RecordLinkage()
        case "frequency-l-diversity" | "entropy-l-diversity":
            yield RecordLinkage()
            yield AttributeLinkage(about)
        case "recursive-cl-diversity":
            yield RecordLinkage()
            yield AttributeLinkage(about)
            yield BackgroundKnowledge(sensitive=about, negations=max(m.l - 2, 0))
        case "t-closeness" | "hellinger-closeness" | "beta-likeness" | "delta-disclosure":
            yield Skewness(about)
            yield AttributeLinkage(about)
        case "confidence-bounding":
            for t in map(Template.read, m.templates):
                yield AttributeLinkage(t.column, qid=t.qid or None, values=(t.value,))
        case "xy-linkability" | "xy-privacy":
            if len(m.y) == 1:
                yield AttributeLinkage(m.y[0], qid=qid)
        case "ff-anonymity":
            for name, text in (pair.split("=") for pair in m.sensitive):
                yield AttributeLinkage(name, values=(text,), at_most=2)
        case "epsilon-m-anonymity":
            yield Proximity(about, width=m.epsilon)
        case "delta-presence":
            yield TableLinkage(population=m.population)
        case "skyline-privacy":
            for negations, others, same, _ in m.points:
                yield BackgroundKnowledge(
                    sensitive=about, negations=negations, others=others, same=same
                )
        case "r-robustness" | "delta-bounding":
            for prior in m.prior if values is None else ():
                yield BackgroundKnowledge(sensitive=about, prior=prior, joint=False)


def assert_withstands(release: Release) -> int:
    """Assert that nobody who is guarded against is surer than is promised; count the attacks."""
    return assert_within_bounds(Attackable.of(release), release.models)


def assert_within_bounds(attacked: Attackable, models: Sequence[GroupModel]) -> int:
    """Assert that nobody is surer than these promises allow; count the attacks."""
    tried = 0
    for model in models:
        for attack in guards(model):
            bound = ceiling(attack, [model], attacked.target)
            if attack.name == "record-linkage" and attacked.target.bucket is not None:
                assert bound is None, "buckets show what is known of people as it was"
                continue
            assert bound is not None, f"{model} says nothing of {attack}"
            if attack.misfit(attacked.target, attacked.arms()) is not None:
                continue
            try:
                outcome = attacked.attack(attack)
            except DataError as error:
                if "no record has" in str(error):
                    continue
                raise
            assert outcome.highest <= bound + CLOSE, (str(attack), str(model), outcome.highest)
            tried += 1
    return tried
