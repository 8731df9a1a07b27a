"""Splitting."""
