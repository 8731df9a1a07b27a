"""Taxonomy cuts."""
