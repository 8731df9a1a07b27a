"""The kinds of identifiers that HIPAA's Safe Harbor names, and what to do about each.

The list is that of 45 CFR 164.514(b)(2)(i), items A to R.
"""

from __future__ import annotations

from enum import Enum

__all__ = ["OF_ONE_PERSON", "IdentifierKind"]


class IdentifierKind(Enum):
    """One of the 18 kinds of identifiers, by its letter in the rule; ages are part of C."""

    NAME = "A", "names", "drop the column, or replace it by pseudonyms"
    PLACE = (
        "B",
        "places smaller than a state",
        "publish the state, or the first three digits of a ZIP code where more than 20,000 people "
        "live, and 000 elsewhere",
    )
    ADDRESS = "B", "street addresses", "drop the column"
    DATE = "C", "dates other than the year", "publish the year alone, or an age"
    AGE = "C", "ages over 89", "put all ages over 89 into one group, 90 or older"
    PHONE = "D", "telephone numbers", "drop the column"
    FAX = "E", "fax numbers", "drop the column"
    EMAIL = "F", "email addresses", "drop the column"
    SOCIAL_SECURITY = "G", "social security numbers", "drop the column"
    MEDICAL_RECORD = "H", "medical record numbers", "drop the column, or replace it by pseudonyms"
    HEALTH_PLAN = "I", "health plan beneficiary numbers", "drop the column"
    ACCOUNT = "J", "account numbers", "drop the column"
    CERTIFICATE = "K", "certificate and license numbers", "drop the column"
    VEHICLE = "L", "vehicle identifiers and license plates", "drop the column"
    DEVICE = "M", "device identifiers and serial numbers", "drop the column"
    URL = "N", "web addresses", "drop the column"
    IP = "O", "IP addresses", "drop the column"
    BIOMETRIC = "P", "biometric identifiers", "drop the column"
    PHOTO = "Q", "photographs of faces", "drop the column"
    PERSON = (
        "R",
        "numbers or codes of people",
        "drop the column, or replace it by pseudonyms that are made of nothing about the person",
    )
    OTHER = (
        "R",
        "other unique numbers, traits or codes",
        "drop the column, or replace it by pseudonyms that are made of nothing about the person",
    )

    def __init__(self, letter: str, title: str, remedy: str) -> None:
        self.letter = letter
        self.title = title
        self.remedy = remedy

    @property
    def is_direct(self) -> bool:
        """Whether it tells who a record is about by itself, and not only beside other columns."""
        return self not in (IdentifierKind.PLACE, IdentifierKind.DATE, IdentifierKind.AGE)

    @property
    def numbers_people(self) -> bool:
        """Whether everybody has one of their own, so that records with the same belong together."""
        return self in OF_ONE_PERSON


OF_ONE_PERSON = (
    IdentifierKind.MEDICAL_RECORD,
    IdentifierKind.PERSON,
    IdentifierKind.HEALTH_PLAN,
    IdentifierKind.SOCIAL_SECURITY,
    IdentifierKind.ACCOUNT,
    IdentifierKind.CERTIFICATE,
    IdentifierKind.EMAIL,
    IdentifierKind.OTHER,
)
"""The kinds that everybody has one of their own of, the surest first."""
