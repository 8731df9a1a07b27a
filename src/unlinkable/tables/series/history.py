"""History: the releases of the same people that are on record, and how to publish the next one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Literal, Unpack, cast

import numpy as np
from attrs import evolve

from unlinkable.errors import HistoryError, ParameterError, unknown
from unlinkable.params import exact
from unlinkable.registry import make
from unlinkable.release.bundle import SigningKey, signals_later
from unlinkable.release.history import (
    Database,
    HistoryFacts,
    Ledger,
    ReleaseEntry,
    move,
    require_free,
    sweep,
    waiting_bundle,
)
from unlinkable.release.plan import Statement
from unlinkable.spelling import read_call
from unlinkable.tables.attacks.base import Outcome
from unlinkable.tables.attacks.series import Series, SeriesAttack
from unlinkable.tables.data import (
    AttributeRoles,
    Side,
    Table,
    as_side,
    canonical_values,
    frame_to_bytes,
    texts_of,
)
from unlinkable.tables.methods.base import Method
from unlinkable.tables.metrics.base import Metric
from unlinkable.tables.models.base import BindingContext, bind_all, warn_of_unknown_value
from unlinkable.tables.operations import Pseudonymization, check_key
from unlinkable.tables.publishing.anonymizing import Promises, as_models, given_records
from unlinkable.tables.publishing.attacking import (
    Assault,
    attack_series,
    attack_series_all,
    made_series_attack,
)
from unlinkable.tables.publishing.bundles import save
from unlinkable.tables.publishing.plans import Format, Plan
from unlinkable.tables.risk import require_no_numbers
from unlinkable.tables.series.next_release import Terms, next_release
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.tables.series.publication import Publication, entry_of
from unlinkable.tables.series.recognition import Names, recognize
from unlinkable.tables.series.stored_edition import edition_to_row, editions_of
from unlinkable.typing import Progress

__all__ = ["History", "Publication", "publish_planned", "unseen_values"]

_WAIT = 30.0
"""Seconds to wait while somebody else is publishing."""

_FIRST = "incremental"
"""The policy of a new history if none is given."""


class History:
    """All that was published of the same people, kept in a database.

    Parameters
    ----------
    address
        A file, which is made if it is not there, or the address of a PostgreSQL database, like
        ``postgresql://user@host/database``. It holds what people's records can be told by: keep it
        as safe as the records themselves.
    key
        The holder's key for recognizing people (`unlinkable key`). Without it, whoever has the
        history can test guesses of who is in it.
    wait
        For how many seconds to wait if somebody else is publishing.

    Examples
    --------
    >>> import tempfile, unlinkable as ul
    >>> folder = tempfile.TemporaryDirectory()
    >>> history = ul.History(f"{folder.name}/history.db")
    >>> people = {"pid": list("abcdef"), "age": [30, 31, 45, 46, 47, 30],
    ...     "ill": ["flu", "hiv", "flu", "cold", "hiv", "cold"]}
    >>> table = ul.as_table(people, identifiers="pid", quasi="age", sensitive="ill")
    >>> published = history.publish(table, privacy=ul.KCAnonymity(2, "1/2"))
    >>> published.number, published.release.n_groups, len(history)
    (1, 2, 1)
    >>> folder.cleanup()
    """

    def __init__(
        self, address: str | Path, *, key: bytes | None = None, wait: float = _WAIT
    ) -> None:
        if wait < 0:
            raise ParameterError(f"wait must be some seconds, got {wait}")
        if key is not None:
            check_key(key)
        self._database = Database(address, wait)
        self._key = key

    def __len__(self) -> int:
        return len(self.releases())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._database.shown!r})"

    def about(self) -> HistoryFacts | None:
        """Give what holds for all releases; None if nothing was published yet."""
        with self._reading() as ledger:
            return None if ledger is None else ledger.facts()

    def releases(self) -> tuple[ReleaseEntry, ...]:
        """List what was published, the first release first.

        Raises
        ------
        HistoryError
            If the database cannot be read, or is of a later version.
        """
        with self._reading() as ledger:
            return () if ledger is None else ledger.entries()

    def series(self) -> Series:
        """Give all releases as whoever holds them all has them, and whose their records are."""
        with self._reading() as ledger:
            if ledger is None:
                return Series(())
            keys = ledger.keys()
            nobody = np.zeros(0, np.int64)
            return Series(editions_of(ledger), Names(nobody, None, keys))

    def attack(
        self,
        attack: str | SeriesAttack,
        *,
        limit: float | str | Fraction | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        **given: object,
    ) -> Outcome:
        """Try an attack on all releases together, with all that the worst adversary knows.

        Parameters
        ----------
        attack
            The attack, its name, or its written form.
        limit
            How sure the adversary may be at most of anybody.
        seed
            Makes chance repeatable.
        progress
            Whom to tell how far the attack is.
        given
            Parameters of the attack.

        Raises
        ------
        ParameterError
            If there is no such attack or parameter.
        UnsupportedError, SchemaError, DataError
            As the attack itself.
        """
        made = made_series_attack(attack, given, limit)
        return attack_series(self.series(), made, seed=seed, progress=progress)

    def attack_all(
        self,
        *,
        limit: float | str | Fraction | None = None,
        k: int | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Assault:
        """Say what an adversary who holds all releases can infer now, by every attack that applies.

        Parameters
        ----------
        limit, k
            How sure he may be at most of anybody, and how many people must be left at least. If not
            given, what the last release was held to, for attacks that it was made to withstand.
        seed, progress
            As of `attack`.
        """
        last = self.releases()[-1:]
        guarded = [str(found["attack"]) for entry in last for found in entry.findings]
        return attack_series_all(
            self.series(), limit=limit, k=k, guarded=guarded, seed=seed, progress=progress
        )

    def publish(
        self,
        table: object,
        *,
        policy: Policy | str | None = None,
        privacy: Promises = (),
        method: Method | str | None = None,
        person: str | None = None,
        recipient: str | None = None,
        metric: Metric | str | None = None,
        suppression: float | str | Fraction = 0,
        identifiers: str | Iterable[str] | Mapping[str, Pseudonymization] | None = None,
        key: bytes | None = None,
        seed: int | None = None,
        side: Mapping[str, object] | Side | None = None,
        progress: Progress | None = None,
        out: str | Path | None = None,
        format: Format | Literal["csv", "parquet"] = "csv",  # noqa: A002
        signing_key: SigningKey | None = None,
        plan: Plan | None = None,
        dry_run: bool = False,
        **roles: Unpack[AttributeRoles],
    ) -> Publication:
        """Publish the next release, if it is safe together with all earlier ones.

        Parameters
        ----------
        table
            The records, with the roles of their columns.
        policy
            How to publish again, or its written form; as before if not given, and `incremental` for
            the first release.
        privacy, method, metric, suppression, identifiers, key, seed, side, progress
            As of `anonymize`. A metric that guides searches is not asked where the policy makes the
            release without one.
        person
            The column by which people are known from one release to the next; the owner, or the
            only identifier, if not given.
        recipient
            Who gets the release; everybody if not given. All recipients are taken to share what
            they have.
        out
            Where bundles go: each into a folder that is called by its number, ``001`` and so on. It
            is there if and only if the release is on record.
        format, signing_key, plan
            As of `Release.save`.
        dry_run
            Whether to do all but publish.
        roles
            The roles of the columns, if a frame is given in place of a table.

        Raises
        ------
        ChannelError
            If somebody would fall to an attack that the policy guards against.
        InfeasibleError
            If nothing of these records can be published any more.
        HistoryError
            If somebody else is publishing, or the history is of another kind.
        UnsupportedError, SchemaError, DataError
            If the policy cannot treat the table.
        """
        records, treated = given_records(table, identifiers, roles)
        home = None if out is None else Path(out).resolve()
        beside = as_side(side)
        models = as_models(privacy)
        context, mark = BindingContext.at(records, beside), self._database.mark
        if not dry_run or self._database.exists:
            self._tidy(home)
        with ExitStack() as stack:
            with self._writing(is_tried=dry_run) as ledger:
                chosen = _chosen_policy(policy, ledger.facts(), self._database.shown)
                require_no_numbers(records, chosen.may_name_people)
                known = recognize(ledger, records, person, self._key, self._database.shown)
                place = None if home is None else home / f"{len(known.past) + 1:03d}"
                if place is not None:
                    require_free(place)
                request = Request(
                    records,
                    known.people,
                    bind_all(models, context, warn_of_unknown_value),
                    make("method", method) if isinstance(method, str) else method,
                    _exact_share(suppression),
                    recipient,
                )
                terms = Terms(metric, treated, key, seed, beside, progress)
                made = next_release(chosen, request, known.past, terms)
                entry = entry_of(made, str(chosen), known, recipient)
                unseen = unseen_values(chosen, records, known.past)
                if dry_run:
                    return Publication(
                        entry,
                        made.release,
                        made.outcomes,
                        is_published=False,
                        refused=made.refused,
                        unseen=unseen,
                    )
                statement = Statement() if plan is None else plan.statement()
                write = partial(
                    save,
                    made.release,
                    format=format,
                    signing_key=signing_key,
                    plan=plan,
                    statement=evolve(statement, recipient=recipient or statement.recipient),
                )
                with waiting_bundle(place, mark, write) as (folder, waiting, manifest):
                    entry = evolve(entry, folder=folder, waiting=waiting, manifest=manifest)
                    ledger.settle(str(chosen), known.person)
                    memory = {name: frame_to_bytes(frame) for name, frame in made.memory.items()}
                    ledger.add(entry, edition_to_row(made.edition), known.new_keys, memory)
                    # From here on the bundle goes to its place, whoever asks to stop.
                    stack.enter_context(signals_later())
                    ledger.commit()
            self._tidy(home)
        entry = evolve(entry, waiting=None)
        return Publication(
            entry, made.release, made.outcomes, place, refused=made.refused, unseen=unseen
        )

    def recover(self) -> None:
        """Finish what a publisher that was stopped has left undone; publishing does it by itself.

        Bundles that are on record are moved to their places.

        Raises
        ------
        HistoryError
            If a bundle is lost, or its place is taken.
        """
        self._tidy(None)

    def _tidy(self, home: Path | None) -> None:
        """Finish what publishers that were stopped have left undone, here and in earlier places."""
        if home is None and not any(entry.waiting for entry in self.releases()):
            return  # Nobody has to wait for a publisher only to look.
        with self._writing() as ledger:
            entries = ledger.entries()
            waiting = [entry for entry in entries if entry.waiting is not None]
            for entry in waiting:
                move(entry)
                ledger.moved(entry.number)
            homes = {Path(entry.folder).parent for entry in entries if entry.folder is not None}
            sweep(homes if home is None else homes | {home}, self._database.mark)
            if waiting:
                ledger.commit()

    @contextmanager
    def _writing(self, *, is_tried: bool = False) -> Iterator[Ledger]:
        held = self._database.trying() if is_tried else self._database.writing()
        with held as connection:
            yield Ledger.begun(connection, self._database.shown, self._key)

    @contextmanager
    def _reading(self) -> Iterator[Ledger | None]:
        if not self._database.exists:
            yield None
            return
        with self._database.reading() as connection:
            yield Ledger.opened(connection, self._database.shown)


def publish_planned(
    history: History,
    plan: Plan,
    table: Table,
    *,
    recipient: str | None = None,
    out: Path | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Publication:
    """Publish the next release of a series as a plan says.

    Parameters
    ----------
    history
        What was published before.
    plan, table
        How to publish, and the records.
    recipient, out, dry_run, progress
        As of `History.publish`.

    Raises
    ------
    UnlinkableError
        As `History.publish`.
    """
    return history.publish(
        table,
        policy=cast("Policy | None", plan.policy()),
        privacy=plan.promises(),
        method=plan.asked_method(),
        person=plan.form.series.person,
        recipient=recipient,
        metric=plan.metric(),
        suppression=plan.suppression,
        identifiers=plan.identifiers(),
        key=plan.key(),
        seed=plan.form.release.seed,
        side=plan.side(),
        progress=progress,
        out=out,
        format=plan.form.release.format,
        signing_key=plan.signing_key(),
        plan=plan,
        dry_run=dry_run,
    )


def unseen_values(policy: Policy, table: Table, past: Past) -> tuple[str, ...]:
    """Say which named values neither the table nor an earlier release has, and what may be meant.

    Parameters
    ----------
    policy
        How to publish again.
    table
        The records of the next release.
    past
        What was published before.
    """
    told = []
    frames = [table.frame, *(edition.target.frame for edition in past.editions)]
    for column, value in policy.named_values(table.schema):
        there: dict[str, None] = {}
        for frame in frames:
            if column in frame.columns:
                texts = texts_of(canonical_values(frame.select(column), [column]), column)
                there.update(dict.fromkeys(texts.unique(maintain_order=True).drop_nulls()))
        if value not in there:
            told.append(f"{unknown('value', value, there)} of {column!r}")
    return tuple(told)


def _chosen_policy(policy: Policy | str | None, facts: HistoryFacts, shown: str) -> Policy:
    """Take the policy that was asked for; else the one that the history was begun with."""
    if policy is not None and not isinstance(policy, Policy | str):
        raise ParameterError(
            f"policy must be one, like MInvariance(3), or its written form, got {policy!r}"
        )
    text = policy if isinstance(policy, str) else None
    if policy is None:
        text = facts.policy or _FIRST
    chosen = policy if isinstance(policy, Policy) else cast("Policy", make("policy", text or ""))
    before = None if facts.policy is None else read_call(facts.policy)[0]
    if before is not None and before != chosen.name:
        raise HistoryError(
            f"{shown} is of releases by {before}, and {chosen.name} would not guard against what "
            f"they tell: go on with {before}, or begin another history for other people"
        )
    return chosen


def _exact_share(suppression: float | str | Fraction) -> Fraction:
    """Take the share of records that may be left out."""
    share = exact(suppression)
    if not 0 <= share < 1:
        raise ParameterError(f"suppression must lie in [0, 1), got {suppression}")
    return share
