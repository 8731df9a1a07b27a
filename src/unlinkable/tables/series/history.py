"""History: what was published of the same people, and the next release after all that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Literal, Unpack

from attrs import evolve

from unlinkable.registry import make
from unlinkable.release.bundle import SigningKey, signals_later
from unlinkable.tables.data import AttributeRoles, Side, as_side
from unlinkable.tables.methods.base import Method
from unlinkable.tables.metrics.base import Metric
from unlinkable.tables.models.base import Scene, bind_all, warn_of
from unlinkable.tables.operations import Pseudonymization
from unlinkable.tables.publishing.anonymizing import Promises, as_models, given_records
from unlinkable.tables.publishing.plans import Format, Plan
from unlinkable.tables.risk import require_no_numbers
from unlinkable.tables.series.asked import as_policy, as_share
from unlinkable.tables.series.bundle_places import move, require_free, saved, sweep
from unlinkable.tables.series.ledger import Ledger
from unlinkable.tables.series.next_release import Terms, next_release
from unlinkable.tables.series.policy import Policy, Request
from unlinkable.tables.series.publication import Publication, line_of
from unlinkable.tables.series.published_series import PublishedSeries
from unlinkable.tables.series.recognition import recognize
from unlinkable.tables.series.unseen import unseen_values
from unlinkable.typing import Progress

__all__ = ["History", "Publication"]


class History(PublishedSeries):
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
        scene, mark = Scene.at(records, beside), self._database.mark
        if not dry_run or self._database.exists:
            self._tidy(home)
        with ExitStack() as stack:
            with self._writing(is_tried=dry_run) as ledger:
                chosen = as_policy(policy, ledger.about(), self._database.shown)
                require_no_numbers(records, chosen.may_name_people)
                known = recognize(ledger, records, person, self._key, self._database.shown)
                place = None if home is None else home / f"{len(known.past) + 1:03d}"
                if place is not None:
                    require_free(place)
                request = Request(
                    records,
                    known.people,
                    bind_all(models, scene, warn_of),
                    make("method", method) if isinstance(method, str) else method,
                    as_share(suppression),
                    recipient,
                )
                terms = Terms(metric, treated, key, seed, beside, progress)
                made = next_release(chosen, request, known.past, terms)
                line = line_of(made, str(chosen), known, recipient)
                unseen = unseen_values(chosen, records, known.past)
                if dry_run:
                    return Publication(
                        line,
                        made.release,
                        made.outcomes,
                        is_published=False,
                        refused=made.refused,
                        unseen=unseen,
                    )
                keeping = saved(made.release, place, mark, format, signing_key, plan, recipient)
                with keeping as (folder, waiting, manifest):
                    line = evolve(line, folder=folder, waiting=waiting, manifest=manifest)
                    ledger.settle(str(chosen), known.person)
                    ledger.add(line, made.edition, known.new_keys, made.memory)
                    # From here on the bundle goes to its place, whoever asks to stop.
                    stack.enter_context(signals_later())
                    ledger.commit()
            self._tidy(home)
        line = evolve(line, waiting=None)
        return Publication(
            line, made.release, made.outcomes, place, refused=made.refused, unseen=unseen
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
        if home is None and not any(line.waiting for line in self.releases()):
            return  # Nobody has to wait for a publisher only to look.
        with self._writing() as ledger:
            lines = ledger.lines()
            waiting = [line for line in lines if line.waiting is not None]
            for line in waiting:
                move(line)
                ledger.moved(line.number)
            homes = {Path(line.folder).parent for line in lines if line.folder is not None}
            sweep(homes if home is None else homes | {home}, self._database.mark)
            if waiting:
                ledger.commit()

    @contextmanager
    def _writing(self, *, is_tried: bool = False) -> Iterator[Ledger]:
        held = self._database.trying() if is_tried else self._database.writing()
        with held as connection:
            yield Ledger.begun(connection, self._database.shown, self._key)
