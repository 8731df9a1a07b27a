"""Who falls to a set of views, in words and figures."""

from __future__ import annotations

from unlinkable.tables.attacks.series.shared.views.falling import Fallen
from unlinkable.tables.models import number_of

__all__ = ["basis_of", "details_of", "found_by"]

_GIVEN_UP = (
    "conservative: the search for tables was given up, and only values count as left for which a "
    "table was found; nobody is missed, and some may not fall"
)


def found_by(fallen: Fallen, needed: tuple[str, ...], *, is_named: bool) -> str:
    """Say who falls, by what, and to which views."""
    who = number_of(fallen.n_attacked, "kind of people", "kinds of people")
    if is_named:
        who = number_of(fallen.n_attacked, "person", "people")
    if not fallen.n_fallen:
        return f"Nobody of {who} falls: every view leaves enough, and so do all of them together."
    parts = [
        f"{what}: {n:,}"
        for n, what in (
            (fallen.n_values, "too few values left"),
            (fallen.n_people, "too few people left"),
            (fallen.n_shares, "certain of a value"),
        )
        if n
    ]
    return (
        f"{fallen.n_fallen:,} of {who} fall, whatever table is behind the views "
        f"({'; '.join(parts)}). It takes {' and '.join(needed)}."
    )


def basis_of(fallen: Fallen) -> str | None:
    """Say what the finding rests on, if it is not exact."""
    return None if fallen.is_exact else _GIVEN_UP


def details_of(fallen: Fallen, needed: tuple[str, ...]) -> dict[str, int | float | str | None]:
    """Give the figures behind it."""
    return {
        "views": " and ".join(needed),
        "cells": fallen.n_cells,
        "programs": fallen.programs,
        "too_few_values": fallen.n_values,
        "too_few_people": fallen.n_people,
        "certain_values": fallen.n_shares,
    }
