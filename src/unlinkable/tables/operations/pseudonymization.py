"""Pseudonymization: identifiers leave, or come back as names that only the key's holder can make.

No identifier reaches a release. What becomes of it is the holder's decision: it is dropped,
replaced by a keyed pseudonym, or struck out except for a few characters.

References
----------
.. [1] H. Krawczyk, M. Bellare, R. Canetti. "HMAC: keyed-hashing for message authentication."
   RFC 2104, 1997.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from attrs import field, frozen

from unlinkable.errors import ParameterError
from unlinkable.params import at_least
from unlinkable.tables.data import IdentifierTreatment
from unlinkable.tables.operations.base.operation import Operation
from unlinkable.tables.operations.shared.pseudonyms import (
    Identifier,
    check_fill,
    check_length,
    mask,
    pseudonyms,
)

__all__ = ["Pseudonymization"]


@frozen(kw_only=True)
class Pseudonymization(Operation):
    """Drop identifiers, replace them by keyed pseudonyms, or mask them.

    The default is to drop: nothing else is safe without a decision.

    Guarantees
    ----------
    Dropped identifiers are gone. A pseudonym tells nothing of the identifier to anybody without
    the key. It does tell that two records belong to the same person, in this and in every other
    release made with the same key: use a new key where that is not wanted. What a mask leaves
    standing is published as it is, and no privacy model counts it.

    Parameters
    ----------
    treatment
        What becomes of the identifiers.
    length, prefix
        Characters of a pseudonym, and text in front of it. Some pseudonyms consist of digits
        alone; a prefix such as ``"P"`` keeps spreadsheets from taking them for numbers.
    keep_left, keep_right, fill
        Characters that a mask leaves standing at either end, and what replaces the others.

    Examples
    --------
    >>> names = ["Ada Lovelace", "Alan Turing", None]
    >>> Pseudonymization().apply(names) is None
    True
    >>> Pseudonymization(treatment=IdentifierTreatment.MASK, keep_left=1).apply(names)
    ['A***********', 'A**********', None]
    >>> key = bytes(range(32))  # for this example only: use new_key()
    >>> Pseudonymization(treatment=IdentifierTreatment.PSEUDONYM, prefix="P").apply(names, key)
    ['PXJ49HADQ8Q3056JR', 'PASKHT99K2AKZJ2SD', None]
    """

    name: ClassVar[str] = "pseudonymization"
    reference: ClassVar[str] = "RFC 2104 (HMAC)"
    truthful: ClassVar[bool] = True

    treatment: IdentifierTreatment = field(
        default=IdentifierTreatment.DROP, converter=IdentifierTreatment
    )
    length: int = field(default=16)
    prefix: str = ""
    keep_left: int = field(default=0, validator=at_least(0))
    keep_right: int = field(default=0, validator=at_least(0))
    fill: str = field(default="*")

    @length.validator
    def _length_is_possible(self, attribute: Any, value: int) -> None:
        check_length(value)

    @fill.validator
    def _fill_is_possible(self, attribute: Any, value: str) -> None:
        check_fill(value)

    def apply(
        self, values: Sequence[Identifier | None], key: bytes | None = None
    ) -> list[str | None] | None:
        """Treat the distinct values of a column; None says that the column is left out.

        Raises
        ------
        ParameterError
            If pseudonyms are asked for without a key or with a weak one, or two identifiers
            would share one.
        """
        match self.treatment:
            case IdentifierTreatment.DROP:
                return None
            case IdentifierTreatment.MASK:
                return mask(
                    values, keep_left=self.keep_left, keep_right=self.keep_right, fill=self.fill
                )
            case IdentifierTreatment.PSEUDONYM:
                if key is None:
                    raise ParameterError(
                        "pseudonyms need a key: name a key file in the plan, or pass load_key(path)"
                    )
                return pseudonyms(values, key, length=self.length, prefix=self.prefix)
