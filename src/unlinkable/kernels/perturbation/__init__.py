"""Perturbation."""
