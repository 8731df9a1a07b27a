"""Which values of a parameter are tried, to show what each would cost."""

from __future__ import annotations

from collections.abc import Sequence

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.promises.parameters import Field

__all__ = ["main_field", "probes"]

_WHOLE = {"k": (2, 3, 5, 10, 15, 20, 30, 50), "l": (2, 3, 4, 5, 6, 8, 10)}
_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1)
_DISTANCES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
_FACTORS = (0.25, 0.5, 1, 2, 4)


def main_field(card: Document, fields: Sequence[Field]) -> Field | None:
    """Find the parameter that people turn first; None if there is no number to turn."""
    numbers = [f for f in fields if f.kind in ("whole", "number") and f.is_required]
    named = [f for f in numbers if f.name == card.get("parameter")]
    return next(iter(named or numbers), None)


def probes(field: Field, now: float) -> list[float | int]:
    """Give the values to try, in order, with the present one among them.

    Examples
    --------
    >>> probes(Field("k", "k", "", "whole", least=1), 7)
    [2, 3, 5, 7, 10, 15, 20, 30, 50]
    """
    if field.kind == "whole" or field.name in ("l", "m", "r"):
        tried: Sequence[float | int] = _WHOLE.get(field.name, _WHOLE["l"])
        if now > tried[-1]:
            tried = [*tried, int(2 * now)]
    elif field.most == 1:
        tried = _SHARES
    elif field.name in ("t", "share"):
        tried = _DISTANCES
    else:
        tried = [round(now * factor, 6) for factor in _FACTORS]
    allowed = [v for v in {*tried, now} if _fits(field, v)]
    return sorted(int(v) if float(v).is_integer() else v for v in allowed)


def _fits(field: Field, value: float) -> bool:
    least = field.least is None or value >= field.least
    return least and (field.most is None or value <= field.most)
