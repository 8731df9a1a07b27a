"""What may be done to data so that it can be published."""

from __future__ import annotations

from unlinkable.recoding.base import Operation
from unlinkable.recoding.keys import Key, load_key, new_key, save_key
from unlinkable.recoding.pseudonymization import Pseudonymization
from unlinkable.recoding.pseudonyms import mask, pseudonyms

__all__ = [
    "Key",
    "Operation",
    "Pseudonymization",
    "load_key",
    "mask",
    "new_key",
    "pseudonyms",
    "save_key",
]
