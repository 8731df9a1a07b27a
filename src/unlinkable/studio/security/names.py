"""Names of files and folders that come from outside: nothing but a name, in one folder."""

from __future__ import annotations

import re
import unicodedata

from unlinkable.studio.errors import StudioError

__all__ = ["safe_name"]

_LONGEST = 120
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_ODD = re.compile(r"[^\w.()+ -]")


def safe_name(name: str) -> str:
    r"""Take the last part of a path, without anything that means something to a file system.

    Raises
    ------
    StudioError
        If nothing is left of it.

    Examples
    --------
    >>> safe_name("../../etc/passwd"), safe_name(r"C:\data\Patienten März.csv")
    ('passwd', 'Patienten März.csv')
    """
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    kept = _ODD.sub("_", last).strip(" .-")
    stem, dot, suffix = kept.rpartition(".")
    if len(kept) > _LONGEST:
        kept = stem[: _LONGEST - len(suffix) - 1] + dot + suffix if dot else kept[:_LONGEST]
    if not kept.strip("_.") or _RESERVED.fullmatch(kept) or len(kept.encode()) > 240:
        raise StudioError("give it a name made of letters, digits, spaces and - _ . ( )")
    return kept
