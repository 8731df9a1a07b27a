"""Anonymizing."""
