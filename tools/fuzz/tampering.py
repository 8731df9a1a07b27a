"""Ways to change a bundle, from a single bit to a forgery with all digests made anew."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

__all__ = ["FORGERIES", "TAMPERINGS", "Tampering", "rehash"]

Tampering = Callable[[random.Random, Path, Path], str]
"""Changes a bundle; the other folder is outside of it. Says what was done."""


def _files(bundle: Path) -> list[Path]:
    return sorted(path for path in bundle.rglob("*") if path.is_file())


def _file(r: random.Random, bundle: Path, suffix: str = "") -> Path:
    return r.choice([file for file in _files(bundle) if file.name.endswith(suffix)])


def _named(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def flip(r: random.Random, bundle: Path, outside: Path) -> str:
    file = _file(r, bundle)
    content = bytearray(file.read_bytes())
    at = r.randrange(len(content))
    content[at] ^= 1 << r.randrange(8)
    file.write_bytes(content)
    return f"a bit of {_named(file)}"


def cut(r: random.Random, bundle: Path, outside: Path) -> str:
    file = _file(r, bundle)
    content = file.read_bytes()
    file.write_bytes(content[: r.randrange(len(content))])
    return f"{_named(file)} cut"


def insert(r: random.Random, bundle: Path, outside: Path) -> str:
    file = _file(r, bundle)
    content = file.read_bytes()
    at = r.choice([0, len(content), r.randrange(len(content))])
    added = r.choice([b"\n", b" ", b"\0", b"\xef\xbb\xbf", b"0", b"x" * 1000, r.randbytes(8)])
    file.write_bytes(content[:at] + added + content[at:])
    return f"bytes put into {_named(file)}"


def remove(r: random.Random, bundle: Path, outside: Path) -> str:
    file = _file(r, bundle)
    file.unlink()
    return f"{_named(file)} removed"


def empty(r: random.Random, bundle: Path, outside: Path) -> str:
    file = _file(r, bundle)
    file.write_bytes(b"")
    return f"{_named(file)} emptied"


def add(r: random.Random, bundle: Path, outside: Path) -> str:
    half = bundle / r.choice(["public", "private"])
    names = ["notes.txt", ".hidden", "data.csv.bak", "side-9.parquet", "extra.csv", "ä"]
    name = r.choice(names)
    if r.random() < 0.3:
        (half / name).mkdir()
        return f"a folder in {half.name}"
    (half / name).write_bytes(r.randbytes(20))
    return f"a file added to {half.name}"


def exchange(r: random.Random, bundle: Path, outside: Path) -> str:
    one, other = r.sample(_files(bundle), 2)
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    return f"{_named(one)} and {_named(other)} exchanged"


def link(r: random.Random, bundle: Path, outside: Path) -> str:
    """The same content, but elsewhere."""
    file = _file(r, bundle)
    target = outside / file.name
    shutil.move(file, target)
    file.symlink_to(target if r.random() < 0.5 else os.path.relpath(target, file.parent))
    return f"{_named(file)} linked elsewhere"


def link_half(r: random.Random, bundle: Path, outside: Path) -> str:
    half = bundle / r.choice(["public", "private"])
    shutil.move(half, outside / half.name)
    half.symlink_to(outside / half.name)
    return f"{half.name} linked elsewhere"


def replace(r: random.Random, bundle: Path, outside: Path) -> str:
    file = _file(r, bundle)
    file.unlink()
    if r.random() < 0.5:
        file.mkdir()
        return f"{_named(file)} made a folder"
    os.mkfifo(file)
    return f"{_named(file)} made a pipe"


def swap_rows(r: random.Random, bundle: Path, outside: Path) -> str:
    csvs = [file for file in _files(bundle) if file.suffix == ".csv"]
    if not csvs:
        return flip(r, bundle, outside)
    file = r.choice(csvs)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    one, other = r.randrange(1, len(lines)), r.randrange(1, len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    file.write_text("".join(lines), encoding="utf-8")
    return f"rows of {_named(file)} swapped"


def edit_json(r: random.Random, bundle: Path, outside: Path) -> str:
    """Change one field of a document, spelled as the library spells it or otherwise."""
    file = _file(r, bundle, ".json")
    document = json.loads(file.read_text(encoding="utf-8"))
    path = _mutate(r, document)
    text = json.dumps(document, ensure_ascii=False, indent=r.choice([None, 1]))
    file.write_text(text, encoding="utf-8")
    return f"{path} of {_named(file)} edited"


_VALUES: tuple[object, ...] = (
    *(None, True, False, 0, 1, -1, 10**400, 1e308, "", "*", "x" * 10_000, [], {}, [[]], "nan"),
    *(
        "../../outside/canary.csv",
        "/etc/hostname",
        "1" * 5000,
        {"a": {"b": []}},
        "k-anonymity(k=1)",
    ),
)


def _mutate(r: random.Random, node: object) -> str:
    """Change something somewhere below a node; give the names of the fields on the way."""
    if isinstance(node, dict) and node:
        key = r.choice(list(node))
        if isinstance(node[key], dict | list) and node[key] and r.random() < 0.7:
            return f"{key}.{_mutate(r, node[key])}"
        if r.random() < 0.2:
            del node[key]
        elif r.random() < 0.2:
            node[f"{key}_"] = node[key]
        else:
            node[key] = _other(r, node[key])
        return str(key)
    if isinstance(node, list) and node:
        at = r.randrange(len(node))
        if isinstance(node[at], dict | list) and node[at] and r.random() < 0.7:
            return f"[].{_mutate(r, node[at])}"
        if r.random() < 0.3:
            del node[at]
        else:
            node[at] = _other(r, node[at])
        return "[]"
    return "nothing"


def _other(r: random.Random, value: object) -> object:
    """Another value: often a near one, of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float) and r.random() < 0.6:
        return value + r.choice([1, -1, 1e-9, 100])
    if isinstance(value, str) and value and r.random() < 0.6:
        at = r.randrange(len(value))
        return value[:at] + r.choice('0aZ*"') + value[at + 1 :]
    return r.choice(_VALUES)


def rehash(bundle: Path) -> None:
    """Make all digests anew, as somebody would who has no key."""
    public, private = bundle / "public", bundle / "private"
    manifest = json.loads((public / "release.json").read_text(encoding="utf-8"))
    for entry in manifest["files"]:
        _hash(entry, public / entry["name"])
    manifest.pop("digest", None)
    signature = manifest.pop("signature", None)
    spelled = json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    manifest["digest"] = hashlib.sha256(spelled.encode()).hexdigest()
    if signature is not None:
        manifest["signature"] = signature
    _write(public / "release.json", manifest)
    provenance = json.loads((private / "provenance.json").read_text(encoding="utf-8"))
    for entry in provenance["files"]:
        _hash(entry, private / entry["name"])
    content = (public / "release.json").read_bytes()
    provenance["manifest"] = hashlib.sha256(content).hexdigest()
    _write(private / "provenance.json", provenance)


def _hash(entry: dict[str, object], file: Path) -> None:
    with contextlib.suppress(OSError):
        content = file.read_bytes()
        entry["sha256"], entry["size"] = hashlib.sha256(content).hexdigest(), len(content)


def _write(file: Path, document: dict[str, object]) -> None:
    file.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def forge(r: random.Random, bundle: Path, outside: Path) -> str:
    """Change something and make all digests anew."""
    done = r.choice([edit_json, swap_rows, flip, insert])(r, bundle, outside)
    with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):
        rehash(bundle)
    return f"forged: {done}"


_PROMISES = (
    'confidence-bounding(file="{}")',
    't-closeness(t=1, distance="given", ground="{}")',
    'n-t-closeness(n=1, t=1, distance="given", ground="{}")',
    'r-robustness(r=1, prior="{}")',
    'delta-bounding(r=1, prior="{}")',
    'd-gamma-privacy(d=1, gamma=1, prior="{}")',
    'privacy-maxent(p=1, constraints="{}")',
    'ct-isolation(c=1, t=1, points="{}")',
    'differential-privacy(epsilon=1, ledger="{}")',
    'distributional-privacy(alpha=1, beta=1, ledger="{}")',
    'k-map(k=1, population="{}")',
    'delta-presence(low=0, high=1, population="{}")',
    'population-uniqueness(share=1, population="{}")',
)


def point_outside(r: random.Random, bundle: Path, outside: Path) -> str:
    """Make a promise about a file elsewhere, with all digests made anew."""
    file = bundle / "public" / "release.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    canary = outside / "canary.csv"
    names = [str(canary), "../outside/canary.csv", "../../outside/canary.csv", "canary.csv"]
    promise = r.choice(_PROMISES).format(r.choice(names))
    if manifest["models"]:
        manifest["models"][0]["model"] = promise
        manifest["models"][0]["refers"] = r.random() < 0.5
        manifest["models"][0]["needs_private"] = r.random() < 0.5
    else:
        manifest["files"][0]["name"] = r.choice(names)
    _write(file, manifest)
    if r.random() < 0.5:
        provenance = json.loads((bundle / "private/provenance.json").read_text(encoding="utf-8"))
        provenance["side"] = {names[-1]: r.choice(names), "people": r.choice(names)}
        _write(bundle / "private" / "provenance.json", provenance)
    rehash(bundle)
    return f"points outside: {promise.partition('(')[0]}"


TAMPERINGS: tuple[Tampering, ...] = (
    *(flip, flip, cut, insert, insert, remove, empty, add, exchange, link, link_half, replace),
    *(swap_rows, edit_json, edit_json, edit_json),
)
"""Changes that leave the digests as they were: noticed with and without a key."""

FORGERIES: tuple[Tampering, ...] = (forge, forge, point_outside)
"""Changes with new digests: noticed with the holder's key."""
