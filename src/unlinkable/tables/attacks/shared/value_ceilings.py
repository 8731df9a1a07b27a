"""Ceilings on guesses: how sure an adversary can be at most of a sensitive value.

Each function is about one attack. It is given a promise and the adversary, and says how high the
promise lets him come in the unit of the attack, or None if it says nothing about him. Whether the
promise is about the column, the values and the knowledge of the adversary has been asked before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Self

import numpy as np
from attrs import define

from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.grouped.shared.number_ranges import tenth
from unlinkable.tables.attacks.minimal.shared.algorithm_replay import Assumption
from unlinkable.tables.attacks.shared.record_ceilings import Bound, least, record_ceiling
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import Template
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns, FloatArray

__all__ = ["VALUE_CEILINGS", "Whole"]


@define(eq=False, frozen=True)
class Whole:
    """What a release tells of a sensitive column as a whole.

    Attributes
    ----------
    shares
        The share of each value that occurs.
    span
        How far the largest number is from the smallest; None if the column holds no numbers.
    column, quasi
        The column, and those by which people may be known.
    promises
        What recipients are told to be promised.
    """

    shares: FloatArray
    span: Fraction | None
    column: str
    quasi: Columns
    promises: tuple[GroupModel, ...]

    @classmethod
    def of(cls, target: Target, column: str) -> Self:
        """Look at a column of a release."""
        groups = target.counted([(column,)]).finest
        counts, hidden = groups.whole[column,], groups.histograms[column,]
        counts = counts[counts > 0]
        span = 10 * tenth(hidden, column) if _is_numeric(hidden) else None
        return cls(counts / counts.sum(), span, column, target.quasi, target.promises)


def _is_numeric(hidden: Histogram) -> bool:
    return hidden.taxonomy is not None and hidden.taxonomy.domain.kind is not Kind.CATEGORY


def _attribute(model: Any, attack: Attack, whole: Whole) -> Bound:
    """Bound the share of a sensitive value among those who look like the victim.

    Who is content with a node of the taxonomy, or knows other sensitive values, is not bounded.
    """
    if getattr(attack, "similar", False) or getattr(attack, "knows_sensitive", 0):
        return None
    match model.name:
        case "alpha-k-anonymity":
            return Fraction(model.alpha)
        case "lkc-privacy" | "kc-anonymity":
            return Fraction(model.c)
        case "frequency-l-diversity":
            return 1 / Fraction(model.l)
        case "entropy-l-diversity":
            return _largest_share(float(model.l), whole.shares.size)
        case "recursive-cl-diversity":
            return Fraction(model.c) / (1 + Fraction(model.c))
        case "xy-linkability" | "xy-privacy" | "ff-anonymity":
            return Fraction(model.h)
        case "confidence-bounding":
            return _template(model, attack)
    gained = _gains(model, whole.shares)
    return None if gained is None else float((whole.shares + gained).max())


def _template(model: Any, attack: Any) -> Bound:
    """Bound the share of the only value that the adversary is after, by the templates about it."""
    wanted = getattr(attack, "values", None) or ()
    bounds = [
        t.h
        for t in map(Template.read, model.templates)
        if wanted == (t.value,) and (not t.qid or set(attack.qid or t.qid) <= set(t.qid))
    ]
    return min(bounds, default=None) if len(wanted) == 1 else None


def _gain(model: Any, attack: Attack, whole: Whole) -> Bound:
    """Bound how much likelier a value becomes."""
    gained = _gains(model, whole.shares)
    share = _attribute(model, attack, whole)
    bounds = [] if gained is None else [float(gained.max())]
    return least([*bounds, None if share is None else float(share) - float(whole.shares.min())])


def _gains(model: Any, priors: FloatArray) -> FloatArray | None:
    """Bound for each value how much likelier it becomes: it cannot become more than certain."""
    allowed = _allowed_gains(model, priors)
    return None if allowed is None else np.minimum(allowed, 1 - priors)


def _allowed_gains(model: Any, priors: FloatArray) -> FloatArray | None:
    match model.name:
        case "t-closeness" if model.distance.value == "equal":
            return np.full(priors.size, float(model.t))
        case "hellinger-closeness":
            t = float(model.t)
            return np.full(priors.size, t * math.sqrt(2 - t * t))
        case "beta-likeness":
            gains: FloatArray = np.full(priors.size, float(model.beta))
            gains = np.minimum(gains, -np.log(priors)) if model.enhanced else gains
            return priors * gains
        case "delta-disclosure":
            factor: float = math.expm1(float(model.delta))
            return priors * factor
        case "d-gamma-privacy" if model.prior is None:
            return _unlikely_stay_so(model, priors) - priors
    return None


def _unlikely_stay_so(model: Any, priors: FloatArray) -> FloatArray:
    """Bound each value by gamma if it was unlikely, and by what unlikely ones must leave to it.

    A value that was believed in with at most d keeps at least d / gamma of that everywhere, which
    no other value can have.
    """
    d, gamma = float(model.d), float(model.gamma)
    is_unlikely = priors <= d
    kept = np.where(is_unlikely, priors * d / gamma, 0.0)
    left: FloatArray = 1 - (kept.sum() - kept)
    return np.where(is_unlikely, np.minimum(left, gamma), left)


def _corruption(model: Any, attack: Any, whole: Whole) -> Bound:
    """Bound a share after so many others, whoever they are, turn out to have other values.

    Of n records at most a share a have the value; without c of the others that is at most
    a n / (n - c), which falls with n.
    """
    if model.name == "skyline-privacy" and model.value is None:
        bounds = (c * model.scale for _, k, _, c in model.points if k >= attack.n)
        return min(bounds, default=None)
    share, size = _attribute(model, attack, whole), record_ceiling(model, attack)
    if share is None or size is None:
        return None
    n = 1 / Fraction(size)
    return None if n <= attack.n else Fraction(share) * n / (n - attack.n)


def _background(model: Any, attack: Any, whole: Whole) -> Bound:
    """Bound the chance of a value for somebody who can rule out values, or who has a prior."""
    facts = attack.negations, attack.others, attack.same
    if attack.prior is not None:
        is_about = model.name in ("r-robustness", "delta-bounding") and not any(facts)
        has_same = is_about and attack.prior in model.prior
        # The condition of the second, and one reading of the first, take a value at a time.
        is_joint = model.name == "r-robustness" and model.taken.value == "joint"
        return 1 / Fraction(model.r) if has_same and attack.joint == is_joint else None
    if model.name == "skyline-privacy" and model.value is None:
        covers = [
            c
            for *point, c in model.points
            if all(f <= p for f, p in zip(facts, point, strict=True))
        ]
        return min(covers) * model.scale if covers else None
    if facts == (0, 0, 0):
        return _attribute(model, attack, whole)
    if model.name == "recursive-cl-diversity" and facts[1:] == (0, 0) and facts[0] <= model.l - 2:
        return Fraction(model.c) / (1 + Fraction(model.c))
    return None


def _proximity(model: Any, attack: Any, whole: Whole) -> Bound:
    """Bound the share of values in an interval.

    Under epsilon-m-anonymity, all of them are within its width of each other; if it is relative, it
    is about the very ranges of an attack with a share. Under
    squared-error-diversity, let a share f of the numbers of a group lie in an interval of width w,
    and all of them in a range of R. From the middle of the interval, these are at most w/2 away
    and the others R, so that the variance is at most f (w/2)^2 + (1 - f) R^2, and at least v.
    """
    if attack.low is not None or attack.high is not None:
        return None
    if attack.epsilon is not None:
        is_relative = model.name == "epsilon-m-anonymity" and model.interval.value == "relative"
        is_near = is_relative and attack.epsilon <= model.epsilon
        return 1 / Fraction(model.m) if is_near else None
    match model.name:
        case "epsilon-m-anonymity" if model.interval.value == "absolute":
            is_within = attack.width is not None and attack.width <= model.epsilon
            return 1 / Fraction(model.m) if is_within else None
        case "squared-error-diversity" if whole.span:
            width = whole.span / 10 if attack.width is None else attack.width
            near, far = (width / 2) ** 2, whole.span**2
            return (far - model.v) / (far - near) if near < model.v else None
    return None


def _minimal(model: Any, attack: Any, whole: Whole) -> Bound:
    """Bound the chance of a value for somebody who takes groups to be merged because of it.

    Values are dealt out in each group by itself. If merging was needed somewhere, the chance of a
    value in a group is a mean of what it is if it was needed there and of its share, and neither is
    above 1/m. That is so for one value, and if the adversary takes the same share h for what is
    allowed as the promise does. Who knows more of the method is not bounded.
    """
    is_about = model.name == "m-confidentiality" and attack.assumes is Assumption.MINIMAL
    if not is_about or len(attack.values or ()) != 1:
        return None
    (value,) = attack.values
    is_known = all(_allows(told, value, model.h, whole) for told in whole.promises)
    return 1 / Fraction(model.m) if whole.promises and is_known else None


def _allows(told: Any, value: str, h: Fraction, whole: Whole) -> bool:
    """Whether original values keep a promise just if a value has nowhere a share above h."""
    match told.name:
        case "m-confidentiality":
            return bool(told.values == (value,) and told.m * h == 1)
        case "confidence-bounding":
            templates = list(map(Template.read, told.templates))
            return all(
                (t.column, t.value, t.h) == (whole.column, value, h)
                and (not t.qid or set(t.qid) == set(whole.quasi))
                for t in templates
            )
    return False


def _largest_share(l: float, n_values: int) -> float:  # noqa: E741 (the name in the literature)
    """Find the greatest share of one of n values if their entropy is at least log l."""
    if l <= 1 or n_values < 2:
        return 1.0
    low, high = 1 / n_values, 1.0
    for _ in range(60):
        p = (low + high) / 2
        rest = (1 - p) * math.log((n_values - 1) / (1 - p)) if p < 1 else 0.0
        low, high = (p, high) if rest - p * math.log(p) >= math.log(l) else (low, p)
    return high


VALUE_CEILINGS: Mapping[str, Callable[[Any, Any, Whole], Bound]] = {
    "attribute-linkage": _attribute,
    "background-knowledge": _background,
    "corruption": _corruption,
    "minimality": _minimal,
    "proximity": _proximity,
    "skewness": _gain,
}
"""By the name of an attack, what promises let it reach."""
