"""Noise: what was spent on hiding people in it, written down and priced."""

from __future__ import annotations

from unlinkable.noise.accountant import Cost, price
from unlinkable.noise.budget import Budget
from unlinkable.noise.chance import secure_generator
from unlinkable.noise.events import Event, Mechanism
from unlinkable.noise.ledger import Ledger, Neighbours

__all__ = [
    "Budget",
    "Cost",
    "Event",
    "Ledger",
    "Mechanism",
    "Neighbours",
    "price",
    "secure_generator",
]
