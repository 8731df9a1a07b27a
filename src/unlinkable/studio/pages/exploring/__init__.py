"""Exploring: what the page on methods and results is made of."""
