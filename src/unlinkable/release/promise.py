"""Privacy model: what can be promised about a release, whatever kind of data it is about."""

from __future__ import annotations

import abc
import math
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import ClassVar

import attrs

from unlinkable.registry import Registered
from unlinkable.release.attacks.attack import Threat

__all__ = ["PrivacyModel"]


class PrivacyModel(Registered, abc.ABC):
    """A promise: a definition of protection with its parameters."""

    entry_kind: ClassVar[str] = "model"
    threats: ClassVar[Threat]
    """What it guards against."""
    in_words: ClassVar[str]
    """What it promises, in a sentence for people who do not know models. Parameters stand in
    braces, perhaps with the way to write them: ``{k}``, ``{k:less}`` (one less), ``{alpha:%}``,
    ``{delta:exp}`` and ``{bits:exp2}`` (as a power)."""
    does_not_promise: ClassVar[tuple[str, ...]]
    """What it does not promise, in sentences, the gravest gap first. The reference page has the
    beginning of that one in its last section."""
    parameter: ClassVar[str]
    """The parameter in whose unit is said what a release reaches."""
    higher_is_safer: ClassVar[bool] = True
    """Which way that runs."""

    def promised(self) -> str:
        """Put the promise into a sentence.

        Examples
        --------
        >>> from unlinkable.tables.models import KAnonymity, TCloseness
        >>> KAnonymity(5).promised()
        'Everybody looks like at least 4 other people: whoever knows all quasi-identifying values of
        somebody finds at least 5 records that could be theirs.'
        >>> TCloseness("1/4", sensitive="ill").promised()
        'The values of "ill" of people who look alike are distributed nearly as those of all: at
        most 0.25 apart on a scale from 0 to 1.'
        """
        values: dict[str, object] = {
            field.name: getattr(self, field.name)
            for field in attrs.fields(type(self))  # type: ignore[arg-type]
            if not field.name.startswith("_")
        }
        said = {name: _Parameter(value) for name, value in {**values, **self.said()}.items()}
        return self.in_words.format(**said)

    def said(self) -> Mapping[str, object]:
        """Give what stands in `in_words` besides parameters, or in place of one that is open."""
        return {}


class _Parameter:
    """A parameter that can be written as a share, as a number less one, or as it is."""

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
