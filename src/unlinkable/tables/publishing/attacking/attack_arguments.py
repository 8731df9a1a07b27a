"""Making attacks from what is given: names, written forms, parameters and tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import attrs

from unlinkable.errors import ParameterError, UnsupportedError, in_short, unknown
from unlinkable.params import exact
from unlinkable.registry import find
from unlinkable.release.attacks import Adversary
from unlinkable.spelling import read_call
from unlinkable.tables.attacks.base import Attack
from unlinkable.tables.attacks.series import SeriesAttack

__all__ = ["is_table", "made_attack", "made_series_attack", "name_of", "takes", "values_for"]


def made_attack(
    attack: object, values: Mapping[str, object], limit: float | str | Fraction | None
) -> Attack:
    """Make an attack on one release with these parameters, and this limit if there is one.

    Raises
    ------
    ParameterError
        If there is no such attack or parameter, or one is given twice.
    UnsupportedError
        If it needs several releases.

    Examples
    --------
    >>> str(made_attack("corruption(n=2)", {"sensitive": "ill"}, "1/4"))
    'corruption(sensitive="ill", n=2, limit=0.25)'
    """
    made = _made(attack, values, limit)
    if not isinstance(made, Attack):
        raise UnsupportedError(
            f"{made.name} compares releases: give two or more, the earliest first"
        )
    return made


def made_series_attack(
    attack: object, values: Mapping[str, object], limit: float | str | Fraction | None
) -> SeriesAttack:
    """Make an attack on several releases with these parameters, and this limit if there is one.

    Raises
    ------
    ParameterError
        If there is no such attack or parameter, or one is given twice.
    UnsupportedError
        If it is about one release.
    """
    made = _made(attack, values, limit)
    if not isinstance(made, SeriesAttack):
        raise UnsupportedError(f"{made.name} attacks one release: give one, and not several")
    return made


def takes(name: str, parameter: str) -> bool:
    """Whether an attack has a parameter of this name."""
    return any(known.name == parameter for known in find("attack", name).parameters)


def _made(
    attack: object, values: Mapping[str, object], limit: float | str | Fraction | None
) -> Adversary:
    bound = {} if limit is None else {"limit": exact(limit)}
    if isinstance(attack, Adversary):
        return _changed(attack, {**values, **bound})
    if not isinstance(attack, str):
        raise ParameterError(
            f"{in_short(attack)} is no attack: give one, like RecordLinkage(), or its name; "
            "`unlinkable list attack` has all"
        )
    name, written = read_call(attack)
    if twice := sorted(written.keys() & values.keys()):
        raise ParameterError(f"{name}: {twice[0]!r} is given twice")
    return Adversary.read(name, {**written, **values, **bound})


def values_for(name: str, tables: Mapping[str, object], seconds: float) -> dict[str, object]:
    """Say what an attack is given that is one of all."""
    known = {parameter.name for parameter in find("attack", name).parameters}
    values: dict[str, object] = {
        n: n if is_table(table) else name_of(table) for n, table in tables.items() if n in known
    }
    if "seconds" in known:
        values["seconds"] = exact(seconds)
    if "negations" in known and "prior" not in tables:
        # Who knows nothing besides is attribute-linkage; so he knows a little.
        values["negations"] = 1
    return values


def _changed(attack: Adversary, values: Mapping[str, object]) -> Adversary:
    """Give an attack with some of its parameters changed."""
    known = [parameter.name for parameter in find("attack", attack.name).parameters]
    for name in values:
        if name not in known:
            raise ParameterError(f"{attack.name}: {unknown('parameter', name, known)}")
    change: Callable[..., Adversary] = attrs.evolve
    return change(attack, **values)


def name_of(value: object) -> object:
    """Take the path of a file for its name."""
    return str(value) if isinstance(value, Path) else value


def is_table(value: object) -> bool:
    """Tell a table from what can be the value of a parameter."""
    plain = str, int, float, bool, Fraction, Path, list, tuple, type(None)
    return not isinstance(value, plain)
