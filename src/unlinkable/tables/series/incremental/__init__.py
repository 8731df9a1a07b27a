"""Incremental: releases of a growing table, each checked against all earlier ones."""
