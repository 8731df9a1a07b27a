"""The centre: what a release is, whatever kind of data it is about."""
