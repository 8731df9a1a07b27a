"""Table: records about people, with what each column says about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypedDict

import numpy as np
import polars as pl
from attrs import define, evolve, field

from unlinkable.errors import DataError, ParameterError, SchemaError, in_short, unknown
from unlinkable.tables.data.reading.files import read_frame
from unlinkable.tables.data.reading.frames import Origin, to_frame
from unlinkable.tables.data.reading.options import ReadOptions
from unlinkable.tables.data.schema import Role, Schema
from unlinkable.tables.taxonomies import Attribute, Kind, Numbered, Taxonomy, number, require_values
from unlinkable.tables.taxonomies.builders import Auto, Flat, Observed, Rule, TaxonomyBuilder
from unlinkable.typing import CodeArray, FloatArray

__all__ = [
    "AttributeRoles",
    "ColumnRoles",
    "Table",
    "as_table",
    "join_frames",
    "join_relations",
    "read",
    "table_of",
]


@define(eq=False, frozen=True)
class Table:
    """A frame, and the roles of its columns.

    Attributes
    ----------
    frame
        The records.
    schema
        What each column says about a person. Its columns are in the order of the frame, in
        whatever order they were listed: that is the order of the quasi-identifiers everywhere.
    origin
        What the records came in, so that a release can be given back in kind.
    source
        Where they came from, for the private half of a bundle.

    Examples
    --------
    >>> columns = {"age": [30, 34, 51], "job": ["cook", "clerk", "cook"]}
    >>> people = as_table(columns, quasi=["age", "job"])
    >>> people.taxonomy("job").height
    1
    """

    frame: pl.DataFrame
    schema: Schema
    origin: Origin | None = None
    source: str | None = None
    _numbered: dict[str, Numbered] = field(factory=dict, repr=False)
    _taxonomies: dict[str, Taxonomy] = field(factory=dict, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "schema", self.schema.in_order(self.frame.columns))
        for column in self.schema.columns:
            if column.role is not Role.IDENTIFIER:
                require_values(column.name, self.frame.schema[column.name])

    def __len__(self) -> int:
        return self.frame.height

    def numbered(self, name: str) -> Numbered:
        """Give a column as numbers of its distinct values."""
        if name not in self._numbered:
            self._numbered[name] = number(self.frame.get_column(name))
        return self._numbered[name]

    def codes(self, name: str) -> CodeArray:
        """Give a column as codes of its taxonomy, one per record."""
        numbered = self.numbered(name)
        return numbered.codes_in(self.taxonomy(name))[numbered.numbers]

    def taxonomy(self, name: str) -> Taxonomy:
        """Give the values of a column and their generalizations."""
        if name not in self._taxonomies:
            self._taxonomies[name] = self.builder(name).build(self.observed(name))
        return self._taxonomies[name]

    def builder(self, name: str) -> TaxonomyBuilder:
        """Give the rule that makes the taxonomy of a column, also where none was given."""
        plan = self.schema[name]
        return plan.taxonomy or _default(plan.role, self.numbered(name).observed)

    def observed(self, name: str) -> Observed:
        """Give the values of a column as the rule for its taxonomy sees them."""
        observed, builder = self.numbered(name).observed, self.builder(name)
        if isinstance(builder, Auto) and builder.by_hidden:
            return evolve(observed, hidden=self._hidden(name))
        return observed

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The quasi-identifying columns as a search sees them."""
        return tuple(
            Attribute(name, self.taxonomy(name), self.schema[name].importance)
            for name in self.schema.quasi
        )

    @property
    def weights(self) -> FloatArray | None:
        """The weights of the records, if they have weights."""
        if (name := self.schema.weight) is None:
            return None
        column = self.frame.get_column(name)
        if not column.dtype.is_numeric() or column.null_count() or not (column > 0).all():
            raise DataError(f"the weights in column {name!r} must all be numbers greater than 0")
        return column.cast(pl.Float64).to_numpy()

    def _hidden(self, name: str) -> FloatArray:
        """Count the sensitive values of the records that share a value of this column."""
        if not self.schema.sensitive:
            raise SchemaError(
                f"the taxonomy of {name!r} is to follow the sensitive columns, and there are none"
            )
        own = self.numbered(name)
        parts = []
        for sensitive in self.schema.sensitive:
            other = self.numbered(sensitive)
            shape = (own.observed.domain.n, other.observed.domain.n)
            cell = own.codes[own.numbers].astype(np.int64) * shape[1] + other.codes[other.numbers]
            parts.append(np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape))
        joint = np.concatenate(parts, axis=1).astype(float)
        shares: FloatArray = joint / joint.sum(axis=1, keepdims=True)
        return shares


def as_table(
    data: object,
    *,
    quasi: str | Iterable[str] = (),
    sensitive: str | Iterable[str] = (),
    identifiers: str | Iterable[str] = (),
    target: str | Iterable[str] = (),
    insensitive: str | Iterable[str] = (),
    owner: str | None = None,
    guard: str | None = None,
    weight: str | None = None,
    taxonomies: Mapping[str, Rule] | None = None,
    importance: Mapping[str, float] | None = None,
) -> Table:
    """Take a frame of any kind as a table, with the roles of its columns."""
    frame, origin = to_frame(data)
    schema = Schema.of(
        quasi=quasi,
        sensitive=sensitive,
        identifiers=identifiers,
        target=target,
        insensitive=insensitive,
        owner=owner,
        guard=guard,
        weight=weight,
        taxonomies=taxonomies,
        importance=importance,
    )
    return Table(frame, schema, origin)


def read(
    source: str | Path,
    *,
    quasi: str | Iterable[str] = (),
    sensitive: str | Iterable[str] = (),
    identifiers: str | Iterable[str] = (),
    target: str | Iterable[str] = (),
    insensitive: str | Iterable[str] = (),
    owner: str | None = None,
    guard: str | None = None,
    weight: str | None = None,
    taxonomies: Mapping[str, Rule] | None = None,
    importance: Mapping[str, float] | None = None,
    options: ReadOptions | None = None,
    join: str | Path | Iterable[str | Path] = (),
) -> Table:
    """Read a table from a file or a database, with the roles of its columns.

    Further files given to ``join`` are put beside it by the owner column: see `join_relations`.
    """
    schema = Schema.of(
        quasi=quasi,
        sensitive=sensitive,
        identifiers=identifiers,
        target=target,
        insensitive=insensitive,
        owner=owner,
        guard=guard,
        weight=weight,
        taxonomies=taxonomies,
        importance=importance,
    )
    if options is not None and not isinstance(options, ReadOptions):
        raise ParameterError(f"options must be ReadOptions, got {in_short(options)}")
    frame = read_frame(source, options=options or ReadOptions())
    relations = [join] if isinstance(join, str | Path) else list(join)
    return Table(join_relations(frame, relations, owner), schema, source=str(source))


def join_relations(
    frame: pl.DataFrame, relations: Iterable[str | Path], owner: str | None
) -> pl.DataFrame:
    """Put the rows of further files beside the person that they belong to.

    Raises
    ------
    SchemaError
        If there is no owner column to join by, or the tables do not fit together.
    """
    files = {str(file): read_frame(file) for file in relations}
    if files and owner is None:
        raise SchemaError("tables are joined by the owner column: say which column that is")
    return frame if owner is None else join_frames(frame, files, owner)


def _default(role: Role, observed: Observed) -> TaxonomyBuilder:
    is_ordered = observed.domain.kind is not Kind.CATEGORY
    return Auto() if role is Role.QUASI and is_ordered else Flat()


class AttributeRoles(TypedDict, total=False):
    """What the columns of a frame are that name nobody: the other arguments of `as_table`."""

    quasi: str | Iterable[str]
    sensitive: str | Iterable[str]
    target: str | Iterable[str]
    insensitive: str | Iterable[str]
    owner: str | None
    guard: str | None
    weight: str | None
    taxonomies: Mapping[str, Rule] | None
    importance: Mapping[str, float] | None


class ColumnRoles(AttributeRoles, total=False):
    """What the columns of a frame are: the arguments of `as_table`."""

    identifiers: str | Iterable[str]


def table_of(data: object, roles: ColumnRoles) -> Table:
    """Take a table as it is, or a frame of any kind or a file with the roles of its columns.

    Raises
    ------
    TypeError
        If something is given that is no role.
    ParameterError
        If a table, which has roles, is given others.
    SchemaError, DataError
        If it is no table, or columns have no role.

    Examples
    --------
    >>> table_of({"age": [30, 31]}, {"quasi": "age"}).schema.quasi
    ('age',)
    """
    known = ColumnRoles.__annotations__
    for name in roles:
        if name not in known:
            raise TypeError(unknown("argument", name, known))
    if not isinstance(data, Table):
        return read(data, **roles) if isinstance(data, str | Path) else as_table(data, **roles)
    if roles:
        raise ParameterError(
            f"the table has roles, and {', '.join(roles)} would give it others: give the roles "
            "where the table is made, or a frame without roles"
        )
    return data


def join_frames(
    frame: pl.DataFrame, relations: Mapping[str, pl.DataFrame], key: str
) -> pl.DataFrame:
    """Put the rows of relations beside the person that they belong to.

    A person with several rows in a relation, or in several, has every combination of them; one
    without a row in a relation has missing values there, and stays.

    Parameters
    ----------
    frame
        The first table.
    relations
        Further ones, by name.
    key
        The column that tells whose row it is, in all of them.

    Raises
    ------
    SchemaError
        If a table lacks the key, or two of them have a column of the same name.
    DataError
        If a relation has rows of nobody in the first table.

    Examples
    --------
    >>> people = pl.DataFrame({"pid": [1, 2], "job": ["cook", "clerk"]})
    >>> visits = pl.DataFrame({"pid": [1, 1], "day": ["Mon", "Tue"]})
    >>> join_frames(people, {"visits": visits}, "pid").rows()
    [(1, 'cook', 'Mon'), (1, 'cook', 'Tue'), (2, 'clerk', None)]
    """
    if key not in frame.columns:
        raise SchemaError(f"{unknown('column', key, frame.columns)} to join by")
    for name, relation in relations.items():
        if key not in relation.columns:
            raise SchemaError(f"{unknown('column', key, relation.columns)} in {name!r} to join by")
        if double := sorted(set(relation.columns) & set(frame.columns) - {key}):
            raise SchemaError(
                f"column {double[0]!r} is in {name!r} and in a table before it: rename it in one"
            )
        relation = _like(relation, frame, key, name)
        if n := relation.join(frame, on=key, how="anti").height:
            raise DataError(
                f"{n} rows of {name!r} belong to nobody in the first table: add these people, or "
                "leave the rows out"
            )
        frame = frame.join(relation, on=key, how="left", maintain_order="left_right")
    return frame


def _like(relation: pl.DataFrame, frame: pl.DataFrame, key: str, name: str) -> pl.DataFrame:
    """Bring the key into the form that it has in the first table."""
    theirs, ours = relation.get_column(key), frame.schema[key]
    if theirs.dtype == ours and not isinstance(ours, pl.Categorical):
        return relation
    cast = theirs.cast(pl.String).cast(ours, strict=False)
    if cast.null_count() > theirs.null_count():
        raise DataError(
            f"column {key!r} of {name!r} is not of the kind that the first table has "
            f"({theirs.dtype}, and {ours} there): write it in the same way"
        )
    return relation.with_columns(cast)
