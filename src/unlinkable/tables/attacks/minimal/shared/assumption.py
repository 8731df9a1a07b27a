"""What an adversary assumes of how a release was made."""

from __future__ import annotations

from unlinkable.params import Choice

__all__ = ["Assumption", "as_assumption"]


class Assumption(Choice):
    """What the adversary knows of how a release was made."""

    METHOD = "method"
    """The method with all its parameters: he runs it himself."""
    MINIMAL = "minimal"
    """That values are generalized only if the original values break a promise."""
    ONE_STEP = "one-step"
    """That no column could be told one step more precisely without breaking a promise."""

    @property
    def words(self) -> str:
        """What he knows, as part of a sentence."""
        if self is Assumption.METHOD:
            return "the method"
        return "that nothing is generalized without need"


def as_assumption(value: Assumption | str | None) -> Assumption | None:
    """Read what is assumed; None leaves it to what is at hand."""
    return None if value is None else Assumption(value)
