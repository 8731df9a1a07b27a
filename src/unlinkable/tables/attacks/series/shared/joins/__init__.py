"""Joins: what releases with different columns tell once their records are matched."""
