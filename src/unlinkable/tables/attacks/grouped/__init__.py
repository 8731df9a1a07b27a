"""Grouped: what people who look alike have in common."""
