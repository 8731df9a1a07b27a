"""Reported: a release explained, part by part, for the page that goes into every bundle."""
