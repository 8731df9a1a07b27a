"""A bundle of a table judged from its files alone, which are known to be whole."""

from __future__ import annotations

from pathlib import Path

from unlinkable.errors import UnlinkableError
from unlinkable.release.verify import Judgement
from unlinkable.tables.data import read_published
from unlinkable.tables.publishing.bundles.data_files import data_files
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest
from unlinkable.tables.publishing.bundles.private_half import PrivateHalf
from unlinkable.tables.publishing.judging.evidence import Finding
from unlinkable.tables.publishing.judging.published_tables import (
    table_heads,
    wrong_heads,
    wrong_records,
)
from unlinkable.tables.publishing.judging.verified_about import wrong_about
from unlinkable.tables.publishing.judging.verified_private import private_side, wrong_rows
from unlinkable.tables.publishing.judging.verified_table import judge, wrong_sizes, wrong_texts

__all__ = ["judge_bundle"]


def judge_bundle(public: Path, manifest: Manifest, half: PrivateHalf | None) -> Judgement:
    """Judge all promises again from the published texts, and compare figures with the manifest."""
    side = None
    if half is not None:
        try:
            side = private_side(half, manifest)
        except UnlinkableError as error:
            return Judgement(None, [str(error)], [])
        if side.problems:
            return Judgement(None, side.problems, [])
    try:
        if problems := wrong_heads(table_heads(public, manifest), manifest):
            return Judgement(None, problems, [])
        frame, *others = tables = [read_published(file) for file in data_files(public, manifest)]
    except UnlinkableError as error:
        return Judgement(None, [str(error)], [])
    if problems := wrong_records([table.height for table in tables], manifest):
        return Judgement(None, problems, [])
    judged = judge(frame, manifest, side, *others)
    problems = judged.problems + wrong_texts(frame, manifest)
    if isinstance(judged.finding, Finding):
        problems += wrong_sizes(judged.finding, manifest)
    if side is not None and half is not None and not isinstance(manifest, MaskedManifest):
        problems += wrong_rows(half, side.labels, frame, manifest)
    problems += wrong_about(public, manifest, half)
    return Judgement(judged.finding, list(dict.fromkeys(problems)), judged.notes)
