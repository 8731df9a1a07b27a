"""Noise: what was spent on hiding people in it, written down and priced."""

from __future__ import annotations

from unlinkable.noise.accountant import Cost, price
from unlinkable.noise.budget import Budget
from unlinkable.noise.chance import secure_generator
from unlinkable.noise.events import Event, Mechanism
from unlinkable.noise.ledger import Ledger, Neighbours
from unlinkable.noise.mechanisms import add_noise, choose, exponential, gaussian, geometric, laplace
from unlinkable.noise.purse import Currency, Purse, concentrated
from unlinkable.noise.thresholds import keep_frequent, least_threshold

__all__ = [
    "Budget",
    "Cost",
    "Currency",
    "Event",
    "Ledger",
    "Mechanism",
    "Neighbours",
    "Purse",
    "add_noise",
    "choose",
    "concentrated",
    "exponential",
    "gaussian",
    "geometric",
    "keep_frequent",
    "laplace",
    "least_threshold",
    "price",
    "secure_generator",
]
