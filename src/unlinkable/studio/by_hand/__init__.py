"""Taxonomies that are arranged by hand: the tree, what can be done to it, and how it is kept."""
