"""Promises in words, made with their parameters, for people who do not know models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction

import attrs

from unlinkable.tables.models.base.model import GroupModel

__all__ = ["PROMISED", "number_of", "promised"]

PROMISED: Mapping[str, str] = {
    "alpha-k-anonymity": "Everybody looks like at least {k:less} other people, and no value {of} "
    "is that of more than {alpha:%} of those who look alike.",
    "average-risk": "On average, the owner of a record is found with a chance of at most {risk:%}.",
    "beta-likeness": "Among people who look alike no value {of} is more frequent than among all by "
    "more than {beta} times.",
    "bt-privacy": "What somebody with background knowledge (bandwidth {b}) believes of anybody's "
    "value {of} changes by at most {t} through the release.",
    "confidence-bounding": "Nobody who knows the columns of a rule can be surer of the sensitive "
    "values that it names than the rule allows.",
    "crowd-entropy": "Whose record it is stays unsure by at least {bits} bits, as if among "
    "{bits:exp2} equally likely people.",
    "ct-isolation": "Whoever guesses the middle of a group has at least {t} people about as near "
    "to the guess as the nearest one of them.",
    "d-gamma-privacy": "No value {of} that was unlikely beforehand (up to {d:%}) becomes likelier "
    "than {gamma:%} for anybody, and none is ruled out.",
    "delta-bounding": "Whoever knows the given statistics is sure of a value {of} with a chance of "
    "at most one in {r}.",
    "delta-disclosure": "Every value {of} is about as frequent among people who look alike as "
    "among all: within a factor of {delta:exp}.",
    "delta-presence": "Of everybody in the population, one can only say that they are in the data "
    "with a chance between {low:%} and {high:%}.",
    "differential-privacy": "Whatever is published would be about as likely if any one person were "
    "not in the data: the chance differs by a factor of at most {epsilon:exp} (epsilon "
    "{epsilon}, delta {delta}).",
    "distinct-l-diversity": "People who look alike have at least {l} different values {of}.",
    "distributional-privacy": "Two tables of people from the same population would be published "
    "almost alike (alpha {alpha}, beta {beta}).",
    "entropy-l-diversity": "The values {of} of people who look alike are as hard to guess as {l} "
    "equally frequent ones.",
    "epsilon-m-anonymity": "Of people who look alike, at most one in {m} has a number {of} within "
    "{epsilon} of any number among them.",
    "ff-anonymity": "Nothing that can be observed of somebody makes a sensitive value likelier "
    "than {h:%}.",
    "frequency-l-diversity": "Of people who look alike, at most one in {l} has the same "
    "value {of}.",
    "hellinger-closeness": "The values {of} of people who look alike are distributed nearly as "
    "those of all: at most {t} apart on a scale from 0 to 1.",
    "k-anonymity": "Everybody looks like at least {k:less} other people: whoever knows {known} of "
    "somebody finds at least {k} records that could be theirs.",
    "kc-anonymity": "Everybody looks like at least {k:less} other people, and no value {of} is "
    "that of more than {c:%} of those who look alike.",
    "ke-anonymity": "People who look alike have at least {k} different numbers {of}, over a range "
    "of at least {e}.",
    "k-map": "Everybody in the release looks like at least {k} people of the population "
    "{population}.",
    "lkc-privacy": "Whoever knows up to {l} values of somebody finds at least {k} records that "
    "could be theirs, and is at most {c:%} sure of a value {of}.",
    "m-confidentiality": "Even somebody who knows how the method decides is sure of a value {of} "
    "with a chance of at most one in {m}.",
    "multirelational-k-anonymity": "Every combination of values in the joined tables is shared by "
    "at least {k} people.",
    "n-t-closeness": "The values {of} of people who look alike are distributed nearly as those of "
    "at least {n} people around them: at most {t} apart.",
    "personalized-privacy": "Nobody can be more than {p:%} sure of what a person asked to have "
    "guarded.",
    "population-uniqueness": "At most {share:%} of the records are about people who are unique in "
    "the population.",
    "privacy-maxent": "Whoever knows the release and the stated facts is at most {p:%} sure of "
    "anybody's value {of}.",
    "profitability": "It pays to publish every record although an adversary attacks whatever pays "
    "for him, by the amounts that were stated.",
    "r-robustness": "Whoever knows the given statistics is sure of a value {of} with a chance of "
    "at most one in {r}.",
    "recursive-cl-diversity": "Among people who look alike the most frequent value {of} is rarer "
    "than {c} times all values from the {l}th most frequent on together.",
    "skyline-privacy": "Nobody with the stated amounts of knowledge about the victim and others is "
    "as sure of a value {of} as the bound that goes with it.",
    "squared-error-diversity": "The numbers {of} of people who look alike vary: their variance is "
    "at least {v}.",
    "t-closeness": "The values {of} of people who look alike are distributed nearly as those of "
    "all: at most {t} apart on a scale from 0 to 1.",
    "xy-anonymity": "People who look alike on {x} have at least {k} different values on {y}.",
    "xy-linkability": "Nobody who knows {x} of somebody is more than {h:%} sure of a value on {y}.",
    "xy-privacy": "Whoever knows {x} of somebody finds at least {k} candidates, and is at most "
    "{h:%} sure of a value on {y}.",
}
"""By the name of the model. Parameters stand in braces, with the way to say them."""


def promised(model: GroupModel) -> str:
    """Put the promise into a sentence.

    Examples
    --------
    >>> from unlinkable.tables.models import KAnonymity, TCloseness
    >>> promised(KAnonymity(5))
    'Everybody looks like at least 4 other people: whoever knows all quasi-identifying values of
    somebody finds at least 5 records that could be theirs.'
    >>> promised(TCloseness("1/4", sensitive="ill"))
    'The values of "ill" of people who look alike are distributed nearly as those of all: at most
    0.25 apart on a scale from 0 to 1.'
    """
    values = {
        field.name: _Said(getattr(model, field.name))
        for field in attrs.fields(type(model))  # type: ignore[arg-type]
        if not field.name.startswith("_")
    }
    sensitive = getattr(model, "sensitive", None)
    of = "of every sensitive column" if sensitive is None else f'of "{sensitive}"'
    qid = getattr(model, "qid", None)
    known = "all quasi-identifying values" if qid is None else _listed(qid)
    if "x" in values and getattr(model, "x", None) is None:
        values["x"] = _Said("all quasi-identifying values")
    return PROMISED[model.name].format(**{**values, "of": of, "known": known})


class _Said:
    """A parameter that can be said as a share, as a number less one, or as it is."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, how: str) -> str:
        value = self._value
        if isinstance(value, tuple):
            return _listed(value)
        if isinstance(value, Enum):
            return str(value.value)
        if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
            return str(value)
        match how:
            case "%":
                return f"{float(value) * 100:.4g} %"
            case "less":
                return f"{float(value) - 1:.4g}"
            case "exp":
                return _power("e", math.e, float(value))
            case "exp2":
                return _power("2", 2.0, float(value))
        return f"{float(value):.4g}"


def _power(written: str, base: float, exponent: float) -> str:
    """Give a power as a number, or as it is written if no number is so large."""
    try:
        return f"{base**exponent:.3g}"
    except OverflowError:
        return f"{written}^{exponent:.4g}"


def _listed(names: tuple[object, ...]) -> str:
    *others, last = [str(name) for name in names]
    return f"{', '.join(others)} and {last}" if others else last


def number_of(n: int, one: str, many: str | None = None) -> str:
    """Put a number of things into words.

    Examples
    --------
    >>> number_of(1, "record"), number_of(3, "record"), number_of(2, "person", "people")
    ('1 record', '3 records', '2 people')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"
