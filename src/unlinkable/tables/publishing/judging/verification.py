"""Verification: a bundle checked from its files alone.

Nothing is believed but the bytes on disk. Files are compared with their digests, the manifest with
the records, and every promise is judged again on the published texts, with models made from what
the manifest says. A signature shows that both halves are the holder's; without the holder's key,
somebody could have changed all of it consistently, and only the promises that it then makes are
known to be kept.

A bundle may come from anybody. Nothing outside of its folder is opened, whatever it names, and how
much there is to read is compared with what the manifest says before it is read.
"""

from __future__ import annotations

import os
from pathlib import Path

from attrs import define

from unlinkable.errors import BundleError, UnlinkableError
from unlinkable.release.bundle import (
    MANIFEST,
    PROVENANCE,
    VerifyingKey,
    fingerprint,
    halves,
    load_verifying_key,
)
from unlinkable.release.verify import changed_files, is_open_to_others, signature_problem
from unlinkable.tables.data import read_published
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest
from unlinkable.tables.publishing.bundles.manifest_file import data_files, read_manifest
from unlinkable.tables.publishing.judging.evidence import Finding
from unlinkable.tables.publishing.judging.published_tables import (
    table_heads,
    wrong_heads,
    wrong_records,
)
from unlinkable.tables.publishing.judging.stated import n_suppressed
from unlinkable.tables.publishing.judging.verified_about import wrong_about
from unlinkable.tables.publishing.judging.verified_private import PrivateSide, open_side, wrong_rows
from unlinkable.tables.publishing.judging.verified_table import judge, wrong_sizes, wrong_texts

__all__ = ["Verification", "verify"]

_EARLIER = (
    f"an earlier version made this bundle: {PROVENANCE} has neither a digest nor a signature, and "
    "changes to it were not looked for"
)


@define(eq=False, frozen=True)
class Verification:
    """What was found about a bundle.

    Attributes
    ----------
    bundle
        Where it is.
    manifest
        What it says of itself; None if that cannot be read.
    finding
        What its records keep; None if they could not be judged.
    problems
        What is wrong, in words. The bundle holds if there are none.
    notes
        What could not be looked at, and why.
    key
        The fingerprint of the key that signatures were checked with; None if none was given.
    """

    bundle: Path
    manifest: Manifest | None
    finding: Finding | None
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    key: str | None = None

    @property
    def scope(self) -> str:
        """What was looked into, in words: without a key not who made the bundle."""
        if self.key is None:
            return (
                "Consistency was checked, not origin: without the holder's public key, anybody "
                "could have made or changed this bundle."
            )
        return f"Consistency and origin were checked, with the public key {self.key}."

    @property
    def holds(self) -> bool:
        """Whether the bundle is whole and keeps what it promises."""
        return not self.problems

    @property
    def models(self) -> list[dict[str, object]]:
        """The verdicts, as they are printed with ``--json``."""
        return [] if self.finding is None else self.finding.to_json()

    def to_json(self) -> dict[str, object]:
        """Give the result as it is printed with ``--json``."""
        told: dict[str, object] = {
            "holds": self.holds,
            "scope": self.scope,
            "origin_checked": self.key is not None,
        }
        if (m := self.manifest) is not None:
            told |= {
                "records": m.records,
                "suppressed": n_suppressed(m),
                "groups": m.groups,
                "models": self.models,
                "metrics": dict(m.metrics),
                "method": m.method,
                "optimal": m.optimal,
                "node": m.node,
            }
        return told | {
            "problems": list(self.problems),
            "notes": list(self.notes),
            "bundle": str(self.bundle),
        }


def verify(
    folder: str | Path, *, public_key: VerifyingKey | str | Path | None = None
) -> Verification:
    r"""Check a bundle, or its public half alone, from its files.

    Parameters
    ----------
    folder
        The bundle, or its public half.
    public_key
        The holder's public key, or the file with it. Both halves must then be signed with it.
        Without it, only whether the files fit each other is checked, and not who made them.

    Raises
    ------
    BundleError
        If there is no bundle at all.
    DataError
        If the key cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [30, 31, 45, 46]}, quasi="age")
    >>> release = ul.anonymize(people, privacy=ul.KAnonymity(2))
    >>> with TemporaryDirectory() as folder:
    ...     bundle = release.save(Path(folder) / "release")
    ...     _ = (bundle / "public" / "data.csv").write_text("age\n30\n")
    ...     print(*verify(bundle / "public").problems, sep="\n")
    data.csv was changed: it has 7 bytes, not 36
    """
    key = (
        load_verifying_key(public_key) if isinstance(public_key, str | os.PathLike) else public_key
    )
    signer = None if key is None else fingerprint(key)
    path = Path(folder)
    public, private = halves(path)
    try:
        manifest = read_manifest(public)
    except BundleError as error:
        return Verification(path, None, None, (str(error),), (), signer)
    problems = changed_files(public, manifest.files, MANIFEST)
    notes, side = [], None
    if private is None:
        notes.append("the private half is not there: which record is which was not checked")
    else:
        side = open_side(private, public, manifest)
        problems += side.problems
        if not manifest.covers_private:
            notes.append(_EARLIER)
        if os.name == "posix" and is_open_to_others(private):
            notes.append(f"others can look into {private}: run `chmod -R go= {private}`")
    finding = None
    if problems:
        notes.append("the records were not judged: they may not be those that were published")
    else:
        finding, problems, more = _judge(public, manifest, side)
        notes += more
    if key is None:
        notes.append(_unchecked(manifest))
    else:
        problems += _foreign(manifest, side, key)
    return Verification(path, manifest, finding, tuple(problems), tuple(notes), signer)


def _foreign(manifest: Manifest, side: PrivateSide | None, key: VerifyingKey) -> list[str]:
    """Say which halves the holder of a key has not signed as they are."""
    said = [signature_problem(manifest, key, "the release", "the manifest")]
    if side is not None and side.half is not None and manifest.covers_private:
        said += [signature_problem(side.half.provenance, key, "the private half", PROVENANCE)]
    return [problem for problem in said if problem is not None]


def _judge(
    public: Path, manifest: Manifest, side: PrivateSide | None
) -> tuple[Finding | None, list[str], list[str]]:
    """Look at what the files say, now that they are known to be whole."""
    try:
        if problems := wrong_heads(table_heads(public, manifest), manifest):
            return None, problems, []
        frame, *others = tables = [read_published(file) for file in data_files(public, manifest)]
    except UnlinkableError as error:
        return None, [str(error)], []
    if problems := wrong_records([table.height for table in tables], manifest):
        return None, problems, []
    judged = judge(frame, manifest, side, *others)
    problems = judged.problems + wrong_texts(frame, manifest)
    if judged.finding is not None:
        problems += wrong_sizes(judged.finding, manifest)
    is_generalized = not isinstance(manifest, MaskedManifest)
    if side is not None and side.half is not None and is_generalized:
        problems += wrong_rows(side.half, side.labels, frame, manifest)
    problems += wrong_about(public, manifest, None if side is None else side.half)
    return judged.finding, list(dict.fromkeys(problems)), judged.notes


def _unchecked(manifest: Manifest) -> str:
    if manifest.signature is None:
        return "the release is not signed: who made it was not checked"
    return (
        f"the release is signed with the key {manifest.signature.key}: give the holder's public "
        "key to check that it comes from there"
    )
