"""Schema: what each column says about a person.

Every column has exactly one role. A column without a role is an error, not a guess: publishing it
as it stands may name people, and dropping it may lose what the release was made for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Self

from attrs import field, frozen

from unlinkable.errors import ParameterError, SchemaError, unknown
from unlinkable.params import Choice, as_columns, positive
from unlinkable.tables.taxonomies.builders import Rule, TaxonomyBuilder, as_builder
from unlinkable.typing import Columns

__all__ = ["ColumnPlan", "IdentifierTreatment", "Role", "Schema"]


class Role(Enum):
    """What a column is to a release."""

    IDENTIFIER = "identifier"
    """Names the person. Never published as it stands."""
    QUASI = "quasi-identifier"
    """Known to others, and telling in combination. Generalized."""
    SENSITIVE = "sensitive"
    """What nobody may find out about a person."""
    TARGET = "target"
    """What recipients want to predict. Published as it stands."""
    INSENSITIVE = "insensitive"
    """Published as it stands."""
    OWNER = "owner"
    """Tells which records belong to the same person. Used for counting people, never published."""
    GUARD = "guard"
    """What the person wants guarded: a node of the taxonomy of a sensitive column. Never published,
    for it discloses what a person wants to hide."""
    WEIGHT = "weight"
    """How many people of the population a record stands for. Published as it stands."""


class IdentifierTreatment(Choice, noun="treatment"):
    """What becomes of a column that names people."""

    DROP = "drop"
    """The column is removed."""
    PSEUDONYM = "pseudonym"
    """Every identifier is replaced by its pseudonym under the holder's key."""
    MASK = "mask"
    """Characters are struck out, except a few at the ends."""


@frozen
class ColumnPlan:
    """What is to be done with one column.

    Attributes
    ----------
    name, role
        The column, and what it says about a person.
    taxonomy
        How its values may be generalized. Quasi-identifiers without one get a binary tree if they
        are numbers or dates, and otherwise keep their values or lose them (`Flat`).
    importance
        How much a loss on it weighs against the other quasi-identifiers.
    treatment
        What becomes of an identifier. Nothing but dropping is safe without a decision.
    """

    name: str
    role: Role = field(converter=Role)
    taxonomy: TaxonomyBuilder | None = None
    importance: float = field(default=1.0, validator=positive)
    treatment: IdentifierTreatment = field(
        default=IdentifierTreatment.DROP, converter=IdentifierTreatment
    )

    def __attrs_post_init__(self) -> None:
        if self.treatment is not IdentifierTreatment.DROP and self.role is not Role.IDENTIFIER:
            raise SchemaError(
                f"column {self.name!r} is {self.role.value}, and only identifiers are treated as "
                f"{self.treatment.value!r}: give it the role identifier, or no treatment"
            )


def _as_tuple(columns: Iterable[ColumnPlan]) -> tuple[ColumnPlan, ...]:
    return tuple(columns)


@frozen
class Schema:
    """The columns of a table and their roles.

    Examples
    --------
    >>> schema = Schema.of(quasi=["age", "zip"], sensitive="disease")
    >>> schema.quasi, schema.sensitive
    (('age', 'zip'), ('disease',))
    """

    columns: tuple[ColumnPlan, ...] = field(converter=_as_tuple)

    def __attrs_post_init__(self) -> None:
        counts = Counter(c.name for c in self.columns)
        if double := [name for name, n in counts.items() if n > 1]:
            roles = [c.role.value for c in self.columns if c.name == double[0]]
            raise SchemaError(
                f"column {double[0]!r} has {len(roles)} roles ({', '.join(roles)}): give it one"
            )
        for role in (Role.OWNER, Role.GUARD, Role.WEIGHT):
            if len(names := self.with_role(role)) > 1:
                raise SchemaError(
                    f"there can be one {role.value} column, got {list(names)}: "
                    "join them into one column first"
                )

    @classmethod
    def of(
        cls,
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
    ) -> Self:
        """Make a schema from lists of column names."""
        listed: list[tuple[Role, str | Iterable[str] | None]] = [
            (Role.IDENTIFIER, identifiers),
            (Role.QUASI, quasi),
            (Role.SENSITIVE, sensitive),
            (Role.TARGET, target),
            (Role.INSENSITIVE, insensitive),
            (Role.OWNER, owner),
            (Role.GUARD, guard),
            (Role.WEIGHT, weight),
        ]
        roles = [(name, role) for role, names in listed for name in as_columns(names) or ()]
        taxonomies, importance = taxonomies or {}, importance or {}
        if not (isinstance(taxonomies, Mapping) and isinstance(importance, Mapping)):
            raise ParameterError(
                "taxonomies and importance are given by column, like taxonomies={'age': "
                "Intervals(5, 10)}"
            )
        known = [name for name, _ in roles]
        for name in [*taxonomies, *importance]:
            if name not in known:
                raise SchemaError(f"{unknown('column', name, known)} to give a taxonomy or weight")
        built = {name: as_builder(name, rule) for name, rule in taxonomies.items()}
        return cls(
            ColumnPlan(name, role, built.get(name), importance.get(name, 1.0))
            for name, role in roles
        )

    def __getitem__(self, name: str) -> ColumnPlan:
        for column in self.columns:
            if column.name == name:
                return column
        raise SchemaError(unknown("column", name, self.names))

    @property
    def names(self) -> Columns:
        """All columns that have a role."""
        return tuple(c.name for c in self.columns)

    def with_role(self, *roles: Role) -> Columns:
        """Name the columns that have one of these roles."""
        return tuple(c.name for c in self.columns if c.role in roles)

    @property
    def quasi(self) -> Columns:
        """The quasi-identifier."""
        return self.with_role(Role.QUASI)

    @property
    def sensitive(self) -> Columns:
        """The sensitive columns."""
        return self.with_role(Role.SENSITIVE)

    @property
    def owner(self) -> str | None:
        """The column that identifies the records of the same person."""
        return next(iter(self.with_role(Role.OWNER)), None)

    @property
    def guard(self) -> str | None:
        """The column with what each person wants guarded."""
        return next(iter(self.with_role(Role.GUARD)), None)

    @property
    def weight(self) -> str | None:
        """The column with the weights of the records."""
        return next(iter(self.with_role(Role.WEIGHT)), None)

    def require(self, present: Iterable[str]) -> None:
        """Refuse roles for columns that are not there."""
        present = list(present)
        there = set(present)
        for name in self.names:
            if name not in there:
                raise SchemaError(f"{unknown('column', name, present)} in the table")

    def check(self, present: Iterable[str]) -> None:
        """Refuse roles for columns that are not there, and columns that have no role."""
        present = list(present)
        self.require(present)
        known = set(self.names)
        if without := [name for name in present if name not in known]:
            raise SchemaError(
                f"no role for {', '.join(map(repr, without))}: say what each column is "
                "(identifier, quasi-identifier, sensitive, target, insensitive, owner, guard or "
                "weight)"
            )

    def in_order(self, present: Iterable[str]) -> Schema:
        """Give the same roles in the order in which the columns of a table stand.

        Raises
        ------
        SchemaError
            As `check` does.

        Examples
        --------
        >>> Schema.of(quasi=["zip", "age"], sensitive="ill").in_order(["age", "ill", "zip"]).quasi
        ('age', 'zip')
        """
        present = list(present)
        self.check(present)
        plans = {column.name: column for column in self.columns}
        return Schema(plans[name] for name in present)
