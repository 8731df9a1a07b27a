"""Slow, literal twins of the library, written from the definitions alone.

Nothing in here imports `unlinkable`. A table is a list of rows, a row a mapping from column to
value, and ``None`` a value that is missing. Numbers are exact wherever the definition allows.
"""
