"""JSON in one spelling only, so that a changed byte can be told."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unlinkable.errors import BundleError

__all__ = ["canonical_json", "read_json", "written_json"]

_DEEPEST = 64
"""Lists and objects within each other: no document of a bundle needs more."""

_LONGEST_NUMBER = 100
"""Digits of a whole number: no seed or count has more, and every such number is a float as well."""

_TOO_DEEP = "{file} is damaged: it is nested too deeply"


def canonical_json(document: Mapping[str, object]) -> bytes:
    """Write a document in the one way in which it is hashed and signed.

    This is not RFC 8785, which writes 1.0 as 1, sorts keys by UTF-16 and refuses whole numbers of
    more than 53 bits: with it, the digests and signatures of existing bundles would not fit.

    Examples
    --------
    >>> canonical_json({"b": 0.5, "a": [1]})
    b'{"a":[1],"b":0.5}'
    """
    return _encode(_json(document, sort_keys=True, separators=(",", ":")))


def written_json(document: Mapping[str, object]) -> bytes:
    """Write a document for people too: a line for every key, and for every item of a list.

    Examples
    --------
    >>> print(written_json({"b": 0.5, "a": [{"n": 1}]}).decode(), end="")
    {
     "b": 0.5,
     "a": [
      {"n": 1}
     ]
    }
    """
    lines = [f" {_json(key)}: {_lines(value)}" for key, value in document.items()]
    return _encode("{\n" + ",\n".join(lines) + "\n}\n")


def read_json(content: bytes, file: Path) -> dict[str, object]:
    """Read a document that must be an object, with every key once, and neither deep nor vast.

    Raises
    ------
    BundleError
        If it is none.
    """
    try:
        document = json.loads(
            content.decode("utf-8"), object_pairs_hook=_without_doubles, parse_int=_whole
        )
    except RecursionError:
        raise BundleError(_TOO_DEEP.format(file=file)) from None
    except ValueError as error:
        raise BundleError(f"{file} is damaged: it is no JSON ({error})") from None
    if not isinstance(document, dict):
        raise BundleError(f"{file} is damaged: it must be a JSON object")
    if _is_deep(document):
        raise BundleError(_TOO_DEEP.format(file=file))
    return document


def _is_deep(document: object) -> bool:
    level: list[Any] = [document]
    for _ in range(_DEEPEST):
        inside = [value.values() if isinstance(value, dict) else value for value in level]
        level = [item for values in inside for item in values if isinstance(item, dict | list)]
        if not level:
            return False
    return True


def _whole(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise ValueError(f"a number has {len(text)} digits")
    return int(text)


def _lines(value: object) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"  {_json(item)}" for item in value) + "\n ]"
    return _json(value)


def _json(
    value: object, *, sort_keys: bool = False, separators: tuple[str, str] = (", ", ": ")
) -> str:
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=sort_keys, separators=separators
    )


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise BundleError("a manifest holds text that is not Unicode") from None


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if twice := [key for key, n in Counter(key for key, _ in pairs).items() if n > 1]:
        raise ValueError(f"{twice[0]!r} is given twice")
    return dict(pairs)
