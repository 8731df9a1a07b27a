"""Slate: what columns show at present, and what a step changes about it."""

from __future__ import annotations

from attrs import define

from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["Parting", "Slate"]


@define(eq=False, frozen=True)
class Slate:
    """What a column shows at present; a search writes it.

    Attributes
    ----------
    value
        By code, the value that it is shown as, by its number among the values of all columns.
    branch
        By code, to which part it goes once that value is refined.
    lo, hi
        By value, the codes that it covers.
    gain, is_mixed
        By candidate, what it gains, and whether the records that it concerns have several classes.
    """

    value: CodeArray
    branch: CodeArray
    lo: CodeArray
    hi: CodeArray
    gain: FloatArray
    is_mixed: BoolArray


@define(eq=False, frozen=True)
class Parting:
    """What a step does.

    Attributes
    ----------
    value
        The value that it refines.
    target
        By code, to which part it goes.
    parts
        The values of the parts.
    begins
        What to write down: where the parts begin, or the code that is disclosed.
    """

    value: int
    target: CodeArray
    parts: CodeArray
    begins: tuple[int, ...]
