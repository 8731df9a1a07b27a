"""Invariance: what a person's group hides stays the same in all releases that he is in."""
