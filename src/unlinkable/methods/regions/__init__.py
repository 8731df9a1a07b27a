"""Methods that cut the space of quasi-identifying values into regions."""

from __future__ import annotations

from unlinkable.methods.regions.best import Best
from unlinkable.methods.regions.greedy_cell import GreedyCell
from unlinkable.methods.regions.greedy_personalized import GreedyPersonalized
from unlinkable.methods.regions.infogain_mondrian import InfoGainMondrian
from unlinkable.methods.regions.lsd_mondrian import LSDMondrian
from unlinkable.methods.regions.mondrian import Mondrian
from unlinkable.methods.regions.mpalm import MPALM
from unlinkable.methods.regions.oka import OKA
from unlinkable.methods.regions.options import Along, Combine, Direction, Labels, Split, Variant
from unlinkable.methods.regions.recursive_histogram import RecursiveHistogram

__all__ = [
    "MPALM",
    "OKA",
    "Along",
    "Best",
    "Combine",
    "Direction",
    "GreedyCell",
    "GreedyPersonalized",
    "InfoGainMondrian",
    "LSDMondrian",
    "Labels",
    "Mondrian",
    "RecursiveHistogram",
    "Split",
    "Variant",
]
