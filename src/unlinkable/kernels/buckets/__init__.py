"""Buckets."""
