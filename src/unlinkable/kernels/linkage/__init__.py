"""Linkage."""
