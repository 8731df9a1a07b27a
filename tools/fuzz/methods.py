"""Random methods with random parameters, by what they do to records."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tools.fuzz.promises import Promise
from tools.fuzz.tables import People

__all__ = ["FULL_DOMAIN", "Method", "draw_method"]

FULL_DOMAIN = ("optimal", "mingen", "incognito", "ola", "flash", "samarati", "spalm")

_GENERALIZING = (
    *FULL_DOMAIN,
    *("optimal", "optimal", "datafly", "improved-greedy", "bottom-up-generalization"),
    *("top-down-specialization", "top-down-specialization(numbers=taxonomy)", "hdtds"),
    *("top-down-refinement", "top-down-disclosure", "k-optimize", "k-optimize(boundaries=values)"),
    *("l-plus-optimize", "genetic(population=6, idle=8)", "mu-argus(size=2)", "best(time=0.2)"),
    *("best(labels=taxonomy, time=0.2)", "mondrian", "mondrian(strict=false)"),
    *("mondrian(labels=taxonomy)", "mondrian(split=best)", "mondrian(along=taxonomy)"),
    *("mpalm", "greedy-cell", "greedy-cell(direction=top-down)", "greedy-cell(labels=intervals)"),
    *("oka", "oka(variant=enhanced)", "recursive-histogram(t=2)", "lsd-mondrian"),
    *("infogain-mondrian", "cluster-framework(clusters=2)"),
)
_AVERAGING = ("mdav", "mdav(k=2)", "r-gather", "r-gather(r=2)", "mdav(numbers=median)")
_REPLACING = (
    *("median-swapping", "perturbed-generalization", "rank-swapping", "rank-swapping(p=50)"),
    *("pram(retention=0.5)", "alpha-beta(alpha=0.5, beta=0.1)", "condensation(k=3)", "synthetic"),
    *("density-perturbation(t=2)", "cross-training-round(t=2)", "drbt", "synthetic(leaf=2)"),
    *("dp-histogram", "dp-synthetic", "dp-histogram(threshold=true)"),
)
_METRICS = (
    *("discernibility", "normalized-certainty-penalty", "average-class-size", "ambiguity"),
    *("minimal-distortion", "babu-iloss", "average-information-loss", "nonuniform-entropy"),
    *("privacy-percentage", "distinctive-attribute", "kl-divergence", "discernibility-ratio"),
)


@dataclass(frozen=True)
class Method:
    """A method in written form; its kind says what is true of its records."""

    written: str
    kind: str
    metric: str | None = None

    @property
    def is_noisy(self) -> bool:
        """Whether it keeps promises about noise, which takes no seed."""
        return self.name.startswith("dp-")

    @property
    def name(self) -> str:
        """Its name without parameters."""
        return self.written.partition("(")[0]


def draw_method(
    r: random.Random, people: People, promises: Sequence[Promise], *, tiny: bool = False
) -> Method:
    """Draw a method, mostly one that may serve the promises."""
    if tiny and r.random() < 0.7:
        return Method(r.choice(["optimal", "optimal", *FULL_DOMAIN]), "generalize")
    metric = r.choice(_METRICS) if r.random() < 0.25 else None
    names = {promise.name for promise in promises}
    if "PersonalizedPrivacy" in names and r.random() < 0.4:
        return Method("greedy-personalized", "generalize", metric)
    if names & {"RRobustness", "DeltaBounding"} and r.random() < 0.4:
        return Method("r-robust-bucketization", "buckets")
    if people.named("sensitive") and r.random() < 0.12:
        written = r.choice(["anatomize", "anatomize(l=2)"])
        if names <= {"KEAnonymity", "SquaredErrorDiversity", "TCloseness"}:
            written = r.choice([written, "ke-permutation", "ke-permutation(k=2, e=1)"])
        return Method(written, "buckets")
    if r.random() < 0.06:
        return Method(r.choice(_AVERAGING), "averages")
    if r.random() < 0.06:
        return Method(r.choice(_REPLACING), "made up")
    return Method(r.choice(_GENERALIZING), "generalize", metric)
