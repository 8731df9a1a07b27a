"""The outcomes of a comparison in a file, a line each: a run that was cut off goes on from there.

The first line says what was compared. It knows the records by a digest, which would let somebody
who knows all of them but one test guesses: the file stays with the holder, and nobody else on the
machine can read it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from attrs import define, field

from unlinkable.errors import DataError
from unlinkable.tables.data import Role, SideTable, Table, digest_of
from unlinkable.tables.publishing.comparing.comparison import Compared
from unlinkable.tables.taxonomies import taxonomy_to_json

__all__ = ["OutcomesFile", "fingerprint"]

_FORMAT = 1


def fingerprint(
    table: Table, metrics: Sequence[str], seed: int, beside: Iterable[SideTable] = ()
) -> str:
    """Give a text that is the same just if outcomes can be compared.

    They depend on the records, the roles and taxonomies of the columns, the metrics, the seed, and
    the tables that promises refer to.
    """
    said: list[object] = [digest_of(table.frame), *metrics, seed]
    for column in table.schema.columns:
        said += [column.name, column.role.value, column.importance]
        if column.role is Role.QUASI or column.taxonomy is not None:
            said.append(taxonomy_to_json(table.taxonomy(column.name)))
    said += [[side.name, digest_of(side.frame)] for side in beside]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


@define(eq=False)
class OutcomesFile:
    """Outcomes on disk, by setting.

    Attributes
    ----------
    path
        The file.
    known
        What it holds already.
    """

    path: Path
    known: dict[str, Compared] = field(factory=dict)

    @classmethod
    def open(cls, path: Path, of: str) -> OutcomesFile:
        """Open a file for outcomes of this fingerprint, or start one.

        Raises
        ------
        DataError
            If it holds something else, or cannot be written.
        """
        file = cls(path)
        try:
            if path.exists() and path.stat().st_size:
                file._load(of)
            else:
                path.touch(mode=0o600)
                path.chmod(0o600)
                file._write({"format": _FORMAT, "of": of})
        except OSError as error:
            raise DataError(f"{path}: cannot keep outcomes here: {error.strerror}") from None
        return file

    def add(self, outcome: Compared) -> None:
        """Write an outcome at once, so that nothing is lost whatever comes next."""
        self.known[outcome.setting] = outcome
        self._write(outcome.to_json())

    def _load(self, of: str) -> None:
        try:
            text = self.path.read_text(encoding="utf-8")
            # A line without its end was cut off while it was written: its setting is run again.
            whole = text[: text.rfind("\n") + 1]
            head, *lines = [json.loads(line) for line in whole.splitlines()]
            if not isinstance(head, dict) or "of" not in head:
                raise ValueError
            outcomes = [Compared.from_json(line) for line in lines]
        except (ValueError, KeyError, TypeError):
            raise DataError(f"{self.path} holds no outcomes of a comparison") from None
        if head["of"] != of or head.get("format") != _FORMAT:
            raise DataError(
                f"{self.path} holds outcomes for other records, roles or metrics: give another "
                "file, or remove it to start again"
            )
        if whole != text:
            self.path.write_text(whole, encoding="utf-8")
        self.known = {outcome.setting: outcome for outcome in outcomes}

    def _write(self, line: Mapping[str, object]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())
