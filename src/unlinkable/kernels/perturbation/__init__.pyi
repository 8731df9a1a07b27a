from .class_cuts import best_class_cut as best_class_cut
from .rank_swaps import sorted_places as sorted_places
from .rank_swaps import swap_ranks as swap_ranks
from .synthesis import find_leaves as find_leaves
from .synthesis import grow_tree as grow_tree
