"""Random changes of bundles: the holder's key shows every one, and nothing outside is opened."""

from __future__ import annotations

import hashlib
import os
import random
import sys
from pathlib import Path

import unlinkable as ul
from tools.fuzz.bundles import copied, kinds, public_key
from tools.fuzz.commands import call
from tools.fuzz.tampering import FORGERIES, TAMPERINGS
from tools.fuzz.trial import FailureError, RefusalError
from unlinkable.errors import UnlinkableError

__all__ = ["notices", "trial"]

_SECRET = "CANARY-OUTSIDE"
_LONG_AGO = (1_000_000_000, 2_000_000_000)
"""Times of access and change: whoever reads a file that was changed since brings the first up."""

_OPENED: list[str] = []
_WATCHED: list[str] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _WATCHED and str(arguments[0]).startswith(_WATCHED[0]):
        _OPENED.append(str(arguments[0]))


sys.addaudithook(_watch)


def trial(r: random.Random, folder: Path) -> str:
    """Change a bundle of some kind in some way, and let it be verified."""
    kind = r.choice(list(kinds()))
    bundle, outside = copied(kind, folder), folder / "outside"
    outside.mkdir()
    canary = outside / "canary.csv"
    canary.write_text(f"from,to,value,p,job,age\n{_SECRET},1,2,0.5,cook,31\n", encoding="utf-8")
    before = _fingerprint(bundle)
    is_forged = r.random() < 0.3
    done = r.choice(FORGERIES if is_forged else TAMPERINGS)(r, bundle, outside)
    if _fingerprint(bundle) == before:
        raise RefusalError("nothing was changed")
    for file in outside.rglob("*"):
        os.utime(file, _LONG_AGO)
    _OPENED.clear()
    _WATCHED[:] = [str(outside)]
    about = f"{kind}: {done}"
    try:
        if not notices(bundle, public_key()):
            raise FailureError(f"not noticed with the key: {about}")
        if not is_forged and done.startswith("public") and not notices(bundle / "public", None):
            raise FailureError(f"not noticed without a key: {about}")
        _open_in_other_ways(r, bundle)
    finally:
        _WATCHED.clear()
    touched = [path for path in outside.rglob("*") if path.is_file() and _was_read(path)]
    if _OPENED or touched:
        raise FailureError(
            f"opened outside {_OPENED[:2]} {[file.name for file in touched]}: {about}"
        )
    return done.partition(" ")[0] if is_forged else "changed"


def notices(bundle: Path, key: Path | None) -> bool:
    """Whether a bundle is found changed, or refused."""
    try:
        found = ul.verify(bundle, public_key=key)
    except UnlinkableError as error:
        if _SECRET in str(error):
            raise FailureError(f"tells what is outside: {error}") from error
        return True
    if any(_SECRET in text for text in (*found.problems, *found.notes)):
        raise FailureError(f"tells what is outside: {found.problems} {found.notes}")
    return not found.holds


def _open_in_other_ways(r: random.Random, bundle: Path) -> None:
    """Other commands may refuse a changed bundle or not, but not fall."""
    command = r.choice(
        [
            ["verify", "bundle", "--json"],
            ["explain", "bundle"],
            ["measure", "bundle", "--metric", "iloss"],
            ["attack", "record-linkage", "bundle"],
            ["report", "bundle", "--out", "page.html"],
            None,
            None,
        ]
    )
    if command is not None:
        ended = call(command, bundle.parent)
        if _SECRET in ended.out + ended.err:
            raise FailureError(f"{command} tells what is outside: {ended}")


def _fingerprint(bundle: Path) -> dict[str, str]:
    """What a bundle is, links and folders included."""
    found = {}
    for path in sorted(bundle.rglob("*")):
        if path.is_symlink():
            found[str(path)] = "link"
        elif path.is_file():
            found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            found[str(path)] = "other"
    return found


def _was_read(file: Path) -> bool:
    """Whether the file was read since its time of access was set back."""
    return file.stat().st_atime > _LONG_AGO[0]
