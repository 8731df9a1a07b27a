"""What takes any kind of data, with the types that tables have."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from unlinkable.release import anonymize as anonymize_any

if TYPE_CHECKING:
    from typing import Unpack

    from unlinkable.release import Release as AnyRelease
    from unlinkable.tables.methods.base import RecordMethod, Search
    from unlinkable.tables.operations.base import Perturbation
    from unlinkable.tables.publishing import GeneralizedRelease, MaskedRelease, Release
    from unlinkable.tables.publishing.anonymizing import AnyMethod, Options, Promises

__all__ = ["anonymize"]


@overload
def anonymize(
    table: object, *, privacy: Promises, method: Search | None = None, **options: Unpack[Options]
) -> GeneralizedRelease: ...
@overload
def anonymize(
    table: object,
    *,
    privacy: Promises = (),
    method: RecordMethod | Perturbation,
    **options: Unpack[Options],
) -> MaskedRelease: ...
@overload
def anonymize(
    table: object, *, privacy: Promises = (), method: AnyMethod, **options: Unpack[Options]
) -> Release: ...
@overload
def anonymize(table: object, *, kind: str, **options: object) -> AnyRelease: ...
def anonymize(table: object, *, kind: str | None = None, **options: object) -> AnyRelease:
    """Find the release that loses least among those that keep the promises, and check it.

    Parameters
    ----------
    table
        The data: a table with roles, a frame of any kind or a file with roles as arguments, or
        data of another kind.
    kind
        What kind of data they are; if not given, the data tell it, or they are a table.
    options
        ``privacy``, what is promised; ``method``, how to make the release; and whatever else the
        kind of data takes: for tables see `unlinkable.tables.publishing.anonymize`.

    Raises
    ------
    ParameterError
        If there is no such kind of data, or an option means nothing.
    InfeasibleError, UnsupportedError
        If no release keeps the promises, or the method cannot serve them.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [30, 31, 45, 46], "job": ["cook", "clerk", "cook", "clerk"]},
    ...     quasi=["age", "job"])
    >>> release = ul.anonymize(people, privacy=ul.KAnonymity(2))
    >>> release.holds
    True

    A frame goes in with its roles, and comes out as it went in.

    >>> ul.anonymize({"age": [30, 31, 45, 46]}, quasi="age", privacy="k-anonymity(k=2)").frame
    {'age': ['[30-32)', '[30-32)', '[45-47)', '[45-47)']}
    """
    return anonymize_any(table, kind=kind, **options)
