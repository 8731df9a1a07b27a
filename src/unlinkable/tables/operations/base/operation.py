"""What every operation on data says of itself.

A method decides *which* records are to look alike; an operation is *what is done* to the data so
that they do, or so that nothing else gives them away.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.registry import Registered

__all__ = ["Operation"]


@frozen
class Operation(Registered):
    """Something that may be done to data before it is published.

    A small frozen value: its fields are the public parameters. Secrets (keys, seeds of noise) are
    never fields; they are handed to the verb that needs them, so that an operation can be printed,
    compared and written to a plan.
    """

    entry_kind: ClassVar[str] = "operation"
    truthful: ClassVar[bool]
    """Whether every published record is still true of the person it came from."""
