"""Taxonomies edited by hand: the tree, its edits, and how both are stored."""
