"""Methods that replace values by others, and those that publish records that nobody has.

Each is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.tables.methods.perturb.alpha_beta import AlphaBeta as AlphaBeta
    from unlinkable.tables.methods.perturb.condensation import Condensation as Condensation
    from unlinkable.tables.methods.perturb.condensation_stream import (
        CondensationStream as CondensationStream,
    )
    from unlinkable.tables.methods.perturb.cross_training_round import (
        CrossTrainingRound as CrossTrainingRound,
    )
    from unlinkable.tables.methods.perturb.density_perturbation import (
        DensityPerturbation as DensityPerturbation,
    )
    from unlinkable.tables.methods.perturb.drbt import DRBT as DRBT
    from unlinkable.tables.methods.perturb.mdav import MDAV as MDAV
    from unlinkable.tables.methods.perturb.median_swapping import MedianSwapping as MedianSwapping
    from unlinkable.tables.methods.perturb.perturbed_generalization import (
        PerturbedGeneralization as PerturbedGeneralization,
    )
    from unlinkable.tables.methods.perturb.pram import PRAM as PRAM
    from unlinkable.tables.methods.perturb.r_gather import RGather as RGather
    from unlinkable.tables.methods.perturb.rank_swapping import RankSwapping as RankSwapping
    from unlinkable.tables.methods.perturb.synthetic import Synthetic as Synthetic

_WHERE = {
    "AlphaBeta": "alpha_beta",
    "Condensation": "condensation",
    "CondensationStream": "condensation_stream",
    "CrossTrainingRound": "cross_training_round",
    "DRBT": "drbt",
    "DensityPerturbation": "density_perturbation",
    "MDAV": "mdav",
    "MedianSwapping": "median_swapping",
    "PRAM": "pram",
    "PerturbedGeneralization": "perturbed_generalization",
    "RGather": "r_gather",
    "RankSwapping": "rank_swapping",
    "Synthetic": "synthetic",
}
"""The file of each name."""

__all__ = [*_WHERE]

__getattr__ = load_on_use(__name__, _WHERE)
