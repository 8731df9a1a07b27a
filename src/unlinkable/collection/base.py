"""Collection: what every way of collecting data declares.

Where the holder is not trusted, people change their answers before they hand them in; what is
collected says little of anybody, and much of all together.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.registry import Registered

__all__ = ["Collection"]


@frozen
class Collection(Registered):
    """A way to collect data from people who do not trust the collector, or to learn from it.

    A small frozen value: its fields are public, because everybody who takes part has to know them.
    What was drawn at random is never a field, and stays with the person who drew it.
    """

    entry_kind: ClassVar[str] = "collection"
