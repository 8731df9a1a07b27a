"""Continuous publishing: releases of a table that only grows (BCF-anonymity)."""
