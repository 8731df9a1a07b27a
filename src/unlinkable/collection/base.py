"""Collection: what every way of collecting data declares.

Where the holder is not trusted, people change their answers before they hand them in; what is
collected says little of anybody, and much of all together.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.spelling import write_call

__all__ = ["Collection"]


@frozen
class Collection:
    """A way to collect data from people who do not trust the collector, or to learn from it.

    A small frozen value: its fields are public, because everybody who takes part has to know them.
    What was drawn at random is never a field, and stays with the person who drew it.
    """

    name: ClassVar[str]
    """What it is called everywhere."""
    reference: ClassVar[str]
    """Where it is defined."""

    def __str__(self) -> str:
        return write_call(self)
