"""Dependencies: what determines what, in written form.

A dependency says that records which agree on some columns agree on another: ``name -> age``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from attrs import frozen

from unlinkable.errors import ParameterError
from unlinkable.typing import Columns

__all__ = ["Dependency", "closed", "keys"]


@frozen
class Dependency:
    """Records that agree on ``given`` agree on ``told``.

    Examples
    --------
    >>> Dependency.read("name, birth -> age")
    Dependency(given=('name', 'birth'), told=('age',))
    """

    given: Columns
    told: Columns

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a dependency.

        Raises
        ------
        ParameterError
            If it is none.
        """
        sides = [[name.strip() for name in side.split(",")] for side in text.split("->")]
        if len(sides) != 2 or not all(name for side in sides for name in side):
            raise ParameterError(f"{text!r} is no dependency: write one like name -> age")
        return cls(tuple(sides[0]), tuple(sides[1]))


def closed(dependencies: Sequence[Dependency]) -> tuple[Dependency, ...]:
    """Let every dependency tell all that follows from what is given.

    Examples
    --------
    >>> closed([Dependency.read("name -> job"), Dependency.read("job -> pay")])
    (Dependency(given=('name',), told=('job', 'pay')), Dependency(given=('job',), told=('pay',)))
    """
    found = []
    for one in dependencies:
        told = dict.fromkeys(one.given)
        for _ in dependencies:
            for other in dependencies:
                if {*other.given} <= {*told}:
                    told |= dict.fromkeys(other.told)
        found.append(Dependency(one.given, tuple(n for n in told if n not in one.given)))
    return tuple(one for one in found if one.told)


def keys(known: Columns, dependencies: Sequence[Dependency]) -> tuple[Columns, ...]:
    """Find the columns on which no two people agree, if no two agree on all that are known.

    Whoever agrees on what a dependency is given, agrees on what it tells.

    Parameters
    ----------
    known
        The columns that tell people apart.
    dependencies
        All of them, `closed`.

    Examples
    --------
    >>> keys(("first", "last"), [Dependency.read("number -> last")])
    (('first', 'last'), ('first', 'number'))
    """
    found = [known]
    for key in found:
        for one in dependencies:
            if {*key} & {*one.told}:
                kept = (name for name in key if name not in one.told)
                other = tuple(dict.fromkeys((*kept, *one.given)))
                if not any({*old} <= {*other} for old in found):
                    found.append(other)
    return tuple(found)
