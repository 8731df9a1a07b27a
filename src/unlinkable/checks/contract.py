"""How a contract is broken."""

from __future__ import annotations

__all__ = ["BrokenContractError", "require"]


class BrokenContractError(AssertionError):
    """Something is not what it claims to be. It is a defect of its author, never of its user."""


def require(holds: bool, claim: str) -> None:
    """Refuse what does not hold."""
    if not holds:
        raise BrokenContractError(claim)
