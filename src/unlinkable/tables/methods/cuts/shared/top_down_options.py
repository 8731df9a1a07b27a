"""What a top-down search can be told to do."""

from __future__ import annotations

from unlinkable.params import Choice

__all__ = ["Numbers", "Score", "as_score"]


class Score(Choice):
    """Which of the valid steps is the best."""

    IGPL = "igpl"
    """The one that tells most of the class for each unit of anonymity that it costs."""
    INFORMATION_GAIN = "information-gain"
    """The one that tells most of the class, whatever it costs."""
    DISCERNIBILITY = "discernibility"
    """The one that brings the squared sizes of groups down most."""
    LOSS = "loss"
    """The one that brings the metric of the task down most."""


class Numbers(Choice, noun="way with numbers"):
    """How numbers and dates are refined."""

    SPLIT = "split"
    """Intervals are cut in two where that is best: the taxonomy grows as the search goes."""
    TAXONOMY = "taxonomy"
    """Along their taxonomy, as categories are."""


def as_score(value: Score | str | None) -> Score | None:
    """Read what makes a step the best; None leaves it to the roles of the columns."""
    return None if value is None else Score(value)
