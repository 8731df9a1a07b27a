"""Learned: what models and descriptions that are made from a release tell of people."""
