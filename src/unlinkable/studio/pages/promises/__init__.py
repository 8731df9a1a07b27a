"""Promises: what the page on privacy is made of."""
