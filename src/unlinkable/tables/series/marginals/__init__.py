"""Marginals: counts by some columns, next to an anonymized table."""
