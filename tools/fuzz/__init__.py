"""Fuzzers: random releases, tamperings, bad inputs and kills, judged by code of their own.

Nothing here shares code with the library: published files are read with plain Python, and what was
promised is counted by the definitions. ``python -m tools.fuzz --help`` says how to run them.
"""
