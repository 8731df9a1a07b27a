"""Methods that replace values by others, and those that publish records that nobody has."""

from __future__ import annotations

from unlinkable.methods.perturb.alpha_beta import AlphaBeta
from unlinkable.methods.perturb.condensation import Condensation
from unlinkable.methods.perturb.condensation_stream import CondensationStream
from unlinkable.methods.perturb.cross_training_round import CrossTrainingRound
from unlinkable.methods.perturb.density_perturbation import DensityPerturbation
from unlinkable.methods.perturb.drbt import DRBT
from unlinkable.methods.perturb.mdav import MDAV
from unlinkable.methods.perturb.median_swapping import MedianSwapping
from unlinkable.methods.perturb.perturbed_generalization import PerturbedGeneralization
from unlinkable.methods.perturb.pram import PRAM
from unlinkable.methods.perturb.r_gather import RGather
from unlinkable.methods.perturb.rank_swapping import RankSwapping
from unlinkable.methods.perturb.synthetic import Synthetic

__all__ = [
    "DRBT",
    "MDAV",
    "PRAM",
    "AlphaBeta",
    "Condensation",
    "CondensationStream",
    "CrossTrainingRound",
    "DensityPerturbation",
    "MedianSwapping",
    "PerturbedGeneralization",
    "RGather",
    "RankSwapping",
    "Synthetic",
]
