"""Verification: a bundle checked from its files alone.

Nothing is believed but the bytes on disk. Files are compared with their digests, the manifest with
the records, and every promise is judged again on the published texts, with models made from what
the manifest says. A signature shows that both halves are the holder's; without the holder's key,
an adversary could have changed all of it consistently, and only the promises that it then makes are
known to be kept.

A bundle may come from anybody. Nothing outside of its folder is opened, whatever it names, and how
much there is to read is compared with what the manifest says before it is read.
"""

from __future__ import annotations

import os
from pathlib import Path

from attrs import define

from unlinkable.errors import BundleError, UnlinkableError
from unlinkable.release.bundle.bundle_files import MANIFEST, PROVENANCE, halves
from unlinkable.release.bundle.manifest import Manifest
from unlinkable.release.bundle.manifest_file import read_manifest
from unlinkable.release.bundle.private_half import PrivateHalf
from unlinkable.release.bundle.signing import VerifyingKey, fingerprint, load_verifying_key
from unlinkable.release.finding import Finding
from unlinkable.release.kind import kind_called
from unlinkable.release.verify.judgement import Judgement
from unlinkable.release.verify.verified_files import (
    changed_files,
    is_open_to_others,
    signature_problem,
)

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
        What its data keep; None if they could not be judged.
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
        summary = {} if self.manifest is None else self.manifest.summary(self.models)
        return {
            "holds": self.holds,
            "scope": self.scope,
            "origin_checked": self.key is not None,
            **summary,
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
    notes, half = [], None
    if private is None:
        notes.append("the private half is not there: which record is which was not checked")
    else:
        half, wrong = _opened(private, public, manifest)
        problems += wrong
        if not manifest.covers_private:
            notes.append(_EARLIER)
        if os.name == "posix" and is_open_to_others(private):
            notes.append(f"others can look into {private}: run `chmod -R go= {private}`")
    judged = Judgement(None, [], [])
    if problems:
        notes.append("the records were not judged: they may not be those that were published")
    else:
        judged = kind_called(manifest.data_kind).judge(public, manifest, half)
        problems = list(dict.fromkeys(judged.problems))
        notes += judged.notes
    if key is None:
        notes.append(_unchecked(manifest))
    else:
        problems += _foreign(manifest, half, key)
    return Verification(path, manifest, judged.finding, tuple(problems), tuple(notes), signer)


def _opened(
    private: Path, public: Path, manifest: Manifest
) -> tuple[PrivateHalf | None, list[str]]:
    """Open the private half, and see whether its files are whole and belong to the public one."""
    try:
        half = kind_called(manifest.data_kind).private_half.open(private)
        problems = changed_files(private, half.provenance.files, PROVENANCE)
        return half, problems + half.misfits(public, manifest)
    except UnlinkableError as error:
        return None, [str(error)]


def _foreign(manifest: Manifest, half: PrivateHalf | None, key: VerifyingKey) -> list[str]:
    """Say which halves the holder of a key has not signed as they are."""
    found = [signature_problem(manifest, key, "the release", "the manifest")]
    if half is not None and manifest.covers_private:
        found += [signature_problem(half.provenance, key, "the private half", PROVENANCE)]
    return [problem for problem in found if problem is not None]


def _unchecked(manifest: Manifest) -> str:
    if manifest.signature is None:
        return "the release is not signed: who made it was not checked"
    return (
        f"the release is signed with the key {manifest.signature.key}: give the holder's public "
        "key to check that it comes from there"
    )
