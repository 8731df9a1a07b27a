"""Minimal: what it tells that a method does no more than it has to."""
