"""Taxonomies."""
