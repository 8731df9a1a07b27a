"""Files of plans: read as text, written whole or not at all, moved without losing their paths."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from unlinkable.errors import PlanError

__all__ = ["read_plan_file", "relocate", "write_plan_file"]

_LONGEST_FILE = 64 * 1024 * 1024
"""No plan is larger: this is some other file."""


def read_plan_file(file: Path) -> str:
    """Read a plan file as text.

    Raises
    ------
    PlanError
        If there is none, or it is not text.
    """
    if not file.is_file():
        raise PlanError(f"no plan file {file}: `unlinkable describe DATA --plan {file}` writes one")
    try:
        with file.open("rb") as stream:
            content = stream.read(_LONGEST_FILE + 1)
    except OSError as error:
        raise PlanError(f"cannot read plan file {file}: {error.strerror}") from None
    if len(content) > _LONGEST_FILE:
        raise PlanError(f"{file} is too large to be a plan")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PlanError(f"{file}, line {line}: a plan must be text in UTF-8") from None


def write_plan_file(file: Path, text: str, *, overwrite: bool) -> None:
    """Write a plan file whole or not at all.

    Raises
    ------
    PlanError
        If the file exists and is not to be overwritten, or cannot be written.
    """
    if file.exists() and not overwrite:
        raise PlanError(f"plan file {file} exists and is not replaced: choose another name")
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError:
        raise PlanError(f"cannot write plan file {file}: it has text that is not Unicode") from None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    except OSError as error:
        raise PlanError(f"cannot write plan file {file}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(file)
    except OSError as error:
        raise PlanError(f"cannot write plan file {file}: {error.strerror}") from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def relocate(
    document: Mapping[str, object], old: Path, new: Path, sources: Collection[str] = ()
) -> dict[str, object]:
    """Make the paths of a plan start from another folder; ``sources`` are those of promises.

    Examples
    --------
    >>> plan = {"data": {"source": "adult.csv"}, "release": {"out": "/srv/out"}}
    >>> relocate(plan, Path("plans"), Path())
    {'data': {'source': 'plans/adult.csv'}, 'release': {'out': '/srv/out'}}
    """
    if old.resolve() == new.resolve():
        return dict(document)
    moved: dict[str, object] = {}
    for name, table in document.items():
        moved[name] = table
        if isinstance(table, Mapping):
            moved[name] = {
                key: _relocate_value(name, key, value, old, new) for key, value in table.items()
            }
        elif name == "privacy" and isinstance(table, list):
            moved[name] = [_relocate_promise(promise, old, new, sources) for promise in table]
    return moved


def _relocate_promise(promise: object, old: Path, new: Path, sources: Collection[str]) -> object:
    """Move the files that a promise refers to; a name that is no file stays."""

    def moved(value: object) -> object:
        if isinstance(value, list):
            return [moved(item) for item in value]
        is_file = isinstance(value, str) and value in sources and (old / value).is_file()
        return _move(str(value), old, new) if is_file else value

    if not isinstance(promise, Mapping):
        return promise
    return {key: moved(value) for key, value in promise.items()}


_PATHS = {("data", "source"), ("pseudonyms", "key"), ("release", "out"), ("release", "sign")}


def _relocate_value(table: str, key: str, value: object, old: Path, new: Path) -> object:
    if table == "columns" and isinstance(value, Mapping):
        taxonomy = value.get("taxonomy")
        if isinstance(taxonomy, Mapping) and isinstance(taxonomy.get("csv"), str):
            return {**value, "taxonomy": {**taxonomy, "csv": _move(taxonomy["csv"], old, new)}}
    if (table, key) == ("data", "join") and isinstance(value, list):
        return [_move(file, old, new) for file in value]
    if (table, key) in _PATHS and isinstance(value, str) and "://" not in value:
        return _move(value, old, new)
    return value


def _move(path: str, old: Path, new: Path) -> str:
    if Path(path).is_absolute():
        return path
    target = (old / path).resolve()
    try:
        return Path(os.path.relpath(target, new.resolve())).as_posix()
    except ValueError:  # another drive of Windows
        return str(target)
