"""Ceilings: how sure an adversary can be at most, given what is promised.

A promise is a bound on what some adversaries can reach. Here it is said which, and how high, in the
unit of each attack: whatever is published under the promise, the attack reaches no more. Where a
promise says nothing about an adversary, there is no ceiling, and for most there are tables with
which he succeeds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from unlinkable.attacks.base import Attack
from unlinkable.attacks.target import Target
from unlinkable.privacy.base import GroupModel
from unlinkable.privacy.templates import Template
from unlinkable.typing import FloatArray

__all__ = ["ceiling"]

_Bound = float | Fraction | None


def ceiling(attack: Attack, promises: Iterable[GroupModel], target: Target) -> float | None:
    """Say how sure an adversary can be at most; None if nothing is promised about him.

    Parameters
    ----------
    attack
        The adversary, with all that he knows.
    promises
        What the release keeps, each promise bound to its columns.
    target
        The release: some promises compare with the whole table.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.attacks.linking.record_linkage import RecordLinkage
    >>> from unlinkable.attacks.grouped.skewness import Skewness
    >>> from unlinkable.privacy import KAnonymity
    >>> told = Target(pl.DataFrame({"job": ["cook"] * 4}), ("job",), ())
    >>> ceiling(RecordLinkage(), [KAnonymity(4)], told)
    0.25
    >>> ceiling(Skewness(), [KAnonymity(4)], told) is None
    True
    """
    models = [model for model in promises if _is_about(model, attack, target)]
    if attack.name in _OF_COLUMNS:
        bound = _OF_COLUMNS[attack.name]
        asked = getattr(attack, "sensitive", None)
        columns = target.sensitive if asked is None else (asked,)
        found = [
            _least(
                bound(model, attack, _priors(target, column))
                for model in models
                if _has(model, column)
            )
            for column in columns
        ]
        return None if None in found or not found else max(b for b in found if b is not None)
    if attack.name == "record-linkage" and target.bucket is not None:
        # What is known of a bucket does not hide what its records show.
        return None
    if attack.name in _OF_RECORDS:
        return _least(_OF_RECORDS[attack.name](model, attack) for model in models)
    return None


def _least(bounds: Iterable[_Bound]) -> float | None:
    return min((min(float(b), 1.0) for b in bounds if b is not None), default=None)


def _has(model: Any, column: str) -> bool:
    """Whether a promise is about the values of a column."""
    match model.name:
        case "xy-linkability" | "xy-privacy":
            return bool(model.y == (column,))
        case "confidence-bounding":
            return any(Template.read(text).column == column for text in model.templates)
        case "ff-anonymity":
            listed = model.sensitive
            return listed is None or any(text.startswith(f"{column}=") for text in listed)
    return getattr(model, "sensitive", None) in (None, column)


def _is_about(model: GroupModel, attack: Attack, target: Target) -> bool:
    """Whether a promise is about all that the adversary knows, and all values that he is after."""
    values = _guarded(model) if attack.name in _OF_COLUMNS else None
    wanted = getattr(attack, "values", None)
    if values is not None and (wanted is None or not set(wanted) <= values):
        return False
    qid = getattr(model, "qid", None) or getattr(model, "x", None)
    known = getattr(attack, "qid", None) or target.quasi
    if qid is not None and not set(known) <= set(qid):
        return False
    if model.name == "lkc-privacy":
        at_most = getattr(attack, "at_most", None)
        n_known = len(known) if at_most is None else min(at_most, len(known))
        return n_known <= getattr(model, "l", 0)
    return True


def _guarded(model: Any) -> set[str] | None:
    """Give the values that a promise is about; None if it is about all."""
    if model.name == "ff-anonymity" and model.sensitive is not None:
        return {text.partition("=")[2] for text in model.sensitive}
    values = getattr(model, "values", None)
    return None if values is None else set(values)


def _priors(target: Target, column: str) -> FloatArray:
    """Give the share of each value of a column in the whole release."""
    whole = target.counted([(column,)]).finest.whole[column,]
    counts = whole[whole > 0]
    shares: FloatArray = counts / counts.sum()
    return shares


def _record(model: Any, attack: Attack) -> _Bound:
    """Bound 1 / records that look like the victim's: so many does a promise ask for."""
    match model.name:
        case "k-anonymity" | "alpha-k-anonymity" | "kc-anonymity" | "lkc-privacy":
            return Fraction(1, model.k)
        case "multirelational-k-anonymity" | "ke-anonymity" | "xy-anonymity":
            return Fraction(1, model.k)
        case "distinct-l-diversity" | "recursive-cl-diversity":
            return Fraction(1, model.l)
        case "frequency-l-diversity" | "entropy-l-diversity":
            return 1 / Fraction(model.l)
        case "crowd-entropy":
            return float(2.0 ** -float(model.bits))
        case "xy-privacy":
            return Fraction(1, model.k) if model.count.value == "records" else None
    return None


def _attribute(model: Any, attack: Attack, priors: FloatArray) -> _Bound:
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
            return _largest_share(float(model.l), priors.size)
        case "recursive-cl-diversity":
            return Fraction(model.c) / (1 + Fraction(model.c))
        case "xy-linkability" | "xy-privacy" | "ff-anonymity":
            return Fraction(model.h)
        case "confidence-bounding":
            return _template(model, attack)
    gained = _gains(model, priors)
    return None if gained is None else float((priors + gained).max())


def _template(model: Any, attack: Any) -> _Bound:
    """Bound the share of the only value that the adversary is after, by the templates about it."""
    wanted = getattr(attack, "values", None) or ()
    bounds = [
        t.h
        for t in map(Template.read, model.templates)
        if wanted == (t.value,) and (not t.qid or set(attack.qid or t.qid) <= set(t.qid))
    ]
    return min(bounds, default=None) if len(wanted) == 1 else None


def _gain(model: Any, attack: Attack, priors: FloatArray) -> _Bound:
    """Bound how much likelier a value becomes."""
    gained = _gains(model, priors)
    share = _attribute(model, attack, priors)
    bounds = [] if gained is None else [float(gained.max())]
    return _least([*bounds, None if share is None else float(share) - float(priors.min())])


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
    return None


def _corruption(model: Any, attack: Any, priors: FloatArray) -> _Bound:
    """Bound a share after so many others, whoever they are, turn out to have other values.

    Of n records at most a share a have the value; without c of the others that is at most
    a n / (n - c), which falls with n.
    """
    if model.name == "skyline-privacy" and model.value is None:
        return min((c for _, k, _, c in model.points if k >= attack.n), default=None)
    share, size = _attribute(model, attack, priors), _record(model, attack)
    if share is None or size is None:
        return None
    n = 1 / Fraction(size)
    return None if n <= attack.n else Fraction(share) * n / (n - attack.n)


def _background(model: Any, attack: Any, priors: FloatArray) -> _Bound:
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
        return _attribute(model, attack, priors)
    if model.name == "recursive-cl-diversity" and facts[1:] == (0, 0) and facts[0] <= model.l - 2:
        return Fraction(model.c) / (1 + Fraction(model.c))
    return None


def _proximity(model: Any, attack: Any, priors: FloatArray) -> _Bound:
    """Bound the share of values in an interval: each of them is within its width of the others."""
    is_bound = model.name == "epsilon-m-anonymity" and model.interval.value == "absolute"
    if not is_bound or attack.width is None or attack.width > model.epsilon:
        return None
    return 1 / Fraction(model.m)


def _presence(model: Any, attack: Any) -> _Bound:
    return Fraction(model.high) if model.name == "delta-presence" else None


def _advantage(model: Any, attack: Any) -> _Bound:
    """Bound how much oftener members are taken for members than others are."""
    if model.name != "differential-privacy":
        return None
    e = float(model.epsilon)
    return math.tanh(e / 2) + 2 * float(model.delta) / (1 + math.exp(e))


def _minimal(model: Any, attack: Any, priors: FloatArray) -> _Bound:
    return 1 / Fraction(model.m) if model.name == "m-confidentiality" else None


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


_OF_COLUMNS: Mapping[str, Callable[[Any, Any, FloatArray], _Bound]] = {
    "attribute-linkage": _attribute,
    "background-knowledge": _background,
    "corruption": _corruption,
    "minimality": _minimal,
    "proximity": _proximity,
    "skewness": _gain,
}
_OF_RECORDS: Mapping[str, Callable[[Any, Any], _Bound]] = {
    "membership": _advantage,
    "record-linkage": _record,
    "table-linkage": _presence,
}
