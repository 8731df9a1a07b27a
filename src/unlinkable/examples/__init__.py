"""Generators of realistic data about invented people, with the taxonomies and a plan for it."""

from __future__ import annotations

from unlinkable.examples.hospital import hospital, hospital_plan, hospital_taxonomies
from unlinkable.examples.transfusions import transfusions, transfusions_taxonomies

__all__ = [
    "hospital",
    "hospital_plan",
    "hospital_taxonomies",
    "transfusions",
    "transfusions_taxonomies",
]
