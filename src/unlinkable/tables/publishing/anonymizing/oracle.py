"""The method that made a release, to be asked what it would make of other records."""

from __future__ import annotations

import time
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import numpy as np
from attrs import define, evolve

from unlinkable.errors import UnlinkableError
from unlinkable.noise import KEY_BITS
from unlinkable.tables.attacks.base import Target
from unlinkable.tables.data import Role, Schema, Table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base import RecordMethod, Task
from unlinkable.tables.models.base import All
from unlinkable.tables.publishing.anonymizing.apply import Applied, apply, public_domains
from unlinkable.tables.publishing.anonymizing.job import Job
from unlinkable.tables.publishing.anonymizing.masking import mask
from unlinkable.tables.publishing.anonymizing.run import rerun
from unlinkable.tables.publishing.attacking.targets import target_of
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.taxonomies.builders import Auto
from unlinkable.typing import Columns

__all__ = ["BundleOracle", "MethodOracle"]

_UNTOLD = (Role.IDENTIFIER, Role.OWNER, Role.GUARD)
"""What nobody outside knows of the records."""


@define(eq=False, frozen=True, slots=False)
class MethodOracle:
    """Publishes other records as those of a release were published.

    Method, promises, metric, share to be left out, roles, taxonomies and side tables are those of
    the release; identifiers are left out. Methods that generalize are run without checking again
    what they propose: that changes nothing of what they propose, and saves half of the time.

    Attributes
    ----------
    release
        The release.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [30, 31, 45, 46], "ill": ["flu", "hiv", "flu", "flu"]},
    ...     quasi="age", sensitive="ill")
    >>> oracle = MethodOracle(ul.anonymize(people, privacy=ul.KAnonymity(2)))
    >>> oracle.algorithm, oracle.is_random
    ('optimal for k-anonymity(k=2)', False)
    >>> oracle.publish(people, np.random.default_rng(0)).frame["age"].to_list()
    ['[30-32)', '[30-32)', '[45-47)', '[45-47)']
    """

    release: Release

    @property
    def algorithm(self) -> str:
        """The method, and what it promises."""
        promised = " and ".join(map(str, self.release.models))
        return f"{self.release.method} for {promised}" if promised else str(self.release.method)

    @cached_property
    def is_random(self) -> bool:
        """Whether it draws by chance.

        Methods that replace or separate values all do. A search is run once more on the original
        records to see; it may still draw for others.
        """
        if not isinstance(self.release, GeneralizedRelease):
            return True
        chance = np.random.default_rng(0)
        before = chance.bit_generator.state
        with suppress(UnlinkableError):
            self._searched(self.release, self.release.table, chance)
        return bool(chance.bit_generator.state != before)

    @cached_property
    def reads(self) -> Columns:
        """The columns besides the quasi-identifier that it looks at.

        A search sees groups, and of other columns what is counted in them. What replaces or
        separates values may look at all columns.
        """
        release, schema = self.release, self.release.table.schema
        if not isinstance(release, GeneralizedRelease):
            return schema.names
        needs = {*release.metric.needs(schema), *release.method.needs(schema)}
        needs |= All(release.models).needs()
        seen = {name for names in needs for name in names}
        seen |= {*schema.sensitive, *schema.with_role(Role.WEIGHT)}
        return tuple(name for name in schema.names if name in seen and name not in schema.quasi)

    def publish(self, table: Table, rng: np.random.Generator) -> Target:
        """Say what would be published of these records.

        Raises
        ------
        UnlinkableError
            If nothing would be: the promise cannot be kept, or the method refuses.
        """
        asked = self._as_original(table)
        if isinstance(self.release, GeneralizedRelease):
            return evolve(self._target, frame=self._searched(self.release, asked, rng).frame)
        assert isinstance(self.release, MaskedRelease)
        return target_of(self._masked(self.release, asked, rng))

    @cached_property
    def _target(self) -> Target:
        return target_of(self.release)

    def _as_original(self, table: Table) -> Table:
        """Give columns the roles and taxonomies that they had, and the order in which they were.

        Taxonomies of quasi-identifiers that are all as before are not built again.
        """
        original = self.release.table
        names = [n for n in original.frame.columns if n in table.frame.columns]
        told = [c for c in original.schema.columns if c.name in names and c.role not in _UNTOLD]
        frame = table.frame.select([n for n in names if n in {c.name for c in told}])
        asked = Table(frame, Schema(told))
        return self._with_taxonomies(asked)

    def _with_taxonomies(self, asked: Table) -> Table:
        quasi = [
            name
            for name in asked.schema.quasi
            if not (isinstance(how := asked.schema[name].taxonomy, Auto) and how.by_hidden)
        ]
        known = self._known.get("last")
        if known is None or not known.frame.select(quasi).equals(asked.frame.select(quasi)):
            self._known["last"] = asked
            return asked
        return evolve(
            asked,
            numbered={name: known.numbered(name) for name in quasi},
            taxonomies={name: known.taxonomy(name) for name in quasi},
        )

    @cached_property
    def _known(self) -> dict[str, Table]:
        """The records that were asked about before."""
        return {}

    def _searched(
        self, release: GeneralizedRelease, table: Table, rng: np.random.Generator
    ) -> Applied:
        """Search for groups and show them, as `generalize` does."""
        method, guide, privacy = release.method, release.metric, All(release.models)
        task = Task(table.attributes, guide, release.task.suppression, rng)
        needs = {*privacy.needs(), *guide.needs(table.schema), *method.needs(table.schema)}
        counted = count(table, needs, release.crowds)
        solution = method.search(counted.finest, privacy.prepared(counted.finest), task)
        solution = evolve(solution, partition=solution.partition.inhabited())
        domains = public_domains(table, counted, solution, list(release.crowds.values()))
        return apply(table, counted, solution, task.attributes, domains, {}, None)

    def _masked(
        self, release: MaskedRelease, table: Table, rng: np.random.Generator
    ) -> MaskedRelease:
        """Make what is to be published, as `mask` does."""
        seed = int.from_bytes(rng.bytes(KEY_BITS // 8), "big")
        # How many may be left out is not kept; what was left out has the same values here.
        share = Fraction(release.n_suppressed, max(len(release.table), 1))
        job = Job(
            table,
            release.models,
            release.side,
            share,
            {},
            None,
            seed,
            None,
            time.perf_counter(),
        )
        assert isinstance(release.method, RecordMethod)
        return mask(job, release.method, None)


@define(eq=False, frozen=True, slots=False)
class BundleOracle:
    """The method that made a bundle. The search is repeated when it is first asked."""

    folder: Path
    original: Path | None

    @cached_property
    def _oracle(self) -> MethodOracle:
        return MethodOracle(
            rerun(self.folder, None if self.original is None else str(self.original))
        )

    @property
    def algorithm(self) -> str:
        return self._oracle.algorithm

    @property
    def is_random(self) -> bool:
        return self._oracle.is_random

    @property
    def reads(self) -> Columns:
        return self._oracle.reads

    def publish(self, table: Table, rng: np.random.Generator) -> Target:
        return self._oracle.publish(table, rng)
