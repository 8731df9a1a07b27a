"""Methods: ways from a table to a release, one per file.

A method is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.tables.methods.buckets.anatomize import Anatomize as Anatomize
    from unlinkable.tables.methods.buckets.ke_permutation import KEPermutation as KEPermutation
    from unlinkable.tables.methods.buckets.r_robust_bucketization import (
        RRobustBucketization as RRobustBucketization,
    )
    from unlinkable.tables.methods.cuts.bottom_up_generalization import (
        BottomUpGeneralization as BottomUpGeneralization,
    )
    from unlinkable.tables.methods.cuts.cluster_framework import ClusterFramework as ClusterFramework
    from unlinkable.tables.methods.cuts.genetic import Genetic as Genetic
    from unlinkable.tables.methods.cuts.hdtds import HDTDS as HDTDS
    from unlinkable.tables.methods.cuts.k_optimize import KOptimize as KOptimize
    from unlinkable.tables.methods.cuts.l_plus_optimize import LPlusOptimize as LPlusOptimize
    from unlinkable.tables.methods.cuts.mu_argus import MuArgus as MuArgus
    from unlinkable.tables.methods.cuts.top_down_disclosure import TopDownDisclosure as TopDownDisclosure
    from unlinkable.tables.methods.cuts.top_down_refinement import TopDownRefinement as TopDownRefinement
    from unlinkable.tables.methods.cuts.top_down_specialization import (
        TopDownSpecialization as TopDownSpecialization,
    )
    from unlinkable.tables.methods.lattice.datafly import Datafly as Datafly
    from unlinkable.tables.methods.lattice.flash import Flash as Flash
    from unlinkable.tables.methods.lattice.improved_greedy import ImprovedGreedy as ImprovedGreedy
    from unlinkable.tables.methods.lattice.incognito import Incognito as Incognito
    from unlinkable.tables.methods.lattice.mingen import MinGen as MinGen
    from unlinkable.tables.methods.lattice.ola import OLA as OLA
    from unlinkable.tables.methods.lattice.optimal import Optimal as Optimal
    from unlinkable.tables.methods.lattice.samarati import Samarati as Samarati
    from unlinkable.tables.methods.lattice.spalm import SPALM as SPALM
    from unlinkable.tables.methods.noisy.dp_histogram import DPHistogram as DPHistogram
    from unlinkable.tables.methods.noisy.dp_synthetic import DPSynthetic as DPSynthetic
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
    from unlinkable.tables.methods.regions.best import Best as Best
    from unlinkable.tables.methods.regions.greedy_cell import GreedyCell as GreedyCell
    from unlinkable.tables.methods.regions.greedy_personalized import (
        GreedyPersonalized as GreedyPersonalized,
    )
    from unlinkable.tables.methods.regions.infogain_mondrian import InfoGainMondrian as InfoGainMondrian
    from unlinkable.tables.methods.regions.lsd_mondrian import LSDMondrian as LSDMondrian
    from unlinkable.tables.methods.regions.mondrian import Mondrian as Mondrian
    from unlinkable.tables.methods.regions.mpalm import MPALM as MPALM
    from unlinkable.tables.methods.regions.oka import OKA as OKA
    from unlinkable.tables.methods.regions.recursive_histogram import (
        RecursiveHistogram as RecursiveHistogram,
    )

_WHERE = {
    "AlphaBeta": "perturb.alpha_beta",
    "Anatomize": "buckets.anatomize",
    "Best": "regions.best",
    "BottomUpGeneralization": "cuts.bottom_up_generalization",
    "ClusterFramework": "cuts.cluster_framework",
    "Condensation": "perturb.condensation",
    "CondensationStream": "perturb.condensation_stream",
    "CrossTrainingRound": "perturb.cross_training_round",
    "DPHistogram": "noisy.dp_histogram",
    "DPSynthetic": "noisy.dp_synthetic",
    "DRBT": "perturb.drbt",
    "Datafly": "lattice.datafly",
    "DensityPerturbation": "perturb.density_perturbation",
    "Flash": "lattice.flash",
    "Genetic": "cuts.genetic",
    "GreedyCell": "regions.greedy_cell",
    "GreedyPersonalized": "regions.greedy_personalized",
    "HDTDS": "cuts.hdtds",
    "ImprovedGreedy": "lattice.improved_greedy",
    "Incognito": "lattice.incognito",
    "InfoGainMondrian": "regions.infogain_mondrian",
    "KEPermutation": "buckets.ke_permutation",
    "KOptimize": "cuts.k_optimize",
    "LPlusOptimize": "cuts.l_plus_optimize",
    "LSDMondrian": "regions.lsd_mondrian",
    "MDAV": "perturb.mdav",
    "MPALM": "regions.mpalm",
    "MedianSwapping": "perturb.median_swapping",
    "MinGen": "lattice.mingen",
    "Mondrian": "regions.mondrian",
    "MuArgus": "cuts.mu_argus",
    "OKA": "regions.oka",
    "OLA": "lattice.ola",
    "Optimal": "lattice.optimal",
    "PRAM": "perturb.pram",
    "PerturbedGeneralization": "perturb.perturbed_generalization",
    "RGather": "perturb.r_gather",
    "RRobustBucketization": "buckets.r_robust_bucketization",
    "RankSwapping": "perturb.rank_swapping",
    "RecursiveHistogram": "regions.recursive_histogram",
    "SPALM": "lattice.spalm",
    "Samarati": "lattice.samarati",
    "Synthetic": "perturb.synthetic",
    "TopDownDisclosure": "cuts.top_down_disclosure",
    "TopDownRefinement": "cuts.top_down_refinement",
    "TopDownSpecialization": "cuts.top_down_specialization",
}
"""The file of each method."""

__all__ = [*_WHERE]

__getattr__ = load_on_use(__name__, _WHERE)
