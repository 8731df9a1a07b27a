"""Levels: versions of one table for recipients of different trust."""
