"""Linking: who a record belongs to, found with a list of people."""
