"""Docstrings: read as plain text."""

from __future__ import annotations

from unlinkable.registry.docstrings import parameters_of, summary_of


class Told:
    r"""Keep ``k`` of :math:`n`, and no more_ than that.

    A paragraph.

    Parameters
    ----------
    k, l
        How many
        there are.

        A second paragraph.
    way : str
        Which one.

    Examples
    --------
    >>> 1
    1
    """


class Attributed:
    """One line.

    Attributes
    ----------
    k
        How many.
    """


Silent = type("Silent", (Told,), {})


class Plain:
    """One line."""


def test_the_first_line_is_the_summary() -> None:
    assert summary_of(Told) == "Keep k of n, and no more than that."
    assert summary_of(Plain) == "One line."


def test_parameters_are_told_one_by_one() -> None:
    assert parameters_of(Told) == {
        "k": "How many there are. A second paragraph.",
        "l": "How many there are. A second paragraph.",
        "way": "Which one.",
    }
    assert parameters_of(Attributed) == {"k": "How many."}
    assert parameters_of(Plain) == {}


def test_nothing_is_borrowed_from_a_base() -> None:
    assert summary_of(Silent) == ""
    assert parameters_of(Silent) == {}
