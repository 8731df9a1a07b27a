"""By what columns give away that they hold identifiers: by their names, or by their values."""

from __future__ import annotations

import re
from collections.abc import Mapping

from unlinkable.risk.identifier_kinds import IdentifierKind as Kind

__all__ = ["CALLED", "LOOKS_LIKE", "RESTRICTED_ZIPS", "words_of"]

_NUMBER = r"(id|ids|no|nr|num|number|code|serial)"

_NOT_PEOPLE = (
    r"\b(drug|product|brand|test|hospital|clinic|ward|department|unit|country|state|region|company|"
    r"file|table|column|course|school|event|disease|diagnosis|medication|medicine|procedure|"
    r"treatment|device|species|gene|variable|group|class|category|job|shop|store|item|study|trial)\b"
)
"""What is called by a name and is nobody."""

CALLED: tuple[tuple[Kind, str, str | None], ...] = (
    (Kind.EMAIL, r"\be ?mails?\b|\bemailaddress\b", r"\b(sent|opened|consent|count|opt)\b"),
    (Kind.IP, r"\bip\b|\bip ?addr(ess)?\b|\bipv[46]\b", None),
    (Kind.DEVICE, rf"\b(device|equipment|implant) {_NUMBER}\b|\bimei\b|\bimsi\b|\budid\b", None),
    (Kind.DEVICE, r"\bmac ?addr(ess)?\b|\bserial (no|nr|number)\b|\bdeviceid\b", None),
    (Kind.URL, r"\burls?\b|\buri\b|\bweb ?(site|page|address)\b|\bhome ?page\b", None),
    (Kind.FAX, r"\bfax\b", None),
    (
        Kind.PHONE,
        r"\b(tele)?phones?\b|\bmobile( (no|nr|number|phone))?$|\bcell ?phone\b|\btel\b",
        r"\b(type|model|brand|has|use|usage|owns)\b",
    ),
    (Kind.SOCIAL_SECURITY, r"\bssn\b|\bsocial ?security\b|\bsocial insurance (no|number)\b", None),
    (
        Kind.MEDICAL_RECORD,
        rf"\bmrn\b|\b(medical|health|chart|patient)( record)? {_NUMBER}\b|\bpatientid\b",
        r"\bhealth code\b",
    ),
    (
        Kind.HEALTH_PLAN,
        rf"\b(insurance|beneficiary|member|subscriber|policy|medicare|medicaid|health plan) "
        rf"{_NUMBER}\b",
        None,
    ),
    (Kind.ACCOUNT, rf"\biban\b|\b(account|acct|credit card|card) {_NUMBER}\b|^account$", None),
    (
        Kind.CERTIFICATE,
        rf"\bpassport\b|\b(licen[cs]e|certificate|driver s licen[cs]e) {_NUMBER}\b",
        None,
    ),
    (
        Kind.VEHICLE,
        rf"\bvin\b|\b(licen[cs]e|number) plate\b|\bvehicle {_NUMBER}\b",
        None,
    ),
    (Kind.BIOMETRIC, r"\bfinger ?prints?\b|\bvoice ?prints?\b|\bbiometrics?\b|\biris scan\b", None),
    (Kind.BIOMETRIC, r"\bretina scan\b|\bdna (sequence|profile)\b", None),
    (Kind.PHOTO, r"\bphoto(graph)?s?\b|\bportrait\b|\bselfie\b|\bmug ?shot\b|\bface image\b", None),
    (
        Kind.NAME,
        r"\b(name|names|surname|forename|firstname|lastname|fullname|givenname|familyname)\b",
        _NOT_PEOPLE,
    ),
    (
        Kind.PLACE,
        r"\b(street|addr(ess)?|city|town|village|county|precinct|parish|municipality|borough|zip|"
        r"zipcode|post ?code|postal|geocode|latitude|longitude|gps|neighbou?rhood|census tract)\b",
        r"\b(e ?mail|ip|mac|web|street(light)?s?count|size|type)\b",
    ),
    (Kind.OTHER, r"\b(id|uid|uuid|guid|pid|identifier|username|userid|login)\b", None),
)
"""Kind, what the words of a column's name must match, and what not; the first one counts."""

_BYTE = r"(25[0-5]|2[0-4]\d|1?\d?\d)"
_MONTH, _DAY = r"(0?[1-9]|1[0-2])", r"(0?[1-9]|[12]\d|3[01])"

LOOKS_LIKE: Mapping[Kind, re.Pattern[str]] = {
    kind: re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
    for kind, patterns in {
        Kind.EMAIL: [r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"],
        Kind.URL: [r"(https?://|www\.)\S+"],
        Kind.IP: [rf"{_BYTE}(\.{_BYTE}){{3}}", r"([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}"],
        Kind.DEVICE: [r"([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}"],
        Kind.SOCIAL_SECURITY: [r"\d{3}-\d{2}-\d{4}"],
        Kind.VEHICLE: [r"(?=.*[A-Z])(?=.*\d{3})[A-HJ-NPR-Z0-9]{17}"],
        Kind.ACCOUNT: [
            r"[A-Z]{2}\d{2}( ?[A-Z0-9]{4}){2,7}( ?[A-Z0-9]{1,3})?",
            r"\d{4}(?P<mark>[ -])\d{4}(?P=mark)\d{4}(?P=mark)\d{4}",
        ],
        Kind.OTHER: [r"[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"],
        Kind.DATE: [
            rf"\d{{4}}[-/.]{_MONTH}([-/.]{_DAY})?([ T].*)?",
            rf"{_DAY}[/.-]{_DAY}[/.-](\d{{4}}|\d{{2}})",
            r"\d{4}[- ]?Q[1-4]",
        ],
        Kind.PHONE: [
            r"\+\d{1,3}[\s.-]?(\(?\d{1,4}\)?[\s.-]?){2,5}",
            r"(\(\d{3}\) ?|\d{3}[.-])\d{3}[.-]\d{4}",
        ],
        Kind.PLACE: [
            r"\d{5}-\d{4}",
            r"\d+[A-Za-z]? [\w .'-]+ "
            r"(St|Street|Ave|Avenue|Road|Rd|Lane|Ln|Blvd|Drive|Dr|Court|Ct|Way)\.?",
        ],
    }.items()
}
"""By kind, what most of its values match; the first one counts."""

RESTRICTED_ZIPS = frozenset(
    f"{prefix:03}"
    for prefix in (36, 59, 63, 102, 203, 556, 692, 790, 821, 823, 830, 831, 878, 879, 884, 890, 893)
)
"""First digits of ZIP codes where at most 20,000 people live, as the guidance of the US Department
of Health and Human Services lists them after the census of 2000."""

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def words_of(name: str) -> str:
    """Write the name of a column as words.

    Examples
    --------
    >>> words_of("patientID"), words_of("E-Mail_address")
    ('patient id', 'e mail address')
    """
    return " ".join(_WORD.findall(name)).lower()
