"""The invented towns around the hospital, and their zip codes.

The first digit of a zip code is a region, the first three are a town, so that masking from the
right gives areas that make sense.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unlinkable.typing import FloatArray

__all__ = ["TOWNS", "ZIP_CODES", "Town", "zip_weights"]


class Town(NamedTuple):
    """A town: its zip codes are the prefix and two digits, one per district."""

    prefix: str
    n_districts: int
    weight: float
    is_rural: bool


TOWNS: tuple[Town, ...] = (
    Town("041", 18, 34.0, False),
    Town("043", 10, 15.0, False),
    Town("047", 6, 7.0, True),
    Town("052", 3, 3.0, True),
    Town("213", 12, 20.0, False),
    Town("216", 5, 6.0, True),
    Town("228", 3, 2.5, True),
    Town("704", 8, 9.0, False),
    Town("709", 4, 3.5, True),
)
"""The hospital stands in the first; the others are smaller or further away."""

ZIP_CODES: tuple[str, ...] = tuple(
    f"{town.prefix}{1 + 3 * district:02d}" for town in TOWNS for district in range(town.n_districts)
)
"""All zip codes, in the order of towns and districts."""


def zip_weights(rural: float) -> FloatArray:
    """Weigh the zip codes for people to whom the country is ``rural`` times as attractive."""
    weights = []
    for town in TOWNS:
        # Districts of a town differ in size too: each is smaller than the one before.
        shares = 1.0 / np.sqrt(np.arange(1, town.n_districts + 1))
        attraction = town.weight * (rural if town.is_rural else 1.0)
        weights.append(attraction * shares / shares.sum())
    return np.concatenate(weights)
