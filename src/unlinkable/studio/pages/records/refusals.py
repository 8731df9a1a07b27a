"""Why a file cannot be read, in the words of the page on which that is told."""

from __future__ import annotations

__all__ = ["in_plain_words", "is_about_encoding"]

_NOT_UTF8 = "the file is not written in UTF-8"
_UPLOADS = "uploads/"
_WORDS = {
    "give its encoding (often 'cp1252' for files from Windows in Western Europe), or save it as "
    "UTF-8": "choose what it is written in, or save it as UTF-8",
    "tell with header=False that the first line is a record": "say under “Names of the columns” "
    "that there is no such line",
}
"""What the library says to those who write code, and what it means here."""


def in_plain_words(refusal: str) -> str:
    """Say what to do in the form, where the library says which argument to give.

    Where files that were handed in are kept is nobody's business.

    Examples
    --------
    >>> in_plain_words("uploads/a.csv, line 1: rename one, or tell with header=False that the "
    ...                "first line is a record")
    'a.csv, line 1: rename one, or say under “Names of the columns” that there is no such line'
    """
    refusal = refusal.removeprefix(_UPLOADS)
    for said, meant in _WORDS.items():
        refusal = refusal.replace(said, meant)
    return refusal


def is_about_encoding(refusal: str) -> bool:
    """Whether the file is written in something else than was supposed."""
    return _NOT_UTF8 in refusal
