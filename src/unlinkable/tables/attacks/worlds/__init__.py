"""Worlds: who is likely to have what, over all ways in which values may belong to people."""
