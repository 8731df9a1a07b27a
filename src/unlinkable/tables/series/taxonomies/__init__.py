"""Taxonomies of a series: what was published keeps its meaning when further values come."""
