"""Composition: holders of values that nobody loses again, hidden among decoys for ever."""
