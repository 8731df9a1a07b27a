"""Attacks: what the page on attacks is made of."""
