"""Statement: what a holder says of a release besides what it shows: for whom it is, and why.

A holder can also approve figures about the original records by name, so that recipients may see
them. Nothing about the original is published that is not approved.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen

from unlinkable.errors import ParameterError, unknown

__all__ = ["DISTRIBUTION", "RISK_BEFORE", "Statement", "approval"]

RISK_BEFORE, DISTRIBUTION = "risk-before", "distribution"
"""What can be approved: how likely people were found before, and how values were distributed."""


def approval(text: object) -> tuple[str, str | None]:
    """Read what is approved: its name, and the column that it is about if it is about one.

    Raises
    ------
    ParameterError
        If there is no such thing.

    Examples
    --------
    >>> approval("distribution:age"), approval("risk-before")
    (('distribution', 'age'), ('risk-before', None))
    """
    if not isinstance(text, str):
        raise ParameterError(f"what is approved must be text, got {text!r}")
    name, colon, column = text.partition(":")
    if name == RISK_BEFORE and not colon:
        return name, None
    if name == DISTRIBUTION and column:
        return name, column
    raise ParameterError(
        f"{unknown('figure', text, [RISK_BEFORE, f'{DISTRIBUTION}:COLUMN'])} that can be approved"
    )


def _approvals(values: Iterable[str]) -> tuple[str, ...]:
    given = (values,) if isinstance(values, str) else tuple(values)
    for text in given:
        approval(text)
    return tuple(dict.fromkeys(given))


@frozen(kw_only=True)
class Statement:
    """For whom a release is, why it is made, and what of the original may be told.

    Attributes
    ----------
    holder, recipient, purpose
        Who publishes, for whom, and what for; None if it is not stated.
    approve
        Figures about the original records that recipients may see: ``risk-before``, or
        ``distribution:COLUMN``.

    Examples
    --------
    >>> Statement(recipient="Cancer registry", approve=["distribution:age"]).approve
    ('distribution:age',)
    """

    holder: str | None = None
    recipient: str | None = None
    purpose: str | None = None
    approve: tuple[str, ...] = field(default=(), converter=_approvals)
