"""Write a set of bundles and histories: ``python -m tests.formats.write FOLDER``.

Everything goes through the command line, as users do it. The path of the folder is kept in the
private half of each bundle and in histories: choose one that says nothing of who wrote it or where.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from contextlib import chdir
from pathlib import Path

import unlinkable as ul
from tests.formats import outcome
from tests.formats.archives import pack, unpack
from tests.formats.commands import run
from tests.formats.people import patient, write_sources, write_table
from tests.formats.plans import BUNDLES, HISTORIES, KEYED, MONTHS, Section

__all__ = ["write"]


def write(folder: Path) -> None:
    """Write all bundles and histories, and what is expected of them, into a new folder."""
    folder = folder.absolute()
    folder.mkdir(parents=True)
    # Nothing stays where it was made: what is expected must not depend on finding it there.
    made = folder / "made"
    made.mkdir()
    with chdir(made):
        write_sources()
        _must("key", "holder", "--for", "signing")
        _must("key", "pseudonyms.key", "--for", "pseudonyms")
        for name, plan in BUNDLES.items():
            pack(write_bundle(name, plan), folder / "bundles" / f"{name}.zip")
        for name, plan in HISTORIES.items():
            pack(write_history(name, plan), folder / "histories" / f"{name}.zip")
    (folder / "plans").mkdir()
    for file in sorted([*made.glob("*.toml"), *made.glob("*.csv")]):
        file.rename(folder / "plans" / file.name)
    (made / "holder.pub").rename(folder / "holder.pub")
    # The other half of the key goes with the rest: nobody needs to sign with it again.
    shutil.rmtree(made)
    text = json.dumps(expected_of(folder), indent=1, allow_nan=False) + "\n"
    (folder / "expected.json").write_text(text, encoding="utf-8")


def write_bundle(name: str, sections: Section) -> Path:
    """Write a plan and its bundle here, and give the bundle."""
    bundle = Path("bundles", name)
    release = {"out": bundle.as_posix(), "seed": 0} | sections.get("release", {})
    _must("anonymize", _write_plan(Path(f"{name}.toml"), sections | {"release": release}))
    return bundle


def write_history(name: str, sections: Section) -> Path:
    """Write a history of two releases with their bundles, and all that the third one needs."""
    folder = Path("histories", name).absolute()
    folder.mkdir(parents=True)
    # A path that is given on the command line is kept as a whole: plans name what is beside them.
    with chdir(folder):
        for number, people in enumerate(MONTHS[name], start=1):
            table = Path(f"month-{number}.csv")
            write_table(table, [patient(i) for i in people])
            beside: Section = {
                "data": {"source": table.name, "others": "drop"},
                "release": {"out": "releases", "seed": 0},
            }
            _write_plan(table.with_suffix(".toml"), beside | sections)
        if name == KEYED:
            _must("key", outcome.PEOPLE_KEY, "--for", "pseudonyms")
        for number in (1, 2):
            _must(*outcome.publish_command(Path(), number))
    return folder


def expected_of(folder: Path) -> outcome.Outcome:
    """Give what is said of all that was written, unpacked elsewhere as the tests do it."""
    with tempfile.TemporaryDirectory() as elsewhere:
        place = Path(elsewhere)
        bundles = {
            name: outcome.of_bundle(
                unpack(folder / "bundles" / f"{name}.zip", place / "bundles"),
                folder / "plans" / f"{name}.toml",
            )
            for name in BUNDLES
        }
        signatures = {
            name: outcome.of_verification(place / "bundles" / name, "--key", folder / "holder.pub")
            for name, plan in BUNDLES.items()
            if "sign" in plan.get("release", {})
        }
        histories = {}
        for name in HISTORIES:
            history = unpack(folder / "histories" / f"{name}.zip", place / "histories")
            histories[name] = {
                "before": outcome.of_history(history),
                "next": outcome.of_next_release(history, number=3),
                "after": outcome.of_history(history),
            }
    return {
        "version": ul.__version__,
        "bundles": bundles,
        "signatures": signatures,
        "histories": histories,
    }


def _write_plan(file: Path, sections: Section) -> Path:
    ul.Plan.from_dict(sections, folder=file.parent).save(file)
    return file


def _must(*command: object) -> None:
    """Run a command that must not fail."""
    ran = run(*command)
    if ran.code:
        raise SystemExit(f"{' '.join(map(str, command))}\n{ran.out}{ran.err}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a new folder")
    write(parser.parse_args().folder)
